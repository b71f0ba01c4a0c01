"""How fast and how good, beside the plain stack, in one run."""

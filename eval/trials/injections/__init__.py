"""Documents with instructions in them, in over fifty kinds, and whether any changes an answer."""

"""Whether a difference between two runs is more than chance."""

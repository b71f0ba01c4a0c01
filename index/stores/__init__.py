"""Where an index keeps things: the catalog, which is the truth, and what is derived from it."""

"""From source files to a new generation: read, stage, chunk, encode, fill, commit, sweep."""

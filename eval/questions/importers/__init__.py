"""Question sets of others, read into ours."""

"""From a source file to a searchable index."""

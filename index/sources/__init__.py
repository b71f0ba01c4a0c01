"""Readers of source formats: a file or folder in, records and quarantined records out."""

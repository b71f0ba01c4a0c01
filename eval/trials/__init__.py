"""Measurements that are commands of their own: what they said stands in `eval/notes.md`."""

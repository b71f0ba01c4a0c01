"""Answers and sources to take away: Markdown, BibTeX, RIS."""

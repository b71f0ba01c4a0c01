"""Answers worded by a model: evidence handed over, sentences read back, each checked before it is shown."""

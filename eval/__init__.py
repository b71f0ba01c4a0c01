"""Measurements: how fast, how good, beside which peers."""

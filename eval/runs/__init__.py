"""Asking a system every question of a set, and keeping what it said."""

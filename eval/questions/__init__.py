"""Question sets: their form, where they come from, how they are made."""

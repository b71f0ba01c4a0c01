"""Questions made from questions, and from the index."""

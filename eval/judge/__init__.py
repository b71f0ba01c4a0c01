"""An optional second opinion: a language model judges what a run answered, apart from its scores."""

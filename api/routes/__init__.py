"""The routes, one module a kind. Each builds a router around the engine it is given."""

"""The faces: HTTP, topic page and widget, command line."""

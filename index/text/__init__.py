"""Text repair and sentence boundaries: what every stored field passes through once, at ingest."""

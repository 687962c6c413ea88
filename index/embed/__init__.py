"""Text to unit vectors: the embedded static model, and sentence-transformers models where they are installed."""

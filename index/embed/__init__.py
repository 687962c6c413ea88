"""Turns text into unit vectors: the embedded static model, and sentence-transformers models if they are installed."""

"""What a text names that is no symbol of code."""

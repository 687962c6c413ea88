"""References to the definitions that they mean."""

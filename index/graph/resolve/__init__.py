"""What references mean."""

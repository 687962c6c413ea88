"""Decides which hits of a selection are shown, and in which form."""

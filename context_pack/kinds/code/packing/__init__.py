"""What of a selection is shown, and in which form."""

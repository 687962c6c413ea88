"""What a refresh takes over from the published generation."""

"""Where import statements lead, and which names they show."""

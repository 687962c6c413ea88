"""Published generations: where they are stored, which one is live, and how one is read and written."""

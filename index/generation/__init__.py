"""Published generations: where they lie, which is live, and one as its readers see it."""

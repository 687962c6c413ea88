"""Indexes beyond one machine: generations that a team publishes and fetches (`share`), on a store of objects."""

"""Indexes shared between machines: generations that a team publishes to an object store and fetches from it."""

"""Answers questions about a fleet of repositories: one pack from all of them, and a server for readers."""

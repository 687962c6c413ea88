"""Reuse of the published generation's graph by a refresh."""

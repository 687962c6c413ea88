"""Keeps indexes up to date with their trees, for `ctxpack watch` and the MCP server."""

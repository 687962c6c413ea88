"""Indexes that follow their trees, for `ctxpack watch` and the MCP server."""

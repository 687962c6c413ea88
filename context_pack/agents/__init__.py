"""Agents that can use `ctxpack mcp`: what to write where, so that they find it."""

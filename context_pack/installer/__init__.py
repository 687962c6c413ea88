"""`ctxpack install`: adds `ctxpack mcp` to the configuration of agents."""

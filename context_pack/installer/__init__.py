"""`ctxpack install`: what to write into which agent's configuration, so that it finds `ctxpack mcp`."""

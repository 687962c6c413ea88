"""`ctxpack mcp`: the tools of ctxpack for agents, over the Model Context Protocol."""

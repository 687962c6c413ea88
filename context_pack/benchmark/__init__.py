"""How well ctxpack answers about a repository, measured by its history."""

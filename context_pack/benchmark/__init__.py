"""What ctxpack is worth on a repository of one's own, measured by its history."""

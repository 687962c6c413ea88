"""Routes of requests: the places that answer one, the lines that declare one, and what mounts these."""

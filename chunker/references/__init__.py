"""What code says about other code: imports, uses of names, types of names, mentions in documents."""

"""References from code to other code: imports, uses of names, types of names, mentions in documents."""

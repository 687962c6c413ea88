"""Fields of types, keys of data, columns of tables, flags: what has a name, but is no symbol."""

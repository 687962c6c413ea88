"""How every kind of pack reads files, folders and git."""

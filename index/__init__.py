"""A tree of files becomes a searchable, incremental, crash-safe index; a query becomes ranked chunks with reasons."""

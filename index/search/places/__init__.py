"""Places that a query points at or names: files and lines, messages, keys, fields, resources, pasted code."""

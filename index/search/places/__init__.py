"""Places that a query points at or names: lines, messages, resources, tasks, numbers, pasted code."""

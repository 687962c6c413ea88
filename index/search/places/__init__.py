"""Places that a query points at: file and line, stack traces, error messages."""

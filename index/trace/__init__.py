"""Pasted stack traces, test failures and compiler errors: what they say, and where in this index that is."""

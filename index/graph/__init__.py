"""The code graph: which symbol contains, calls, uses, extends, overrides, tests or documents which."""

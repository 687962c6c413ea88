"""Select, order, fit, render: one bounded pack of what a reader needs, and the command line around it."""

__version__ = "0.1.0"

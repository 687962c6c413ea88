"""The version of ctxpack."""

__version__ = "0.1.0"

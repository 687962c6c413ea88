"""The public contract of ctxpack: JSON Schemas, the typed records that match them, and all errors."""

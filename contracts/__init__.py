"""What ctxpack promises: JSON Schemas, the typed records that match them, and every way to fail."""

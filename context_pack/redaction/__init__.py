"""Secrets out of every text before it is sized or cut: each becomes `[REDACTED:<kind>]`, and lines are kept."""

from context_pack.redaction.redactor import Paths, Redacted, Redactor, redact, redact_path

__all__ = ["Paths", "Redacted", "Redactor", "redact", "redact_path"]

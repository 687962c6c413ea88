"""Secrets out of every text before it is sized or cut: each becomes `[REDACTED:<kind>]`, and lines are kept."""

from context_pack.redaction.scan import Redacted, Redactor, redact

__all__ = ["Redacted", "Redactor", "redact"]

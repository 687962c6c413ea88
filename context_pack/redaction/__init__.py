"""Secrets out of every text before it is sized or cut: each becomes `[REDACTED:<kind>]`, and lines are kept."""

from context_pack.redaction.redactor import Paths, Redactor, redact_path
from context_pack.redaction.scan import Redacted, redact

__all__ = ["Paths", "Redacted", "Redactor", "redact", "redact_path"]

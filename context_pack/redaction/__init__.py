"""Redaction: each secret becomes `[REDACTED:<kind>]` before a text is sized or cut; lines keep their numbers."""

from context_pack.redaction.redactor import Paths, Redacted, Redactor, redact, redact_path

__all__ = ["Paths", "Redacted", "Redactor", "redact", "redact_path"]

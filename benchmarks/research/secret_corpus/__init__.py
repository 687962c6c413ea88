"""Secrets of 30 kinds, 300 texts that only look like secrets, and forms in which code and tools write passwords.

All values are generated at run time from pieces and seeds, so that no scanner reports this repository and no value is a
real secret. Every case is one text with the path that it would have.
"""

from benchmarks.research.secret_corpus.forms import wider
from benchmarks.research.secret_corpus.look_alikes import look_alikes
from benchmarks.research.secret_corpus.secrets import secrets
from benchmarks.research.secret_corpus.values import Case, random_string

__all__ = ["Case", "look_alikes", "random_string", "secrets", "wider"]

"""A turn pack while it is built: the sources of its texts, and warnings for the reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from chunker.parse.decoding import source_text
from context_pack.io.tree import Tree
from context_pack.redaction import Redactor
from index.text import content_terms, words_of

MAX_FILE_BYTES = 1_000_000  # of a file that is read for an excerpt; the index skips larger ones too


@dataclass
class TurnDraft:
    """The tree, the request without secrets, and the warnings so far."""

    tree: Tree
    request: Mapping[str, Any]
    redactor: Redactor
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the goal and of its entities, without stop words."""
        texts = (self.request["goal"], *self.request.get("entities", ()))
        return frozenset(term for text in texts for term in content_terms(words_of(text)))

    def readable(self, path: str, field: str) -> tuple[str, str | None, str]:
        """(`sha256:<hex>`, the text without secrets, why there is no text) of a file. Errors as in `Tree.digest`."""
        digest, size, data = self.tree.digest(path, field, MAX_FILE_BYTES)
        text = source_text(data, path)
        if text is None or size > MAX_FILE_BYTES:
            return digest, None, f"{'binary' if text is None else 'too large for an excerpt'} ({size:,} bytes)"
        return digest, self.redactor.text(text, path).replace("\r\n", "\n"), ""

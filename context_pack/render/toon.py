"""TOON (Token-Oriented Object Notation): JSON's data in fewer tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import toon_format

from context_pack.render.document import DocumentLayout
from contracts.records import printable


def _document(data: Mapping[str, Any]) -> str:
    return f"{toon_format.encode(printable(data))}\n"


LAYOUT = DocumentLayout(_document)

"""The code index of packs of records, replaced in tests: building one takes longer than the pack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from context_pack.session import Session


@contextmanager
def code_index(open_code: Callable[[Path], Any]) -> Iterator[None]:
    """Packs of records use the index that `open_code` returns for their root, or its error."""
    with mock.patch.object(Session, "open", lambda root: SimpleNamespace(corpus=open_code(root))):
        yield

"""The kinds of pack, one folder each: a kind reads its records, selects, orders, fits and renders them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from contracts.errors import CtxpackError, NotADirectory
from contracts.records import Hint

if TYPE_CHECKING:
    from index import Index


def code_of(root: Path, hints: list[Hint]) -> Index | None:
    """The up-to-date index of a tree, by its own configuration; None, with a hint, if it cannot be made."""
    from context_pack.options.config_file import file_layer
    from context_pack.options.resolve import option_warnings
    from context_pack.session import Session

    try:
        code = cast("Index", Session.open(root).corpus)
        hints += option_warnings(file_layer(root))
        return code
    except NotADirectory:  # the request names a wrong root: without an index, too, it has no answer
        raise
    except CtxpackError as error:
        hints.append(Hint("warn", f"the index could not be used: {error.message}"))
        return None

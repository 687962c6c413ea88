"""Names that a misspelt one may stand for, as hints that can be run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from contracts.records import Hint

if TYPE_CHECKING:
    from context_pack.kinds.code.corpus import Corpus

MOST = 3  # names that are suggested
_COMMAND = re.compile(r"`ctxpack (?P<verb>query|search) (?P<name>\S+)`")


def nearest(corpus: Corpus, text: str) -> list[str]:
    """The names that a text may have meant; none where it is a name that is defined, or no name."""
    near = corpus.nearest(text, limit=MOST)
    return [one.name for one in near] if near and near[0].distance else []


def suggestions(text: str, names: Sequence[str], verb: str, answers: str = "") -> tuple[Hint, ...]:
    """What to ask instead; `answers` is the name that was asked instead already."""
    if not names:
        return ()
    said = f"Nothing is named {text.strip()} here"
    first = f"{said}: this answers for {answers}, the nearest name:" if answers else f"{said}. The nearest names:"
    return (Hint("info", first), *(Hint("action", f"`ctxpack {verb} {shlex.quote(name)}`") for name in names))


def rewritten(hints: Sequence[Hint], write: Callable[[str, str], str]) -> tuple[Hint, ...]:
    """The hints with each suggested command as `write(verb, name)` puts it."""

    def command(found: re.Match[str]) -> str:
        (name,) = shlex.split(found["name"])
        return f"`{write(found['verb'], name)}`"

    return tuple(replace(hint, text=_COMMAND.sub(command, hint.text)) for hint in hints)

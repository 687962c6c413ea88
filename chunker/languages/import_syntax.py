"""Functions that the readers of import statements share.

A reader gets the text of a statement without comments and returns (module, names) pairs; see `model.Import`. Its
patterns are compiled when the first statement is read.
"""

from __future__ import annotations

import re
from typing import Final

Names = tuple[tuple[str, str], ...]
Bound = tuple[str, Names]

WILDCARD: Final[Names] = (("*", "*"),)
PARTS: Final = ("*", "(..)")  # the parts of the type named before it


def last_part(module: str) -> str:
    return re.split(r"::|[./\\]", module.rstrip("./"))[-1]


def split_list(text: str, opening: str = "({[", closing: str = ")}]") -> list[str]:
    """The parts of a list, split at commas outside brackets."""
    parts: list[str] = []
    depth = start = 0
    for at, char in enumerate(text):
        if char in opening:
            depth += 1
        elif char in closing:
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def pair(text: str, separator: str = r"\s+as\s+") -> tuple[str, str]:
    """`name as local` -> (local, name); a single name is both."""
    parts = re.split(separator, text.strip(), maxsplit=1)
    return (parts[-1].strip(), parts[0].strip())


def clause(text: str, word: str) -> str:
    """The statement without the leading pattern `word` and without its `;`."""
    return re.sub(rf"^{word}", "", text).strip().rstrip(";")


def braced(tree: str, separator: str) -> list[Bound]:
    """`a::{b, c as d, e::*}` -> one entry per module, in the order of the text."""
    names: dict[str, list[tuple[str, str]]] = {}
    pending = [("", tree)]
    while pending:
        prefix, text = pending.pop()
        head, brace, inner = text.partition("{")
        if brace:
            path = prefix + head.strip()
            pending += [(path, part) for part in reversed(split_list(inner.rsplit("}", 1)[0]))]
            continue
        local, path = pair(text, r"\s+as\s+|\s*=>\s*")
        local = last_part(local)
        module, _, name = (prefix + path).rpartition(separator)
        if name in ("*", "_"):
            local = name = "*"
        elif name == "self":
            local, name = (last_part(module) if local == "self" else local), ""
        names.setdefault(module or name, []).append((local, name))
    return [(module, tuple(pairs)) for module, pairs in names.items()]

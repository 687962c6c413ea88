"""Which import statements a piece of code uses."""

from __future__ import annotations

import re
from functools import lru_cache

from context_pack.core import size
from context_pack.core.comments import comment_of, without_blocks

STATEMENTS = 4_096  # whose names are remembered
_WORD = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`")
_MODULE = re.compile(r"^\s*from\b.*?\bimport\b", re.S)  # Python's; elsewhere `from` is followed by a text
_OUTER = re.compile(r"\w+\s*(?:\.|::|\\|/)(?=[\s\w{*])")  # the parts of a path before its last
_KEYWORDS = frozenset(
    "alias as const default export extern from func function import let local open package private pub public "
    "qualified require self static type typeof use using val var".split()
)


def used_imports(imports: tuple[str, ...], code: str, language: str) -> tuple[str, ...]:
    """The statements that bind a name which the code uses, unless they weigh more than the code."""
    if not imports:
        return ()
    code, comment = without_blocks(code, language), comment_of(language)
    used = tuple(one for one in imports if any(_stands_in(name, code, comment) for name in _bound(one)))
    return used if sum(map(size, used)) <= size(code) else ()


@lru_cache(maxsize=STATEMENTS)
def _bound(statement: str) -> tuple[str, ...]:
    """The names that a statement may bind: without the path that leads to them, unless that is all there is."""
    bare = _OUTER.sub("", _QUOTED.sub("", _MODULE.sub("", statement)))
    names = dict.fromkeys(_WORD.findall(bare)).keys() - _KEYWORDS or set(_WORD.findall(statement)) - _KEYWORDS
    return tuple(sorted(names))


def _stands_in(name: str, code: str, comment: str) -> bool:
    """Whether the name is a word of the code, in a line before any comment."""
    at = code.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_continues(code[at - 1 : at]) or _continues(code[end : end + 1])):
            line = code[code.rfind("\n", 0, at) + 1 : at]
            if not comment or comment not in line.replace("://", ""):
                return True
        at = code.find(name, end)
    return False


def _continues(character: str) -> bool:
    return character.isalnum() or character == "_"

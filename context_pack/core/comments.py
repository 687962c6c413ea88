"""How a remark is written into code of a language, and where comments and strings of several lines are open."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

Block = tuple[str, str]  # what opens and what closes a comment or a string of several lines

_SLASHED, _MARKUP, _BRACED = ("/*", "*/"), ("<!--", "-->"), ("{-", "-}")
_QUOTED, _SINGLE_QUOTED, _BACKTICK = ('"""', '"""'), ("'''", "'''"), ("`", "`")
_BLOCKS: dict[str, tuple[Block, ...]] = {
    **dict.fromkeys("html xml vue svelte astro razor handlebars freemarker jsp liquid".split(), (_MARKUP,)),
    **dict.fromkeys(("css", "sql"), (_SLASHED,)),
    **dict.fromkeys(("java", "kotlin", "scala", "groovy", "swift", "csharp"), (_SLASHED, _QUOTED)),
    **dict.fromkeys(("javascript", "typescript", "tsx", "go"), (_SLASHED, _BACKTICK)),
    **dict.fromkeys(("haskell", "elm", "purescript"), (_BRACED,)),
    **dict.fromkeys(("python", "elixir"), (_QUOTED, _SINGLE_QUOTED)),
    "gotemplate": (("{{/*", "*/}}"),),
    "dart": (_SLASHED, _QUOTED, _SINGLE_QUOTED), "julia": (("#=", "=#"), _QUOTED), "lua": (("--[[", "]]"),),
    "ocaml": (("(*", "*)"),), "ruby": (("=begin", "=end"),),
}  # fmt: skip
_STRINGS = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"


def comment_of(language: str) -> str:
    """What starts a comment in a language, or what it stands between (`<!-- -->`); empty where that is not known."""
    from chunker.languages.table import LANGUAGES  # a table that whole items do not need

    record = LANGUAGES.get(language)
    return (record.comment if record else "") or " ".join(_BLOCKS.get(language, ((),))[0])


def script_of(language: str, kind: str) -> str:
    """The language of a symbol of this kind: in a component that of its scripts, in all other files the file's."""
    from chunker.languages.table import LANGUAGES

    record = LANGUAGES.get(language)
    in_script = record is not None and record.markup and kind not in ("class", "block", "section", "module")
    return str(record.grammar) if record and in_script else language


def within_line(language: str) -> str:
    """What a comment stands between that ends before its line does; empty where there is none."""
    return next((" ".join(block) for block in blocks_of(language) if block[0] != block[1]), "")


def blocks_of(language: str) -> tuple[Block, ...]:
    return _BLOCKS.get(language) or ((_SLASHED,) if comment_of(language) == "//" else ())


def without_blocks(code: str, language: str) -> str:
    """The code with a blank in place of each comment or string of several lines; backticks may hold code."""
    return "".join(text if block in (None, _BACKTICK) else " " for text, block in _pieces(code, language))


@lru_cache(maxsize=256)
def open_blocks(code: str, language: str) -> tuple[Block | None, ...]:
    """By line, and for the end of the text: what is open where it begins. Empty where nothing ever is."""
    pieces = _pieces(code, language)
    if len(pieces) < 2:
        return ()
    begins = [0, *accumulate(len(line) + 1 for line in code.split("\n"))]
    opened: list[Block | None] = [None] * len(begins)
    at = 0
    for text, block in pieces:
        first, last = bisect_right(begins, at), bisect_right(begins, at + len(text) - 1)
        opened[first:last] = [block] * (last - first)
        at += len(text)
    return tuple(opened)


def _pieces(code: str, language: str) -> list[tuple[str, Block | None]]:
    """The code as pieces: each comment or string of several lines with what it stands between, and all between them."""
    blocks = dict(blocks_of(language))
    if not any(opening in code for opening in blocks):
        return [(code, None)]
    pieces: list[tuple[str, Block | None]] = []
    at = start = 0
    while match := _tokens(language).search(code, at):
        at = match.end()
        closing = blocks.get(match[0])
        if closing:
            end = re.compile(rf"(?<!\\){re.escape(closing)}").search(code, at)
            at = end.end() if end else len(code)
            pieces += ((code[start : match.start()], None), (code[match.start() : at], (match[0], closing)))
            start = at
    return [*pieces, (code[start:], None)]


@lru_cache(maxsize=64)
def _tokens(language: str) -> re.Pattern[str]:
    """What opens a block, and what hides such marks: a comment to the end of its line, a string."""
    blocks, comment = blocks_of(language), comment_of(language)
    hides = [] if _MARKUP in blocks else [_STRINGS]
    if comment and " " not in comment:
        hides.insert(0, rf"{re.escape(comment)}[^\n]*")
    return re.compile("|".join([*(re.escape(opening) for opening, _ in blocks), *hides]))

"""Questions about a name in one folder or file: `image.tag in the redis chart`, `Config in kubelet`."""

from __future__ import annotations

import re
from dataclasses import replace

from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.question_forms import USAGES, has_exact_hit, name_of, relation_in
from context_pack.options.resolve import Settings
from contracts.lazy_regex import lazy_regex
from index.search.spelling import is_compound_name

_WITHIN = lazy_regex(
    r"(?P<rest>\S.*?) (?:(?:in|inside|within)|(?P<weak>for|from|of)) (?:(?:our|the) )?"
    r"[`'\"]?(?P<place>\w[\w./-]*\w)[`'\"]?"
    r"(?P<kind> (?:app|chart|crate|directory|file|folder|library|module|package|project|role|service|stack))? ?[?.]?",
    re.IGNORECASE,
)
_MAY_NAME_PLACE = (" in ", " inside ", " within ", " for ", " from ", " of ")
MAX_WORDS = 12  # of such a question


def without_place(corpus: Corpus, text: str, settings: Settings) -> tuple[str, Settings]:
    """A question without the folder or file that it names, and the settings that only search there.

    Both are returned as they are unless the rest asks for a name that code or data there contains and that only code
    spells so; any name counts if a word says what the place is (`load in the store package`).
    """
    if settings.include or not any(map(text.__contains__, _MAY_NAME_PLACE)) or len(text.split()) > MAX_WORDS:
        return text, settings
    match = _WITHIN.fullmatch(text.strip())
    if match is None or not (match["kind"] or (not match["weak"] and any(map(_is_name, match["rest"].split())))):
        return text, settings
    globs = _globs(corpus, match["place"])
    name, asks = relation_in(corpus, match["rest"])
    if not globs or asks not in ("", *USAGES):
        return text, settings
    inside = replace(settings, include=globs)
    name = name or name_of(corpus, match["rest"], inside)
    is_meant = " " not in name and (match["kind"] or _is_name(name))
    return (match["rest"], inside) if is_meant and has_exact_hit(corpus, name, inside) else (text, settings)


def _is_name(word: str) -> bool:
    return is_compound_name(word) or "." in word or "-" in word


def _globs(corpus: Corpus, place: str) -> tuple[str, ...]:
    """The globs of the folders, or else of the files, whose paths end with a place; none without such a path."""
    paths = corpus.paths()
    if any(f"/{place}/" in path or path.startswith(f"{place}/") for path in paths):
        return (f"**/{place}/**",)
    return (f"**/{place}",) if any(f"/{path}".endswith(f"/{place}") for path in paths) else ()

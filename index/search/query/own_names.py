"""Leaves the project's own name out of a question: `In Flask, how ...`, `how does celery retry a task`.

Nearly every file contains it, so that it distinguishes nothing, but a question with it is measured as one about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial

from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.segment.columns import distinct
from index.text import STOP_WORDS, content_terms, terms_of, words_of

SHARE = 0.45  # of the files that contain a project's name, at least: axios 0.48, trpc 0.57, flask 0.92
MAX_CHARS = 400  # of a question; a longer text is a report
MIN_WORDS = 2  # other words of a question
MAX_CACHED = 64  # names whose places in paths are known
MAX_DEPTH = 3  # folders around the project's
# Folders that may hold most files of any project.
_ANY_PROJECT = frozenset(
    "api app client com core docs github include internal io java lib libs main modules org packages pkg server source"
    " sources src test tests".split()
)
# Words that most files of several projects contain, which are subjects: `read a file with error`, `group by name`.
_USUAL = _ANY_PROJECT.union(
    "action actions application arg args argument arguments array assert async attribute attributes block body bool"
    " buffer bytes call case cases check class classes code command commands condition config configuration context"
    " copy copyright data debug default defaults dict distribution each encoding end env error errors event events"
    " example examples exception exceptions expected express extend false field fields file files filter first flag"
    " flags format function functions handler handlers header headers host html http https implementation import"
    " imports index init input insert instance int interface item items iter json key keys keyword kind language"
    " length license limit line lines list local log logs make map matches max message messages method methods mode"
    " model module name names namespace new nil node none null number numbers object objects open option options"
    " order out output override package param parameter params part parts pass path paths permissions process"
    " project promise provider proxy public query raise read redirect request response result results return route"
    " router run select self send session set sets size socket software split start state static status str stream"
    " string strings struct style support table task template text throw time timeout token true type types"
    " undefined update url use user users util value values var version versions view void warning window words".split()
)
_SEPARATOR = lazy_regex(r"[-_.]")
_NAME = r"(?P<name>[A-Za-z][\w.-]*\w)"
_MODALS = "can could did does should will would"
_PREPOSITIONS = "by in inside of with within"
# (words of which the form needs one, form, what takes its place): at the beginning and the end, as the first word of a
# topic, as a subject. Before another word (`next`), a word of the language may be as frequent: `error handling`.
_FORMS = (
    (_PREPOSITIONS, lazy_regex(rf"\A(?i:in|with) {_NAME}[,:] "), ""),
    (_PREPOSITIONS, lazy_regex(rf" (?:{_PREPOSITIONS.replace(' ', '|')}) {_NAME}(?=[?.!]*\Z)"), ""),
    ("", lazy_regex(rf"\A{_NAME} (?=(?P<next>\w+))"), ""),
    (_MODALS, lazy_regex(rf"(?<=\w\w)(?i: (?:{_MODALS.replace(' ', '|')})) {_NAME} (?=(?P<next>\w+))"), " does it "),
)


class OwnNames:
    """Tells for one tree which words name the project."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        # A tree may have 100,000 paths. A cache of a bound method would keep the index's files open.
        self._is_in_paths = lru_cache(MAX_CACHED)(partial(_is_in_paths, collection.files.paths))

    def without(self, text: str) -> str:
        """The question without the project's name at its beginning and end, and as its first word or subject if the
        folders of most files, or a file in the root, have this name, too."""
        if len(text) > MAX_CHARS:
            return text
        words = text.lower().split()
        for needed, form, instead in _FORMS:
            if needed and set(needed.split()).isdisjoint(words):
                continue
            match = next((one for one in form.finditer(text) if self._is_meant(one)), None)
            plain = text[: match.start()] + instead + text[match.end() :] if match else ""
            text = plain if len(content_terms(words_of(plain))) >= MIN_WORDS else text
        return text

    def _is_meant(self, match: re.Match[str]) -> bool:
        """Whether a name is the project's; before another word, not if the code joins both: `axios error`."""
        name, after = match["name"], match.groupdict().get("next")
        lexical, terms = self._collection.lexical, {terms[-1] for terms in map(terms_of, words_of(name)) if terms}
        if not terms or name.lower() in STOP_WORDS or name.lower() in _USUAL:
            return False
        if after is not None and lexical.number_of(f"{name}{after}".lower()) >= 0:
            return False
        least, file_of = SHARE * len(self._collection.files), self._collection.chunks.file
        are_common = all(len(distinct(file_of[lexical.holding([term])])) >= least for term in terms)
        return are_common and (after is None or self._is_in_paths(name.lower()))


def _is_in_paths(paths: Sequence[str], name: str) -> bool:
    """Whether most paths, or a file in the root or in its `lib`, have a name: `ktor-client/`, `lib/axios.js`."""
    holders = 0
    for path in map(str.lower, paths):
        if name not in path:
            continue
        *folders, file = path.split("/")
        own = [folder for folder in folders if folder not in _ANY_PROJECT]
        if not own and len(folders) < 2 and file.partition(".")[0] == name:
            return True
        holders += any(name == folder or name in _SEPARATOR.split(folder) for folder in own[:MAX_DEPTH])
    return holders >= SHARE * len(paths)

"""What a file is for a reader who looks for a text: code, prose, or something beside them."""

from __future__ import annotations

from functools import lru_cache

from chunker.languages.table import rules_of
from contracts.lazy_regex import lazy_regex
from index.collection.collection import Collection
from index.segment.columns import Array
from index.types import ChunkId, FileId

CODE, ASIDE, PROSE = range(3)  # the most important first
MAX_PATHS = 4_096  # whose translations are cached
_TRANSLATIONS = lazy_regex(
    r"(^|/)(?:(?:_*locales?(?:-\w+)?|i18n|l10n|translations?|[a-z][\w-]*\.lproj)/|[a-z]{2}[_-][A-Z]{2}\.\w+$"
    r"|_?(?:lang(?:uage)?s?|[Ll]ocali[sz]ations?)/(?:\w+/)?[a-z]{2,3}(?:[_-]\w{2,9})?(?:/[\w-]+)?"
    r"\.(?:php|json|ya?ml|properties|ini|toml)$"
    r"|values-(?:[a-z]{2,3}(?:-r[A-Z]{2})?|b\+[\w+]+)/)"
)
_COPY = lazy_regex(r"(?:^|[/._-])[a-z]{2,3}(?:[_-][A-Z]\w+)?(?:\.g)?\.\w+$")
# In the path of a translation. Of three letters (`fil`) are many names that are no language (`api`, `app`, `get`).
_LANGUAGE = lazy_regex(r"(?:^|(?<=[/._-]))[a-z]{2}(?:[_-]r?[A-Za-z]{2,4})?(?=[/.])|(?<=/values-)[a-z]{3}(?=/)")
_HIDDEN = lazy_regex(r"(^|/)\.[^/]*$")


def kind_of(collection: Collection, file: FileId) -> int:
    """CODE, PROSE, or ASIDE for all other files: tests, data, build files, translations, dotfiles."""
    static = collection.static
    if static["prose"][file]:
        return PROSE
    rules = rules_of(collection.files.languages[file])
    is_secondary = static["test"][file] or static["aside"][file] or static["generated"][file]
    is_source = (rules.symbols or rules.template) and not is_secondary
    path = collection.files.paths[file]
    is_source = is_source and not (is_translation(path) or _HIDDEN.search(path))
    return CODE if is_source else ASIDE


def is_translation(path: str) -> bool:
    """Whether a file is in a folder of translations, which contain every text once for each language (`locales/`,
    `lang/de/`, `values-de/`), or has the name of a language in a country (`pt-BR.json`)."""
    return _TRANSLATIONS.search(path) is not None


@lru_cache(MAX_PATHS)
def in_any_language(path: str) -> str:
    """The path of a file of translations without its language, which is the same for all languages; else empty. Cached
    because many questions show chunks of the same files."""
    match = _TRANSLATIONS.search(path)
    return path[: match.start()] + _LANGUAGE.sub("*", path[match.start() :], count=1) if match else ""


def is_of_language(path: str) -> bool:
    """Whether a file of translations is that of one language: `l10n/texts_de.dart`."""
    return is_translation(path) and _COPY.search(path) is not None


def is_code(collection: Collection, chunk: ChunkId) -> bool:
    """Whether a chunk is of CODE and not of a test inside it."""
    return not collection.cells.in_tests[chunk] and kind_of(collection, collection.file_of(chunk)) == CODE


def code_among(collection: Collection, chunks: Array) -> list[ChunkId]:
    """Those of the chunks that are of CODE, as `is_code` says."""
    return [chunk for chunk in map(ChunkId, chunks.tolist()) if is_code(collection, chunk)]

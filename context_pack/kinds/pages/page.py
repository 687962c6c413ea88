"""Pages of a vault, and parsing a file into a page."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from context_pack.io.markdown_files import FrontmatterError, decoded
from context_pack.io.record_cache import Record
from context_pack.kinds.pages import frontmatter
from context_pack.kinds.pages.words import distinct, folded, key_of
from contracts.lazy_regex import lazy_regex

# Of the records below. 2: a page as one tuple; 3: `tags: a, b` are two; 4: keys of pairs of characters; 5: scalars with
# tags of YAML are texts.
VERSION = 5

_LINK = lazy_regex(r"\[\[([^\[\]\n|#]+)[^\[\]\n]*\]\]")
_DATE = lazy_regex(r"(\d{4}-\d\d?-\d\d?)(?:[Tt ] *(\d\d?:[\d:.]+) *([Zz]|[+-][\d:]+)?)?")
_ONE_DIGIT = lazy_regex(r"\b(\d)\b")


class Page(NamedTuple):
    """A page. Tags, domains, page type and links are folded (`words.folded`); keys are names as words (`words.key_of`).

    `modified_s` orders dates: seconds since the year 1, or None; `modified` is the date as written, or empty.
    `links` are the slugs that the page names in `[[...]]`, each once, sorted.
    A NamedTuple, because ten thousand of them are made for every pack.
    """

    path: str
    slug: str
    slug_key: str
    title: str
    title_key: str
    modified: str
    modified_s: int | None
    page_type: str
    domains: tuple[str, ...]
    tags: tuple[str, ...]
    alias_keys: tuple[str, ...]
    links: tuple[str, ...]


def record_of(data: bytes, path: str) -> Record:
    """A file as a record for the cache: problems as `(line, message, unread)`, then the fields of its Page."""
    file = _File(data)
    slug = path.rpartition("/")[2].removesuffix(".md")
    title = file.value("title") or slug
    modified = file.value("date-modified")
    modified_s = seconds_of(modified)
    if modified and modified_s is None:
        file.report("date-modified", f"date-modified is not a date: {modified!r}")
    page = Page(
        path=path,
        slug=folded(slug),
        slug_key=key_of(slug),
        title=title,
        title_key=key_of(title),
        modified=modified,
        modified_s=modified_s,
        page_type=folded(file.value("page-type")),
        domains=distinct(folded(name).lstrip("#") for name in file.values("domain")),
        tags=distinct(folded(name).lstrip("#") for name in file.values("tags")),
        alias_keys=distinct(map(key_of, file.values("aliases"))),
        links=links_of(file.text),
    )
    return [tuple(file.problems), tuple(page)]


def links_of(text: str) -> tuple[str, ...]:
    """The slugs of `[[slug]]`, `[[slug|text]]` and `[[slug#heading]]`, each once, sorted.

    A folder before the slug and `.md` after it are left out; `obsidian://` addresses are not links.
    """
    return distinct(map(_slug_of, _LINK.findall(text)))


@lru_cache(maxsize=1 << 15)
def _slug_of(target: str) -> str:
    if "://" in target:
        return ""
    name = target.rpartition("/")[2].rstrip("\\").strip()  # in a table the bar is written `\|`
    return folded(name.removesuffix(".md"))


@lru_cache(maxsize=1 << 15)
def seconds_of(text: str) -> int | None:
    """A date, or a date and time, as seconds since the year 1 (in UTC if it has a zone); None if it is neither."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    from datetime import datetime, timedelta

    day, clock, zone = (_ONE_DIGIT.sub(r"0\1", part or "") for part in match.groups())
    try:
        moment = datetime.fromisoformat(f"{day} {clock or '00:00'}{zone.upper()}")
    except ValueError:
        return None
    return (moment.replace(tzinfo=None) - datetime.min - (moment.utcoffset() or timedelta())) // timedelta(seconds=1)


class _File:
    """The text and the frontmatter of a file, and their problems. A page without metadata is still a page."""

    def __init__(self, data: bytes) -> None:
        self.problems: list[tuple[int, str, bool]] = []  # line, message, and whether the frontmatter is lost
        self._fields: dict[str, Any] = {}
        self._yaml = ""
        text, line = decoded(data)
        if line:
            self.problems.append((line, "not valid UTF-8: invalid bytes count as U+FFFD", False))
        self.text = text.replace("\r\n", "\n")
        try:
            self._yaml = frontmatter.source_of(self.text)
            self._fields = frontmatter.mapping(self._yaml)
        except FrontmatterError as error:
            line = error.line + 1 if self._yaml else error.line  # the opening fence is line 1
            self.problems.append((line, f"{error.message} (the page has no title, tags or domains)", True))

    def report(self, key: str, message: str) -> None:
        """Add a problem of a field."""
        self.problems.append((frontmatter.line_of(self._yaml, key) + 1, message, False))

    def value(self, key: str) -> str:
        """The value of a field with one value; empty if it is missing."""
        value = self._fields.get(key)
        if value is None or isinstance(value, str):
            return (value or "").strip()
        self.report(key, f"{key} takes one value")
        return ""

    def values(self, key: str) -> list[str]:
        """The values of a field. One text is split at its commas, except for aliases, which may contain commas. A link
        without quotes, which YAML reads as a list in a list, is skipped.
        """
        value = self._fields.get(key)
        if isinstance(value, str) and key != "aliases":
            value = value.split(",")
        names = []
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, str):
                names.append(part.strip())
            elif part is not None and not isinstance(part, list):
                self.report(key, f"{key} takes a list of names")
        return names

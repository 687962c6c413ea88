"""A page of a vault, and how a file becomes one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from context_pack.corpora.cached import Record
from context_pack.corpora.vault import frontmatter
from context_pack.corpora.vault.frontmatter import YamlError
from context_pack.corpora.vault.words import folded, key_of
from context_pack.patterns import later

VERSION = 2  # of the records below; 1: first; 2: a page as one tuple
SLUGS_KEPT = DATES_KEPT = 1 << 15

_LINK = later(r"\[\[([^\[\]\n|#]+)[^\[\]\n]*\]\]")
_DATE = later(
    r"(\d{4})-(\d\d?)-(\d\d?)"
    r"(?:[Tt ] *(\d\d?):(\d\d)(?::(\d\d)(?:\.\d*)?)? *(?:[Zz]|([+-])(\d\d?):?(\d\d)?)?)?"
)


class Page(NamedTuple):
    """A page. Tags, domains, page type and links are folded (see `words.folded`); keys are names as words.

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
    reading = _Reading(data)
    slug = path.rpartition("/")[2].removesuffix(".md")
    title = reading.text_field("title") or slug
    modified = reading.text_field("date-modified")
    modified_s = seconds_of(modified)
    if modified and modified_s is None:
        reading.problem("date-modified", f"date-modified is no date: {modified!r}")
    page = (
        path,
        folded(slug),
        key_of(slug),
        title,
        key_of(title),
        modified,
        modified_s,
        folded(reading.text_field("page-type")),
        reading.names("domain"),
        reading.names("tags"),
        tuple(sorted({key_of(alias) for alias in reading.texts("aliases")} - {""})),
        links_of(reading.text),
    )
    return [tuple(reading.problems), page]


def from_record(record: Record) -> Page:
    return Page._make(record[1])


def links_of(text: str) -> tuple[str, ...]:
    """The slugs of `[[slug]]`, `[[slug|text]]` and `[[slug#heading]]`, each once, sorted.

    A folder before the slug and `.md` behind it are left out; `obsidian://` addresses are no links.
    """
    found = {_slug_of(target) for target in _LINK.findall(text)}
    found.discard("")
    return tuple(sorted(found))


@lru_cache(maxsize=SLUGS_KEPT)
def _slug_of(target: str) -> str:
    if "://" in target:
        return ""
    name = target.rpartition("/")[2].rstrip("\\").strip()  # in a table the bar is written `\|`
    return folded(name.removesuffix(".md"))


@lru_cache(maxsize=DATES_KEPT)
def seconds_of(text: str) -> int | None:
    """A date, or a date and time, as seconds since the year 1 (UTC where a zone is named); None when it is neither."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    from datetime import datetime

    year, month, day, hour, minute, second, sign, zone_hours, zone_minutes = found.groups()
    try:
        moment = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0))
    except ValueError:
        return None
    offset = int(zone_hours or 0) * 3600 + int(zone_minutes or 0) * 60
    seconds = (moment.toordinal() * 24 + moment.hour) * 3600 + moment.minute * 60 + moment.second
    return seconds + (offset if sign == "-" else -offset)


class _Reading:
    """One file: its text, its frontmatter, and what is wrong with it. A page without metadata is still a page."""

    def __init__(self, data: bytes) -> None:
        self.problems: list[tuple[int, str, bool]] = []  # line, what, and whether the frontmatter is lost
        self._fields: dict[str, Any] = {}
        self._source = ""
        try:
            self.text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.text = data.decode("utf-8-sig", "replace")
            line = data.count(b"\n", 0, error.start) + 1
            self.problems.append((line, "not valid UTF-8: what cannot be read counts as U+FFFD", False))
        if "\r" in self.text:
            self.text = self.text.replace("\r\n", "\n")
        try:
            self._source = frontmatter.split(self.text)[0] or ""
            self._fields = frontmatter.mapping(self._source) if self._source else {}
        except YamlError as error:
            line = error.line + 1 if self._source else error.line  # the opening fence is line 1
            self.problems.append((line, f"{error.message} (the page has no title, tags or domains)", True))

    def problem(self, key: str, message: str) -> None:
        """Something wrong with a field: the line is where its key stands first."""
        lines = self._source.split("\n")
        where = next((n for n, line in enumerate(lines, 2) if line.startswith(key)), 1)
        self.problems.append((where, message, False))

    def text_field(self, key: str) -> str:
        """A field of one value, empty when it is missing."""
        value = self._fields.get(key)
        if value is None or isinstance(value, str):
            return (value or "").strip()
        self.problem(key, f"{key} takes one value")
        return ""

    def texts(self, key: str) -> list[str]:
        """A list field; one value is a list of one, and `[[slug]]` without quotes (a list in a list) is that link."""
        value = self._fields.get(key)
        values = value if isinstance(value, list) else [value]
        found = []
        for part in values:
            if isinstance(part, str):
                found.append(part.strip())
            elif part is not None and not _is_link(part):
                self.problem(key, f"{key} takes a list of names")
        return [part for part in found if part]

    def names(self, key: str) -> tuple[str, ...]:
        """A list field of tags or domains: folded, without the sign of a tag, each once, sorted."""
        return tuple(sorted({folded(text).lstrip("#") for text in self.texts(key)} - {""}))


def _is_link(part: Any) -> bool:
    return isinstance(part, list) and all(isinstance(inner, str) or _is_link(inner) for inner in part)

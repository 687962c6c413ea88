"""Nodes of a work graph, and parsing a file into a node.

The frontmatter looks like YAML but is not: one `key: value` per line, nothing nested.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from context_pack.io.markdown_files import FrontmatterError, decoded
from context_pack.io.record_cache import Record
from context_pack.redaction import redact
from contracts.lazy_regex import lazy_regex

VERSION = 2  # of the records below; 1: first; 2: a broken file claims the id of its first 10,000 characters

REQUIRED = ("id", "type", "title")
SINGLE_EDGES = ("parent", "epic", "prev", "next")
LIST_EDGES = ("relates", "blocked_by", "blocks")
EDGES = ("parent", "epic", "relates", "blocked_by", "blocks", "prev", "next")
SHOWN_LISTS = ("links", "artifacts", "refs", "aliases")
_LISTS = frozenset({"tags", "owners", "scope", *LIST_EDGES, *SHOWN_LISTS})
_TEXTS = frozenset({"status", "priority", "created", "updated", *REQUIRED, *SINGLE_EDGES})
_INTEGER = lazy_regex(r"[+-]?[0-9]{1,9}")
_BAD_ID = lazy_regex(r"[\s:]")
_CLAIM = lazy_regex(r"^[^\S\n]*id[^\S\n]*:(.*)", re.MULTILINE)
_CLOSING = lazy_regex(r"^---[^\S\n]*$", re.MULTILINE)
_KEY = lazy_regex(r"[a-z][a-z0-9_]*")
_FIELD = lazy_regex(r"\s*([a-z][a-z0-9_]*)\s*:\s*(\S(?:.*\S)?)\s*")

Value = str | bool | list[str]
Field = tuple[Value, int]  # a value and its line
_WORDS: dict[str, Value] = {"true": True, "false": False}


class Node(NamedTuple):
    """A node. `edges` and `lists` contain no empty values; edge targets are as written, but in lower case.

    A NamedTuple, because ten thousand of them are made for every pack.
    """

    workspace: str
    path: str
    id: str
    type: str
    title: str
    status: str | None
    priority: int | None
    edges: Mapping[str, list[str]]
    lists: Mapping[str, list[str]]

    @property
    def qid(self) -> str:
        return f"{self.workspace}:{self.id}"

    @property
    def kind(self) -> str:
        """The type for the reading order: in lower case, and `checkpoint` also if it is written like its ids."""
        name = self.type.lower()
        return "checkpoint" if name == "chk" else name

    def targets(self, edge: str) -> list[str]:
        """The qids that an edge of this node leads to; an unqualified target is in the node's own workspace."""
        return [target if ":" in target else f"{self.workspace}:{target}" for target in self.edges.get(edge, ())]


class BrokenNode(NamedTuple):
    """A file that is not a node: the line, the fault, and the id that the file claims (empty if unknown)."""

    workspace: str
    path: str
    line: int
    message: str
    claimed: str

    def means(self, name: str) -> bool:
        """Whether an id most likely means this file: the file claims it, or is named after it."""
        stem = self.path.rpartition("/")[2].removesuffix(".md").lower()
        return self.claimed == name if self.claimed else stem == name or stem.startswith(f"{name}-")


def record_of(data: bytes, path: str) -> Record:
    """A file as a record for the cache: `[0, line, message, claimed id]` if it is broken.

    Otherwise `[1, decodes, id, type, title, status, priority, edges, lists]`.
    """
    text, bad_line = decoded(data)
    try:
        return [1, not bad_line, *_checked(parse(text)[0])]
    except FrontmatterError as error:
        return [0, error.line, error.message, _claimed_id(text)]


def _checked(fields: Mapping[str, Field]) -> list[Any]:
    for key, (value, line) in fields.items():
        if key in _TEXTS and isinstance(value, list):
            raise FrontmatterError(line, f"{key} takes one value, not a list")
        if key in _LISTS and not isinstance(value, list):
            raise FrontmatterError(line, f"{key} must be a list: write [{value}]")
    for key in REQUIRED:
        if key not in fields:
            raise FrontmatterError(1, f"the frontmatter has no {key}")
    texts = {key: _text(fields[key]) for key in _TEXTS if key in fields}
    lists = {
        key: list(value) for key, (value, _) in fields.items() if key in _LISTS and isinstance(value, list) and value
    }
    name = texts["id"].lower()
    if _BAD_ID.search(name):
        raise FrontmatterError(fields["id"][1], f"{name!r} is not a valid id: an id has no white space and no colon")
    priority = texts.get("priority")
    if priority is not None and not _INTEGER.fullmatch(priority):
        raise FrontmatterError(fields["priority"][1], f"priority must be a whole number, not {priority!r}")
    edges = {key: [texts[key].lower()] for key in SINGLE_EDGES if key in texts}
    edges |= {key: [target.lower() for target in lists[key]] for key in LIST_EDGES if key in lists}
    shown = {key: lists[key] for key in SHOWN_LISTS if key in lists}
    number = None if priority is None else int(priority)
    return [name, texts["type"], texts["title"], texts.get("status"), number, edges, shown]


def _text(field: Field) -> str:
    """A field of one value as text: a title may well be the word `true`."""
    value = field[0]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _claimed_id(text: str) -> str:
    """The id that a broken file names in its first 10,000 characters; empty if there is none."""
    match = _CLAIM.search(text[:10_000])
    return match[1].strip().lower() if match else ""


def parse(text: str) -> tuple[dict[str, Field], str]:
    """The fields in their order, and the body: everything after the closing fence, without trailing white space.

    Line ends are LF or CRLF; those of the body become LF. FrontmatterError names the first line that is wrong.
    """
    text = text.replace("\r\n", "\n")
    first = text.partition("\n")[0]
    if first.rstrip() != "---":
        raise FrontmatterError(1, "the first line is not ---")
    start = len(first) + 1
    closing = _CLOSING.search(text, start)
    lines = text[start : closing.start() if closing else len(text)].split("\n")
    if closing or not lines[-1]:  # the empty text after the last line end
        del lines[-1]
    fields: dict[str, Field] = {}
    for number, line in enumerate(lines, start=2):
        entry = _FIELD.fullmatch(line)
        if entry is None:
            raise FrontmatterError(number, _complaint(line))
        key, raw = entry.groups()
        if key in fields:
            raise FrontmatterError(number, f"the key {key} appears twice (first in line {fields[key][1]})")
        fields[key] = (_items(key, raw, number) if raw[0] == "[" else _WORDS.get(raw, raw), number)
    if closing is None:
        raise FrontmatterError(1, "the frontmatter has no closing ---")
    return fields, text[closing.end() + 1 :].rstrip()


def _complaint(line: str) -> str:
    """The fault of a line that is not a field."""
    key, colon, _ = (part.strip() for part in line.partition(":"))
    if not colon:
        return f"expected key: value, not {_clipped(line)}" if line.strip() else "a blank line"
    if not _KEY.fullmatch(key):
        return f"{_clipped(key)} is not a valid key: keys consist of a-z, 0-9 and _ and start with a-z"
    return f"{key} has no value"


def _items(key: str, raw: str, number: int) -> list[str]:
    if raw[-1] != "]":
        raise FrontmatterError(number, f"the list of {key} starts with [ but does not end with ]")
    items = [item.strip() for item in raw[1:-1].split(",")]
    if items == [""]:
        return []
    if not all(items):
        raise FrontmatterError(number, f"the list of {key} has an empty item")
    return items


def _clipped(text: str) -> str:
    """The text, quoted and shortened. Its secrets are removed first, because half a secret is not recognised."""
    text = redact(text).text
    return repr(text if len(text) <= 60 else text[:57] + "...")

"""A node of a work graph, and how a file becomes one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from context_pack.corpora.cached import Record
from context_pack.kinds.graph.frontmatter import Field, FrontmatterError, parse
from context_pack.patterns import later

VERSION = 1  # of the records below; 1: first

REQUIRED = ("id", "type", "title")
SINGLE_EDGES = ("parent", "epic", "prev", "next")
LIST_EDGES = ("relates", "blocked_by", "blocks")
EDGES = ("parent", "epic", "relates", "blocked_by", "blocks", "prev", "next")
SHOWN_LISTS = ("links", "artifacts", "refs", "aliases")
_LISTS = frozenset({"tags", "owners", "scope", *LIST_EDGES, *SHOWN_LISTS})
_TEXTS = frozenset({"status", "priority", "created", "updated", *REQUIRED, *SINGLE_EDGES})
_INTEGER = later(r"[+-]?[0-9]{1,9}")
_BAD_ID = later(r"[\s:]")


class Node(NamedTuple):
    """A node. `edges` and `lists` hold no empty values; edge targets are as written, in lower case.

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

    def targets(self, edge: str) -> list[str]:
        """The qids that an edge of this node leads to: an unqualified target means the node's own workspace."""
        found = self.edges.get(edge, ())
        return [target if ":" in target else f"{self.workspace}:{target}" for target in found]


class BrokenNode(NamedTuple):
    """A file that is no node: the line, what is wrong, and the id that it claims, as far as that can be told."""

    workspace: str
    path: str
    line: int
    message: str
    claimed: str

    @property
    def problem(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


def record_of(data: bytes, path: str) -> Record:
    """A file as a record for the cache: `[0, line, message, claimed id]` when it is broken.

    Otherwise `[1, decodes, id, type, title, status, priority, edges, lists]`.
    """
    text, decodes = decoded(data)
    try:
        fields, _ = parse(text)
        return [1, decodes, *_checked(fields)]
    except FrontmatterError as error:
        return [0, error.line, error.message, _claimed_id(text)]


def decoded(data: bytes) -> tuple[str, bool]:
    """The text of a file without its byte order mark; what is not UTF-8 is replaced, and the second value false."""
    try:
        return data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", "replace"), False


def body_of(data: bytes) -> str:
    """The body of a node's file. FrontmatterError when it is no node any more."""
    return parse(decoded(data)[0])[1]


def _checked(fields: Mapping[str, Field]) -> list[Any]:
    for key, (value, line) in fields.items():
        if isinstance(value, list):
            if key in _TEXTS:
                raise FrontmatterError(line, f"{key} takes one value, not a list")
        elif key in _LISTS:
            raise FrontmatterError(line, f"{key} is a list: write [{value}]")
    for key in REQUIRED:
        if key not in fields:
            raise FrontmatterError(1, f"the frontmatter has no {key}")
    name = _text(fields, "id").lower()
    if _BAD_ID.search(name):
        raise FrontmatterError(fields["id"][1], f"{name!r} is no id: an id has no white space and no colon")
    edges = {key: [_text(fields, key).lower()] for key in SINGLE_EDGES if key in fields}
    edges |= {key: [target.lower() for target in _list(fields, key)] for key in LIST_EDGES if _list(fields, key)}
    status = _text(fields, "status") if "status" in fields else None
    lists = {key: _list(fields, key) for key in SHOWN_LISTS if _list(fields, key)}
    return [name, _text(fields, "type"), _text(fields, "title"), status, _priority(fields), edges, lists]


def _text(fields: Mapping[str, Field], key: str) -> str:
    """A field of one value as text: a title may well be the word `true`."""
    value = fields[key][0]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(fields: Mapping[str, Field], key: str) -> list[str]:
    value = fields[key][0] if key in fields else []
    return value if isinstance(value, list) else []


def _priority(fields: Mapping[str, Field]) -> int | None:
    if "priority" not in fields:
        return None
    written = _text(fields, "priority")
    if not _INTEGER.fullmatch(written):
        raise FrontmatterError(fields["priority"][1], f"priority is a whole number, not {written!r}")
    return int(written)


def _claimed_id(text: str) -> str:
    """The id that a broken file names in one of its first lines."""
    for line in text[:10_000].split("\n")[:100]:
        key, _, value = line.partition(":")
        if key.strip() == "id":
            return value.strip().lower()
    return ""

"""One function for each tool: arguments to an envelope and the text that a person or a model reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from context_pack import render
from context_pack.core.envelope import answered
from context_pack.corpora.inside import inside
from context_pack.mcp import text
from contracts.records import Envelope

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.mcp.shelf import Shelf
    from context_pack.session import Session

RELATE_SHARE = 0.6  # of the time limit: when the search alone has taken that long, related items are left out


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: where to look, its arguments without `repo` and the limit, and the seconds that are left for it."""

    shelf: Shelf
    roots: Mapping[str, Path]
    args: Mapping[str, Any]
    limit_s: float

    @property
    def root(self) -> Path:
        """The one repository, or the folder inside it that the call names."""
        (root,) = self.roots.values()
        return inside(root, self.args["folder"], "folder") if "folder" in self.args else root

    def options(self, *without: str) -> dict[str, Any]:
        return {name: value for name, value in self.args.items() if name not in ("folder", *without)}


def context_pack(asked: Asked) -> tuple[Envelope, str]:
    session = asked.shelf.session(asked.roots, format="md")
    session.time_limit_s = asked.limit_s * RELATE_SHARE
    answer = session.query(asked.args.get("query"), **asked.options("query"))
    return _envelope(answer, session), render.layout("md").render(answer.data) or ""


def search(asked: Asked) -> tuple[Envelope, str]:
    session = asked.shelf.session(asked.roots)
    answer = session.search(asked.args["query"], **asked.options("query"))
    return _envelope(answer, session), text.hits(answer.data)


def related(asked: Asked) -> tuple[Envelope, str]:
    from context_pack.render.related_text import render as printed

    session = asked.shelf.session(asked.roots)
    answer = session.related(asked.args["target"], **asked.options("target"))
    return _envelope(answer, session), printed(answer.data)


def symbols(asked: Asked) -> tuple[Envelope, str]:
    session = asked.shelf.session(asked.roots)
    answer = session.symbols(asked.args.get("pattern"), **asked.options("pattern"))
    return _envelope(answer, session), text.symbols(answer.data)


def status(asked: Asked) -> tuple[Envelope, str]:
    session = asked.shelf.session(asked.roots)
    return _envelope(session.status(), session), ""


def graph_pack(asked: Asked) -> tuple[Envelope, str]:
    from context_pack.kinds.graph import answer
    from context_pack.kinds.graph.formats import render

    found = answer(asked.args["id"], asked.root, asked.options("id"), "md")
    printed, warnings = render(found.data, "md")
    return answered(found.with_hints(warnings)), printed or ""


def task_packet(asked: Asked) -> tuple[Envelope, str]:
    from context_pack.kinds.task import answer
    from context_pack.kinds.task.packet_markdown import render as printed
    from contracts.task import packet_data

    found = answer(asked.args["task"], asked.root, **asked.options("task"), files=False)  # a path would be read
    return answered(found.holding(packet_data(found.data))), printed(found.data)


def turn_pack(asked: Asked) -> tuple[Envelope, str]:
    from context_pack.kinds.turn import answer
    from context_pack.kinds.turn.text import render as printed

    found = answer(asked.args["request"], asked.root, render=printed, **asked.options("request"))
    return answered(found.holding(found.data.pack)), printed(found.data.pack)


def page_pack(asked: Asked) -> tuple[Envelope, str]:
    from context_pack.kinds.pages import PageRequest, answer
    from context_pack.kinds.pages.table import as_table

    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in asked.options("seed").items()
    }
    found = answer(PageRequest(asked.args.get("seed", ""), **options), asked.root)
    return answered(found), as_table(found.data)


def _envelope(answer: Answer[Any], session: Session) -> Envelope:
    """`meta.index.stale` says that the tree was compared; the server corrects it where it was not."""
    return answered(answer, session.corpus, checked=True)


ANSWERS: Mapping[str, Callable[[Asked], tuple[Envelope, str]]] = MappingProxyType(
    {
        "context_pack": context_pack,
        "search": search,
        "related": related,
        "symbols": symbols,
        "status": status,
        "graph_pack": graph_pack,
        "task_packet": task_packet,
        "turn_pack": turn_pack,
        "page_pack": page_pack,
    }
)

"""A function per tool, with its name: from arguments to an answer and its text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_pack.io.paths import inside
from context_pack.mcp import text
from context_pack.mcp.further import names, room_for
from context_pack.mcp.schemas import MAX_GRAPH_BYTES, MAX_RECORD_CHARS
from context_pack.options.resolve import CHARS_OF_TOKENS, PATCH, checked_options
from context_pack.options.spec import per_question
from contracts.frozen import frozen
from contracts.records import Hint, Item, as_data

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.session import Session
    from contracts.reports import Hit

CHANGES = ("diff", "staged")
WITH_CODE = 10  # places of a list that shows their code: about as many characters as a pack
RELATE_SHARE = 0.6  # share of the time limit; if the search takes longer, related items are left out


@frozen
class Call:
    """The repositories, the arguments without the time limit, and the seconds left.

    `states` is what the server knows about each repository, for `index_status`.
    """

    open_session: Callable[[Mapping[str, Path]], Session]
    roots: Mapping[str, Path]
    args: Mapping[str, Any]
    limit_s: float
    states: Sequence[Mapping[str, Any]]

    @property
    def session(self) -> Session:
        return self.open_session(self.roots)

    @property
    def root(self) -> Path:
        """The only repository, or the folder inside it that the call names."""
        (root,) = self.roots.values()
        return root / inside(root, self.args["folder"], "folder") if "folder" in self.args else root

    def options(self, *without: str) -> dict[str, Any]:
        return {name: value for name, value in self.args.items() if name not in ("folder", "mode", "repo", *without)}


ToolAnswer = tuple["Answer[Any]", str, dict[str, Any]]  # the answer, its text, and data for programs


def context_pack(call: Call) -> ToolAnswer:
    mode = call.args.get("mode", "pack")
    if mode != "pack":
        return _listing(call, mode)
    options = call.options("query")
    if "max_tokens" in options:
        options.setdefault("max_chars", max(1, CHARS_OF_TOKENS * options["max_tokens"]))
    session = call.session
    session.time_limit_s = call.limit_s * RELATE_SHARE
    query, limit = call.args.get("query"), options.get("max_chars", session.settings.max_chars)
    # A fleet is searched far away; a limit in tokens is about what the pack itself shows.
    may_name = call.roots and session.settings.max_tokens is None and "max_tokens" not in options
    question: str = query if query and options.keys().isdisjoint(CHANGES) and not PATCH.match(query) else ""
    room = room_for(question, limit) if may_name else 0
    answer = session.query(query, **{**options, "max_chars": limit - room})
    layout = text.PackLayout(answer.grade)
    pack = layout.finish(replace(answer.data, budget=replace(answer.data.budget, max_chars=limit)))
    about = {"places": _places(pack.items), "budget": as_data(pack.budget)}
    answer = replace(answer, hints=tuple(hint for hint in answer.hints if hint.text not in pack.notes))
    printed = layout.render(pack)
    is_none = answer.grade is not None and answer.grade.confidence == "none"
    spent_s = (answer.stages or {}).get("total", 0.0) / 1_000
    if room and not is_none and spent_s < call.limit_s / 3:  # the searches take less time than two packs
        room = limit - len("".join([printed, *text.hint_lines(answer.hints)]))
        answer = answer.with_hints(names(session, question, options, pack, room))
    return answer, printed, about


def _listing(call: Call, mode: str) -> ToolAnswer:
    """The answer of another mode. Options that only a pack has cost the caller no second call: a hint names them."""
    command, tool = ("search", search) if mode == "places" else ("symbols", symbols)
    unused = sorted({*call.options("query", "limit")} - {*per_question(command)})
    answer, printed, about = tool(replace(call, args={k: v for k, v in call.args.items() if k not in unused}))
    hints = (Hint("info", f"mode {mode} does not use {', '.join(unused)}"),) if unused else ()
    return answer.with_hints(hints), printed, about


def search(call: Call) -> ToolAnswer:
    options = call.options("query", "limit")
    if "limit" in call.args:  # so that an error names the argument of the caller
        options["top_k"] = checked_options("symbols", {"limit": call.args["limit"]})["limit"]
    answer = call.session.search(call.args.get("query", ""), **_fewer(call, options))
    return answer, text.hits(answer.data, answer.grade), {"places": _places(answer.data.hits)}


def _fewer(call: Call, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a list: fewer places if it shows their code, and the call does not say how many."""
    return ({"top_k": min(WITH_CODE, call.session.settings.top_k)} if options.get("content") else {}) | options


def related(call: Call) -> ToolAnswer:
    from context_pack.render.text import related_text

    answer = call.session.related(call.args["target"], **_fewer(call, call.options("target")))
    return answer, related_text(answer.data), {"places": _places(answer.data.hits)}


def symbols(call: Call) -> ToolAnswer:
    pattern = call.args.get("pattern", call.args.get("query"))
    answer = call.session.symbols(pattern, **call.options("pattern", "query"))
    places = _by_file((row.file, str(row.line)) for row in answer.data.symbols)
    return answer, text.symbols(answer.data), {"places": places}


def index_status(call: Call) -> ToolAnswer:
    from context_pack.answer import Answer
    from contracts.errors import IndexMissing

    rows = []
    for state in call.states:
        row = {name: value for name, value in state.items() if value is not None and name != "refreshing"}
        if row["name"] in call.roots:
            with suppress(IndexMissing):
                row["index"] = as_data(call.open_session({row["name"]: call.roots[row["name"]]}).status().data)
            row["state"] = "indexing" if state["refreshing"] else "ready" if "index" in row else "missing"
        rows.append({"state": "gone", **row})
    return Answer(None), "".join(map(text.repository, rows)), {"version": 1, "repositories": rows}


def graph_pack(call: Call) -> ToolAnswer:
    from context_pack.kinds.graph import answer
    from context_pack.kinds.graph.formats import render

    pack = answer(call.args["id"], call.root, call.options("id"), "md", max_bytes=MAX_GRAPH_BYTES)
    printed, warnings = render(pack.data, "md")
    return pack.with_hints(warnings), printed or "", {}


def task_packet(call: Call) -> ToolAnswer:
    from context_pack.kinds.task import answer
    from context_pack.kinds.task.packet import bounded
    from context_pack.kinds.task.packet import render as printed

    packet = answer(call.args["task"], call.root, **call.options("task"), files=False)  # an id, never a path to read
    packet = bounded(packet, MAX_RECORD_CHARS)
    return packet, printed(packet.data), {}


def turn_pack(call: Call) -> ToolAnswer:
    from context_pack.kinds.turn import answer
    from context_pack.kinds.turn.text import render as printed

    pack = answer(call.args["request"], call.root, render=printed, **call.options("request"))
    return pack, printed(pack.data.pack), {}


def page_pack(call: Call) -> ToolAnswer:
    from context_pack.kinds.pages import PageRequest, answer
    from context_pack.kinds.pages.pack import as_table

    options: dict[str, Any] = call.options("seed")
    options |= {name: tuple(value) for name, value in options.items() if isinstance(value, list)}
    pack = answer(PageRequest(call.args.get("seed", ""), **options), call.root)
    return pack, as_table(pack.data), {}


def _places(rows: Iterable[Item | Hit]) -> dict[str, list[str]]:
    """File -> line ranges, best first."""
    return _by_file((row.file, f"{row.start_line}-{row.end_line}") for row in rows)


def _by_file(places: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for file, place in places:
        lines.setdefault(file, []).append(place)
    return lines

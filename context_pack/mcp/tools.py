"""The tools as data: names, inputs, and the contract that each one's answer keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

Schema = Mapping[str, Any]

DEFAULT_LIMIT_S = 30.0
MAX_LIMIT_S = 600.0


@dataclass(frozen=True, slots=True)
class Tool:
    """`answer` names the schema of `data`. `several`: without `repo`, all served repositories are asked at once.

    `indexed`: the answer comes from the code index, which is brought up to date first.
    """

    name: str
    title: str
    description: str
    answer: str
    properties: Mapping[str, Schema]
    required: tuple[str, ...] = ()
    several: bool = False
    indexed: bool = True


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _whole(description: str) -> Schema:
    return {"type": "integer", "description": description}


def _flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def _texts(description: str) -> Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _one_of(values: tuple[str, ...], description: str) -> Schema:
    return {"type": "string", "enum": list(values), "description": description}


_COMMON: Mapping[str, Schema] = {
    "repo": _text("Name of the served repository."),
    "time_limit_s": {
        "type": "number",
        "description": f"Seconds after which the work ends and what is ready is answered, up to {MAX_LIMIT_S:.0f}.",
    },
}
_FILTERS: Mapping[str, Schema] = {
    "include": _texts("Only files that match one of these globs (as in .gitignore)."),
    "exclude": _texts("No files that match one of these globs."),
    "language": _texts("Only these languages, such as python or typescript."),
    "no_docs": _flag("Leave out documents."),
    "docs_first": _flag("Documents before code."),
}
_GRAPH: Mapping[str, Schema] = {
    "edges": _texts("Follow only these edges, such as calls, called_by, tests. Default all."),
    "depth": _whole("Steps from an item to a related one. Default 2."),
}
_EXPLAIN = {"explain": _flag("Say why each item is there, and what was left out.")}
_FOLDER = {"folder": _text("Folder inside the repository, where it is not the root.")}

_TOOLS = (
    Tool(
        "context_pack",
        "Pack of code for a question",
        "The code to read before acting: for an identifier, a path (src/a.py, src/a.py:120), an error message, a stack "
        "trace or plain words. Returns the best chunks as whole symbols, with callers, callees and tests, never more "
        "than max_chars. Call it first for any question about the code; then read files only for what it points to.",
        "context_pack",
        {
            "query": _text("Identifier, path, error message or question; may be left out with diff."),
            "diff": _text("Git revision: what a reviewer needs of the change since then. HEAD: uncommitted changes."),
            "max_chars": _whole("Size limit of the text. Default 20000; 4000 is enough to locate something."),
            "max_tokens": _whole("Size limit in tokens (characters / 4), besides max_chars."),
            "limit": _whole("Primary items at most. Default 10."),
            "related": _whole("Related items for each primary one. Default 3."),
            "related_mode": _one_of(("focus", "explore", "none"), "How far to follow the graph. Default focus."),
            "have": _texts("Ids or files that you have already: they are left out, and the room goes to what is new."),
            **_GRAPH,
            "fit": _one_of(("cut", "whole"), "Items that do not fit: cut them, or leave them out. Default cut."),
            **_FILTERS,
            **_EXPLAIN,
        },
        several=True,
    ),
    Tool(
        "search",
        "Ranked places",
        "Ranked chunks for a query, best first, as file and lines; with content=true their text. Cheaper than "
        "context_pack when only the places are wanted.",
        "search",
        {
            "query": _text("Identifier, path, error message or question."),
            "top_k": _whole("Hits at most. Default 10."),
            "order": _one_of(
                ("files", "lines"), "Different files first, or the lines that answer best. Default files."
            ),
            "content": _flag("Add the text of each hit."),
            **_FILTERS,
            **_EXPLAIN,
        },
        required=("query",),
        several=True,
    ),
    Tool(
        "related",
        "What is tied to a place",
        "What is tied to a file, a line or a symbol: callers, callees, types, tests, and code that resembles it. Call "
        "it before changing a function, to see what depends on it and what else must change.",
        "related",
        {
            "target": _text("FILE, FILE:LINE, FILE:A-B, a forge's URL, or a symbol's name."),
            "top_k": _whole("Ties at most. Default 10."),
            "content": _flag("Add the text of each one."),
            **_GRAPH,
            **_FILTERS,
            **_EXPLAIN,
        },
        required=("target",),
        several=True,
    ),
    Tool(
        "symbols",
        "Where symbols are defined",
        "Definitions whose name matches a glob (*Cache) or contains the pattern, in any case, with file and line.",
        "symbols",
        {"pattern": _text("Glob or part of a name; all symbols where it is left out."), "limit": _whole("At most.")},
        several=True,
    ),
    Tool(
        "graph_pack",
        "Pack of a Markdown work graph",
        "A node of a graph of Markdown files (.mdkg) and what its edges lead to, in reading order.",
        "graph",
        {
            "id": _text("Id or qualified id (workspace:id) of the node."),
            "depth": _whole("Steps from the node. Default 2."),
            "edges": _texts("Edges to follow besides parent, epic and relates."),
            "ws": _text("Workspace of a bare id."),
            "verbose": _flag("Add the nodes that the core list pins."),
            "max_nodes": _whole("Nodes at most. Default 25; 0: all."),
            "max_bytes": _whole("Size limit of the text. Default 2000000; 0: none."),
            **_FOLDER,
            **_EXPLAIN,
        },
        required=("id",),
        indexed=False,
    ),
    Tool(
        "task_packet",
        "Packet for a planned task",
        "Ten slots cut out of a project's records (.nexus) for one task: files, contracts, tests, criteria, state.",
        "task_packet",
        {
            "task": _text("Id of the task."),
            "digest": _one_of(("full", "compact"), "How much of the project's state. Default full."),
            "generated_at": _text("The packet's time, ISO 8601."),
            **_FOLDER,
            **_EXPLAIN,
        },
        required=("task",),
    ),
    Tool(
        "turn_pack",
        "Pack for a workflow turn",
        "What one turn of an agent needs for a request: the documents that bind it, what changed, what failed, the "
        "files that matter. Secrets are taken out.",
        "turn_pack",
        {
            "request": {"type": "object", "description": "The turn request: goal, definitionOfDone, docsRoot, ..."},
            "max_tokens": _whole("Size limit. Default 6000."),
            "reason": _one_of(
                ("investigation", "refactor", "verification_failure"), "Why more than 6000 tokens are needed."
            ),
            **_FOLDER,
        },
        required=("request",),
    ),
    Tool(
        "page_pack",
        "Pages of a wiki to read first",
        "The pages of a vault of Markdown pages (wiki/) to read before answering or writing about a seed, with points.",
        "pages",
        {
            "seed": _text("A question or any text; may be left out with page or title."),
            "page": _text("The seed is this page."),
            "title": _text("The seed is a source of this title."),
            "tags": _texts("Its tags, instead of inferred ones."),
            "entities": _texts("Whom or what it names, instead of inferred ones."),
            "limit": _whole("Pages at most. Default 5."),
            "min_score": _whole("Points at least. Default 3."),
            "exclude": _texts("Not these pages."),
            "searcher": _one_of(("hybrid", "none"), "Who finds similar text. Default hybrid."),
            **_FOLDER,
            **_EXPLAIN,
        },
        indexed=False,
    ),
    Tool(
        "index_status",
        "What is indexed",
        "The served repositories: what of each is indexed, whether that is up to date, how far indexing has come, and "
        "what is not covered.",
        "index_status",
        {},
        indexed=False,
    ),
)
TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _TOOLS})


def input_schema(tool: Tool, repositories: tuple[str, ...]) -> dict[str, Any]:
    """JSON Schema of a tool's arguments; `repo` names the repositories that are served."""
    common = {name: dict(schema) for name, schema in _COMMON.items()}
    common["repo"]["description"] = _which(tool, repositories)
    return {
        "type": "object",
        "properties": {**{name: dict(schema) for name, schema in tool.properties.items()}, **common},
        "required": list(tool.required),
        "additionalProperties": False,
    }


def _which(tool: Tool, repositories: tuple[str, ...]) -> str:
    served = ", ".join(repositories)
    if len(repositories) == 1:
        return f"The repository; only {served} is served, so it may be left out."
    without = "All of them where it is left out" if tool.several or tool.name == "index_status" else "Must be given"
    return f"Which repository: {served}. {without}."

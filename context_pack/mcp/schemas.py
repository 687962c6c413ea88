"""The tools as clients see them: names, descriptions and arguments.

An agent pays for the list before it has asked anything, so by default there are two tools with the arguments that
agents use; `ctxpack mcp --tools all` lists every tool and every argument. Arguments that are not listed are taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from context_pack.mcp.text import as_arguments
from context_pack.options.spec import json_schema
from contracts.errors import InvalidRequest
from contracts.frozen import frozen
from contracts.schemas import problem

Schema = Mapping[str, Any]

MAX_LIMIT_S = 600.0
FLEET_TOOLS = ("context_pack", "related", "search")  # they can ask a fleet, too
MAX_CHARS = 8_000  # of an answer where the call says nothing: an agent asks again rather than reads on
MAX_GRAPH_BYTES = 32_000  # of a graph pack, likewise: its nodes are whole documents
MAX_RECORD_CHARS = 32_000  # of a task packet: its largest files are named, and an agent can read them


def _text(description: str, **more: object) -> Schema:
    return {"type": "string", "description": description, **more}


# Arguments that are no options, and options whose help is written for people at a terminal.
OWN: Mapping[str, Schema] = {
    "query": _text("What to find; may be left out with diff."),
    "mode": _text(
        "pack: code. places: only file:lines, ranked. symbols: where names that match a glob are defined.",
        enum=["pack", "places", "symbols"], default="pack",
    ),
    "target": _text("Path, path:line or name of a symbol."),
    "pattern": _text("Glob or part of a name; all symbols where it is left out."),
    "id": _text("Id or qualified id (workspace:id) of the node."),
    "task": _text("Id of the task."),
    "request": {
        "type": "object",
        "description": "goal (text), definitionOfDone (list of texts), globalMode (planning or implementation). "
        "Optional: docsRoot (/docs), base (git revision of the last turn), testResults (list of name, status, "
        "output), errors and entities (lists of texts), ownership (glob: note).",
    },
    "max_bytes": {"type": "integer", "description": "Size limit, 0: none; what is left out is named.",
                  "default": MAX_GRAPH_BYTES},
    "seed": _text("A question or any text; may be left out with page or title."),
    "folder": _text("Folder inside the repository, where it is not the root."),
    "max_chars": {"type": "integer", "description": "4000 to locate, 16000 to change several places.",
                  "default": MAX_CHARS},
    "have": {"type": "array", "items": {"type": "string"},
             "description": "Files or file:start-end that you have read: left out."},
    "diff": _text("Git revision, A..B or a patch: what a reviewer needs of it. HEAD: what is not committed."),
    "limit": {"type": "integer", "description": "At most so many items, places, symbols or pages."},
    "time_limit_s": {"type": "number", "description": "Seconds after which the answer holds what is ready."},
}  # fmt: skip


@frozen
class Tool:
    """`own`: its arguments beside the options of the `commands` that it answers for; of all of these, the `listed` are
    in the short list. `needs`: a path that a repository must have for the tool to be in the short list; empty: never.

    `several`: without `repo`, all served repositories are asked at once. `indexed`: the answer comes from the code
    index, which is brought up to date first.
    """

    name: str
    description: str
    own: str = ""
    commands: str = ""
    listed: str = ""
    required: tuple[str, ...] = ()
    needs: str = ""
    several: bool = False
    indexed: bool = True


_TOOLS = (
    Tool(
        "context_pack",
        "The code to read before you act. Call it first, before grep or reading files, with a question, a name, a "
        "path (src/a.py:120), an error message, a stack trace or a task; call it again with a name that the answer "
        "shows. Returns Markdown: whole functions and classes with file:lines, and their callers, callees and tests. "
        "The first line says how sure the match is (strong, weak, no confident match).",
        "query mode", "query search symbols", "query mode max_chars have diff limit include exclude",
        needs=".", several=True,
    ),
    Tool(
        "related",
        "What depends on a place. Call it before you change a function, a type or a file. Returns callers, callees, "
        "implementations, tests and similar code as file:lines.",
        "target", "related", "target top_k content",
        required=("target",), needs=".", several=True,
    ),
    Tool(
        "search",
        "Ranked places for a query, best first, as file:lines; with content their text.",
        "query", "search", required=("query",), several=True,
    ),
    Tool(
        "symbols",
        "Definitions whose name matches a glob (*Cache) or contains the pattern, in any case, as file:line.",
        "pattern", "symbols", several=True,
    ),
    Tool(
        "graph_pack",
        "A node of a graph of Markdown files (.mdkg) and what its edges lead to, in reading order.",
        "id folder", "graph", "id depth edges max_bytes",
        required=("id",), needs=".mdkg", indexed=False,
    ),
    Tool(
        "task_packet",
        "What a project's records (.nexus) hold for one planned task: files, contracts, tests, criteria, state.",
        "task folder", "task", "task digest",
        required=("task",), needs=".nexus",
    ),
    Tool(
        "turn_pack",
        "What one turn of a workflow needs: the documents that bind it, what changed and failed, files that matter.",
        "request folder", "build", "request max_tokens reason",
        required=("request",), needs="docs/PLAN.md",
    ),
    Tool(
        "page_pack",
        "The pages of a wiki (wiki/) to read before you answer or write about something, best first.",
        "seed folder", "pages", "seed page limit",
        needs="wiki", indexed=False,
    ),
    Tool(
        "index_status",
        "What of each repository is indexed, whether that is up to date, and what is not covered.",
        several=True, indexed=False,
    ),
)  # fmt: skip
TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _TOOLS})


def listed(roots: Iterable[Path], whole: bool) -> list[Tool]:
    """The tools to list: all, or the ones for every agent and for the files of the repositories."""
    return [tool for tool in _TOOLS if whole or (tool.needs and any((root / tool.needs).exists() for root in roots))]


def input_schema(tool: Tool, repositories: tuple[str, ...], whole: bool, fleet: bool = False) -> dict[str, Any]:
    """JSON Schema of a tool's arguments; `whole` has every argument that is taken, `fleet` those of one."""
    options = {name: option for one in tool.commands.split() for name, option in json_schema(one)["properties"].items()}
    names = dict.fromkeys([*tool.own.split(), *options] if whole else tool.listed.split())
    properties: dict[str, Schema] = {name: OWN.get(name) or options[name] for name in (*names, "time_limit_s")}
    for name, schema in properties.items():  # without bounds, which cost more to list than they help
        unbounded = {key: value for key, value in schema.items() if key not in ("minimum", "maximum")}
        properties[name] = {**unbounded, "description": as_arguments(schema["description"])}
    if whole or len(repositories) > 1:
        without = "all of them where it is left out" if tool.several or len(repositories) == 1 else "it must be given"
        properties["repo"] = _text(f"Which repository: {', '.join(repositories)}; {without}.")
    if fleet and tool.name in FLEET_TOOLS:
        properties["repos"] = _text("Glob of names: ask these repositories of the organisation instead. * for all.")
    required = list(tool.required)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def check_arguments(args: object, schema: Schema) -> None:
    """InvalidRequest where an argument is not as the schema of its tool says."""
    fault = problem(args, schema)
    if fault is not None:
        where, what = fault
        raise InvalidRequest(where or "arguments", f"{where or 'the arguments'} {what}")

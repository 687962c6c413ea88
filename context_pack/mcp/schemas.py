"""The tools as clients see them: names, descriptions and arguments.

The list costs an agent tokens before it asks anything, so by default it holds few tools, with the arguments that agents
use; `ctxpack mcp --tools all` lists every tool and every argument. Unlisted arguments are accepted, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from context_pack.mcp.text import as_arguments
from context_pack.options.spec import json_schema
from contracts.errors import InvalidRequest
from contracts.frozen import frozen
from contracts.schemas import problem

Schema = Mapping[str, Any]

_MAIN_ARGUMENTS = ("target", "query", "pattern")
_PATHS = ("file", "path")
_PARTS = {"line": "integer", "symbol": "string", "name": "string"}  # what may say which part of a file is meant
ALIASES = {
    **dict.fromkeys(("name", "pattern", "place", "query", "question", "symbol", "target"), _MAIN_ARGUMENTS),
    **dict.fromkeys(_PATHS, (*_MAIN_ARGUMENTS, "include")),
    "limit": ("top_k",), "top_k": ("limit",),
}  # fmt: skip
_STAGED = {"staged": True}
# Values of `diff` that are no revisions, in lower case.
_SWITCHES: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {"true": {"diff": "HEAD"}, "false": {}, "staged": _STAGED, "--staged": _STAGED, "--cached": _STAGED}
)
MAX_LIMIT_S = 600.0
FLEET_TOOLS = ("context_pack", "related", "search")  # tools that can ask a fleet
MAX_RECORD_CHARS = 32_000  # of a task packet: its largest files are only named, as an agent can read them


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


_TABLE = json.loads(Path(__file__).with_name("tools.json").read_text(encoding="utf-8"))
# Arguments that are not options, and options whose help is written for people at a terminal.
OWN: Mapping[str, Schema] = _TABLE["arguments"]
# Of an answer: an agent asks again rather than reading on. But another call costs more than ten more lines of a list.
DEFAULTS: Mapping[str, int] = {name: OWN[name]["default"] for name in ("max_chars", "top_k")}
MAX_GRAPH_BYTES: int = OWN["max_bytes"]["default"]  # of a graph pack, whose nodes are whole documents


@frozen
class Tool:
    """A row of `tools.json`.

    `own`: its arguments in addition to the options of `commands`; the short list shows only the `listed` ones. `needs`:
    a path that a repository must have for the tool to be in the short list; empty: never. `several`: without `repo`,
    all served repositories are asked at once. `indexed`: the answer comes from the code index, which is refreshed
    first.
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


_TOOLS = tuple(Tool(**{**row, "required": tuple(row.get("required", ()))}) for row in _TABLE["tools"])
TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _TOOLS})


def listed(roots: Iterable[Path], whole: bool) -> list[Tool]:
    """The tools to list: all, or those that every agent needs and those that fit the files of the repositories."""
    return [tool for tool in _TOOLS if whole or (tool.needs and any((root / tool.needs).exists() for root in roots))]


def input_schema(tool: Tool, repositories: tuple[str, ...], whole: bool, fleet: bool = False) -> dict[str, Any]:
    """JSON Schema of a tool's arguments: with `whole` every accepted argument, with `fleet` those of a fleet, too."""
    options = {name: option for one in tool.commands.split() for name, option in json_schema(one)["properties"].items()}
    names = dict.fromkeys([*tool.own.split(), *options] if whole else tool.listed.split())
    properties: dict[str, Schema] = {name: OWN.get(name) or options[name] for name in (*names, "time_limit_s")}
    for name, schema in properties.items():  # without bounds, which cost more tokens than they are worth
        unbounded = {key: value for key, value in schema.items() if key not in ("minimum", "maximum")}
        properties[name] = {**unbounded, "description": as_arguments(schema["description"])}
    if whole or len(repositories) > 1:
        without = "" if len(repositories) == 1 else "; default: all of them" if tool.several else "; required"
        properties["repo"] = _text(f"Which repository: {', '.join(repositories)}{without}.")
    if fleet and tool.name in FLEET_TOOLS:
        about = "Ask the organisation's repositories that match one of these globs instead; * for all."
        properties["repos"] = {"type": "array", "items": {"type": "string"}, "description": about}
    required = list(tool.required)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def read_arguments(tool: Tool, args: object, schema: Schema) -> dict[str, Any]:
    """The arguments as the schema of their tool has them. InvalidRequest if one violates it.

    Agents also write one text for a list, a number as a text, null, an empty text or an empty list for what they leave
    out, `true` or `staged` for a diff, and other names, such as another tool's.
    """
    if not isinstance(args, Mapping):
        raise InvalidRequest("arguments", f"the arguments {(problem(args, {'type': 'object'}) or ('', ''))[1]}")
    from difflib import get_close_matches

    properties: Mapping[str, Schema] = schema["properties"]
    read: dict[str, Any] = {}
    args = _with_place({name: value for name, value in args.items() if value not in (None, "", [])}, properties)
    for given, value in sorted(args.items(), key=lambda arg: arg[0] in _PATHS):  # with a question, a path limits it
        free = properties.keys() - args.keys() - read.keys()
        others = (other for other in ALIASES.get(given, ()) if other in free)
        name = given if given in properties else next(others, given)
        if name not in properties:
            meant = "".join(f"did you mean {other}? " for other in get_close_matches(name, properties, n=1))
            takes = ", ".join(tool.listed.split() or properties)
            raise InvalidRequest(name, f"{name} is unknown", hint=f"{meant}{tool.name} takes {takes}")
        if name == "diff" and (switch := str(value).lower()) in _SWITCHES:
            read.update(_SWITCHES[switch])
        else:
            read[name] = _as_type(value, properties[name].get("type"))
    fault = problem(read, schema)
    if fault is not None:
        where, what = fault
        about = properties.get(re.split(r"[.\[]", where)[0], {}).get("description", "")
        raise InvalidRequest(where, f"{where} {what}", hint=about)
    return read


def _with_place(args: Mapping[str, Any], properties: Mapping[str, Schema]) -> Mapping[str, Any]:
    """The arguments with a file and a line, or a name in it, as one: `{"file": "a.py", "line": 3}` is `a.py:3`."""
    file = next((name for name in _PATHS if name not in properties and isinstance(args.get(name), str)), "")
    parts = {name: _as_type(args.get(name), kind) for name, kind in _PARTS.items()}
    parts = {name: part for name, part in parts.items() if name not in properties and type(part) in (int, str)}
    if not (file and parts) or args.keys() & {*_MAIN_ARGUMENTS}:
        return args
    rest = {name: value for name, value in args.items() if name not in parts}
    return rest | {file: f"{args[file]}:{next(iter(parts.values()))}"}  # a name next to a line says the same


def _as_type(value: object, kind: object) -> object:
    """A value as the type of its schema if it says the same; otherwise the value itself."""
    if kind == "array" and isinstance(value, str):
        return [value]
    if kind == "object" and isinstance(value, str):
        with suppress(ValueError, RecursionError):
            return json.loads(value)
    if kind in ("integer", "number") and isinstance(value, str):
        with suppress(ValueError):
            value = float(value)
    return int(value) if kind == "integer" and isinstance(value, float) and value.is_integer() else value

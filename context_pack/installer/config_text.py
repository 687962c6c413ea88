"""Adds ctxpack to the text of a configuration, or removes it: JSON, JSON with comments, and TOML.

Everything else stays as its owner wrote it. JSON with comments is parsed as a JavaScript expression, whose grammar
knows comments and trailing commas; the JSON parser then checks the text without them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chunker.parse.grammars import parser
from context_pack.installer.agents import NAME, Agent

if TYPE_CHECKING:
    from tree_sitter import Node

_BOM = b"\xef\xbb\xbf"
_FIRST_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)


def read(agent: Agent, text: str) -> dict[str, Any]:
    """A configuration as data. ValueError if it is not valid."""
    loaded = tomllib.loads(text) if agent.format == "toml" else parse(text)
    if not isinstance(loaded, dict):
        raise ValueError("it is not an object")
    servers = loaded.get(agent.servers, {})
    if not isinstance(servers, dict):
        raise ValueError(f"{agent.servers} is not an object")
    return loaded


def server(agent: Agent, text: str) -> Mapping[str, Any] | None:
    """The entry of ctxpack in a configuration, if any."""
    entry = read(agent, text).get(agent.servers, {}).get(NAME)
    return entry if isinstance(entry, dict) else None


def with_server(agent: Agent, text: str, entry: Mapping[str, Any]) -> str:
    """The configuration with our entry; everything else stays as written."""
    if agent.format == "toml":
        plain = without_server(agent, text)
        gap = "\n" if plain.strip() else ""
        return f"{plain.rstrip()}\n{gap}{_table(agent, entry)}".lstrip("\n")
    return set_member(text, (agent.servers, NAME), dict(entry))


def without_server(agent: Agent, text: str) -> str:
    """The configuration without our entry, and without its parent key if that would be left empty."""
    if server(agent, text) is None:
        return text
    if agent.format == "toml":
        rest = _OUR_TABLE.sub("", text).rstrip("\n")
        return f"{rest}\n" if rest else ""
    removed = remove_member(text, (agent.servers, NAME))
    return removed if parse(removed)[agent.servers] else remove_member(removed, (agent.servers,))


# Our table and its subtables (`.env`), without the comments before the next table.
_OUR_TABLE = re.compile(
    rf"""^[ \t]*\[[ \t]*["']?mcp_servers["']?[ \t]*\.[ \t]*["']?{NAME}["']?[ \t]*(?:\.[^\]\n]*)?\][^\n]*(?:\n|\Z)"""
    r"(?:(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*[^\s\[#][^\n]*(?:\n|\Z))*(?:[ \t\r]*\n)*",
    re.MULTILINE,
)


def _table(agent: Agent, entry: Mapping[str, Any]) -> str:
    """The entry as TOML."""
    lines = [f"{key} = {_toml(value)}\n" for key, value in entry.items()]
    return f"[{agent.servers}.{NAME}]\n{''.join(lines)}"


def _toml(value: Any) -> str:
    """A value as TOML, which writes all but tables and dates as JSON does. A date becomes a text: the caller refuses a
    change of a value."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(key)} = {_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False, default=str)


def parse(text: str) -> Any:
    """The value of a document; an empty one is an empty object. ValueError says what is wrong and where."""
    source = text.encode()
    plain = bytearray(source.removeprefix(_BOM).rjust(len(source)))
    for node in _nodes(_tree(source)):
        if node.type == "comment" or _is_trailing_comma(node):
            start, end = node.start_byte - 1, node.end_byte - 1
            plain[start:end] = re.sub(rb"[^\n]", b" ", plain[start:end])  # errors name a line, so newlines stay
    try:
        return json.loads(plain.decode()) if plain.strip() else {}
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """The document with the value at this path; missing objects on the path are created."""
    source = text.encode()
    unit = indent.group(1) if (indent := _FIRST_INDENT.search(text)) else "  "

    def written(value: Any, depth: int) -> bytes:
        return json.dumps(value, indent=unit).replace("\n", f"\n{unit * depth}").encode()

    node = _value(source)
    if node is None:
        return json.dumps(_nested(path, value), indent=2) + "\n"
    for depth, key in enumerate(path):
        pair = _pairs(node).get(key)
        if pair is None:
            member = json.dumps(key).encode() + b": " + written(_nested(path[depth + 1 :], value), depth + 1)
            return _with_last(source, node, member, unit * depth, unit).decode()
        node = pair.children[-1]
    return (source[: node.start_byte - 1] + written(value, len(path)) + source[node.end_byte - 1 :]).decode()


def remove_member(text: str, path: Sequence[str]) -> str:
    """The document without the member at this path; unchanged if there is none."""
    source = text.encode()
    pair, node = None, _value(source)
    for key in path:
        pair = _pairs(node).get(key) if node is not None else None
        node = pair.children[-1] if pair is not None else None
    return _without(source, pair).decode() if pair is not None else text


def _tree(source: bytes) -> Node:
    """The syntax tree of the source in parentheses: its positions are those of the source plus 1."""
    blank = b" " * len(_BOM) if source.startswith(_BOM) else b""
    return parser("javascript").parse(b"(%b%b\n)" % (blank, source[len(blank) :])).root_node


def _value(source: bytes) -> Node | None:
    """The outermost object."""
    return next((node for node in _nodes(_tree(source)) if node.type == "object"), None)


def _nodes(root: Node) -> Iterator[Node]:
    """Every node, in source order."""
    queue = [root]
    while queue:
        yield (node := queue.pop())
        queue += reversed(node.children)


def _next(node: Node) -> Node | None:
    """The node behind another one and its comments."""
    after = node.next_sibling
    while after is not None and after.type == "comment":
        after = after.next_sibling
    return after


def _is_trailing_comma(node: Node) -> bool:
    after = _next(node) if node.type == "," else None
    return after is not None and after.type in ("}", "]")


def _pairs(node: Node) -> dict[str, Node]:
    """The members of an object, in order; the last of one name counts, as in JSON."""
    pairs = (child for child in node.children if child.type == "pair") if node.type == "object" else ()
    return {json.loads((pair.children[0].text or b"").decode()): pair for pair in pairs}


def _with_last(source: bytes, node: Node, member: bytes, indent: str, unit: str) -> bytes:
    """The source with a new last member in an object."""
    close = node.end_byte - 2
    last = next(child for child in reversed(node.children[:-1]) if child.type != "comment")
    comma = b"," if last.type == "pair" else b""
    end = last.end_byte - 1
    head = source[:end] + comma + source[end:close].rstrip()
    return b"%b\n%b%b\n%b%b" % (head, (indent + unit).encode(), member, indent.encode(), source[close:])


def _without(source: bytes, pair: Node) -> bytes:
    """The source without a member and one of the commas around it."""
    before, behind = pair.prev_sibling, _next(pair)
    while before is not None and before.type not in ("pair", "{"):
        before = before.prev_sibling
    assert before is not None and behind is not None, "a member is inside braces"
    start, end = before.end_byte - 1, pair.end_byte - 1
    if before.type == "pair":
        return source[:start] + source[end:]
    if behind.type == ",":
        return source[:start] + source[behind.end_byte - 1 :]
    return source[:start] + source[end:].lstrip()


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value

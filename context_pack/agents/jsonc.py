"""JSON with comments: read, and changed in one place so that everything else stays as its owner wrote it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<mark>[{}\[\]:,])|(?P<word>[^\s{}\[\]:,"/]+)""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Member:
    """One `"key": value` of an object, by the places of its key and of its value."""

    key: str
    start: int
    value: int  # position in the tokens
    value_start: int
    end: int


def parse(text: str) -> Any:
    """The value of a document; an empty one is an empty object. ValueError says what is wrong and where."""
    tokens = _tokens(text)
    if not tokens:
        return {}
    plain: list[str] = []
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        if not (token.text == "," and after is not None and after.text in "}]"):  # a trailing comma
            plain.append(token.text)
    return json.loads(" ".join(plain))


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """The document with the value at this path; objects on the way are made where they are missing."""
    tokens = _tokens(text)
    if not tokens:
        return json.dumps(_nested(path, value), indent=2) + "\n"
    at, depth = 0, 0
    for key in path:
        members = _members(tokens, at)
        found = next((member for member in members if member.key == key), None)
        if found is None:
            return _insert(text, tokens, at, members, path[depth:], value, depth)
        at, depth = found.value, depth + 1
        if depth == len(path) or tokens[at].text != "{":
            new = json.dumps(_nested(path[depth:], value), indent=2)
            return text[: found.value_start] + _indented(new, depth) + text[found.end :]
    return text


def remove_member(text: str, path: Sequence[str]) -> str:
    """The document without what stands at this path; the same document where nothing does."""
    tokens = _tokens(text)
    at = 0
    for depth, key in enumerate(path):
        members = _members(tokens, at) if tokens and tokens[at].text == "{" else []
        place = next((number for number, member in enumerate(members) if member.key == key), None)
        if place is None:
            return text
        if depth == len(path) - 1:
            return _without(text, tokens, at, members, place)
        at = members[place].value
    return text


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 1 if text.startswith("\ufeff") else 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"line {text.count(chr(10), 0, at) + 1} is not JSON: {text[at : at + 20]!r}")
        if match.lastgroup != "space":
            found.append(_Token(str(match.lastgroup), match.group(), match.start(), match.end()))
        at = match.end()
    return found


def _members(tokens: Sequence[_Token], at: int) -> list[_Member]:
    """The members of the object whose brace stands at `at`."""
    found: list[_Member] = []
    at += 1
    while tokens[at].text != "}":
        key, value = tokens[at], at + 2
        end = _end(tokens, value)
        found.append(_Member(json.loads(key.text), key.start, value, tokens[value].start, tokens[end - 1].end))
        at = end + 1 if tokens[end].text == "," else end
    return found


def _end(tokens: Sequence[_Token], at: int) -> int:
    """The position after the value that starts at `at`."""
    depth = 0
    while True:
        depth += (tokens[at].text in "{[") - (tokens[at].text in "}]") if tokens[at].kind == "mark" else 0
        at += 1
        if depth == 0:
            return at


def _insert(
    text: str,
    tokens: Sequence[_Token],
    at: int,
    members: Sequence[_Member],
    rest: Sequence[str],
    value: Any,
    depth: int,
) -> str:
    """A new last member of the object at `at`."""
    member = _indented(f"{json.dumps(rest[0])}: {json.dumps(_nested(rest[1:], value), indent=2)}", depth + 1)
    close = tokens[_end(tokens, at) - 1].start
    behind = members[-1].end if members else tokens[at].end
    last = next(token.text for token in tokens if token.start >= behind)
    comma = "," if members and last != "," else ""
    head = text[:behind] + comma + text[behind:close].rstrip()
    return f"{head}\n{'  ' * (depth + 1)}{member}\n{'  ' * depth}{text[close:]}"


def _without(text: str, tokens: Sequence[_Token], at: int, members: Sequence[_Member], place: int) -> str:
    """The document without a member and one of the commas around it."""
    member = members[place]
    before = members[place - 1].end if place else tokens[at].end
    behind = next(token for token in tokens if token.start >= member.end)
    if behind.text == "," and place:
        return text[:before] + text[member.end :]
    if behind.text == ",":
        return text[:before] + text[behind.end :]
    rest = text[member.end :]
    if not place:
        rest = rest.lstrip()
    return text[:before] + rest


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _indented(text: str, depth: int) -> str:
    return text.replace("\n", f"\n{'  ' * depth}")

"""Definitions and their places by Universal Ctags, an independent program that judges questions that are names."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

# By language, the kinds (in the letters of ctags) of definitions that people look up by name: types, functions,
# methods, macros, constants. Variables, fields, enumerators and locals are left out.
KINDS = {
    "Python": "cfm", "JavaScript": "fcmCgGS", "TypeScript": "fcigmnCGa", "Go": "fctsian", "Rust": "sigftvMP",
    "Java": "acgim", "C": "dfgstu", "C++": "dfgstuc", "C#": "cdgimstp", "Ruby": "cfmSCa", "PHP": "cdfit",
    "Elixir": "pmfcdgay", "Lua": "f", "Sh": "f", "Kotlin": "icomTC", "Haskell": "tcf",
}  # fmt: skip
MIN_CHARS = 3  # of a name: shorter ones are not looked up
LONGEST_LINE = 500  # longer lines were written by a program
LONG_DOC = 12  # lines of a doc comment that counts as long
DEPTH = 200  # lines above a definition that are read for its comments
_NAME = re.compile(r"[A-Za-z_$][\w$]*[?!]?")
_ABOVE = re.compile(r"\s*(?:/\*|\*|//|#|--|;|@|%|\"\"\"|''')")


@dataclass(frozen=True, slots=True)
class Tag:
    """One definition: `line` is that of its name, `doc_lines` the number of lines of comments and attributes above it.

    `counts`: people look up its kind by name; other kinds only make a name less rare.
    """

    name: str
    path: str
    line: int
    kind: str
    language: str
    doc_lines: int
    counts: bool


def is_there() -> bool:
    """Whether Universal Ctags is installed, with JSON output."""
    program = shutil.which("ctags")
    if program is None:
        return False
    features = subprocess.run([program, "--list-features"], capture_output=True, text=True, check=False)
    return features.returncode == 0 and "json" in features.stdout


@cache
def _kinds(language: str) -> frozenset[str]:
    """The kinds that count, by the names that ctags prints."""
    command = ["ctags", "--machinable", "--with-list-header=no", f"--list-kinds-full={language}"]
    output_lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = (line.split("\t") for line in output_lines)
    return frozenset(row[1] for row in rows if row[0] in KINDS[language])


def tags(root: Path, paths: Sequence[str]) -> list[Tag]:
    """The definitions in these files, by place, without names that are not on their line (mistakes of ctags)."""
    command = ["ctags", "--output-format=json", "--fields=NFnlK", "--extras=-{anonymous}", "-f", "-", "-L", "-"]
    command += [f"--languages={','.join(KINDS)}", *(f"--kinds-{name}=+{some}" for name, some in KINDS.items())]
    done = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True, cwd=root, check=True)
    lines = {path: (root / path).read_text("utf-8", "replace").split("\n") for path in paths}
    definitions = set()
    for row in map(json.loads, done.stdout.splitlines()):
        if row["_type"] != "tag":
            continue
        name, path, line = row["name"], row["path"], row["line"]
        text = lines[path][line - 1]
        if (
            _is_local(row, text)
            or _in_heredoc(row["language"], lines[path], line)
            or len(name) < MIN_CHARS
            or not _NAME.fullmatch(name)
            or name not in text
        ):
            continue
        counts = row["kind"] in _kinds(row["language"])
        definitions.add(Tag(name, path, line, row["kind"], row["language"], _above(lines[path], line - 1), counts))
    return sorted(definitions, key=lambda tag: (tag.path, tag.line, tag.name, tag.kind))


def _is_local(row: Mapping[str, Any], text: str) -> bool:
    """Whether a definition by ctags is really a local variable, an import, an object with some keys, or minified."""
    kind, language = row["kind"], row["language"]
    if len(text) > LONGEST_LINE or (language in ("JavaScript", "TypeScript") and "require(" in text):
        return True
    if language == "Kotlin":
        return (kind == "constant" and "const " not in text) or (kind == "method" and "fun " not in text)
    if kind == "constant" and language in ("JavaScript", "TypeScript"):
        return text[:1].isspace()
    if language == "Lua":  # a call with a function as an argument defines nothing
        return re.search(rf"{re.escape(row['name'])}\W+(=\s*(.* or )?function|\()", text) is None
    if kind == "alias" and language == "TypeScript":  # `type A as B` in a list of imports or exports
        return re.search(rf"\btype\s+{re.escape(row['name'])}\b\s*[<=]", text) is None
    return kind == "class" and language == "JavaScript" and re.search(r"\b(class|function)\b", text) is None


def _in_heredoc(language: str, lines: Sequence[str], line: int) -> bool:
    """Whether a line of Elixir is in a documentation string, whose examples ctags reads as code."""
    return language == "Elixir" and sum(text.count('"""') for text in lines[: line - 1]) % 2 == 1


def _above(lines: Sequence[str], row: int) -> int:
    """The number of rows directly above this one that are comments or attributes; a heredoc counts as a whole."""
    at = row - 1
    while at >= 0 and row - at < DEPTH and (_ABOVE.match(lines[at]) or _in_block(lines, at)):
        at -= 1
    return row - 1 - at


def _in_block(lines: Sequence[str], row: int) -> bool:
    """Whether the row is in a block comment or heredoc whose lines have no comment marks of their own."""
    for at in range(row, max(row - DEPTH, -1), -1):
        text = lines[at].strip()
        if at != row and ("*/" in text or "-}" in text):
            return False
        if text.startswith(("/*", "{-", '@doc """', '@moduledoc """')):
            return any(end in "\n".join(lines[at + 1 : row + 2]) for end in ("*/", "-}", '"""'))
        if text.endswith(("}", ";", ")")) and not text.startswith(("*", "//")):
            return False
    return False

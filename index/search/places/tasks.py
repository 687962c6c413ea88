"""Finds what tools run by name: `make lint`, `the api service in docker compose`, `yarn build`, `CI job release`."""

from __future__ import annotations

import re
from functools import cache

from contracts.frozen import frozen
from contracts.lazy_regex import lazy_regex
from contracts.rows import rows
from index.collection.collection import PROSE
from index.collection.reader import MAX_LINE
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct, on_lines
from index.text import indentation, terms_of_text
from index.types import FileId

_BEFORE = (
    r"(?:(?:(?:how|what|where|which \w+|who|why) (?:is|are|does|do|did|uses?|calls?|runs?|needs?|depends on)|explain"
    r"|find|show(?: me)?|run|which) )?(?:the )?"
)
_AFTER = r"(?: (?:called|declared|defined|do|fail|mean|run|used|work)){0,2} ?[?.!]?"
_NAME, _TEXT = r"(?P<{}>[\w.@][\w.:@/-]*)", r"(?P<{}>\S.{{2,80}}?)"
_MARKS = str.maketrans("", "", "`'\"")
MAX_READ = 500  # chunks with a name that are read for its users
MAX_COMPARED, MAX_ABOVE = 20, 2_000  # chunks whose lines are looked up in their files, and lines above that are read


@frozen
class Tool:
    """A row of `tasks.tsv`: words of which a text contains one, the texts that name what the tool runs, the files and
    lines that declare it, the line that these are below, and the lines that use it, with `NAME` for the name."""

    words: frozenset[str]
    forms: re.Pattern[str]
    files: re.Pattern[str]
    declares: str
    section: re.Pattern[str] | None
    uses: str


@cache
def tools() -> list[Tool]:
    """The rows of `tasks.tsv`."""
    return [_tool(*row) for row in rows(__file__, "tasks.tsv")]


def _tool(words: str, forms: str, files: str, declares: str, section: str, uses: str) -> Tool:
    forms = forms.replace("OPTIONS", r"(?: -\S+)*").replace("REST", r"(?: (?:-|\w+=).*)?")
    parts = re.split(r"(NAME|TEXT)", forms)
    names = {"NAME": _NAME, "TEXT": _TEXT}
    forms = "".join(names[part].format(f"name{at}") if part in names else part for at, part in enumerate(parts))
    return Tool(
        frozenset(words.split()),
        lazy_regex(f"{_BEFORE}(?:{forms}){_AFTER}", re.IGNORECASE),
        lazy_regex(files, re.IGNORECASE),
        declares,
        lazy_regex(section) if section else None,
        uses,
    )


def task_hits(scope: SearchScope, text: str) -> tuple[str, list[Location]]:
    """What a tool runs by the name that a text gives, and its places: the lines that declare it, nearest to the root
    first, then a few lines that run or need it. The name is empty if the text gives none, and there are no places if no
    file of such a tool declares it."""
    words, name = text.translate(_MARKS).split(), ""
    for tool in tools():
        is_possible = not tool.words.isdisjoint(map(str.lower, words))
        match = tool.forms.fullmatch(" ".join(words)) if is_possible else None
        if match is None:
            continue
        name = next(filter(None, match.groupdict().values()))
        if hits := _declarations(scope, tool, name):
            return name, distinct([*hits, *_uses(scope, tool, name)])
    return name, []


def _declarations(scope: SearchScope, tool: Tool, name: str) -> list[Location]:
    collection = scope.collection
    files = [FileId(file) for file, path in enumerate(collection.files.paths) if tool.files.search(path)]
    files = sorted((file for file in files if scope.allowed[file]), key=lambda file: _depth(scope, file))
    chunks = (chunk for file in files for chunk in collection.chunks_in(file))
    hits = scope.places_of(chunks, _pattern(tool.declares, name), name.encode())
    section = tool.section
    if section is not None:
        hits = on_lines(hits[:MAX_COMPARED], lambda hit, line: any(map(section.search, _heads(scope, hit, line))))
    return hits[:MAX_CHUNKS]


def _uses(scope: SearchScope, tool: Tool, name: str) -> list[Location]:
    """The lines that run or need a task, except documents."""
    collection = scope.collection
    chunks = scope.holding(terms_of_text(name)).tolist() if tool.uses else []
    files = ((chunk, collection.file_of(chunk)) for chunk in chunks[:MAX_READ])
    own = (chunk for chunk, file in files if collection.kind_of(file) != PROSE)
    return scope.places_of(own, _pattern(tool.uses, name), name.encode())[:MAX_CHUNKS]


def _pattern(form: str, name: str) -> re.Pattern[bytes]:
    return re.compile(form.replace("NAME", re.escape(name)).encode(), re.MULTILINE)


def _depth(scope: SearchScope, file: FileId) -> tuple[int, str]:
    path = scope.collection.files.paths[file]
    return path.count("/"), path


def _heads(scope: SearchScope, hit: Location, line: int) -> tuple[str, str]:
    """A line, and the nearest one above with less indentation, or the head of the table of TOML around it."""
    lines = scope.rows(hit.chunk)
    indent = indentation(lines[line - 1])
    above = (
        row
        for row in reversed(lines[max(line - 1 - MAX_ABOVE, 0) : line - 1])
        if row.strip() and not row.lstrip().startswith("#")
    )
    is_head = (lambda row: indentation(row) < indent) if indent else (lambda row: row.startswith("["))
    return lines[line - 1][:MAX_LINE], next((row[:MAX_LINE] for row in above if is_head(row)), "")

"""Code that the reader already has, for example from earlier packs, recognised by its text wherever it is now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from context_pack.kinds.code.corpus import Corpus
from context_pack.kinds.code.selection import Has
from context_pack.options.resolve import Settings
from context_pack.render.phrases import first_of
from contracts.errors import InvalidRequest, IOFailure, NotFound
from contracts.records import Hint
from contracts.schemas import problem

# `path:line`, `path:start-end`, the id `path:start:end`, or the heading of a cut item: `path:3-9,20,40-52,...`.
_PLACE = re.compile(r"(?P<file>.+?):(?P<lines>\d{1,9}(?:[:-]\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?)*)(?:,\.\.\.)?")
MAX_PACK_BYTES = 64_000_000  # of a pack that the reader has; an endless file is refused
MAX_FILES = 3  # that a path may mean and a hint names
_TEXT = {"type": "string"}
_ITEM = {"required": ["content"], "properties": {"content": _TEXT, "imports": {"type": "array", "items": _TEXT}}}
_PACK = {"properties": {"items": {"type": "array", "items": {"type": "object", **_ITEM}}}}
_MARK = re.compile(r"\.\.\. lines? \d+(?:-\d+)? left out(?: \W+)?$")  # as context_pack.core.text writes it


def already_read(corpus: Corpus, settings: Settings) -> tuple[Has, tuple[Hint, ...]]:
    """Whether the reader has a chunk, by what `have` and `have_pack` name; hints about names that are not indexed.

    IOFailure or InvalidRequest if a pack cannot be read.
    """
    texts: list[str] = []
    hints: list[Hint] = []
    unknown: list[str] = []
    for name in settings.have:
        match = _PLACE.fullmatch(name)
        files = _files(corpus, match["file"] if match else name)
        if len(files) > 1:
            message = f"{name} could be {first_of(files, MAX_FILES)}, so nothing was left out for it"
            hints.append(Hint("warn", message))
            continue
        own = list(_named(corpus, files[0], match["lines"] if match else "")) if files else []
        texts += own
        if not own:
            unknown.append(name)
    for path in settings.have_pack:
        texts += _delivered(path)
    message = f"{', '.join(unknown)}: not in the index, so nothing was left out for it"
    hints += [Hint("warn", message)] if unknown else []
    return cache(partial(_holds, corpus, [*dict.fromkeys(texts)])), tuple(hints)


def _holds(corpus: Corpus, texts: Sequence[str], number: int) -> bool:
    """Whether one of the texts contains a chunk as a whole, or the texts contain an outline of its container.

    An outline consists of the container's signature and the signature of at least one member.
    """

    def has(code: str) -> bool:
        return any(_between(code) in text for text in texts)

    if has(corpus.chunk(number).text):
        return True
    parts = corpus.parts(number)
    outline = corpus.outline(parts[0])
    signature = next((own for part in parts if (own := corpus.chunk(part).signature)), None)
    if outline is None or signature is None:
        return False
    lines, before = outline.row.text.split("\n"), outline.row.start_line
    has_own, *has_members = (
        has("\n".join(lines[first - before : last - before + 1]))
        for first, last in (signature, *(span for _, span in outline.members))
    )
    return has_own and any(has_members)


def _between(text: str) -> str:
    return "\n" + text.replace("\r\n", "\n").strip("\n") + "\n"


def _files(corpus: Corpus, path: str) -> list[str]:
    """The indexed files that a path, or the end of a path, may mean."""
    try:
        return list(dict.fromkeys(place.file for place in corpus.places(path)))
    except NotFound:
        return []


def _named(corpus: Corpus, file: str, lines: str) -> Iterator[str]:
    """What a file's chunks have within `lines`, such as `3-9,20` or `3:9`; without lines, its chunks."""
    rows = [corpus.chunk(number) for number in corpus.chunks_of_file(file)]
    for span in lines.replace(":", "-").split(","):
        start, _, end = span.partition("-")
        first, last = (int(start), int(end or start)) if start else (1, rows[-1].end_line if rows else 0)
        for row in rows:
            if first <= row.start_line and row.end_line <= last:
                yield _between(row.text)
            elif row.start_line <= last and first <= row.end_line:
                own = row.text.split("\n")
                yield _between("\n".join(own[max(0, first - row.start_line) : last - row.start_line + 1]))


def _delivered(path: Path) -> Iterator[str]:
    """The texts that the items of a pack show; each run of lines between two gaps is one text."""
    for item in _items(path):
        content: str = item["content"]
        imports = item.get("imports") or []
        if imports:
            content = content.removeprefix("\n".join(imports)).removeprefix("\n\n")
        if not item.get("elided"):
            yield _between(content)
            continue
        for is_mark, run in groupby(content.split("\n"), lambda line: _MARK.search(line) is not None):
            if not is_mark:
                yield _between("\n".join(run))


def _items(path: Path) -> list[Mapping[str, Any]]:
    """The items of a pack, whether or not it is in an envelope."""
    import orjson

    try:
        with path.open("rb") as file:
            text = file.read(MAX_PACK_BYTES + 1)
        if len(text) > MAX_PACK_BYTES:
            raise InvalidRequest("have_pack", f"{path} is larger than {MAX_PACK_BYTES:,} bytes")
        document = orjson.loads(text)
    except OSError as error:
        raise IOFailure(f"{path}: {error.strerror or error}", details={"path": str(path)}) from error
    except orjson.JSONDecodeError as error:
        document, fault = None, f"it is not JSON ({error})"
    else:
        fault = "it has no items with content"
    data = document.get("data", document) if isinstance(document, dict) else None
    items: object = data.get("items") if isinstance(data, dict) else None
    if problem({"items": items}, _PACK):
        hint = "give a JSON file written by `ctxpack query --out FILE`"
        raise InvalidRequest("have_pack", f"{path} is not a pack: {fault}", hint=hint)
    return cast("list[Mapping[str, Any]]", items)

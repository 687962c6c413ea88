"""Code that the reader already has, for example from earlier packs, recognised by its text wherever it is now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from context_pack.kinds.code.corpus import Corpus
from context_pack.options.resolve import Settings
from contracts.errors import InvalidRequest, IOFailure
from contracts.frozen import frozen
from contracts.records import Hint
from contracts.schemas import problem

_PLACE = re.compile(r"(?P<file>.+?):(?P<start>[1-9]\d{0,8})(?:[:-](?P<end>[1-9]\d{0,8}))?")
_TEXT = {"type": "string"}
_ITEM = {"required": ["content"], "properties": {"content": _TEXT, "imports": {"type": "array", "items": _TEXT}}}
_PACK = {"properties": {"items": {"type": "array", "items": {"type": "object", **_ITEM}}}}
_MARK = re.compile(r"\.\.\. lines? \d+(?:-\d+)? left out(?: \W+)?$")  # as context_pack.core.text writes it


@frozen
class AlreadyRead:
    """The texts that the reader has, each with a line end before and after it."""

    texts: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()

    def holds(self, corpus: Corpus, number: int) -> bool:
        """Whether one of the texts contains a chunk as a whole, or the texts contain an outline of its container.

        An outline consists of the container's signature and the signature of at least one member.
        """
        if self._has(corpus.chunk(number).text):
            return True
        parts = corpus.parts(number)
        outline = corpus.outline(parts[0])
        signature = next((own for part in parts if (own := corpus.chunk(part).signature)), None)
        if outline is None or signature is None:
            return False
        lines, before = outline.row.text.split("\n"), outline.row.start_line
        has_own, *has_members = (
            self._has("\n".join(lines[first - before : last - before + 1]))
            for first, last in (signature, *(span for _, span in outline.members))
        )
        return has_own and any(has_members)

    def _has(self, code: str) -> bool:
        code = _between(code)
        return any(code in text for text in self.texts)


def already_read(corpus: Corpus, settings: Settings) -> AlreadyRead:
    """The code that `have` and `have_pack` name. IOFailure or InvalidRequest if a pack cannot be read."""
    texts: list[str] = []
    unknown: list[str] = []
    for name in settings.have:
        chunks = _named(corpus, name)
        texts += chunks
        if not chunks:
            unknown.append(name)
    for path in settings.have_pack:
        texts += _delivered(path)
    message = f"{', '.join(unknown)}: not in the index, so nothing was left out for it"
    return AlreadyRead(tuple(dict.fromkeys(texts)), (Hint("warn", message),) if unknown else ())


def _between(text: str) -> str:
    return "\n" + text.replace("\r\n", "\n").strip("\n") + "\n"


def _named(corpus: Corpus, name: str) -> list[str]:
    """The chunks of a file, or those within the lines of `path:start:end`, `path:start-end` or `path:line`."""
    match = _PLACE.fullmatch(name)
    rows = [corpus.chunk(number) for number in corpus.chunks_of_file(match["file"] if match else name)]
    if match:
        start, end = int(match["start"]), int(match["end"] or match["start"])
        rows = [row for row in rows if start <= row.start_line and row.end_line <= end]
    return [_between(row.text) for row in rows]


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
        document = orjson.loads(path.read_bytes())
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

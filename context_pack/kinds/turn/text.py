"""A turn pack as plain text, for a prompt: what is to be done first, then what it is done with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
_PLAIN = ("runId", "nodeId", "createdAt", "globalMode", "nodeMode", "docsRoot", "outputSchemaRef")


def render(pack: Json) -> str:
    """The whole text, which is what a budget counts when this format is asked for."""
    return "\n".join(_lines(pack)) + "\n"


def _lines(pack: Json) -> Iterator[str]:
    yield f"GOAL: {pack['goal']}"
    yield from (f"DONE WHEN: {item}" for item in pack["definitionOfDone"])
    for title, field, shown in _SECTIONS:
        entries = pack.get(field)
        if entries:
            yield ""
            yield title
            for entry in entries:
                yield from shown(entry)
    for name in ("constraints", "toolPolicy", "repoFacts", "workspace"):
        if name in pack:
            yield f"{name}: {json.dumps(pack[name], ensure_ascii=False)}"
    yield ""
    yield from (f"{name}: {pack[name]}" for name in _PLAIN if name in pack)
    yield f"packId: {pack['packId']}"


def _document(entry: Json) -> Iterator[str]:
    anchors = "".join(f" #{anchor}" for anchor in entry.get("anchors", ()))
    yield f"- {entry['path']} ({entry['priority']}){anchors}"
    yield from _indented(entry.get("excerpt", ""))


def _file(entry: Json) -> Iterator[str]:
    purpose = f": {entry['purpose']}" if "purpose" in entry else ""
    yield f"- {entry['path']}{purpose}"
    if "hash" in entry:
        yield f"  {entry['hash']}"
    yield from _indented(entry.get("excerpt", ""))


def _artifact(entry: Json) -> Iterator[str]:
    digest = f" sha256:{entry['sha256']}" if "sha256" in entry else ""
    yield f"- [{entry['type']}] {entry['ref']}{digest}"
    yield from _indented(entry.get("summary", ""))


def _decision(entry: Json) -> Iterator[str]:
    yield f"- {entry['id']}: {entry['summary']}"
    yield from _indented(entry.get("rationale", ""))
    yield from (f"    see {link}" for link in entry.get("links", ()))


def _input(entry: Json) -> Iterator[str]:
    where = [f"{name} {entry[key]}" for name, key in (("from", "fromNodeId"), ("by", "edgeId")) if key in entry]
    yield " ".join([f"- {entry['payloadId']}", *where])


def _indented(text: str) -> Iterator[str]:
    return (f"    {line}".rstrip() for line in text.split("\n")) if text else iter(())


def account(sidecar: Json) -> list[str]:
    """A line for each entry: how it is shown, what made it smaller, and why it is there, with its points."""
    limit = sidecar["budget"]["maxTokens"]
    return [f"{entry['id']} ({entry['field']}): {_shown(entry, limit)}; {_why(entry)}" for entry in sidecar["entries"]]


def _shown(entry: Json, limit: int) -> str:
    if entry["shown"] == entry["largest"]:
        return "whole"
    instead = "" if entry["shown"] == "dropped" else f" instead of {entry['largest']}"
    return f"{entry['shown']}{instead}, by the limit of {limit} tokens"


def _why(entry: Json) -> str:
    return ", ".join(" ".join(_parts(why)) for why in entry["why"])


def _parts(why: Json) -> Iterator[str]:
    yield why["name"]
    if why["points"]:
        yield f"+{why['points']:.3g}"
    if why.get("detail"):
        yield f"({why['detail']})"


_SECTIONS: tuple[tuple[str, str, Callable[[Json], Iterator[str]]], ...] = (
    ("EVIDENCE AND DIFFS", "artifacts", _artifact),
    ("DOCUMENTS", "docRefs", _document),
    ("FILES", "relevantFiles", _file),
    ("DECISIONS", "decisions", _decision),
    ("INPUTS", "inputs", _input),
)

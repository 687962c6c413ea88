"""A turn pack as plain text, for a prompt: the goal first, then the material."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Json = Mapping[str, Any]
_PLAIN = ("runId", "nodeId", "createdAt", "globalMode", "nodeMode", "docsRoot", "outputSchemaRef", "packId")
# The lists of a pack, in the order of the text: the title, and the field whose text is shown below an entry.
_SECTIONS = {
    "artifacts": ("EVIDENCE AND DIFFS", "summary"), "docRefs": ("DOCUMENTS", "excerpt"),
    "relevantFiles": ("FILES", "excerpt"), "decisions": ("DECISIONS", "rationale"), "inputs": ("INPUTS", ""),
}  # fmt: skip


def render(pack: Json) -> str:
    """The whole text. A budget counts this text if this format is requested."""
    return "\n".join(_lines(pack)) + "\n"


def _lines(pack: Json) -> Iterator[str]:
    yield f"GOAL: {pack['goal']}"
    yield from (f"DONE WHEN: {item}" for item in pack["definitionOfDone"])
    for field, (title, body) in _SECTIONS.items():
        if pack.get(field):
            yield from ("", title)
        for entry in pack.get(field, ()):
            yield f"- {_head(field, entry)}"
            texts = [entry.get(body, ""), *(f"see {link}" for link in entry.get("links", ()))]
            yield from (f"    {line}".rstrip() for text in texts if text for line in text.split("\n"))
    for name in ("constraints", "toolPolicy", "repoFacts", "workspace"):
        if name in pack:
            yield f"{name}: {json.dumps(pack[name], ensure_ascii=False)}"
    yield ""
    yield from (f"{name}: {pack[name]}" for name in _PLAIN if name in pack)


def _head(field: str, entry: Json) -> str:
    """The first line of an entry: what it is, and its main facts."""

    def part(name: str, form: str) -> str:
        return form.format(entry[name]) if name in entry else ""

    match field:
        case "artifacts":
            return f"[{entry['type']}] {entry['ref']}{part('sha256', ' sha256:{}')}"
        case "docRefs":
            return f"{entry['path']} ({entry['priority']})" + "".join(f" #{name}" for name in entry.get("anchors", ()))
        case "relevantFiles":
            return f"{entry['path']}{part('purpose', ': {}')}{part('hash', chr(10) + '  {}')}"
        case "decisions":
            return f"{entry['id']}: {entry['summary']}"
        case _:
            return f"{entry['payloadId']}{part('fromNodeId', ' from {}')}{part('edgeId', ' by {}')}"


def account(sidecar: Json) -> list[str]:
    """A line for each entry: how it is shown, what made it smaller, and why it is in the pack, with its points."""
    limit = sidecar["budget"]["maxTokens"]
    return [f"{entry['id']} ({entry['field']}): {_shown(entry, limit)}; {', '.join(map(_reason, entry['why']))}"
            for entry in sidecar["entries"]]  # fmt: skip


def _shown(entry: Json, limit: int) -> str:
    if entry["shown"] == entry["largest"]:
        return "whole"
    instead = "" if entry["shown"] == "dropped" else f" instead of {entry['largest']}"
    return f"{entry['shown']}{instead}, by the limit of {limit} tokens"


def _reason(why: Json) -> str:
    points = f" +{why['points']:.3g}" if why["points"] else ""
    detail = f" ({why['detail']})" if why.get("detail") else ""
    return f"{why['name']}{points}{detail}"

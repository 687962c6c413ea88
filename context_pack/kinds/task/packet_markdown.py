"""A task packet as Markdown: the header, then a section for each slot, in the order of the slots."""

from __future__ import annotations

import json
from typing import Any

from chunker.languages.detection import detect_language
from context_pack.render.markdown import code_span, fenced
from context_pack.render.phrases import escaped
from contracts.task import HEADER, TaskPacket, packet_data

_DOCUMENTS = ("scarsDigest", "acceptanceCriteria", "stateDigest")
EMPTY = "(empty)\n"


def render(packet: TaskPacket) -> str:
    """The whole document. Every text stands in a fence that it cannot close."""
    data = packet_data(packet)
    head = [f"# Task {_span(data['taskId'])}\n", *(f"- {name}: {escaped(data[name])}" for name in HEADER[1:])]
    sections = [f"## {slot}\n\n{_section(slot, value)}" for slot, value in data.items() if slot not in HEADER]
    return "\n".join(["\n".join(head) + "\n", *sections])


def _section(slot: str, value: Any) -> str:
    if not value:
        return EMPTY
    if slot in _DOCUMENTS:
        return fenced(value, "markdown")
    if slot == "filesContent":
        return "\n".join(_file(path, content) for path, content in value.items())
    if slot == "dependencySymbols":
        lines = [f"{_span(path)}: {', '.join(map(_span, names)) or '(nothing known)'}" for path, names in value.items()]
    elif isinstance(value, list):
        lines = [item.replace("\n", "\n  ") if slot == "boundaries" else _span(item) for item in value]
    else:
        return fenced(json.dumps(value, ensure_ascii=False, indent=2), "json") if any(value.values()) else EMPTY
    return "".join(f"- {line}\n" for line in lines)


def _file(path: str, content: str) -> str:
    shown = fenced(content.rstrip("\n"), detect_language(path) or "") if content else "(new file)\n"
    return f"### {_span(path)}\n\n{shown}"


def _span(text: str) -> str:
    return code_span(escaped(text))

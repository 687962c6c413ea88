"""A task packet as Markdown: the header, then a section for each slot, in the order of the slots."""

from __future__ import annotations

import json
from collections.abc import Mapping
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
    lines = [f"# Task {code_span(escaped(data['taskId']))}\n"]
    lines += [f"- {name}: {escaped(data[name])}" for name in HEADER[1:]]
    parts = ["\n".join(lines) + "\n"]
    for slot, value in data.items():
        if slot not in HEADER:
            parts.append(f"## {slot}\n\n{_section(slot, value)}")
    return "\n".join(parts)


def _section(slot: str, value: Any) -> str:
    if not value:
        return EMPTY
    if slot == "filesContent":
        return "\n".join(_file(path, content) for path, content in value.items())
    if slot in _DOCUMENTS:
        return fenced(value, "markdown")
    if slot == "dependencySymbols":
        return "".join(f"- {code_span(escaped(path))}: {_names(names)}\n" for path, names in value.items())
    if isinstance(value, list):
        return "".join(f"- {_item(slot, item)}\n" for item in value)
    return fenced(json.dumps(value, ensure_ascii=False, indent=2), "json") if _filled(value) else EMPTY


def _filled(value: Mapping[str, Any]) -> bool:
    return any(value.values())


def _file(path: str, content: str) -> str:
    shown = fenced(content.rstrip("\n"), detect_language(path) or "") if content else "(new file)\n"
    return f"### {code_span(escaped(path))}\n\n{shown}"


def _names(names: list[str]) -> str:
    return ", ".join(code_span(escaped(name)) for name in names) or "(nothing known)"


def _item(slot: str, item: str) -> str:
    return item.replace("\n", "\n  ") if slot == "boundaries" else code_span(escaped(item))

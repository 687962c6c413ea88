"""The typed record that `ctxpack task` prints, as in `task_packet.schema.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from contracts.frozen import frozen
from contracts.records import Why, as_data

Json = Mapping[str, Any]


@frozen
class Shown:
    """With `--explain`: one thing in a slot, and why it is there."""

    slot: str
    id: str
    why: tuple[Why, ...]


@frozen
class Withheld:
    """With `--explain`: something selected for a slot but left out by a limit, such as `30 lines`."""

    slot: str
    id: str
    limit: str


@frozen
class Explanation:
    shown: tuple[Shown, ...]
    withheld: tuple[Withheld, ...]


@frozen
class TaskPacket:
    """Four header fields and ten slots, in the order in which they are printed."""

    task_id: str
    tdd_mode: str
    risk_tier: str
    generated_at: str
    files: tuple[str, ...]
    files_content: Mapping[str, str]
    architecture_slice: Json
    contracts_slice: Json
    dependency_symbols: Mapping[str, list[str]]
    tests_slice: tuple[str, ...]
    scars_digest: str
    acceptance_criteria: str
    state_digest: str
    boundaries: tuple[str, ...]
    explain: Explanation | None = None


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


_KEYS = tuple(_camel(field.name) for field in fields(TaskPacket))
HEADER, SLOTS = _KEYS[:4], _KEYS[4:-1]


def packet_data(packet: TaskPacket) -> dict[str, Any]:
    """A packet as the schema describes it, its keys in their fixed order; `explain` only if it is set."""
    return {_camel(name): value for name, value in as_data(packet).items()}

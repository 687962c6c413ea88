"""The typed record behind `task_packet.schema.json`: what `ctxpack task` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from contracts.records import Why
from contracts.wire import as_data

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """With `--explain`: one thing in a slot, and why it is there."""

    slot: str
    id: str
    why: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class Withheld:
    """With `--explain`: something that was selected for a slot and left out by a limit, such as `30 lines`."""

    slot: str
    id: str
    limit: str


@dataclass(frozen=True, slots=True)
class Explanation:
    shown: tuple[Shown, ...]
    withheld: tuple[Withheld, ...]


@dataclass(frozen=True, slots=True)
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


HEADER = ("taskId", "tddMode", "riskTier", "generatedAt")
SLOTS = (
    "files", "filesContent", "architectureSlice", "contractsSlice", "dependencySymbols", "testsSlice", "scarsDigest",
    "acceptanceCriteria", "stateDigest", "boundaries",
)  # fmt: skip


def packet_data(packet: TaskPacket) -> dict[str, Any]:
    """A packet as the schema says, its keys in their fixed order; `explain` only where there is one."""
    values = [getattr(packet, field.name) for field in fields(packet)][: len(HEADER) + len(SLOTS)]
    plain = [list(value) if isinstance(value, tuple) else value for value in values]
    data = dict(zip((*HEADER, *SLOTS), plain, strict=True))
    if packet.explain is not None:
        data["explain"] = {
            "shown": [as_data(one) for one in packet.explain.shown],
            "withheld": [as_data(one) for one in packet.explain.withheld],
        }
    return data

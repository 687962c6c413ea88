"""Where the content of a pack comes from, why it is there, what was taken out of it and what shrank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from context_pack.core.ladder import DROPPED, Climber
from context_pack.kinds.turn.assembly import Assembled, Limits
from context_pack.kinds.turn.entries import Entry
from context_pack.redaction import Redactor
from contracts.wire import as_data


def sidecar(
    assembled: Assembled, climbers: Sequence[Climber[Entry]], limits: Limits, redactor: Redactor,
    sources: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """The sidecar of a pack; it holds no secret either, and nothing that two runs would say differently."""
    fitted = assembled.fitted
    steps = {step.id: step for step in fitted.steps}
    entries = []
    for climber in climbers:
        step = steps.get(climber.candidate.id)
        entries.append(_entry(climber, step.shown if step else climber.forms[0].rung))
    document: dict[str, Any] = {"version": 1, "packId": assembled.pack["packId"]}
    if limits.reason is not None:
        document["reason"] = limits.reason
    document["budget"] = {
        "maxTokens": limits.max_tokens,
        "usedTokens": fitted.spent,
        "floorTokens": assembled.floor_tokens,
        "over": fitted.over,
        "counter": limits.counter_name,
    }
    document["sources"] = dict(sources)
    document["entries"] = Redactor(redactor.active).data(entries)
    document["redactions"] = {
        "total": sum(redactor.counts.values()),
        "byKind": redactor.counts,
        "byPlace": redactor.places,
    }
    return document


def _entry(climber: Climber[Entry], shown: str) -> dict[str, Any]:
    entry = climber.candidate.item
    found = {
        "field": entry.field,
        "id": entry.key or entry.field,
        "source": entry.source,
        "why": [as_data(why) for why in climber.candidate.why],
        "largest": climber.forms[0].rung,
        "shown": shown,
    }
    told = entry.value if isinstance(entry.value, Mapping) else {}
    digest = entry.digest or told.get("hash") or told.get("sha256")
    return {**found, "hash": digest} if digest else found


def shrunk(assembled: Assembled) -> tuple[int, int]:
    """How many entries were shortened, and how many were dropped."""
    dropped = sum(step.shown == DROPPED for step in assembled.fitted.steps)
    return len(assembled.fitted.steps) - dropped, dropped

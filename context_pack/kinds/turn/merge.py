"""Several turn packs as one: what they say together, within one budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from context_pack.answer import Answer
from context_pack.core.ladder import Climber
from context_pack.core.tokens import Counter
from context_pack.kinds.turn import docs
from context_pack.kinds.turn.assembly import Render, assemble, limits
from context_pack.kinds.turn.build import Turn, told
from context_pack.kinds.turn.deltas import given_artifact
from context_pack.kinds.turn.entries import Entry, climber, reason
from context_pack.kinds.turn.request import IDENTITY, OBJECTS, canonical, check_depth
from context_pack.kinds.turn.sidecar import sidecar
from context_pack.redaction import Redactor
from context_pack.stages import Stages
from contracts import schemas
from contracts.errors import InvalidRequest
from contracts.records import Hint
from contracts.validation import problem

KEYS = {"docRefs": "path", "relevantFiles": "path", "inputs": "payloadId", "artifacts": "ref", "decisions": "id"}
_UNITED = ("repoFacts", "constraints", "toolPolicy")  # objects whose keys are united; of others the first one counts


def merge(
    packs: Sequence[tuple[str, Any]],
    *,
    max_tokens: int | None = None,
    reason: str | None = None,
    counter: Counter | None = None,
    render: Render | None = None,
    no_redact: bool = False,
) -> Answer[Turn]:
    """One pack of several `(name, document)`; a document is a pack, or an envelope that holds one.

    Entries are united by their keys, and of two with one key the first pack's counts, by (createdAt, packId). A
    document keeps its highest priority; the definition of done keeps its order. InvalidRequest names what is no pack.
    """
    stages = Stages()
    bounds = limits(max_tokens, reason, counter, render)
    if not packs:
        raise InvalidRequest("pack", "there are no packs to merge", hint="name at least one")
    redactor = Redactor(not no_redact)
    checked = [redactor.data(_checked(document, name), name) for name, document in packs]
    ordered = sorted(checked, key=lambda pack: (created(pack), pack["packId"], canonical(pack)))
    with stages.stage("fit"):
        climbers = _climbers(ordered)
        assembled = assemble(_header(ordered), climbers, bounds)
        sources = {"packs": [pack["packId"] for pack in ordered]}
        provenance = sidecar(assembled, climbers, bounds, redactor, sources)
    goals = {pack["goal"] for pack in ordered}
    hints = [Hint("warn", f"the packs have {len(goals)} goals; the first pack's is kept")] if len(goals) > 1 else []
    hints += told(assembled, bounds, redactor)
    made = Turn(assembled.pack, provenance, assembled.fitted.over)
    return Answer(made, redactor.hints(hints), stages.durations_ms(), redactor.account)


def _checked(document: Any, name: str) -> Mapping[str, Any]:
    check_depth(document, name)
    if isinstance(document, Mapping) and "status" in document and isinstance(document.get("data"), Mapping):
        document = document["data"]
    wrong = problem(document, schemas.schema("turn_pack"))
    if wrong is not None:
        where, what = wrong
        raise InvalidRequest(where or "pack", f"{name} is no turn pack: {where or 'it'} {what}")
    found: Mapping[str, Any] = document
    return found


def created(pack: Mapping[str, Any]) -> tuple[bool, datetime]:
    """When a pack was made, as it orders packs: those that do not say it come first."""
    stamp = pack.get("createdAt")
    if stamp is None:
        return False, datetime.min.replace(tzinfo=UTC)
    return True, datetime.fromisoformat(stamp.upper())


def _header(packs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = packs[0]
    identity = {name: first[name] for name in IDENTITY if name in first}
    done = dict.fromkeys(item for pack in packs for item in pack["definitionOfDone"])
    rest = {name: first[name] for name in ("goal", "globalMode", "docsRoot")}
    return {**identity, **rest, "definitionOfDone": list(done)}


def _climbers(packs: Sequence[Mapping[str, Any]]) -> list[Climber[Entry]]:
    """The united entries, the most wanted first, in the same order as a built pack has them."""
    united = {field: _united(packs, field, key) for field, key in KEYS.items()}
    references = sorted(united["docRefs"], key=lambda one: docs.order(one.key, one.value["priority"]))
    documents = [climber(one, _from(one), stays=True) for one in references]
    artifacts = [given_artifact(one, _from(one)) for one in united["artifacts"]]
    high = [one for one in documents if one.candidate.item.value["priority"] == "high"]
    return [
        *(one for one in artifacts if one.stays),
        *_objects(packs),
        *high,
        *(one for one in artifacts if not one.stays and one.candidate.item.value["type"] == "diff"),
        *(climber(one, _from(one)) for field in ("relevantFiles", "decisions", "inputs") for one in united[field]),
        *documents[len(high) :],
        *(one for one in artifacts if not one.stays and one.candidate.item.value["type"] != "diff"),
    ]


def _from(entry: Entry) -> tuple[Any, ...]:
    return (reason("merged", f"from {entry.source}"),)


def _united(packs: Sequence[Mapping[str, Any]], field: str, key: str) -> list[Entry]:
    found: dict[str, Entry] = {}
    for pack in packs:
        for value in pack.get(field, ()):
            entry = Entry(field, value[key], value, f"pack {pack['packId']}")
            known = found.setdefault(value[key], entry)
            if field == "docRefs":
                best = min((known.value["priority"], value["priority"]), key=docs.PRIORITIES.index)
                found[value[key]] = Entry(field, known.key, {**known.value, "priority": best}, known.source)
    return list(found.values())


def _objects(packs: Sequence[Mapping[str, Any]]) -> list[Climber[Entry]]:
    found = []
    for name in OBJECTS:
        holders = [pack for pack in packs if name in pack]
        if holders:
            value = holders[0][name]
            if name in _UNITED:
                value = {key: part for pack in reversed(holders) for key, part in pack[name].items()}
                value = {key: value[key] for pack in holders for key in pack[name]}
            sources = ", ".join(f"pack {pack['packId']}" for pack in (holders if name in _UNITED else holders[:1]))
            entry = Entry(name, "", value, sources)
            found.append(climber(entry, _from(entry)))
    return found

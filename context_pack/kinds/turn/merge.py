"""Merges several turn packs into one, within one budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from context_pack.answer import Answer, Stages
from context_pack.core.text import Counter
from context_pack.kinds.turn import docs, excerpts
from context_pack.kinds.turn.pack import KEYS, Entry, Render, Turn, limits, packed, reason
from context_pack.kinds.turn.request import HEADER, OBJECTS, canonical, checked
from context_pack.redaction import Redactor
from contracts.errors import InvalidRequest
from contracts.records import Hint

Json = Mapping[str, Any]
_MERGED_OBJECTS = ("repoFacts", "constraints", "toolPolicy")  # other objects are those of the first pack


def merge(
    packs: Sequence[tuple[str, Any]], *, max_tokens: int | None = None, reason: str | None = None,
    counter: Counter | None = None, render: Render | None = None, no_redact: bool = False,
) -> Answer[Turn]:  # fmt: skip
    """One pack made of several `(name, document)`; a document is a pack, or an envelope that contains one.

    Of entries with the same key, that of the first pack counts, by (createdAt, packId). A document keeps its highest
    priority; the definition of done keeps its order. InvalidRequest names a document that is not a pack.
    """
    stages = Stages()
    bounds = limits(max_tokens, reason, counter, render)
    if not packs:
        raise InvalidRequest("pack", "there are no packs to merge", hint="give at least one")
    redactor = Redactor(not no_redact)
    clean = [redactor.data(_pack_in(document, name), name) for name, document in packs]
    ordered = sorted(clean, key=lambda pack: (_created(pack), pack["packId"], canonical(pack)))
    goals = {pack["goal"] for pack in ordered}
    hints = [Hint("warn", f"the packs have {len(goals)} goals; the first one is kept")] if len(goals) > 1 else []
    first = ordered[0]
    header = {name: first[name] for name in HEADER if name in first}
    header["definitionOfDone"] = list(dict.fromkeys(item for pack in ordered for item in pack["definitionOfDone"]))
    sources = {"packs": [pack["packId"] for pack in ordered]}
    entries = [entry for field in KEYS for entry in _merged_entries(ordered, field)]  # diffs before the other files
    lengths = excerpts.lengths_for(bounds.max_tokens)
    entries = [_shrinking(entry, lengths) for entry in entries]
    return packed(header, [*entries, *_objects(ordered)], bounds, redactor, sources, hints, stages)


def _pack_in(document: Any, name: str) -> Any:
    if isinstance(document, Mapping) and "status" in document and isinstance(document.get("data"), Mapping):
        document = document["data"]
    return checked(document, "turn_pack", name)


def _created(pack: Json) -> tuple[bool, datetime]:
    """When a pack was made, as a sort key; packs that do not say so come first."""
    stamp = pack.get("createdAt")
    moment = datetime.min.replace(tzinfo=UTC) if stamp is None else datetime.fromisoformat(stamp.upper())
    return stamp is not None, moment


def _entry(field: str, key: str, value: Any, packs: Sequence[Json]) -> Entry:
    source = ", ".join(f"pack {pack['packId']}" for pack in packs)
    return Entry(field, key, value, source, reason("merged", f"from {source}"))


def _merged_entries(packs: Sequence[Json], field: str) -> list[Entry]:
    entries: dict[str, Entry] = {}
    for pack in packs:
        for value in pack.get(field, ()):
            key = value[KEYS[field]]
            first = entries.setdefault(key, _entry(field, key, value, [pack]))
            if field == "docRefs":
                best = min((first.value["priority"], value["priority"]), key=docs.PRIORITIES.index)
                entries[key] = replace(first, value={**first.value, "priority": best})
    merged = list(entries.values())
    return sorted(merged, key=lambda one: docs.order(one.key, one.value["priority"])) if field == "docRefs" else merged


def _shrinking(entry: Entry, lengths: Sequence[tuple[int, int]]) -> Entry:
    """The entry; that of a file with the beginning of its excerpt as its usual one, and the longer ones."""
    if entry.field != "relevantFiles" or "excerpt" not in entry.value:
        return entry
    texts = (excerpts.first_lines(entry.value["excerpt"], *length) for length in lengths)
    *longer, shown = entry.value["excerpt"], *texts
    return replace(entry, value={**entry.value, "excerpt": shown}, longer=tuple(longer))


def _objects(packs: Sequence[Json]) -> list[Entry]:
    objects = []
    for name in OBJECTS:
        holders = [pack for pack in packs if name in pack]
        if name not in _MERGED_OBJECTS:
            del holders[1:]
        if holders:
            value = holders[0][name]
            if len(holders) > 1:
                keys = dict.fromkeys(key for pack in holders for key in pack[name])
                value = {key: next(pack[name][key] for pack in holders if key in pack[name]) for key in keys}
            objects.append(_entry(name, "", value, holders))
    return objects

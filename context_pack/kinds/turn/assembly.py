"""Steps 5 and 6: what fits into the budget, as a pack with its id, and where everything came from."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from context_pack.core.ladder import Climber, Laddered, fit_ladder
from context_pack.core.tokens import Counter, quarter_of_chars
from context_pack.kinds.turn.entries import RUNGS, Entry
from context_pack.kinds.turn.request import canonical
from contracts.errors import InvalidRequest

DEFAULT_TOKENS, MAX_TOKENS = 6_000, 20_000
REASONS = ("investigation", "refactor", "verification_failure")
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:ctxpack:turn:v1")
# The fields of a pack, in the order in which they are printed.
FIELDS = (
    "packId", "runId", "nodeId", "createdAt", "goal", "definitionOfDone", "globalMode", "nodeMode", "docsRoot",
    "docRefs", "repoFacts", "workspace", "relevantFiles", "inputs", "artifacts", "decisions", "constraints",
    "toolPolicy", "outputSchemaRef",
)  # fmt: skip
_NO_ID = "00000000-0000-0000-0000-000000000000"  # as long as every id: it stands for the one that is not known yet
Render = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a pack may hold, and how it is counted: the text that `render` makes of it, in tokens."""

    max_tokens: int
    reason: str | None
    counter: Counter
    counter_name: str
    render: Render


def limits(
    max_tokens: int | None, reason: str | None, counter: Counter | None = None, render: Render | None = None
) -> Limits:
    """The limits that are asked for. InvalidRequest when they are none, or larger than the reason allows."""
    if reason is not None and reason not in REASONS:
        raise InvalidRequest("reason", f"there is no reason {reason!r}", hint=f"there are {', '.join(REASONS)}")
    tokens = DEFAULT_TOKENS if max_tokens is None else max_tokens
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 1:
        raise InvalidRequest("max_tokens", f"max_tokens must be a whole number from 1, not {tokens!r}")
    if tokens > MAX_TOKENS:
        raise InvalidRequest("max_tokens", f"{tokens} tokens are too many: a turn pack has at most {MAX_TOKENS}")
    if tokens > DEFAULT_TOKENS and reason is None:
        raise InvalidRequest(
            "max_tokens", f"more than {DEFAULT_TOKENS} tokens need a reason", hint=f"--reason {'|'.join(REASONS)}"
        )
    count = counter or quarter_of_chars
    name = "ceil(chars/4)" if counter is None else getattr(counter, "__name__", "custom")
    return Limits(tokens, reason, count, name, render or minified)


def minified(pack: Mapping[str, Any]) -> str:
    """A pack as JSON is printed: on one line, its fields in their order."""
    return json.dumps(pack, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Assembled:
    """A pack, what became of every entry, and what the pack and its floor cost."""

    pack: dict[str, Any]
    fitted: Laddered[Entry]
    floor_tokens: int


def assemble(header: Mapping[str, Any], climbers: Sequence[Climber[Entry]], limits: Limits) -> Assembled:
    """The pack that fits, or the floor alone where even that is larger; `climbers` come most wanted first."""

    def measure(entries: Sequence[Entry]) -> int:
        return limits.counter(limits.render(_pack(header, entries, _NO_ID)))

    fitted = fit_ladder(climbers, limits.max_tokens, measure, RUNGS)
    floor = [climber.forms[-1].item for climber in climbers if climber.stays]
    entries = [candidate.item for candidate in fitted.kept]
    return Assembled(_pack(header, entries, pack_id(header, entries)), fitted, measure(floor))


def pack_id(header: Mapping[str, Any], entries: Sequence[Entry]) -> str:
    """UUIDv5 of everything in the pack but the id."""
    content = _pack(header, entries, None)
    return str(uuid.uuid5(NAMESPACE, canonical(content)))


def _pack(header: Mapping[str, Any], entries: Sequence[Entry], number: str | None) -> dict[str, Any]:
    values: dict[str, Any] = {**header, "docRefs": []}
    if number is not None:
        values["packId"] = number
    for entry in entries:
        if entry.key:
            values.setdefault(entry.field, []).append(entry.value)
        else:
            values[entry.field] = entry.value
    return {name: values[name] for name in FIELDS if name in values}

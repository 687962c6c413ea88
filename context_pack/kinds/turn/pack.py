"""Steps 5 and 6: entries, the forms they shrink to, fitting them into the budget, and their provenance."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from context_pack.answer import Answer, Stages
from context_pack.core.fit import DROPPED, Shrinkable, fit_ladder
from context_pack.core.text import Counter, quarter_of_chars
from context_pack.kinds.turn.excerpts import STEPS
from context_pack.kinds.turn.request import canonical
from context_pack.options.resolve import checked_options
from context_pack.redaction import Redactor
from contracts import schemas
from contracts.errors import InvalidRequest
from contracts.frozen import frozen
from contracts.records import Hint, Why, as_data

DEFAULT_TOKENS = 6_000
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:ctxpack:turn:v1")
_NO_ID = "00000000-0000-0000-0000-000000000000"  # as long as every id: a placeholder for the id that is not known yet
Render = Callable[[Mapping[str, Any]], str]
EXCERPT, SUMMARY, REFERENCE = "excerpt", "summary", "reference"
# An excerpt shrinks in steps to one of the usual length; the sidecar calls each of them an excerpt. In a merge, the one
# that a pack has comes before the steps.
LONG = tuple(f"{EXCERPT} {number}" for number in range(STEPS + 1))
RUNGS = (*LONG, EXCERPT, SUMMARY, REFERENCE)
# The lists of a pack with the key of their entries.
KEYS = {"artifacts": "ref", "docRefs": "path", "relevantFiles": "path", "inputs": "payloadId", "decisions": "id"}
# Prefixes of the names of the builder's artifacts. The first two are evidence of failure, which is never trimmed.
ERROR, FAILED, PASSED, DIFF = "error:", "failed:", "passed:", "diff:"
# The fields that an entry of each list keeps on each rung; the last rung is the bare reference.
_PARTS = {
    "docRefs": {EXCERPT: "path anchors excerpt priority", SUMMARY: "path anchors priority", REFERENCE: "path priority"},
    "relevantFiles": {EXCERPT: "path purpose excerpt hash", SUMMARY: "path purpose hash", REFERENCE: "path hash"},
    "artifacts": {EXCERPT: "ref type summary sha256", SUMMARY: "ref type sha256", REFERENCE: "ref type"},
    "decisions": {EXCERPT: "id summary rationale links", REFERENCE: "id summary"},
}


@frozen
class Entry:
    """One entry of a list, or the value of an object field (`key` is empty), and why it is in the pack.

    `digest` is `sha256:<hex>` of the file that it comes from, if its value does not contain that. `longer` are longer
    forms of the value's excerpt, the longest first; some may be the same.
    """

    field: str
    key: str
    value: Any
    source: str
    why: tuple[Why, ...]
    points: float = 0.0
    digest: str = ""
    longer: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.field}:{self.key}" if self.key else self.field

    @property
    def stays_whole(self) -> bool:
        return self.field == "artifacts" and is_evidence(self.value)

    @property
    def group(self) -> int:
        """The place of its group in the order in which groups keep their size."""
        groups = (
            self.stays_whole,
            not self.key,
            self.field == "docRefs" and self.value["priority"] == "high",
            self.field == "relevantFiles" or self.id.startswith(f"artifacts:{DIFF}"),
            self.field == "decisions",
            self.field == "inputs",
            self.field == "artifacts" and not self.key.startswith(PASSED),
            self.field == "docRefs",
            True,
        )
        return groups.index(True)


def reason(name: str, detail: str = "", points: float = 0.0) -> tuple[Why]:
    """The only reason for an entry."""
    return (Why(name, 1.0, round(points, 6), detail),)


def is_evidence(artifact: Mapping[str, Any]) -> bool:
    """Whether an artifact says that something failed; such artifacts are never trimmed."""
    ref = str(artifact.get("ref", ""))
    return ref.startswith((ERROR, FAILED)) or (artifact.get("type") == "verification" and not ref.startswith(PASSED))


def shrinkable(entry: Entry) -> Shrinkable[Entry]:
    """The forms of an entry. Evidence has no smaller form; evidence and documents are never dropped."""
    forms = {REFERENCE: entry} if entry.stays_whole or entry.field not in _PARTS else _forms(entry)
    return Shrinkable(forms, entry.stays_whole or entry.field == "docRefs")


def _forms(entry: Entry) -> dict[str, Entry]:
    """Forms by rung. An artifact's summary shrinks to its first line: how a test ended, or how much changed."""
    rungs = (*LONG[len(LONG) - len(entry.longer) :], EXCERPT)
    # A text that several lengths allow shrinks on the last of their rungs.
    last = dict(zip((*entry.longer, entry.value.get("excerpt")), rungs, strict=True))
    forms = {rung: replace(entry, value={**entry.value, "excerpt": text})
             for text, rung in last.items() if rung != EXCERPT}  # fmt: skip
    for rung, keys in _PARTS[entry.field].items():
        value = {key: entry.value[key] for key in keys.split() if key in entry.value}
        if entry.field == "artifacts" and rung == SUMMARY:
            first, _, more = entry.value.get("summary", "").partition("\n")
            if not more:
                continue
            value["summary"] = first
        if all(value != form.value for form in forms.values()):
            forms[rung] = replace(entry, value=value, digest="", longer=())
    return forms


@frozen
class Turn:
    """A turn pack and its provenance, for which the pack's own schema has no field."""

    pack: dict[str, Any]
    sidecar: dict[str, Any]


@frozen
class Limits:
    """The limit of a pack, and how it is counted: in tokens of the text that `render` makes of it."""

    max_tokens: int
    reason: str | None
    counter: Counter
    counter_name: str
    render: Render


def limits(max_tokens: int | None, reason: str | None, counter: Counter | None, render: Render | None) -> Limits:
    """The requested limits. InvalidRequest if they are invalid, or larger than the default without a reason."""
    tokens = checked_options("build", {"max_tokens": max_tokens, "reason": reason}).get("max_tokens", DEFAULT_TOKENS)
    if tokens > DEFAULT_TOKENS and reason is None:
        fault = f"more than {DEFAULT_TOKENS} tokens need a reason"
        raise InvalidRequest("max_tokens", fault, hint="use --reason investigation|refactor|verification_failure")
    name = "ceil(chars/4)" if counter is None else getattr(counter, "__name__", "custom")
    return Limits(tokens, reason, counter or quarter_of_chars, name, render or minified)


def minified(pack: Mapping[str, Any]) -> str:
    """A pack as printed JSON: on one line, its fields in their order."""
    return json.dumps(pack, ensure_ascii=False, separators=(",", ":"))


def packed(
    header: Mapping[str, Any], given: Iterable[Entry], limits: Limits, redactor: Redactor,
    sources: Mapping[str, Any], hints: Sequence[Hint], stages: Stages,
) -> Answer[Turn]:  # fmt: skip
    """A pack of the entries that fit; the floor alone if even that exceeds the limit.

    Entries keep their size by group, and within a group in the order in which they are given. Of entries with the same
    id, the first counts.
    """
    unique: dict[str, Entry] = {}
    for entry in given:
        unique.setdefault(entry.id, entry)
    wanted = sorted(unique.values(), key=lambda entry: entry.group)
    candidates = [*map(shrinkable, wanted)]

    def measure(entries: Sequence[Entry]) -> int:
        return limits.counter(limits.render(_pack(header, entries, _NO_ID)))

    with stages.stage("fit"):
        rungs = fit_ladder(candidates, limits.max_tokens, measure, RUNGS)
        entries = [one.forms[rung] for one, rung in zip(candidates, rungs, strict=True) if rung != DROPPED]
        number = uuid.uuid5(NAMESPACE, canonical(_pack(header, entries, None)))  # of everything but the id
        pack, spent, counts = _pack(header, entries, str(number)), measure(entries), redactor.counts or {}
        sidecar = {  # it contains no secret either, and nothing that differs between two runs
            "version": 1,
            "packId": pack["packId"],
            **({} if limits.reason is None else {"reason": limits.reason}),
            "budget": {
                "maxTokens": limits.max_tokens,
                "usedTokens": spent,
                "floorTokens": measure([[*one.forms.values()][-1] for one in candidates if one.stays]),
                "over": spent > limits.max_tokens,
                "counter": limits.counter_name,
            },
            "sources": dict(sources),
            "entries": Redactor(redactor.active).data([*map(_provenance, wanted, candidates, rungs)]),
            "redactions": {"total": sum(counts.values()), "byKind": counts, "byPlace": redactor.places},
        }
    hints = redactor.hints((*hints, *_hints(sidecar)))
    return Answer(Turn(pack, sidecar), hints, stages.durations_ms(), redactor.counts)


def _pack(header: Mapping[str, Any], entries: Sequence[Entry], number: str | None) -> dict[str, Any]:
    """The fields of a pack, in the order of its schema."""
    values: dict[str, Any] = {**header, "docRefs": [], **({} if number is None else {"packId": number})}
    for entry in entries:
        if entry.key:
            values.setdefault(entry.field, []).append(entry.value)
        else:
            values[entry.field] = entry.value
    return {name: values[name] for name in schemas.schema("turn_pack")["properties"] if name in values}


def _provenance(entry: Entry, shrinkable: Shrinkable[Entry], rung: str) -> dict[str, Any]:
    value = entry.value if isinstance(entry.value, Mapping) else {}
    digest = entry.digest or value.get("hash") or value.get("sha256")
    return {
        "field": entry.field,
        "id": entry.key or entry.field,
        "source": entry.source,
        "why": [as_data(why) for why in entry.why],
        "largest": _step(next(iter(shrinkable.forms))),
        "shown": _step(rung),
        **({"hash": digest} if digest else {}),
    }


def _step(rung: str) -> str:
    """A rung as the sidecar names it."""
    return EXCERPT if rung in LONG else rung


def _hints(sidecar: Mapping[str, Any]) -> list[Hint]:
    """Hints about the budget and the redactions of a pack."""
    hints, budget, secrets = [], sidecar["budget"], sidecar["redactions"]["byKind"]
    if budget["over"]:
        floor = f"goal, definition of done, document paths and failing evidence alone take {budget['usedTokens']}"
        text = f"over budget: {floor} of {budget['maxTokens']} tokens; they are never trimmed"
        hints.append(Hint("warn", text))
    smaller = [entry["shown"] for entry in sidecar["entries"] if entry["shown"] != entry["largest"]]
    if smaller:
        dropped = smaller.count(DROPPED)
        counts = f"{len(smaller) - dropped} entries were shortened and {dropped} dropped"
        more = "--sidecar FILE lists them, --max-tokens raises the limit"
        hints.append(Hint("action", f"to fit {budget['maxTokens']} tokens {counts}; {more}"))
    if secrets:
        kinds = ", ".join(f"{count} {kind}" for kind, count in secrets.items())
        hints.append(Hint("warn", f"redacted secrets: {kinds}"))
    return hints

"""The slots that come from documents, and what the project's settings add to them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from context_pack.kinds.task import digests
from context_pack.kinds.task.project import FOLDER
from context_pack.kinds.task.slices import reason
from context_pack.kinds.task.work import Work
from contracts.errors import InvalidRequest
from contracts.records import Hint
from contracts.task import Withheld

SCARS = (f"{FOLDER}/01-governance/SCARS.md", f"{FOLDER}/02-architecture/SCARS.md")
STATE = f"{FOLDER}/01-governance/STATE.md"
DECISIONS = (f"{FOLDER}/01-governance/DECISION_LOG.md", f"{FOLDER}/02-architecture/DECISION_LOG.md")
CRITERIA = f"{FOLDER}/00-mission/ACCEPTANCE_MASTER.md"
SETTINGS = f"{FOLDER}/01-governance/settings.json"
PLANS = (f"{FOLDER}/04-plans", f"{FOLDER}/04-phases")
MAX_STATE_BYTES = 64_000  # of 150 lines: longer ones are no digest, whatever the file holds
UNSPECIFIED = "unspecified"


def scars(work: Work) -> tuple[str, str]:
    """All the rules for the compact state, and the slot."""
    slot = "scarsDigest"
    place = work.project.find(*SCARS)
    if place is None:
        work.missing(slot, SCARS[0])
        return "", ""
    found = digests.scars(work.project.text(place), work.task.files)
    if not found.found:
        work.nothing(slot, place, f'has no section "{digests.RULES}"')
    text = work.digest(slot, found, place, digests.SCARS_LINES)
    return text, text


def criteria(work: Work) -> str:
    slot, wanted = "acceptanceCriteria", work.task.criteria
    if work.project.find(CRITERIA) is None:
        work.missing(slot, CRITERIA)
        return ""
    if not wanted:
        work.nothing(slot, f"task {work.task.id}", "lists no criteria")
        return ""
    found, missing = digests.criteria(work.project.text(CRITERIA), wanted)
    if missing:
        work.warn(f"{slot}: {CRITERIA} has no criterion {', '.join(missing)}")
    return work.digest(slot, found, CRITERIA, digests.CRITERIA_LINES)


def state(work: Work) -> str:
    slot = "stateDigest"
    if work.project.find(STATE) is None:
        work.missing(slot, STATE)
        return ""
    head = work.project.head(STATE, digests.STATE_LINES, MAX_STATE_BYTES)
    if not head.whole:
        what = f"the first {len(head.lines)} lines of {head.size_bytes:,} bytes"
        work.hints.append(Hint("info", f"{slot}: {what} of {STATE} are shown"))
        work.withheld.append(Withheld(slot, f"{STATE} from line {len(head.lines) + 1}", f"{digests.STATE_LINES} lines"))
    work.explain(slot, [(STATE, (reason("first_lines", f"{len(head.lines)} lines"),))])
    return work.redactor.text("\n".join(head.lines), STATE)


def compact_state(work: Work, rules: str) -> str:
    slot = "stateDigest"
    place = work.project.find(STATE)
    if place is None:
        work.missing(slot, STATE)
    state = work.project.text(STATE) if place else ""
    decisions = [work.project.text(place) for place in DECISIONS if work.project.find(place)]
    found = digests.compact_state(state, rules, decisions, work.task.files)
    return work.digest(slot, found, STATE, digests.COMPACT_LINES)


def settings(work: Work) -> Mapping[str, Any]:
    if work.project.find(SETTINGS) is None:
        return {}
    settings = work.project.json(SETTINGS)
    if not isinstance(settings, Mapping):
        raise InvalidRequest(SETTINGS, f"{SETTINGS} is not understood: it is not an object")
    return settings


def default(work: Work, settings: Mapping[str, Any], group: str, name: str) -> str:
    """The project's default for a header field that the task does not have."""
    chosen = settings.get(group)
    value = chosen.get("default") if isinstance(chosen, Mapping) else None
    if isinstance(value, str) and value:
        work.hints.append(Hint("info", f"{name}: task {work.task.id} has none; {SETTINGS} says {value}"))
        return value
    work.warn(f"{name}: task {work.task.id} has none, and {SETTINGS} has no default for it")
    return UNSPECIFIED


def boundaries(work: Work, settings: Mapping[str, Any]) -> list[str]:
    slot = "boundaries"
    found: list[str] = []
    plans = _plans(work)
    if not plans:
        phase = f"of phase {work.task.phase}" if work.task.phase else f"(task {work.task.id} has no phase)"
        work.hints.append(Hint("action", f"{slot}: there is no PLAN.md {phase} in {PLANS[0]}"))
    for plan in plans:
        digest = digests.boundaries(work.project.text(plan))
        if not digest.found:
            work.nothing(slot, plan, "has no DO NOT CHANGE list")
        found += [name for name, _ in digest.shown]
        work.explain(slot, [(name, (reason("do_not_change", plan),)) for name, _ in digest.shown])
    own = _own_boundaries(settings)
    work.explain(slot, [(name, (reason("settings", SETTINGS),)) for name in own])
    if not settings:
        work.hints.append(Hint("info", f"{slot}: there is no {SETTINGS}"))
    return [work.redactor.text(item, place=slot) for item in dict.fromkeys([*found, *own])]


def _own_boundaries(settings: Mapping[str, Any]) -> list[str]:
    """`boundaries` of the settings: texts, or `{path, reason}`."""
    value = settings.get("boundaries", [])
    if not isinstance(value, list):
        raise InvalidRequest(SETTINGS, f"{SETTINGS} is not understood: boundaries is not a list")
    found = []
    for item in value:
        text = item
        if isinstance(item, Mapping) and isinstance(item.get("path"), str):
            text = f"{item['path']} — {item['reason']}" if item.get("reason") else item["path"]
        if not isinstance(text, str):
            raise InvalidRequest(SETTINGS, f"{SETTINGS} is not understood: boundaries holds {type(item).__name__}")
        found.append(text)
    return found


def _plans(work: Work) -> list[str]:
    """The PLAN.md of the task's phase; where several folders start with the phase, each of them counts."""
    phase = work.task.phase
    for place in PLANS if phase else ():
        names = work.project.folders(place)
        chosen = [name for name in names if name == phase] or [name for name in names if _is_of_phase(name, phase)]
        found = [plan for name in chosen if (plan := work.project.find(f"{place}/{name}/PLAN.md"))]
        if len(found) > 1:
            work.warn(f"boundaries: {len(found)} plans are of phase {phase}: {', '.join(found)}")
        if found:
            return found
    return []


def _is_of_phase(folder: str, phase: str) -> bool:
    """Whether a folder's name starts with the phase, by whole words; `1` and `01` are the same number."""
    if folder.startswith(phase):
        return not folder[len(phase) : len(phase) + 1].isalnum()
    own, other = (re.match(r"(?:phase[-_ ]?)?0*(\d+)(?![A-Za-z0-9])", name.lower()) for name in (folder, phase))
    return own is not None and other is not None and own[1] == other[1] and other.end() == len(phase)

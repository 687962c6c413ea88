"""The slot of boundaries: what the plan of the task's phase says not to change, then those of the settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from context_pack.core.markdown import RULE, Document, bullets
from context_pack.kinds.task.draft import Draft, candidate
from context_pack.kinds.task.project import FOLDER, not_understood

SLOT = "boundaries"
SETTINGS = f"{FOLDER}/01-governance/settings.json"
PLANS = (f"{FOLDER}/04-plans", f"{FOLDER}/04-phases")
_DO_NOT_CHANGE = re.compile(r"[*_#\s>]*DO NOT (?:CHANGE|TOUCH|MODIFY)\b[^\n]*", re.IGNORECASE)
_LABEL = re.compile(r"[ \t]*(?:\*\*|__)[^*_]+:?(?:\*\*|__):?[ \t]*$|[ \t]*[A-Z][A-Z ]{3,}:[ \t]*$")


def boundaries(draft: Draft, settings: Mapping[str, Any]) -> list[str]:
    texts: list[str] = []
    plans = _plans(draft)
    if not plans:
        phase = f"of phase {draft.task.phase}" if draft.task.phase else f"(task {draft.task.id} has no phase)"
        draft.inform(f"{SLOT}: there is no PLAN.md {phase} in {PLANS[0]}")
    for place, text in plans:
        items = listed(text)
        if items is None:
            draft.inform(f"{SLOT} is empty: {place} has no DO NOT CHANGE list")
        texts += draft.show(SLOT, [candidate(item, item, ("do_not_change", place)) for item in items or ()])
    own = settings.get("boundaries", [])
    if not isinstance(own, list):
        raise not_understood(SETTINGS, "boundaries is not a list")
    texts += draft.show(SLOT, [candidate(item, item, ("settings", SETTINGS)) for item in map(_text, own)])
    if not settings:
        draft.inform(f"{SLOT}: there is no {SETTINGS}")
    return [draft.redactor.text(item, place=SLOT) for item in dict.fromkeys(texts)]


def _text(item: Any) -> str:
    """A boundary of the settings: a text, or `{path, reason}`."""
    if isinstance(item, str):
        return item
    if not isinstance(item, Mapping) or not isinstance(item.get("path"), str):
        raise not_understood(SETTINGS, f"boundaries holds {type(item).__name__}")
    return f"{item['path']} — {item['reason']}" if item.get("reason") else str(item["path"])


def listed(text: str) -> list[str] | None:
    """The bullets under each `DO NOT CHANGE`, verbatim: a heading's whole section, a label's list; None without one."""
    document = Document(text)
    lines = document.lines
    starts = [n for n, line in enumerate(lines) if not document.code[n] and _DO_NOT_CHANGE.fullmatch(line)]

    def ends_label(number: int) -> object:
        return _LABEL.match(lines[number]) or RULE.fullmatch(lines[number])

    ends = [document.end(n) if n in document.headings else document.end(n, ends_label) for n in starts]
    items = [item for start, end in zip(starts, ends, strict=True) for item in bullets(lines[start + 1 : end])]
    return list(dict.fromkeys(items)) if starts else None


def _plans(draft: Draft) -> list[tuple[str, str]]:
    """(place, text) of the PLAN.md of the task's phase; several if several folders start with the phase."""
    phase, project = draft.task.phase, draft.project
    for place in PLANS if phase else ():
        names = project.names(place)
        chosen = [phase] if phase in names else [name for name in names if _is_of_phase(name, phase)]
        plans = [plan for name in chosen if (plan := project.text(f"{place}/{name}/PLAN.md"))]
        if len(plans) > 1:
            draft.warn(f"{SLOT}: {len(plans)} plans belong to phase {phase}: {', '.join(plan[0] for plan in plans)}")
        if plans:
            return plans
    return []


def _is_of_phase(folder: str, phase: str) -> bool:
    """Whether a folder's name starts with the phase, by whole words; `1` and `01` are the same number."""
    if folder.startswith(phase):
        return not folder[len(phase) : len(phase) + 1].isalnum()
    own, other = (re.match(r"(?:phase[-_ ]?)?0*(\d+)(?![A-Za-z0-9])", name.lower()) for name in (folder, phase))
    return own is not None and other is not None and own[1] == other[1] and other.end() == len(phase)

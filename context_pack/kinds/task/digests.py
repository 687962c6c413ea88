"""The slots that are cut out of documents: prevention rules, acceptance criteria, the project's state."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import replace

from context_pack.core import markdown
from context_pack.core.fit import Candidate
from context_pack.io.globs import holds
from context_pack.io.paths import plain
from context_pack.kinds.task.draft import Digest, Draft, Lines, candidate, fit_lines
from context_pack.kinds.task.project import FOLDER, decoded
from contracts.task import Withheld

SCARS = (f"{FOLDER}/01-governance/SCARS.md", f"{FOLDER}/02-architecture/SCARS.md")
CRITERIA = f"{FOLDER}/00-mission/ACCEPTANCE_MASTER.md"
STATE = f"{FOLDER}/01-governance/STATE.md"
DECISIONS = (f"{FOLDER}/01-governance/DECISION_LOG.md", f"{FOLDER}/02-architecture/DECISION_LOG.md")
SCARS_LINES, CRITERIA_LINES, STATE_LINES, COMPACT_LINES = 30, 50, 150, 80
MAX_STATE_CHARS = 200_000  # of 150 lines; more would not be a digest
RULES = "Active Prevention Rules"
# Every compact state ends with this sentence.
NOTE = "Do not ask for more context — request with NEXUS_PERMISSION_REQUEST if truly needed"
_ID = r"[A-Za-z][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*"
# `AC-1:`, `[MUST] AC-01: x`, `- [ ] **AC-1** - x`, `### AC-1: x`, `| AC-1 | x |`; in a heading or
# in emphasis, an id needs no mark after it, as in `### AC-1 x` and `**AC-1** x`.
_CRITERION = re.compile(
    r"(?P<lead>[ \t]*(?:[-*+][ \t]+)?(?:\[[ xX]\][ \t]+)?(?:\[[A-Z]+\][ \t]*)?"
    rf"|(?P<head>\#{{1,6}}[ \t]+)(?:\[[A-Z]+\][ \t]*)?|[ \t]*\|[ \t]*)(?P<mark>[*_`\[]+)?(?P<id>{_ID})[*_`\]]*"
    r"(?P<end>[ \t]*(?::|\||—|–|-[ \t]|$|[ \t]\()|(?(head)\.?[ \t]|(?(mark)\.?[ \t]|(?!))))"
)
_GOAL = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[*_]*(?:current )?phase goal[*_]*:", re.IGNORECASE)


def scars_digest(draft: Draft) -> str:
    slot = "scarsDigest"
    place, text = draft.document(slot, *SCARS)
    if not place:
        return ""
    digest = prevention_rules(text, draft.task.files)
    if digest is None:
        draft.inform(f'{slot} is empty: {place} has no section "{RULES}"')
    return draft.digest(slot, digest or Digest(""), place, SCARS_LINES)


def prevention_rules(text: str, files: Sequence[str]) -> Digest | None:
    """Heading and table of the prevention rules; None if there is no such section."""
    section = markdown.Document(text).section(RULES)
    if not section:
        return None
    of_rules = markdown.tables(section)
    head = (section[0].rstrip(), *(of_rules[0].head if of_rules else ()))
    rules = [_rule(row, table, files) for table in of_rules for row in table.rows]
    if len(head) + len(rules) > SCARS_LINES:
        rules.sort(key=lambda rule: rule.why[0].name != "applies_to")  # stable: the document's order within each
    return fit_lines(rules, SCARS_LINES, head)


def _rule(row: str, table: markdown.Table, files: Sequence[str]) -> Candidate[Lines]:
    values = markdown.cells(row)
    columns = zip(table.columns, values, strict=False)
    scope = next((value for name, value in columns if markdown.bare(name).lower().startswith("appl")), "")
    matched = next((file for file in files if applies_to(scope, file)), None)
    why = ("active_rule", "") if matched is None else ("applies_to", f"{markdown.unquoted(scope)} matches {matched}")
    return candidate(markdown.bare(values[0]) or row, (row.rstrip(),), why)


def applies_to(scope: str, file: str) -> bool:
    """Whether a rule's scope covers a file. A scope is a path, a glob (`*` crosses folders here), or several."""
    path = plain(file)
    for part in re.split(r"[,;]|\s+and\s+", scope):
        wanted = markdown.unquoted(part)
        if wanted.lower() in ("all", "all files", "everything", "*", "**", "any"):
            return True
        if wanted and (fnmatch.fnmatchcase(path, wanted) or holds(wanted, path) or wanted in path.split("/")):
            return True
    return False


def acceptance_criteria(draft: Draft) -> str:
    slot, wanted = "acceptanceCriteria", draft.task.criteria
    place, text = draft.document(slot, CRITERIA)
    if place and not wanted:
        draft.inform(f"{slot} is empty: task {draft.task.id} lists no criteria")
    if not place or not wanted:
        return ""
    digest, missing = criteria(text, wanted)
    if missing:
        draft.warn(f"{slot}: {CRITERIA} has no criterion {', '.join(missing)}")
    return draft.digest(slot, digest, CRITERIA, CRITERIA_LINES)


def criteria(text: str, ids: Sequence[str]) -> tuple[Digest, list[str]]:
    """The criteria with these ids, in the order of the ids, and the ids that no criterion has.

    A criterion ends at the next one or at the end of its section. One that does not fit is left out as a whole; only
    the first is cut, if it alone is too long.
    """
    blocks = _blocks(markdown.Document(text), ids)
    wanted = list(dict.fromkeys(ids))
    parts = [candidate(name, blocks[name], ("task", f"{name} is listed")) for name in wanted if name in blocks]
    missing = [name for name in wanted if name not in blocks]
    if parts and len(parts[0].item) > CRITERIA_LINES:
        first, *others = parts
        left_out = (*(other.id for other in others), f"{first.id} from its line {CRITERIA_LINES + 1}")
        return Digest("\n".join(first.item[:CRITERIA_LINES]), (first,), left_out), missing
    return fit_lines(parts, CRITERIA_LINES, gap=any(len(part.item) > 1 for part in parts)), missing


def _blocks(document: markdown.Document, ids: Sequence[str]) -> dict[str, Lines]:
    """The lines of each wanted criterion, by id. The first with an id counts; it ends at the next one or at a rule."""
    families, lines = {"AC-"} | {_family(name) for name in ids}, document.lines
    starts = {
        number: match
        for number, line in enumerate(lines)
        if not document.code[number]
        and (match := _CRITERION.match(line))
        and (match["id"] in ids or _family(match["id"]) in families)
    }
    blocks: dict[str, Lines] = {}
    for start, match in starts.items():
        if match["id"] in ids and match["id"] not in blocks:
            end = document.end(start, lambda number: number in starts or markdown.RULE.fullmatch(lines[number]))
            end = start + 1 if match["lead"].strip() == "|" else end
            blocks[match["id"]] = tuple("\n".join(line.rstrip() for line in lines[start:end]).rstrip("\n").split("\n"))
    return blocks


def _family(name: str) -> str:
    """`AC-` for `AC-12`: the prefix that the ids of a document share; the whole name if it contains no number."""
    match = re.match(r"(.*?[A-Za-z_-])\d", name)
    return match[1].upper() if match else name


def state_digest(draft: Draft) -> str:
    """The first lines of the state, a document that may be very large."""
    slot = "stateDigest"
    data = draft.project.read(STATE)
    if data is None:
        draft.missing(slot, STATE)
        return ""
    text = decoded(data, STATE)
    lines = text[:MAX_STATE_CHARS].split("\n")
    is_cut = len(text) > MAX_STATE_CHARS
    shown = (lines[: -1 if is_cut else None] or lines)[:STATE_LINES]
    if not text.strip():
        draft.inform(f"{slot} is empty: {STATE} is empty")
    if is_cut or any(lines[STATE_LINES:]):
        draft.inform(f"{slot}: the first {len(shown)} lines of {len(data):,} bytes of {STATE} are shown")
        draft.withheld.append(Withheld(slot, f"{STATE} from line {len(shown) + 1}", f"{STATE_LINES} lines"))
    draft.show(slot, [candidate(STATE, None, ("first_lines", f"{len(shown)} lines"))])
    return draft.redactor.text("\n".join(shown), STATE)


def compact_state_digest(draft: Draft, rules: str) -> str:
    slot = "stateDigest"
    logs = [document[1] for place in DECISIONS if (document := draft.project.text(place))]
    digest = compact_state(draft.document(slot, STATE)[1], rules, logs, draft.task.files)
    return draft.digest(slot, digest, STATE, COMPACT_LINES)


def compact_state(state: str, rules: str, logs: Sequence[str], files: Sequence[str]) -> Digest:
    """The phase goal, the active rules and the decisions about these files, most important first, and the note.

    The goal may fill half of the lines, and more if the rest needs less.
    """
    goal = [candidate("phase goal", (line,), ("phase_goal", "")) for line in _goal(state)]
    active = [candidate(f"rules:{number}", (line,), ("active_rule", ""))
              for number, line in enumerate(rules.split("\n") if rules else (), 1)]  # fmt: skip
    about = _decisions([state, *logs], files)
    others = 1 + len(active) + sum(len(decision.item) for decision in about)
    room = max(COMPACT_LINES // 2, COMPACT_LINES - others)
    digest = fit_lines([*goal[:room], *active, *about], COMPACT_LINES - 1)
    text = f"{digest.text}\n{NOTE}" if digest.parts else NOTE
    return replace(digest, text=text, left_out=(*(line.id for line in goal[room:]), *digest.left_out))


def _goal(state: str) -> list[str]:
    """The lines of the section about the phase goal, else the line that states the goal."""
    section = markdown.Document(state).section("Current Phase Goal", "Phase Goal")
    lines = section or [line for line in state.split("\n") if _GOAL.match(line)][:1]
    return [line.rstrip() for line in lines if line.strip()]


def _decisions(documents: Sequence[str], files: Sequence[str]) -> list[Candidate[Lines]]:
    """The rows of decision tables, and the listed decisions, that name a modified file or a folder above it."""
    by_row: dict[str, Candidate[Lines]] = {}
    for document in documents:
        section = markdown.Document(document).section("Recent Decisions", "Decisions")
        rows = [row for table in markdown.tables(document.split("\n"))
                if "decision" in " ".join(table.columns).lower() for row in table.rows]  # fmt: skip
        for row in (*rows, *(f"- {item}" for item in markdown.bullets(section))):
            about = next((file for file in files if _names(row, file)), None)
            if about is not None:
                name = markdown.bare(markdown.cells(row)[0]) if row.lstrip().startswith("|") else row[2:60]
                by_row.setdefault(row, candidate(name, tuple(map(str.rstrip, row.split("\n"))), ("names_file", about)))
    return list(by_row.values())


def _names(text: str, file: str) -> bool:
    """Whether a text names a file by its path, by its name, or by a folder above it."""
    path = plain(file)
    folders = ["/".join(path.split("/")[:count]) + "/" for count in range(path.count("/"), 0, -1)]
    names = (path, path.rpartition("/")[2], *folders)
    return any(re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-]|\.\w)", text) for name in names)

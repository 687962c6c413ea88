"""A task packet from its parts. Every text is redacted before it is shown."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from context_pack.answer import Answer
from context_pack.kinds.task import documents, records
from context_pack.kinds.task.project import Project, project_root
from context_pack.kinds.task.tasks import is_time, read_task
from context_pack.kinds.task.work import Facts, Work
from context_pack.redaction import Redactor
from context_pack.stages import Stages
from contracts.errors import InvalidRequest
from contracts.records import Hint
from contracts.task import Explanation, TaskPacket


def answer(
    name: str,
    root: str | Path | None = None,
    *,
    digest: str = "full",
    explain: bool = False,
    generated_at: str | None = None,
    facts: Facts | None = None,
    no_redact: bool = False,
    files: bool = True,
) -> Answer[TaskPacket]:
    """The packet for a task id, or a task's JSON file where `files` may be named.

    `generated_at` is the packet's time: else the task's or the graph's own, else SOURCE_DATE_EPOCH, else now: only in
    the last case can two packets of one project differ. `facts` answers where the index files are missing.
    """
    from context_pack.kinds.task.code_facts import IndexFacts

    if digest not in ("full", "compact"):
        raise InvalidRequest("digest", f"digest must be full or compact, not {digest!r}")
    if generated_at is not None and not is_time(generated_at):
        raise InvalidRequest("generated_at", f"{generated_at!r} is no date and time in ISO 8601")
    stages = Stages()
    with stages.stage("read"):
        project = Project(project_root(root))
        task = read_task(project, name, files=files)
    work = Work(project, task, facts or IndexFacts.of, Redactor(not no_redact))
    with stages.stage("slots"):
        packet = _packet(work, digest, generated_at or task.stamp or _now(), explain)
    hints = work.redactor.hints((*work.hints, *_redactions(work.redactor)))
    return Answer(packet, hints, stages.durations_ms(), work.redactor.account)


def _now() -> str:
    """SOURCE_DATE_EPOCH (reproducible-builds.org) where it is set, else the clock; UTC."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return now.isoformat(timespec="seconds").replace("+00:00", "Z")


def _packet(work: Work, digest: str, generated_at: str, explain: bool) -> TaskPacket:
    task, path = work.task, work.redactor.path
    settings = documents.settings(work)
    content = records.files_content(work)
    rules, scars = documents.scars(work)
    packet = TaskPacket(
        task_id=task.id,
        tdd_mode=task.tdd_mode or documents.default(work, settings, "tdd", "tddMode"),
        risk_tier=task.risk_tier or documents.default(work, settings, "risk", "riskTier"),
        generated_at=generated_at,
        files=tuple(map(path, task.files)),
        files_content={path(file): text for file, text in content.items()},
        architecture_slice={"modules": records.architecture(work)},
        contracts_slice={"contracts": records.contracts(work)},
        dependency_symbols=records.dependency_symbols(work),
        tests_slice=tuple(map(path, records.tests(work))),
        scars_digest=scars,
        acceptance_criteria=documents.criteria(work),
        state_digest=documents.compact_state(work, rules) if digest == "compact" else documents.state(work),
        boundaries=tuple(documents.boundaries(work, settings)),
        explain=Explanation(tuple(work.shown), tuple(work.withheld)) if explain else None,
    )
    return packet


def _redactions(redactor: Redactor) -> list[Hint]:
    found = []
    for place, counts in redactor.places.items():
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        found.append(Hint("warn", f"{place}: secrets taken out: {kinds}"))
    return found

"""How many of a commit's files are found from one of its changed places, and in the pack for its subject.

From a changed place, as an editor asks (`ctxpack related FILE:LINE`; the peer's `find_related` for the chunk with the
line): are the commit's other files among the ten nearest places? In the pack for the commit's subject: the first
primary item shows one changed file; which of the others are shown by related items only?
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.engines import TOP, Peer
from benchmarks.suites import Question, Repository, Target
from context_pack.session import Session
from contracts.errors import CtxpackError


@dataclass(slots=True)
class LocalisationCounts:
    """Counts of a commit's other files, and of those that were found."""

    from_places: int = 0  # other files, counted from each changed place
    hits: int = 0  # of these, in the ten places of `ctxpack related`
    peer_hits: int = 0
    in_packs: int = 0  # other files, counted from the first primary item's file
    by_primary: int = 0
    by_related: int = 0


def localise(repository: Repository, session: Session, peer: Peer | None, counts: LocalisationCounts) -> None:
    """Add the counts of a repository's commits that changed several files. The peer has indexed the tree."""
    for question in repository.questions:
        if len(question.targets) > 1:
            _from_places(question, session, peer, counts)
            _in_pack(question, session, counts)


def _from_places(question: Question, session: Session, peer: Peer | None, counts: LocalisationCounts) -> None:
    first: dict[str, Target] = {}
    for place in question.places:
        first.setdefault(place.path, place)
    for path, place in first.items():
        others = {target.path for target in question.targets} - {path}
        line = place.start_line or 1
        try:
            files = {hit.file for hit in session.related(f"{path}:{line}", top_k=TOP).data.hits}
        except CtxpackError:
            continue  # the suite's tree has the file, but the index leaves it out: generated or too long
        counts.from_places += len(others)
        counts.hits += len(others & files)
        if peer:
            counts.peer_hits += len(others & {near.path for near in peer.related(path, line)})


def _in_pack(question: Question, session: Session, counts: LocalisationCounts) -> None:
    shown: dict[str, list[str]] = {"primary": [], "related": []}
    for item in session.query(question.query).data.items:
        shown[item.role].append(item.file)
    targets = {target.path for target in question.targets}
    first = next((file for file in shown["primary"] if file in targets), None)
    if first:
        others = targets - {first}
        by_primary = others & set(shown["primary"])
        counts.in_packs += len(others)
        counts.by_primary += len(by_primary)
        counts.by_related += len((others & set(shown["related"])) - by_primary)


def summary_lines(counts: LocalisationCounts) -> list[str]:
    """The counts as lines of Markdown."""
    if not counts.from_places:
        return []
    peer_share = f"; semble's `find_related` {counts.peer_hits / counts.from_places:.3f}" if counts.peer_hits else ""
    related, primary = (count / max(1, counts.in_packs) for count in (counts.by_related, counts.by_primary))
    return [
        f"- Commits, asked from a changed place: of {counts.from_places:,} other files of the commit, the ten places "
        f"of `ctxpack related` show {counts.hits / counts.from_places:.3f}{peer_share}.",
        f"- Commits, in the pack for the subject: of {counts.in_packs:,} files other than the first hit, related items "
        f"alone show {related:.3f}, further primary items {primary:.3f}.",
    ]


def figures(counts: LocalisationCounts) -> dict[str, Any]:
    return {name: getattr(counts, name) for name in LocalisationCounts.__slots__}

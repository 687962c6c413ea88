"""The two compared tools behind one interface: open a repository, then return the lines shown for a question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from benchmarks.engines import Peer
from benchmarks.explore.score import first_come, lines_of
from benchmarks.explore.suite import Repository, Suite
from benchmarks.metrics import Place
from context_pack.answer import Answer
from context_pack.benchmark.measures import Line, lines_shown
from context_pack.envelope import answered
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from contracts.records import Pack
from index import open_index
from index.search.ranker import Ranker

PEER_RESULTS = 60  # more than fit into the largest budget


class Side(Protocol):
    @property
    def name(self) -> str: ...

    def open(self, repository: Repository) -> None:
        """Index a repository; later questions go to it."""
        ...

    def shown(self, query: str, budget_chars: int) -> tuple[set[Line], int]:
        """The lines that are shown within a budget, and the number of items that show them."""
        ...


class Packs:
    """Ours: the packs of `ctxpack query` in process, with the default options.

    `rankers` maps repositories to a ranker that was trained without them; the others get the shipped ranker.
    """

    name = "ctxpack"

    def __init__(self, home: Path, model: str = "embedded", rankers: Mapping[str, Ranker] | None = None) -> None:
        self._home, self._model, self._rankers = home, model, rankers or {}
        self.session: Session | None = None

    def open(self, repository: Repository) -> None:
        index = open_index(repository.root, home=self._home / repository.name, model=self._model)
        if repository.name in self._rankers:
            index.ranker = self._rankers[repository.name]
        self.session = Session(index, Layer({"model": self._model}))

    def shown(self, query: str, budget_chars: int) -> tuple[set[Line], int]:
        answer = self.ask(query, budget_chars)
        items = answer.data.items if answer else ()
        return lines_shown(items), len(items)

    def ask(self, query: str, budget_chars: int) -> Answer[Pack] | None:
        """The answer; None if nothing fits."""
        assert self.session is not None, "open a repository first"
        try:
            return self.session.query(query, max_chars=budget_chars)
        except BudgetTooSmall:
            return None


class PeerResults:
    """semble's results in order; a result that does not fit is left out."""

    name = "semble"

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._results: dict[str, list[Place]] = {}

    def open(self, repository: Repository) -> None:
        self._peer.index(repository.root)
        self._results = {}

    def results(self, query: str) -> list[Place]:
        if query not in self._results:
            self._results[query] = self._peer.search(query, deep=PEER_RESULTS).deep
        return self._results[query]

    def shown(self, query: str, budget_chars: int) -> tuple[set[Line], int]:
        places = first_come(self.results(query), budget_chars)
        return set().union(*map(lines_of, places)), len(places)


def confidence(answer: Answer[Pack] | None) -> str:
    """The grade in the envelope of an answer."""
    if answer is None:
        return "none"
    return grade(answered(answer).meta, answer.data)


def grade(meta: Mapping[str, object], pack: Pack) -> str:
    """The `confidence` in `meta`, alone or with its reason; without it, whether anything is shown at all."""
    confidence = meta.get("confidence")
    if isinstance(confidence, Mapping):
        confidence = confidence.get("grade")
    return str(confidence) if confidence else ("ungraded" if pack.items else "none")


def rankers(suite: Suite, folder: Path | None) -> dict[str, Ranker]:
    """Repository -> the ranker that was trained without it; empty without a folder.

    KeyError, with a sentence, if no ranker left a repository of the suite out.
    """
    if folder is None:
        return {}
    documents = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    left_out = {name: Ranker.from_document(document) for document in documents for name in document["left_out"]}
    if absent := [one.name for one in suite.repositories if one.name not in left_out]:
        raise KeyError(f"no ranker in {folder} left these out: {', '.join(absent)}")
    return {one.name: left_out[one.name] for one in suite.repositories}

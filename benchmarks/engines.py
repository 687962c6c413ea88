"""The compared tools behind one interface: index a tree, answer a question, and report the seconds of both."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks.metrics import Place
from context_pack.options.resolve import Layer
from context_pack.session import Session
from index import Index, open_index
from index.search.ranker import Ranker

TOP, DEEP = 10, 50


@dataclass(frozen=True, slots=True)
class Answer:
    """The ten best places, the fifty best (for budgets), and the seconds that the ten took."""

    top: list[Place]
    deep: list[Place]
    seconds: float


@dataclass(frozen=True, slots=True)
class IndexCost:
    seconds: float
    chunks: int


class Engine(Protocol):
    @property
    def name(self) -> str: ...

    def index(self, root: Path) -> IndexCost:
        """Index a tree from scratch; later questions go to it."""
        ...

    def search(self, query: str, *, deep: int = DEEP) -> Answer:
        """Answer one question; with `deep` 0, the longer list is left out."""
        ...


class Ctxpack:
    """This project, in process. `home` keeps the indexes; each tree is indexed again unless `keep` is set.

    `rankers` maps trees to rankers that were trained without them; they replace the ranker that ships.
    """

    def __init__(
        self, home: Path, model: str = "embedded", *, keep: bool = False, rankers: Mapping[Path, Ranker] | None = None
    ) -> None:
        self.home = home
        self.model = model
        self.keep = keep
        self.rankers = rankers or {}
        self._index: Index | None = None
        self._session: Session | None = None

    @property
    def name(self) -> str:
        return "ctxpack"

    def index(self, root: Path) -> IndexCost:
        if not self.keep:
            shutil.rmtree(self.home, ignore_errors=True)
        began = time.perf_counter()
        self._index = open_index(root, home=self.home, model=self.model)
        if root in self.rankers:
            self._index.ranker = self.rankers[root]
        self._session = Session(self._index, Layer({"model": self.model}))
        return IndexCost(time.perf_counter() - began, self._index.chunks)

    def search(self, query: str, *, deep: int = DEEP) -> Answer:
        began = time.perf_counter()
        top = self._places(query, TOP)
        seconds = time.perf_counter() - began
        return Answer(top, self._places(query, deep) if deep else [], seconds)

    def pack_seconds(self, query: str) -> float:
        """The seconds of a query's pack, with the default options."""
        assert self._session is not None, "index a tree first"
        began = time.perf_counter()
        self._session.query(query)
        return time.perf_counter() - began

    def _places(self, query: str, top_k: int) -> list[Place]:
        index = self._index
        assert index is not None, "index a tree first"
        chunks = [index.chunk(hit.chunk) for hit in index.search(query, top_k=top_k)]
        return [Place(chunk.file, chunk.start_line, chunk.end_line, len(chunk.text)) for chunk in chunks]


class Peer:
    """semble in an interpreter of its own, which exchanges JSON lines (benchmarks/peer.py)."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @property
    def name(self) -> str:
        return "semble"

    def index(self, root: Path) -> IndexCost:
        answer = self._ask({"do": "index", "root": str(root)})
        return IndexCost(answer["seconds"], answer["chunks"])

    def search(self, query: str, *, deep: int = DEEP) -> Answer:
        answer = self._ask({"do": "search", "query": query, "top": TOP, "deep": deep})
        top, longer = ([Place(*row) for row in answer[part]] for part in ("top", "deep"))
        return Answer(top, longer, answer["seconds"])

    def related(self, path: str, line: int) -> list[Place]:
        """The places that semble finds similar to the chunk with this line."""
        answer = self._ask({"do": "related", "path": path, "line": line, "top": TOP})
        return [Place(*row) for row in answer["top"]]

    def answer(self, query: str, top: int, lines: int | None) -> tuple[str, list[Place]]:
        """The text of semble's tool for agents, with `lines` lines of each result, and the places."""
        answer = self._ask({"do": "answer", "query": query, "top": top, "lines": lines})
        return answer["text"], [Place(*row) for row in answer["top"]]

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer stopped with exit code {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


@contextmanager
def ctxpack(model: str = "embedded", rankers: Mapping[Path, Ranker] | None = None) -> Iterator[Ctxpack]:
    """Ours, with a scratch home that is removed at the end."""
    with tempfile.TemporaryDirectory() as scratch:
        yield Ctxpack(Path(scratch) / "home", model, rankers=rankers)


@contextmanager
def peer(python: Path, model: Path, workers: int | None = None) -> Iterator[Peer]:
    """semble with a model2vec folder; `workers` are its indexing processes (its library's default is one)."""
    environment = dict(os.environ)
    if workers is not None:
        environment["SEMBLE_INDEX_WORKERS"] = str(workers)
    command = [str(python), str(Path(__file__).with_name("peer.py")), str(model)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        try:
            yield Peer(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait()

"""Repositories for turn packs, and a stand-in for the index where its ranking does not matter."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from context_pack.cli.init import write_example
from context_pack.kinds.turn import Turn, answer
from contracts.errors import NoFiles
from contracts.records import Why
from index.types import RANKED_SCORE, ChunkRow, Filters, Follow, Order, Scored, SymbolRow, Tie
from tests.code_index import code_index


class StandIn:
    """One chunk per file; its score is the share of the query's words that it contains, as that of a ranked hit."""

    model_id = "stand-in"

    def __init__(self, root: Path, paths: Sequence[str], edges: dict[tuple[str, str], list[str]] | None = None) -> None:
        self._paths = sorted(paths)
        self._edges = edges or {}  # by (file, label)
        self._texts = [(root / path).read_bytes().decode("utf-8", "replace") for path in self._paths]

    def paths(self) -> list[str]:
        return self._paths

    def defined_in(self, file: str) -> list[SymbolRow]:
        return []

    def linked(self, file: str, label: str, *, backward: bool = False) -> list[str]:
        if backward:
            return sorted(source for (source, kind), ends in self._edges.items() if kind == label and file in ends)
        return self._edges.get((file, label), [])

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        words = query.lower().split()
        left_out = {pattern.lstrip("/") for pattern in (filters.exclude if filters else ())}
        found = []
        for number, text in enumerate(self._texts):
            share = RANKED_SCORE * sum(word in text.lower() for word in words) / max(len(words), 1)
            if share and self._paths[number] not in left_out:
                found.append(Scored(number, share, share, (Why("words", share, share),)))
        return sorted(found, key=lambda one: (-one.score, one.chunk))[:top_k]

    def chunk(self, number: int) -> ChunkRow:
        text = self._texts[number]
        return ChunkRow(number, self._paths[number], "text", 1, text.count("\n") + 1, "block", None, text)

    def related(
        self, primaries: Sequence[int], query: str, follow: Follow, *, filters: Filters | None = None
    ) -> list[Tie]:
        return []


def no_index(root: Path) -> Any:
    raise NoFiles(f"{root.name} holds nothing that can be indexed")


REQUEST: dict[str, Any] = {
    "goal": "Cap the backoff delay",
    "definitionOfDone": ["The delay never exceeds 30 seconds"],
    "globalMode": "implementation",
}


class TurnProject:
    """A folder, which is a repository once `git` was called; `ask` builds the pack of a request."""

    def __init__(self, root: Path, example: bool = True) -> None:
        self.root = root
        if example:
            write_example("turn", root)
        else:
            root.mkdir(parents=True, exist_ok=True)

    def write(self, place: str, content: str | bytes) -> None:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    def git(self, *arguments: str) -> str:
        names = {
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@b",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@b",
        }
        dates = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
        environment = {**os.environ, **names, **dates, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self) -> str:
        """Commits everything; the first call creates the repository."""
        if not (self.root / ".git").exists():
            self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "state")
        return self.git("rev-parse", "HEAD")

    def code(self, edges: dict[tuple[str, str], list[str]] | None = None) -> StandIn:
        paths = [
            path.relative_to(self.root).as_posix()
            for path in self.root.rglob("*")
            if path.is_file() and ".git" not in path.relative_to(self.root).parts
        ]
        return StandIn(self.root, paths, edges)

    def turn(self, request: dict[str, Any] | None = None, **options: Any) -> tuple[Turn, list[str]]:
        """The turn for REQUEST with these fields, and the texts of its hints."""
        edges = options.pop("edges", None)
        with code_index(options.pop("open_code", lambda root: self.code(edges))):
            found = answer({**REQUEST, **(request or {})}, self.root, **options)
        return found.data, [hint.text for hint in found.hints]

    def pack(self, request: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        return self.turn(request, **options)[0].pack

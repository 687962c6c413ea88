"""A project with planned tasks, to change and query: the example of `ctxpack init task`, made after the seed's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from context_pack.cli.init import write_example
from context_pack.kinds.task import answer
from contracts.task import SLOTS, packet_data
from index.types import SymbolRow
from tests.code_index import code_index

FILES = ["src/auth/middleware.ts", "src/auth/middleware.test.ts"]


class StandIn:
    """A code index with the given imports, exports and tests of files."""

    def __init__(self, imports: dict[str, list[str]], exports: dict[str, list[str]], tests: dict[str, list[str]]):
        self._imports, self._exports, self._tests = imports, exports, tests

    def linked(self, file: str, label: str, *, backward: bool = False) -> Sequence[str]:
        return (self._tests if backward else self._imports).get(file, [])

    def language(self, file: str) -> str:
        return "typescript"

    def file_text(self, file: str) -> str:
        return "\n".join(f"export const {name} = 1" for name in self._exports.get(file, []))

    def defined_in(self, file: str) -> list[SymbolRow]:
        names = self._exports.get(file, [])
        return [SymbolRow(name, name, "constant", file, line, 0) for line, name in enumerate(names, start=1)]


NOTHING = StandIn({}, {}, {})


class TaskProject:
    """The example project in a folder; `packet` makes the packet of a task and checks the order of its slots."""

    def __init__(self, root: Path) -> None:
        self.root = root
        write_example("task", root)

    def write(self, place: str, content: Any) -> None:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            path.write_text(text, "utf-8")

    def nexus(self, place: str, content: Any) -> None:
        self.write(f".nexus/{place}", content)

    def remove(self, place: str) -> None:
        (self.root / ".nexus" / place).unlink()

    def task(self, **fields: Any) -> None:
        """Replaces task T02 with one that has these fields."""
        task = {"id": "T02", "phase": "02", "riskTier": "high", "tddMode": "hard", "filesModified": FILES, **fields}
        self.nexus("05-runtime/TASK_GRAPH.json", {"tasks": [task], "lastUpdated": "2026-03-02T09:30:00Z"})

    def ask(self, name: str = "T02", **options: Any) -> tuple[dict[str, Any], list[str]]:
        """The packet's data and the texts of its hints."""
        code = options.pop("code", NOTHING)
        with code_index(lambda root: code):
            found = answer(name, self.root, **options)
        data = packet_data(found.data)
        assert list(data)[4:14] == list(SLOTS)
        return data, [hint.text for hint in found.hints]

    def packet(self, name: str = "T02", **options: Any) -> dict[str, Any]:
        return self.ask(name, **options)[0]

    def slot(self, slot: str, **options: Any) -> Any:
        return self.packet(**options)[slot]

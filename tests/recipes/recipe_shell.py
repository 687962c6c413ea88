"""The command line in its own process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import forks

ROOT = Path(__file__).resolve().parents[2]


def copied(files: Iterable[Path], root: Path, copy: Path) -> None:
    """Writes the files of one tree into another, in this order, on which no answer may depend."""
    for path in files:
        target = copy / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())


@dataclass(frozen=True)
class Ran:
    code: int
    out: bytes
    err: str

    @property
    def envelope(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.out)
        return loaded

    @property
    def data(self) -> dict[str, Any]:
        assert self.envelope["status"] == "ok", self.out
        data: dict[str, Any] = self.envelope["data"]
        return data

    @property
    def error(self) -> dict[str, Any]:
        assert self.envelope["status"] == "error", self.out
        error: dict[str, Any] = self.envelope["error"]
        return error

    @property
    def warnings(self) -> list[str]:
        return [hint["text"] for hint in self.envelope["hints"] if hint["type"] == "warn"]


def ctxpack(*arguments: object, cwd: Path | None = None, stdin: bytes = b"", **environment: str) -> Ran:
    """Runs `ctxpack`, and checks that there is never a traceback."""
    done = forks.ctxpack([*map(str, arguments)], cwd=cwd or ROOT, env={**os.environ, **environment}, stdin=stdin)
    err = done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in err, err
    return Ran(done.returncode, done.stdout, err)

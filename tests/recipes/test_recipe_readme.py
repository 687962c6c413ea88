"""The README's examples of recipes show the real output."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from recipe_shell import ROOT, ctxpack

BLOCK = re.compile(r"    \$ ctxpack init (graph|wiki|task|turn) (\S+)\n    \$ ctxpack (.+)\n((?:    .*\n|\n(?=    ))+)")
SHOWN = {found[1]: found.groups() for found in BLOCK.finditer((ROOT / "README.md").read_text("utf-8"))}


@pytest.mark.parametrize("kind", ["graph", "wiki", "task", "turn"])
def test_the_output_in_the_readme(tmp_path: Path, kind: str) -> None:
    _, folder, command, block = SHOWN[kind]
    assert ctxpack("init", kind, folder, cwd=tmp_path).code == 0
    printed = ctxpack(*shlex.split(command), cwd=tmp_path).out.decode()
    shown = "".join(f"{line[4:]}\n" for line in block.rstrip("\n").split("\n"))
    if shown.endswith("\n...\n"):
        assert printed.startswith(shown.removesuffix("...\n"))
    else:
        assert printed == shown

"""A stranger's patch takes time in proportion to its size, and no path in it leads out of the root."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n"
PATCHES = {
    "blocks with lines that are nowhere": HEAD + "".join(f"@@ -{n},2 +{n},2 @@\n \n-a\n+b\n" for n in range(1, 20_000)),
    "blocks at one line": HEAD + "@@ -1,2 +1,2 @@\n \n-\n+b\n" * 40_000,
    "a series of changes of one file": "".join(f"{HEAD}@@ -{n} +{n},2 @@\n-\n+b\n+c\n" for n in range(1, 20_000)),
}


@pytest.mark.parametrize("patch", PATCHES)
def test_many_blocks_over_many_equal_lines(tmp_path: Path, patch: str) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "x.py").write_text("\n" * 300_000 + "def code():\n    return 1\n")
    (tmp_path / "one.diff").write_text(PATCHES[patch])

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

    command = [sys.executable, "-P", "-m", "context_pack", "query", "--diff", str(tmp_path / "one.diff")]
    done = subprocess.run(command, capture_output=True, check=False, preexec_fn=limited, cwd=tmp_path / "tree")
    assert json.loads(done.stdout)["status"] == "ok", done.stdout[-1_000:]


def test_paths_that_lead_out_show_nothing(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "x.py").write_text("def code():\n    return 1\n")
    (tmp_path / "outside.py").write_text("def outside():\n    return 'what stands outside'\n")
    patch = "".join(
        f"--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n def outside():\n-    return 0\n+    return 1\n"
        for path in ("../outside.py", "../../outside.py", f"{tmp_path}/outside.py", "x/../../outside.py")
    )
    command = [sys.executable, "-P", "-m", "context_pack", "query", "--diff", "-"]
    done = subprocess.run(command, input=patch.encode(), capture_output=True, check=False, cwd=tmp_path / "tree")
    assert json.loads(done.stdout)["status"] == "ok"
    assert b"what stands outside" not in done.stdout

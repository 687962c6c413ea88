"""The walk of docs/fleet.md, as a newcomer types it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fleet.md"


def test_the_walk_does_what_it_says(tmp_path: Path) -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    environment = {
        **os.environ, "CTXPACK_CACHE_DIR": str(tmp_path / "cache"), "CTXPACK_NO_BACKGROUND": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }  # fmt: skip
    outputs = []
    for block in blocks:
        done = subprocess.run(
            ["bash", "-ec", block], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    _, published, fetched, own = outputs
    assert json.loads(published)["data"]["added"] == 1
    reply, _, pack = fetched.partition("\n")
    assert (json.loads(reply)["data"]["added"], json.loads(reply)["data"]["changed"]) == (0, 0)
    assert "return sum(self.prices)" in pack
    assert json.loads(own)["data"]["added"] == 1
    assert len(list((tmp_path / "store").rglob("*.json"))) == 1

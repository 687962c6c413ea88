"""The walkthrough of docs/fleet.md, as a newcomer types it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "fleet.md"


def _blocks(text: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_walkthrough_works_as_written(tmp_path: Path) -> None:
    blocks = _blocks(PAGE.read_text("utf-8").partition("\n# A fleet of repositories\n")[0])
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


@pytest.mark.slow
@pytest.mark.skipif(not (find_spec("lance") and find_spec("moto")), reason="needs the extra fleet and moto")
def test_the_walkthrough_of_a_fleet_works_as_written(tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8").partition("\n# A fleet of repositories\n")[2]
    with socket.socket() as one, socket.socket() as other:  # on a test machine, other programs may use these ports
        for port, free in (("5555", one), ("8765", other)):
            free.bind(("127.0.0.1", 0))
            text = text.replace(port, str(free.getsockname()[1]))
    script = "trap 'kill $(jobs -p)' EXIT\n" + "echo; echo @@\n".join(_blocks(text))
    python = Path(sys.executable).parent
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "moto_server").write_text(f'#!/bin/sh\nexec {sys.executable} -m moto.server "$@"\n')
    (tmp_path / "bin" / "moto_server").chmod(0o755)
    environment = {
        **os.environ, "CTXPACK_CACHE_DIR": str(tmp_path / "cache"), "CTXPACK_NO_BACKGROUND": "1",
        "PATH": os.pathsep.join((str(tmp_path / "bin"), str(python), os.environ["PATH"])),
    }  # fmt: skip
    done = subprocess.run(
        ["bash", "-ec", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    _, owner, readers, later = done.stdout.split("@@\n")
    assert '"appended":1' in owner
    assert "bank/account.py" in owner
    nobody, _, alice = readers.partition("bank/account.py")
    assert "ctxpack: total of an account" in nobody
    assert "account.py" not in nobody
    assert "return sum(self.bookings)" in alice
    assert "def knead(dough)" in later
    status = json.loads(later.strip().splitlines()[-1])
    assert [one["name"] for one in status["data"]["repositories"]] == ["bakery"]

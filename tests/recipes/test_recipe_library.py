"""The page, task and turn packs through the library equal the output of the command line."""

from __future__ import annotations

import json
from pathlib import Path

from recipe_shell import ctxpack

import context_pack
from contracts.records import as_data
from contracts.task import packet_data


def test_a_task(tmp_path: Path) -> None:
    ctxpack("init", "task", tmp_path)
    packet = context_pack.task("T02", tmp_path, digest="compact", explain=True)
    printed = ctxpack("task", "T02", "--root", tmp_path, "--digest", "compact", "--explain").data
    assert json.loads(json.dumps(packet_data(packet))) == printed


def test_pages(tmp_path: Path) -> None:
    ctxpack("init", "wiki", tmp_path)
    pack = context_pack.pages("sourdough", tmp_path, limit=2, explain=True, exclude="concepts/autolyse.md")
    printed = ctxpack(
        "pages", "sourdough", "--vault", tmp_path, "--limit", 2, "--explain", "--exclude", "concepts/autolyse.md",
        "--format", "json",
    ).data  # fmt: skip
    assert json.loads(json.dumps(as_data(pack))) == printed
    assert (len(printed["pages"]), "wiki/concepts/autolyse.md" in str(printed)) == (2, False)
    named = context_pack.pages(vault=tmp_path, title="x", tags="bread, sourdough", entities="maria-keller")
    assert (named.seed.tags, named.seed.entities) == (("bread", "sourdough"), ("maria-keller",))


def test_turns(tmp_path: Path) -> None:
    ctxpack("init", "turn", tmp_path)
    file = tmp_path / "request.json"
    request = json.loads(file.read_bytes())
    turn = context_pack.turn(request, tmp_path, max_tokens=600, own_files=[str(file)])
    assert ctxpack("turn", file, "--root", tmp_path, "--max-tokens", 600).data == turn.pack
    merged = context_pack.merge_turns([turn.pack, turn.pack])
    assert merged.pack == context_pack.merge_turns([turn.pack]).pack
    assert merged.sidecar["packId"] == merged.pack["packId"]

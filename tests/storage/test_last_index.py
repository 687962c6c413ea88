"""If nothing can be written, the last index still answers; and a few small edge cases."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import context_pack
from context_pack.options.config_file import file_layer
from contracts.errors import InvalidRequest
from index import build_index
from index.types import Coverage

FULL_DISK = """
import resource, signal, sys
import context_pack
from context_pack.envelope import answered
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
session = context_pack.open(sys.argv[1], index_dir=sys.argv[2])
answer = session.query("store the offset of an upload")
envelope = answered(answer, session.corpus)
print(len(answer.data.items), envelope.meta["index"]["stale"], [hint.text for hint in answer.hints])
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "upload.py").write_text(
        "def store_offset(upload):\n    '''Store the offset of an upload.'''\n    return 1\n"
    )
    return root


def test_a_full_disk_leaves_the_last_index_to_answer(tree: Path, tmp_path: Path) -> None:
    """RLIMIT_FSIZE simulates the full disk: the kernel refuses to let the file grow."""
    assert resource.RLIMIT_FSIZE and signal.SIGXFSZ
    build_index(tree, home=tmp_path / "home")
    (tree / "more.py").write_text("MORE = 1\n")
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tree), str(tmp_path / "home")], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("1 True"), done.stdout
    assert "This answer uses the previous index" in done.stdout
    after = context_pack.open(tree, index_dir=tmp_path / "home")
    assert after.corpus.files == 2


def _without_overriding() -> None:
    """Makes file modes apply even to root: drops CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (prctl 24)."""
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)


@pytest.mark.parametrize("asked", [("query", "upload"), ("search", "upload"), ("symbols", "store*")])
def test_an_index_folder_that_may_not_be_written_answers_from_the_last_index(
    tree: Path, tmp_path: Path, asked: tuple[str, str]
) -> None:
    home = tmp_path / "home"
    build_index(tree, home=home)
    (tree / "more.py").write_text("MORE = 1\n")
    paths = [home, *home.rglob("*")]
    for path in paths:
        path.chmod(0o500 if path.is_dir() else 0o400)
    done = subprocess.run(
        [sys.executable, "-m", "context_pack", *asked, "--repo", str(tree), "--index-dir", str(home)],
        capture_output=True, check=False, preexec_fn=_without_overriding,
    )  # fmt: skip
    for path in paths:
        if path.is_dir():
            path.chmod(0o700)
    envelope = json.loads(done.stdout)
    assert (done.returncode, envelope["status"]) == (0, "ok"), envelope
    assert envelope["meta"]["index"]["stale"] is True
    assert any("This answer uses the previous index" in hint["text"] for hint in envelope["hints"])
    assert "upload.py" in json.dumps(envelope["data"])


def test_a_number_that_json_lacks_does_not_end_a_batch(tree: Path, tmp_path: Path) -> None:
    lines = (
        '{"id": 1e999, "action": "status"}\n{"id": [1, -1e400], "action": "status"}\n{"id": 2, "action": "status"}\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "context_pack", "batch", "--repo", str(tree), "--index-dir", str(tmp_path / "home")],
        input=lines.encode(), capture_output=True, check=False,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["status"] for answer in answers] == ["error", "error", "ok"]
    assert [answer["error"]["code"] for answer in answers[:2]] == ["invalid_request"] * 2
    assert answers[2]["id"] == 2


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "limit = " + "9" * 5_000, "a = " + "{b=" * 20_000])
def test_settings_that_no_reader_can_read_are_one_clear_error(tree: Path, text: str) -> None:
    (tree / "ctxpack.toml").write_text(text)
    with pytest.raises(InvalidRequest, match=r"ctxpack\.toml"):
        file_layer(tree)


def test_an_index_with_a_limit_of_its_own_is_not_stale_at_once(tree: Path, tmp_path: Path) -> None:
    (tree / "long.py").write_text("VALUE = 1\n" * 60)
    assert not build_index(tree, home=tmp_path / "home", max_file_bytes=700).stale()


def test_no_name_sends_commands_to_a_terminal(tree: Path, tmp_path: Path) -> None:
    """C1 characters in JSON, and escape sequences in a name on a terminal's stderr."""
    name = "a\x9b31m"
    (tree / "notes.md").write_text(f"# Heading {name}\n\nWords.\n")
    asked = [sys.executable, "-m", "context_pack", "symbols", "Heading*", "--repo", str(tree)]
    done = subprocess.run(asked, capture_output=True, check=True)
    assert "\x9b".encode() not in done.stdout
    assert json.loads(done.stdout)["data"]["symbols"][0]["name"] == f"Heading {name}"
    terminal, child = os.openpty()
    missing = str(tmp_path / "no\x1b]0;title\x07where")
    subprocess.run([*asked[:-1], missing], stderr=child, stdout=subprocess.DEVNULL, check=False)
    os.close(child)
    told = os.read(terminal, 65_536)
    os.close(terminal)
    assert b"where" in told
    assert b"\x1b" not in told and b"\x07" not in told


def test_unreadable_paths_are_counted_wherever_they_are(tree: Path, tmp_path: Path) -> None:
    """A folder that the walk may not list and files that the reader may not open share one count."""
    snapshot = build_index(tree, home=tmp_path / "home").snapshot
    about = {
        **snapshot.manifest.about,
        "skipped": {"no_permission": 2, "ignored": 1},
        "unreadable": {"no_permission": 3},
    }
    snapshot.manifest = replace(snapshot.manifest, about=about)
    coverage = Coverage.of(snapshot.manifest.about)
    assert coverage.skipped == {"ignored": 1, "no_permission": 5}
    assert coverage.files_seen == coverage.files_indexed + 6

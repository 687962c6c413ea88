"""Trees and indexes in a bad state: one clear error, or an answer that says what it lacks; never a traceback."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SCRIPT = Path(sys.executable).with_name("ctxpack")
SOURCE = "def alpha_beacon():\n    return 1\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "beacon.py").write_text(SOURCE)
    return root


def ask(ctxpack: Any, tree: Path, *more: str, query: str = "alpha_beacon", env: dict[str, str] | None = None) -> Any:
    return ctxpack(
        "query", query, "--repo", str(tree), "--index-dir", str(tree.parent / "index"), *more, cwd=tree, env=env
    )


def live(tree: Path) -> Path:
    """The folder of the published generation."""
    home = next((tree.parent / "index").glob("*/CURRENT"))
    return home.parent / "generations" / home.read_text().strip()


def files_of(run: Any) -> set[str]:
    return {item["file"] for item in run.data["items"]}


def skipped(run: Any) -> dict[str, int]:
    coverage: dict[str, int] = run.envelope["meta"]["index"]["coverage"]["skipped"]
    return coverage


def test_a_minified_line_of_50_mb_is_skipped_with_a_note_or_split_on_request(ctxpack: Any, tree: Path) -> None:
    (tree / "bundle.js").write_text("var a=1;" * 6_250_000)
    run = ask(ctxpack, tree)
    assert (files_of(run), skipped(run)) == ({"beacon.py"}, {"too_large": 1})


def test_a_minified_line_within_the_limit_is_cut_into_chunks(ctxpack: Any, tree: Path) -> None:
    (tree / "bundle.js").write_text("var gamma_ray=1;" * 50_000)
    run = ask(ctxpack, tree, "--max-chars", "3000", query="gamma_ray")
    assert files_of(run) == {"bundle.js"}
    assert run.data["budget"]["used_chars"] <= 3000


def test_bytes_that_are_not_utf_8_are_replaced(ctxpack: Any, conforms: Any, tree: Path) -> None:
    (tree / "latin.py").write_bytes(b"# caf\xe9\ndef delta_latin():\n    return '\xff\xfe'\n")
    run = ask(ctxpack, tree, query="delta_latin")
    conforms(run.envelope, "envelope")
    assert "\ufffd" in run.data["items"][0]["content"]


def test_crlf_and_a_byte_order_mark_keep_their_lines(ctxpack: Any, tree: Path) -> None:
    (tree / "dos.py").write_bytes(b"\xef\xbb\xbfimport os\r\n\r\n\r\ndef epsilon_dos():\r\n    return os.sep\r\n")
    item = ask(ctxpack, tree, query="epsilon_dos").data["items"][0]
    assert (item["start_line"], item["end_line"]) == (4, 5)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_beyond_ascii_come_back_as_they_are_on_disk(ctxpack: Any, tree: Path, form: Any) -> None:
    name = unicodedata.normalize(form, "größe/été.py")
    (tree / name).parent.mkdir()
    (tree / name).write_text("def zeta_accent():\n    return 1\n")
    assert ask(ctxpack, tree, query="zeta_accent").data["items"][0]["file"] == name
    assert ask(ctxpack, tree, query=name).data["items"][0]["file"] == name


def test_links_out_of_the_tree_and_cycles_are_not_followed(ctxpack: Any, tree: Path) -> None:
    outside = tree.parent / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("def alpha_beacon():\n    return 'secret'\n")
    (tree / "out").symlink_to(outside)
    (tree / "file.py").symlink_to(outside / "secret.py")
    (tree / "loop").symlink_to(tree)
    run = ask(ctxpack, tree)
    assert files_of(run) == {"beacon.py"}
    assert b"secret" not in run.out
    assert skipped(run) == {"symlink": 1, "symlink_outside": 2}


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda folder: (folder / "arrays.bin").write_bytes(b"short"), "arrays.bin"),
        (lambda folder: (folder / "arrays.bin").unlink(), "missing"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json"),
        (lambda folder: (folder / "manifest.json").write_text('{"format": "1"}'), "format 1"),
        (shutil.rmtree, "manifest.json is missing"),
        (lambda folder: (folder.parents[1] / "CURRENT").write_bytes(b"\xff\0"), "CURRENT"),
    ],
    ids=["half-written", "without arrays", "no json", "no format", "without a folder", "no pointer"],
)
def test_an_index_that_cannot_be_read_is_set_aside_and_built_again(
    ctxpack: Any, conforms: Any, tree: Path, damage: Any, words: str
) -> None:
    ask(ctxpack, tree)
    damage(live(tree))
    status = ctxpack("status", "--repo", str(tree), "--index-dir", str(tree.parent / "index"))
    assert (status.code, status.error["code"]) == (1, "index_corrupt")
    assert words in status.error["message"]
    run = ask(ctxpack, tree)
    conforms(run.envelope, "envelope")
    assert files_of(run) == {"beacon.py"}
    (warning,) = (hint["text"] for hint in run.envelope["hints"] if hint["type"] == "warn")
    assert words in warning and "rebuilt" in warning


def test_an_index_of_a_newer_format_is_built_again(ctxpack: Any, conforms: Any, tree: Path) -> None:
    ask(ctxpack, tree)
    (live(tree) / "manifest.json").write_text('{"format": 999}')
    status = ctxpack("status", "--repo", str(tree), "--index-dir", str(tree.parent / "index"))
    assert (status.code, status.error["code"]) == (1, "index_corrupt")
    assert "`ctxpack index`" in status.error["hint"]
    assert [hint["text"] for hint in status.envelope["hints"]] == [
        f"`ctxpack index {tree} --index-dir {tree.parent / 'index'}`"
    ], "the same command"
    run = ask(ctxpack, tree)
    conforms(run.envelope, "envelope")
    assert files_of(run) == {"beacon.py"}
    (warning,) = (hint["text"] for hint in run.envelope["hints"] if hint["type"] == "warn")
    assert "has format 999" in warning and warning.endswith("It was rebuilt.")
    assert not [hint for hint in ask(ctxpack, tree).envelope["hints"] if hint["type"] == "warn"]


def test_a_folder_that_may_not_be_read(environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        closed = Path(scratch) / "closed"
        closed.mkdir(mode=0o000)
        Path(scratch).chmod(0o755)
        run = as_nobody(["query", "some words", "--repo", str(closed), "--model", "embedded"], environment)
        closed.chmod(0o700)
    assert "closed" in run["error"]["message"]
    assert (run["status"], run["error"]["code"]) == ("error", "invalid_request")
    assert "not readable" in run["error"]["message"]


def test_a_read_only_index_answers_as_it_is_and_says_so(tree: Path, environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch) / "index"
        where = ["--repo", scratch, "--index-dir", str(home), "--model", "embedded"]
        arguments = ["query", "alpha_beacon", *where]
        (Path(scratch) / "beacon.py").write_text(SOURCE)
        subprocess.run([SCRIPT, *arguments], capture_output=True, env=environment, check=True)
        (Path(scratch) / "more.py").write_text("MORE = 1\n")
        for place in (Path(scratch), home, *home.rglob("*")):  # an index is private to its owner until it is shared
            place.chmod(0o755 if place.is_dir() else 0o644)
        run = as_nobody(arguments, environment)
        assert (run["status"], run["meta"]["index"]["files"], run["meta"]["index"]["stale"]) == ("ok", 1, True)
        (warning,) = (hint["text"] for hint in run["hints"] if hint["type"] == "warn")
        assert str(home) in warning and "uses the previous index" in warning


# Root may do anything, so the command gives up root rights after loading all modules that it needs.
DEMOTED = """
import os, sys, tempfile
from pathlib import Path
from context_pack.cli.app import run
from index.embed.static import StaticEmbedder
model = StaticEmbedder.load()
model.embed_query("b")
StaticEmbedder.load = classmethod(lambda cls: model)
with tempfile.TemporaryDirectory() as warm:
    (Path(warm) / "a.py").write_text("def warm_up(): return 1")
    query = ["query", "warm_up", "--repo", warm, "--index-dir", warm + "/index", "--out", os.devnull]
    run(query)
    (Path(warm) / "b.py").write_text("def g(): return 1")
    run(query)
    kept = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = open(os.devnull, "w")
    run(["query", "f", "--repo", warm + "/nowhere"])
    run(["query"])
    sys.stdout, sys.stderr = kept
if os.geteuid() == 0:
    os.setuid(65534)
run(sys.argv[1:])
"""


def as_nobody(arguments: list[str], environment: dict[str, str]) -> Any:
    """The envelope of one run of the command line without root rights."""
    done = subprocess.run(
        [sys.executable, "-c", DEMOTED, *arguments], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout.strip(), done.stderr
    return json.loads(done.stdout)


def test_a_full_disk_while_indexing_leaves_the_last_index(
    tree: Path, environment: dict[str, str], ctxpack: Any
) -> None:
    ask(ctxpack, tree)
    (tree / "more.py").write_text("MORE = 1\n")

    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    arguments = ["query", "alpha_beacon", "--repo", str(tree), "--index-dir", str(tree.parent / "index")]
    done = subprocess.run([SCRIPT, *arguments], capture_output=True, env=environment, preexec_fn=fill, check=False)
    (warning,) = (hint["text"] for hint in json.loads(done.stdout)["hints"] if hint["type"] == "warn")
    assert done.returncode == 0
    assert str(tree.parent / "index") in warning and "uses the previous index" in warning
    assert files_of(ask(ctxpack, tree, "--no-refresh")) == {"beacon.py"}


def test_two_indexers_at_once_both_answer(tree: Path, environment: dict[str, str]) -> None:
    shutil.copytree(Path(os.__file__).parent / "email", tree / "email", ignore=shutil.ignore_patterns("__pycache__"))
    arguments = [SCRIPT, "query", "alpha_beacon", "--repo", str(tree), "--index-dir", str(tree.parent / "index")]
    both = [subprocess.Popen(arguments, stdout=subprocess.PIPE, env=environment) for _ in range(2)]
    answers = [json.loads(process.communicate()[0]) for process in both]
    assert [answer["status"] for answer in answers] == ["ok", "ok"]
    assert answers[0]["data"] == answers[1]["data"]


def test_a_writer_that_does_not_finish_is_reported(tree: Path, ctxpack: Any) -> None:
    ask(ctxpack, tree)
    (tree / "more.py").write_text("MORE = 1\n")
    home = live(tree).parents[1]
    hold = "import filelock, sys, time; lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print(1, flush=True)"
    arguments = [sys.executable, "-c", f"{hold}; time.sleep(600)", home / "writer.lock"]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        error = ask(ctxpack, tree, "--wait", "0.2").error
        still = ask(ctxpack, tree, "--no-refresh")
        holder.kill()
    assert (error["code"], "--wait" in error["hint"]) == ("index_locked", True)
    assert files_of(still) == {"beacon.py"}

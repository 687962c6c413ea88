"""Failures: their error codes, exit codes and envelopes; never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from context_pack.cli import app
from contracts.errors import MAX_CHARS

USAGE: list[tuple[tuple[str, ...], str]] = [
    (("query",), "text"),
    (("query", "x", "--max-charss", "5"), "max_charss"),
    (("query", "x", "--max-chars", "many"), "max_chars"),
    (("query", "x", "--format", "pdf"), "format"),
    (("query", "x", "--profile", "turbo"), "profile"),
    (("query", "x", "--max-chars", "0"), "max_chars"),
    (("query", "x", "--max-chars", "-7"), "max_chars"),
    (("query", "x", "--depth", "9"), "depth"),
    (("related", "x", "--edges", "nonsense"), "edges"),
    (("search", "x", "--top-k", "0"), "top_k"),
    (("query", "x", "--language", "klingon"), "language"),
    (("query", "x", "y"), "command"),
    (("fly",), "command"),
    (("model",), "command"),
    (("completion", "tcsh"), "shell"),
]


@pytest.mark.parametrize(("arguments", "field"), USAGE)
def test_usage(ctxpack: Any, conforms: Any, arguments: tuple[str, ...], field: str) -> None:
    run = ctxpack(*arguments)
    assert run.code == 2
    assert run.err.startswith("Usage: ctxpack")
    conforms(run.envelope, "envelope")
    assert (run.error["code"], run.error["details"]) == ("invalid_request", {"field": field})


REFUSED = [
    (("query", ""), "query"),
    (("query", " \n "), "query"),
    (("query", "x" * 100_000), "query"),
    (("query", "x", "--model", "no model"), "model"),
    (("query", "x", "--no-docs", "--docs-first"), "docs_first"),
    (("query", "--diff", "--repo", ".", "--repo", "src"), "repo"),
    (("query", "x", "--repos", "shop-*"), "repos"),
    (("search", ""), "query"),
    (("symbols", ""), "query"),
    (("install", "nobody"), "agent"),
    (("pages",), "seed"),
]


@pytest.mark.parametrize(("arguments", "field"), REFUSED)
def test_wrong_values_and_options_that_exclude_each_other_are_usage_errors(
    ctxpack: Any, conforms: Any, arguments: tuple[str, ...], field: str
) -> None:
    run = ctxpack(*arguments)
    conforms(run.envelope, "envelope")
    assert (run.code, run.error["code"], run.error["details"]) == (2, "invalid_request", {"field": field})


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("search", "x", "--json", "md"), ""),
        (("symbols", "x", "--verbose", "md"), ""),
        (("query", "x", "--max-char", "9"), "--max-chars"),
    ],
)
def test_only_options_that_are_alike_are_proposed(ctxpack: Any, arguments: tuple[str, ...], near: str) -> None:
    message = ctxpack(*arguments).error["message"]
    assert message == f"No such option '{arguments[2]}'." + (f" Did you mean '{near}'?" if near else "")


@pytest.mark.parametrize("text", ["--ceiling", "--ceiling=3"])
@pytest.mark.parametrize("command", ["query", "search", "related", "symbols"])
def test_a_flag_alone_may_be_the_text(ctxpack: Any, command: str, text: str) -> None:
    message = ctxpack(command, text).error["message"]
    assert message.startswith("No such option '--ceiling'. A text that begins with a dash comes last, after `--`")


@pytest.mark.parametrize("arguments", [("fly{}",), ("query", "x", "{}"), ("query", "x", "--depth", "{}")])
def test_messages_about_arguments_contain_no_control_characters(terminal: Any, arguments: tuple[str, ...]) -> None:
    shown = terminal(*(one.format("\x1b]0;title\a") for one in arguments))
    assert "\\x1b]0;title" in shown and not {"\x1b", "\a"}.intersection(shown)


def test_a_list_of_choices_stays_a_list(ctxpack: Any) -> None:
    assert "Choose from:\n\tgraph,\n\ttask" in ctxpack("init").err


@pytest.mark.parametrize(
    "arguments", [("fly{}",), ("query", "x", "--depth", "{}"), ("related", "{}"), ("query", "x", "--repo", "{}")]
)
def test_a_message_that_repeats_a_long_argument_is_short(ctxpack: Any, arguments: tuple[str, ...]) -> None:
    run = ctxpack(*(one.format("long" * 4_000) for one in arguments))
    assert len(run.error["message"]) <= MAX_CHARS + 5 and len(run.err) <= MAX_CHARS + 200


def test_a_query_that_is_not_utf8(ctxpack: Any) -> None:
    for run in (ctxpack("query", "-", stdin=b"\xff\xfe\xfd"), ctxpack("query", os.fsdecode(b"\xff"))):
        assert (run.code, run.error["code"], run.error["details"]) == (1, "invalid_request", {"field": "query"})


@pytest.mark.parametrize("log", [b"PictureCache\nfailed: caf\xe9\n", "PictureCache\nfailed\n".encode("utf-16")])
def test_a_log_in_another_encoding_is_read(ctxpack: Any, log: bytes) -> None:
    run = ctxpack("query", "-", stdin=log)
    assert run.code == 0 and run.data["query"].startswith("PictureCache\nfailed")


def test_the_end_of_a_long_log_is_the_query(ctxpack: Any) -> None:
    log = "building\n" * 9_000 + "  at PictureCache\n"
    run = ctxpack("query", "-", stdin=log.encode())
    assert run.code == 0 and run.data["query"].endswith("at PictureCache") and len(run.data["query"]) <= 20_000
    assert run.err == "ctxpack: stdin has 81,017 characters; the last 19,997 are the query\n"
    assert ctxpack("query", "-", stdin=b"x" * 100_000).code == 2


def test_nothing_fits(ctxpack: Any) -> None:
    error = ctxpack("query", "PictureCache", "--max-chars", "20").error
    assert error["code"] == "budget_too_small"
    smallest = error["details"]["smallest"]
    assert str(smallest) in error["message"]
    assert ctxpack("query", "PictureCache", "--max-chars", str(smallest)).data["items"]
    assert ctxpack("query", "PictureCache", "--max-chars", str(smallest - 1)).code == 1


def test_no_repository(ctxpack: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for repo in (str(tmp_path / "missing"), str(tmp_path / "file")):
        for command in (("query", "x", "--repo", repo), ("index", repo), ("status", "--repo", repo)):
            assert ctxpack(*command).error["code"] == "not_a_directory"


def test_nothing_to_index(ctxpack: Any, tmp_path: Path) -> None:
    assert ctxpack("query", "x", cwd=tmp_path).error["code"] == "no_files"
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    error = ctxpack("query", "x", cwd=tmp_path).error
    assert error["code"] == "no_files"
    assert "binary" in error["message"]


def test_no_index_and_none_may_be_made(ctxpack: Any, project: Path, tmp_path: Path) -> None:
    where = ("--index-dir", str(tmp_path / "index"))
    for command in (("query", "x", "--no-refresh"), ("status",)):
        error = ctxpack(*command, *where).error
        assert (error["code"], "ctxpack index" in error["hint"]) == ("index_missing", True)
        assert "no index yet" in error["message"]
    assert ctxpack("index", *where).code == 0
    (manifest,) = tmp_path.rglob("manifest.json")
    manifest.write_text(json.dumps({"format": 1}))
    for command in (("query", "x", "--no-refresh"), ("status",)):
        error = ctxpack(*command, *where).error
        assert (error["code"], "older format" in error["message"]) == ("index_missing", True)
    assert ctxpack("query", "PictureCache", *where).code == 0


def test_a_model_that_is_not_installed(ctxpack: Any, tmp_path: Path) -> None:
    env = {"HF_HOME": str(tmp_path)}
    error = ctxpack("query", "x", "--model", "bge-small", env=env).error
    assert error["code"] == "model_missing"
    assert "ctxpack model pull bge-small" in error["hint"]
    assert ctxpack("query", "x", "--profile", "quality", env=env).error["code"] == "model_missing"


def test_a_wrong_configuration_names_file_and_key(ctxpack: Any, tmp_path: Path) -> None:
    (tmp_path / "ctxpack.toml").write_text("max_charz = 5\n")
    error = ctxpack("query", "x", cwd=tmp_path).error
    assert (error["code"], error["details"]) == ("invalid_request", {"field": "max_charz"})
    assert "ctxpack.toml" in error["message"] and error["hint"] == "did you mean max_chars?"


def test_a_file_that_cannot_be_written_or_read(ctxpack: Any, tmp_path: Path) -> None:
    out = str(tmp_path / "missing" / "pack.json")
    error = ctxpack("query", "PictureCache", "--out", out).error
    assert (error["code"], error["details"]) == ("io_error", {"path": out})
    requests = str(tmp_path / "missing.jsonl")
    error = ctxpack("batch", requests).error
    assert (error["code"], error["details"]) == ("io_error", {"path": requests})


def test_a_closed_pipe_is_not_a_failure(shell: Any, project: Path) -> None:
    requests = project.parent / "many.jsonl"
    requests.write_bytes(b'{"action": "query", "args": {"query": "PictureCache"}}\n' * 100)
    done = shell(f"set -o pipefail; ctxpack batch {requests} | head -c 10")
    assert (done.code, len(done.out), done.err) == (0, 10, "")
    assert shell("set -o pipefail; ctxpack query PictureCache | true").err == ""


def test_a_full_disk_at_stdout_is_reported_on_stderr(shell: Any) -> None:
    done = shell("ctxpack query PictureCache > /dev/full")
    assert done.code == 1
    assert done.err == "ctxpack: stdout: No space left on device\n"
    done = shell("ctxpack query PictureCache --repo missing > /dev/full")
    assert done.err.endswith("missing is not a directory (and stdout: No space left on device)\n")


def test_streams_that_the_caller_closed_are_no_bug(shell: Any) -> None:
    """Without stderr, the answer is the same; an answer that nobody can get is an error of one line."""
    done = shell("ctxpack query PictureCache 2>&-")
    assert done.code == 0 and done.data["items"]
    done = shell("ctxpack query PictureCache >&-")
    assert (done.code, done.err) == (1, "ctxpack: stdout: Bad file descriptor\n")
    done = shell("ctxpack query - <&-")
    assert (done.code, done.error["message"]) == (2, "the query is empty")
    assert shell("ctxpack query PictureCache <&- >&- 2>&-").code == 1


class Broken:
    """Stands in for a bug of ours, because no input is known that reaches one."""

    @staticmethod
    def open(*arguments: object) -> None:
        raise ZeroDivisionError("a fault")


def test_an_internal_error_is_an_envelope(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], conforms: Any
) -> None:
    monkeypatch.setattr("context_pack.session.Session", Broken)
    assert app.run(["query", "x"]) == 1
    out, err = capfd.readouterr()
    conforms(json.loads(out), "envelope")
    assert json.loads(out)["error"]["code"] == "internal"
    assert "ZeroDivisionError at test_cli_failures.py:" in json.loads(out)["error"]["message"]
    assert err == ""
    monkeypatch.setenv("CTXPACK_DEBUG", "1")
    assert app.run(["query", "x"]) == 1
    out, err = capfd.readouterr()
    assert json.loads(out)["error"]["code"] == "internal"
    assert "Traceback" in err


def test_objects_missing_from_a_partial_clone_are_reported_and_not_fetched(ctxpack: Any, tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, check=True, capture_output=True)

    git("init", "-q", "source")
    git("-C", "source", "config", "uploadpack.allowFilter", "true")
    for number in range(2):
        (tmp_path / "source" / "cart.py").write_text(f"TOTAL = {number}\n")
        git("-C", "source", "add", "-A")
        git("-C", "source", "commit", "-qm", str(number))
    git("clone", "-q", "--filter=blob:none", f"file://{tmp_path}/source", "clone")
    run = ctxpack("query", "--diff", "HEAD~1", cwd=tmp_path / "clone")
    assert run.error["code"] == "io_error" and "this is a partial clone" in run.error["hint"]
    assert run.envelope["hints"] == [{"type": "action", "text": "`ctxpack query --help`"}]

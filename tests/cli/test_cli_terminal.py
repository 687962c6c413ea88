"""The output on a terminal: text with places and colours for every command, one form for errors."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

ANSWERING = {
    ("query", "PictureCache"): r"^src/picture_cache.py:\d+-\d+  \w+ PictureCache.*  primary, score 1.000$",
    ("query", "PictureCache", "--explain"): r"^    \+1.000 ",
    ("search", "thumbnail cache", "--content"): r"^0.\d{3}  src/picture_cache.py:\d+-\d+  ",
    ("related", "PictureCache"): r"^called by$",
    ("symbols", "*Cache"): r"^class  PictureCache  src/picture_cache.py:\d+$",
    ("status",): r"^model id +ctxpack-static-v1$",
    ("index",): r"^generation  \d",
    ("model", "list"): r"^embedded +ctxpack-static-v1 +256 +yes",
    ("install",): r"^cursor +Cursor +/.*/.cursor/mcp.json +absent$",
    ("trust", ".", "--revoke"): r"^trusted +no$",
}


def _plain(seen: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\|.*\r(?!\n)", "", seen)


@pytest.mark.parametrize("arguments", ANSWERING, ids=" ".join)
def test_every_command_answers_in_text(terminal: Any, arguments: tuple[str, ...]) -> None:
    seen = terminal(*arguments, env={"COLUMNS": "200"})
    assert re.search(ANSWERING[arguments], _plain(seen), re.MULTILINE), seen
    assert not _plain(seen).startswith("{")


RECORDS = {
    "graph": (("task-2",), "--root", r"^qid: root:task-2$"),
    "task": (("T02",), "--root", r"^# "),
    "turn": (("request.json",), "--root", r"^GOAL: "),
    "pages": (("How is a sourdough starter fed?",), "--vault", r"wiki/concepts/sourdough-starter.md +\d+ "),
}


@pytest.mark.parametrize("command", RECORDS)
def test_packs_of_records_are_text_too(ctxpack: Any, terminal: Any, tmp_path: Path, command: str) -> None:
    kind = "wiki" if command == "pages" else command
    assert ctxpack("init", kind, str(tmp_path / kind)).code == 0
    (asked,), folder, expected = RECORDS[command]
    subject = str(tmp_path / kind / asked) if command == "turn" else asked
    seen = _plain(terminal(command, subject, folder, str(tmp_path / kind), env={"COLUMNS": "200"}))
    assert re.search(expected, seen, re.MULTILINE), seen


def test_a_pack_ends_with_its_budget_and_its_confidence(terminal: Any) -> None:
    last = _plain(terminal("query", "PictureCache", env={"COLUMNS": "200"})).splitlines()[-1]
    assert re.fullmatch(r"\d items, \d+ of 20000 characters(, \d left out \(.*\))? · strong match \(.*\)", last)


def test_the_reason_of_a_weak_match_is_given_once(terminal: Any) -> None:
    seen = _plain(terminal("query", "evict pods of kubernetes nodes", env={"COLUMNS": "300"}))
    assert seen.lower().count("of the query's words") == 1
    assert re.search(r"characters.* · (weak match|no confident match)$", seen, re.MULTILINE), seen


def test_lines_are_numbered_as_in_the_file(terminal: Any, project: Path) -> None:
    lines = (project / "src/picture_cache.py").read_text().splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.startswith("class PictureCache"))
    assert f"  {number} class PictureCache:" in _plain(terminal("query", "PictureCache"))


def test_places_are_links_and_code_has_colours(terminal: Any, project: Path) -> None:
    seen = terminal("query", "PictureCache")
    assert re.search(rf"\x1b\]8;[^;]*;file://{project}/src/picture_cache.py#\d+\x1b", seen)
    assert "\x1b[94" in seen, "a keyword"
    assert f"vscode://file{project}/src/picture_cache.py:" in terminal(
        "search", "cache", env={"TERM_PROGRAM": "vscode"}
    )


@pytest.mark.parametrize(
    ("options", "env"), [(("--color", "never"), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})]
)
def test_colours_can_be_refused(terminal: Any, options: tuple[str, ...], env: dict[str, str]) -> None:
    seen = terminal("query", "PictureCache", *options, env=env)
    assert "class PictureCache" in seen and "\x1b" not in seen


def test_colours_can_be_asked_for_behind_a_pipe(ctxpack: Any, terminal: Any) -> None:
    piped = ctxpack("symbols", "*Cache", "--color", "always").out.decode()
    assert "\x1b[" in piped and _plain(piped) == _plain(terminal("symbols", "*Cache"))
    assert ctxpack("symbols", "*Cache", "--color", "always", env={"NO_COLOR": "1"}).out.decode() == piped


def test_the_width_of_the_screen_is_kept(terminal: Any) -> None:
    for columns in (40, 90):
        seen = _plain(terminal("query", "PictureCache", screen=(500, columns)))
        assert max(map(len, seen.splitlines())) <= columns


def test_a_path_is_never_shortened(ctxpack: Any, terminal: Any) -> None:
    folder = ctxpack("status").data["folder"]
    assert folder in "".join(_plain(terminal("status", screen=(500, 40))).split())
    assert "…" not in terminal("install", screen=(500, 60))


def test_long_output_goes_through_the_pager(terminal: Any, tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho paged $LESS\ncat\n")
    pager.chmod(pager.stat().st_mode | stat.S_IXUSR)
    env = {"PAGER": str(pager)}
    assert terminal("query", "PictureCache", env=env, screen=(10, 80)).startswith("paged FRX\n")
    assert not terminal("query", "PictureCache", env=env, screen=(500, 80)).startswith("paged")


def test_json_is_printed_on_request(terminal: Any, ctxpack: Any) -> None:
    data = ctxpack("query", "PictureCache").data
    for option in (("--pretty",), ("--format", "json")):
        seen = terminal("query", "PictureCache", *option)
        assert seen.startswith('{\n  "data": {\n') and json.loads(seen)["data"] == data
    assert terminal("query", "PictureCache", "--format", "text").startswith("ctxpack: PictureCache [")


def test_names_of_files_cannot_send_commands_to_the_terminal(terminal: Any, tmp_path: Path) -> None:
    (tmp_path / "evil\x1b[2Jname.py").write_text("def evil_function():\n    return '\x1b]0;title\x07'\n")
    seen = terminal("query", "evil_function", "--repo", str(tmp_path), "--color", "never")
    assert "evil\\x1b[2Jname.py:1-2" in seen and "\x1b" not in seen and "\x07" not in seen


def test_an_error_is_reported_once(terminal: Any) -> None:
    seen = terminal("query", "x", "--max-chars", "0")
    assert seen.endswith("Error: --max-chars must be a whole number from 1 to 1000000000, not 0\n")
    seen = terminal("qury", "x")
    assert seen.startswith("Usage: ctxpack") and seen.endswith("Error: there is no command qury; did you mean query?\n")
    seen = terminal("query", "how", "are", "pictures", "cached")
    assert seen.endswith("extra arguments (are pictures cached): put a text of several words in quotes\n")
    assert "`ctxpack query TEXT` asks a question; the commands are batch, " in terminal("how are pictures cached")
    seen = terminal("query", "zebra")
    assert "Nothing in this repository shares a word with this query" in _plain(seen.replace("\n", " "))
    assert seen.count("shares a word") == 1


def test_every_candidate_of_a_name_is_listed(terminal: Any, tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / f"f{number:02}.py").write_text(f"def total():\n    return {number}\n")
    lines = terminal("related", "total", "--repo", str(tmp_path)).splitlines()
    assert "ctxpack: - total (f03.py:1)" in lines and "ctxpack: and 2 more" in lines

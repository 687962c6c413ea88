"""Every error says what to run next, as a command that can be run unchanged."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from context_pack.cli.app import COMMANDS, cli
from context_pack.cli.options import CommandLine
from context_pack.kinds.code.question import with_arguments
from context_pack.next_steps import Request, next_steps
from contracts import errors
from contracts.errors import CtxpackError
from contracts.records import Hint

pytestmark = pytest.mark.slow


def _steps(run: Any) -> list[str]:
    hints = run.envelope["hints"]
    assert hints and all(hint["type"] == "action" for hint in hints), run
    return [hint["text"].strip("`") for hint in hints]


def test_a_budget_that_is_too_small_names_the_command_that_works(ctxpack: Any, shell: Any) -> None:
    run = ctxpack("query", "PictureCache", "--max-chars=20", "--related", "0")
    (step,) = _steps(run)
    assert step == f"ctxpack query PictureCache --related 0 --max-chars {run.error['details']['smallest']}"
    assert shell(step).data["items"]
    (step,) = _steps(ctxpack("query", "PictureCache", "--max-chars=20", "--max-tokens=9"))
    assert "--max-chars" in step and "--max-tokens" in step and shell(step).data["items"]


def test_only_a_suggested_command_gets_options_whatever_it_quotes() -> None:
    file, name = Hint("info", "Further places: `ctxpack query 'a.py:1-2` module"), "it's a` name"
    done = with_arguments((file, Hint("action", f"`ctxpack query {shlex.quote(name)}`")), ["--repo", "shop"])
    assert done[0] == file
    assert shlex.split(done[1].text[1:-1]) == ["ctxpack", "query", name, "--repo", "shop"]


def test_a_missing_index_is_made_by_the_first_step(ctxpack: Any, shell: Any, project: Path, tmp_path: Path) -> None:
    run = ctxpack("query", "Picture Cache", "--no-refresh", "--index-dir", str(tmp_path / "i"))
    first, second = _steps(run)
    assert first == f"ctxpack index --index-dir {tmp_path / 'i'}", "the index that was missing"
    assert second == f"ctxpack query 'Picture Cache' --index-dir {tmp_path / 'i'}"
    assert shell(first).code == 0 and shell(second).data["items"]


def test_an_ambiguous_name_can_be_asked_for_by_place(ctxpack: Any, shell: Any, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("def same():\n    return 1\n")
    steps = _steps(ctxpack("related", "same", "--repo", str(tmp_path), "--top-k", "3"))
    assert steps == [f"ctxpack related {name}.py:1 --repo {tmp_path} --top-k 3" for name in ("a", "b")]
    assert [shell(step).code for step in steps] == [0, 0]


def test_a_class_with_a_constructor_of_its_name_is_one_place(ctxpack: Any, tmp_path: Path) -> None:
    members = "int n;\n\n  Cart() { n = 1; }\n\n  Cart(int n) { this.n = n; }"
    (tmp_path / "Cart.java").write_text(f"class Cart {{\n  {members}\n}}\n")
    (tmp_path / "Shop.java").write_text("class Shop {\n  Cart cart() { return new Cart(2); }\n}\n")
    run = ctxpack("related", "Cart", "--repo", str(tmp_path))
    assert run.code == 0 and "Shop.java" in {hit["file"] for hit in run.data["hits"]}


def test_an_unknown_name_suggests_looking_for_it(ctxpack: Any, shell: Any) -> None:
    *names, step = _steps(ctxpack("related", "module.Cach"))
    assert names and all("Cach" in name for name in names)  # names with this part
    assert step == "ctxpack symbols '*Cach*'"
    assert shell(step).data["symbols"][0]["name"] == "PictureCache"


def test_what_is_like_no_name_is_asked_as_a_question(ctxpack: Any, shell: Any) -> None:
    for verb, nowhere, question in (
        ("related", "NoSuchThing", "NoSuchThing"),
        ("related", "nosuch.py", "nosuch.py"),
        ("query", "../web/thumbnails/pruner.ts:7", "'thumbnails pruner'"),
    ):
        (step,) = _steps(ctxpack(verb, nowhere))
        assert step == f"ctxpack query {question}" and shell(step).code == 0


def test_a_suggestion_is_about_the_enclosing_repository(ctxpack: Any, shell: Any, tmp_path: Path) -> None:
    below = tmp_path / "web"
    for folder in (tmp_path / ".git", below):
        folder.mkdir()
    (tmp_path / "cart.py").write_text("def total_price(cart):\n    return sum(cart)\n")
    (below / "page.py").write_text("def page():\n    return 1\n")
    index = ("--index-dir", str(tmp_path / ".git" / "index"))
    (first, _) = _steps(ctxpack("query", "page", "--no-refresh", *index, cwd=below))
    assert shell(f"cd {below} && {first}").data["files"] == 2
    (step,) = _steps(ctxpack("related", "where is the total price", *index, cwd=below))
    assert shell(f"cd {below} && {step}").data["items"][0]["file"] == "cart.py"


def test_a_question_that_was_asked_as_a_name_is_asked_as_a_question(ctxpack: Any, shell: Any) -> None:
    question = "where are picture's cached"
    (step,) = _steps(ctxpack("related", question))
    (hint,) = (one for one in ctxpack("symbols", question).envelope["hints"] if one["type"] == "action")
    assert shlex.split(step)[:3] == shlex.split(hint["text"].strip("`"))[:3] == ["ctxpack", "query", question]
    assert shell(step).data["items"]


def test_symbols_without_a_match_name_the_nearest(ctxpack: Any, shell: Any, tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text("class Command:\n    pass\n")
    for pattern in ("Comand", "*Comand"):
        ran = ctxpack("symbols", pattern, "--repo", str(tmp_path))
        assert ran.data["symbols"] == []
        step = ran.envelope["hints"][-1]["text"].strip("`")
        assert step == f"ctxpack symbols Command --repo {tmp_path}" and shell(step).data["symbols"]


def test_a_misspelt_node_is_asked_for_by_its_name(ctxpack: Any, shell: Any, tmp_path: Path) -> None:
    ctxpack("init", "graph", str(tmp_path))
    step = _steps(ctxpack("graph", "tsk-2", "--root", str(tmp_path)))[0]
    assert step == f"ctxpack graph task-2 --root {tmp_path}" and shell(step).code == 0


def test_for_a_misspelt_name_the_nearest_comes_first(ctxpack: Any, shell: Any) -> None:
    step, other = _steps(ctxpack("related", "PictureCach"))
    assert (step, other) == ("ctxpack related PictureCache", "ctxpack symbols '*PictureCach*'")
    assert shell(step).code == 0


@pytest.mark.parametrize("verb", ["query", "search"])
def test_a_misspelt_name_is_reported_with_commands_that_can_be_run(
    ctxpack: Any, shell: Any, tmp_path: Path, verb: str
) -> None:
    (tmp_path / "help.py").write_text("class HelpFormatter:\n    def write_usage(self):\n        return 1\n")
    for asked, named in (
        ("HelpFormater", "HelpFormatter"),
        ("usage_write", "write_usage"),
        ("helpFormatters", "HelpFormatter"),
    ):
        told = ctxpack(verb, asked, "--repo", str(tmp_path)).envelope["hints"]
        (step,) = [hint["text"].strip("`") for hint in told if hint["type"] == "action"]
        assert step == f"ctxpack {verb} {named} --repo {tmp_path}"
        assert shell(step).code == 0
    assert ctxpack(verb, "HelpFormatter", "--repo", str(tmp_path)).envelope["hints"] == []


def test_the_nearest_name_answers_if_nothing_else_does(ctxpack: Any, tmp_path: Path) -> None:
    (tmp_path / "zebra.py").write_text("def crossing():\n    return 1\n\n\ndef unrelated():\n    return 2\n")
    ran = ctxpack("query", "crosing", "--repo", str(tmp_path))
    assert ran.data["query"] == "crossing" and "def crossing" in ran.data["items"][0]["content"]
    assert [hint["text"] for hint in ran.envelope["hints"] if hint["type"] == "info" and "named" in hint["text"]] == [
        "Nothing is named crosing here: showing crossing, the nearest name."
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["query", "x", "--repo", "/nowhere"], ["ctxpack query x"]),
        (["index", "/nowhere"], ["ctxpack index"]),
        (["pages", "x", "--vault", "/nowhere"], ["ctxpack pages x"]),
        (["graph", "x", "--root", "/nowhere", "--edges", "blocks,prev"],
         ["ctxpack graph x --edges blocks,prev"]),
        (["clean", "--repo", "/nowhere"], ["ctxpack clean --help"]),
        (["trust", "/nowhere"], ["ctxpack trust --help"]),
        (["query", "x", "--max-charss", "5"], ["ctxpack query --help"]),
        (["query"], ["ctxpack query --help"]),
        (["fly"], ["ctxpack --help"]),
        (["search", ""], ["ctxpack search --help"]),
        (["query", "x", "--model", "no model"], ["ctxpack query --help"]),
        (["batch", "/nowhere.jsonl"], ["ls -la /"]),
        (["turn", "/nowhere.json"], ["ls -la /"]),
    ],
)  # fmt: skip
def test_suggestions_for_other_failures(ctxpack: Any, arguments: list[str], expected: list[str]) -> None:
    assert _steps(ctxpack(*arguments)) == expected


def test_a_missing_graph_says_nothing_about_ignored_files(ctxpack: Any, tmp_path: Path) -> None:
    (tmp_path / ".mdkg").mkdir()
    (tmp_path / ".mdkg" / "config.json").write_text("{}")
    assert _steps(ctxpack("graph", "x", cwd=tmp_path)) == ["ctxpack graph --help"]


def _line(*arguments: str) -> CommandLine:
    """The command line as click parses it."""
    command = cli.get_command(click.Context(cli), arguments[0])
    assert command is not None
    parent = click.Context(cli, info_name="ctxpack")
    return CommandLine(command.make_context(arguments[0], [*arguments[1:]], parent=parent))


def _codes(kind: type[CtxpackError] = CtxpackError) -> set[str]:
    return {kind.code, *(code for below in kind.__subclasses__() for code in _codes(below))}


MADE = {
    "invalid_request": errors.InvalidRequest("x", "m"),
    "not_a_directory": errors.NotADirectory("m"),
    "no_files": errors.NoFiles("m", details={"skipped": {}}),
    "index_missing": errors.IndexMissing("m"),
    "index_corrupt": errors.IndexCorrupt("m", details={"folder": "f"}),
    "index_locked": errors.IndexLocked("m"),
    "model_missing": errors.ModelMissing("m", details={"model": "bge-small"}),
    "model_mismatch": errors.ModelMismatch("m", details={"models": ["bge-small"]}),
    "budget_too_small": errors.BudgetTooSmall("m", details={"smallest": 7}),
    "not_found": errors.NotFound("m", details={"nearest": []}),
    "ambiguous": errors.Ambiguous("m", details={"candidates": ["task-1 (phase 2)", "A.b (src/a.py:3)"]}),
    "io_error": errors.IOFailure("m", details={"path": "/p q"}),
    "timed_out": errors.TimedOut("m"),
    "internal": errors.InternalError("m"),
}


def test_every_code_has_a_next_step() -> None:
    assert set(MADE) == _codes()
    for code, error in MADE.items():
        for asker in (
            _line("query", "Cart.total", "--repo", "my repo", "--profile", "quality"),
            Request({"id": 1, "action": "query"}, {"query": "Cart.total"}),
            Request({}, {"query": "Cart.total"}, "context_pack"),
        ):
            steps = next_steps(error, asker)
            # Only a tool's call has a time limit; it cannot choose a folder or how long to wait for a lock.
            is_call = isinstance(asker, Request) and asker.name
            told = code in ({"invalid_request", "not_a_directory", "index_locked"} if is_call else {"timed_out"})
            assert steps or told, code
            assert all(hint.type == "action" and shlex.split(hint.text.strip("`")) for hint in steps), code


def test_symbols_are_suggested_only_if_a_name_was_looked_for() -> None:
    call = Request({}, {"query": "Cart.total", "repo": "nope"}, "context_pack")
    assert not next_steps(errors.NotFound("no repository nope is served"), call)


def test_the_commands_of_a_command_line() -> None:
    line = _line("query", "Cart total", "--repo", "my repo", "--profile", "quality", "--no-refresh")
    told = {code: [hint.text.strip("`") for hint in next_steps(error, line)] for code, error in MADE.items()}
    assert told["model_missing"][1] == "ctxpack query 'Cart total' --repo 'my repo' --no-refresh --model embedded"
    assert told["index_missing"] == [
        "ctxpack index 'my repo'", "ctxpack query 'Cart total' --repo 'my repo' --profile quality"
    ]  # fmt: skip
    elsewhere = _line("query", "Cart total", "--index-dir", "my index", "--model", "embedded", "--no-refresh")
    here = "--index-dir 'my index' --model embedded"
    for code, first in (("index_missing", f"ctxpack index {here}"), ("index_corrupt", f"ctxpack index {here}"),
                        ("not_found", f"ctxpack symbols '*' {here}")):  # fmt: skip
        assert next_steps(MADE[code], elsewhere)[0].text == f"`{first}`"
    dashed = _line("query", "--repo", "-x", "--", "-y")
    assert next_steps(MADE["index_missing"], dashed)[0].text == "`ctxpack index -- -x`"
    assert dashed.look_for("-y") == "ctxpack symbols --repo -x -- -y"
    assert told["ambiguous"][1] == "ctxpack query src/a.py:3 --repo 'my repo' --profile quality --no-refresh"
    assert told["ambiguous"][0].startswith("ctxpack query task-1 --repo")
    assert told["io_error"] == ["ls -la /"]
    full = errors.IOFailure("/tmp/a: No space left on device", details={"path": "/tmp"})
    assert [hint.text for hint in next_steps(full, line)] == ["`df -h /tmp`"]


def test_suggestions_to_a_batch_or_a_tool_are_in_its_own_form(ctxpack: Any) -> None:
    request = {"id": 1, "action": "query", "args": {"query": "PictureCache", "max_chars": 20}}
    run = ctxpack("batch", stdin=json.dumps(request).encode())
    (step,) = _steps(run)
    again = json.loads(step)
    assert again["args"]["max_chars"] == run.envelope["error"]["details"]["smallest"]
    assert ctxpack("batch", stdin=step.encode()).envelope["status"] == "ok"
    (hint,) = next_steps(MADE["budget_too_small"], Request({}, {"query": "ä"}, "context_pack"))
    assert hint.text == '`context_pack {"query": "ä", "max_chars": 7}`'


def test_every_suggestion_can_be_parsed() -> None:
    """Whatever fails, a suggested command only has options that exist."""
    given = {"install": ["cursor"], "init": ["graph"], "trust": ["."], "completion": ["bash"], "batch": []}
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, click.Group):
            continue
        named = any(isinstance(one, click.Argument) for one in command.params)
        line = _line(name, *given.get(name, ["x"] if named else []))
        for error in MADE.values():
            for hint in next_steps(error, line):
                first, *words = shlex.split(hint.text.strip("`").removeprefix("CTXPACK_DEBUG=1 "))
                if first == "ctxpack" and words[0] != "model" and words[-1] != "--help":
                    _line(*words)

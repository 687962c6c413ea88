"""The answers of the commands, through the real console script."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import context_pack
from context_pack.cli import app

pytestmark = pytest.mark.slow


def test_a_query_prints_one_valid_envelope_and_nothing_else(ctxpack: Any, conforms: Any) -> None:
    run = ctxpack("query", "PictureCache", "--max-chars", "2000", "--explain")
    assert (run.code, run.err) == (0, "")
    conforms(run.envelope, "envelope")
    conforms(run.data, "context_pack")
    first = run.data["items"][0]
    assert (first["file"], first["symbol"], first["score"]) == ("src/picture_cache.py", "PictureCache", 1.0)
    assert all(item["why"] for item in run.data["items"])
    meta = run.envelope["meta"]
    assert meta["duration_ms"]["total"] > 0
    assert (meta["index"]["files"], meta["index"]["stale"], meta["index"]["model_id"]) == (
        5,
        False,
        "ctxpack-static-v1",
    )


def test_the_envelopes_keys_are_sorted_and_the_output_can_be_indented(ctxpack: Any) -> None:
    run = ctxpack("query", "PictureCache")
    assert list(run.envelope) == sorted(run.envelope)
    indented = ctxpack("query", "PictureCache", "--pretty")
    assert indented.out.startswith(b'{\n  "data": {\n    "budget"')
    assert json.loads(indented.out)["data"] == run.data


@pytest.mark.parametrize("name", ["xml", "toon"])
def test_documents_are_printed_alone_within_the_budget(ctxpack: Any, name: str) -> None:
    run = ctxpack("query", "PictureCache", "--format", name, "--max-chars", "1900")
    assert (run.code, run.err) == (0, "")
    assert b"class PictureCache:" in run.out and 1000 < len(run.out) <= 1900
    used = f'used_chars="{len(run.out)}"' if name == "xml" else f"used_chars: {len(run.out)}\n"
    assert used.encode() in run.out


@pytest.mark.parametrize("name", ["md", "text"])
def test_text_formats_print_the_pack_alone_within_the_budget(ctxpack: Any, name: str) -> None:
    run = ctxpack("query", "PictureCache", "--format", name, "--max-chars", "900")
    assert (run.code, run.err) == (0, "")
    assert b"class PictureCache:" in run.out and 600 < len(run.out) <= 900
    assert f"{len(run.out)} of 900 characters".encode() in run.out


def test_tokens_and_characters_are_limited_together(ctxpack: Any, conforms: Any, tmp_path: Path) -> None:
    data = ctxpack("query", "PictureCache", "--max-tokens", "700").data
    conforms(data, "context_pack")
    assert 350 < data["budget"]["used_tokens"] <= 700 == data["budget"]["max_tokens"]
    text = ctxpack("query", "PictureCache", "--max-tokens", "300", "--format", "md").out
    assert f"{-(-len(text) // 4)} of 300 tokens (chars/4)".encode() in text
    (tmp_path / "no.json").write_text("{}")
    error = ctxpack("query", "PictureCache", "--tokenizer", str(tmp_path / "no.json")).error
    assert (error["code"], error["details"]["field"]) == ("invalid_request", "tokenizer")


def test_the_query_may_come_from_stdin(ctxpack: Any) -> None:
    asked = ctxpack("query", "-", stdin="the thumbnail of a picture, ä\n".encode())
    assert asked.data["query"] == "the thumbnail of a picture, ä"
    assert asked.data["items"]


def test_names_may_come_from_stdin_too(ctxpack: Any, tmp_path: Path) -> None:
    assert ctxpack("symbols", "-", stdin=b"*Cache\n").data == ctxpack("symbols", "*Cache").data
    assert ctxpack("related", "-", stdin=b"PictureCache\n").data == ctxpack("related", "PictureCache").data
    ctxpack("init", "graph", str(tmp_path / "demo"))
    asked = ("--root", str(tmp_path / "demo"), "--no-timestamp")
    assert ctxpack("graph", "-", *asked, stdin=b"task-2\n").out == ctxpack("graph", "task-2", *asked).out


def test_the_result_may_go_to_a_file(ctxpack: Any, tmp_path: Path) -> None:
    out = tmp_path / "pack.md"
    out.write_text("old")
    run = ctxpack("query", "PictureCache", "--format", "md", "--out", str(out))
    assert (run.code, run.out, run.err) == (0, b"", "")
    assert out.read_bytes() == ctxpack("query", "PictureCache", "--format", "md").out
    assert [path.name for path in tmp_path.iterdir()] == ["pack.md"], "nothing else is left"


def test_filters_come_before_the_ranking(ctxpack: Any) -> None:
    run = ctxpack("query", "gallery pictures", "--include", "web/**", "--related", "0")
    assert {item["file"] for item in run.data["items"]} == {"web/gallery.js"}
    run = ctxpack("search", "cache", "--language", "markdown", "--top-k", "3", "--content")
    conforms_files = {hit["file"] for hit in run.data["hits"]}
    assert conforms_files == {"README.md"} and all(hit["content"] for hit in run.data["hits"])
    run = ctxpack("search", "cache", "--no-docs", "--exclude", "tests/", "--top-k", "50")
    assert {hit["file"].partition("/")[0] for hit in run.data["hits"]} <= {"src", "web"}


def test_places_come_by_files_or_by_lines(ctxpack: Any, project: Path, tmp_path: Path) -> None:
    asked = ("search", "picture cache thumbnail", "--explain")
    by_files, by_lines = (ctxpack(*asked, "--order", order).data["hits"] for order in ("files", "lines"))
    assert ctxpack(*asked).data["hits"] == by_files
    kinds = [{why["name"].partition(".")[0] for hit in hits for why in hit["why"]} for hits in (by_files, by_lines)]
    assert "file" in kinds[0] and kinds[1] - {"again_in_file", "topic"} == {"own", "around"}
    line = {"id": 1, "action": "search", "args": {"query": asked[1], "explain": True, "order": "lines"}}
    requests = tmp_path / "requests.jsonl"
    requests.write_text(json.dumps(line))
    assert json.loads(ctxpack("batch", str(requests)).out)["data"]["hits"] == by_lines
    hits = context_pack.search(
        asked[1], repo=project, index_dir=tmp_path, model="embedded", explain=True, order="lines"
    ).hits
    assert [(hit.id, hit.score) for hit in hits] == [(hit["id"], hit["score"]) for hit in by_lines]
    assert ctxpack("query", asked[1], "--order", "lines").code == 2, "a pack has one order"


def test_search_symbols_and_status_are_valid(ctxpack: Any, conforms: Any) -> None:
    for arguments, name in [
        (("search", "thumbnail", "--explain"), "search"),
        (("related", "PictureCache", "--explain", "--content"), "related"),
        (("symbols",), "symbols"),
        (("symbols", "*Cache"), "symbols"),
        (("status",), "status"),
        (("model", "list"), "model"),
    ]:
        run = ctxpack(*arguments)
        conforms(run.envelope, "envelope")
        conforms(run.data, name)
    assert ctxpack("symbols", "*Cache").data["symbols"][0]["qualified"] == "PictureCache"
    assert {model["name"] for model in ctxpack("model", "list").data["models"]} >= {"embedded", "bge-small"}


def test_related_is_asked_for_by_place_from_any_folder(ctxpack: Any, project: Path) -> None:
    by_name = ctxpack("related", "PictureCache", "--format", "text")
    assert (by_name.code, by_name.err) == (0, "")
    groups = by_name.out.decode().split("\n\n")
    assert groups[0].startswith("src/picture_cache.py:") and groups[0].endswith("  class PictureCache")
    assert any("\n  tests/test_picture_cache.py:" in group for group in groups[1:])
    line = next(
        number for number, text in enumerate((project / "src/picture_cache.py").read_text().split("\n"), start=1)
        if text.startswith("class PictureCache")
    )  # fmt: skip
    asked = ("--format", "text", "--repo", str(project))
    below = ctxpack("related", f"picture_cache.py:{line}", *asked, cwd=project / "src")
    whole = ctxpack("related", str(project / f"src/picture_cache.py:{line}"), *asked, cwd=project / "src")
    assert by_name.out == below.out == whole.out


def test_places_are_also_lines_of_text(ctxpack: Any, tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("class Cart:\n    def total(self):\n        return 1\n")
    asked = ("--format", "text", "--repo", str(tmp_path))
    assert ctxpack("symbols", "Cart", *asked).out == b"cart.py:1  class Cart\ncart.py:2  method Cart.total\n"
    first, code = ctxpack("search", "cart total", "--content", *asked).out.split(b"\n", 1)
    assert first == b"cart.py:1-3  class Cart" and code.startswith(b"    class Cart:\n")
    assert ctxpack("search", "zebra", *asked).out == b""


def test_a_working_folder_that_is_gone_does_not_matter(shell: Any, project: Path, tmp_path: Path) -> None:
    begin = f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone"
    for command in ("query", "search", "related"):
        assert shell(f"{begin} && ctxpack {command} PictureCache --repo {project}").code == 0


def test_a_path_of_a_question_starts_at_the_working_folder(ctxpack: Any, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / "tree" / folder).mkdir(parents=True)
        (tmp_path / "tree" / folder / "main.py").write_text(f"def {folder}():\n    return {len(folder)}\n")
    (tmp_path / "tree" / ".git").mkdir()
    two = tmp_path / "tree/two"
    for path, file in [("main.py:1", "two"), ("./main.py:1", "two"), ("../one/main.py", "one"), ("one/main.py", "one")]:
        assert ctxpack("query", path, cwd=two).data["items"][0]["file"] == f"{file}/main.py"
        assert ctxpack("search", path, cwd=two).data["hits"][0]["file"] == f"{file}/main.py"
    (two / "one").write_bytes(b"\x7fELF\0")  # `go build` names a program after its folder
    assert ctxpack("query", "one", cwd=two).data["items"][0]["symbol"] == "one"


def test_a_place_that_does_not_exist_is_one_clear_error(ctxpack: Any) -> None:
    assert ctxpack("related", "src/picture_cache.py:9999").error["code"] == "not_found"
    assert ctxpack("related", "no_such_symbol").error["code"] == "not_found"


def test_a_batch_answers_line_by_line(ctxpack: Any, conforms: Any, tmp_path: Path) -> None:
    lines = [
        {"id": 1, "action": "query", "args": {"query": "PictureCache", "max_chars": 700}},
        "no request",
        {"id": 3, "action": "search", "args": {"query": "thumbnail", "top_k": 1}},
        {"id": 4, "action": "symbols", "args": {"query": "fit*"}},
        {"id": 5, "action": "status"},
        {"id": 6, "action": "related", "args": {"query": "PictureCache"}},
        {"id": 7, "action": "related", "args": {"target": "PictureCache"}},
        {"id": 8, "action": "symbols", "args": {"pattern": "fit*"}},
    ]
    requests = tmp_path / "requests.jsonl"
    requests.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    run = ctxpack("batch", str(requests))
    assert (run.code, run.err) == (0, "")
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert [answer["id"] for answer in answers] == [1, None, 3, 4, 5, 6, 7, 8]
    assert [answer["status"] for answer in answers] == ["ok", "error", *["ok"] * 6]
    assert (answers[6]["data"], answers[7]["data"]) == (answers[5]["data"], answers[3]["data"])
    for answer in answers:
        conforms(answer, "envelope")
    assert answers[0]["data"] == ctxpack("query", "PictureCache", "--max-chars", "700").data
    assert ctxpack("batch", stdin=requests.read_bytes()).out.count(b"\n") == 8


def test_a_changed_tree_is_refreshed_and_reported(ctxpack: Any, project: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(project, mine)
    (mine / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")  # seen, but not indexed
    first = ctxpack("query", "PictureCache", cwd=mine)
    assert first.envelope["hints"][0]["text"].startswith("Indexed 5 files")
    assert first.envelope["meta"]["index"]["refreshed"]["added"] == 5
    second = ctxpack("query", "PictureCache", cwd=mine)
    assert (second.envelope["hints"], second.envelope["meta"]["index"]["refreshed"]["added"]) == ([], 0)
    (mine / "src" / "added.py").write_text("def zebra_crossing():\n    return 1\n")
    assert ctxpack("status", cwd=mine).data["stale"] is True
    stale = ctxpack("query", "zebra_crossing", "--no-refresh", cwd=mine)
    assert "src/added.py" not in {item["file"] for item in stale.data["items"]}
    assert stale.envelope["meta"]["index"]["stale"] is None, "nobody looked"
    fresh = ctxpack("query", "zebra_crossing", cwd=mine)
    assert fresh.data["items"][0]["file"] == "src/added.py"
    assert fresh.envelope["hints"][0]["text"] == "Index refreshed: 1 file added, 0 changed, 0 removed."
    assert ctxpack("status", cwd=mine).data["stale"] is False


def test_an_index_is_built_and_removed(ctxpack: Any, conforms: Any, project: Path, tmp_path: Path) -> None:
    where = ("--index-dir", str(tmp_path / "index"))
    built = ctxpack("index", str(project), *where, cwd=tmp_path)
    conforms(built.envelope, "envelope")
    conforms(built.data, "index")
    assert (built.data["files"], built.data["added"]) == (5, 5)
    again = ctxpack("index", str(project), *where, cwd=tmp_path)
    assert (again.data["added"], again.data["changed"], again.data["removed"]) == (0, 0, 0)
    repo = ("--repo", str(project))
    assert ctxpack("query", "PictureCache", "--no-refresh", *repo, *where, cwd=tmp_path).data["items"]
    cleaned = ctxpack("clean", *repo, *where, cwd=tmp_path)
    conforms(cleaned.data, "clean")
    assert len(cleaned.data["removed"]) == 1 and not cleaned.envelope["hints"]
    (hint,) = ctxpack("clean", *repo, *where, cwd=tmp_path).envelope["hints"]
    assert hint["text"] == f"There was nothing to remove for {project}."
    assert (
        ctxpack("query", "PictureCache", "--no-refresh", *repo, *where, cwd=tmp_path).error["code"] == "index_missing"
    )


def test_defaults_come_from_the_repositorys_file(ctxpack: Any, project: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    shutil.copytree(project, mine)
    (mine / "ctxpack.toml").write_text("max_chars = 600\nformat = 'text'\nindex_dir = '.ctxpack'\nrelated = 0\n")
    run = ctxpack("query", "PictureCache", cwd=mine / "src")
    assert b"of 600 characters" in run.out
    assert not (mine / ".ctxpack").exists()
    run = ctxpack("query", "PictureCache", "--format", "json", "--max-chars", "700", cwd=mine / "src")
    assert run.data["budget"]["max_chars"] == 700
    (hint,) = [hint["text"] for hint in run.envelope["hints"] if hint["type"] == "warn"]
    assert hint.startswith("ctxpack.toml: index_dir is ignored") and "`ctxpack trust DIR`" in hint


def test_a_trusted_repository_chooses_more(ctxpack: Any, conforms: Any, project: Path, tmp_path: Path) -> None:
    mine, own = tmp_path / "mine", {"CTXPACK_CONFIG_DIR": str(tmp_path / "config")}
    shutil.copytree(project, mine)
    (mine / "ctxpack.toml").write_text("index_dir = '.ctxpack'\nmodel = 'embedded'\n")
    run = ctxpack("trust", str(mine), env=own)
    conforms(run.envelope, "envelope")
    conforms(run.data, "trust")
    assert (run.data["options"], run.data["trusted"]) == (["index_dir", "model"], True)
    asked = ("query", "PictureCache", "--repo", str(mine))
    run = ctxpack(*asked, env=own)
    assert (mine / ".ctxpack").is_dir() and not [hint for hint in run.envelope["hints"] if hint["type"] == "warn"]
    assert not any(item["file"].startswith(".ctxpack") for item in run.data["items"])
    with (mine / "ctxpack.toml").open("a") as file:
        file.write("max_chars = 600\n")
    assert len([hint for hint in ctxpack(*asked, env=own).envelope["hints"] if hint["type"] == "warn"]) == 2
    assert ctxpack("trust", str(mine), "--revoke", env=own).data["trusted"] is False


def test_the_same_question_gives_the_same_bytes(ctxpack: Any, project: Path, tmp_path: Path) -> None:
    """Under other hash seeds and locales, and from a tree whose files were created in another order."""
    shuffled = tmp_path / "shuffled"
    for path in sorted(project.rglob("*"), reverse=True):
        if path.is_file():
            copy = shuffled / path.relative_to(project)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    arguments = ("query", "where is the thumbnail cache", "--explain", "--max-chars", "3000")
    expected = json.dumps(ctxpack(*arguments).data, ensure_ascii=False)
    for seed, locale in [("0", "C"), ("1", "sv_SE.UTF-8"), ("2", "C.UTF-8")]:
        env = {"PYTHONHASHSEED": seed, "LC_ALL": locale}
        assert json.dumps(ctxpack(*arguments, cwd=shuffled, env=env).data, ensure_ascii=False) == expected
        text = [ctxpack(*arguments, "--format", "md", cwd=cwd, env=env).out for cwd in (project, shuffled)]
        assert text[0] == text[1]


def test_help_names_every_command_and_gives_examples(ctxpack: Any) -> None:
    overview = ctxpack("--help").out.decode()
    assert {"query", "search", "index", "status", "symbols", "batch", "model", "clean"} < set(app.COMMANDS)
    for command, (_, summary) in app.COMMANDS.items():
        assert re.search(rf"^  {command} +{re.escape(summary)}$", overview, re.M)
        assert ctxpack(command, "-h").out.startswith(f"Usage: ctxpack {command}".encode())
    assert "ctxpack query" in overview
    assert ctxpack().out.decode() == overview
    for group in ("fleet", "turn", "model"):
        assert not re.search(r"^  \w+ .*\.\.\.$", ctxpack(group, "-h").out.decode(), re.M), "a summary is cut"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(ctxpack: Any, shell: str) -> None:
    script = ctxpack("completion", shell)
    assert (script.code, script.err) == (0, "")
    assert b"_CTXPACK_COMPLETE" in script.out


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("query --lang", ["plain,--language"]),
        ("qu", ["plain,query"]),
        ("install cur", ["plain,cursor"]),
        ("mcp --print-config ze", ["plain,zed"]),
        ("related x --edges calls,tested", ["plain,calls,tested_by"]),
        ("graph x --edges blocked", ["plain,blocked_by"]),
        ("query x --model bge", ["plain,bge-small"]),
        ("query x --language pyt", ["plain,python"]),
        ("query x --format ht", ["plain,html"]),
        ("query src/pic", ["file,src/pic"]),
        ("related src/pic", ["file,src/pic"]),
        ("query x --repo ..", ["dir,.."]),
        ("query x --out pa", ["file,pa"]),
        ("init wi", ["plain,wiki"]),
        ("turn ", ["plain,build", "plain,merge"]),
    ],
)
def test_completion_offers_names_and_files(ctxpack: Any, words: str, offered: list[str]) -> None:
    line = f"ctxpack {words}"
    env = {"_CTXPACK_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    run = ctxpack(env=env)
    assert (run.out.decode().splitlines(), run.err) == (offered, "")

"""The list of tools and the answers of each, through the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import ClientSession, stdio_client
from serving import (
    PATIENCE_S,
    ROOT,
    SCRIPT,
    Servers,
    about,
    error_code,
    places,
    project_in,
    servers_in,
    text_of,
)

from context_pack.follow.loop import Followed
from context_pack.mcp.further import room_for
from context_pack.mcp.schemas import TOOLS, input_schema, read_arguments
from context_pack.mcp.service import _from_its_root
from context_pack.mcp.text import failure
from context_pack.options.spec import per_question
from contracts.errors import Ambiguous, InvalidRequest

pytestmark = pytest.mark.slow

EVERY = [
    "context_pack", "related", "search", "symbols", "graph_pack", "task_packet", "turn_pack", "page_pack",
    "index_status",
]  # fmt: skip
MAX_TOKENS = 1_200


def _listed(servers: Servers, *repos: Path, options: tuple[str, ...] = ()) -> dict[str, Any]:
    async def talk(session: ClientSession) -> Any:
        return await session.list_tools()

    return {tool.name: tool for tool in servers.run(talk, *repos, options=options).tools}


def test_two_tools_are_listed_for_few_tokens(servers: Servers, project: Path) -> None:
    """At most 1,200 tokens, at four characters a token, which is more than a tokenizer makes of them."""
    tools = _listed(servers, project)
    assert list(tools) == ["context_pack", "related"]
    spelled = [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in tools.values()]
    assert sum(map(len, spelled)) <= 4 * MAX_TOKENS
    assert all(tool.output_schema is None and tool.annotations.read_only_hint for tool in tools.values())


def test_all_tools_are_listed_on_request(servers: Servers, project: Path) -> None:
    tools = _listed(servers, project, options=("--tools", "all"))
    assert list(tools) == EVERY
    for name, tool in tools.items():
        Draft202012Validator.check_schema(tool.input_schema)
        assert tool.description and set(tool.input_schema["required"]) == set(TOOLS[name].required)
        assert "project" in tool.input_schema["properties"]["repo"]["description"]


@pytest.mark.parametrize(
    ("kind", "tool"), [("graph", "graph_pack"), ("task", "task_packet"), ("turn", "turn_pack"), ("wiki", "page_pack")]
)
def test_a_recipe_is_listed_if_the_repository_has_files_for_it(
    servers: Servers, examples: dict[str, Path], kind: str, tool: str
) -> None:
    assert list(_listed(servers, examples[kind])) == ["context_pack", "related", tool]


@pytest.mark.parametrize(
    ("name", "actions", "subject"),
    [("context_pack", {"query", "search", "symbols"}, {"query", "mode"}), ("search", {"search"}, {"query"}),
     ("related", {"related"}, {"target"}), ("symbols", {"symbols"}, {"pattern"})],
)  # fmt: skip
def test_a_tool_takes_every_option_of_its_question(name: str, actions: set[str], subject: set[str]) -> None:
    """Except options that name files of this machine, and the one that would show secrets."""
    kept_back = {"no_redact", "tokenizer", "have_pack"}
    options = {option for action in actions for option in per_question(action)} - kept_back
    properties = input_schema(TOOLS[name], ("project",), whole=True)["properties"]
    assert set(properties) - subject == options | {"repo", "time_limit_s"}


def test_an_answer_is_sent_only_once(servers: Servers, project: Path) -> None:
    """It has its text and, in addition, only grade and budget: 8,000 characters by default.

    Lines begin with tabs, which JSON writes as two characters, and paths are long.
    """
    folder = project / "src" / "galleries" / "of_thumbnails_that_were_made_for_small_screens"
    folder.mkdir(parents=True)
    for number in range(12):
        names = [f"picture_{chr(97 + number)}{line}" for line in range(30)]  # no two galleries are nearly equal
        body = "\n".join(f"\t\t{name} = cache.thumbnail({name}_file, {line})" for line, name in enumerate(names))
        code = f"def show_gallery_{number}(cache, picture):\n\tif cache:\n{body}\n"
        (folder / f"gallery_{number}.py").write_text(code)

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("context_pack", {"query": "how is a gallery of thumbnails shown"})

    answer = servers.run(talk, project)
    assert answer.structured_content is None and set(about(answer)) == {"confidence", "budget"}
    text = text_of(answer)
    assert 6_000 < len(text.encode()) <= 8_000 and about(answer)["budget"]["max_chars"] == 8_000
    assert len(answer.model_dump_json(by_alias=True, exclude_none=True).encode()) <= 1.15 * len(text.encode())
    assert "everything" not in text


def test_an_answer_to_a_question_names_tests_and_further_places_within_its_limit(
    servers: Servers, project: Path
) -> None:
    for number in range(30):
        names = " + ".join(f"gallery_{number}_{line}" for line in range(30))
        (project / "src" / f"gallery_{number}.py").write_text(
            f"def show_gallery_{number}(pictures):\n    return {names}\n"
        )
    for number in range(6):
        tests = f"def test_show_gallery_of_pictures():\n    assert show_gallery_{number}([]) == 0\n"
        (project / "tests" / f"test_gallery_{number}.py").write_text(tests)

    async def talk(session: ClientSession) -> Any:
        asked = {"query": "how is a gallery of pictures shown", "max_chars": 4_000, "have": ["src/gallery_7.py:1-2"]}
        whole, small = asked | {"max_chars": 100_000}, asked | {"max_chars": 1_900}
        named = {**asked, "query": "show_gallery_3"}
        weak = {"query": "what happens to pictures when the network is slow", "max_chars": 2_000}
        return [await session.call_tool("context_pack", arguments) for arguments in (asked, weak, whole, small, named)]

    asked, weak, *others = map(text_of, servers.run(talk, project))
    assert "Weak match" in weak and "Further places" in weak and len(weak) <= 2_000
    tests, places = re.search(r"info: Tests: (.*)\ninfo: Further places: (.*)\n\Z", asked).groups()
    assert re.fullmatch(r"(`tests/test_gallery_\d\.py:1-2`(, |$)){4}", tests)
    named = re.findall(r"`(src/gallery_\d+\.py):1-2` function", places)
    assert named and not {f"## `{file}" for file in named} & set(re.findall(r"## `[^:]*", asked))
    assert "src/gallery_7.py" not in asked.partition("## ")[2]
    assert len(asked) <= 4_000 and " of 4000 characters" in asked
    assert not any("Further places" in other for other in others)


@pytest.mark.parametrize(
    ("query", "has_room"),
    [("how is a cart paid", True), ("pay_cart", False), ("", True)],
)
def test_only_an_answer_to_a_question_or_about_a_change_has_room_for_names(query: str, has_room: bool) -> None:
    assert (room_for(query, 4_000) > 0) == has_room


def test_the_review_of_a_change_names_tests_for_what_it_touches(servers: Servers, project: Path) -> None:
    test = "from till import open_till\n\n\ndef test_an_open_till(shop):\n    assert shop.drawer(open_till)\n"
    (project / "tests" / "test_till.py").write_text(test)
    (project / "src" / "till.py").write_text("def open_till(till):\n    return till\n")
    for step in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *step], cwd=project, check=True)
    (project / "src" / "till.py").write_text("def open_till(till):\n    till.open()\n    return till\n")
    patch = subprocess.run(["git", "diff"], cwd=project, capture_output=True, text=True, check=True).stdout

    async def talk(session: ClientSession) -> Any:
        changes = ({"diff": "HEAD"}, {"query": patch}, {"diff": "HEAD", "have": ["tests/test_till.py"]})
        return [await session.call_tool("context_pack", one | {"related": 0}) for one in changes]

    uncommitted, pasted, had = map(text_of, servers.run(talk, project))
    for answer in (uncommitted, pasted):
        assert "info: Tests: `tests/test_till.py:4-5`" in answer and "Further places" not in answer
    assert "Tests: `tests/test_till.py" not in had


def test_the_longest_question_is_answered(servers: Servers, project: Path) -> None:
    for number in range(30):
        names = " + ".join(f"cart_{number}_{line}" for line in range(30))
        (project / "src" / f"cart_{number}.py").write_text(f"def pay_cart_{number}(cart):\n    return {names}\n")
    asked = {"query": f"how is a cart paid? {'cart ' * 4_000}"[:19_999], "max_chars": 2_000}

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("context_pack", asked)

    assert "Further places: " in text_of(servers.run(talk, project))


def test_a_list_has_twenty_places_or_ten_with_their_code(servers: Servers, project: Path) -> None:
    calls = "".join(f"def pay_{number}(cart):\n    return total_of(cart) + {number}\n\n\n" for number in range(30))
    (project / "src" / "pay.py").write_text(f"def total_of(cart):\n    return sum(cart)\n\n\n{calls}")

    async def talk(session: ClientSession) -> Any:
        lists = ({}, {"content": True}, {"content": True, "top_k": 12})
        return [await session.call_tool("related", {"target": "total_of", **one}) for one in lists]

    counts = [re.search(r"(\d+) of \d+ related places", text_of(one))[1] for one in servers.run(talk, project)]
    assert counts == ["20", "10", "12"]


def test_places_and_budget_as_structured_content_on_request(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("context_pack", {"query": "PictureCache"})

    answer = servers.run(talk, project, options=("--structured",))
    assert answer.meta is None and set(answer.structured_content) == {"confidence", "places", "budget"}


@pytest.mark.parametrize("tool", ["context_pack", "search"])
def test_a_misspelt_name_is_reported_with_calls_that_can_be_made(shared: Any, tool: str) -> None:
    said = re.findall(r"action: `(.*)`", text_of(shared(tool, {"query": "PictureCach"})))
    name, _, arguments = said[0].partition(" ")
    assert (name, json.loads(arguments)["query"]) == (tool, "PictureCache")
    assert not shared(name, json.loads(arguments)).is_error


def test_an_answer_that_is_not_sure_says_so_to_agents(shared: Any) -> None:
    questions = {
        "strong": "PictureCache",
        "weak": "PictureCach",
        "none": "how are kubernetes volumes mounted when the scheduler of the cluster evicts a pod",
    }

    told = {grade: shared("context_pack", {"query": query}) for grade, query in questions.items()}
    for grade, answer in told.items():
        assert about(answer)["confidence"] == grade
        assert places(answer), "no grade is a refusal"
    first = {grade: text_of(told[grade]).partition("\n")[0] for grade in questions}
    assert first["strong"] == "# `PictureCache`: strong match"
    assert first["weak"].endswith("(weak match)`") and first["none"].endswith("(no confident match)`")
    assert "No confident match: this may be the wrong repository" in text_of(told["none"])


def test_an_include_that_no_file_matches_is_named_to_agents(shared: Any) -> None:
    answer = shared("context_pack", {"query": "PictureCache", "include": ["lib/*.py"]})
    assert "No indexed file matches include lib/*.py" in text_of(answer)


def test_code_that_an_agent_has_is_left_out(shared: Any) -> None:
    have = _ids(shared("context_pack", {"query": "PictureCache", "max_chars": 1500}))
    new = _ids(shared("context_pack", {"query": "PictureCache", "have": have, "max_chars": 1500}))
    assert have and not set(have) & set(new)


def _ids(answer: Any) -> list[str]:
    return [f"{file}:{lines}" for file, ranges in places(answer).items() for lines in ranges]


CALLS = [
    ("context_pack", {"query": "PictureCache", "max_chars": 2000, "repo": "project"}, "class PictureCache"),
    ("context_pack", {"query": "*Cache", "mode": "symbols"}, "class `PictureCache`"),
    ("context_pack", {"query": "thumbnail", "mode": "places", "limit": 1, "repo": "project"}, "1. `"),
    ("search", {"query": "thumbnail", "top_k": 2, "content": True, "repo": "project"}, "1. `"),
    ("related", {"target": "PictureCache", "repo": "project"}, "PictureCache"),
    ("symbols", {"pattern": "*Cache"}, "class `PictureCache`"),
    ("graph_pack", {"id": "task-2", "edges": ["blocked_by"], "repo": "graph-example"}, "## root:task-2"),
    ("task_packet", {"task": "T02", "repo": "task-example"}, "# Task `T02`"),
    ("page_pack", {"seed": "How is a sourdough starter fed?", "repo": "wiki-example"}, "| Path | Score |"),
    ("index_status", {}, "- `project` at"),
]


def test_places_by_lines_are_explained_as_a_pack_is(shared: Any) -> None:
    asked = {"query": "picture cache thumbnail", "explain": True}
    texts = [text_of(shared("search", asked | more)) for more in ({}, {"order": "lines"})]
    by_files, by_lines = (set(re.findall(r"- [+-][\d.]+ (\w+)", text)) for text in texts)
    assert "file" in by_files and by_lines - {"again_in_file", "topic"} == {"own", "around"}


def test_every_tool_answers(servers: Servers, project: Path, examples: dict[str, Path], conforms: Any) -> None:
    request = json.loads((examples["turn"] / "request.json").read_text())
    calls = [*CALLS, ("turn_pack", {"request": request, "repo": "turn-example"}, "GOAL: Reconnect")]
    assert {name for name, *_ in calls} == set(TOOLS)

    async def talk(session: ClientSession) -> Any:
        return [await session.call_tool(name, arguments) for name, arguments, _ in calls]

    results = servers.run(talk, project, *examples.values())
    for (name, _, shown), result in zip(calls, results, strict=True):
        assert not result.is_error and shown in result.content[0].text, (name, text_of(result))
    conforms(about(results[-2]), "index_status")


def test_the_text_of_a_pack_is_what_the_command_prints(servers: Servers, project: Path) -> None:
    """Except that the confidence replaces model and profile, so that both fit the same budget."""
    asked = {"query": "where is the thumbnail cache", "max_chars": 1500}

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("context_pack", asked)

    pack = servers.run(talk, project)
    printed = _printed(servers, project, "query", asked["query"], "--max-chars", "1500", "--format", "md")
    text = pack.content[0].text
    assert text.split("\n\n", 1)[1].rpartition("---")[0] == printed.split("\n\n", 2)[2].rpartition("---")[0]
    assert 800 < len(text.encode()) <= len(printed.encode()) <= 1500
    assert about(pack)["budget"]["used_chars"] == len(text.encode())
    assert f", {len(text.encode())} of 1500 characters" in text


def _printed(servers: Servers, project: Path, *arguments: str) -> str:
    done = subprocess.run([SCRIPT, *arguments], capture_output=True, cwd=project, env=servers.environment, check=True)
    return done.stdout.decode()


def test_several_repositories_are_packed_together_or_one_is_named(
    servers: Servers, project: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "store.py").write_text("class PictureCache:\n    def store(self, picture):\n        return picture\n")

    async def talk(session: ClientSession) -> Any:
        both = await session.call_tool("context_pack", {"query": "PictureCache", "related": 0})
        one = await session.call_tool("context_pack", {"query": "PictureCache", "related": 0, "repo": "other"})
        unnamed = await session.call_tool("graph_pack", {"id": "x"})
        unknown = await session.call_tool("search", {"query": "x", "repo": "nowhere"})
        copied = await session.call_tool("related", {"target": "other/store.py:2", "repo": "other"})
        had = {"query": "PictureCache", "related": 0, "repo": "other", "have": ["other/store.py"]}
        return both, one, unnamed, unknown, copied, await session.call_tool("context_pack", had)

    both, one, unnamed, unknown, copied, had = servers.run(talk, project, other)
    assert {"project/src/picture_cache.py", "other/store.py"} <= set(places(both))
    assert list(places(one)) == ["store.py"]
    assert error_code(unnamed) == "ambiguous" and "- other\n- project" in text_of(unnamed)
    assert error_code(unknown) == "not_found" and "other, project" in text_of(unknown)
    assert text_of(copied).startswith("store.py:1-3")
    assert "store.py" not in places(had)


def test_only_paths_lose_the_name_of_their_repository(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "queue.js").touch()
    one = Followed("async", tmp_path, {}, lambda *_: None)
    as_they_are = ("async/await support", "async/ lib", "async/", "async//lib", "async/../x", "async/nowhere.js:3")
    for text in as_they_are:
        assert _from_its_root({"query": text}, one) == {"query": text}
    paths = {
        "query": "async/lib/queue.js how is it drained",
        "have": ["async/lib/queue.js:1-9"],
        "include": ["async/*"],
    }
    assert _from_its_root({**paths, "diff": "async/lib"}, one) == {
        "query": "lib/queue.js how is it drained", "have": ["lib/queue.js:1-9"], "include": ["*"], "diff": "async/lib"
    }  # fmt: skip
    assert _from_its_root({"target": "async/lib/queue.js:3"}, one) == {"target": "lib/queue.js:3"}


def test_a_graph_pack_is_bounded_and_names_what_it_leaves_out(servers: Servers, examples: dict[str, Path]) -> None:
    (examples["graph"] / ".mdkg/work/task-9.md").write_text(
        "---\nid: task-9\ntype: task\ntitle: long\n---\n" + "a line of a long document\n" * 2_000
    )
    root = examples["graph"] / ".mdkg/work/task-8.md"
    root.write_text("---\nid: task-8\ntype: task\ntitle: short\nrelates: [task-9]\n---\n")

    async def talk(session: ClientSession) -> Any:
        bounded = await session.call_tool("graph_pack", {"id": "task-8"})
        return bounded, await session.call_tool("graph_pack", {"id": "task-8", "max_bytes": 0})

    bounded, whole = (text_of(reply) for reply in servers.run(talk, examples["graph"]))
    assert "dropped: [root:task-9]" in bounded and len(bounded) < 1_000
    assert "dropped: []" in whole and len(whole) > 50_000


def test_an_agent_is_told_why_a_slot_is_empty(servers: Servers, examples: dict[str, Path]) -> None:
    (examples["task"] / ".nexus/01-governance/SCARS.md").unlink()
    (examples["task"] / ".nexus/04-plans/02-auth/PLAN.md").unlink()

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("task_packet", {"task": "T02"})

    said = text_of(servers.run(talk, examples["task"]))
    assert "info: scarsDigest is empty: there is no .nexus/01-governance/SCARS.md" in said
    assert "info: boundaries: there is no PLAN.md of phase 02" in said


def test_a_task_packet_is_bounded_and_names_the_files_that_it_does_not_show(
    servers: Servers, examples: dict[str, Path]
) -> None:
    (examples["task"] / "src/auth/middleware.ts").write_text("export const line = 1;\n" * 5_000)

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("task_packet", {"task": "T02"})

    said = text_of(servers.run(talk, examples["task"]))
    assert len(said) < 33_000 and "(115,000 characters, not shown)" in said
    assert "warn: too large to show, read these files: src/auth/middleware.ts\n" in said


def test_an_agent_can_make_a_turn_request_from_its_description(servers: Servers, examples: dict[str, Path]) -> None:
    tool = _listed(servers, examples["turn"])["turn_pack"].input_schema["properties"]
    schema = json.loads((ROOT / "contracts/turn/v1/turn_request.schema.json").read_text())
    described = tool["request"]["description"]
    assert [name for name in schema["required"] if name not in described] == []
    assert [one for one in schema["properties"]["globalMode"]["enum"] if one not in described] == []
    assert "needs reason" in tool["max_tokens"]["description"] and "reason" in tool


def test_a_suggested_call_can_be_made_as_it_stands(servers: Servers, project: Path, examples: dict[str, Path]) -> None:
    """It names the same repository, and differs from the call that has just failed."""

    async def talk(session: ClientSession) -> Any:
        misspelt = await session.call_tool("graph_pack", {"id": "tsk-1", "repo": "graph-example"})
        unnamed = await session.call_tool("graph_pack", {"id": "task-1"})
        no_vault = await session.call_tool("page_pack", {"seed": "x", "repo": "project"})
        no_tasks = await session.call_tool("task_packet", {"task": "T1", "repo": "project"})
        no_repo = await session.call_tool("context_pack", {"query": "x", "repo": "elsewhere"})
        return misspelt, unnamed, no_vault, no_tasks, no_repo

    misspelt, unnamed, no_vault, no_tasks, no_repo = servers.run(talk, project, examples["graph"])
    assert 'action: `graph_pack {"id": "task-1", "repo": "graph-example"}`' in text_of(misspelt)
    assert 'action: `graph_pack {"id": "task-1", "repo": "project"}`' in text_of(unnamed)
    assert all("action" not in text_of(reply) for reply in (no_vault, no_tasks, no_repo))
    assert "give the vault with folder" in text_of(no_vault)


@pytest.mark.parametrize(("mode", "unused"), [("places", "have, max_chars"), ("symbols", "have, include, max_chars")])
def test_a_list_answers_without_the_options_that_only_a_pack_has(shared: Any, mode: str, unused: str) -> None:
    options = {"max_chars": 500, "have": ["a.py"], "include": ["*.py"], "limit": 3}
    result = shared("context_pack", {"query": "PictureCache", "mode": mode, **options})
    assert not result.is_error and "`PictureCache`" in text_of(result)
    assert f"info: mode {mode} does not use {unused}" in text_of(result)


def test_an_ambiguous_name_lists_ten_candidates() -> None:
    candidates = [f"Model{number}.save (src/model_{number}.py:7)" for number in range(23)]
    error = Ambiguous("save is defined in 23 places", details={"candidates": candidates})
    (told,) = failure(error, "related", {"target": "save"})["texts"]
    assert told.count("- Model") == 10 and "- Model9.save (src/model_9.py:7)\nand 13 more\n" in told


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("related", {"target": "where are pictures pruned"}), ("symbols", {"pattern": "where are pictures pruned"}),
     ("context_pack", {"query": "where are pictures pruned", "mode": "symbols"})],
)  # fmt: skip
def test_a_question_asked_as_a_name_is_suggested_as_a_question(
    shared: Any, name: str, arguments: dict[str, Any]
) -> None:
    assert 'action: `context_pack {"query": "where are pictures pruned"}`' in text_of(shared(name, arguments))


@pytest.mark.parametrize(
    ("name", "arguments", "same"),
    [
        ("context_pack", {"have": "src/picture_cache.py"}, {"have": ["src/picture_cache.py"]}),
        ("context_pack", {"include": "tests/**"}, {"include": ["tests/**"]}),
        ("context_pack", {"max_chars": "4000", "limit": 3.0}, {"max_chars": 4000, "limit": 3}),
        ("context_pack", {"have": None, "max_chars": None, "time_limit_s": "30"}, {}),
        ("related", {"limit": 3}, {"target": "PictureCache", "top_k": 3}),
        ("search", {"limit": 1}, {"top_k": 1}),
        ("symbols", {"top_k": "1"}, {"pattern": "PictureCache", "limit": 1}),
        ("context_pack", {"diff": "", "have": [], "mode": ""}, {}),
        ("context_pack", {"path": "tests/**"}, {"include": ["tests/**"]}),
    ],
)  # fmt: skip
def test_arguments_may_be_spelled_otherwise(
    shared: Any, name: str, arguments: dict[str, Any], same: dict[str, Any]
) -> None:
    spelled = shared(name, {"query": "PictureCache", **arguments})
    assert not spelled.is_error, text_of(spelled)
    subject = {} if {"target", "pattern"} & same.keys() else {"query": "PictureCache"}
    assert text_of(spelled) == text_of(shared(name, {**subject, **same}))


@pytest.mark.parametrize(
    ("name", "arguments", "same"),
    [
        ("related", {"symbol": "PictureCache"}, {"target": "PictureCache"}),
        ("related", {"file": "src/picture_cache.py", "line": 9}, {"target": "src/picture_cache.py:9"}),
        ("related", {"path": "picture_cache.py", "symbol": "PictureCache"}, {"target": "PictureCache"}),
        ("context_pack", {"question": "PictureCache"}, {"query": "PictureCache"}),
    ],
)  # fmt: skip
def test_the_subject_may_have_another_name(
    shared: Any, name: str, arguments: dict[str, Any], same: dict[str, Any]
) -> None:
    spelled = shared(name, arguments)
    assert not spelled.is_error, text_of(spelled)
    assert text_of(spelled) == text_of(shared(name, same))


@pytest.mark.parametrize(
    ("name", "arguments", "read"),
    [
        ("context_pack", {"path": "src/**", "question": "x"}, {"query": "x", "include": ["src/**"]}),
        ("context_pack", {"question": "x", "symbol": "y"}, "symbol is unknown"),
        ("related", {"query": "x", "symbol": "y"}, "symbol is unknown"),
        ("related", {"symbol": "x", "name": "y"}, "name is unknown"),
        ("related", {"file": "a.py", "line": 3.0, "symbol": "x"}, {"target": "a.py:3"}),
        ("related", {"file": "a.py", "line": None, "symbol": ""}, {"target": "a.py"}),
        ("context_pack", {"query": "x", "repos": []}, {"query": "x"}),
        ("related", {"file": "a.py", "name": "x", "target": ""}, {"target": "a.py:x"}),
        ("related", {"path": None, "line": 3}, "line is unknown"),
        ("related", {"file": ["a.py"], "line": 3}, "line is unknown"),
        ("related", {"file": "a.py", "line": True}, "line is unknown"),
        ("turn_pack", {"request": '{"goal": "x"}'}, {"request": {"goal": "x"}}),
        ("turn_pack", {"request": "[" * 100_000}, "request is string, not object"),
    ],
)  # fmt: skip
def test_no_argument_with_another_name_is_lost(name: str, arguments: dict[str, Any], read: Any) -> None:
    schema = input_schema(TOOLS[name], (), whole=True, fleet=True)
    try:
        assert read_arguments(TOOLS[name], arguments, schema) == read
    except InvalidRequest as error:
        assert str(error) == read


@pytest.mark.parametrize(
    ("diff", "read"),
    [(True, {"diff": "HEAD"}), (False, {}), ("HEAD", {"diff": "HEAD"}), ("--staged", {"staged": True})],
)
def test_a_diff_may_be_a_switch(diff: object, read: dict[str, Any]) -> None:
    tool = TOOLS["context_pack"]
    assert read_arguments(tool, {"diff": diff}, input_schema(tool, (), whole=True)) == read


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("context_pack", {}, "the query is missing"),
        ("context_pack", {"query": 1}, "query is integer, not string"),
        ("context_pack", {"query": "x", "max_char": 5}, "max_char is unknown\ndid you mean max_chars? context_pack"),
        ("related", {"spot": "x"}, "spot is unknown\nrelated takes target, top_k, content\n"),
        ("related", {}, "target is missing\nPath, path:line or symbol name."),
        ("context_pack", {"query": "x", "have": 3}, "have is integer, not array\nFiles or file:start-end"),
        ("context_pack", {"query": "x", "have": [3]}, "have[0] is integer, not string\nFiles or file:start-end"),
        ("context_pack", {"query": "x", "max_chars": "many"}, "max_chars is string, not integer"),
        ("context_pack", {"query": "x", "max_chars": 1000.5}, "max_chars is number, not integer"),
        ("context_pack", {"query": None}, "the query is missing"),
        ("context_pack", {"query": "PictureCache", "max_chars": 40}, "max_chars"),
        ("context_pack", {"query": "x", "time_limit_s": 0}, "time_limit_s must be above 0"),
        ("context_pack", {"query": "x", "fit": "some"}, "'some', not one of whole, cut"),
        ("context_pack", {"query": "x", "mode": "all"}, "'all', not one of pack, places, symbols"),
        ("context_pack", {"query": "x", "mode": "places", "limit": 1001}, "limit must be a whole number"),
        ("search", {}, "query is missing"),
        ("search", {"query": "x", "top_k": 0}, "top_k must be a whole number"),
        ("search", {"query": "x", "order": "names"}, "'names', not one of files, lines"),
        ("related", {"target": "no_such_symbol"}, "nothing in the index is named no_such_symbol"),
        ("graph_pack", {"id": "x", "folder": "../outside"}, "is outside the root"),
        ("page_pack", {"seed": "x", "folder": "/etc"}, "is absolute"),
        ("turn_pack", {"request": {}}, "goal"),
        ("no_such_tool", {}, "there is no tool no_such_tool"),
    ],
)  # fmt: skip
def test_faults_of_a_call_are_reported(shared: Any, name: str, arguments: dict[str, Any], said: str) -> None:
    result = shared(name, arguments)
    assert result.is_error and error_code(result)
    assert said in text_of(result)
    assert "--" not in text_of(result), "options and commands are those of a tool's caller"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """`shared(name, arguments)`: one call to a server that the whole module shares."""
    folder = tmp_path_factory.mktemp("shared")
    mine, project = servers_in(folder), project_in(folder)
    with asyncio.Runner() as runner:
        calls: asyncio.Queue[Any] = asyncio.Queue()

        async def serve() -> None:
            async with stdio_client(mine.parameters(project)) as pipes, ClientSession(*pipes) as session:
                await session.initialize()
                while (call := await calls.get()) is not None:
                    name, arguments, answer = call
                    answer.set_result(await session.call_tool(name, arguments))

        async def start() -> asyncio.Task[None]:
            return asyncio.create_task(serve())

        async def ask(name: str, arguments: dict[str, Any]) -> Any:
            answer = asyncio.get_running_loop().create_future()
            await calls.put((name, arguments, answer))
            return await asyncio.wait_for(answer, PATIENCE_S)

        task = runner.run(start())
        yield lambda name, arguments: runner.run(ask(name, arguments))

        async def stop() -> None:
            await calls.put(None)
            await task

        runner.run(stop())


def test_a_task_is_named_by_its_id_alone(servers: Servers, examples: dict[str, Path], tmp_path: Path) -> None:
    """The tool's caller cannot make it read any file, such as one outside the root or an endless device."""
    outside = tmp_path / "outside.json"
    outside.write_text('{"id": "T-1", "filesModified": ["what stands outside"]}')
    (examples["task"] / "task.json").write_text(outside.read_text())

    names = ("-", "/dev/zero", str(outside), "task.json", "../outside.json")

    async def talk(session: ClientSession) -> Any:
        return [await session.call_tool("task_packet", {"task": name}) for name in names]

    for name, result in zip(names, servers.run(talk, examples["task"]), strict=True):
        assert error_code(result) == "not_found", name
        assert "what stands outside" not in text_of(result), name

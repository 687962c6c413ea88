"""Every tool, by the SDK's own client: its answer keeps its contract and reads well."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import ClientSession
from serving import SCRIPT, Servers, text_of

from context_pack.mcp.tools import TOOLS
from context_pack.options.spec import per_question


def test_the_handshake_and_the_list(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> Any:
        return await session.list_tools()

    tools = {tool.name: tool for tool in servers.run(talk, project).tools}
    assert list(tools) == [
        "context_pack", "search", "related", "symbols", "graph_pack", "task_packet", "turn_pack", "page_pack",
        "index_status",
    ]  # fmt: skip
    for name, tool in tools.items():
        assert tool.description and tool.annotations.read_only_hint
        Draft202012Validator.check_schema(tool.input_schema)
        assert set(tool.input_schema["required"]) == set(TOOLS[name].required)
        assert "project" in tool.input_schema["properties"]["repo"]["description"]
        Draft202012Validator.check_schema(tool.output_schema)
        assert '"urn:' not in json.dumps(tool.output_schema), "self-contained"


@pytest.mark.parametrize(
    ("name", "action", "subject"),
    [("context_pack", "query", "query"), ("search", "search", "query"), ("related", "related", "target"),
     ("symbols", "symbols", "pattern")],
)  # fmt: skip
def test_a_tool_takes_every_option_of_its_question(name: str, action: str, subject: str) -> None:
    """But those that name files of this machine, and the one that would show secrets."""
    kept_back = {"no_redact", "tokenizer", "have_pack"}
    assert set(TOOLS[name].properties) - {subject} == set(per_question(action)) - kept_back


def test_a_misspelt_name_is_told_with_calls_that_can_be_made(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> Any:
        told = []
        for tool in ("context_pack", "search"):
            answer = await session.call_tool(tool, {"query": "PictureCach"})
            said = [hint["text"] for hint in answer.structured_content["hints"] if hint["type"] == "action"]
            name, _, arguments = said[0].strip("`").partition(" ")
            assert said[0] in text_of(answer)
            again = await session.call_tool(name, json.loads(arguments))
            told.append((name, json.loads(arguments)["query"], again.is_error))
        return told

    assert servers.run(talk, project) == [
        ("context_pack", "PictureCache", False), ("search", "PictureCache", False)
    ]  # fmt: skip


def test_an_answer_that_is_not_sure_says_so_to_agents(servers: Servers, project: Path) -> None:
    questions = {
        "strong": "PictureCache",
        "weak": "PictureCach",
        "none": "how are kubernetes volumes mounted when the scheduler of the cluster evicts a pod",
    }

    async def talk(session: ClientSession) -> Any:
        return {grade: await session.call_tool("context_pack", {"query": query}) for grade, query in questions.items()}

    told = servers.run(talk, project)
    for grade, answer in told.items():
        assert answer.structured_content["meta"]["confidence"]["grade"] == grade
        assert answer.structured_content["data"].get("confidence") == (None if grade == "strong" else grade)
        assert answer.structured_content["data"]["items"], "no grade is a refusal"
    assert ["match)" in text_of(told[grade]) for grade in questions] == [False, True, True]
    assert "No confident match: this may be the wrong repository" in text_of(told["none"])


def test_an_include_that_no_file_matches_is_named_to_agents(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("context_pack", {"query": "PictureCache", "include": ["lib/*.py"]})

    assert "No indexed file matches include lib/*.py" in text_of(servers.run(talk, project))


def test_what_an_agent_has_is_left_out(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> Any:
        first = await session.call_tool("context_pack", {"query": "PictureCache", "max_chars": 1500})
        have = [item["id"] for item in first.structured_content["data"]["items"]]
        again = await session.call_tool("context_pack", {"query": "PictureCache", "have": have, "max_chars": 1500})
        return have, [item["id"] for item in again.structured_content["data"]["items"]]

    have, new = servers.run(talk, project)
    assert have and not set(have) & set(new)


CALLS = [
    (
        "context_pack",
        {"query": "PictureCache", "max_chars": 2000, "repo": "project"},
        "context_pack",
        "class PictureCache",
    ),
    ("search", {"query": "thumbnail", "top_k": 2, "content": True, "repo": "project"}, "search", "1. `"),
    ("related", {"target": "PictureCache", "repo": "project"}, "related", "PictureCache"),
    ("symbols", {"pattern": "*Cache"}, "symbols", "class `PictureCache`"),
    ("graph_pack", {"id": "task-2", "edges": ["blocked_by"], "repo": "graph-example"}, "graph", "## root:task-2"),
    ("task_packet", {"task": "T02", "repo": "task-example"}, "task_packet", "# Task `T02`"),
    ("page_pack", {"seed": "How is a sourdough starter fed?", "repo": "wiki-example"}, "pages", "| Path | Score |"),
    ("index_status", {}, "index_status", "- `project` at"),
]


def test_places_by_lines_are_explained_as_a_pack_is(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> Any:
        asked = {"query": "picture cache thumbnail", "explain": True}
        answers = [await session.call_tool("search", asked | more) for more in ({}, {"order": "lines"})]
        return [answer.structured_content["data"]["hits"] for answer in answers]

    by_files, by_lines = servers.run(talk, project)
    parts = [{why["name"].partition(".")[0] for hit in hits for why in hit["why"]} for hits in (by_files, by_lines)]
    assert "file" in parts[0] and parts[1] - {"again_in_file"} == {"own", "around"}


def test_every_tool_answers_as_its_contract_says(
    servers: Servers, project: Path, examples: dict[str, Path], conforms: Any
) -> None:
    request = json.loads((examples["turn"] / "request.json").read_text())
    calls = [*CALLS, ("turn_pack", {"request": request, "repo": "turn-example"}, "turn_pack", "GOAL: Reconnect")]
    assert {name for name, *_ in calls} == set(TOOLS)

    async def talk(session: ClientSession) -> Any:
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        return tools, [await session.call_tool(name, arguments) for name, arguments, *_ in calls]

    tools, results = servers.run(talk, project, *examples.values())
    for (name, _, schema, beginning), result in zip(calls, results, strict=True):
        assert not result.is_error, text_of(result)
        envelope = result.structured_content
        conforms(envelope, "envelope")
        conforms(envelope["data"], schema)
        Draft202012Validator(tools[name].output_schema).validate(envelope)
        assert beginning in result.content[0].text, name


def test_a_tool_gives_the_data_of_its_command(servers: Servers, project: Path) -> None:
    """The text of a pack is the Markdown that the command prints, so both fit the same budget."""
    asked = {"query": "where is the thumbnail cache", "max_chars": 1500}

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("context_pack", asked), await session.call_tool("symbols", {"pattern": "fit*"})

    pack, symbols = servers.run(talk, project)
    printed = _printed(servers, project, "query", asked["query"], "--max-chars", "1500", "--format", "md")
    assert pack.content[0].text == printed and 800 < len(printed.encode()) <= 1500
    assert pack.structured_content["data"]["budget"]["used_chars"] == len(printed.encode())
    data = json.loads(_printed(servers, project, "symbols", "fit*"))["data"]
    assert symbols.structured_content["data"] == data


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
        return both, one, unnamed, unknown

    both, one, unnamed, unknown = servers.run(talk, project, other)
    files = [item["file"] for item in both.structured_content["data"]["items"]]
    assert {"project/src/picture_cache.py", "other/store.py"} <= set(files)
    assert [item["file"] for item in one.structured_content["data"]["items"]] == ["store.py"]
    assert unnamed.structured_content["error"]["code"] == "ambiguous" and "- other\n- project" in text_of(unnamed)
    assert unknown.structured_content["error"]["code"] == "not_found" and "other, project" in text_of(unknown)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("context_pack", {}, "the query is not a text"),
        ("context_pack", {"query": 1}, "query is integer, not string"),
        ("context_pack", {"query": "x", "max_char": 5}, "max_char is unknown"),
        ("context_pack", {"query": "PictureCache", "max_chars": 40}, "max_chars"),
        ("context_pack", {"query": "x", "time_limit_s": 0}, "time_limit_s must be above 0"),
        ("context_pack", {"query": "x", "fit": "some"}, "'some', not one of cut, whole"),
        ("search", {}, "query is missing"),
        ("search", {"query": "x", "top_k": 0}, "top_k must be a whole number"),
        ("search", {"query": "x", "order": "names"}, "'names', not one of files, lines"),
        ("related", {"target": "no_such_symbol"}, "nothing that is indexed is named no_such_symbol"),
        ("graph_pack", {"id": "x", "folder": "../outside"}, "leaves the root"),
        ("page_pack", {"seed": "x", "folder": "/etc"}, "is absolute"),
        ("turn_pack", {"request": {}}, "goal"),
        ("no_such_tool", {}, "there is no tool no_such_tool"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_call_is_told(
    shared: Any, conforms: Any, name: str, arguments: dict[str, Any], said: str
) -> None:
    result = shared(name, arguments)
    assert result.is_error
    conforms(result.structured_content, "envelope")
    assert result.structured_content["status"] == "error"
    assert said in text_of(result)
    assert "--" not in text_of(result), "options and commands are those of a tool's caller"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """`shared(name, arguments)`: one call of a server that serves the whole module."""
    import asyncio
    import os
    import shutil

    from mcp import stdio_client
    from serving import PROJECT

    folder = tmp_path_factory.mktemp("shared")
    shutil.copytree(PROJECT, folder / "project", ignore=shutil.ignore_patterns("__pycache__"))
    mine = Servers(
        {"CTXPACK_CACHE_DIR": str(folder / "cache"), "CTXPACK_NO_BACKGROUND": "1", "PATH": os.environ["PATH"]}
    )
    with asyncio.Runner() as runner:
        calls: asyncio.Queue[Any] = asyncio.Queue()

        async def serve() -> None:
            async with stdio_client(mine.parameters(folder / "project")) as pipes, ClientSession(*pipes) as session:
                await session.initialize()
                while (call := await calls.get()) is not None:
                    name, arguments, answer = call
                    answer.set_result(await session.call_tool(name, arguments))

        async def start() -> asyncio.Task[None]:
            return asyncio.create_task(serve())

        async def ask(name: str, arguments: dict[str, Any]) -> Any:
            answer = asyncio.get_running_loop().create_future()
            await calls.put((name, arguments, answer))
            return await asyncio.wait_for(answer, 60)

        task = runner.run(start())
        yield lambda name, arguments: runner.run(ask(name, arguments))

        async def stop() -> None:
            await calls.put(None)
            await task

        runner.run(stop())


@pytest.mark.parametrize("name", ["-", "/dev/zero", "OUTSIDE", "task.json", "../outside.json"])
def test_a_task_is_named_by_its_id_alone(
    servers: Servers, examples: dict[str, Path], tmp_path: Path, name: str
) -> None:
    """Whoever calls the tool reads no file by it: neither one outside nor a device without an end."""
    outside = tmp_path / "outside.json"
    outside.write_text('{"id": "T-1", "filesModified": ["what stands outside"]}')
    (examples["task"] / "task.json").write_text(outside.read_text())

    async def talk(session: ClientSession) -> Any:
        return await session.call_tool("task_packet", {"task": str(outside) if name == "OUTSIDE" else name})

    result = servers.run(talk, examples["task"])
    assert result.structured_content["error"]["code"] == "not_found"
    assert "what stands outside" not in text_of(result)

"""An agent queries a fleet: the tools of the served repository accept the names of others."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession
from serving import Servers, error_code, text_of

from tests.fleet import tables

pytestmark = [
    pytest.mark.skipif(find_spec("lance") is None, reason="needs the extra fleet"),
    pytest.mark.filterwarnings("ignore"),  # the engine's own
]


def test_an_agent_asks_its_repository_and_the_fleet(servers: Servers, project: Path, tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    uri = str(tmp_path / "store")
    for name in ("rocket", "planet"):
        root = tmp_path / "trees" / name
        root.mkdir(parents=True)
        (root / f"{name}.py").write_text(f"def launch_{name}(fuel):\n    return fuel * 2\n")
        tables.put(uri, name, root, tmp_path / "own" / name)

    async def talk(session: ClientSession) -> list[Any]:
        listed = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert "repos" in listed["context_pack"].input_schema["properties"]
        calls: list[tuple[str, dict[str, Any]]] = [
            ("context_pack", {"query": "launch with fuel", "repos": "*"}),
            ("context_pack", {"query": "launch_rocket", "repos": "rocket"}),
            ("related", {"target": "planet/planet.py", "repos": ["rock*", "planet"]}),
            ("context_pack", {"query": "launch", "repos": "zebra"}),
            ("context_pack", {"query": "launch", "repos": "*", "diff": "HEAD"}),
            ("context_pack", {"query": "PictureCache"}),
        ]
        return [await session.call_tool(tool, arguments) for tool, arguments in calls]

    both, rocket, related, none, diff, own = servers.run(talk, project, options=("--fleet", uri))
    assert "rocket/rocket.py" in text_of(both) and "planet/planet.py" in text_of(both)
    assert "rocket.py" in text_of(rocket) and "planet" not in text_of(rocket)
    assert not related.is_error
    assert error_code(none) == "not_found"
    assert error_code(diff) == "invalid_request"
    assert "picture_cache.py" in text_of(own)


def test_without_a_fleet_no_tool_mentions_one(servers: Servers, project: Path) -> None:
    async def talk(session: ClientSession) -> tuple[Any, Any]:
        asked = await session.call_tool("context_pack", {"query": "launch", "repos": "*"})
        return (await session.list_tools()).tools, asked

    tools, asked = servers.run(talk, project)
    assert all("repos" not in tool.input_schema["properties"] for tool in tools)
    assert error_code(asked) == "invalid_request"

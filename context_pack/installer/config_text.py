"""A configuration with ctxpack in it, and without: in JSON, JSON with comments, and TOML."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from context_pack.installer import jsonc
from context_pack.installer.agents import NAME, Agent


def read(agent: Agent, text: str) -> dict[str, Any]:
    """A configuration as data. ValueError when it is none."""
    loaded = tomllib.loads(text) if agent.format == "toml" else jsonc.parse(text)
    if not isinstance(loaded, dict):
        raise ValueError("it is no object")
    servers = loaded.get(agent.servers, {})
    if not isinstance(servers, dict):
        raise ValueError(f"{agent.servers} is no object")
    return loaded


def server(agent: Agent, text: str) -> Mapping[str, Any] | None:
    """Our entry in a configuration."""
    found = read(agent, text).get(agent.servers, {}).get(NAME)
    return found if isinstance(found, dict) else None


def with_server(agent: Agent, text: str, entry: Mapping[str, Any]) -> str:
    """The configuration with our entry; everything else stays as it is written."""
    if agent.format == "toml":
        plain = without_server(agent, text)
        gap = "\n" if plain.strip() else ""
        return f"{plain.rstrip()}\n{gap}{_table(agent, entry)}".lstrip("\n")
    return jsonc.set_member(text, (agent.servers, NAME), dict(entry))


def without_server(agent: Agent, text: str) -> str:
    """The configuration without our entry, and without the key above it where that would stay empty."""
    if server(agent, text) is None:
        return text
    if agent.format == "toml":
        kept = _OUR_TABLE.sub("", text).rstrip("\n")
        return f"{kept}\n" if kept else ""
    removed = jsonc.remove_member(text, (agent.servers, NAME))
    return removed if jsonc.parse(removed)[agent.servers] else jsonc.remove_member(removed, (agent.servers,))


# Our table and those below it (`.env`), up to the next table of somebody else.
_OUR_TABLE = re.compile(rf"^\[mcp_servers\.{NAME}(?:\.[^\]\n]*)?\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|\Z))*", re.MULTILINE)


def _table(agent: Agent, entry: Mapping[str, Any]) -> str:
    """TOML; its strings and arrays of strings are those of JSON."""
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in entry.items()]
    return f"[{agent.servers}.{NAME}]\n{''.join(lines)}"

"""The supported agents: the configuration file of each, its format, and the key of its servers.

Source: each vendor's own pages on MCP, read in November 2026.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from contracts.frozen import frozen

NAME = "ctxpack"  # of the server, in every agent


@frozen
class Agent:
    """`format` is json, jsonc (comments and trailing commas) or toml; `servers` is the key of the servers.

    `workspace` is the agent's variable for the open folder: None if the server is started in that folder, "" if the
    file is the user's and must name the repository. The entry of a `typed` agent must say that the server uses stdio.
    """

    name: str
    title: str
    format: str
    servers: str
    file: Callable[[Path], Path]
    workspace: str | None
    typed: bool = False

    @property
    def of_repository(self) -> bool:
        """Whether its file is in the repository, which somebody else may have written."""
        return self.workspace != ""

    def entry(self, command: str, roots: Sequence[Path]) -> dict[str, Any]:
        """The value under the server's name. `roots` are used only if the file is the user's."""
        named = [self.workspace] if self.workspace else []
        if self.workspace == "":
            named = [str(root) for root in roots]
        args = ["mcp", *(part for root in named for part in ("--repo", root))]
        kind = {"type": "stdio"} if self.typed else {}
        return {**kind, "command": command, "args": args}


def _roaming() -> Path:
    return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")


def _config() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _claude_desktop(root: Path) -> Path:
    mac = Path.home() / "Library" / "Application Support"
    folder = mac if sys.platform == "darwin" else _roaming() if sys.platform == "win32" else _config()
    return folder / "Claude" / "claude_desktop_config.json"


def _zed(root: Path) -> Path:
    if sys.platform == "win32":
        return _roaming() / "Zed" / "settings.json"
    return (Path.home() / ".config" if sys.platform == "darwin" else _config()) / "zed" / "settings.json"


def _codex(root: Path) -> Path:
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex") / "config.toml"


_FOLDER = "${workspaceFolder}"
_AGENTS = (
    Agent("claude", "Claude Code", "json", "mcpServers", lambda root: root / ".mcp.json", None, typed=True),
    Agent("claude-desktop", "Claude Desktop", "json", "mcpServers", _claude_desktop, ""),
    Agent("codex", "Codex", "toml", "mcp_servers", _codex, ""),
    Agent("cursor", "Cursor", "json", "mcpServers", lambda root: root / ".cursor/mcp.json", _FOLDER, typed=True),
    Agent("gemini", "Gemini CLI", "json", "mcpServers", lambda root: root / ".gemini/settings.json", None),
    Agent(
        "vscode", "Visual Studio Code", "jsonc", "servers", lambda root: root / ".vscode/mcp.json", _FOLDER, typed=True
    ),
    Agent(
        "windsurf", "Windsurf", "json", "mcpServers", lambda root: Path.home() / ".codeium/windsurf/mcp_config.json", ""
    ),
    Agent("zed", "Zed", "jsonc", "context_servers", _zed, ""),
)
AGENTS: Mapping[str, Agent] = MappingProxyType({agent.name: agent for agent in _AGENTS})

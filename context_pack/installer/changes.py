"""Adds ctxpack to an agent's configuration and removes it again; the original file is kept as a backup."""

from __future__ import annotations

import difflib
import os
import secrets
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from context_pack.installer import config_text
from context_pack.installer.agents import AGENTS, NAME, Agent
from context_pack.io.paths import unreadable
from contracts.errors import BrokenFile, InvalidRequest, IOFailure, UsageError
from contracts.frozen import frozen

BACKUP = ".before-ctxpack"


@frozen
class FileChange:
    """A planned change of a file: its text before (None: no file) and after (None: the file is removed)."""

    agent: Agent
    file: Path
    before: str | None
    after: str | None

    @property
    def backup(self) -> Path:
        return self.file.with_name(self.file.name + BACKUP)

    @property
    def needed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """A unified diff."""
        old, new = (text.splitlines(keepends=True) if text else [] for text in (self.before, self.after))
        before, after = (os.devnull if text is None else str(self.file) for text in (self.before, self.after))
        lines = difflib.unified_diff(old, new, before, after)
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def agent_named(name: str) -> Agent:
    if name not in AGENTS:
        raise UsageError("agent", f"there is no agent {name!r}", hint=f"the agents are {', '.join(AGENTS)}")
    return AGENTS[name]


def command(agent: Agent) -> str:
    """The command that starts ctxpack: in a repository's file its name if PATH leads to this very program, otherwise
    its path, because an agent with a window does not start with the PATH of a shell."""
    own = Path(sys.argv[0])
    program = shutil.which(NAME)
    if program is not None and own.exists() and os.path.samefile(program, own):  # noqa: PTH121 - a name on PATH
        return NAME if agent.of_repository else str(Path(program).absolute())
    beside = Path(sys.executable).with_name(NAME)
    return str(beside if beside.exists() else own.resolve())


def configuration(agent: Agent, roots: Sequence[Path], program: str) -> str:
    """A complete configuration with nothing but ctxpack in it, to be pasted."""
    return config_text.with_server(agent, "", agent.entry(program, roots))


def installation(agent: Agent, root: Path, program: str) -> FileChange:
    """The change that adds ctxpack to the agent's file. A user's file keeps what they added to our entry: other
    repositories, arguments and keys. In a repository's file, these would be somebody else's."""
    file = _place(agent, root)
    before = _text(file)
    present = _checked(agent, file, before or "")
    entry = agent.entry(program, [root])
    if present is not None and "command" in present and not agent.of_repository:  # not one with a `url`, for instance
        entry = _joined(present, entry)
    if present == entry:
        return FileChange(agent, file, before, before)
    after = config_text.with_server(agent, before or "", entry)
    _check_nothing_else(agent, file, before or "", after, entry)
    return FileChange(agent, file, before, after)


def removal(agent: Agent, root: Path) -> FileChange:
    """The change that removes ctxpack; it restores the original exactly, unless somebody else has changed the file
    since."""
    file = _place(agent, root)
    before = _text(file)
    if before is None or _checked(agent, file, before) is None:
        return FileChange(agent, file, before, before)
    backup = _text(file.with_name(file.name + BACKUP))
    without = config_text.without_server(agent, before)
    _check_nothing_else(agent, file, before, without, None)
    if backup is not None and _is_equal(agent, backup, config_text.read(agent, without)):
        return FileChange(agent, file, before, backup)
    gone = backup is None and not config_text.read(agent, without)
    return FileChange(agent, file, before, None if gone else without)


def apply(change: FileChange, *, undo: bool) -> None:
    """Write the change; the first one keeps the original file as `*.before-ctxpack`. IOFailure names the file."""
    try:
        if undo:
            change.backup.unlink(missing_ok=True)
        elif change.before is not None and not change.backup.exists():
            _create(change.backup, change.before)
            shutil.copymode(change.file, change.backup)
        if change.after is None:
            change.file.unlink(missing_ok=True)
            if change.agent.file(Path()).parent != Path():  # a folder for this file alone, which ctxpack may have made
                with suppress(OSError):
                    change.file.parent.rmdir()
            return
        change.file.parent.mkdir(parents=True, exist_ok=True)
        target = Path(os.path.realpath(change.file))  # a link stays a link
        beside = target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}")
        _create(beside, change.after)
        beside.replace(target)
    except OSError as error:
        hint = f"paste the output of `ctxpack mcp --print-config {change.agent.name}`"
        details = {"path": str(change.file)}
        raise IOFailure(f"{change.file} cannot be written: {error.strerror}", hint=hint, details=details) from error


def _create(file: Path, text: str) -> None:
    """Write a file that must not exist yet: a repository may have planted something under its name."""
    with file.open("x", encoding="utf-8", newline="") as opened:
        opened.write(text)


def _place(agent: Agent, root: Path) -> Path:
    """The agent's file. InvalidRequest if a repository's own file, or a folder above it, is a link or no plain file.

    The user's own configuration may be a link: some users keep theirs in another folder.
    """
    file = agent.file(root)
    if not agent.of_repository:
        return file
    steps = [file.with_name(file.name + BACKUP), file, *(above for above in file.parents if root in above.parents)]
    for step in steps:
        if step.is_symlink() or (step.exists() and not (step.is_file() if step in steps[:2] else step.is_dir())):
            raise InvalidRequest(
                "agent", f"{step} is a link or not a regular file, so it is neither read nor written",
                hint=f"remove it, or paste the output of `ctxpack mcp --print-config {agent.name}` yourself",
            )  # fmt: skip
    return file


def _checked(agent: Agent, file: Path, text: str) -> Mapping[str, Any] | None:
    """The entry of ctxpack. BrokenFile if the configuration cannot be read: it is then not changed."""
    try:
        return config_text.server(agent, text)
    except (ValueError, IndexError) as error:
        raise BrokenFile(
            "agent", str(file), getattr(error, "lineno", 1), f"is not valid {agent.format.upper()}: {error}",
            hint="fix it first; ctxpack does not change a file that it cannot parse",
        ) from error  # fmt: skip


def _joined(present: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """The present entry with the command of ours, and our repository as one more."""
    args, (_, *named) = present.get("args"), entry["args"]
    given = args if isinstance(args, list) and args[:1] == ["mcp"] else ["mcp"]
    is_named = named[-1] in given or "=".join(named) in given
    return {**present, **entry, "args": [*given, *([] if is_named else named)]}


def _check_nothing_else(agent: Agent, file: Path, before: str, after: str, entry: Mapping[str, Any] | None) -> None:
    """BrokenFile if a change does anything but set our entry, or remove it (None)."""
    servers = dict(config_text.read(agent, before).get(agent.servers, {}))
    servers.pop(NAME, None)
    expected = {**config_text.read(agent, before), agent.servers: {**servers, **({NAME: entry} if entry else {})}}
    if not _is_equal(agent, after, expected):
        raise BrokenFile(
            "agent", str(file), 1, f"sets {agent.servers}.{NAME} in a form that ctxpack cannot change",
            hint=f"change it by hand; `ctxpack mcp --print-config {agent.name}` prints the entry",
        )  # fmt: skip


def _is_equal(agent: Agent, text: str, other: Mapping[str, Any]) -> bool:
    """Whether a configuration equals another as data; an empty and a missing list of servers are equal."""
    try:
        read = config_text.read(agent, text)
    except (ValueError, IndexError):
        return False
    nothing: dict[str, Any] = {agent.servers: {}}
    return {**nothing, **read} == {**nothing, **other}


def _text(file: Path) -> str | None:
    try:
        with file.open(encoding="utf-8", newline="") as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise BrokenFile("agent", str(file), 1, f"is not valid UTF-8: {error}") from error
    except OSError as error:
        raise unreadable(str(file), error) from error

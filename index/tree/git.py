"""Runs git safely: no program that a repository names is run, nothing is fetched unless the caller names a protocol,
and no call runs for ever.

A repository is untrusted: its configuration names programs (filters, hooks, monitors, pagers, text conversions), and
git would fetch a missing object with a program named there, too. All of this is disabled.
"""

# Names on disk are bytes, and pathlib supports only text.
# ruff: noqa: PTH100

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

from contracts.frozen import frozen
from index.processes import fork_safe
from index.tree.beneath import read_beneath

LIMIT_S = 20.0  # of one call; a list of 500,000 files takes 2 s from a warm disk
MAX_BYTES = 2_000_000_000  # of one answer, unless the caller allows less
MAX_MESSAGE_BYTES = 1_000_000
READ_BYTES = 1 << 16
_MAX_LINK_BYTES = 10_000  # of a file that contains one path

Setting = tuple[bytes, bytes]  # name, value; raw, because a name in a configuration file need not be text

_FIXED = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.editor=false",
    "core.gitProxy=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",  # a folder in a clone that looks like a bare repository is not used as one
    "submodule.recurse=false",
    "diff.submodule=short",
    "diff.ignoreSubmodules=all",
    "log.showSignature=false",
    "gc.auto=0",
    "core.bigFileThreshold=50m",  # larger blobs count as binary, because a diff has both sides in memory
    "core.quotePath=false",
    "diff.suppressBlankEmpty=false",
)
_OPTIONS = ("--no-pager", *(part for setting in _FIXED for part in ("-c", setting)))
_SSH = ("-c", "core.sshCommand=ssh -oBatchMode=yes")  # the user's own ssh, without prompts
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # git 2.44 and later; GIT_ALLOW_PROTOCOL does the same for older ones
}
_UNREADABLE = re.compile(rb"^warning: could not open directory '(.*)': ", re.MULTILINE)
_PLACE = re.compile(r"(?: at)? '|: | in file ")  # git's messages go into hints, which name no folder of the machine
# Paths that lead out of the folder: git adds none to an index, but reads an index that contains some. Each of them
# contains one of these signs, so a fast search for bytes comes first.
_SIGNS = (b"./", b"//", b"\0/", b"/.\0", b"/..\0")
_STEPS = frozenset({b"", b".", b".."})
_FILTERS = r"^filter\..*\.(clean|smudge|process)$"


@frozen
class GitRun:
    """The result of a call. `stopped` says why it was killed before its end; empty if it was not."""

    code: int
    output: bytes
    messages: bytes
    stopped: str = ""

    @property
    def complaint(self) -> str:
        """The first line of git's error message."""
        lines = self.messages.decode("utf-8", "replace").splitlines()
        fatal = next((line for line in lines if line.startswith("fatal: ")), None)
        return (fatal or next(iter(lines), "")).removeprefix("fatal: ").strip()


def start(
    arguments: Sequence[str | bytes],
    folder: str | Path | None = None,
    *,
    settings: Sequence[Setting] = (),
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    stderr: int = subprocess.PIPE,
    protocol: str = "",
) -> subprocess.Popen[bytes]:
    """Start git in a folder. Raises OSError if it cannot be started.

    `protocol` is the only one by which this call may access another repository; empty allows none.
    """
    place = () if folder is None else ("-C", os.path.abspath(folder))
    network = ("-c", f"protocol.{protocol}.allow=always", *_SSH) if protocol else ()
    return subprocess.Popen(
        ["git", *_OPTIONS, *network, *place, *arguments],
        env={**_environment(settings), **_index_of_commit(folder), "GIT_ALLOW_PROTOCOL": protocol},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
    )


def run(
    arguments: Sequence[str | bytes],
    folder: str | Path | None = None,
    *,
    settings: Sequence[Setting] = (),
    limit_s: float | None = None,
    max_bytes: int = MAX_BYTES,
    protocol: str = "",
) -> GitRun:
    """Run git to its end, or kill it after `limit_s` seconds (None: `LIMIT_S`) or more than `max_bytes` of output.

    Raises OSError if git cannot be started.
    """
    process = start(arguments, folder, settings=settings, protocol=protocol)
    assert process.stdout is not None and process.stderr is not None
    try:
        limit_s = LIMIT_S if limit_s is None else limit_s
        output, messages, stopped = _read_both(process.stdout, process.stderr, limit_s, max_bytes)
        return GitRun(-1 if stopped else process.wait(), output, messages, stopped)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _read_both(stdout: IO[bytes], stderr: IO[bytes], limit_s: float, max_bytes: int) -> tuple[bytes, bytes, str]:
    """The output, the first million bytes of messages, and why reading stopped early (empty if it did not).

    Windows cannot wait for several pipes at once, so each has a thread, which closes it: after the deadline too, if a
    child of git keeps the pipe.
    """
    reads: SimpleQueue[tuple[IO[bytes], bytes]] = SimpleQueue()

    def read(pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while data := os.read(pipe.fileno(), READ_BYTES):
                reads.put((pipe, data))
        reads.put((pipe, b""))

    parts: dict[IO[bytes], list[bytes]] = {stdout: [], stderr: []}
    sizes, ended, stopped, deadline = dict.fromkeys(parts, 0), 0, "", time.monotonic() + limit_s
    threads = [fork_safe(Thread(target=read, args=(pipe,), daemon=True)) for pipe in parts]
    for thread in threads:
        thread.start()
    while ended < len(parts):
        try:
            pipe, data = reads.get(timeout=max(0.0, deadline - time.monotonic()))
        except Empty:
            stopped = f"git took longer than {limit_s:g} s"
            break
        ended += not data
        sizes[pipe] += len(data)
        if pipe is stdout or sizes[pipe] <= MAX_MESSAGE_BYTES:
            parts[pipe].append(data)
        if sizes[stdout] > max_bytes:
            stopped = f"git printed more than {max_bytes:,} bytes"
            break
    else:
        for thread in threads:
            thread.join()
    return b"".join(parts[stdout]), b"".join(parts[stderr]), stopped


def filters_off(folder: str | Path, limit_s: float | None = None) -> list[Setting]:
    """Settings that switch off every filter: a filter is a program that the repository's configuration names.

    Raises GitRefused if git is too old to accept them (before 2.31).
    """
    query = ["config", "--null", "--name-only", "--get-regexp", _FILTERS]
    names = {name for name in run(query, folder, limit_s=limit_s).output.split(b"\0") if name}
    settings = [(name, b"") for name in sorted(names)]
    settings += [(section + b".required", b"false") for section in sorted({name.rpartition(b".")[0] for name in names})]
    if settings:
        # The last value of a name is in force, and must be ours.
        listing = run(["config", "--null", "--get-regexp", _FILTERS], folder, settings=settings, limit_s=limit_s)
        values = dict(row.partition(b"\n")[::2] for row in listing.output.split(b"\0") if row)
        if listing.stopped or values != dict.fromkeys(names, b""):
            raise GitRefused("the repository configures filters, which this version of git cannot disable")
    return settings


class GitRefused(Exception):
    """Says why git must not be used to read the files of a repository."""


def _environment(settings: Sequence[Setting]) -> dict[str, str]:
    """The environment without git's variables: those of a hook point to another repository, others name programs."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    variables = {**own, **_ENVIRONMENT}
    if settings:
        variables["GIT_CONFIG_COUNT"] = str(len(settings))
        for number, (name, value) in enumerate(settings):
            variables[f"GIT_CONFIG_KEY_{number}"] = os.fsdecode(name)
            variables[f"GIT_CONFIG_VALUE_{number}"] = os.fsdecode(value)
    return variables


def _index_of_commit(folder: str | Path | None) -> dict[str, str]:
    """The variable that names the index of a commit that is being made, if we run in a hook of the folder's repository.

    `git commit -a` and `git commit FILE` have an index of their own, which is not in its place before the commit.
    """
    index, top = Path(os.environ.get("GIT_INDEX_FILE", "")), Path(folder or ".")
    if not index.is_absolute():
        return {}
    folders = (top.absolute(), *top.absolute().parents)
    tree = next((one for one in folders if os.path.lexists(one / ".git")), top)
    home = os.path.realpath(tree / ".git")
    with suppress(OSError):
        home = named_path(tree, ".git")
    return {"GIT_INDEX_FILE": str(index)} if home == os.path.realpath(index.parent) else {}


def named_path(folder: Path, file: str) -> str:
    """The real path that a file of git names: `.git` in a linked work tree or a submodule, `gitdir`, `commondir`.

    OSError if it is no plain file.
    """
    line = read_beneath(folder, file, _MAX_LINK_BYTES).partition(b"\0")[0].strip()  # as far as git reads it
    return os.path.realpath(folder / os.fsdecode(line.removeprefix(b"gitdir: ")))


@frozen
class GitAnswer:
    """Git's list of one folder: `paths` are raw bytes relative to it, including folders that git does not enter.

    `paths` is None if git has no list, and `problem` says why, unless the folder is simply in no repository.
    `unreadable` are the folders that git could not open, each with a trailing slash. `stopped`: git took too long and
    was killed.
    """

    paths: frozenset[bytes] | None
    unreadable: tuple[bytes, ...] = ()
    problem: str = ""
    stopped: bool = False


def list_files(root: str | Path) -> GitAnswer:
    """`git ls-files` of a folder. Never raises: the walk reports what is wrong with the folder."""
    try:
        call = run(["ls-files", "--cached", "--others", "--exclude-standard", "-z"], root)
    except OSError as error:
        return GitAnswer(None, problem=f"git could not be started ({error.strerror})")
    if call.stopped:
        return GitAnswer(None, problem=call.stopped, stopped=True)
    if call.code == 0:
        paths = frozenset(call.output.split(b"\0")) - {b""}
        if paths & _STEPS or call.output.startswith(b"/") or any(sign in call.output for sign in _SIGNS):
            paths = frozenset(path for path in paths if not _STEPS.intersection(path.removesuffix(b"/").split(b"/")))
        return GitAnswer(paths, tuple(sorted(_UNREADABLE.findall(call.messages))))
    message = _PLACE.split(call.complaint or f"exit code {call.code}")[0]
    outside = message.startswith(("not a git repository (or any", "this operation must be run in a work tree"))
    return GitAnswer(None, problem="" if outside else f"git refused: {message}")

"""`ctxpack` in a process of its own that starts at once: a process that has imported the command line forks for a run.

Most of the time of a short run goes into the interpreter's start and into imports. Runs whose environment acts on
these, and commands that go on running, are started as users start them, and so is every run of `shell` and `terminal`.
A fork shows less than a started run: all forks of a test process have one hash seed (PYTHONHASHSEED starts a process),
their streams are files, one runs at a time, and they have the limits and the umask that the tests began with.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(sys.executable).with_name("ctxpack")
AT_START = ("LC_", "LANG", "TZ", "OPENBLAS_", "OMP_", "NPY_", "PYTHON")  # variables that act when a process starts
OWN_START = {"mcp", "watch", "bench", "fleet"}
IMPORTED = (
    *(f"context_pack.cli.{name}" for name in ("questions", "records", "batch", "maintenance", "install", "init")),
    *(f"context_pack.kinds.{name}" for name in ("graph", "pages", "task", "turn")), "context_pack.io.changes",
    "chunker.api", "index.build", "index.graph.build", "index.repository", "index.segment.workers",
)  # fmt: skip
HEAD_BYTES = 8
LIMIT_S = 600  # ends a hang


def ctxpack(
    arguments: Sequence[str], *, cwd: Path | None, env: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """One run of the command line of this tree."""
    is_forked = OWN_START.isdisjoint(arguments[:1]) and not _acts_at_start(env) and hasattr(os, "fork")
    paths = os.pathsep.join([*filter(None, [env.get("PYTHONPATH")]), str(ROOT)])
    command, env = [PROGRAM, *arguments], {**env, "PYTHONPATH": paths}  # this tree, whichever version is installed
    if not is_forked:
        return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=env, check=False)
    request = {"arguments": [*arguments], "cwd": str(cwd or Path.cwd()), "env": env}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        code = _server().run(request, [given.fileno(), out.fileno(), err.fileno()])
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(command, code, out.read(), err.read())


USUAL = dict(os.environ)


def _acts_at_start(env: Mapping[str, str]) -> bool:
    """Whether an environment makes a process start otherwise than this one. Those of Python may be missing from it."""
    names = {name for name in env.keys() | USUAL.keys() if name.startswith(AT_START)}
    return any(env.get(name) != USUAL.get(name) for name in names if name in env or not name.startswith("PYTHON"))


class Server:
    """The process that forks, started by the first run of a test process; it ends with that process."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        code = f"from tests.forks import serve; serve({theirs.fileno()})"
        usual = {name: value for name, value in USUAL.items() if not name.startswith("PYTHON")}
        environment = {**usual, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", code], cwd=ROOT, env=environment, pass_fds=(theirs.fileno(),),
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        theirs.close()
        self._replies = self._ours.makefile("rb")
        self._lock = threading.Lock()
        atexit.register(self.end)

    def end(self) -> None:
        self._replies.close()
        self._ours.close()
        self._process.wait()

    def run(self, request: object, files: list[int]) -> int:
        data = json.dumps(request).encode()
        with self._lock:
            socket.send_fds(self._ours, [len(data).to_bytes(HEAD_BYTES, "big")], files)
            self._ours.sendall(data)
            return int(self._replies.readline())


@cache
def _server() -> Server:
    return Server()


def serve(number: int) -> None:
    """Fork for each request of a socket, until its other end is closed."""
    from importlib import import_module

    for module in IMPORTED:
        import_module(module)
    gc.freeze()
    with socket.socket(fileno=number) as requests:
        while True:
            head, files, _, _ = socket.recv_fds(requests, HEAD_BYTES, 3)
            if not head:
                return
            size, data = int.from_bytes(head, "big"), b""
            while len(data) < size:
                if not (part := requests.recv(1 << 20)):  # the test process was killed
                    return
                data += part
            pid = os.fork()
            if not pid:
                requests.close()
                _become(json.loads(data), files)
            for file in files:
                os.close(file)
            _, status = os.waitpid(pid, 0)
            requests.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _become(request: dict[str, Any], files: list[int]) -> NoReturn:
    """Be the command line that is requested; does not return."""
    from context_pack.cli import main

    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        signal.alarm(LIMIT_S)
        os.chdir(request["cwd"])
        os.environ.clear()
        os.environ.update(request["env"])
        sys.argv = [str(PROGRAM), *request["arguments"]]
        main()
    except SystemExit as end:  # the command line itself flushes before it ends
        sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    os._exit(70)

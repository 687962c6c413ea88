"""`ctxpack fleet`: the shared index of an organisation's repositories."""

from __future__ import annotations

import sys
from typing import Any

import click

from context_pack.answer import Answer, Reply
from context_pack.cli.output import command, write
from context_pack.cli.progress import progress_line, stoppable, until_stopped
from contracts.errors import InvalidRequest
from contracts.records import Hint


@click.group()
def fleet() -> None:
    """Manage the index of many repositories in one store: a folder, s3://, gs:// or az://. Needs the extra `fleet`."""


@command("prove", "ctxpack fleet prove s3://team/fleet", group=fleet, records="fleet-prove")
@click.argument("uri")
def prove(uri: str) -> Reply:
    """Test whether the store at URI can hold a fleet.

    It must support conditional writes and concurrent writers.
    """
    from index.fleet.lease import prove

    return Reply(Answer({"version": 1, **prove(uri)}))


@command("index", "ctxpack fleet index ~/src/app ~/src/lib s3://team/fleet", group=fleet, records="fleet-index")
@click.argument("trees", metavar="TREE...", nargs=-1, required=True)
@click.argument("uri")
def index(trees: tuple[str, ...], uri: str, readers: tuple[str, ...], name: tuple[str, ...], engine: str) -> Reply:
    """Create or update the fleet at URI from these repositories.

    Their current commits are read. With --readers, only those readers see these repositories. A tree with uncommitted
    changes is left out, and so is one that would replace another repository of its name. Only one process at a time
    writes a fleet; others wait.
    """
    from context_pack.fleet.indexing import index_trees

    with stoppable(), progress_line() as progress:
        records = index_trees(uri, trees, readers, name, engine, progress)
    if all("problem" in one for one in records):
        raise InvalidRequest("trees", "; ".join(hint.text for hint in _records(records).answer.hints))
    return _records(records)


@command("follow", "ctxpack fleet follow ~/src/app ~/src/lib s3://team/fleet", group=fleet, records="fleet-follow")
@click.argument("trees", metavar="TREE...", nargs=-1, required=True)
@click.argument("uri")
def follow(trees: tuple[str, ...], uri: str, readers: tuple[str, ...], name: tuple[str, ...]) -> None:
    """Update the fleet at URI whenever these repositories commit.

    Runs until stopped (Ctrl-C), and prints a line per change.
    """
    from context_pack.envelope import answered, encoded
    from context_pack.fleet.indexing import follow_trees
    from contracts.records import as_data

    with until_stopped():
        for records in follow_trees(uri, trees, readers, name):
            write(encoded(as_data(answered(_records(records).answer))))


@command("status", group=fleet, records="fleet-status")
@click.argument("uri")
def status(uri: str) -> Reply:
    """List the repositories of the fleet at URI.

    Each with its commit and its readers.
    """
    from index.fleet.fleet import Fleet

    seen = Fleet(uri).repositories(owner=True)
    return _records([{"name": one.name, "commit": one.commit, "readers": sorted(one.readers)} for one in seen])


@command("forget", "ctxpack fleet forget app s3://team/fleet", group=fleet, records="fleet-forget")
@click.argument("name", metavar="REPOSITORY")
@click.argument("uri")
def forget(name: str, uri: str) -> Reply:
    """Remove a repository from the fleet at URI. `upkeep --purge` deletes its objects."""
    from index.fleet.tables import FleetTables

    FleetTables(uri).forget(name)
    return _records([{"name": name}])


@command("upkeep", group=fleet, records="fleet-upkeep")
@click.argument("uri")
def upkeep(uri: str, purge: bool) -> Reply:
    """Compact the tables of the fleet at URI.

    Versions older than a day are removed.
    """
    from index.fleet.tables import FleetTables

    return Reply(Answer({"version": 1, **FleetTables(uri).upkeep(purge=purge)}))


def _records(records: list[dict[str, Any]]) -> Reply:
    """A reply with one record per repository, and a warning for each one left out or opened to everybody."""
    hints = [Hint("warn", f"{one['name']} was left out: {one['problem']}") for one in records if "problem" in one]
    opened = "everybody may read {} now, as --readers was not given; before, only {}"
    hints += [
        Hint("warn", opened.format(one["name"], ", ".join(one["readers_before"])))
        for one in records
        if "readers_before" in one
    ]
    return Reply(Answer({"version": 1, "repositories": records}, tuple(hints)))


@command("serve", "ctxpack fleet serve s3://team/fleet --tokens tokens.txt", group=fleet, records="fleet-serve")
@click.argument("uri")
def serve(uri: str, host: str, port: int, tokens: str | None) -> None:
    """Answer questions about the fleet at URI over HTTP.

    Runs until stopped (Ctrl-C). Readers need no keys to the store: a token identifies the reader, who sees only the
    repositories that they may read. Without --tokens, the server listens on this machine only and serves the
    repositories that everybody may read. Readers ask with `ctxpack query TEXT --fleet http://HOST:PORT`, with their
    token in CTXPACK_FLEET_TOKEN.
    """
    import threading
    from pathlib import Path

    from context_pack.fleet.server import FleetServer, readers_of
    from index.fleet.fleet import Fleet

    readers = readers_of(Path(tokens)) if tokens else {}
    opened = Fleet(uri)
    opened.prewarm()
    server = FleetServer(opened, (host, port), readers)
    with until_stopped(), server:
        threading.Thread(target=server.follow, daemon=True).start()
        print(server.url, flush=True)
        if sys.stderr.isatty():
            print(f"ctxpack: ask with `ctxpack query TEXT --fleet {server.url}`", file=sys.stderr)
        server.serve_forever()

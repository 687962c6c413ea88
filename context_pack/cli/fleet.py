"""`ctxpack fleet`: the shared index of an organisation's repositories."""

from __future__ import annotations

import sys
from typing import Any

import click

from context_pack.answer import Answer, Reply
from context_pack.cli.output import command, write
from context_pack.cli.progress import progress_line, stoppable, until_stopped
from contracts.records import Hint


@click.group()
def fleet() -> None:
    """The index of many repositories in one store: a folder, s3://, gs:// or az://. Needs the extra `fleet`."""


@command("prove", "ctxpack fleet prove s3://team/fleet", group=fleet, records="fleet-prove")
@click.argument("uri")
def prove(uri: str) -> Reply:
    """Try whether the store at URI can hold a fleet: conditional writes, and no commit lost of four writers at once."""
    from index.fleet.lease import prove

    return Reply(Answer(prove(uri)))


@command("index", "ctxpack fleet index ~/src/app ~/src/lib s3://team/fleet", group=fleet, records="fleet-index")
@click.argument("trees", metavar="TREE...", nargs=-1, required=True)
@click.argument("uri")
def index(trees: tuple[str, ...], uri: str, readers: tuple[str, ...], engine: str) -> Reply:
    """Bring the fleet at URI to what these repositories have committed: made where there is none, else what differs.

    With --readers, only they find anything of these repositories. A tree with uncommitted changes is left out.
    One process at a time writes a fleet; another waits.
    """
    from context_pack.fleet.indexing import index_trees

    with stoppable(), progress_line() as progress:
        return _records(index_trees(uri, trees, readers, engine, progress))


@command("follow", "ctxpack fleet follow ~/src/app ~/src/lib s3://team/fleet", group=fleet, records="fleet-follow")
@click.argument("trees", metavar="TREE...", nargs=-1, required=True)
@click.argument("uri")
def follow(trees: tuple[str, ...], uri: str, readers: tuple[str, ...]) -> None:
    """Keep the fleet at URI at what these repositories commit, until it is stopped (Ctrl-C). A line for each change."""
    from context_pack.envelope import answered, encoded
    from context_pack.fleet.indexing import follow_trees
    from contracts.records import as_data

    with until_stopped():
        for records in follow_trees(uri, trees, readers):
            write(encoded(as_data(answered(Answer({"repositories": records})))))


@command("status", group=fleet, records="fleet-status")
@click.argument("uri")
def status(uri: str) -> Reply:
    """The repositories of the fleet at URI: their commits, and who may read them."""
    from index.fleet.fleet import Fleet

    seen = Fleet(uri).repositories(owner=True)
    return _records([{"name": one.name, "commit": one.commit, "readers": sorted(one.readers)} for one in seen])


@command("forget", "ctxpack fleet forget app s3://team/fleet", group=fleet, records="fleet-forget")
@click.argument("name", metavar="REPOSITORY")
@click.argument("uri")
def forget(name: str, uri: str) -> Reply:
    """Take a repository out of the fleet at URI: its answers end. `upkeep --purge` removes its objects."""
    from index.fleet.tables import FleetTables

    FleetTables(uri).forget(name)
    return _records([{"name": name}])


@command("upkeep", group=fleet, records="fleet-upkeep")
@click.argument("uri")
def upkeep(uri: str, purge: bool) -> Reply:
    """Join the small pieces that commits leave in the tables of URI, and remove what is older than a day."""
    from index.fleet.tables import FleetTables

    return Reply(Answer(FleetTables(uri).upkeep(purge=purge)))


def _records(records: list[dict[str, Any]]) -> Reply:
    """A reply of a record a repository; what was left out is a warning."""
    left_out = tuple(
        Hint("warn", f"{one['name']} is left out: {one['problem']}") for one in records if "problem" in one
    )
    return Reply(Answer({"repositories": records}, left_out))


@command("serve", "ctxpack fleet serve s3://team/fleet --tokens tokens.txt", group=fleet, records="fleet-serve")
@click.argument("uri")
def serve(uri: str, host: str, port: int, tokens: str | None) -> None:
    """Answer for the fleet at URI over HTTP, until it is stopped (Ctrl-C): readers hold no keys of the store.

    A token names the reader, who is answered as if there were no repositories but those that he may read. Without
    --tokens, only those that everybody may read are served, and to this machine alone. Readers ask with
    `ctxpack query TEXT --fleet http://HOST:PORT`, and name their token in CTXPACK_FLEET_TOKEN.
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

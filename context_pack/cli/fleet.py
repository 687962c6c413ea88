"""`ctxpack fleet`: the shared index of an organisation's repositories."""

from __future__ import annotations

import signal
import sys
from typing import Any

import click

from context_pack.cli.output import command


@click.group()
def fleet() -> None:
    """The index of many repositories in one store: a folder, s3://, gs:// or az://. Needs the extra `fleet`."""


@command("serve", "ctxpack fleet serve s3://team/fleet --tokens tokens.txt", group=fleet)
@click.argument("uri", metavar="URI")
def serve(uri: str, host: str, port: int, tokens: str | None, **values: Any) -> None:
    """Answer for the fleet at URI over HTTP, until it is stopped (Ctrl-C): readers hold no keys of the store.

    A token names the reader, who is answered as if there were no repositories but those that he may read. Without
    --tokens, only those that everybody may read are served, and to this machine alone. Readers ask with
    `ctxpack query TEXT --fleet http://HOST:PORT`, and name their token in CTXPACK_FLEET_TOKEN.
    """
    import threading
    from pathlib import Path

    from context_pack.fleet.server import FleetServer, readers_of
    from index.fleet.fleet import Fleet

    known = readers_of(Path(tokens)) if tokens else {}
    opened = Fleet(uri)
    opened.prewarm()
    server = FleetServer(opened, (host, port), known)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=server.follow, daemon=True).start()
    print(server.url, flush=True)
    if sys.stderr.isatty():
        print(f"ctxpack: ask with `ctxpack query TEXT --fleet {server.url}`", file=sys.stderr)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass  # being stopped is how it ends
    finally:
        server.server_close()


COMMANDS = (fleet,)

"""Repositories that a command line names by a URL: cloned first, after one line that says so."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from contracts.errors import InvalidRequest

if TYPE_CHECKING:
    from context_pack.io.clones import Address

SERVERS = ("mcp", "watch")
HOOK_MARKS = ("GIT_DIR", "GIT_INDEX_FILE")  # git sets one of them for its hooks

Named = str | tuple[str, ...] | None


def folders(repo: Named, fetch: bool, allowed: bool) -> Named:
    """The folders that are named, clones in place of URLs. InvalidRequest where nothing may be cloned."""
    named = (repo,) if isinstance(repo, str) else repo or ()
    if not any("://" in one or "@" in one or "::" in one for one in named):
        return repo
    from context_pack.io.clones import address_of

    folders: list[str] = []
    shown: list[str] = []
    for one in named:
        address = address_of(one)
        folders.append(one if address is None else _cloned(address, fetch, allowed))
        shown.append(one if address is None else str(address))
    context = click.get_current_context()
    context.params["repo"] = shown[0] if isinstance(repo, str) else tuple(shown)  # what hints repeat: no password
    return folders[0] if isinstance(repo, str) else tuple(folders)


def _cloned(address: Address, fetch: bool, allowed: bool) -> str:
    from context_pack.io.clones import cloned, is_there

    there = is_there(address)
    if there and not fetch:
        return str(cloned(address))
    command = click.get_current_context().info_name
    if not allowed and (command in SERVERS or any(mark in os.environ for mark in HOOK_MARKS)):
        raise InvalidRequest(
            "repo", f"{address} is not cloned in a hook or by a server", hint="--allow-clone, or clone it before"
        )
    doing = "fetching" if there else "cloning"
    print(f"ctxpack: {doing} {address} ({address.folder})", file=sys.stderr, flush=True)
    return str(cloned(address, fetch=fetch))

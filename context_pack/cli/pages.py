"""`ctxpack pages`: its options read, its answer written."""

from __future__ import annotations

import sys
from typing import Any

import click

from context_pack.cli.output import Reply, command
from context_pack.garbage import collection_paused


@command(
    "pages",
    'ctxpack pages "how do agents remember" --vault notes',
    'ctxpack pages --title "RAG vs. wiki" --tags rag,wiki --entities andrej-karpathy --limit 3',
    "ctxpack pages --page wiki/concepts/memory.md --format json",
)
@click.argument("seed", required=False, default="")
@collection_paused()
def pages(
    seed: str, vault: str | None, format: str, explain: bool | None, no_redact: bool | None, **given: Any
) -> Reply:
    """The pages of a wiki vault to read before answering or writing about SEED, each with its points.

    SEED is a question or any text (`-`: stdin); with --page or --title it may be left out. Pages are *.md below wiki/,
    without index*.md. Points: shared tag 3, shared domain 2, link to or from a named entity 1, same page type 1,
    top-3 hit of the searcher 5, title overlap 4.
    """
    from context_pack.kinds.pages import PageRequest, answer
    from context_pack.kinds.pages.table import as_table

    if given["page"] is not None and (given["title"], given["tags"], given["entities"]) != (None, None, None):
        raise click.UsageError("--page is a seed by itself: leave out --title, --tags and --entities")
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if seed == "-" else seed
    found = answer(PageRequest(text, explain=bool(explain), no_redact=bool(no_redact), **given), vault)
    return Reply(found, as_table(found.data) if format == "md" else None, markdown=lambda: as_table(found.data))


COMMANDS = (pages,)

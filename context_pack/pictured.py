"""The HTML page of an answer: its pack, and the graph around the primary items as the index knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from context_pack.render.page import page
from context_pack.render.page.picture import Edge, Node, Picture, is_incoming

if TYPE_CHECKING:
    from context_pack.answer import Answer
    from context_pack.corpus import Corpus
    from contracts.records import Item, Pack
    from index.types import ChunkRow, Tie

PRIMARIES = 8  # in the picture: the best ones
NEIGHBOURS = 6  # of each of them
SIDE = 12  # nodes on one side


def pictured(answer: Answer[Pack], corpus: Corpus) -> str:
    """The page with its picture and hints. Nothing but names and places is read from the index."""
    return page(answer.data, picture(answer.data, corpus), answer.hints)


def picture(pack: Pack, corpus: Corpus) -> Picture:
    """The first primaries, how they are tied, and what else is tied to them directly, in the pack or not."""
    chunks = {number: place for place, item in enumerate(pack.items, start=1) for number in _chunks(corpus, item)}
    chosen = [(place, item) for place, item in enumerate(pack.items, start=1) if item.role == "primary"][:PRIMARIES]
    nodes = {number: f"p{place}" for place, item in chosen for number in _chunks(corpus, item)}
    ties = [tie for _, item in chosen for tie in _ties(corpus, item, pack.query)]
    kept = _kept([tie for tie in ties if tie.chunk not in nodes], chunks)
    others = {tie.chunk: corpus.chunk(tie.chunk) for tie in kept}
    edges = dict.fromkeys(Edge(nodes[tie.source], f"c{tie.chunk}", tie.labels[0]) for tie in kept)
    among = {
        tuple(sorted((nodes[tie.source], nodes[tie.chunk]))): Edge(nodes[tie.source], nodes[tie.chunk], tie.labels[0])
        for tie in reversed(ties)  # of two that tie a pair, the first one found counts
        if tie.chunk in nodes and nodes[tie.chunk] != nodes[tie.source]
    }
    edges.update(dict.fromkeys(edge for _, edge in sorted(among.items())))
    return Picture(
        primaries=tuple(Node(f"p{place}", _name(item), _place(item), place) for place, item in chosen),
        others=tuple(Node(f"c{number}", _name(row), _place(row), chunks.get(number)) for number, row in others.items()),
        edges=tuple(edges),
    )


def _chunks(corpus: Corpus, item: Item) -> list[int]:
    """The chunks that an item shows."""
    rows = [corpus.chunk(number) for number in corpus.chunks_of_file(item.file)]
    return [row.number for row in rows if row.start_line <= item.end_line and item.start_line <= row.end_line]


def _ties(corpus: Corpus, item: Item, query: str) -> list[Tie]:
    return corpus.related(_chunks(corpus, item), query, per_primary=NEIGHBOURS, depth=1)


def _kept(ties: Sequence[Tie], shown: Mapping[int, int]) -> list[Tie]:
    """The ties to as many nodes as a side has room for; those that are in the pack come first."""
    ranked = sorted(ties, key=lambda tie: (tie.chunk not in shown, -round(tie.weight * 1e6), tie.chunk, tie.source))
    sides: dict[bool, set[int]] = {True: set(), False: set()}
    kept = []
    for tie in ranked:
        side = sides[is_incoming(tie.labels[0])]
        if tie.chunk in side or len(side) < SIDE:
            side.add(tie.chunk)
            kept.append(tie)
    return kept


def _name(shown: Item | ChunkRow) -> str:
    return shown.symbol or shown.file.rpartition("/")[2]


def _place(shown: Item | ChunkRow) -> str:
    return f"{shown.file}:{shown.start_line}"

"""The graph around the primary items: what uses them on the left, what they use on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from context_pack.kinds.code.corpus import Corpus
from context_pack.render.phrases import escaped
from contracts.frozen import frozen
from contracts.records import Item, Pack
from index.search.related import BACKWARD
from index.types import ChunkRow, Follow, Tie

PRIMARIES = 8  # primary items in the graph, the best ones
NEIGHBOURS = 6  # per primary item
SIDE = 12  # nodes on each side

NODE_WIDTH, NODE_HEIGHT, GAP, TOP = 260, 38, 14, 30
WIDTH = 3 * NODE_WIDTH + 2 * 90
COLUMNS = {
    "what uses it": 0, "primary items": (WIDTH - NODE_WIDTH) // 2, "what it uses": WIDTH - NODE_WIDTH,
}  # fmt: skip
ARC = 80  # how far the ties between primaries reach out of their column
# The kind of an edge by its label, in either direction: `called_by` is `calls`.
_KINDS = {
    name: "extends" if label in ("implements", "overrides") else label
    for label, back in BACKWARD.items() for name in (label, back)
}  # fmt: skip
NAME_CHARS, PLACE_CHARS = 29, 37  # of a label: what fits into a box in the page's font


@frozen
class Node:
    """A chunk and its position in the graph; `item` is the number of the item that shows it, None if none does.

    Labels are cut to the width of the box; a path keeps its end, which says more than its beginning.
    """

    id: str
    name: str
    place: str
    item: int | None = None
    x: int = 0
    y: int = 0
    state: str = "absent"

    @property
    def labels(self) -> tuple[str, str]:
        name, place = escaped(self.name), escaped(self.place)
        return (
            name if len(name) <= NAME_CHARS else f"{name[: NAME_CHARS - 1]}…",
            place if len(place) <= PLACE_CHARS else f"…{place[1 - PLACE_CHARS :]}",
        )


@frozen
class Edge:
    """A tie from a primary to another node, which may also be a primary; `label` implies the direction.

    `path` is the SVG path between the facing sides of the two boxes.
    """

    primary: str
    other: str
    label: str
    path: str = ""

    @property
    def kind(self) -> str:
        return _KINDS.get(self.label, "other")


@frozen
class Drawing:
    """The graph as a drawing, and as the list that replaces it on a narrow screen.

    `heads` maps the title of each column to the x of its middle; `lists` pairs each primary with its ties.
    """

    height: int
    heads: Mapping[str, int]
    edges: Sequence[Edge]
    nodes: Sequence[Node]
    kinds: Sequence[str]
    lists: Sequence[tuple[Node, Sequence[tuple[str, Node]]]]
    width: int = WIDTH
    box: tuple[int, int] = (NODE_WIDTH, NODE_HEIGHT)


def drawing(pack: Pack, corpus: Corpus) -> Drawing | None:
    """The best primaries, the ties between them, and other chunks tied to them directly, in the pack or not.

    None if there are no ties. Only names and places are read from the index.
    """
    chunks = {number: place for place, item in enumerate(pack.items, start=1) for number in _chunks(corpus, item)}
    chosen = [(place, item) for place, item in enumerate(pack.items, start=1) if item.role == "primary"][:PRIMARIES]
    nodes = {number: f"p{place}" for place, item in chosen for number in _chunks(corpus, item)}
    follow = Follow(NEIGHBOURS, 1)
    ties = [tie for _, item in chosen for tie in corpus.related(_chunks(corpus, item), pack.query, follow)]
    outward = _best([tie for tie in ties if tie.chunk not in nodes], chunks)
    rows = {tie.chunk: corpus.chunk(tie.chunk) for tie in outward}
    edges = dict.fromkeys(Edge(nodes[tie.source], f"c{tie.chunk}", tie.labels[0]) for tie in outward)
    among = {
        tuple(sorted((nodes[tie.source], nodes[tie.chunk]))): Edge(nodes[tie.source], nodes[tie.chunk], tie.labels[0])
        for tie in reversed(ties)  # of several ties of a pair, the first one counts
        if tie.chunk in nodes and nodes[tie.chunk] != nodes[tie.source]
    }
    edges.update(dict.fromkeys(edge for _, edge in sorted(among.items())))
    primaries = [_node(f"p{place}", item, place) for place, item in chosen]
    others = [_node(f"c{number}", row, chunks.get(number)) for number, row in rows.items()]
    return layout(primaries, others, list(edges)) if edges else None


def _chunks(corpus: Corpus, item: Item) -> list[int]:
    """The chunks that an item shows."""
    rows = [corpus.chunk(number) for number in corpus.chunks_of_file(item.file)]
    return [row.number for row in rows if row.start_line <= item.end_line and item.start_line <= row.end_line]


def _best(ties: Sequence[Tie], shown: Mapping[int, int]) -> list[Tie]:
    """The ties to at most SIDE nodes on each side; nodes that are in the pack come first."""
    ranked = sorted(ties, key=lambda tie: (tie.chunk not in shown, -round(tie.weight * 1e6), tie.chunk, tie.source))
    sides: dict[bool, set[int]] = {True: set(), False: set()}
    chosen = []
    for tie in ranked:
        side = sides[_is_incoming(tie.labels[0])]
        if tie.chunk in side or len(side) < SIDE:
            side.add(tie.chunk)
            chosen.append(tie)
    return chosen


def _node(name: str, shown: Item | ChunkRow, item: int | None) -> Node:
    return Node(name, shown.symbol or shown.file.rpartition("/")[2], f"{shown.file}:{shown.start_line}", item)


def _is_incoming(label: str) -> bool:
    """Whether a label says that the other end uses the primary: called_by, used_by, contained_by, ..."""
    return label.endswith("_by")


def layout(primaries: Sequence[Node], others: Sequence[Node], edges: Sequence[Edge]) -> Drawing:
    """The drawing, with the positions of all nodes and edges."""
    left, right = _sides(primaries, others, edges)
    columns = (left, primaries, right)
    rows, step = max(map(len, columns)), NODE_HEIGHT + GAP
    drawn = {
        node.id: replace(
            node,
            x=x,
            y=TOP + round(number * step + (rows - len(column)) * step / 2),
            state="primary" if column is primaries else "absent" if node.item is None else "shown",
        )
        for x, column in zip(COLUMNS.values(), columns, strict=True)
        for number, node in enumerate(column)
    }
    lists: dict[str, list[tuple[str, Node]]] = {node.id: [] for node in primaries}
    for edge in edges:
        lists[edge.primary].append((edge.label.replace("_", " "), drawn[edge.other]))
    return Drawing(
        height=TOP + rows * step,
        heads={
            title: x + NODE_WIDTH // 2 for (title, x), column in zip(COLUMNS.items(), columns, strict=True) if column
        },
        edges=[replace(edge, path=_path(drawn[edge.primary], drawn[edge.other])) for edge in edges],
        nodes=tuple(drawn.values()),
        kinds=sorted({edge.kind for edge in edges}),
        lists=[(drawn[name], sorted(tied, key=lambda row: row[0])) for name, tied in lists.items() if tied],
    )


def _sides(primaries: Sequence[Node], others: Sequence[Node], edges: Sequence[Edge]) -> tuple[list[Node], list[Node]]:
    """The nodes that use the primaries, and those that the primaries use, each near the first primary it is tied to."""
    height = {node.id: number for number, node in enumerate(primaries)}
    first = {edge.other: edge for edge in reversed(edges)}
    ordered = sorted(others, key=lambda node: (height[first[node.id].primary], node.id))
    left = [node for node in ordered if _is_incoming(first[node.id].label)]
    return left, [node for node in ordered if not _is_incoming(first[node.id].label)]


def _path(one: Node, other: Node) -> str:
    left, right = (other, one) if other.x < one.x else (one, other)
    start, end = left.x + NODE_WIDTH, right.x if right.x != left.x else right.x + NODE_WIDTH
    y1, y2 = left.y + NODE_HEIGHT // 2, right.y + NODE_HEIGHT // 2
    middle = (start + end) // 2 if right.x != left.x else start + min(ARC, 24 + abs(y2 - y1) // 6)
    return f"M{start} {y1}C{middle} {y1} {middle} {y2} {end} {y2}"

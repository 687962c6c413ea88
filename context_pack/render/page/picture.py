"""The graph around the primary items as a picture: what uses them on the left, what they use on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from context_pack.render.phrases import escaped

WIDTH, NODE_WIDTH, NODE_HEIGHT, GAP, TOP = 1080, 280, 38, 14, 30
COLUMNS = (0, (WIDTH - NODE_WIDTH) // 2, WIDTH - NODE_WIDTH)
ARC = 90  # how far the ties between primaries reach out of their column
NAME_CHARS, PLACE_CHARS = 32, 40  # of a label: what fits into a node in the font of the page


@dataclass(frozen=True, slots=True)
class Node:
    """A chunk in the picture; `item` is the number of the item that shows it, None for one that is not in the pack."""

    id: str
    name: str
    place: str
    item: int | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A tie from a primary to another node, which may be a primary; `label` says in which direction it goes."""

    primary: str
    other: str
    label: str


@dataclass(frozen=True, slots=True)
class Picture:
    """Primaries in their order, the other nodes, and the ties between them."""

    primaries: tuple[Node, ...]
    others: tuple[Node, ...]
    edges: tuple[Edge, ...]


def svg(picture: Picture) -> str:
    """The picture as an inline SVG; a node that is in the pack links to its item."""
    columns = _columns(picture)
    rows = max(map(len, columns))
    height = TOP + rows * (NODE_HEIGHT + GAP)
    spots = {
        node.id: (x, TOP + round(number * (NODE_HEIGHT + GAP) + (rows - len(column)) * (NODE_HEIGHT + GAP) / 2))
        for x, column in zip(COLUMNS, columns, strict=True)
        for number, node in enumerate(column)
    }
    titles = ("what uses it", "primary items", "what it uses")
    heads = "".join(
        f'<text class="head" x="{x + NODE_WIDTH // 2}" y="16">{title}</text>'
        for x, title, column in zip(COLUMNS, titles, columns, strict=True) if column
    )  # fmt: skip
    primary = {node.id for node in picture.primaries}
    edges = "".join(_edge(edge, spots) for edge in picture.edges)
    nodes = "".join(_node(node, spots[node.id], node.id in primary) for column in columns for node in column)
    return (
        f'<svg class="graph" role="img" aria-label="The graph around the primary items" '
        f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">{heads}{edges}{nodes}</svg>'
    )


def is_incoming(label: str) -> bool:
    """Whether a label says that the other end uses the primary: called_by, used_by, contained_by, ..."""
    return label.endswith("_by")


def _columns(picture: Picture) -> tuple[list[Node], list[Node], list[Node]]:
    """What uses the primaries, the primaries, what they use; neighbours stand near what they are tied to."""
    height: dict[str, float] = {node.id: float(number) for number, node in enumerate(picture.primaries)}
    tied: dict[str, list[Edge]] = {}
    for edge in picture.edges:
        tied.setdefault(edge.other, []).append(edge)  # those between primaries are not asked for
    left: list[Node] = []
    right: list[Node] = []
    for node in picture.others:
        edges = tied[node.id]
        (left if is_incoming(edges[0].label) else right).append(node)

    def near(node: Node) -> tuple[float, str]:
        ends = [height[edge.primary] for edge in tied[node.id]]
        return sum(ends) / len(ends), node.id

    return sorted(left, key=near), list(picture.primaries), sorted(right, key=near)


def _edge(edge: Edge, spots: Mapping[str, tuple[int, int]]) -> str:
    """A curve between the sides that face each other, with its label as a tooltip and a class for its colour."""
    (x1, y1), (x2, y2) = spots[edge.primary], spots[edge.other]
    if x2 < x1:
        (x1, y1), (x2, y2) = (x2, y2), (x1, y1)
    start, end = x1 + NODE_WIDTH, x2 if x2 != x1 else x1 + NODE_WIDTH
    y1, y2 = y1 + NODE_HEIGHT // 2, y2 + NODE_HEIGHT // 2
    middle = (start + end) // 2 if x2 != x1 else start + min(ARC, 24 + abs(y2 - y1) // 6)
    kind = kind_of(edge.label)
    return (
        f'<path class="edge {kind}" d="M{start} {y1}C{middle} {y1} {middle} {y2} {end} {y2}">'
        f"<title>{escape(edge.label.replace('_', ' '))}</title></path>"
    )


_KINDS = {
    "call": "calls", "use": "uses", "contain": "contains", "extend": "extends", "implement": "extends",
    "override": "extends", "test": "tests", "import": "imports", "document": "documents", "mention": "documents",
}  # fmt: skip


def kind_of(label: str) -> str:
    """The edge's kind without its direction: `called_by` is `calls`."""
    return next((kind for stem, kind in _KINDS.items() if label.startswith(stem)), "other")


def kinds(edges: Sequence[Edge]) -> list[str]:
    """The kinds that occur, sorted, for a legend."""
    return sorted({kind_of(edge.label) for edge in edges})


def _node(node: Node, spot: tuple[int, int], primary: bool) -> str:
    x, y = spot
    state = "primary" if primary else "shown" if node.item is not None else "absent"
    box = (
        f'<g class="node {state}"><title>{escape(f"{escaped(node.name)} {escaped(node.place)}".strip())}</title>'
        f'<rect x="{x + 1}" y="{y + 1}" width="{NODE_WIDTH - 2}" height="{NODE_HEIGHT - 2}" rx="5"/>'
        f'<text x="{x + 10}" y="{y + 16}">{escape(_beginning(escaped(node.name), NAME_CHARS))}</text>'
        f'<text class="place" x="{x + 10}" y="{y + 30}">{escape(_end(escaped(node.place), PLACE_CHARS))}</text></g>'
    )
    return f'<a href="#item-{node.item}">{box}</a>' if node.item is not None else box


def _beginning(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _end(text: str, most: int) -> str:
    """The end of a path says more than its beginning."""
    return text if len(text) <= most else f"…{text[1 - most :]}"

"""Random work graphs: several workspaces, every type and edge, cycles, dangling targets, pins.

Made from a seed and not drawn value by value: that is twenty times as fast, and a seed reproduces a failure.
"""

from __future__ import annotations

from random import Random

from graph_building import ALL_EDGES, FOLDERS
from hypothesis import strategies as st

from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.nodes import Node
from context_pack.kinds.graph.work_graph import CoreList, WorkGraph

ALIASES = ("api", "root", "web")
TYPES = ("edd", "dec", "rule", "prd", "prop", "epic", "feat", "task", "bug", "checkpoint", "spike")
NAMES = (*(f"{kind}-{number}" for kind in ("task", "n", "chk") for number in (1, 2, 10)), "guide", "n-x")
TITLES = ("a", "A", "b", "ä", "Z", "ö", "z", "ß")
WORDS = ("x", "a.py", "https://a.b/c?d=e", "ö", "two words", "\x07", "<&>")
TEXTS = ("", "\n# T\n\ntext", "\x00\x1b[0m", "---\nqid: x", "ö\u2028\ufffe &<>]]>", "x" * 300, " - a: b\n\t\\n", "\\")
SINGLE = frozenset({"parent", "epic", "prev", "next"})

SEEDS = st.integers(0, 2**32 - 1)


def nodes(chance: Random) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for alias in ALIASES:
        for name in chance.sample(NAMES, chance.randrange(7)):
            edges = {
                edge: [_target(chance) for _ in range(1 if edge in SINGLE else chance.randrange(1, 4))]
                for edge in chance.sample(ALL_EDGES, chance.randrange(5))
            }
            shown = chance.sample(["links", "artifacts", "refs", "aliases"], chance.randrange(3))
            lists = {key: [chance.choice(WORDS) for _ in range(chance.randrange(1, 3))] for key in shown}
            kind = chance.choice(TYPES)
            place = "" if alias == "root" else f"{alias}/"
            found[f"{alias}:{name}"] = Node(
                alias, f"{place}.mdkg/{FOLDERS.get(kind, 'work')}/{name}.md", name, kind, chance.choice(TITLES),
                chance.choice([None, "todo", "done"]), chance.choice([None, 0, 3]), edges, lists,
            )  # fmt: skip
    return found or {"root:task-1": Node("root", ".mdkg/work/task-1.md", "task-1", "task", "t", None, None, {}, {})}


def world(chance: Random) -> WorkGraph:
    """A graph in memory, with bodies and pins."""
    given = nodes(chance)
    pins = {line: _target(chance) for line in range(1, chance.randrange(1, 6))}
    bodies = {qid: chance.choice(TEXTS) for qid in given}
    core = CoreList(".mdkg/core/core.md", chance.choice(ALIASES), pins)
    return WorkGraph(given, ALIASES, lambda node: bodies[node.qid], core)


def question(chance: Random, graph: WorkGraph) -> tuple[str, GraphSettings]:
    """A root of the graph, and options."""
    more = chance.sample(ALL_EDGES, chance.randrange(len(ALL_EDGES)))
    options = GraphSettings(
        depth=chance.randrange(5),
        edges=tuple(dict.fromkeys(("parent", "epic", "relates", *more))),
        verbose=chance.random() < 0.5,
        workspace=chance.choice([None, *ALIASES]),
        max_nodes=chance.randrange(9),
        max_bytes=chance.choice([0, 1, 400, 700, 1500, 5000]),
        explain=chance.random() < 0.5,
    )
    return chance.choice(sorted(graph.nodes)), options


def _target(chance: Random) -> str:
    name = chance.choice(NAMES)
    return name if chance.random() < 0.6 else f"{chance.choice((*ALIASES, 'gone'))}:{name}"

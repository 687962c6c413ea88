"""Properties of every graph and every question."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import graph_plain
import pytest
from graph_building import write_graph
from graph_worlds import SEEDS, nodes, question, world
from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.formats import render
from context_pack.kinds.graph.order import FAVOURED
from context_pack.kinds.graph.pack import pack, select
from context_pack.kinds.graph.work_graph import WorkGraph, read_graph
from contracts.graph import GraphPack
from contracts.records import as_data

Conforms = Any


@dataclass(frozen=True)
class Asked:
    """A random graph, a random question, and its pack."""

    graph: WorkGraph
    root: str
    options: GraphSettings
    pack: GraphPack
    warnings: tuple[str, ...]


def ask(seed: int, form: str = "json") -> Asked:
    chance = Random(seed)
    graph = world(chance)
    root, options = question(chance, graph)
    chosen = select(graph, root, options)
    found, warnings = pack(graph, chosen, options, form)
    return Asked(graph, root, options, found, (*chosen.warnings, *warnings))


@settings(max_examples=1000)
@given(SEEDS)
def test_the_pack_is_the_plain_one(seed: int) -> None:
    asked = ask(seed)
    found = asked.pack
    expected, missing = graph_plain.order(asked.graph, asked.root, asked.options)
    kept = expected[: asked.options.max_nodes or None]
    assert [node.qid for node in found.nodes] == kept
    assert list(found.meta.truncated.dropped) == expected[len(kept) :]
    assert found.meta.truncated.max_nodes == (len(kept) < len(expected))
    assert sum("no such node" in warning for warning in asked.warnings) == missing


@given(SEEDS, st.sampled_from(["json", "md"]))
def test_the_invariants_of_every_kind_of_pack(seed: int, form: str) -> None:
    """Kept + dropped = selected; every node has a reason; the root stays; a limit that drops nodes is reported."""
    asked = ask(seed, form)
    found, options = asked.pack, asked.options
    chosen = select(asked.graph, asked.root, options)
    selected = [candidate.id for candidate in chosen.candidates]
    assert [node.qid for node in found.nodes] + list(found.meta.truncated.dropped) == selected
    assert all(candidate.why for candidate in chosen.candidates)
    assert found.nodes[0].qid == found.meta.root == asked.root
    assert found.meta.node_count == len(found.nodes)
    assert options.max_nodes == 0 or len(found.nodes) <= options.max_nodes
    assert bool(found.meta.truncated.dropped) <= (found.meta.truncated.max_nodes or found.meta.truncated.max_bytes)
    if options.explain:
        assert [one.qid for one in found.left_out] == list(found.meta.truncated.dropped)
        assert all(node.why and node.slot for node in found.nodes)


@given(SEEDS)
def test_markdown_is_within_its_bytes_or_flagged(seed: int) -> None:
    asked = ask(seed, "md")
    found, options = asked.pack, asked.options
    printed = render(found, "md")[0]
    assert printed is not None
    if options.max_bytes and len(printed.encode()) > options.max_bytes:
        assert len(found.nodes) == 1
        assert found.meta.truncated.max_bytes


@given(SEEDS)
def test_a_warning_appears_exactly_if_a_constraint_went_and_a_lesser_node_stayed(seed: int) -> None:
    asked = ask(seed)
    found = asked.pack
    went = any(asked.graph.nodes[qid].type in FAVOURED for qid in found.meta.truncated.dropped)
    stayed = any(node.type not in FAVOURED for node in found.nodes[1:])
    assert any("less important nodes stay" in warning for warning in asked.warnings) == (went and stayed)


@given(SEEDS)
def test_every_pack_is_valid_json_of_its_schema(conforms: Conforms, seed: int) -> None:
    conforms(json.loads(json.dumps(as_data(ask(seed).pack))), "graph")


@settings(max_examples=40)
@given(SEEDS)
def test_a_graph_on_disk_is_the_graph_in_memory(seed: int) -> None:
    """It may be written in any order, and read with or without a cache."""
    given_nodes = nodes(Random(seed))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_graph(root, given_nodes)  # in a random order
        for _ in range(2):
            found = read_graph(root)
            assert dict(found.nodes) == given_nodes
            assert not [problem for problem in found.problems if "no such folder" not in problem.message]


@pytest.mark.parametrize("links", [1, 3])
def test_a_deep_chain_and_a_dense_graph(links: int) -> None:
    """Traversal is a loop: 5,000 steps do not exhaust the stack, 300 x 300 edges do not take long."""
    from graph_building import graph, node, packed

    chain = [node(f"feat-{n}", relates=[f"feat-{min(n + k, 4999)}" for k in range(1, links + 1)]) for n in range(5000)]
    assert len(packed(graph(*chain), "feat-0", depth=10_000, max_nodes=0).nodes) == 5000
    names = [f"feat-{n}" for n in range(300)]
    assert len(packed(graph(*(node(name, relates=names) for name in names)), "feat-0", max_nodes=0).nodes) == 300

"""The 152 packs of the project's conformance set, from memory and from files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from graph_building import ALL_EDGES, write_graph

from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.nodes import Node
from context_pack.kinds.graph.pack import pack, select
from context_pack.kinds.graph.work_graph import CoreList, WorkGraph, read_graph

SET: Mapping[str, Any] = json.loads((Path(__file__).parent / "conformance.json").read_text("utf-8"))
PINS = ("rule-1", "rule-2", "rule-3", "rule-4", "rule-5", "rule-6", "rule-guide")


def nodes() -> dict[str, Node]:
    found = {}
    for qid, one in SET["nodes"].items():
        edges = {key: [value] if isinstance(value, str) else value for key, value in one["edges"].items() if value}
        found[qid] = Node(one["ws"], one["path"], one["id"], one["type"], one["title"], None, None, edges, {})
    return found


@pytest.fixture(scope="module")
def in_memory() -> WorkGraph:
    pins = dict(enumerate(PINS, 1))
    return WorkGraph(nodes(), ("root",), lambda node: "", CoreList(".mdkg/core/core.md", "root", pins))


def answered(graph: WorkGraph, case: Mapping[str, Any]) -> dict[str, Any]:
    edges = ALL_EDGES if case["edges"] == "all" else ("parent", "epic", "relates")
    options = GraphSettings(edges=edges, verbose=case["verbose"])
    chosen = select(graph, case["root"], options)
    found, warnings = pack(graph, chosen, options)
    truncated = found.meta.truncated
    return {
        "qids": [node.qid for node in found.nodes],
        "truncated": {
            "max_nodes": truncated.max_nodes, "max_bytes": truncated.max_bytes, "dropped": list(truncated.dropped),
        },
        "warnings": [*chosen.warnings, *warnings],
    }  # fmt: skip


def test_there_are_152_packs_of_38_nodes() -> None:
    assert (len(SET["cases"]), len(SET["nodes"])) == (152, 38)


@pytest.mark.parametrize("case", SET["cases"], ids=lambda case: f"{case['root']}-{case['edges']}-{case['verbose']}")
def test_pack_in_memory(in_memory: WorkGraph, case: Mapping[str, Any]) -> None:
    assert answered(in_memory, case) == {key: case[key] for key in ("qids", "truncated", "warnings")}


def test_all_packs_from_files(tmp_path: Path) -> None:
    write_graph(tmp_path, nodes())
    core = tmp_path / ".mdkg/core/core.md"
    core.write_text("# pinned\n" + "\n".join(PINS) + "\n")
    from_files = read_graph(tmp_path)
    for case in SET["cases"]:
        assert answered(from_files, case) == {key: case[key] for key in ("qids", "truncated", "warnings")}, case["root"]

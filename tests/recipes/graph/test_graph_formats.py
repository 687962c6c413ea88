"""The four formats: their content, and that independent parsers read back the same data as the JSON."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
import toon_format
from graph_building import graph, node
from graph_worlds import SEEDS, question, world
from hypothesis import given
from hypothesis import strategies as st

from context_pack.kinds.graph.config import GraphSettings
from context_pack.kinds.graph.formats import render
from context_pack.kinds.graph.pack import pack, select
from context_pack.kinds.graph.work_graph import WorkGraph
from context_pack.render.xml import XmlWriter, without_forbidden
from contracts.graph import GraphPack
from contracts.records import as_data

STAMP = "2026-01-02T03:04:05Z"
ROOT = node(
    "task-1", title="the task", status="todo", priority=2, relates=["edd-1", "gone-1"], links=["https://a.b/c"],
    artifacts=["src/a.py", "src/b.py"], refs=["r-1"], aliases=["the one"],
)  # fmt: skip
SMALL = graph(ROOT, node("edd-1", title="a design"), task_1="\n# The task\n\nText.", edd_1="")


def packed(of: WorkGraph, name: str, form: str, stamp: str | None = None, **chosen: Any) -> GraphPack:
    options = GraphSettings(**chosen)
    return pack(of, select(of, name, options), options, form, stamp)[0]


def printed(of: WorkGraph, name: str, form: str, **chosen: Any) -> str:
    text = render(packed(of, name, form, **chosen), form)[0]
    assert text is not None
    return text


def plain(found: GraphPack) -> Any:
    return json.loads(json.dumps(as_data(found)))


def test_markdown() -> None:
    assert printed(SMALL, "task-1", "md", stamp=STAMP) == (
        "# Context pack\n"
        "root: root:task-1\n"
        "depth: 2\n"
        "verbose: false\n"
        "nodes: 2\n"
        "truncated: max_nodes=false max_bytes=false\n"
        "dropped: []\n"
        "generated_at: 2026-01-02T03:04:05Z\n"
        "\n"
        "included_nodes:\n"
        "- root:task-1\n"
        "- root:edd-1\n"
        "\n---\n\n"
        "## root:task-1\n"
        "qid: root:task-1\n"
        "type: task\n"
        "title: the task\n"
        "status: todo\n"
        "priority: 2\n"
        "path: .mdkg/work/task-1.md\n"
        "links: [https://a.b/c]\n"
        "artifacts: [src/a.py, src/b.py]\n"
        "refs: [r-1]\n"
        "\n\n# The task\n\nText.\n"
        "\n---\n\n"
        "## root:edd-1\n"
        "qid: root:edd-1\n"
        "type: edd\n"
        "title: a design\n"
        "path: .mdkg/work/edd-1.md\n"
        "links: []\n"
        "artifacts: []\n"
        "refs: []\n"
    )


def test_markdown_explains() -> None:
    text = printed(SMALL, "task-1", "md", max_nodes=1, explain=True)
    assert "left_out:\n- root:edd-1 (max_nodes): relates at depth 1 from root:task-1\n" in text
    assert "slot: root\nwhy: root\n" in text
    assert "slot: constraints\nwhy: relates at depth 1 from root:task-1\n" in printed(
        SMALL, "task-1", "md", explain=True
    )


def test_a_control_character_does_not_end_a_line_of_the_head() -> None:
    odd = graph(node("task-1", title="a\rb\x0bc\u2028d"))
    assert "title: a\\u000db\\u000bc\\u2028d\n" in printed(odd, "task-1", "md")


def test_json(conforms: Any) -> None:
    data = plain(packed(SMALL, "task-1", "json", stamp=STAMP))
    conforms(data, "graph")
    assert data == {
        "version": 1,
        "meta": {
            "root": "root:task-1", "depth": 2, "verbose": False, "generated_at": STAMP, "node_count": 2,
            "truncated": {"max_nodes": False, "max_bytes": False, "dropped": []},
        },
        "nodes": [
            {
                "qid": "root:task-1", "id": "task-1", "workspace": "root", "type": "task", "title": "the task",
                "status": "todo", "priority": 2, "path": ".mdkg/work/task-1.md",
                "frontmatter": {
                    "links": ["https://a.b/c"], "artifacts": ["src/a.py", "src/b.py"], "refs": ["r-1"],
                    "aliases": ["the one"],
                },
                "body": "\n# The task\n\nText.",
            },
            {
                "qid": "root:edd-1", "id": "edd-1", "workspace": "root", "type": "edd", "title": "a design",
                "path": ".mdkg/work/edd-1.md", "frontmatter": {}, "body": "",
            },
        ],
    }  # fmt: skip


@pytest.mark.parametrize("form", ["md", "json", "toon", "xml"])
def test_without_a_timestamp_there_is_none(form: str) -> None:
    found = packed(SMALL, "task-1", form)
    assert "generated_at" not in (render(found, form)[0] or json.dumps(plain(found)))


def any_pack(seed: int) -> GraphPack:
    chance = Random(seed)
    of = world(chance)
    root, options = question(chance, of)
    return pack(of, select(of, root, options), options, None, STAMP)[0]


@given(SEEDS)
def test_toon_is_the_json(seed: int) -> None:
    found = any_pack(seed)
    text = render(found, "toon")[0]
    assert text is not None
    assert toon_format.loads(text) == plain(found)


def from_xml(element: ElementTree.Element, like: Any) -> Any:
    """The data that an element represents; `like` distinguishes an empty list, an empty object and a number."""
    if isinstance(like, dict):
        assert {child.tag for child in element} == set(like)
        return {child.tag: from_xml(child, like[child.tag]) for child in element}
    if isinstance(like, list):
        return [from_xml(child, one) for child, one in zip(element, like, strict=True)]
    text = element.text or ""
    if isinstance(like, bool):
        return text == "true"
    return float(text) if isinstance(like, int | float) else text


def legal(value: Any) -> Any:
    """The data with every character that XML 1.0 forbids replaced."""
    if isinstance(value, dict):
        return {key: legal(part) for key, part in value.items()}
    if isinstance(value, list):
        return [legal(part) for part in value]
    if not isinstance(value, str):
        return value
    return "".join(c if c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in value)


@given(SEEDS)
def test_xml_is_the_json(seed: int) -> None:
    found = any_pack(seed)
    text, hints = render(found, "xml")
    assert text is not None
    parsed = ElementTree.fromstring(text)
    assert (parsed.tag, parsed.get("version"), parsed[0].tag, parsed[1].tag) == ("pack", "1", "meta", "nodes")
    told = parsed.find("meta/replaced_characters")
    if told is None:
        assert not hints
    else:
        assert int(told.text or "") > 0
        assert hints[0].type == "warn"
        parsed[0].remove(told)
    expected = plain(found)
    del expected["version"]
    assert from_xml(parsed, expected) == legal(expected)
    assert (told is None) == (legal(expected) == expected)


def test_xml_lists_are_repeated_children() -> None:
    parsed = ElementTree.fromstring(printed(SMALL, "task-1", "xml", max_nodes=1))
    first = parsed.findall("nodes/node")[0]
    assert [one.text for one in first.findall("frontmatter/artifacts/artifact")] == ["src/a.py", "src/b.py"]
    assert [one.text for one in parsed.findall("meta/truncated/dropped/qid")] == ["root:edd-1"]


def test_forbidden_characters_are_replaced_and_counted() -> None:
    odd = graph(node("task-1", title="bell \x07"), task_1="\x00 nul, \x1b[0m escape, \ufffe, \r return & <tag>")
    text, hints = render(packed(odd, "task-1", "xml"), "xml")
    assert text is not None
    parsed = ElementTree.fromstring(text)
    assert parsed.findtext("meta/replaced_characters") == "4"
    assert parsed.findtext("nodes/node/body") == "\ufffd nul, \ufffd[0m escape, \ufffd, \r return & <tag>"
    assert [hint.text for hint in hints] == ["4 characters that XML 1.0 forbids were replaced by U+FFFD"]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_xml(text: str) -> None:
    content, replaced = without_forbidden({"b": text})
    parsed = ElementTree.fromstring(XmlWriter({}).document("a", content))
    assert (parsed.findtext("b") or "") == legal(text)
    assert replaced == sum(legal(c) != c for c in text)

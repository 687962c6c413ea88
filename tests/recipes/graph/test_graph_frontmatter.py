"""The restricted frontmatter: what is accepted, what is rejected, and the line numbers in errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_pack.io.markdown_files import FrontmatterError
from context_pack.kinds.graph.nodes import parse, record_of


def values(text: str) -> dict[str, object]:
    return {key: value for key, (value, _) in parse(text)[0].items()}


def test_one_value_lists_booleans_and_text() -> None:
    text = "---\nid: task-1\na_2: x: y, [z] # z\nlist: [a,  b c ,d]\nempty: []\nyes: true\nno: false\nn: 12\n---\n"
    assert values(text) == {
        "id": "task-1", "a_2": "x: y, [z] # z", "list": ["a", "b c", "d"], "empty": [],
        "yes": True, "no": False, "n": "12",
    }  # fmt: skip


def test_true_and_false_in_another_case_are_text() -> None:
    assert values("---\na: True\nb: FALSE\n---\n") == {"a": "True", "b": "FALSE"}


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("", 1, "the first line is not ---"),
        ("id: a\n", 1, "the first line is not ---"),
        ("\n---\nid: a\n---\n", 1, "the first line is not ---"),
        ("----\nid: a\n---\n", 1, "the first line is not ---"),
        ("---", 1, "no closing ---"),
        ("---\nid: a\n", 1, "no closing ---"),
        ("---\nid: a\n\ntype: b\n---\n", 3, "a blank line"),
        ("---\nid: a\n  \t\n---\n", 3, "a blank line"),
        ("---\nid: a\nnothing\n---\n", 3, "expected key: value"),
        ("---\n- a\n---\n", 2, "expected key: value"),
        ("---\nId: a\n---\n", 2, "'Id' is not a valid key"),
        ("---\n2id: a\n---\n", 2, "'2id' is not a valid key"),
        ("---\na-b: c\n---\n", 2, "'a-b' is not a valid key"),
        ("---\n: c\n---\n", 2, "'' is not a valid key"),
        ("---\nid: a\ntype: b\nid: c\n---\n", 4, "the key id appears twice (first in line 2)"),
        ("---\nid:\n---\n", 2, "id has no value"),
        ("---\nid:   \n---\n", 2, "id has no value"),
        ("---\ntags: [a, b\n---\n", 2, "does not end with ]"),
        ("---\ntags: [\n---\n", 2, "does not end with ]"),
        ("---\ntags: [a, , b]\n---\n", 2, "an empty item"),
        ("---\ntags: [a,]\n---\n", 2, "an empty item"),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, line: int, told: str) -> None:
    with pytest.raises(FrontmatterError) as caught:
        parse(text)
    assert caught.value.line == line
    assert told in caught.value.message


def test_the_body_keeps_its_leading_blank_line_and_loses_trailing_white_space() -> None:
    assert parse("---\nid: a\n---\n\n# Title\n\ntext  \n\n\t\n")[1] == "\n# Title\n\ntext"


def test_the_body_has_lf_line_ends() -> None:
    assert parse("---\r\nid: a\r\n---\r\none\r\ntwo\rthree\r\n")[1] == "one\ntwo\rthree"


@pytest.mark.parametrize("text", ["---\nid: a\n---", "---\nid: a\n---\n", "---\nid: a\n---  \n  \n"])
def test_a_file_may_have_no_body(text: str) -> None:
    assert parse(text)[1] == ""


def test_a_later_fence_belongs_to_the_body() -> None:
    assert parse("---\nid: a\n---\none\n---\ntwo")[1] == "one\n---\ntwo"


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert record_of(b"\xef\xbb\xbf---\nid: A-1\ntype: task\ntitle: t\n---\n", "a.md")[2] == "a-1"


KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs"], exclude_characters="[],"), min_size=1)
FIELDS = st.dictionaries(KEYS, st.one_of(TEXTS, st.lists(TEXTS, max_size=4), st.booleans()), max_size=8)


@given(FIELDS, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")))
def test_what_is_written_is_read(fields: dict[str, str | list[str] | bool], body: str) -> None:
    lines = []
    for key, value in fields.items():
        shown = f"[{', '.join(value)}]" if isinstance(value, list) else str(value)
        lines.append(f"{key}: {shown.lower() if isinstance(value, bool) else shown}")
    expected = {key: {"true": True, "false": False}.get(v, v) if isinstance(v, str) else v for key, v in fields.items()}
    text = "\n".join(["---", *lines, "---", body])
    assert values(text) == expected
    assert parse(text)[1] == body.rstrip()


@given(st.text())
def test_any_text_is_parsed_or_refused_with_a_line_that_exists(text: str) -> None:
    try:
        parse(text)
    except FrontmatterError as error:
        assert 1 <= error.line <= text.count("\n") + 1


@given(st.binary())
def test_any_bytes_are_a_record(data: bytes) -> None:
    assert record_of(data, "a.md")[0] in {0, 1}

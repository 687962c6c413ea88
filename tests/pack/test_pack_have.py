"""Code that the reader already has is left out, wherever it is now, and its room goes to new code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from memory_index import MemoryIndex, rows

from context_pack.envelope import answered, encoded
from context_pack.options.resolve import Layer
from context_pack.render import layout, phrases
from context_pack.session import Session
from contracts.errors import CtxpackError
from contracts.records import as_data
from index.types import FilePlace, Tie

QUERY = "needle"


def body(name: str, lines: int = 6) -> str:
    return "\n".join([f"def {name}():", *(f"    needle_{name}_{number}()" for number in range(lines))])


CORPUS = MemoryIndex(
    rows(
        ("a.py", 1, "function", "one", body("one"), ("import os",)),
        ("a.py", 20, "function", "two", body("two"), ()),
        ("b.py", 1, "function", "three", body("three"), ()),
        ("c.py", 1, "function", "helper", "def helper():\n    return 1", ()),
    ),
    [Tie(0, 3, ("calls",), 1, 0.9)],
)


def asked(corpus: MemoryIndex = CORPUS, **options: Any) -> Any:
    return Session(corpus, Layer(options)).query(QUERY)


def ids(answer: Any) -> list[str]:
    return [item.id for item in answer.data.items]


def written(path: Path, answer: Any) -> Path:
    path.write_bytes(encoded(as_data(answered(answer, CORPUS))))
    return path


def test_files_and_ids_are_left_out_and_what_they_call_stays() -> None:
    assert ids(asked()) == ["a.py:1:26", "b.py:1:7", "c.py:1:2"], "neighbours in a file are one item"
    assert ids(asked(have="a.py:1:7")) == ["a.py:20:26", "b.py:1:7", "c.py:1:2"]
    assert ids(asked(have=["a.py", "c.py"])) == ["b.py:1:7"]
    assert ids(asked(have="a.py:1-7")) == ids(asked(have="a.py:1:7")), "as packs show it"
    assert ids(asked(have="a.py:1")) == ids(asked()), "one line of seven"


def test_an_earlier_pack_is_matched_by_text_even_if_code_moved(tmp_path: Path) -> None:
    file = written(tmp_path / "pack.json", asked())
    moved = replace(
        CORPUS, rows=[replace(row, file=f"new/{row.file}", start_line=row.start_line + 9) for row in CORPUS.rows]
    )
    assert ids(asked(moved, have_pack=file)) == []
    changed = [replace(row, text=row.text + "\n    # more") if row.number == 2 else row for row in moved.rows]
    assert ids(asked(replace(moved, rows=changed), have_pack=str(file))) == ["new/b.py:10:7"]


def test_items_that_an_earlier_pack_cut_are_shown_in_full(tmp_path: Path) -> None:
    long = MemoryIndex(rows(("a.py", 1, "function", "long", body("long", 60), ())))
    cut = asked(long, max_chars=400)
    assert cut.data.items[0].elided
    assert ids(asked(long, have_pack=written(tmp_path / "cut.json", cut))) == ["a.py:1:61"]
    whole = asked(long)
    assert ids(asked(long, have_pack=written(tmp_path / "whole.json", whole))) == []


def test_freed_room_goes_to_new_items() -> None:
    chunks = [(f"f{number:02}.py", 1, "function", None, body(f"f{number:02}"), ()) for number in range(12)]
    first = asked(MemoryIndex(rows(*chunks)), limit=3)
    second = asked(MemoryIndex(rows(*chunks)), limit=3, have=ids(first))
    assert (ids(first), ids(second)) == (
        ["f00.py:1:7", "f01.py:1:7", "f02.py:1:7"], ["f03.py:1:7", "f04.py:1:7", "f05.py:1:7"],
    )  # fmt: skip


def test_a_name_that_is_not_indexed_is_reported() -> None:
    answer = asked(have="gone.py:1:5")
    assert ids(answer) == ids(asked())
    assert [hint.text for hint in answer.hints if hint.type == "warn"] == [
        "gone.py:1:5: not in the index, so nothing was left out for it"
    ]


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"data": {"items": [{"content": 3}]}}', '{"data": null}'])
def test_a_file_that_is_not_a_pack_is_an_error(text: str, tmp_path: Path) -> None:
    file = tmp_path / "pack.json"
    file.write_text(text)
    with pytest.raises(CtxpackError) as refusal:
        asked(have_pack=file)
    assert (refusal.value.code, refusal.value.details) == ("invalid_request", {"field": "have_pack"})
    assert "pack.json is not a pack" in refusal.value.message
    with pytest.raises(CtxpackError) as missing:
        asked(have_pack=tmp_path / "missing.json")
    assert missing.value.code == "io_error"


def test_no_more_of_a_file_is_read_than_a_pack_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device or a pipe may have no end."""
    monkeypatch.setattr("context_pack.kinds.code.already_read.MAX_PACK_BYTES", 1_000)
    file = tmp_path / "pack.json"
    file.write_text('{"items": []}'.ljust(1_001))
    with pytest.raises(CtxpackError) as refusal:
        asked(have_pack=file)
    assert (refusal.value.code, refusal.value.message) == ("invalid_request", f"{file} is larger than 1,000 bytes")
    file.write_text('{"items": []}'.ljust(1_000))
    assert asked(have_pack=file).data.items


def test_a_class_that_a_pack_outlined_is_not_outlined_again(tmp_path: Path) -> None:
    methods = "\n".join(
        f"    def method_{n}(self, one, other):\n" + "        step = one + other\n" * 12 for n in range(9)
    )
    doc = "\n".join(f"    Line {n} of a long description of what a store is and does." for n in range(60))
    (tmp_path / "store.py").write_text(f'class Store:\n    """A store.\n\n{doc}\n    """\n\n{methods}')
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    first = tree.query("Store", max_chars=3000, related=0)
    outline = first.data.items[0]
    assert (outline.type, bool(outline.elided)) == ("class", True)
    file = written(tmp_path / "pack.json", first)
    again = tree.query("Store", max_chars=3000, related=0, have_pack=file).data
    assert not any("class Store" in item.content for item in again.items)


def test_lines_that_an_earlier_pack_cut_are_not_counted_as_read(tmp_path: Path) -> None:
    steps = "\n".join(
        f"    cable_{number} = pull(rope, {number})  # step {number} of the winding" for number in range(2, 200)
    )
    (tmp_path / "cables.py").write_text(f"def wind(rope):\n{steps}\n")
    (tmp_path / "other.py").write_text("def pull(rope, number):\n    return rope[number:]\n")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home", "format": "md"})
    first = tree.query("wind", max_chars=2000, related=0)
    (item,) = first.data.items
    heading = phrases.place(item)
    shown = [line for first, last in phrases.visible_runs(item) for line in range(first, last + 1)]
    assert item.elided and heading.startswith("cables.py:1") and len(shown) < 150
    assert f"## `{heading}`" in (layout("md").render(first.data) or "")

    unseen = next(line for line in range(1, 200) if line not in shown)
    again = tree.query(f"cables.py:{unseen}", max_chars=2000, related=0, have=heading)
    assert f"step {unseen} " in again.data.items[0].content
    asked_for = tree.query("cables.py:120", max_chars=2000, related=0, have="cables.py:1-199")
    assert "step 120 " in asked_for.data.items[0].content, "a place in the query is stronger than have"
    assert not any("Left out" in note for note in asked_for.data.notes), "the symbol is shown"
    left_out = tree.query("wind", related=0, have="cables.py")
    assert not any(item.file == "cables.py" for item in left_out.data.items)
    assert any(note.startswith("Left out, as you have it: cables.py:1") for note in left_out.data.notes)


def test_the_heading_of_a_cut_item_names_the_lines_that_it_shows() -> None:
    item = asked().data.items[0]
    cuts = {
        (): "a.py:1-26", ((3, 5),): "a.py:1-2,6-26", ((1, 1), (3, 26)): "a.py:2", ((1, 26),): "a.py:1-26",
        ((2, 3), (5, 6), (8, 9), (11, 12)): "a.py:1,4,7,10,...",
    }  # fmt: skip
    assert {cut: phrases.place(replace(item, elided=cut)) for cut in cuts} == cuts
    assert ids(asked(have="a.py:1-7,20-26")) == ["b.py:1:7", "c.py:1:2"]
    assert ids(asked(have="a.py:1-7,20-25,...")) == ["a.py:20:26", "b.py:1:7", "c.py:1:2"]


def test_the_end_of_a_path_is_enough() -> None:
    chunks = [(file, 1, "function", None, body(file[0]), ()) for file in ("x/jobs.py", "y/jobs.py", "z/core/run.py")]
    corpus = MemoryIndex(rows(*chunks))
    names = {"core/run.py": ["z/core/run.py"], "run.py:1-7": ["z/core/run.py"], "jobs.py": ["x/jobs.py", "y/jobs.py"]}
    corpus.places = lambda text: [FilePlace(file) for file in names.get(text, names.get(f"{text}:1-7", []))]  # type: ignore[method-assign]
    assert (
        ids(asked(corpus, have="core/run.py"))
        == ids(asked(corpus, have="run.py:1-7"))
        == ["x/jobs.py:1:7", "y/jobs.py:1:7"]
    )
    answer = asked(corpus, have="jobs.py")
    assert len(ids(answer)) == 3
    assert [hint.text for hint in answer.hints if hint.type == "warn"] == [
        "jobs.py could be x/jobs.py, y/jobs.py, so nothing was left out for it"
    ]


def test_an_empty_file_that_the_reader_has_leaves_nothing_out(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "cart.py").write_text("def total():\n    return 1\n")
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    answer = session.query("what is the total", have=["empty.py"])
    assert [item.file for item in answer.data.items] == ["cart.py"]
    assert any("empty.py: not in the index" in hint.text for hint in answer.hints)

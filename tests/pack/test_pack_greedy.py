"""The order of packing: whole items, best first; items queried by line; merged neighbours; imports last."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_index import MemoryIndex, rows

from context_pack.core.text import size
from context_pack.kinds.code.packing.forms import CLIPPED_CHARS
from context_pack.kinds.code.packing.items import used_imports
from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from contracts.records import Item, Pack

LIMIT = 3_000
ITEM_CHARS = 128  # cost of an item without its content, by contract v1


def needle(
    number: int, characters: int, imports: tuple[str, ...] = ()
) -> tuple[str, int, str, str, str, tuple[str, ...]]:
    """A function of one line."""
    return (f"f{number:02}.py", 1, "function", f"name_{number}", "needle " + "x" * (characters - 7), imports)


def pack(corpus: MemoryIndex, query: str = "needle", **options: object) -> Pack:
    return Session(corpus, Layer({"limit": 20, **options})).query(query).data


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(20, CLIPPED_CHARS), min_size=1, max_size=12), st.integers(100, LIMIT // 3))
def test_nothing_but_the_order_decides_what_is_in(sizes: list[int], limit: int) -> None:
    """An item is missing only if it does not fit into the room that all better items leave."""
    found = pack(MemoryIndex(rows(*(needle(number, chars) for number, chars in enumerate(sizes)))), max_chars=1_000_000)
    assert [item.file for item in found.items] == [f"f{number:02}.py" for number in range(len(sizes))]
    corpus = MemoryIndex(rows(*(needle(number, chars) for number, chars in enumerate(sizes))))
    try:
        found = pack(corpus, max_chars=limit)
    except BudgetTooSmall:
        assert min(sizes) + ITEM_CHARS > limit
        return
    left, expected = limit, []
    for number, chars in enumerate(sizes):
        if chars + ITEM_CHARS <= left:
            expected.append(f"f{number:02}.py")
            left -= chars + ITEM_CHARS
    assert [item.file for item in found.items] == expected
    assert not any(item.elided for item in found.items)


def test_a_better_item_is_whole_before_a_later_one_is_in_at_all() -> None:
    bodies = ["\n".join(f"    needle_{number} = step_{n}({number})" for number in range(30)) for n in range(6)]
    functions = [(f"f{n}.py", 1, "function", f"name_{n}", f"def name_{n}():\n{bodies[n]}", ()) for n in range(6)]
    corpus = MemoryIndex(rows(*functions))
    whole = size(functions[0][4]) + ITEM_CHARS
    for limit in range(whole, 6 * whole, 97):
        found = pack(corpus, "needle_3", max_chars=limit)
        assert [item.file for item in found.items] == [f"f{n}.py" for n in range(limit // whole)]
        assert not any(item.elided for item in found.items)


def test_lines_so_long_that_none_is_within_its_share_still_make_a_pack() -> None:
    corpus = MemoryIndex(rows(needle(0, 9_000), needle(1, 9_000)))
    found = pack(corpus, max_chars=12_000)
    assert [(item.file, item.elided) for item in found.items] == [("f00.py", ())]


FUNCTION = "\n".join(
    ["def balance(account, entries):", '    """The balance of an account."""', "    total = 0"]
    + [f"    total += entries[{number}].amount  # position {number} of the account" for number in range(60)]
    + ["    return total"]
)
SHIFT = 6  # lines before the function


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Session:
    root = tmp_path_factory.mktemp("ledger")
    long_line = "    label = " + repr("y" * 700)
    texts = {
        "ledger.py": "import decimal\n\nZERO = 0\n\n\n" + FUNCTION + "\n",
        "wide.py": f"def wide():\n{long_line}\n    return label\n",
    }
    for name, text in texts.items():
        (root / name).write_text(text)
    return Session.open(root, {"model": "embedded", "index_dir": tmp_path_factory.mktemp("home")})


@pytest.mark.parametrize("line", range(SHIFT, SHIFT + 64, 7))
def test_an_asked_line_and_the_signature_above_it_are_shown_at_600_characters(ledger: Session, line: int) -> None:
    found = ledger.query(f"ledger.py:{line}", max_chars=600).data
    item = found.items[0]
    assert item.start_line <= line <= item.end_line
    assert not any(first <= line <= last for first, last in item.elided)
    shown = item.content.split("\n")
    assert FUNCTION.split("\n")[line - SHIFT] in shown and "def balance(account, entries):" in shown
    assert found.budget.used_chars <= 600 and found.budget.truncated


def test_an_asked_line_that_does_not_fit_is_cut_with_a_mark(ledger: Session) -> None:
    found = ledger.query("wide.py:2", max_chars=600, limit=1, related=0).data
    (item,) = found.items
    assert (2, 2) in item.elided and found.budget.truncated
    assert "    label = '" + "y" * 200 in item.content and " ... rest of line 2 left out" in item.content
    whole = ledger.query("wide.py:2", max_chars=1200, limit=1, related=0).data
    assert "y" * 700 in whole.items[0].content and not whole.items[0].elided


def test_neighbours_are_one_item_that_is_called_after_all_of_them() -> None:
    def labelled(count: int, kinds: tuple[str, ...] = ("function",)) -> Item:
        chunks = [
            ("a.py", 1 + 2 * n, kinds[n % len(kinds)], f"name_{n}", f"def name_{n}():\n    needle({n})", ())
            for n in range(count)
        ]
        (item,) = pack(MemoryIndex(rows(*chunks))).items
        assert (item.start_line, item.end_line, item.elided) == (1, 2 * count, ())
        assert [line for line in item.content.split("\n") if "needle" in line] == [
            f"    needle({n})" for n in range(count)
        ]
        return item

    assert labelled(2).symbol == "name_0, name_1"
    assert labelled(3).symbol == "name_0, name_1, name_2"
    assert labelled(5).symbol == "name_0, name_1, name_2 and 2 more"
    assert labelled(3).type == "function"
    assert labelled(2, ("function", "class")).type == "block", "no one kind tells what both are"


def test_a_merged_item_costs_no_more_than_its_parts() -> None:
    chunks = [("a.py", 1 + 2 * n, "function", f"name_{n}", f"def name_{n}():\n    needle({n})", ()) for n in range(4)]
    together = pack(MemoryIndex(rows(*chunks))).budget.used_chars
    apart = pack(MemoryIndex(rows(*chunks)), fit="whole").budget.used_chars
    assert together < apart


imports = st.lists(st.integers(5, 300), max_size=4).map(
    lambda lengths: tuple(f"import {chr(97 + n) * chars}" for n, chars in enumerate(lengths))
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(20, 400), imports), min_size=1, max_size=6), st.integers(200, LIMIT))
def test_imports_never_outweigh_the_code_and_never_take_its_place(
    chunks: list[tuple[int, tuple[str, ...]]], limit: int
) -> None:
    with_imports = MemoryIndex(rows(*(needle(n, chars, uses) for n, (chars, uses) in enumerate(chunks))))
    without = MemoryIndex(rows(*(needle(n, chars) for n, (chars, _) in enumerate(chunks))))
    try:
        bare = pack(without, max_chars=limit)
    except BudgetTooSmall:
        with pytest.raises(BudgetTooSmall):
            pack(with_imports, max_chars=limit)
        return
    found = pack(with_imports, max_chars=limit)
    assert [item.id for item in found.items] == [item.id for item in bare.items]
    for item, code in zip(found.items, bare.items, strict=True):
        head = item.content.removesuffix(code.content)
        assert head == ("\n".join(item.imports) + "\n\n" if item.imports else "")
        assert sum(map(size, item.imports)) <= size(code.content)


def test_an_import_that_the_code_shows_is_not_shown_again() -> None:
    text = "import os\n\nneedle = os.getcwd()"
    corpus = MemoryIndex(rows(("f.py", 1, "block", None, text, ("import os",)), needle(1, 300)))
    assert [item.imports for item in pack(corpus).items] == [(), ()]


@pytest.mark.parametrize(
    ("code", "is_used"),
    [
        ("needle = os.getcwd()", True),
        ("needle = os", True),
        ("os", True),
        ("needle = pos + os_path + 2 * cos", False),
        ("needle = 1  # os\nneedle = os_path  # as os does", False),
        ("needle = pos  # os\nneedle = os.sep", True),
        ("needle = '#os' + os.sep", False),
        ("needle = öos", False),
    ],
)
def test_an_import_is_used_if_a_whole_word_before_a_comment_names_it(code: str, is_used: bool) -> None:
    assert used_imports(("import os",), f"{code}\nneedle = 123456789", "python") == ("import os",) * is_used


def test_the_slashes_of_a_url_begin_no_comment() -> None:
    code, statement = "open('https://' + host.name + '/')\nclose('')", "import host"
    assert used_imports((statement,), code, "typescript") == (statement,)
    assert used_imports((statement,), code.replace("https://", "// "), "typescript") == ()


def test_texts_are_read_only_of_places_that_may_be_shown() -> None:
    session = Session(MemoryIndex(rows(*(needle(number, 900) for number in range(15)))), Layer({"limit": 20}))
    shown = session.query("needle", max_chars=2 * (900 + ITEM_CHARS)).data
    assert len(shown.items) == 2
    assert session._clean_row.cache_info().currsize == 2


def test_imports_are_shown_where_there_is_room() -> None:
    corpus = MemoryIndex(rows(needle(0, 300, ("import os as needle",)), needle(1, 300, ("import sys as needle",))))
    assert [item.imports for item in pack(corpus).items] == [("import os as needle",), ("import sys as needle",)]
    tight = pack(corpus, max_chars=2 * (300 + ITEM_CHARS) + 45)
    assert [item.imports for item in tight.items] == [("import os as needle",), ()], "the better item's come first"

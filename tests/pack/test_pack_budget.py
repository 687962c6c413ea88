"""The budget is never exceeded, for any chunks, any budget, any format."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_index import MemoryIndex, rows

from context_pack import render
from context_pack.core.text import MIN_LINES, size
from context_pack.kinds.code.fitting import fitted
from context_pack.kinds.code.packing.forms import CLIPPED_CHARS
from context_pack.kinds.code.packing.packing import Packer
from context_pack.kinds.code.selection import Question, selection
from context_pack.options.resolve import Layer, resolve
from context_pack.options.spec import FORMATS
from context_pack.render.tokens import TokenLayout
from context_pack.session import Session
from contracts.errors import BudgetTooSmall
from contracts.records import Item, Pack, Why, as_data
from index.types import ChunkRow, Filters, Follow, Order, Scored, Tie

QUERY = "needle"
FORMATS = [name for name in FORMATS if name != "html"]  # an HTML page counts like JSON

line = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=60)
telling = st.sampled_from(["    needle = find(needle)", "```", "``````", "", "}", "def needle():", "ä" * 40, "x" * 400])
texts = st.lists(line | telling, min_size=1, max_size=40).map("\n".join).filter(lambda text: text.strip("\r\n") != "")
statements = st.lists(st.sampled_from(["import os", "from a import (\n    b,\n    c,\n)", "use ä::ö"]), max_size=5).map(
    tuple
)


@st.composite
def corpora(draw: st.DrawFn) -> MemoryIndex:
    """Consecutive chunks of one or more files; some answer the query, and some are tied to those."""
    chunks: list[tuple[str, int, str, str | None, str, tuple[str, ...]]] = []
    start = 1
    found_in = sorted(draw(st.lists(st.sampled_from(["a.py", "b.rs", "notes.txt"]), min_size=1, max_size=8)))
    for number, file in enumerate(found_in):
        text = draw(texts)
        symbol = draw(st.sampled_from([QUERY, None, "other"]))
        chunks.append((file, start, "function", symbol, text, draw(statements)))
        start += text.count("\n") + 1 + number % 2
    found = rows(*chunks)
    numbers = st.integers(0, len(found) - 1)
    tie = st.builds(Tie, numbers, numbers, st.just(("calls",)), st.just(1), st.floats(0, 1))
    return MemoryIndex(found, draw(st.lists(tie, max_size=8)))


asked = st.fixed_dictionaries(
    {
        "max_chars": st.integers(1, 3000),
        "format": st.sampled_from(FORMATS),
        "fit": st.sampled_from(["cut", "whole"]),
        "explain": st.booleans(),
        "limit": st.integers(1, 5),
        "related": st.integers(0, 2),
    }
)


def hunk_cost(item: Item) -> int:
    return sum(len(text.encode()) + 1 for hunk in item.hunks for text in (hunk.old, hunk.new) if text is not None)


def cost(pack: Pack, format_name: str) -> int:
    """The cost of a pack, computed only from its output."""
    printed = render.layout(format_name).render(pack)
    if printed is not None:
        return len(printed.encode())
    return sum(
        len(i.content.encode()) + sum(len(s.encode()) + 1 for s in i.imports) + 128 + hunk_cost(i) for i in pack.items
    )


@settings(max_examples=150, deadline=None)
@given(corpora(), asked)
def test_a_budget_is_never_exceeded_and_nothing_is_lost(corpus: MemoryIndex, options: dict[str, Any]) -> None:
    session = Session(corpus, Layer(options))
    primaries = [found.chunk for found in corpus.search(QUERY, top_k=options["limit"])]
    ties = corpus.related(primaries, QUERY, Follow(options["related"], 2))
    selected = {*primaries, *(tie.chunk for tie in ties)}
    try:
        pack = session.query(QUERY).data
    except BudgetTooSmall as refusal:
        smallest = refusal.details["smallest"]
        assert isinstance(smallest, int) and smallest > options["max_chars"], "what would do is not refused"
        return
    assert cost(pack, options["format"]) == pack.budget.used_chars <= pack.budget.max_chars == options["max_chars"]
    held = {number: [item for item in pack.items if _holds(item, corpus.chunk(number))] for number in selected}
    assert all(len(items) <= 1 for items in held.values()), "two items overlap"
    kept = {number for number, items in held.items() if items}
    assert len(kept) + pack.budget.dropped_items == len(selected)
    assert all(any(_holds(item, corpus.chunk(number)) for number in kept) for item in pack.items)
    if options["explain"]:
        drops = Counter(corpus.chunk(n).id for n in selected - kept)
        assert Counter(drop.id for drop in pack.dropped) <= drops
        assert options["format"] != "json" or (len(pack.dropped) == drops.total() and all(i.why for i in pack.items))
        plain = Session(corpus, Layer({**options, "explain": False})).query(QUERY).data
        assert [item.id for item in plain.items] == [item.id for item in pack.items], "reasons keep an item out"
    for item in pack.items:
        assert (item.role == "primary") == any(item in held[number] for number in primaries)
        assert bool(item.relationship) == (item.distance is not None) == (item.role == "related")


def _holds(item: Item, row: ChunkRow) -> bool:
    return item.file == row.file and item.start_line <= row.start_line and row.end_line <= item.end_line


@settings(max_examples=150, deadline=None)
@given(corpora(), asked)
def test_a_refused_budget_names_the_smallest_that_would_do(corpus: MemoryIndex, options: dict[str, Any]) -> None:
    try:
        Session(corpus, Layer({**options, "max_chars": 1})).query(QUERY)
    except BudgetTooSmall as refusal:
        smallest = refusal.details["smallest"]
        assert isinstance(smallest, int)
    else:
        return  # nothing was selected, and JSON has no frame
    pack = Session(corpus, Layer({**options, "max_chars": smallest})).query(QUERY).data
    assert pack.items or not corpus.search(QUERY, top_k=options["limit"])
    with pytest.raises(BudgetTooSmall):
        Session(corpus, Layer({**options, "max_chars": smallest - 1})).query(QUERY)


@settings(max_examples=150, deadline=None)
@given(corpora(), asked)
def test_items_show_their_chunks_and_drops_are_listed(corpus: MemoryIndex, options: dict[str, Any]) -> None:
    try:
        pack = Session(corpus, Layer(options)).query(QUERY).data
    except BudgetTooSmall:
        return
    for item in pack.items:
        _assert_honest(item, [row for row in corpus.rows if _holds(item, row)])
        if options["fit"] == "whole":
            assert item.id in {row.id for row in corpus.rows}, "whole packs show chunks as they are"
            row = next(row for row in corpus.rows if row.id == item.id)
            lines = dict(enumerate(row.text.split("\n"), row.start_line))
            elided = [lines.get(line, "") for first, last in item.elided for line in range(first, last + 1)]
            assert item == pack.items[0] or not any(map(str.strip, elided)), "only many blank lines are left out"


def _assert_honest(item: Item, rows: list[ChunkRow]) -> None:
    """The item's lines are those of its chunks, in order; each gap is marked with its line numbers."""
    code = item.content.removeprefix("\n".join(item.imports)).removeprefix("\n\n" if item.imports else "")
    lines = dict.fromkeys(range(item.start_line, item.end_line + 1), "")
    for row in rows:
        lines.update(enumerate(row.text.rstrip("\r\n").split("\n"), start=row.start_line))
    within = {int(number) for number in re.findall(r" \.\.\. rest of line (\d+) left out", code)}
    left_out = [number for start, end in item.elided for number in range(start, end + 1) if number not in within]
    shown = [text for number, text in lines.items() if number not in left_out]
    marks = [re.search(r"\.\.\. lines? (\d+)(?:-(\d+))? left out(?: \W+)?$", text) for text in code.split("\n")]
    marked = [(int(m[1]), int(m[2] or m[1])) for m in marks if m]
    assert sorted([*marked, *((number, number) for number in within)]) == list(item.elided)
    visible = [text for text, mark in zip(code.split("\n"), marks, strict=True) if not mark]
    assert len(visible) == len(shown)
    for number, text, whole in zip((n for n in lines if n not in left_out), visible, shown, strict=True):
        start = re.sub(r" (\S+ )?\.\.\. rest of line \d+ left out.*", "", text) if number in within else whole
        assert whole == text or (whole.startswith(start) and len(whole) > len(start) >= CLIPPED_CHARS)
    telling = sum(bool(text.strip()) for text in lines.values())
    # A line that may be shown in part is enough, also if there is room for all of it.
    is_piece = within or any(len(text) > CLIPPED_CHARS for text in shown)
    assert is_piece or sum(bool(text.strip()) for text in shown) >= min(MIN_LINES, telling)


@settings(max_examples=100, deadline=None)
@given(corpora(), asked)
def test_every_pack_is_valid_and_the_same_every_time(
    conforms: Any, corpus: MemoryIndex, options: dict[str, Any]
) -> None:
    try:
        first, second = (as_data(Session(corpus, Layer(options)).query(QUERY).data) for _ in range(2))
    except BudgetTooSmall:
        return
    conforms(first, "context_pack")
    assert first == second


@settings(max_examples=100, deadline=None)
@given(corpora(), asked)
def test_the_hint_names_a_budget_that_holds_everything(corpus: MemoryIndex, options: dict[str, Any]) -> None:
    """Exactly in JSON; the additions of other formats are not known for items that were not read."""
    try:
        answer = Session(corpus, Layer(options)).query(QUERY)
    except BudgetTooSmall:
        return
    hints = [re.search(r"--max-chars (\d+) would hold", hint.text) for hint in answer.hints if hint.type == "action"]
    assert bool(hints) == answer.data.budget.truncated
    for hint in hints:
        assert hint and int(hint[1]) > options["max_chars"]
        roomy = Session(corpus, Layer({**options, "max_chars": int(hint[1])})).query(QUERY).data
        assert options["format"] != "json" or not roomy.budget.truncated


def body(characters: int) -> str:
    return "needle " + "x" * (characters - 7)


def chunk(number: int, characters: int) -> tuple[str, int, str, str | None, str, tuple[str, ...]]:
    """A one-line chunk that costs 128 characters more than its length."""
    return (f"f{number}.py", 1, "function", None, body(characters), ())


def packed(corpus: MemoryIndex, **options: object) -> tuple[list[str], Pack]:
    pack = Session(corpus, Layer(options)).query(QUERY).data
    return [item.file for item in pack.items], pack


def test_selection_goes_on_after_a_misfit() -> None:
    files, pack = packed(MemoryIndex(rows(chunk(0, 100), chunk(1, 900), chunk(2, 100))), max_chars=500)
    assert files == ["f0.py", "f2.py"]
    assert (pack.budget.dropped_items, pack.budget.truncated) == (1, True)


def test_drops_say_why_under_explain() -> None:
    corpus = MemoryIndex(rows(chunk(0, 100), chunk(1, 900), chunk(2, 100), chunk(3, 100)))
    _, pack = packed(corpus, max_chars=500, explain=True)
    assert [(drop.id, drop.cause, drop.cost_chars) for drop in pack.dropped] == [
        ("f1.py:1:1", "too_large", 1028),
        ("f3.py:1:1", "no_room", 228),
    ]


def test_related_items_hold_a_share_of_a_large_budget_that_primary_ones_may_not_take() -> None:
    chunks = [chunk(number, 3872) for number in range(4)]  # each costs 4000 characters
    helper = ("helper.py", 1, "function", "helper", "y" * 1872, ())  # costs 2000 characters
    corpus = MemoryIndex(rows(*chunks, helper), [Tie(0, 4, ("calls",), 1, 0.1)])
    files, _ = packed(corpus, max_chars=16_000)
    assert files == ["f0.py", "f1.py", "f2.py", "helper.py"], "the fourth would fit only in the related item's place"
    files, _ = packed(corpus, max_chars=18_000)
    assert files == ["f0.py", "f1.py", "f2.py", "f3.py", "helper.py"]


def test_a_topic_gets_more_places_than_a_question() -> None:
    """If symbols are larger than their share, a pack for a topic shows at least twelve lines of each."""
    topic, question = "needle work on cloth with thread", "where does the needle work on cloth with thread?"
    bodies = [[f"    name_{at}_{line} = f{at}({line}, x{at * line})" for line in range(100)] for at in range(6)]
    texts = ["\n".join([f"def f{at}():  # {question}", *lines]) for at, lines in enumerate(bodies)]
    corpus = MemoryIndex(rows(*((f"f{at}.py", 1, "function", f"f{at}", text, ()) for at, text in enumerate(texts))))
    packs = {query: Session(corpus, Layer({"max_chars": 6_000})).query(query).data for query in (topic, question)}
    shown = {
        query: [101 - sum(end - start + 1 for start, end in item.elided) for item in pack.items]
        for query, pack in packs.items()
    }
    assert len(shown[topic]) > len(shown[question])
    assert min(shown[topic]) >= 12
    assert min(shown[question]) >= 30


def test_related_items_hold_no_share_of_a_small_budget() -> None:
    helper = ("helper.py", 1, "function", "helper", "y" * 72, ())
    corpus = MemoryIndex(rows(*(chunk(number, 272) for number in range(3)), helper), [Tie(1, 3, ("calls",), 1, 0.1)])
    files, _ = packed(corpus, max_chars=1200)
    assert files == ["f0.py", "f1.py", "f2.py"]


def test_the_share_flows_back_when_nothing_is_related() -> None:
    files, pack = packed(MemoryIndex(rows(*(chunk(number, 272) for number in range(3)))), max_chars=1200)
    assert files == ["f0.py", "f1.py", "f2.py"]
    assert pack.budget.used_chars == 1200


def test_the_best_hit_comes_before_the_share_of_the_related() -> None:
    helper = ("helper.py", 1, "function", "helper", "y" * 72, ())
    corpus = MemoryIndex(rows(chunk(0, 872), helper), [Tie(0, 1, ("calls",), 1, 0.9)])
    files, _ = packed(corpus, max_chars=1000)
    assert files == ["f0.py"]


def test_what_is_tied_to_a_place_that_found_no_room_is_not_shown_either() -> None:
    helpers = [(f"g{n}.py", 1, "function", f"g{n}", "y" * 72, ()) for n in range(2)]
    ties = [Tie(0, 2, ("calls",), 1, 0.9), Tie(1, 3, ("calls",), 1, 0.9)]
    corpus = MemoryIndex(rows(chunk(0, 100), chunk(1, 1200), *helpers), ties)
    assert packed(corpus, max_chars=1000)[0] == ["f0.py", "g0.py"]
    assert packed(corpus, max_chars=2000)[0] == ["f0.py", "f1.py", "g0.py", "g1.py"]
    named = replace(corpus, rows=[replace(row, symbol="needle") for row in corpus.rows])
    assert packed(named, max_chars=1000)[0] == ["f0.py", "g0.py", "g1.py"], "the reader knows the place that is named"


class LiteralIndex(MemoryIndex):
    """Finds the query as text of lines."""

    def search(self, query: str, *, top_k: int, filters: Filters | None = None, order: Order = "files") -> list[Scored]:
        hits = super().search(query, top_k=top_k, filters=filters, order=order)
        why = (Why("exact.mention", 1.0, 1.0),)
        return [replace(hit, score=1 - 0.001 * rank, reasons=lambda: why) for rank, hit in enumerate(hits)]


def test_what_is_tied_to_a_line_that_found_no_room_is_not_shown_either() -> None:
    helpers = [(f"g{n}.py", 1, "function", f"g{n}", "y" * 72, ()) for n in range(2)]
    ties = [Tie(0, 2, ("calls",), 1, 0.9), Tie(1, 3, ("calls",), 1, 0.9)]
    corpus = LiteralIndex(rows(chunk(0, 100), chunk(1, 1200), *helpers), ties)
    assert packed(corpus, max_chars=1000)[0] == ["f0.py", "g0.py"]
    assert packed(corpus, max_chars=2000)[0] == ["f0.py", "f1.py", "g0.py", "g1.py"]


def test_a_primary_chunk_is_never_related_and_a_related_one_comes_once() -> None:
    helper = ("helper.py", 1, "function", "helper", "y" * 72, ())
    ties = [Tie(0, 1, ("calls",), 1, 0.9), Tie(0, 2, ("calls",), 1, 0.8), Tie(1, 2, ("imports",), 2, 0.7)]
    _, pack = packed(MemoryIndex(rows(chunk(0, 100), chunk(1, 100), helper), ties))
    assert [(item.file, item.role, item.relationship) for item in pack.items] == [
        ("f0.py", "primary", ()),
        ("f1.py", "primary", ()),
        ("helper.py", "related", ("calls",)),
    ]


def test_a_chunk_that_fits_nowhere_is_cut_around_the_lines_that_answer() -> None:
    lines = ["def find_all(self):", *(f"    step_{number}()" for number in range(40)), "    return needle", "    # end"]
    corpus = MemoryIndex(rows(("a.py", 10, "method", "Finder.find_all", "\n".join(lines), ("import os",))))
    _, pack = packed(corpus, max_chars=400)
    item = pack.items[0]
    assert item.content.startswith("def find_all(self):\n")
    assert "    return needle" in item.content
    assert "    # ... lines " in item.content
    assert item.elided and item.imports == () and pack.budget.truncated and pack.budget.dropped_items == 0
    assert size(item.content) + 128 == pack.budget.used_chars > 300


def test_an_unreachable_budget_is_refused() -> None:
    with pytest.raises(BudgetTooSmall, match="smallest possible budget is 356") as refusal:
        packed(MemoryIndex(rows(chunk(0, 900))), max_chars=200)
    assert refusal.value.details == {"max_chars": 200, "smallest": 356}


def test_a_refused_budget_is_tried_little_however_long_the_lines_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The least budget is searched for once a limit, and a line is cut only to lengths that may fit."""
    tries = Counter[str]()

    def count(kind: type[Any], name: str) -> None:
        own = getattr(kind, name)

        def counted(*given: Any) -> Any:
            tries[name] += 1
            return own(*given)

        monkeypatch.setattr(kind, name, counted)

    count(Packer, "pack")
    count(TokenLayout, "item_chars")
    with pytest.raises(BudgetTooSmall):
        packed(MemoryIndex(rows(*(chunk(number, 300_000) for number in range(9)))), max_chars=100, max_tokens=50)
    assert tries["pack"] < 100 and tries["item_chars"] < 12_000


def test_a_line_too_long_to_be_shown_is_cut_with_a_mark() -> None:
    _, pack = packed(MemoryIndex(rows(chunk(0, 900))), max_chars=500)
    (item,) = pack.items
    assert item.elided == ((1, 1),) and pack.budget.truncated
    assert item.content.startswith("needle x") and item.content.endswith("x ... rest of line 1 left out")
    assert 490 <= pack.budget.used_chars <= 500


class NestedIndex(MemoryIndex):
    """A function in chunks 1 to 3; the second is a nested function, a symbol of its own."""

    def parts(self, number: int) -> list[int]:
        return [number] if number in (0, 2) else [1, 2, 3]


def test_a_part_shown_in_another_item_leaves_a_mark() -> None:
    """The nested function is found first and does not fit; the rest of the outer function marks the gap."""
    nested = "\n".join(["    def needle():"] + [f"        step_{line}({line}, {'x' * 60})" for line in range(99)])
    corpus = NestedIndex(
        rows(
            ("a.py", 1, "function", "first", "def first():\n    needle()", ()),
            ("b.py", 1, "function", "outer", "def outer():\n    begin()", ()),
            ("b.py", 3, "function", "outer.needle", nested, ()),
            ("b.py", 103, "function", "outer", "    needle()\n    end()", ()),
        )
    )
    pack = Session(corpus, Layer({"max_chars": 700})).query("needle()").data
    assert [(item.file, item.start_line, item.end_line, item.elided) for item in pack.items] == [
        ("a.py", 1, 2, ()),
        ("b.py", 1, 104, ((1, 102),)),
    ]
    assert "lines 1-102 left out" in pack.items[1].content


def test_what_the_query_names_begins_an_item_and_members_go_by_its_name() -> None:
    corpus = MemoryIndex(
        rows(
            ("0.py", 1, "function", "made", "def made():\n    return Cache()", ()),
            ("a.py", 1, "variable", "SUFFIX", "SUFFIX = '.thumb'  # of a Cache", ()),
            ("a.py", 2, "class", "Cache", "class Cache:\n    entries = {}", ()),
            ("a.py", 4, "method", "Cache.get", "    def get(self, Cache):\n        return self.entries[Cache]", ()),
        )
    )
    pack = Session(corpus, Layer({"max_chars": 2_000})).query("Cache").data
    assert [(item.symbol, item.start_line, item.end_line) for item in pack.items] == [
        ("Cache", 2, 5),
        ("made", 1, 2),
        ("SUFFIX", 1, 1),
    ]


def test_a_document_first_is_shown_whatever_later_code_scores() -> None:
    corpus = MemoryIndex(rows(*((f"f{n}.py", 1, "function", None, f"needle {n}", ()) for n in range(3))))
    document, code, weak = (
        replace(one, score=score)
        for one, score in zip(corpus.search("needle", top_k=3), (0.001, 0.4, 0.001), strict=True)
    )
    chosen = selection(corpus, Question([document, code, weak], "where does the needle work?"), [])
    assert ([hit.first for hit in chosen.hits], [hit.first for hit in chosen.weak]) == ([0, 1], [2])


def test_definitions_are_shown_whole_before_what_uses_their_name() -> None:
    long, start = "def usage():\n" + "    show(usage)\n" * 60, "def start():\n" + "    usage()\n" * 50
    parts = ("long.py", 1, "function", "usage", long, ()), ("short.py", 1, "function", "usage", "def usage(): ...", ())
    corpus = MemoryIndex(rows(*parts, ("start.py", 1, "function", "start", start, ())))
    why = Why("exact.symbol", 1.0, 1.0)
    named = [Scored(number, 1 - 0.001 * number, 1.0, lambda: (why,), ((1, 1),)) for number in (0, 1)]
    user = replace(corpus.search("def start", top_k=1)[0], score=0.4)
    pack, _ = fitted(selection(corpus, Question([*named, user], "usage"), []), resolve(Layer({"max_chars": 1_900})))
    assert {item.file: item.elided for item in pack.items}.items() >= {"long.py": (), "short.py": ()}.items()

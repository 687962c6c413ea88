"""Packs for a change: what they say about the change counts like everything else that is printed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_index import MemoryIndex, rows
from test_pack_budget import QUERY, asked, chunk, corpora, cost

from context_pack.kinds.code import selection
from context_pack.kinds.code.fitting import NOTES_SHARE, fitted
from context_pack.kinds.code.selection import Question
from context_pack.options.resolve import Layer, resolve
from context_pack.render.changed import Change
from contracts.errors import BudgetTooSmall
from contracts.records import Diff, Hint, HunkText, Item, as_data

HUNK_CHARS = 70
ranges = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair))), max_size=6)
lines = st.dictionaries(st.sampled_from(["a.py", "b.rs", "notes.txt"]), ranges)
diffs = st.builds(
    Diff, st.sampled_from(["HEAD", "v1.0~3", "ä" * 40]), st.integers(0, 10**6), st.integers(0, 10**6),
    st.integers(0, 10**6), st.just("0" * 40) | st.just(""), st.sampled_from(["", "main"]),
)  # fmt: skip
texts = st.none() | st.text(st.sampled_from("ab ä`\n+-"), max_size=60)
hunks = st.builds(
    lambda line, length, old, new: ((line, line + length), HunkText(line, old, new)),
    st.integers(1, 60), st.integers(0, 3), texts, texts,
)  # fmt: skip
taken_out = st.dictionaries(st.sampled_from(["a.py", "b.rs", "notes.txt"]), st.lists(hunks, max_size=3))


@settings(max_examples=150, deadline=None)
@given(corpora(), asked, st.sampled_from(["", QUERY]), diffs, lines, taken_out, st.none() | st.integers(50, 900))
def test_a_pack_with_changed_lines_exceeds_no_limit(
    conforms: Any, corpus: MemoryIndex, options: dict[str, Any], text: str, diff: Diff,
    changed: dict[str, list[tuple[int, int]]], hunks: Any, max_tokens: int | None,
) -> None:  # fmt: skip
    limits = {} if max_tokens is None else {"max_tokens": max_tokens}
    chosen_settings = resolve(Layer({**options, **limits}))
    primaries = corpus.search(QUERY, top_k=options["limit"])
    about = Question(primaries, QUERY, title=text, change=Change(diff, changed, hunks, HUNK_CHARS))
    chosen = selection.selection(corpus, about, selection.select_related(corpus, about, chosen_settings))
    try:
        pack, _ = fitted(chosen, chosen_settings)
    except BudgetTooSmall:
        return
    assert cost(pack, options["format"]) == pack.budget.used_chars <= options["max_chars"]
    assert (pack.budget.used_tokens or 0) <= (max_tokens or 0)
    assert (pack.query, pack.diff) == (text, diff)
    conforms(as_data(pack), "context_pack")
    for item in pack.items:
        assert _lines(item.changed) == _lines(changed.get(item.file, [])) & set(_span(item))
        assert list(item.changed) == sorted(item.changed)
        told = [text for hunk in item.hunks for text in (hunk.old, hunk.new) if text is not None]
        assert sum(len(text) for text in told) <= HUNK_CHARS
        given_lines = sum(
            text.count("\n") + 1
            for (first, last), hunk in hunks.get(item.file, ())
            for text in (hunk.old, hunk.new)
            if text is not None and first <= item.end_line and last >= item.start_line
        )
        more = sum(hunk.more or 0 for hunk in item.hunks)
        assert sum(text.count("\n") + 1 for text in told) + more == given_lines, "no line disappears uncounted"
        assert all(one[1] + 1 < other[0] for one, other in zip(item.changed, item.changed[1:], strict=False))


def _lines(found: Any) -> set[int]:
    return {line for start, end in found for line in range(start, end + 1)}


def _span(item: Item) -> range:
    return range(item.start_line, item.end_line + 1)


@pytest.mark.parametrize("name", ["max_chars", "max_tokens"])
@pytest.mark.parametrize("form", ["md", "text", "xml", "toon", "json"])
def test_a_refused_budget_for_a_patch_with_notes_names_one_that_would_do(form: str, name: str) -> None:
    corpus = MemoryIndex(rows(*(chunk(number, 90) for number in range(3))))
    primaries = corpus.search(QUERY, top_k=3)
    about = Question(primaries, QUERY, change=Change(Diff("patch", 2, 3, 4), {}, {}, HUNK_CHARS))

    def smallest(limit: int, notes: list[str]) -> int | None:
        """The budget that a refusal names; None if the limit is enough."""
        asked = resolve(Layer({"format": form, name: limit}))
        noted = replace(about, notes=tuple(Hint("info", note) for note in notes))
        try:
            fitted(selection.selection(corpus, noted, []), asked)
        except BudgetTooSmall as refusal:
            assert name in refusal.details
            named = refusal.details["smallest"]
            assert isinstance(named, int)
            return named
        return None

    least = smallest(1, [])
    assert least is not None
    share = least * (4 if name == "max_tokens" else 1) // NOTES_SHARE  # a note of about this length just fits
    for length in (16, share - 1, share, share + 2):
        notes = ["n" * length, "m" * length]
        for limit in (1, 9, 99, *range(least - 6, least + 60, 9)):
            named = smallest(limit, notes)
            if named is None:
                assert limit >= least
            else:
                assert smallest(named, notes) is None, (length, limit, named)
                assert named <= least + 1 and limit < named

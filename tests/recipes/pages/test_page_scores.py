"""The score table, signal by signal; order, limits, and a comparison with the plain version on random vaults."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import page_plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from page_vaults import DOMAINS, TAGS, TYPES, write_page, write_vault

from context_pack.kinds.pages import PageRequest, answer
from context_pack.kinds.pages.pack import as_table, pack
from context_pack.kinds.pages.score import SIGNALS, TITLE_OVERLAP, score
from context_pack.kinds.pages.searcher import TOP_HITS, Hits
from context_pack.kinds.pages.seed import MAX_INFERRED_TAGS, seed_of
from context_pack.kinds.pages.vault import Vault, read_vault
from contracts.pages import PagePack, PageSeed
from contracts.records import as_data

NO_HITS = Hits()


def scored(vault: Vault, hits: Hits = NO_HITS, **given_signals: Any) -> dict[str, list[tuple[str, float]]]:
    """Path -> (signal, points), for the given signals only."""
    none: dict[str, Any] = {"text": "", "title": "", "tags": (), "domains": (), "entities": ()}
    found = score(vault, PageSeed(**none | given_signals, default_domains=vault.default_domains), hits)
    return {one.id: [(f"{part.name} {part.detail}".strip(), part.points) for part in one.why] for one in found}


def asked(vault: Vault, text: str, hits: Hits = NO_HITS, **options: Any) -> PagePack:
    request = PageRequest(text, **options)
    return pack(vault, seed_of(vault, request), request, hits)


def test_the_score_table_is_the_normative_one() -> None:
    assert {name: points for name, (points, _) in SIGNALS.items()} == {
        "shared_tag": 3, "shared_domain": 2, "default_domain": 2, "link_to": 1, "link_from": 1, "same_page_type": 1,
        "searcher_hit": 5, "title_overlap": 4,
    }  # fmt: skip
    assert (PageRequest().min_score, PageRequest().limit, TOP_HITS) == (3, 5, 3)
    assert (TITLE_OVERLAP, MAX_INFERRED_TAGS) == (0.5, 4)


def test_each_shared_tag_counts(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", tags=["LLM", "wiki", "other"])
    assert scored(read_vault(tmp_path), tags=("llm", "wiki", "rag")) == {
        "wiki/a.md": [("shared_tag llm", 3), ("shared_tag wiki", 3)]
    }


def test_each_shared_domain_counts_and_default_ones_always(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", domain=["AI", "tools", "other"])
    (tmp_path / "vault.yaml").write_text("default-domains: [tools]\n")
    assert scored(read_vault(tmp_path), domains=("ai", "tools")) == {
        "wiki/a.md": [("shared_domain ai", 2), ("default_domain tools", 2)]
    }
    assert scored(read_vault(tmp_path)) == {"wiki/a.md": [("default_domain tools", 2)]}


def test_links_count_once_for_each_entity_and_direction(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "[[x]] [[x|again]] [[y#part]] [[a]]")
    write_page(tmp_path, "wiki/x.md", "[[a]] [[a]] [[x]]")
    write_page(tmp_path, "wiki/y.md", "nothing")
    assert scored(read_vault(tmp_path), entities=("x", "y")) == {
        "wiki/a.md": [("link_to x", 1), ("link_to y", 1), ("link_from x", 1)]
    }


def test_an_entity_needs_no_page_to_be_linked_to(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "[[vannevar-bush]]")
    assert scored(read_vault(tmp_path), entities=("vannevar-bush",)) == {"wiki/a.md": [("link_to vannevar-bush", 1)]}


def test_a_text_may_name_an_entity_that_only_links_have(tmp_path: Path) -> None:
    """A slug of one word is no name in a text: it might be any word."""
    write_page(tmp_path, "wiki/log.md", "[[some-tool]] [[memory]] [[Vannevar-Bush|VB]]")
    vault = read_vault(tmp_path)
    named = ("is some-tool a memory?", "What is Some Tool?", "Vannevar Bush", "tool")
    assert [seed_of(vault, PageRequest(text)).entities for text in named] == [
        ("some-tool",), ("some-tool",), ("vannevar-bush",), (),
    ]  # fmt: skip


def test_the_same_page_type_counts(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", page_type="Concept")
    write_page(tmp_path, "wiki/b.md", page_type="entity")
    write_page(tmp_path, "wiki/c.md", title="c")
    assert scored(read_vault(tmp_path), page_type="concept") == {"wiki/a.md": [("same_page_type concept", 1)]}
    assert scored(read_vault(tmp_path)) == {}


def test_each_hit_of_the_searcher_counts_the_same(tmp_path: Path) -> None:
    for name in "abc":
        write_page(tmp_path, f"wiki/{name}.md", "x")
    hits = Hits(("wiki/c.md", "wiki/a.md"), "hybrid", "test")
    assert scored(read_vault(tmp_path), hits) == {
        "wiki/a.md": [("searcher_hit hybrid top-2", 5)], "wiki/c.md": [("searcher_hit hybrid top-1", 5)],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("title", "counts"),
    [
        ("LLM wiki", True),
        ("wiki LLM, LLM!", True),
        ("llm", True),
        ("llm wiki and search", True),
        ("llm wiki and good search", False),
        ("llm search", False),
        ("search", False),
        ("!", False),
    ],
)
def test_titles_that_share_half_of_their_words_count(tmp_path: Path, title: str, counts: bool) -> None:
    write_page(tmp_path, "wiki/a.md", title=f"'{title}'")
    assert scored(read_vault(tmp_path), title="LLM wiki") == ({"wiki/a.md": [("title_overlap", 4)]} if counts else {})


def test_a_page_without_a_title_is_compared_by_its_slug(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/llm-wiki.md", "x")
    assert list(scored(read_vault(tmp_path), title="LLM wiki")) == ["wiki/llm-wiki.md"]


def test_ties_break_by_date_then_by_path_and_missing_dates_come_last(tmp_path: Path) -> None:
    for name, date in {"a": None, "b": "2026-01-01", "c": "2026-02-01", "d": "2026-01-01", "e": "soon"}.items():
        write_page(tmp_path, f"wiki/{name}.md", tags=["t"], date_modified=date)
    assert [row.path[5:6] for row in asked(read_vault(tmp_path), "t").pages] == list("cbdae")


def test_pages_below_the_minimum_are_dropped_and_counted(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", tags=["t"])
    write_page(tmp_path, "wiki/b.md", domain=["t"])
    write_page(tmp_path, "wiki/c.md", "nothing")
    vault = read_vault(tmp_path)
    assert [row.path for row in asked(vault, "t").pages] == ["wiki/a.md"]
    assert [row.path for row in asked(vault, "t", min_score=2).pages] == ["wiki/a.md", "wiki/b.md"]
    assert asked(vault, "t", min_score=9).pages == ()
    counts = asked(vault, "t").counts
    assert (counts.pages, counts.scored, counts.below_min_score, counts.over_limit) == (3, 2, 1, 0)


def test_a_page_without_a_reason_never_appears(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a.md", "nothing")
    assert asked(read_vault(tmp_path), "t", min_score=0).pages == ()


def test_the_limit_keeps_the_best_and_names_the_rest(tmp_path: Path) -> None:
    for number in range(9):
        write_page(tmp_path, f"wiki/p{number}.md", tags=["t"])
    vault = read_vault(tmp_path)
    assert [row.path for row in asked(vault, "t").pages] == [f"wiki/p{number}.md" for number in range(5)]
    found = asked(vault, "t", limit=2, explain=True)
    assert found.counts.over_limit == 7
    assert [(one.path, one.limit) for one in found.left_out] == [(f"wiki/p{n}.md", "limit") for n in range(2, 9)]
    assert asked(vault, "t", limit=2).left_out == ()


def test_the_seed_page_and_excluded_pages_never_appear(tmp_path: Path) -> None:
    for name in "abc":
        write_page(tmp_path, f"wiki/{name}.md", tags=["t"])
    found = answer(PageRequest(page="wiki/a.md", exclude=("wiki/b.md",), explain=True), tmp_path).data
    assert [row.path for row in found.pages] == ["wiki/c.md"]
    assert found.left_out == ()


def test_a_page_whose_only_points_are_default_domains_is_marked(tmp_path: Path) -> None:
    (tmp_path / "vault.yaml").write_text("default-domains: [one, two]\n")
    write_page(tmp_path, "wiki/a.md", domain=["one", "two"])
    write_page(tmp_path, "wiki/b.md", domain=["one", "two"], tags=["t"])
    write_page(tmp_path, "wiki/c.md", domain=["one", "three"])
    found = asked(read_vault(tmp_path), "t three")
    assert [(row.path, row.score, row.baseline_only) for row in found.pages] == [
        ("wiki/b.md", 7, False), ("wiki/a.md", 4, True), ("wiki/c.md", 4, False),
    ]  # fmt: skip
    table = as_table(found)
    assert "| wiki/a.md | 4 | default domain: one +2; default domain: two +2; baseline only |" in table
    assert table.count("baseline only") == 1


def test_no_rows_are_a_legal_answer(tmp_path: Path, conforms: Any) -> None:
    (tmp_path / "wiki").mkdir()
    found = asked(read_vault(tmp_path), "t")
    conforms(json.loads(json.dumps(as_data(found))), "pages")
    assert as_table(found).startswith("| Path | Score | Why |\n|------|-------|-----|\n\n0 of 0 pages;")


def test_odd_names_do_not_break_the_table(tmp_path: Path) -> None:
    write_page(tmp_path, "wiki/a|b.md", tags=["'x|y'"])
    vault = read_vault(tmp_path)
    request = PageRequest("t", tags=("x|y",))
    table = as_table(pack(vault, seed_of(vault, request), request, NO_HITS))
    assert "| wiki/a\\|b.md | 3 | shared tag: x\\|y +3 |\n" in table


SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=120)
@given(SEEDS)
def test_scores_and_order_are_the_plain_ones(seed: int) -> None:
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "wiki").mkdir()
        defaults = chance.sample(DOMAINS, chance.randrange(3))
        paths = write_vault(root, chance, chance.randrange(14), defaults)
        named = chance.sample(DOMAINS, chance.randrange(3))
        plain = page_plain.PlainSeed(
            title=chance.choice(["agent memory", "wiki search notes", "nothing"]),
            tags=frozenset(chance.sample(TAGS, chance.randrange(4))),
            domains=frozenset((*named, *defaults)),
            entities=frozenset(f"p{chance.randrange(14)}" for _ in range(chance.randrange(4))),
            page_type=chance.choice(("", *TYPES)),
            hits=chance.sample(paths, min(len(paths), chance.randrange(4))),
        )
        vault = read_vault(root)
        given_seed = PageSeed(
            "", plain.title, tuple(plain.tags), tuple(named), vault.default_domains, tuple(plain.entities), None,
            plain.page_type,
        )  # fmt: skip
        found = score(vault, given_seed, Hits(tuple(plain.hits), "hybrid", "test") if plain.hits else NO_HITS)
        expected = page_plain.scores(page_plain.read(root), plain)
        assert {one.id: one.points for one in found} == expected
        assert [one.id for one in found] == page_plain.order(page_plain.read(root), expected)


@settings(max_examples=60)
@given(SEEDS)
def test_the_invariants_of_every_kind_of_pack(conforms: Any, seed: int) -> None:
    """Kept + dropped = selected; points add up; limits hold; the order is total; the JSON is valid."""
    chance = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "wiki").mkdir()
        write_vault(root, chance, chance.randrange(20), chance.sample(DOMAINS, chance.randrange(3)))
        vault = read_vault(root)
        text = " ".join(chance.sample([*TAGS, *DOMAINS, *TYPES, "p1", "p2", "agent"], 4))
        request = PageRequest(text, limit=chance.randrange(1, 6), min_score=chance.randrange(8), explain=True)
        found = pack(vault, seed_of(vault, request), request, NO_HITS)
        candidates = score(vault, seed_of(vault, request), NO_HITS)
        kept, dropped = [row.path for row in found.pages], [one.path for one in found.left_out]
        assert [*kept, *dropped] == [candidate.id for candidate in candidates]
        assert len(kept) <= request.limit
        for row in found.pages:
            assert row.score == sum(part.points for part in row.why) >= request.min_score
        for one in found.left_out:
            assert one.score == sum(part.points for part in one.why)
            assert (one.score < request.min_score) == (one.limit == "min_score")
        conforms(json.loads(json.dumps(as_data(found))), "pages")
        for row, line in zip(found.pages, as_table(found).splitlines()[2:], strict=False):
            path, points, why = line.removeprefix("| ").removesuffix(" |").split(" | ")
            assert (path, int(points)) == (row.path, row.score)
            assert row.score == sum(int(part.rpartition("+")[2]) for part in why.split("; ") if "+" in part)

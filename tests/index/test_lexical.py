"""Columns, postings and BM25, compared with their plain versions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index.collection.collection import Collection
from index.embed.static import StaticEmbedder
from index.search.query import parse_query
from index.search.ranker import Table, named
from index.search.signals.files import Measurement
from index.segment.columns import Strings, spread
from index.segment.merge import union
from index.text import content_terms, terms_of, words_in, words_of
from tests import reference
from tests.index.conftest import Keeper

WORDS = st.lists(st.sampled_from("alpha Beta gammaDelta delta_epsilon HTTPServer x utf8 été".split()), max_size=12)


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("EmbeddingCache", ("embed", "cach", "embeddingcache")),
        ("embedding_cache", ("embed", "cach", "embeddingcache")),
        ("EMBEDDING_CACHE", ("embed", "cach", "embeddingcache")),
        ("HTTPServer_v2", ("http", "server", "httpserverv2")),
        ("getURLs", ("get", "url", "geturls")),
        ("parseOAuthToken", ("pars", "auth", "token", "oauth", "parseoauthtoken")),
        ("isIPv6Address", ("is", "pv", "address", "ipv", "isipv6address")),
        ("web_socket_client", ("web", "socket", "client", "websocket", "websocketclient")),
        ("GitHub", ("git", "hub", "github")),
        ("__init__", ("init",)),
        ("x" * 65, ()),
        ("été", ("été",)),
        ("重置密码", ("重置", "置密", "密码")),
        ("リセット", ("リセ", "セッ", "ット")),
        ("비밀번호가", ("비밀", "밀번", "번호", "호가")),
        ("税", ("税",)),
        ("cart购物车", ("cart", "购物车", "购物", "物车", "cart购物车")),
    ],
)
def test_spellings_of_one_name_meet_in_their_terms(word: str, terms: tuple[str, ...]) -> None:
    assert terms_of(word) == terms


@given(st.one_of(st.text(), st.text(st.characters(max_codepoint=127))))
def test_words_of_bytes_are_those_of_their_text(text: str) -> None:
    data = text.encode("utf-8", "replace")
    assert words_in(data) == words_of(data.decode())


def test_a_question_is_searched_by_its_telling_words() -> None:
    assert content_terms(words_of("how are the routes registered?")) == ["rout", "regist"]


@given(st.lists(st.lists(st.text(max_size=5), max_size=6), min_size=1, max_size=4))
def test_union_of_vocabularies_is_sorted_and_maps_every_value(lists: list[list[str]]) -> None:
    vocabularies = [Strings.of(sorted(set(values), key=str.encode)) for values in lists]
    merged, maps = union(vocabularies)
    assert merged.to_bytes() == sorted({value.encode() for values in lists for value in values})
    for vocabulary, to in zip(vocabularies, maps, strict=True):
        assert [merged[int(place)] for place in to] == vocabulary.to_list()


@given(st.lists(st.text(max_size=4), max_size=8), st.text(max_size=4))
def test_find_in_a_sorted_column(values: list[str], wanted: str) -> None:
    column = Strings.of(sorted(set(values), key=str.encode))
    place = column.find(wanted)
    assert (column[place] == wanted) if wanted in values else place == -1


@given(st.sets(st.text(max_size=3), max_size=90), st.sets(st.text(max_size=3), max_size=4))
def test_values_are_found_in_a_column_with_few_or_many_more(values: set[str], more: set[str]) -> None:
    smaller, larger = (Strings.of(sorted(some, key=str.encode)) for some in (values, values | more))
    assert [larger[place] for place in smaller.positions_in(larger).tolist()] == smaller.to_list()


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 5)), max_size=10))
def test_spread_lists_every_run(runs: list[tuple[int, int]]) -> None:
    starts, lengths = (np.array([run[side] for run in runs], np.int64) for side in (0, 1))
    assert spread(starts, lengths).tolist() == [start + step for start, length in runs for step in range(length)]


@given(texts=st.lists(WORDS.map(" ".join), min_size=1, max_size=6), query=WORDS.map(" ".join))
@settings(max_examples=40, deadline=None)
def test_bm25_equals_its_plain_twin(
    tmp_path_factory: pytest.TempPathFactory, embedder: StaticEmbedder, texts: list[str], query: str
) -> None:
    root = tmp_path_factory.mktemp("bm25") / "tree"
    root.mkdir()
    for number, text in enumerate(texts):
        (root / f"{number}.unknown").write_text(text + "\n.\n", encoding="utf-8")
    snapshot, _ = Keeper(root.parent / "home", embedder).refresh(root)
    collection = Collection(snapshot)
    parsed = parse_query(query)
    fast = Measurement(collection, parsed, None).bm25
    chunks = [snapshot.segment.strings("file.text")[int(file)] for file in collection.chunks.file]
    plain = np.array(reference.bm25(parsed.terms, chunks, [len(words_of(chunk)) for chunk in chunks]))
    top = plain.max() if len(plain) else 0.0
    np.testing.assert_allclose(fast, plain / top if top > 0 else plain, atol=1e-5)


@given(
    st.lists(st.floats(-5, 5, width=32), min_size=1, max_size=6, unique=True),
    st.lists(st.floats(-6, 6, width=32), max_size=10),
)
def test_tables_equal_their_plain_twin(edges: list[float], values: list[float]) -> None:
    edges = sorted(edges)
    points = [float(number) for number in range(len(edges) + 1)]
    table = Table("signal", np.array(edges, np.float32), np.array(points))
    for many in (values, values + [0.0] * 1_500):  # among many zeros, only the other values are looked up
        assert table.of(np.array(many, np.float32)).tolist() == [reference.table(edges, points, v) for v in many]


def test_a_query_without_known_words_measures_nothing(shop: Path, keeper: Keeper) -> None:
    snapshot, _ = keeper.refresh(shop)
    measured = Measurement(Collection(snapshot), parse_query("zyzzyva quux"), None)
    assert not measured.cover_file.any()
    assert not measured.terms.terms


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how does parse_money read a text", 2.0),
        ("how does parseMoney read a text", 1.0),  # not spelled like this anywhere, but the sequence of words occurs
        ("how does parseInvoice read a text", -1.0),
        ("how does Money read a TEXT", 0.0),  # prose may be spelled like this
    ],
)
def test_a_name_that_only_code_spells_so_tells_whether_a_question_is_about_this_tree(
    shop: Path, keeper: Keeper, question: str, kind: float
) -> None:
    snapshot, _ = keeper.refresh(shop)
    assert named(Collection(snapshot), parse_query(question)) == kind

"""The commands of a session, in batches and alone; every answer is valid under its schema."""

from __future__ import annotations

import gc
import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from memory_index import MemoryIndex, rows

from context_pack.cli.batch import answers
from context_pack.envelope import answered, encoded, failed, translated
from context_pack.next_steps import Request, next_steps
from context_pack.options.resolve import Layer
from context_pack.render.text import related_text
from context_pack.session import Session
from contracts import schemas
from contracts.errors import Ambiguous, BudgetTooSmall, CtxpackError, InvalidRequest, NotFound
from contracts.records import as_data
from contracts.reports import Place, Related
from index import open_index
from index.segment.builder import read_files
from index.types import Refreshed, Tie

CORPUS = MemoryIndex(
    rows(
        ("src/cache.py", 1, "class", "Cache", "class Cache:\n    def get(self): ...", ("import os",)),
        ("src/cache.py", 4, "function", "make", "def make():\n    return Cache()", ()),
        ("src/user.py", 1, "function", "use", "def use():\n    make()", ("from cache import make",)),
        ("src/other.py", 1, "function", "make", "def make(): ...", ()),
        ("README.md", 1, "section", "Usage", "# Usage\n\nMake a cache.", ()),
    ),
    [Tie(0, 1, ("calls",), 1, 0.9), Tie(1, 2, ("calls",), 1, 0.8), Tie(0, 2, ("calls", "calls"), 2, 0.5)],
    model_id="embedded",
)


def session(**options: object) -> Session:
    return Session(CORPUS, Layer(options))


def test_search_lists_ranked_chunks(conforms: Any) -> None:
    hits = session().search("Cache").data
    assert [(hit.id, hit.type, hit.symbol) for hit in hits.hits][:2] == [
        ("src/cache.py:1:2", "class", "Cache"),
        ("src/cache.py:4:5", "function", "make"),
    ]
    assert all(hit.content is None and hit.why == () for hit in hits.hits)
    conforms(as_data(hits), "search")


def test_search_adds_what_is_asked_for(conforms: Any) -> None:
    hits = session().search("Cache", content=True, explain=True, top_k=1, language="python").data
    assert [hit.content for hit in hits.hits] == ["class Cache:\n    def get(self): ..."]
    assert [why.name for why in hits.hits[0].why] == ["exact"]
    conforms(as_data(hits), "search")


def test_symbols_match_by_glob_or_part(conforms: Any) -> None:
    symbols = session().symbols("ma*").data
    assert [(symbol.file, symbol.line, symbol.id) for symbol in symbols.symbols] == [
        ("src/cache.py", 4, "src/cache.py:4:5"),
        ("src/other.py", 1, "src/other.py:1:1"),
    ]
    conforms(as_data(symbols), "symbols")
    conforms(as_data(session().symbols().data), "symbols")


def test_of_the_places_of_a_file_its_text_names_only_a_few() -> None:
    places = [Place(f"a.py:{n}:{n}", "a.py", n, n, f"f{n}", "function") for n in range(1, 40)]
    related = Related("a.py", "m", "balanced", tuple(places), ())
    assert related_text(related).startswith("a.py:1-39  39 places\n")
    assert related_text(replace(related, of=related.of[:2])).startswith("a.py:1  function f1\na.py:2  function f2\n")


def test_symbols_say_when_there_are_more() -> None:
    assert [hint.text for hint in session().symbols(limit=5).hints] == []
    assert "more than 2" in session().symbols(limit=2).hints[0].text


def test_status(conforms: Any) -> None:
    status = as_data(session().status().data)
    conforms(status, "status")
    assert (status["files"], status["chunks"], status["stale"]) == (4, 5, False)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Cache", [("src/cache.py:4:5", 1), ("src/user.py:1:2", 2)]),
        ("src/cache.py:5", [("src/user.py:1:2", 1)]),
        ("src/cache.py", [("src/user.py:1:2", 1)]),
    ],
)
def test_related_follows_the_graph_from_a_symbol_or_a_place(
    target: str, expected: list[tuple[str, int]], conforms: Any
) -> None:
    corpus = replace(CORPUS, ties=[tie for tie in CORPUS.ties if target == "Cache" or tie.source == 1])
    hits = Session(corpus, Layer({})).related(target, explain=True).data
    assert [(hit.id, hit.distance) for hit in hits.hits] == expected
    conforms(as_data(hits), "related")


def test_related_says_how_many_there_are_and_lists_code_before_tests(conforms: Any) -> None:
    chunks = [("src/device.py", 1, "class", "Device", "class Device: ...", ())]
    chunks += [(f"tests/test_{n:02}.py", 1, "function", f"test_{n}", "Device()", ()) for n in range(15)]
    chunks += [(f"src/user_{n}.py", 1, "function", f"user_{n}", "Device()", ()) for n in range(3)]
    chunks += [("src/base.py", 1, "class", "Base", "class Base: ...", ())]
    ties = [Tie(0, number, ("called_by",), 1, round(0.9 - number / 100, 6)) for number in range(1, 19)]
    corpus = MemoryIndex(rows(*chunks), [*ties[:4], Tie(0, 19, ("extends",), 1, 0.8), *ties[4:]])
    answer = Session(corpus, Layer({})).related("Device")
    files = [hit.file for hit in answer.data.hits]
    users = [f"src/user_{n}.py" for n in range(3)]
    assert files == [*users, "tests/test_00.py", "src/base.py", *(f"tests/test_{n:02}.py" for n in range(1, 6))]
    assert [hint.text for hint in answer.hints] == ["Direct: 18 called by, 1 extends; raise --top-k to list more."]
    assert answer.data.total == 19 and related_text(answer.data).endswith("\n10 of 19 related places\n")
    conforms(as_data(answer.data), "related")
    every = Session(corpus, Layer({})).related("Device", top_k=19)
    assert (every.hints, every.data.total) == ((), None)
    corpus.parts = lambda number: [1, 2, 3] if number in (1, 2, 3) else [number]  # type: ignore[method-assign]
    answer = Session(corpus, Layer({})).related("Device", top_k=30)
    assert len(answer.data.hits) == 17 and answer.hints == ()


def test_related_needs_one_place() -> None:
    with pytest.raises(Ambiguous) as several:
        session().related("make")
    assert several.value.details["candidates"] == ["make (src/cache.py:4)", "make (src/other.py:1)"]
    with pytest.raises(NotFound):
        session().related("nowhere")
    with pytest.raises(NotFound):
        session().related("src/cache.py:999")


def test_a_blank_line_belongs_to_what_is_above_it() -> None:
    assert [place.id for place in session().related("src/cache.py:3").data.of] == ["src/cache.py:1:2"]
    assert [place.id for place in session().related("src/cache.py:4").data.of] == ["src/cache.py:4:5"]


def test_nothing_found_is_an_empty_pack_with_a_hint(conforms: Any) -> None:
    answer = session().query("zebra")
    assert (answer.data.items, answer.data.budget.used_chars, answer.data.budget.truncated) == ((), 0, False)
    assert [hint.type for hint in answer.hints] == ["info"]
    assert "Try an identifier" in answer.hints[0].text
    assert "Loosen" in session().query("Cache", exclude="*").hints[0].text
    assert "No indexed file matches include web/*" in session().query("Cache", include="web/*").hints[0].text
    assert "Loosen" in session().search("Cache", language="go").hints[0].text
    conforms(as_data(answered(answer, CORPUS)), "envelope")


def test_a_refresh_is_reported() -> None:
    news = Refreshed(1, 2, 3, 12.5)
    corpus = replace(CORPUS, refreshed=news)
    assert "1 file added, 2 changed, 3 removed" in Session(corpus, Layer({})).query("Cache").hints[0].text
    first = replace(CORPUS, refreshed=Refreshed(4, 0, 0, 12.5))
    opened = Session(first, Layer({}))
    assert opened.query("Cache").hints[0].text == "Indexed 4 files, 5 chunks."
    assert opened.query("Cache").hints == opened.search("Cache").hints == ()  # the first answer has said it
    idle = replace(CORPUS, refreshed=Refreshed(0, 0, 0, 1.5))
    assert Session(idle, Layer({})).query("Cache").hints == ()


def test_a_batch_names_the_argument_that_was_meant() -> None:
    for request, hint in (
        ({"action": "symbols", "args": {"target": "x"}}, "the arguments are limit, query"),
        ({"action": "query", "args": {"query": "x", "maxchars": 5}}, "did you mean max_chars?"),
        ({"action": "task"}, "the actions are query, search, related, symbols, status"),
        ({"acton": "query"}, "did you mean action?"),
    ):
        (envelope,) = asked(request)
        assert envelope["error"]["hint"] == hint


def test_an_option_of_the_whole_index_cannot_be_asked_for_one_question() -> None:
    with pytest.raises(InvalidRequest, match="query does not accept model"):
        session().query("Cache", model="embedded")


def asked(*requests: object) -> list[Any]:
    lines = [request if isinstance(request, bytes) else json.dumps(request).encode() for request in requests]
    return [json.loads(line) for line in answers(session(), lines)]


def test_a_batch_answers_in_order_with_the_ids_as_given(conforms: Any) -> None:
    actions: list[tuple[str, dict[str, object]]] = [
        ("query", {"query": "Cache", "max_chars": 500}),
        ("search", {"query": "Cache", "top_k": 1}),
        ("related", {"query": "Cache"}),
        ("symbols", {"query": "ma*"}),
        ("symbols", {}),
        ("status", {}),
    ]
    ids: list[Any] = [1, "two", None, {"three": 3}, [4], 12345678901234567890123]
    got = asked(*({"id": i, "action": action, "args": args} for i, (action, args) in zip(ids, actions, strict=True)))
    assert [answer["id"] for answer in got] == ids
    schemas_of = ["context_pack", "search", "related", "symbols", "symbols", "status"]
    for answer, name in zip(got, schemas_of, strict=True):
        conforms(answer, "envelope")
        assert answer["status"] == "ok"
        conforms(answer["data"], name)
    assert got[0]["data"]["budget"]["max_chars"] == 500
    assert len(got[1]["data"]["hits"]) == 1


BAD_LINES: list[tuple[bytes, str, str]] = [
    (b"{", "invalid_request", "request"),
    (b"\xff\xfe", "invalid_request", "request"),
    (b"[1]", "invalid_request", "request"),
    (b'{"id": NaN}', "invalid_request", "request"),
    (b"[" * 100_000, "invalid_request", "request"),
    (b'{"id": 7}', "invalid_request", "action"),
    (b'{"id": 7, "action": "fly"}', "invalid_request", "action"),
    (b'{"id": 7, "action": "query", "args": {}}', "invalid_request", "query"),
    (b'{"id": 7, "action": "query", "args": [1]}', "invalid_request", "args"),
    (b'{"id": 7, "action": "query", "query": "Cache"}', "invalid_request", "query"),
    (b'{"id": 7, "action": "query", "args": {"query": "Cache", "max_chars": 0}}', "invalid_request", "max_chars"),
    (b'{"id": 7, "action": "query", "args": {"query": "Cache", "format": "md"}}', "invalid_request", "format"),
    (b'{"id": 7, "action": "query", "args": {"query": "Cache", "text": "x"}}', "invalid_request", "text"),
    (b'{"id": 7, "action": "status", "args": {"self": 1}}', "invalid_request", "self"),
]


@pytest.mark.parametrize(("line", "code", "field"), BAD_LINES)
def test_a_bad_line_is_answered_and_spoils_no_other(line: bytes, code: str, field: str, conforms: Any) -> None:
    good = {"id": "good", "action": "search", "args": {"query": "Cache"}}
    before, bad, after = asked(good, line, good)
    assert (before["status"], after["status"]) == ("ok", "ok")
    conforms(bad, "envelope")
    assert (bad["error"]["code"], bad["error"]["details"]) == (code, {"field": field})
    assert bad["id"] == (7 if b'"id": 7' in line else None)


def test_blank_lines_of_a_batch_are_no_requests() -> None:
    assert list(answers(session(), [b"\n", b"  \r\n"])) == []


def all_errors(kind: type[CtxpackError] = CtxpackError) -> list[type[CtxpackError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in all_errors(child))]


def test_the_codes_of_the_error_tree_are_the_schemas() -> None:
    assert {kind.code for kind in all_errors()} == set(schemas.schema("error")["properties"]["code"]["enum"])
    assert {kind.exit_code for kind in all_errors()} == {1, 2}


def test_failures_are_valid_envelopes(conforms: Any) -> None:
    failures = [BudgetTooSmall("too small", details={"smallest": 7}), InvalidRequest("query", "bad \udcff name")]
    for failure in [
        *failures,
        translated(ZeroDivisionError("oh")),
        translated(FileNotFoundError(2, "gone", "a\udcff")),
    ]:
        document = json.loads(encoded(as_data(failed(failure))))
        conforms(document, "envelope")
        assert document["status"] == "error"


def test_foreign_exceptions_are_translated() -> None:
    assert translated(PermissionError(13, "Permission denied", "/a/b")).code == "io_error"
    try:
        {}["key"]
    except KeyError as error:
        internal = translated(error)
    assert internal.code == "internal"
    assert internal.message.startswith(f"KeyError at {Path(__file__).name}:")


def test_a_document_is_one_line_with_sorted_keys() -> None:
    assert encoded({"b": 1, "a": {"d": "ä\n", "c": 0.9990000128746033}}) == (
        '{"a":{"c":0.9990000128746033,"d":"ä\\n"},"b":1}\n'.encode()
    )
    assert encoded({"b": [1], "a": 2}, indented=True) == b'{\n  "a": 2,\n  "b": [\n    1\n  ]\n}\n'


def test_every_schema_forbids_what_it_does_not_name() -> None:
    from jsonschema import Draft202012Validator

    def objects(part: Any) -> list[dict[str, Any]]:
        if isinstance(part, list):
            return [found for child in part for found in objects(child)]
        if not isinstance(part, dict):
            return []
        own = [part] if part.get("type") == "object" and "properties" in part else []
        return own + [found for child in part.values() for found in objects(child)]

    for name in schemas.names():
        schema = schemas.schema(name)
        Draft202012Validator.check_schema(schema)
        assert re.fullmatch(rf"urn:ctxpack:[a-z]+:v1:{name}", schema["$id"])
        for part in objects(schema):
            assert part["additionalProperties"] is False
            assert set(part.get("required", [])) <= set(part["properties"])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("logo.dat", "it is binary"),
        ("empty.py", "it is empty"),
        ("big.py", "it has more than 1,000 bytes"),
        ("rows.csv", "it is a data file, .*, and has 240 bytes, more than 200, a fifth of --max-file-bytes"),
        ("own.py", "it is ignored, or newer than the index"),
        ("crash.py", "the parser of its language crashes on it"),
    ],
)
def test_a_file_that_exists_but_is_not_indexed_has_a_reason(
    tmp_path: Path, name: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"a.py": b"def total():\n    return 1\n", "logo.dat": b"\0\1\2" * 99, "empty.py": b"\n"}
    texts |= {"big.py": b"x = 1\n" * 300, "own.py": b"x = 1\n", ".ctxpackignore": b"own.py\n"}
    texts |= {"rows.csv": b"1,2,3\n" * 40, "crash.py": b"x = 1\n"}
    monkeypatch.setattr("index.segment.workers.read_files", partial(read_files, fatal=["src/crash.py"]))
    (tmp_path / "src").mkdir()
    for path, data in texts.items():
        (tmp_path / ("src" if not path.startswith(".") else ".") / path).write_bytes(data)
    session = Session.open(tmp_path, {"index_dir": tmp_path / "home", "max_file_bytes": 1_000})
    for ask in (session.query, session.search, session.related):
        for place in (f"src/{name}", f"src/{name}:1"):
            with pytest.raises(NotFound, match=f"src/{name} is not indexed: {why}$") as raised:
                ask(place)
            assert not next_steps(raised.value, Request({}, {"query": place}, "context_pack"))


def test_a_place_in_a_skipped_file_may_be_the_end_of_its_path(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "src").mkdir(parents=True)
        (tmp_path / name / "src/a.py").write_text("x = 1\n")
    (tmp_path / "one/src/logo.dat").write_bytes(b"\0\1\2")
    session = Session.open(tmp_path / "one", {"index_dir": tmp_path / "home"})
    several = Session.open([tmp_path / "one", tmp_path / "two"], {"index_dir": tmp_path / "home_of_two"})
    for asked, place in ((session, "logo.dat:7"), (several, "one/src/logo.dat:7")):
        with pytest.raises(NotFound, match=r"src/logo\.dat is not indexed: it is binary"):
            asked.query(place)


@pytest.mark.parametrize(
    "text",
    [
        "how is the total of a cart computed", "Cart", "cart.py:2", "GET /carts/7", "zzyzxq", "max_items",
        "/carts/7.json", "Cart.max_items", "Unknown column 'cart.max_items'", ".cart-total",
        'File "/srv/cart.py", line 4, in total\nValueError: the cart 7 is empty', "RuntimeError: the cart 7 is empty",
    ],
)  # fmt: skip
def test_an_index_that_nothing_refers_to_is_closed(tmp_path: Path, text: str) -> None:
    """Without the garbage collector, which runs rarely even if there are many questions."""
    (tmp_path / "cart.py").write_text(
        '@app.get("/carts/<number>")\ndef total(number):\n    if not CARTS[number]:\n'
        '        raise ValueError(f"the cart {number} is empty")\n\n\nclass Cart:\n    max_items = 3\n'
    )
    (tmp_path / "shop.yaml").write_text("max_items: 3\n")
    index = open_index(tmp_path, home=tmp_path / "home")
    gone, session = ref(index.collection), Session(index)
    gc.disable()
    try:
        session.query(text)
        del index, session
        assert gone() is None
    finally:
        gc.enable()

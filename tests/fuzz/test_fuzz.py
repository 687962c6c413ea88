"""Whatever a file, a record or a request holds: an answer or one clear error, never a fault of ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import context_pack
from chunker.files import chunk_file
from context_pack.batch import answers
from context_pack.config import file_layer
from context_pack.redaction import redact
from contracts.errors import CtxpackError

FIXTURES = sorted((Path(__file__).parents[1] / "chunker" / "fixtures").iterdir())
bounded = settings(max_examples=40, deadline=None, derandomize=True)
JUNK = st.one_of(
    st.sampled_from(
        [b"\0", b"{" * 2_000, b"(" * 2_000, b'"""', b"/*", b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"<" * 900]
    ),
    st.binary(max_size=12),
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["\0", "\ud800"]),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
@bounded
@given(cuts=st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 60), JUNK), min_size=1, max_size=4))
def test_mutated_sources_are_read(path: Path, cuts: list[tuple[int, int, bytes]]) -> None:
    data = path.read_bytes()
    for at, length, junk in cuts:
        place = at % (len(data) + 1)
        data = data[:place] + junk + data[place + length :]
    chunked = chunk_file(data, path.name)
    assert chunked is not None
    text = data.decode("utf-8", "replace")
    assert redact(text, path.name).text.count("\n") == text.count("\n")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> context_pack.Session:
    root = tmp_path_factory.mktemp("tree")
    (root / "upload.py").write_text("def store_offset(upload):\n    return 1\n")
    return context_pack.open(root, index_dir=tmp_path_factory.mktemp("home"))


@bounded
@given(request=st.fixed_dictionaries({}, optional={
    "id": values, "action": st.sampled_from(["query", "search", "related", "symbols", "status", ""]) | values,
    "args": st.dictionaries(st.sampled_from("query target pattern limit max_chars include x".split()), values),
}))  # fmt: skip
def test_any_request_of_a_batch_gets_one_answer(session: context_pack.Session, request: dict[str, object]) -> None:
    (line,) = answers(session, [json.dumps(request).encode()])
    answer = json.loads(line)
    assert answer["status"] == "ok" or answer["error"]["code"] != "internal", answer


@bounded
@given(
    text=st.text(max_size=60)
    | st.sampled_from(["[" * 50_000, "a = " + "9" * 6_000, "limit = nan", "include = [1e999]"])
)
def test_any_settings_are_taken_or_named(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    root = tmp_path_factory.mktemp("settings")
    (root / "ctxpack.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        file_layer(root)
    except CtxpackError as error:
        assert error.code != "internal"
        assert "ctxpack.toml" in error.message

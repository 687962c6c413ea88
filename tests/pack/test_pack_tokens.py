"""Limits in tokens: kept in every format, with every counter, in addition to the limit in characters."""

from __future__ import annotations

import builtins
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_index import MemoryIndex, rows
from test_pack_budget import FORMATS, QUERY, asked, chunk, corpora
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from context_pack import render
from context_pack.core.text import quarter_of_chars
from context_pack.envelope import encoded
from context_pack.options.resolve import Layer, resolve
from context_pack.render.tokens import token_counter
from context_pack.session import Session
from contracts.errors import BudgetTooSmall, InvalidRequest
from contracts.records import Hint, Pack, as_data


@pytest.fixture(scope="module")
def tokenizer_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A byte-level BPE tokenizer, trained here; its file requests truncation, as many published ones do."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([Path(__file__).read_text("utf-8")], trainer)
    tokenizer.enable_truncation(16)
    file = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    tokenizer.save(str(file))
    return file


def shown(pack: Pack, name: str) -> str:
    """The output for a reader of the pack: the printed text, or `data` on one line."""
    printed = render.layout(name).render(pack)
    return encoded(as_data(pack)).decode().rstrip("\n") if printed is None else printed


def counted_by(file: Path | None, text: str) -> int:
    if file is None:
        return quarter_of_chars(text)
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.mark.parametrize("with_file", [False, True])
@settings(max_examples=80, deadline=None)
@given(corpora(), asked, st.integers(1, 900))
def test_neither_limit_is_ever_exceeded(
    tokenizer_file: Path, with_file: bool, corpus: MemoryIndex, options: dict[str, Any], max_tokens: int
) -> None:
    file = tokenizer_file if with_file else None
    limits = {"max_tokens": max_tokens, **({"tokenizer": file} if file else {})}
    try:
        pack = Session(corpus, Layer({**options, **limits})).query(QUERY).data
    except BudgetTooSmall:
        return
    budget = pack.budget
    assert (budget.max_chars, budget.max_tokens) == (options["max_chars"], max_tokens)
    assert budget.used_chars <= budget.max_chars
    text = shown(pack, options["format"])
    counted = counted_by(file, text)
    # With some tokenizers, no text can state its own number of tokens; then it states a slightly larger one.
    # With --explain, a longer number may leave no room for a drop; no number is right for that text either.
    most = max_tokens if options["explain"] else min(max_tokens, counted + (2 if file else 0))
    assert counted <= (budget.used_tokens or 0) <= most
    if options["format"] != "json":
        assert len(text.encode()) == budget.used_chars


def suggested(hint: Hint) -> dict[str, int]:
    """The options that a hint suggests, such as `--max-chars 9000 --max-tokens 3000`."""
    options = re.findall(r"--(max-\w+) (\d+)", hint.text)
    return {name.replace("-", "_"): int(value) for name, value in options}


@pytest.mark.parametrize("name", FORMATS)
def test_the_tokens_are_well_used_and_stated(name: str, tokenizer_file: Path, conforms: Any) -> None:
    corpus = MemoryIndex(rows(*(chunk(number, 150) for number in range(40))))
    for file in (None, tokenizer_file):
        given: dict[str, object] = {"format": name, "limit": 40, "max_tokens": 1500}
        answer = Session(corpus, Layer({**given, **({"tokenizer": file} if file else {})})).query(QUERY)
        budget = answer.data.budget
        assert 0.8 * 1500 < (budget.used_tokens or 0) <= 1500
        assert budget.token_counter.startswith("tokenizer.json@" if file else "chars/4")
        conforms(as_data(answer.data), "context_pack")
        roomy = suggested(answer.hints[0])
        whole = Session(corpus, Layer({**given, **roomy, **({"tokenizer": file} if file else {})})).query(QUERY).data
        assert not whole.budget.truncated and len(whole.items) == 40


def test_the_tokens_for_everything_follow_from_its_size_and_not_from_the_limit_in_characters() -> None:
    session = Session(MemoryIndex(rows(*(chunk(number, 150) for number in range(4)))), Layer({"max_tokens": 150}))
    suggestion = suggested(session.query(QUERY).hints[0])
    assert suggestion.keys() == {"max_tokens"} and suggestion["max_tokens"] < 2000
    assert len(session.query(QUERY, **suggestion).data.items) == 4


@pytest.mark.parametrize("name", FORMATS)
def test_one_token_less_than_everything_takes_costs_an_item_at_most(name: str, tokenizer_file: Path) -> None:
    session = Session(
        MemoryIndex(rows(*(chunk(number, 150) for number in range(4)))),
        Layer({"format": name, "tokenizer": tokenizer_file}),
    )
    whole = session.query(QUERY).data
    assert len(whole.items) == 4
    less = session.query(QUERY, max_tokens=(whole.budget.used_tokens or 0) - 1).data
    assert len(less.items) >= 3


def test_tokens_are_counted_without_a_limit_too(tokenizer_file: Path) -> None:
    corpus = MemoryIndex(rows(chunk(0, 150)))
    pack = Session(corpus, Layer({"tokenizer": tokenizer_file})).query(QUERY).data
    assert pack.budget.max_tokens is None
    assert pack.budget.used_tokens == counted_by(tokenizer_file, shown(pack, "json"))
    assert "used_tokens" not in as_data(Session(corpus, Layer({})).query(QUERY).data.budget)


def test_a_page_is_counted_like_json() -> None:
    corpus = MemoryIndex(rows(*(chunk(number, 150) for number in range(40))))
    packs = [
        Session(corpus, Layer({"format": name, "limit": 40, "max_tokens": 1500, "explain": True})).query(QUERY).data
        for name in ("json", "html")
    ]
    assert packs[0] == packs[1]


def test_too_few_tokens_name_a_number_that_would_do() -> None:
    corpus = MemoryIndex(rows(chunk(0, 900)))
    for name in FORMATS:
        with pytest.raises(BudgetTooSmall) as refusal:
            Session(corpus, Layer({"max_tokens": 20, "format": name})).query(QUERY)
        enough = refusal.value.details["smallest"]
        assert refusal.value.hint == f"use --max-tokens {enough}"
        assert Session(corpus, Layer({"max_tokens": enough, "format": name})).query(QUERY).data.items


@pytest.mark.parametrize("max_chars", [1, 200, 400, 10**4])
@pytest.mark.parametrize("max_tokens", [1, 99, 10**4])
def test_each_limit_that_is_too_small_is_named(max_chars: int, max_tokens: int) -> None:
    corpus = MemoryIndex(rows(chunk(0, 900)))
    for name in FORMATS:
        limits = {"max_chars": max_chars, "max_tokens": max_tokens}
        try:
            Session(corpus, Layer({**limits, "format": name})).query(QUERY)
        except BudgetTooSmall as refusal:
            words = refusal.hint.removeprefix("use --").replace("max-", "max_").replace("--", "").split()
            limits.update(zip(words[::2], map(int, words[1::2]), strict=True))
        assert Session(corpus, Layer({**limits, "format": name})).query(QUERY).data.items


def test_tokens_alone_decide_where_characters_are_not_limited() -> None:
    assert resolve(Layer({"max_tokens": 9_000})).max_chars == 72_000
    assert resolve(Layer({"max_tokens": 100})).max_chars == 20_000
    assert resolve(Layer({"max_chars": 500}), Layer({"max_tokens": 9_000})).max_chars == 500


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[1, 2]", b"\xff\xfe", b'{"version":"1.0","model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}',
     json.dumps({"version": "1.0", "added_tokens": [], "model": {"type": "WordLevel", "vocab": {}, "unk_token": "x"}}
                ).encode()],
)  # fmt: skip
def test_a_file_that_is_no_tokenizer_is_one_clear_error(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)
    with pytest.raises(InvalidRequest, match=r"other\.json is not a tokenizer") as refusal:
        token_counter(file)
    assert refusal.value.details["field"] == "tokenizer"


def test_a_missing_file_or_library_is_one_clear_error(
    tmp_path: Path, tokenizer_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (tmp_path / "nowhere.json", tmp_path, Path("a\0b")):
        with pytest.raises(InvalidRequest, match=r"is not a file|cannot be read"):
            token_counter(file)
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "tokenizers":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    other = tmp_path / "tokenizer.json"
    other.write_bytes(tokenizer_file.read_bytes() + b"\n")
    with pytest.raises(InvalidRequest, match="needs the package tokenizers") as refusal:
        token_counter(other)
    assert refusal.value.hint.startswith("run `pip install 'ctxpack-code[tokens]'`, or in a clone")

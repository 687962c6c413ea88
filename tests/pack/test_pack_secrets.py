"""Secrets in code packs and lists: taken out, counted, and shown only to whoever asks for them."""

from __future__ import annotations

from typing import Any

import pytest
from memory_index import MemoryIndex, rows

from context_pack import render
from context_pack.config import file_layer
from context_pack.envelope import answered
from context_pack.session import Session
from context_pack.settings import Layer
from contracts.errors import InvalidRequest
from contracts.wire import envelope_data
from index.types import Tie

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILLING = "\n".join(f"    step_{number}()" for number in range(60))
CORPUS = MemoryIndex(
    rows(
        ("src/push.py", 1, "function", "push", f"def push():\n{FILLING}\n    token = '{TOKEN}'", ()),
        ("src/user.py", 1, "function", "use", f"def use():\n    push()  # {TOKEN}", (f"import x  # {TOKEN}",)),
        ("src/far.py", 1, "function", "far", f"def far():\n    return '{TOKEN}'", ()),
    ),
    [Tie(0, 1, ("called_by",), 1, 0.9)],
)


def session(**options: object) -> Session:
    return Session(CORPUS, Layer(options))


@pytest.mark.parametrize("name", render.formats())
@pytest.mark.parametrize("max_chars", [700, 20_000])
def test_a_pack_shows_no_secret_whole_or_cut(name: str, max_chars: int) -> None:
    answer = session(format=name, max_chars=max_chars).query("push")
    shown = repr(answer.data) + (render.layout(name).render(answer.data) or "")
    assert TOKEN not in shown and answer.data.items


def test_what_was_taken_out_of_the_items_is_counted(conforms: Any) -> None:
    answer = session().query("push")
    assert [item.file for item in answer.data.items] == ["src/push.py", "src/user.py"]
    assert answer.redactions == {"github_token": 2}, "what was not shown is not counted"
    envelope = envelope_data(answered(answer, CORPUS))
    assert envelope["meta"]["redactions"] == {"total": 2, "github_token": 2}
    conforms(envelope, "envelope")
    assert envelope_data(answered(session().search("push")))["meta"]["redactions"] == {"total": 0}
    assert session().search("push", content=True).redactions == {"github_token": 2}
    assert session().related("push", content=True).redactions == {"github_token": 1}


def test_a_secret_in_the_question_is_not_repeated() -> None:
    assert session().query(f"push {TOKEN}").data.query == "push [REDACTED:github_token]"
    assert TOKEN not in session().search(f"push {TOKEN}").data.query


def test_whoever_asks_sees_secrets_as_they_stand() -> None:
    answer = session().query("push", no_redact=True)
    assert sum(item.content.count(TOKEN) for item in answer.data.items) == 3  # one of them in an import
    assert answer.redactions is None
    assert "redactions" not in answered(answer, CORPUS).meta
    assert session().search("push", no_redact=True, content=True).data.hits[0].content == CORPUS.rows[0].text


def test_a_repository_cannot_ask_for_it(tmp_path: Any) -> None:
    (tmp_path / "ctxpack.toml").write_text("no_redact = true\n")
    with pytest.raises(InvalidRequest, match="by whoever asks"):
        file_layer(tmp_path)

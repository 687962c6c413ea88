"""Secrets in code packs and lists: redacted, counted, and shown only on request."""

from __future__ import annotations

import base64
import random
from pathlib import Path
from typing import Any

import pytest
from memory_index import MemoryIndex, rows

from context_pack import render
from context_pack.envelope import answered
from context_pack.kinds.code.redacted import DEFINITIONS
from context_pack.options.config_file import file_layer
from context_pack.options.resolve import Layer
from context_pack.options.spec import FORMATS
from context_pack.render.html.document import document
from context_pack.session import Session
from contracts.errors import InvalidRequest
from contracts.records import as_data
from index.api import Index
from index.types import Tie

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILLING = "\n".join(f"    step_{number}()" for number in range(60))
CORPUS = MemoryIndex(
    rows(
        ("src/push.py", 1, "function", "push", f"def push():\n{FILLING}\n    token = '{TOKEN}'", ()),
        ("src/user.py", 1, "function", "use", f"def use():\n    push()  # {TOKEN}", (f"import push  # {TOKEN}",)),
        ("src/far.py", 1, "function", "far", f"def far():\n    return '{TOKEN}'", ()),
    ),
    [Tie(0, 1, ("called_by",), 1, 0.9)],
)


def session(**options: object) -> Session:
    return Session(CORPUS, Layer(options))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("max_chars", [700, 20_000])
def test_a_pack_shows_no_secret_whole_or_cut(name: str, max_chars: int) -> None:
    answer = session(format=name, max_chars=max_chars).query("push")
    printed = document(answer.data) if name == "html" else render.layout(name).render(answer.data) or ""
    shown = repr(answer.data) + printed
    assert TOKEN not in shown and answer.data.items


def test_redactions_in_items_are_counted(conforms: Any) -> None:
    answer = session().query("push")
    assert [item.file for item in answer.data.items] == ["src/push.py", "src/user.py"]
    assert answer.redactions == {"github_token": 2}, "what was not shown is not counted"
    envelope = as_data(answered(answer, CORPUS))
    assert envelope["meta"]["redactions"] == {"total": 2, "github_token": 2}
    conforms(envelope, "envelope")
    assert as_data(answered(session().search("push")))["meta"]["redactions"] == {"total": 0}
    assert session().search("push", content=True).redactions == {"github_token": 2}
    assert session().related("push", content=True).redactions == {"github_token": 1}


def test_a_secret_in_a_heading_is_redacted_in_the_title_of_its_item() -> None:
    corpus = MemoryIndex(rows(("push.md", 1, "section", f"Push {TOKEN}", f"# Push {TOKEN}\n\nHow to push.", ())))
    title = "Push [REDACTED:github_token]"
    assert [item.symbol for item in Session(corpus, Layer({})).query("push").data.items] == [title]
    assert [hit.symbol for hit in Session(corpus, Layer({})).search("push").data.hits] == [title]
    assert [hit.symbol for hit in Session(corpus, Layer({"no_redact": True})).search("push").data.hits] != [title]


def test_a_secret_in_the_question_is_not_repeated() -> None:
    assert session().query(f"push {TOKEN}").data.query == "push [REDACTED:github_token]"
    assert TOKEN not in session().search(f"push {TOKEN}").data.query


def test_the_asker_can_turn_redaction_off() -> None:
    answer = session().query("push", no_redact=True)
    assert sum(item.content.count(TOKEN) for item in answer.data.items) == 3  # one of them in an import
    assert answer.redactions is None
    assert "redactions" not in answered(answer, CORPUS).meta
    assert session().search("push", no_redact=True, content=True).data.hits[0].content == CORPUS.rows[0].text


def test_a_repository_cannot_turn_redaction_off(tmp_path: Any) -> None:
    (tmp_path / "ctxpack.toml").write_text("no_redact = true\n")
    with pytest.raises(InvalidRequest, match="by a request"):
        file_layer(tmp_path)


ENCRYPTED = ("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF")
PGP = ("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2")


@pytest.mark.parametrize(("kind", "header"), [ENCRYPTED, PGP])
@pytest.mark.parametrize("query", ["Proc-Type DEK-Info", "Version GnuPG", "login.pem", "notes.md", "login key"])
def test_a_key_with_a_header_and_a_blank_line(tmp_path: Path, kind: str, header: str, query: str) -> None:
    """It fills whole chunks, of which only the line ends remain."""
    draw = random.Random(1)
    body = "\n".join(base64.b64encode(draw.randbytes(48)).decode() for _ in range(60))
    key = f"-----BEGIN {kind}-----\n{header}\n\n{body}\n-----END {kind}-----\n"
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "login.pem").write_text(key)
    (tmp_path / "tree" / "notes.md").write_text(f"# Title\n\nthe login key\n\n{key}\n## next\n\nmore\n")
    (tmp_path / "tree" / "login.py").write_text(
        f'def login():\n    """login key\n{key}    """\n\n\nKEY = """{key}"""\n'
    )
    asking = Session.open(tmp_path / "tree", {"model": "embedded", "index_dir": tmp_path / "index"})
    for most in (400, 1_500, 20_000):
        items = asking.query(query, max_chars=most).data.items
        shown = "".join(item.content for item in items)
        assert not any(line in shown for line in body.split("\n"))
        whole = [item for item in items if not item.elided and not item.imports]
        assert all(item.content.count("\n") == item.end_line - item.start_line for item in whole), "lines keep numbers"


def test_all_definitions_that_an_index_returns_are_redacted() -> None:
    members = {name: member for name, member in vars(Index).items() if callable(member) and not name.startswith("_")}
    returning = {name for name, member in members.items() if "SymbolRow" in member.__annotations__.get("return", "")}
    assert returning == DEFINITIONS

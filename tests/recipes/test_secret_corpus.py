"""The corpus of secrets: they are redacted in texts, and no command prints any of them in any form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from recipe_shell import ctxpack

from benchmarks.research.redaction import is_hit
from benchmarks.research.secret_corpus import Case, look_alikes, random_string, secrets, wider
from context_pack.options.spec import FORMATS
from context_pack.redaction import redact

pytestmark = pytest.mark.slow

RECALL, RECALL_OF_FORMS, FALSE_POSITIVES = 0.99, 0.95, 0.02
TOKEN = "gh" + "p_" + random_string("a name", 36)
OTHER = "np" + "m_" + random_string("a heading", 36)


def test_the_corpus_is_large_enough() -> None:
    assert len({case.kind for case in secrets()}) == 30
    assert (len(secrets()), len(look_alikes())) == (300, 300)
    assert len(wider()) >= 200
    assert all(case.secret in case.text for case in [*secrets(), *wider()])


def test_secrets_are_found_and_look_alikes_left_alone() -> None:
    found = {name: sum(map(is_hit, cases)) / len(cases) for name, cases in (
        ("secrets", secrets()), ("forms", wider()), ("plain", look_alikes()))}  # fmt: skip
    assert found["secrets"] >= RECALL
    assert found["forms"] >= RECALL_OF_FORMS
    assert found["plain"] <= FALSE_POSITIVES


@pytest.mark.parametrize("case", [*secrets(), *wider()], ids=lambda case: f"{case.kind}, {case.path}")
def test_redaction_keeps_lines_and_happens_once(case: Case) -> None:
    clean = redact(case.text, case.path)
    assert clean.text.count("\n") == case.text.count("\n")
    assert redact(clean.text, case.path).text == clean.text


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each secret in its own file, and two that are names, of a function and of a heading."""
    root = tmp_path_factory.mktemp("secrets")
    for number, case in enumerate(secrets()):
        folder = root / f"s{number}"
        folder.mkdir()
        name = case.path.rpartition("/")[2].lstrip(".") or "env"
        (folder / f"{name}.txt").write_text(f"deploy settings number {number}\n{case.text}", "utf-8")
    (root / "named.py").write_text(f'def {TOKEN}():\n    """Deploy settings."""\n    return deploy()\n')
    (root / "caller.py").write_text(f"def deploy_settings():\n    return {TOKEN}()\n\n\ndef deploy():\n    pass\n")
    (root / "notes.md").write_text(f"# Deploy settings with {OTHER}\n\nDeploy them.\n\n## `{TOKEN}`\n\nMore of it.\n")
    return root


HIDDEN = [case.secret for case in secrets()] + [TOKEN, OTHER]


def _left(printed: str) -> list[str]:
    return [secret for secret in HIDDEN if secret in printed]


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_in_a_pack_of_any_form_with_its_reasons(tree: Path, form: str) -> None:
    asked = ("query", "deploy settings", "--repo", tree, "--max-chars", 400_000, "--limit", 400, "--format", form)
    ran = ctxpack(*asked, "--explain", CTXPACK_CACHE_DIR=f"{tree}-cache")
    assert ran.code == 0
    assert b"REDACTED" in ran.out
    assert not _left(ran.out.decode() + ran.err)


@pytest.mark.parametrize(
    "asked",
    [("search", "deploy settings", "--top-k", 400, "--content", "--explain"), ("symbols", "*", "--limit", 500),
     ("related", "caller.py", "--content", "--explain"), ("related", "notes.md", "--explain"), ("symbols", "deploy"),
     ("related", "named.py:1"), ("related", "no_such_name_at_all")],
    ids=lambda asked: " ".join(map(str, asked[:2])),
)  # fmt: skip
def test_no_secret_in_a_list_or_an_error(tree: Path, asked: tuple[object, ...]) -> None:
    ran = ctxpack(*asked, "--repo", tree, CTXPACK_CACHE_DIR=f"{tree}-cache")
    assert not _left(ran.out.decode() + ran.err)


def test_names_that_are_secrets_are_shown_to_whoever_asks(tree: Path) -> None:
    assert TOKEN in ctxpack("query", "deploy settings", "--repo", tree, "--no-redact").out.decode()
    symbols = ctxpack("symbols", "*", "--limit", 500, "--repo", tree).data["symbols"]
    assert "[REDACTED:github_token]" in {symbol["name"] for symbol in symbols}


def test_no_secret_in_a_turn_or_its_sidecar(tmp_path: Path) -> None:
    ctxpack("init", "turn", tmp_path)
    plan = tmp_path / "docs/PLAN.md"
    texts = "".join(f"\n{case.text}" for case in secrets())
    plan.write_text(f"# Plan with {OTHER}\n\n{plan.read_text('utf-8')}\n{texts}", "utf-8")
    source = tmp_path / "src/ws/client.ts"
    source.write_text(f"{source.read_text('utf-8')}\nexport function {TOKEN}() {{}}\n", "utf-8")
    sidecar = tmp_path / "sidecar.json"
    ran = ctxpack("turn", tmp_path / "request.json", "--root", tmp_path, "--sidecar", sidecar, "--explain")
    assert ran.code == 0
    assert not _left(ran.out.decode() + ran.err + sidecar.read_text("utf-8"))


@pytest.mark.parametrize("form", ["json", "md"])
def test_no_secret_that_is_a_key_of_a_record(tmp_path: Path, form: str) -> None:
    ctxpack("init", "task", tmp_path)
    place = tmp_path / ".nexus/02-architecture/modules.json"
    records = json.loads(place.read_text("utf-8"))
    for record in records["modules"]:
        record |= {TOKEN: "a key of a record", "more": {OTHER: 1}}
    place.write_text(json.dumps(records), "utf-8")
    ran = ctxpack("task", "T02", "--root", tmp_path, "--format", form, "--explain")
    assert ran.code == 0 and b"a key of a record" in ran.out
    assert not _left(ran.out.decode() + ran.err)

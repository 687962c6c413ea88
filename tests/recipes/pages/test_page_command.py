"""`ctxpack pages` from the shell: answers, failures, exit codes, and the same bytes everywhere."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from page_vaults import write_page
from recipe_shell import ROOT, copied, ctxpack

VAULT = Path(__file__).parent / "vault"
LOCALES = ("C", "C.UTF-8", "sv_SE.UTF-8")
QUESTION = "How do LLM knowledge bases compare with RAG?"


def test_a_question_with_the_real_searcher(tmp_path: Path, conforms: Any) -> None:
    vault = tmp_path / "vault"
    shutil.copytree(VAULT, vault)
    ran = ctxpack("pages", QUESTION, "--vault", vault, "--format", "json", "--explain")
    conforms(ran.envelope, "envelope")
    conforms(ran.data, "pages")
    assert ran.data["searcher"] == "hybrid"
    assert ran.data["provider"] == "ctxpack pages, bm25 + ctxpack-static-v1"
    hits = [part["signal"] for page in ran.data["pages"] + ran.data["left_out"] for part in page["why"]
            if part["name"] == "searcher_hit"]  # fmt: skip
    assert sorted(hits) == [1, 2, 3]
    table = ctxpack("pages", QUESTION, "--vault", vault).out.decode()
    assert f"Searcher: hybrid ({ran.data['provider']})." in table
    assert [line.split(" | ")[0][2:] for line in table.splitlines()[2:7]] == [row["path"] for row in ran.data["pages"]]


def test_a_source_a_page_and_stdin() -> None:
    source = ctxpack(
        "pages", "--title", "LLM knowledge bases", "--tags", "llm, wiki", "--entities", "Karpathy,", "--vault", VAULT,
        "--searcher", "none", "--format", "json", "--limit", 3,
    ).data  # fmt: skip
    assert source["seed"]["tags"] == ["llm", "wiki"]
    assert source["seed"]["entities"] == ["andrej-karpathy"]
    assert [(row["path"], row["score"]) for row in source["pages"]] == [
        ("wiki/concepts/llm-knowledge-bases.md", 14), ("wiki/comparisons/rag-vs-wiki.md", 8),
        ("wiki/sources/karpathy-llm-wiki.md", 8),
    ]  # fmt: skip
    arguments = ("--vault", VAULT, "--searcher", "none", "--format", "json")
    page = ctxpack("pages", "--page", "wiki/concepts/rag.md", *arguments).data
    assert page["seed"]["page"] == "wiki/concepts/rag.md"
    assert "wiki/concepts/rag.md" not in [row["path"] for row in page["pages"]]
    typed = ctxpack("pages", QUESTION, *arguments).data
    assert ctxpack("pages", "-", *arguments, stdin=f"{QUESTION}\n".encode()).data == typed


def test_excluded_pages_never_appear_and_a_wrong_path_is_reported() -> None:
    ran = ctxpack(
        "pages", QUESTION, "--vault", VAULT, "--searcher", "none", "--format", "json",
        "--exclude", "wiki/comparisons/rag-vs-wiki.md", "--exclude", "concepts/rag.md", "--exclude", "wiki/gone.md",
    )  # fmt: skip
    paths = [row["path"] for row in ran.data["pages"]]
    assert "wiki/comparisons/rag-vs-wiki.md" not in paths
    assert "wiki/concepts/rag.md" not in paths
    assert any("--exclude: there is no file wiki/gone.md" in text for text in ran.warnings)


def test_the_same_bytes_under_locales_hash_seeds_and_shuffled_files(tmp_path_factory: Any) -> None:
    files = sorted(path for path in VAULT.rglob("*") if path.is_file())
    seen = set()
    for number, (locale, seed) in enumerate(itertools.product(LOCALES, "012")):
        random.Random(number).shuffle(files)
        copy = tmp_path_factory.mktemp("copy")
        copied(files, VAULT, copy)
        ran = ctxpack(
            "pages", QUESTION, "--vault", copy, "--explain", "--searcher", "none" if number else "hybrid",
            LC_ALL=locale, PYTHONHASHSEED=seed,
        )  # fmt: skip
        if number:
            seen.add((ran.code, ran.out, ran.err))
    assert len(seen) == 1


def test_two_runs_with_the_real_searcher_are_the_same(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    shutil.copytree(VAULT, vault)
    runs = {ctxpack("pages", QUESTION, "--vault", vault, PYTHONHASHSEED=seed).out for seed in "012"}
    assert len(runs) == 1


def test_a_pack_with_its_default_searcher_loads_nothing_heavy() -> None:
    """Numpy alone would take a third of the time limit of a cached pack of 10,000 pages."""
    for _ in range(2):  # first without an index, then with one
        ran = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "context_pack", "pages", QUESTION, "--vault", str(VAULT)],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}
        assert "sqlite3" in loaded
        assert not loaded & {"numpy", "lancedb", "pyarrow", "torch", "mcp", "jsonschema", "tree_sitter"}


def test_faults_of_the_vault_are_warnings() -> None:
    told = [
        "wiki/comparisons/memex-vs-web.md:3: date-modified is not a date: 'someday'",
        "wiki/summaries/2026/week-11.md:3: not YAML: did not find expected ',' or ']' "
        "(the page has no title, tags or domains)",
    ]
    arguments = ("pages", QUESTION, "--vault", VAULT, "--searcher", "none")
    assert ctxpack(*arguments, "--format", "json").warnings == told
    assert ctxpack(*arguments).err.splitlines() == [f"ctxpack: warning: {text}" for text in told]


def test_an_empty_vault_has_no_rows(tmp_path: Path, conforms: Any) -> None:
    (tmp_path / "wiki").mkdir()
    ran = ctxpack("pages", "anything", "--vault", tmp_path, "--format", "json")
    conforms(ran.data, "pages")
    assert (ran.code, ran.data["pages"]) == (0, [])
    assert any("the vault has no pages" in hint["text"] for hint in ran.envelope["hints"])


def test_a_vault_in_which_everything_is_linked_to_everything(tmp_path: Path) -> None:
    slugs = [f"page-{number}" for number in range(200)]
    links = " ".join(f"[[{slug}]]" for slug in slugs)
    for slug in slugs:
        write_page(tmp_path, f"wiki/{slug}.md", links, title=slug.replace("-", " "))
    data = ctxpack(
        "pages", "page 1 and page 2 and page 3", "--vault", tmp_path, "--searcher", "none", "--format", "json"
    ).data
    assert data["seed"]["entities"] == ["page-1", "page-2", "page-3"]
    assert data["counts"]["scored"] == 200
    assert [row["score"] for row in data["pages"]] == [6, 6, 6, 6, 6]


def test_control_characters_in_a_page(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/a\x07b.md").write_text(
        '---\ntitle: "x\\u0007\\n| y"\ntags: ["t\\t1"]\n---\n\x00\x1b[0m [[b\x01]]\n'
    )
    ran = ctxpack("pages", "--title", "x y", "--tags", "t\t1", "--vault", tmp_path, "--searcher", "none")
    rows = [line for line in ran.out.decode().splitlines() if line.startswith("| wiki")]
    assert rows == ["| wiki/a\\x07b.md | 7 | shared tag: t\\t1 +3; title overlap: 1.00 +4 |"]


@pytest.mark.parametrize(
    ("arguments", "code", "error", "told"),
    [
        ([], 2, "invalid_request", "the seed is empty"),
        (["  "], 2, "invalid_request", "the seed is empty"),
        (["x", "--page", "wiki/gone.md"], 1, "not_found", "wiki/gone.md"),
        (["x", "--page", "/etc/hostname"], 1, "invalid_request", "outside the vault"),
        (["x", "--page", "a.md", "--tags", "t"], 2, "invalid_request", "--page cannot be used with"),
        (["--page", "wiki/summaries/2026/week-11.md"], 1, "invalid_request", "wiki/summaries/2026/week-11.md:3"),
        (["x", "--limit", "0"], 2, "invalid_request", "limit must be"),
        (["x", "--min-score", "-1"], 2, "invalid_request", "--min-score must be"),
        (["x", "--searcher", "qmd"], 2, "invalid_request", "searcher must be"),
        (["x", "--format", "xml"], 2, "invalid_request", "format must be"),
        (["x", "--vault", "nowhere"], 1, "not_a_directory", "nowhere"),
        (["x", "--vault", "~nobody/here"], 1, "not_a_directory", "~nobody/here"),
        (["x", "--vault", "wiki"], 1, "not_a_directory", "no folder wiki"),
    ],
)
def test_wrong_requests_are_usage_errors(conforms: Any, arguments: list[str], code: int, error: str, told: str) -> None:
    ran = (
        ctxpack("pages", *arguments, "--searcher", "none", cwd=VAULT)
        if "--searcher" not in arguments
        else ctxpack("pages", *arguments, cwd=VAULT)
    )
    conforms(ran.envelope, "envelope")
    assert (ran.code, ran.error["code"]) == (code, error)
    assert told in ran.error["message"]


def test_a_broken_vault_yaml_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "vault.yaml").write_text("default-domains: [a\n")
    ran = ctxpack("pages", "x", "--vault", tmp_path)
    assert (ran.code, ran.error["code"], ran.error["details"]["file"]) == (1, "invalid_request", "vault.yaml")

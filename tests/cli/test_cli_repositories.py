"""Several repositories in one pack: paths start with their names, and they share one budget."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from context_pack.kinds.code import repositories


@pytest.fixture(scope="module")
def trees(project: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """`alpha`, the checked-in project, and `beta`, which stores pictures differently."""
    folder = tmp_path_factory.mktemp("several")
    alpha, beta = folder / "alpha", folder / "beta"
    shutil.copytree(project, alpha)
    (beta / "src").mkdir(parents=True)
    (beta / "src" / "store.py").write_text(
        "class PictureCache:\n"
        '    """Keeps thumbnails on disk."""\n\n'
        "    def store(self, picture: bytes) -> str:\n"
        "        return write(picture)\n\n\n"
        "def write(picture: bytes) -> str:\n"
        "    return hex(hash(picture))\n"
    )
    return alpha, beta


def _repos(*folders: Path) -> list[str]:
    return [part for folder in folders for part in ("--repo", str(folder))]


def test_a_pack_spans_repositories_and_keeps_one_budget(
    ctxpack: Any, conforms: Any, trees: Any, tmp_path: Path
) -> None:
    run = ctxpack("query", "PictureCache", *_repos(*trees), "--max-chars", "2500", cwd=tmp_path)
    conforms(run.envelope, "envelope")
    conforms(run.data, "context_pack")
    items, budget = run.data["items"], run.data["budget"]
    exact = [(item["id"].partition("/")[0], item["symbol"].partition(",")[0]) for item in items if item["score"] == 1.0]
    assert exact == [("alpha", "PictureCache"), ("beta", "PictureCache")]
    assert {item["file"].partition("/")[0] for item in items} == {"alpha", "beta"}
    assert all((trees[0].parent / item["file"]).is_file() for item in items), "paths lead to the files"
    costs = [len(i["content"].encode()) + sum(len(s.encode()) + 1 for s in i["imports"]) + 128 for i in items]
    assert sum(costs) == budget["used_chars"] <= 2500


def test_related_items_stay_in_their_own_repository(ctxpack: Any, trees: Any, tmp_path: Path) -> None:
    data = ctxpack("query", "beta/src/store.py:4", *_repos(*trees), "--limit", "1", cwd=tmp_path).data
    assert {item["file"] for item in data["items"]} == {"beta/src/store.py"}
    assert any("def write(" in item["content"] for item in data["items"]), "what is related, merged with its neighbour"


def test_a_place_is_named_from_its_repository(ctxpack: Any, conforms: Any, trees: Any, tmp_path: Path) -> None:
    run = ctxpack("related", "beta/src/store.py:5", *_repos(*trees), cwd=tmp_path)
    conforms(run.data, "related")
    assert run.data["of"][0]["file"] == "beta/src/store.py"
    assert "write" in {hit["symbol"] for hit in run.data["hits"]}
    assert ctxpack("related", "src/store.py:5", *_repos(*trees), cwd=tmp_path).data["of"] == run.data["of"]
    assert ctxpack("related", "src/store.py:999", *_repos(*trees), cwd=tmp_path).error["code"] == "not_found"
    assert ctxpack("related", "PictureCache", *_repos(*trees), cwd=tmp_path).error["code"] == "ambiguous"


def test_the_order_of_the_options_changes_nothing(ctxpack: Any, trees: Any, tmp_path: Path) -> None:
    alpha, beta = trees
    asked = ("query", "where are thumbnails kept", "--explain")
    one = ctxpack(*asked, *_repos(alpha, beta), cwd=tmp_path).data
    assert one["items"]
    assert ctxpack(*asked, *_repos(beta, alpha, beta), cwd=tmp_path).data == one


def test_one_repository_given_twice_is_that_repository(ctxpack: Any, trees: Any, tmp_path: Path) -> None:
    twice = ctxpack("search", "thumbnail", *_repos(trees[0]), cwd=tmp_path).data
    assert {hit["file"].partition("/")[0] for hit in twice["hits"]} <= {"src", "web", "tests", "README.md"}


def test_filters_may_name_the_repository(ctxpack: Any, trees: Any, tmp_path: Path) -> None:
    for option, expected in [("--include", {"beta"}), ("--exclude", {"alpha"})]:
        run = ctxpack("search", "picture", option, "beta/**", "--top-k", "50", *_repos(*trees), cwd=tmp_path)
        assert {hit["file"].partition("/")[0] for hit in run.data["hits"]} == expected
    run = ctxpack("search", "picture", "--include", "beta/src/*.py", *_repos(*trees), cwd=tmp_path)
    assert {hit["file"] for hit in run.data["hits"]} == {"beta/src/store.py"}


def test_symbols_and_batches_span_them_too(ctxpack: Any, conforms: Any, trees: Any, tmp_path: Path) -> None:
    found = ctxpack("symbols", "PictureCache", *_repos(*trees), cwd=tmp_path).data
    conforms(found, "symbols")
    assert [row["file"].partition("/")[0] for row in found["symbols"]][::-1][0] == "beta"
    lines = [
        {"id": 1, "action": "query", "args": {"query": "PictureCache"}},
        {"id": 2, "action": "related", "args": {"query": "beta/src/store.py"}},
        {"id": 3, "action": "status"},
    ]
    run = ctxpack("batch", *_repos(*trees), cwd=tmp_path, stdin="\n".join(map(json.dumps, lines)).encode())
    first, second, third = (json.loads(line) for line in run.out.splitlines())
    assert first["meta"]["index"]["files"] == 6
    assert second["status"] == "ok"
    assert third["error"]["code"] == "invalid_request" and "--repo" in third["error"]["hint"]


def test_each_has_a_folder_of_its_own_below_index_dir(ctxpack: Any, trees: Any, tmp_path: Path) -> None:
    where = ("--index-dir", str(tmp_path / "index"))
    assert ctxpack("query", "PictureCache", *_repos(*trees), *where, cwd=tmp_path).data["items"]
    assert {path.name for path in (tmp_path / "index").iterdir()} == {"alpha", "beta"}


def test_names_are_as_short_as_they_can_be_and_unique(tmp_path: Path) -> None:
    folders = [tmp_path / part for part in ("x/app", "y/app", "y/lib")]
    for folder in folders:
        folder.mkdir(parents=True)
    assert list(repositories.named(folders)) == ["lib", "x/app", "y/app"]
    assert repositories.named(reversed(folders)) == repositories.named(folders)
    assert list(repositories.named([folders[0], folders[0] / "../app"])) == ["app"]


def test_indexes_of_different_models_do_not_mix(trees: Any, environment: dict[str, str], monkeypatch: Any) -> None:
    from context_pack.session import Session
    from contracts.errors import ModelMismatch

    monkeypatch.setenv("CTXPACK_CACHE_DIR", environment["CTXPACK_CACHE_DIR"])
    corpora = {tree.name: Session.open(tree).corpus for tree in trees}

    class Other:
        model_id = "another"
        chunks = 1

    with pytest.raises(ModelMismatch, match="another, ctxpack-static-v1"):
        repositories.Repositories({**corpora, "gamma": Other()})  # type: ignore[dict-item]

"""Questions about what is no symbol of code: what tools run, events, numbers, statuses, schedules, migrations."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_pack import api
from contracts.records import Pack
from index.search.data.tasks import tools
from index.search.exact import TOOLS

FILES = {
    "Makefile": "build: lint\n\tgo build\n\nlint:\n\truff check\n\nVERSION := 1\n",
    "package.json": '{\n  "name": "shop",\n  "scripts": {\n    "build": "vite build",\n    "lint": "eslint"\n  },\n'
    '  "devDependencies": {\n    "vite": "^5"\n  }\n}\n',
    "compose.yaml": "services:\n  worker:\n    image: shop\n  api:\n    image: shop\nvolumes:\n  carts:\n",
    "Dockerfile": "FROM node AS deps\nRUN npm ci\n\nFROM deps AS build\nRUN npm run build\n",
    ".github/workflows/ci.yml": "on: push\njobs:\n  lint:\n    steps:\n      - name: Check style\n        run: make lint\n"
    "  build:\n    needs: lint\n    steps:\n      - run: yarn build\n",
    "tox.ini": "[tox]\nenvlist = lint\n\n[testenv:lint]\ncommands = ruff check\n",
    "app/build.gradle": "task bootCart {\n    println 'cart'\n}\n",
    "pyproject.toml": '[project]\nname = "shop"\n\n[tool.poe.tasks]\nlint = "ruff check"\n',
    "src/build.py": "def build(cart):\n    return lint(cart)\n\n\ndef lint(cart):\n    return cart\n",
    "src/worker.py": "class Worker:\n    def start(self):\n        return 'the worker service'\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    write(tmp_path / "tree", FILES)
    return tmp_path / "tree"


def write(tree: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")


def first_of(pack: Pack) -> tuple[str, str]:
    return pack.items[0].file, pack.items[0].content


@pytest.mark.parametrize(
    ("question", "file", "line"),
    [
        ("make build", "Makefile", "build: lint"),
        ("what does `make lint` do?", "Makefile", "lint:"),
        ("where is the make target lint defined", "Makefile", "lint:"),
        ("npm run build", "package.json", '"build": "vite build"'),
        ("yarn lint --fix", "package.json", '"lint": "eslint"'),
        ("docker compose up worker", "compose.yaml", "  worker:"),
        ("the api service in docker compose", "compose.yaml", "  api:"),
        ("docker build --target build .", "Dockerfile", "FROM deps AS build"),
        ("the deps stage of the Dockerfile", "Dockerfile", "FROM node AS deps"),
        ("CI job build", ".github/workflows/ci.yml", "  build:"),
        ("the step Check style in the workflow", ".github/workflows/ci.yml", "name: Check style"),
        ("tox -e lint", "tox.ini", "[testenv:lint]"),
        ("./gradlew :app:bootCart", "app/build.gradle", "task bootCart"),
        ("poe lint", "pyproject.toml", 'lint = "ruff check"'),
    ],
)
def test_what_a_tool_runs_is_shown_where_its_file_declares_it(
    tree: Path, question: str, file: str, line: str
) -> None:
    path, content = first_of(api.query(question, repo=tree, max_chars=1_000))
    assert path == file
    assert line in content


def test_what_runs_or_needs_it_comes_after_it(tree: Path) -> None:
    files = [item.file for item in api.query("make lint", repo=tree).items]
    assert files[:2] == ["Makefile", ".github/workflows/ci.yml"]
    assert "needs: lint" in "".join(item.content for item in api.query("CI job lint", repo=tree).items)


def test_what_the_file_of_a_tool_does_not_run_is_no_task(tree: Path) -> None:
    write(tree, {"src/request.py": "def request(cart):\n    return cart\n"})
    assert api.query("make request", repo=tree).items[0].file == "src/request.py"
    write(tree, {"ui/package.json": '{\n  "scripts": {\n    "vite": "vite serve"\n  }\n}\n'})
    assert api.query("npm run vite", repo=tree).items[0].file == "ui/package.json"  # the other one depends on it


def test_the_words_of_tools_are_those_of_their_rows() -> None:
    assert frozenset().union(*(tool.words for tool in tools())) == TOOLS

"""The layout of the modules: no import cycles, no crowded folders, few modules per query, nouns for names."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("contracts", "chunker", "index", "context_pack")
MAX_IN_A_FOLDER = 15


def modules(folders: Iterable[str] = PACKAGES) -> dict[str, Path]:
    """The modules of some folders by their dotted names; those of the product by default."""
    files = (file for folder in folders for file in sorted((ROOT / folder).rglob("*.py")))
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports(file: Path, ours: dict[str, Path]) -> set[str]:
    """Our modules that a file imports, anywhere in it, also for type checking only."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            modules = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in ours else node.module for name in modules}
    return {name for name in names if name in ours and ours[name] != file}


def test_no_module_imports_itself_through_others() -> None:
    ours = modules()
    try:
        TopologicalSorter({name: imports(file, ours) for name, file in ours.items()}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_no_folder_is_crowded() -> None:
    counts = Counter(file.parent.relative_to(ROOT) for file in modules().values() if file.name != "__init__.py")
    crowded = {str(folder): count for folder, count in counts.items() if count > MAX_IN_A_FOLDER}
    assert not crowded


# Participles and metaphors that could mean anything; a name should say what it holds (`hits`, `rows`). The rule
# also covers the benchmarks and the names of modules.
NO_NAMES = frozenset(
    "asked found having kept known learned told moved gathering collecting pictured following doubts likeness rooms "
    "subjects world".split()
)
PUBLISHED = {("contracts/reports.py", "asked"), ("contracts/reports.py", "found")}  # fields of `data`


def names_of(tree: ast.AST) -> Iterator[str]:
    """The names of a module's variables, parameters, fields, functions and classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def test_names_are_nouns_of_what_they_hold() -> None:
    names = {
        (str(file.relative_to(ROOT)), name)
        for file in modules((*PACKAGES, "benchmarks")).values()
        for name in (file.stem, *names_of(ast.parse(file.read_text())))
        if name.strip("_").lower() in NO_NAMES
    }
    assert names == PUBLISHED


@pytest.mark.parametrize(
    ("query", "most"),
    [
        ("from context_pack.cli import app\nassert app.run(['query', 'total_price', '--out', os.devnull]) == 0", 110),
        ("from context_pack.cli import app\nassert app.run(['query', 'total_price', '--format', 'md']) == 0", 111),
        ("import context_pack\nassert context_pack.query('total_price').items", 110),
    ],
)
def test_a_query_runs_through_few_modules(query: str, most: int, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("def total_price(items):\n    return sum(item.price for item in items)\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CTXPACK_CACHE_DIR": str(tmp_path / "cache")}
    code = f"import json, os, sys\n{query}\nprint(json.dumps(sorted(sys.modules)))"
    for _ in range(2):  # the second run has an index
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, cwd=tmp_path, env=environment, text=True
        )
    loaded = [name for name in json.loads(done.stdout.splitlines()[-1]) if name.partition(".")[0] in PACKAGES]
    assert len(loaded) <= most, loaded

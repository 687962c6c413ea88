"""The modules that start-up loads, and the environments in which it refuses to start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import context_pack

HOUSE = Path(context_pack.__file__).parent.parent

# Needed to build an index or to train a model; a query must not load any of it.
HEAVY = {
    "lancedb", "pyarrow", "torch", "mcp", "sentence_transformers", "tokenizers", "huggingface_hub", "tree_sitter",
    "tree_sitter_language_pack", "jsonschema", "pydantic", "importlib.metadata", "tomllib",
    "jinja2", "pygments", "toon_format", "pandas", "scipy",
}  # fmt: skip


def python(*arguments: str, path: Path | None = None, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter that finds our packages after those in `path`."""
    entries = [str(entry) for entry in (path, HOUSE) if entry is not None]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entries), "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, cwd=cwd, check=False
    )


def loaded_by(code: str) -> set[str]:
    done = python("-c", f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_library_loads_nothing_of_it() -> None:
    loaded = loaded_by("import context_pack")
    assert {name for name in loaded if name.startswith("context_pack")} == {"context_pack", "context_pack.version"}
    assert loaded.isdisjoint(HEAVY | {"numpy", "click", "contracts", "index", "chunker"})


def test_the_library_has_the_command_lines_verbs() -> None:
    for verb in context_pack.__all__:
        assert callable(getattr(context_pack, verb))
    with pytest.raises(AttributeError):
        context_pack.fly  # noqa: B018


def test_help_loads_no_index() -> None:
    loaded = loaded_by("from context_pack.cli import app\nassert app.run(['--help']) == 0")
    assert loaded.isdisjoint(HEAVY | {"numpy", "index.api", "index.repository", "chunker.api", "orjson"})


@pytest.mark.parametrize("room", ["contracts", "chunker", "index"])
def test_another_distributions_package_is_noticed(room: str, tmp_path: Path, conforms: Any) -> None:
    stranger = tmp_path / room
    stranger.mkdir()
    (stranger / "__init__.py").write_text("raise SystemExit('a stranger was run')\n")
    done = python("-m", "context_pack", "query", "x", path=tmp_path)
    assert done.returncode == 1
    envelope = json.loads(done.stdout)
    conforms(envelope, "envelope")
    message = envelope["error"]["message"]
    assert room in message and str(stranger) in message and "pipx" in message and "uv tool" in message
    assert message.count(". ") == 0, "one sentence"
    assert done.stderr.strip() == f"ctxpack: {message}"


def test_a_folder_of_the_same_name_is_not_another_distribution(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()  # no __init__.py: a namespace package, which any regular package of that name precedes
    done = python("-m", "context_pack", "--version", path=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"ctxpack, version {context_pack.__version__}\n")


PLAIN = """
from index.search import query, texts
from index.search.places import extensions
question = query.parse_query("how are carts registered")
assert texts.literals(question) == {question.text: "literal"} and not question.wants_tests
assert not extensions.extended_types(None, question.text)
for pattern in (texts._MARKED, texts._MARKED_FOREIGN, query._FOR_TESTS, extensions._WANTED):
    assert {*vars(pattern)} == {"_pattern", "_flags"}, "compiled"
assert "Cart is empty" in texts.literals(query.parse_query("where is `Cart is empty` logged"))
assert {*vars(texts._MARKED_FOREIGN)} == {"_pattern", "_flags"}, "compiled for a question in ASCII"
"""


def test_a_plain_question_compiles_no_pattern_that_cannot_match_it() -> None:
    done = python("-c", PLAIN)
    assert done.returncode == 0, done.stderr

"""All installation instructions name this distribution: `ctxpack` on the package index is another project."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import context_pack
from contracts.errors import DISTRIBUTION, with_extra

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = re.compile(
    r"(?:pipx|pip3?|uv tool|uv pip) (?:un)?(?:install|upgrade|run) (?:-{1,2}[\w-]+ )*|uvx (?:-{1,2}[\w-]+ )*|pipx run "
)
STRAY = re.compile(rf"(?:{INSTALLED.pattern})['\"]?ctxpack(?![\w-])|\buvx\W+ctxpack(?![\w-])|(?<![\w-])ctxpack\[")
TEXTS = {".md", ".py", ".lua", ".txt", ".ts", ".json", ".toml", ""}


def strays(text: str) -> list[str]:
    """The places where a text tells readers to install `ctxpack`; line breaks count as spaces."""
    return [found[0] for found in STRAY.finditer(re.sub(r"\s+", " ", text))]


@pytest.mark.parametrize(
    "text",
    ["`pipx install ctxpack`", "pip install 'ctxpack[mcp]'", "uv tool install\n    ctxpack,", "uvx ctxpack query x",
     "pip install --upgrade ctxpack==1", '{ "uvx", "ctxpack" }', "pipx uninstall ctxpack", "run `ctxpack[bge]`"],
)  # fmt: skip
def test_a_command_that_installs_the_other_project_is_noticed(text: str) -> None:
    assert strays(text)


@pytest.mark.parametrize(
    "text",
    ["pipx install ctxpack-code", with_extra("mcp"), "uvx --from ctxpack-code ctxpack", "pipx install . in ctxpack"],
)
def test_our_own_name_is_accepted(text: str) -> None:
    assert not strays(text)


def test_nobody_is_told_to_install_the_other_project() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    files = [
        Path(name) for name in listed.split("\0") if name and not name.startswith(("tests/", "benchmarks/explore"))
    ]
    found = {
        str(file): seen
        for file in files
        if file.suffix in TEXTS and (ROOT / file).is_file() and (seen := strays((ROOT / file).read_text("utf-8")))
    }
    assert found == {} and len(files) > 300


def test_whatever_a_plain_installation_asks_for_is_named_with_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (ROOT / "docs" / "installation.md").read_text("utf-8")
    rows = [row.split(" | ") for row in page.split("\n") if re.match(r"\| [^|]+ \| [\d.]+ \| ", row)]
    named = {name.lower() for row in rows for name in re.findall(r"[\w-]+", row[0])}
    asked = {re.split(r"[<>=]", one)[0].lower() for one in project["dependencies"]}
    assert asked <= named and all(len(row[2]) > 10 for row in rows)


def test_one_constant_holds_the_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == DISTRIBUTION and list(project["scripts"]) == ["ctxpack"]
    extension = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text("utf-8"))
    assert extension["version"] == context_pack.__version__
    packages = ("contracts", "chunker", "index", "context_pack")
    holders = [
        file
        for package in packages
        for file in (ROOT / package).rglob("*.py")
        if DISTRIBUTION in file.read_text("utf-8")
    ]
    assert [str(file.relative_to(ROOT)) for file in holders] == ["contracts/errors.py"]

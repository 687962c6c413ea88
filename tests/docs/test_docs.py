"""The documentation is right about commands, files and configurations."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from context_pack.cli.app import COMMANDS, cli
from context_pack.installer import changes
from context_pack.installer.agents import AGENTS
from context_pack.mcp.schemas import TOOLS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONTRIBUTING")),
    *sorted((ROOT / "docs").glob("*.md")),
]
RESULTS = [
    path
    for pattern in ("*.md", "results/*.md", "research/**/*.md")
    for path in sorted((ROOT / "benchmarks").glob(pattern))
]
PACKAGES = ("contracts", "chunker", "index", "context_pack")


def test_the_pages_of_the_commands_are_those_of_help() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/document.py", "--check"], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")


@pytest.mark.parametrize("page", [*PAGES, *RESULTS], ids=lambda page: str(page.relative_to(ROOT)))
def test_link_targets_exist(page: Path) -> None:
    """Files, folders, and the headings of pages."""
    for target, _, heading in re.findall(r"\]\(([^)#\s]*)(#([^)]+))?\)", page.read_text("utf-8")):
        if "://" not in target:
            path = page.parent / target if target else page
            assert path.exists(), f"{page.name}: {target}"
            assert not heading or heading in _anchors(path), f"{page.name}: {target}#{heading}"


def _anchors(page: Path) -> set[str]:
    """The names under which a page's headings can be linked to."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_folder_is_in_the_architecture() -> None:
    """ARCHITECTURE.md names every folder of modules, one or two levels deep."""
    plan = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rooms = [folder for package in PACKAGES for folder in (ROOT / package, *(ROOT / package).iterdir())]
    for room in rooms:
        if room.is_dir() and any(room.glob("*.py")):
            assert f"]({room.relative_to(ROOT)})" in plan, room


def _shown(page: Path) -> Iterator[list[str]]:
    """Every ctxpack command line that a page shows, as words."""
    text = page.read_text("utf-8")
    lines = re.findall(r"^(?:    |\t)(?:\$ |- run: )?(.*ctxpack .*)$", text, re.MULTILINE)
    for line in [*lines, *re.findall(r"`(ctxpack [^`|]+)`", text)]:
        for part in re.split(r"\||&&|;|\$\(", line.partition("   #")[0].replace("\\|", "|")):
            found = re.search(r"(?:^|/|\s)ctxpack\s(.*)", part)
            if found and not part.lstrip().startswith(("ctxpack:", "pipx", "#", "{", '"', "git", "with:")):
                yield re.sub(r"\"[^\"]*\"|'[^']*'|[<>].*|\.\.\.", " ", found[1]).split()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_shown_exist_with_their_options(page: Path) -> None:
    seen = 0
    for words in _shown(page):
        if not words or not words[0].isalpha() or words[0].isupper():
            continue
        name = words[0].strip(",")
        assert name in COMMANDS, f"{page.name}: ctxpack {' '.join(words)}"
        known = _options(name)
        for word in words[1:]:
            option = word.partition("=")[0].strip(",.")
            if option.startswith("--"):
                assert option in known, f"{page.name}: ctxpack {' '.join(words)}"
        seen += 1
    assert seen or page.name in (
        "ranking.md",
        "rules.md",
        "README.md",
        "python-api.md",
        "output.md",
        "CONTRIBUTING.md",
    ), page.name


def _options(name: str) -> set[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    below = list(command.commands.values()) if isinstance(command, click.Group) else []
    found = {
        option
        for one in (command, *below)
        for parameter in one.get_params(click.Context(one))
        for option in parameter.opts
    }
    return found | {"--help"}


def test_the_page_on_agents_names_them_all_and_shows_what_is_printed() -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    for name, agent in AGENTS.items():
        assert f"| {agent.title} | `{name}` |" in page
    block = re.search(r"^    \{\n(?:    .*\n)+?    \}\n", page, re.MULTILINE)
    assert block is not None
    printed = changes.configuration(AGENTS["cursor"], [ROOT], "ctxpack")
    assert json.loads(block.group()) == json.loads(printed)
    for tool in TOOLS:
        assert f"`{tool}`" in page


def test_pictures_are_drawn_from_real_runs(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "scripts/draw_pictures.py", str(tmp_path)], cwd=ROOT, check=True)
    drawn = sorted(path.name for path in tmp_path.iterdir())
    assert drawn == sorted(path.name for path in (ROOT / "docs" / "pictures").iterdir())
    for path in tmp_path.iterdir():
        text = path.read_text("utf-8")
        root = ElementTree.fromstring(text)
        assert root.tag.endswith("svg") and len(list(root)) > 10
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("https://bugs.python.org", "")
    terminal = (tmp_path / "terminal.svg").read_text("utf-8")
    assert "password" in terminal and "of 1800 characters" in terminal and str(tmp_path) not in terminal

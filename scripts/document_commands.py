"""Write docs/commands/: one page per command, from its own `--help`. With `--check`, only say what is out of date.

python scripts/document_commands.py [--check]
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "commands"
WIDTH = 100


def pages() -> dict[str, str]:
    """File name -> text, for every command and for the list of them."""
    from context_pack.cli.app import COMMANDS, cli

    made = {"README.md": _overview({name: summary for name, (_, summary) in COMMANDS.items()})}
    for name, command in _commands(cli):
        page = name.split()[0]
        made.setdefault(f"{page}.md", f"# ctxpack {page}\n\nMade from `ctxpack {page} --help`; do not edit.\n")
        made[f"{page}.md"] += f"\n```text\n{_help(name, command)}```\n"
    return made


def _commands(group: click.Group, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group, info_name=f"ctxpack {prefix}".strip())
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{prefix}{name}", command
        if isinstance(command, click.Group):
            yield from _commands(command, f"{prefix}{name} ")


def _help(name: str, command: click.Command) -> str:
    settings = {"help_option_names": ["-h", "--help"], "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=f"ctxpack {name}", **settings)
    text = command.get_help(context)
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).rstrip() + "\n"


def _overview(summaries: dict[str, str]) -> str:
    rows = "".join(f"| [`ctxpack {name}`]({name}.md) | {summary} |\n" for name, summary in summaries.items())
    return f"# Commands\n\nMade from `ctxpack --help`; do not edit.\n\n| command | what it does |\n|---|---|\n{rows}"


def main() -> int:
    os.environ.pop("COLUMNS", None)
    made = pages()
    kept = {path.name: path.read_text("utf-8") for path in PAGES.glob("*.md")}
    stale = sorted(name for name in {*made, *kept} if made.get(name) != kept.get(name))
    if "--check" in sys.argv:
        for name in stale:
            print(f"docs/commands/{name} is out of date: python scripts/document_commands.py", file=sys.stderr)
        return 1 if stale else 0
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in made:
            (PAGES / name).write_text(made[name], "utf-8")
        else:
            (PAGES / name).unlink()
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())

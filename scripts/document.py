"""Write the pages of docs/ that are generated from the program. With `--check`, only report which are out of date.

python scripts/document.py [--check]

docs/commands/: one page per command, from its own `--help`. docs/configuration.md: every option, from its record.
docs/python-api.md: the typed functions of `context_pack`. docs/output.md: the envelope and every error.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
WIDTH = 100
# Environment variables that are not options.
VARIABLES = {
    "CTXPACK_CACHE_DIR": "Folder of the indexes; default: the user's cache folder.",
    "CTXPACK_CONFIG_DIR": "Folder of the consents of `ctxpack trust`; default: the user's configuration folder.",
    "CTXPACK_DEBUG": "`1` prints a traceback if ctxpack fails.",
    "CTXPACK_FLEET_TOKEN": "Token that identifies the reader to the server of a fleet.",
    "CTXPACK_NO_BACKGROUND": "`1` stops background work after an answer.",
    "NO_COLOR": "Any value disables colours.",
    "PAGER": "Program that shows output longer than the screen; `cat` disables paging.",
    "SOURCE_DATE_EPOCH": "Time to put into a task packet, in seconds since 1970.",
}


def pages() -> dict[str, str]:
    """Path below docs/ -> text."""
    return {
        **command_pages(), "configuration.md": configuration(), "python-api.md": python_api(), "output.md": output()
    }  # fmt: skip


def command_pages() -> dict[str, str]:
    """One page per command, and the overview."""
    from context_pack.cli.app import COMMANDS, cli

    made = {"commands/README.md": _overview({name: summary for name, (_, summary) in COMMANDS.items()})}
    for name, command in _commands(cli):
        page = name.split()[0]
        file = f"commands/{page}.md"
        made.setdefault(file, f"# ctxpack {page}\n\nGenerated from `ctxpack {page} --help`; do not edit.\n")
        made[file] += f"\n```text\n{_help(name, command)}```\n"
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
    return (
        f"# Commands\n\nGenerated from `ctxpack --help`; do not edit.\n\n| command | what it does |\n|---|---|\n{rows}"
    )


CONFIGURATION = """# Configuration

Generated from the options' records by `scripts/document.py`; do not edit.

The value of an option comes from the first of these that sets it:

1. the request: command line (`--max-chars 8000`), a line of a batch, an argument of a tool, a keyword of the library
2. the environment: `CTXPACK_MAX_CHARS=8000`; several values are separated by commas
3. the repository's own file: `max_chars = 8000` in `ctxpack.toml`, or under `[tool.ctxpack]` in `pyproject.toml`; if
   both exist, only `ctxpack.toml` counts
4. the profile (`--profile`), which is a set of defaults
5. the default

A profile counts where it is chosen: `--profile fast` also precedes the `depth` of a file. With several `--repo`, each
repository's file sets how that repository is indexed; only the environment and the request set how a question is
answered.

`include` and `exclude` choose among indexed files by patterns as in a `.gitignore`. `*.{{js,ts}}` stands for `*.js` and
`*.ts`. A backslash before a letter, a digit, `_`, `*` or `.` and at the end separates folders (`app\\models\\**`);
before other characters, it means the character itself. To keep files out of the index, name them in a
`.ctxpackignore`, which has the syntax of a `.gitignore`.

Who may set an option:

- **all**: request, environment and the repository's own file
- **user**: it names models, files or programs of this machine; a repository's file may set it after `ctxpack trust DIR`
- **asker**: it belongs to one question, so only a request can set it
- **person**: only the command line, a line of a batch or the library; no file, variable or tool of an agent

## Options of packs, searches and indexes

| key | value | default | set by | what it does |
|---|---|---|---|---|
{settings}
## Profiles

| profile | {profile_keys} |
|---|{profile_rule}
{profiles}
## Options of a single request

Packs of work graphs, tasks, turns and wikis, and `ctxpack bench`, read no configuration file: their options are given
with each request.

| command | option | value | default | what it does |
|---|---|---|---|---|
{requests}
## Variables

In addition to `CTXPACK_` and the name in capitals, for each option that **all** or a **user** may set:

| variable | what it does |
|---|---|
{variables}"""
_BY = {"repository": "all", "user": "user", "asker": "asker", "person": "person"}
_COMMANDS = {"build": "turn", "merge": "turn merge"}


def configuration() -> str:
    """Every option with its type, default, bounds and who may set it."""
    from context_pack.options import spec

    keys = list(next(iter(spec.PROFILES.values())))
    return CONFIGURATION.format(
        settings="".join(
            f"| {_key(one)} | {one.value.in_words} | {_default(one)} | {_BY[one.by]} | {_cell(one.help)} |\n"
            for one in spec.SETTINGS
        ),
        profile_keys=" | ".join(f"`{key}`" for key in keys),
        profile_rule="---|" * len(keys),
        profiles="".join(
            f"| `{name}` | {' | '.join(f'{values[key]}' for key in keys)} |\n" for name, values in spec.PROFILES.items()
        ),
        requests="".join(
            f"| {_taken_by(one)} | `{one.flag}` | {one.value.in_words} | {_default(one)} | {_cell(one.help)} |\n"
            for one in spec.REQUESTS
        ),
        variables="".join(f"| `{name}` | {_cell(text)} |\n" for name, text in VARIABLES.items()),
    )


def _key(option: Any) -> str:
    """The name of a setting, with its command if the name means something else to other commands."""
    from context_pack.options.spec import setting

    return f"`{option.name}`" if setting(option.name) is option else f"`{option.name}` (`{option.on}`)"


def _default(option: Any) -> str:
    return "off" if option.default is False else _cell(option.default_text)


def _taken_by(option: Any) -> str:
    return ", ".join(f"`{_COMMANDS.get(name, name)}`" for name in option.on.split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


OUTPUT = """# Output, exit codes and errors

Generated from `contracts/errors.py` by `scripts/document.py`; do not edit.

On a terminal, answers are text on stdout and errors are text on stderr. Elsewhere, a command prints one JSON document,
the *envelope*, on one line (`--pretty` indents it). An answer in another `--format` (by default `graph`, `pages` and
`bench` print Markdown) is printed without the envelope; an error never is.

| field | what it contains |
|---|---|
| `status` | `ok` or `error` |
| `data` | the answer, whose schema has the name of the command; after an error null |
| `hints` | notes: each a `text` and a `type`, `info`, `warn` or `action` (what to do, commands in backticks) |
| `meta` | `ctxpack_version`, `duration_ms`; if they apply, `confidence` (`grade`, `reason`), `redactions`, `index` |
| `error` | only after an error: `code`, `message` (what failed where), `hint` (what to do), `details` for programs |
| `id` | only in batches: the id of the request |

The JSON Schemas of [contracts/command/v1](../contracts/command/v1) say what each field means: `envelope`, `error` and
one per command. That of `query` is `context_pack`; the commands of `fleet` have `fleet` (all that list repositories),
`fleet_prove` and `fleet_upkeep`. Those of `task` and `turn` are in [contracts/task/v1](../contracts/task/v1) and
[contracts/turn/v1](../contracts/turn/v1).

| exit code | |
|---:|---|
| 0 | an answer, even an empty one |
| 1 | an error |
| 2 | the command line is wrong |
| 130, 143 | stopped by SIGINT (Ctrl-C) or SIGTERM (`watch`, `fleet follow` and `fleet serve`: 0) |

## Errors

| `code` | when |
|---|---|
{errors}
The hints of type `action` that come with an error are commands to try, the most promising first. `CTXPACK_DEBUG=1`
prints a traceback.
"""


def output() -> str:
    """The envelope, and every code of an error from the tree in `contracts.errors`."""
    from contracts import errors

    cases: dict[str, list[str]] = {}
    for code, status, when in re.findall(r"── \w+ +(\w+) +(\d) +(.+)", str(errors.__doc__)):
        cases.setdefault(code, []).append(when if status == "1" else f"{when} (exit code {status})")
    return OUTPUT.format(errors="".join(f"| `{code}` | {'; '.join(whens)} |\n" for code, whens in cases.items()))


PYTHON = """# Python API

Generated from the typed functions of `context_pack` by `scripts/document.py`; do not edit.

    import context_pack

    pack = context_pack.query("EmbeddingCache", repo="~/src/project", max_chars=8000)
    for item in pack.items:
        print(item.id, item.score)

    session = context_pack.open("~/src/project")  # one index, many questions
    hits = session.search("retry backoff", top_k=5).data.hits

The package has type information (`py.typed`). Results are frozen dataclasses of `contracts`; an error is a
`contracts.errors.CtxpackError` with a `code` ([output.md](output.md) lists them), a `message`, a `hint` and `details`.
The methods of a session (`query`, `search`, `related`, `symbols`, `status`) return an `Answer`: its `data`, the `hints`
that the command line prints in addition, and for `query` and `search` its `grade` (`confidence` and `reason`).
`diff="HEAD"` packs the uncommitted changes. A pack in another format:

    from context_pack.render import layout

    answer = context_pack.open("~/src/project", format="md").query("EmbeddingCache")  # the budget counts Markdown
    print(layout("md").render(answer.data))

[configuration.md](configuration.md) describes every option and its default.
"""


def python_api() -> str:
    """Each public function with its signature, its docstring and its options."""
    import context_pack
    from context_pack import api

    text = PYTHON
    for name in context_pack.__all__:
        function = getattr(api, name)
        text += f"\n## {name}\n\n```python\n{_signature(name, function)}\n```\n\n{inspect.getdoc(function)}\n"
    return text


def _signature(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    lines: list[str] = []
    starred = False
    for one in signature.parameters.values():
        if one.kind is one.VAR_KEYWORD:
            lines += [] if starred else ["*"]
            lines += [f"{key}: {_type(hint)} = ..." for key, hint in _keywords(one.annotation).items()]
            continue
        if one.kind is one.KEYWORD_ONLY and not starred:
            lines.append("*")
            starred = True
        default = "" if one.default is one.empty else f" = {one.default!r}"
        lines.append(f"{one.name}: {one.annotation.replace('Repos', _REPOS).replace('Repo', _REPO)}{default}")
    return f"{name}(\n" + "".join(f"    {line},\n" for line in lines) + f") -> {signature.return_annotation}"


_REPO = "str | Path | None"
_REPOS = "str | Path | Sequence[str | Path] | None"


def _keywords(annotation: str) -> dict[str, Any]:
    from context_pack.options import keywords

    return get_type_hints(getattr(keywords, annotation.removeprefix("Unpack[keywords.").removesuffix("]")))


def _type(hint: Any) -> str:
    if get_args(hint) and str(hint).startswith("typing.Literal"):
        return f"Literal[{', '.join(map(repr, get_args(hint)))}]"
    if isinstance(hint, type):
        return hint.__name__
    return re.sub(r"\b(?:collections\.abc|pathlib(?:\._local)?|typing)\.", "", str(hint))  # Python 3.13 has `_local`


def main() -> int:
    os.environ.pop("COLUMNS", None)
    made = pages()
    written = {f"commands/{path.name}": path.read_text("utf-8") for path in (DOCS / "commands").glob("*.md")}
    written |= {
        name: (DOCS / name).read_text("utf-8") for name in made if name not in written and (DOCS / name).exists()
    }
    stale = sorted(name for name in {*made, *written} if made.get(name) != written.get(name))
    if "--check" in sys.argv:
        for name in stale:
            print(f"docs/{name} is out of date: python scripts/document.py", file=sys.stderr)
        return 1 if stale else 0
    (DOCS / "commands").mkdir(parents=True, exist_ok=True)
    for name in stale:
        if name in made:
            (DOCS / name).write_text(made[name], "utf-8")
        else:
            (DOCS / name).unlink()
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())

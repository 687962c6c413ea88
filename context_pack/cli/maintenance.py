"""The commands that build, measure and remove an index, manage models, and print shell completions."""

from __future__ import annotations

from typing import Any

import click

from context_pack import maintenance
from context_pack.answer import Reply
from context_pack.cli.options import completing, given
from context_pack.cli.output import command, write
from context_pack.cli.progress import exit_on_sigterm, progress_line, stoppable
from context_pack.options.values import MODEL

SHELLS = ("bash", "zsh", "fish")


@command("index", "ctxpack index", "ctxpack index ~/src/app --full")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
def index(folder: str | None, repo: str | None, full: bool, **values: Any) -> Reply:
    """Build or refresh the index of DIR (default: the enclosing repository). Questions do this automatically."""
    with stoppable(), progress_line() as progress:
        answer, corpus = maintenance.build(folder or repo, given(values), full=full, progress=progress)
    return Reply(answer, corpus=corpus)


@command("bench", "ctxpack bench", "ctxpack bench --repo ~/src/project --commits 100 --explain")
def bench(commits: int, format: str, repo: str | None, model: str | None, explain: bool | None) -> Reply:
    """Measure how much ctxpack finds on your own repository, compared with plain BM25 and `grep -l`.

    The newest commits are the questions: the subject is the query, and the one to three source files that the commit
    changed, with the changed lines, are the right answer. All questions are asked of the tree before the oldest of
    these commits, in a temporary folder; the repository itself is only read.
    """
    from context_pack.benchmark.run import bench as measure
    from context_pack.render.bench import render

    with exit_on_sigterm(), progress_line() as progress:
        answer = measure(repo, count=commits, model=model or "auto", explain=bool(explain), progress=progress)
    return Reply(answer, render(answer.data, format), markdown=lambda: render(answer.data, "md") or "")


@command("clean")
def clean(repo: str | None, **values: Any) -> Reply:
    """Remove the index of a repository, the caches of its graphs and vaults, and its clone if it came from a URL.

    The next question builds the index again. Indexes unused for 30 days are removed automatically.
    """
    return Reply(maintenance.clean(repo, given(values)))


@command("trust", "ctxpack trust .", "ctxpack trust ~/src/app --revoke")
@click.argument("folder", metavar="DIR", type=click.Path())
def trust(folder: str, revoke: bool) -> Reply:
    """Allow the repository in DIR to choose models, index folders and other files on this machine.

    The consent covers the current content of its ctxpack.toml (or pyproject.toml), and git objects that it borrows from
    another repository. It is stored in your own configuration folder.
    """
    return Reply(maintenance.trust(folder, revoke=revoke))


@click.group()
def model() -> None:
    """List the embedding models, or download one. No other command downloads a model."""


@command("list", group=model)
def list_models() -> Reply:
    """List the available models, and which of them are on this machine."""
    return Reply(maintenance.models())


@command("pull", "ctxpack model pull bge-small", group=model)
@click.argument("name", shell_complete=completing(MODEL))
def pull_model(name: str) -> Reply:
    """Download the model NAME into the local Hugging Face cache."""
    return Reply(maintenance.pull(name))


@command("completion", "ctxpack completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root().command
    script = ShellComplete.source(kind(root, {}, "ctxpack", "_CTXPACK_COMPLETE"))  # the base class calls no shell
    write(f"{script}\n".encode())

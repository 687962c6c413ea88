"""The commands that look after an index: build, measure and remove it, get models; and the shell's completion."""

from __future__ import annotations

from typing import Any

import click

from context_pack.answer import Reply
from context_pack.cli.options import completing, given
from context_pack.cli.output import command, write
from context_pack.cli.progress import exit_on_sigterm, progress_line, stoppable
from context_pack.options.values import MODEL

SHELLS = ("bash", "zsh", "fish")


@command("index", "ctxpack index", "ctxpack index ~/src/app --full")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
def index(folder: str | None, repo: str | None, full: bool, **values: Any) -> Reply:
    """Build or refresh the index of DIR (default: the enclosing repository). A question does this by itself."""
    from context_pack import maintenance

    with stoppable(), progress_line() as progress:
        answer, corpus = maintenance.build(folder or repo, given(values), full=full, progress=progress)
    return Reply(answer, corpus=corpus)


@command("bench", "ctxpack bench", "ctxpack bench --repo ~/src/project --commits 100 --explain")
def bench(commits: int, format: str, repo: str | None, model: str | None, explain: bool | None) -> Reply:
    """How much ctxpack finds on your own repository, beside plain BM25 and `grep -l`.

    The newest commits are the questions: what their subject says, answered by the one to three source files that they
    changed and by the lines that they changed in them. All are asked of the tree before the oldest of them, which is
    written to a scratch folder and removed again; the repository itself is only read.
    """
    from context_pack.benchmark.run import bench as measure
    from context_pack.render.bench import render

    with exit_on_sigterm(), progress_line() as progress:
        answer = measure(repo, count=commits, model=model or "auto", explain=bool(explain), progress=progress)
    return Reply(answer, render(answer.data, format), markdown=lambda: render(answer.data, "md") or "")


@command("clean")
def clean(repo: str | None, **values: Any) -> Reply:
    """Remove the index of a repository, and the caches of the graphs and vaults in it; a clone of a URL, too.

    The next question makes it again. What nobody asked about for 30 days goes by itself.
    """
    from context_pack import maintenance

    return Reply(maintenance.clean(repo, given(values)))


@command("trust", "ctxpack trust .", "ctxpack trust ~/src/app --revoke")
@click.argument("folder", metavar="DIR", type=click.Path())
def trust(folder: str, revoke: bool) -> Reply:
    """Agree that the repository in DIR may choose models, index folders and other files of this machine.

    The consent is for its ctxpack.toml (or pyproject.toml) as it is now, and for objects that its git folder borrows
    from elsewhere. It is kept in your own configuration folder.
    """
    from context_pack import maintenance

    return Reply(maintenance.trust(folder, revoke=revoke))


@click.group()
def model() -> None:
    """List the embedding models, or get one. Nothing else ever downloads anything."""


@command("list", group=model)
def list_models() -> Reply:
    """The models that can be named, and which of them are on this machine."""
    from context_pack import maintenance

    return Reply(maintenance.models())


@command("pull", "ctxpack model pull bge-small", group=model)
@click.argument("name", shell_complete=completing(MODEL))
def pull_model(name: str) -> Reply:
    """Download the model NAME into the local hub cache."""
    from context_pack import maintenance

    return Reply(maintenance.pull(name))


@command("completion", "ctxpack completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root().command
    script = ShellComplete.source(kind(root, {}, "ctxpack", "_CTXPACK_COMPLETE"))  # the base class's asks no shell
    write(f"{script}\n".encode())

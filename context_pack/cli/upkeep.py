"""The commands that look after an index: build it, remove it, list and get models; and the shell's completion."""

from __future__ import annotations

from typing import Any

import click

from context_pack.cli.emit import write, write_envelope
from context_pack.cli.interrupt import stoppable
from context_pack.cli.options import given, options
from context_pack.cli.progress import progress_line

SHELLS = ("bash", "zsh", "fish")


@click.command(name="index")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path())
@click.option("--full", is_flag=True, help="Read every file again.")
@options("repo", "profile", "model", "index_dir", "max_file_bytes", "wait", "out", "pretty")
def build(folder: str | None, repo: str | None, full: bool, out: str | None, pretty: bool, **values: Any) -> None:
    """Build or refresh the index of DIR (default: the enclosing repository). A question does this by itself."""
    from context_pack import upkeep
    from context_pack.envelope import answered

    with stoppable(), progress_line() as progress:
        answer, corpus = upkeep.build(folder or repo, given(values), full=full, progress=progress)
    write_envelope(answered(answer, corpus), pretty=pretty, out=out)


@click.command()
@options("repo", "index_dir", "out", "pretty")
def clean(repo: str | None, out: str | None, pretty: bool, **values: Any) -> None:
    """Remove the index of a repository, and what is kept about the graphs and vaults in it.

    The next question makes it again. What nobody asked about for 30 days goes by itself.
    """
    from context_pack import upkeep
    from context_pack.envelope import answered

    write_envelope(answered(upkeep.clean(repo, given(values))), pretty=pretty, out=out)


@click.command(epilog="\b\nExamples:\n  ctxpack trust .\n  ctxpack trust ~/src/app --revoke")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option("--revoke", is_flag=True, help="Take the consent back.")
@options("out", "pretty")
def trust(folder: str, revoke: bool, out: str | None, pretty: bool) -> None:
    """Agree that the repository in DIR may choose models, index folders and other files of this machine.

    The consent is for its ctxpack.toml (or pyproject.toml) as it is now, and for objects that its git folder borrows
    from elsewhere. It is kept in your own configuration folder.
    """
    from context_pack import upkeep
    from context_pack.envelope import answered

    write_envelope(answered(upkeep.trust(folder, revoke=revoke)), pretty=pretty, out=out)


@click.group()
def model() -> None:
    """List the embedding models, or get one. Nothing else ever downloads anything."""


@model.command("list")
@options("out", "pretty")
def list_models(out: str | None, pretty: bool) -> None:
    """The models that can be named, and which of them are on this machine."""
    from context_pack import upkeep
    from context_pack.envelope import answered

    write_envelope(answered(upkeep.models()), pretty=pretty, out=out)


@model.command("pull", epilog="\b\nExample:\n  ctxpack model pull bge-small")
@click.argument("name")
@options("out", "pretty")
def pull_model(name: str, out: str | None, pretty: bool) -> None:
    """Download the model NAME into the local hub cache."""
    from context_pack import upkeep
    from context_pack.envelope import answered

    write_envelope(answered(upkeep.pull(name)), pretty=pretty, out=out)


@click.command(epilog="\b\nExample:\n  ctxpack completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the completion script for a shell."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    root = context.find_root().command
    script = ShellComplete.source(kind(root, {}, "ctxpack", "_CTXPACK_COMPLETE"))  # the base class's asks no shell
    write(f"{script}\n".encode())


COMMANDS = (build, clean, trust, model, completion)

"""Command-line options, derived from their records; and a command line that can be written out again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import Any

import click
from click.core import ParameterSource

from context_pack.options import spec
from context_pack.options.values import FLAG, Value

_PATHS = {"FILE": "file", "DIR": "dir", "PATH": "file"}


class OptionType(click.ParamType[Any]):
    """Parses and checks a value, with the same error messages as files, batches and the library."""

    def __init__(self, option: spec.Option) -> None:
        self.option = option
        self.name = option.value.metavar or "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        read = self.option.read(value)
        try:
            self.option.value.check(read)
        except ValueError as error:
            raise click.BadOptionUsage(self.option.name, f"{self.option.flag} {error}", ctx) from None
        return read

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        return completions(self.option.value, incomplete)


def completions(value: Value, incomplete: str) -> list[Any]:
    """Completions for an incomplete value: names, or files and folders by the shell itself."""
    from click.shell_completion import CompletionItem

    if value.names is None:
        kind = _PATHS.get(value.metavar)
        return [CompletionItem(incomplete, type=kind)] if kind else []
    before, comma, last = incomplete.rpartition(",") if "," in value.metavar else ("", "", incomplete)
    return [CompletionItem(f"{before}{comma}{name}") for name in sorted(value.names()) if name.startswith(last)]


def completing(value: Value) -> Callable[[click.Context, click.Parameter, str], list[Any]]:
    """The completion function of a positional argument."""
    return lambda context, parameter, incomplete: completions(value, incomplete)


def click_option(option: spec.Option) -> click.Option:
    """The click option of a record. A default of None means not given, so that files and profiles decide."""
    shown = f" [{option.default_text}]" if option.default_text else ""
    names = [option.flag, option.name]
    if option.value is FLAG:
        default = None if option.by in ("repository", "person", "asker") else False
        return click.Option(names, is_flag=True, default=default, help=option.help)
    bare: dict[str, Any] = {"is_flag": False, "flag_value": option.bare} if option.bare else {}
    return click.Option(
        names,
        type=OptionType(option),
        metavar=option.spelled or option.value.metavar,
        multiple=option.value.several,
        default=None if option in spec.SETTINGS else option.default,
        help=f"{option.help}{shown}",
        **bare,
    )


def given(values: dict[str, Any]) -> dict[str, object]:
    """The options that were given on the command line."""
    return {name: value for name, value in values.items() if value is not None and value != ()}


def alike(error: click.NoSuchOption) -> list[str]:
    """The options of the command that resemble an unknown one."""
    from difflib import get_close_matches

    parameters = error.ctx.command.get_params(error.ctx) if error.ctx else ()
    names = {flag.lstrip("-"): flag for one in parameters for flag in one.opts if flag.startswith("--")}
    return [names[name] for name in get_close_matches(error.option_name.lstrip("-"), names)]


def takes_text(context: click.Context | None) -> bool:
    """Whether the command has an argument for any text."""
    parameters = context.command.params if context else ()
    return any(isinstance(one, click.Argument) and one.name in ("text", "target", "pattern") for one in parameters)


ABOUT = ("repo", "root", "vault", "folder")  # parameters that name the folder of the question
MUTATIONS = ("clean", "install", "trust", "uninstall")  # commands that are not suggested for another folder


class CommandLine:
    """The command of a context with the arguments and options that were given."""

    def __init__(self, context: click.Context) -> None:
        self._context = context
        self._parameters = {one.name: one for one in context.command.params if one.name}
        self._given = {
            name: value
            for name, value in context.params.items()
            if name in self._parameters and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        arguments = (one for one in context.command.params if isinstance(one, click.Argument))
        self._subject = next((one.name or "" for one in arguments if not isinstance(one.type, click.Choice)), "")
        named = [self._given[name] for name in ABOUT if self._given.get(name)]
        self.folder = str(named[0][0] if isinstance(named[0], tuple) else named[0]) if named else ""

    def help(self) -> str:
        return f"{self._context.command_path} --help"

    def look_for(self, text: str, verb: str = "symbols") -> str:
        """A `symbols` or a `query` command; empty for a fleet or a command that reads no repository of code."""
        if self._given.get("fleet"):
            return ""
        if "repo" not in self._parameters:
            return ""
        repo = ["--repo", self.folder] if self.folder else []
        return _command(f"ctxpack {verb}", [text], [*repo, *self._same_index()])

    def index(self, *options: str) -> str:
        return _command("ctxpack index", [self.folder] if self.folder else [], [*options, *self._same_index()])

    def _same_index(self) -> list[str]:
        """The given options that say which index of the folder is meant."""
        chosen = [(self._parameters[name], self._given[name]) for name in ("index_dir", "model") if name in self._given]
        return [word for parameter, value in chosen for word in _spelled_option(parameter, value)]

    def about(self, target: str) -> str:
        return self._spelled({**self._given, self._subject: target}) if self._subject else ""

    def with_options(self, **changes: object) -> str:
        """The same command line with other options; empty if the command has no such option."""
        if "folder" in changes:
            changes = {name: changes["folder"] for name in ABOUT if name in self._given}
            if not changes or self._context.info_name in MUTATIONS:
                return ""
        if any(name not in self._parameters and value is not None for name, value in changes.items()):
            return ""
        others = {name: value for name, value in self._given.items() if name not in changes}
        return self._spelled({**others, **{name: value for name, value in changes.items() if value is not None}})

    def _spelled(self, values: Mapping[str, Any]) -> str:
        arguments: list[str] = []
        options: list[str] = []
        for name, value in values.items():
            parameter = self._parameters[name]
            if isinstance(parameter, click.Argument):
                arguments += map(str, value if isinstance(value, tuple) else [value])
            else:
                options += _spelled_option(parameter, value)
        return _command(self._context.command_path, arguments, options)


def _command(path: str, arguments: list[str], options: list[str]) -> str:
    """A command as a shell takes it, even if an argument looks like an option."""
    stopped = any(one.startswith("-") and one != "-" for one in arguments)
    words = [*options, "--", *arguments] if stopped else [*arguments, *options]
    return shlex.join([*path.split(), *words])


def _spelled_option(parameter: click.Parameter, value: Any) -> list[str]:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return [parameter.opts[0]] if value else []
    several = value if parameter.multiple and isinstance(value, tuple) else [value]
    return [
        word for one in several for word in (parameter.opts[0], ",".join(one) if isinstance(one, tuple) else str(one))
    ]

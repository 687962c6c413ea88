"""A command line as one who can ask again: spelled from click's own context, so that what it suggests exists."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

FOLDERS = ("repo", "root", "vault", "folder")  # parameters that name the folder that is asked about


class CommandLine:
    """The command of a context with what was given to it."""

    def __init__(self, context: click.Context) -> None:
        self._context = context
        self._parameters = {one.name: one for one in context.command.params if one.name}
        self._given = {
            name: value
            for name, value in context.params.items()
            if name in self._parameters and context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        self._subject = next((name for name, one in self._parameters.items() if _is_free(one)), "")
        value = self._given.get(self._subject, "")
        self.subject = str(value[0] if isinstance(value, tuple) and value else value)
        named = [self._given[name] for name in FOLDERS if self._given.get(name)]
        self.folder = str(named[0][0] if named and isinstance(named[0], tuple) else named[0]) if named else "."

    def help(self) -> str:
        return f"{self._context.command_path} --help"

    def look_for(self, pattern: str) -> str:
        """Symbols are those of a repository's code; of other records there are none."""
        return shlex.join(["ctxpack", "symbols", pattern, "--repo", self.folder]) if "repo" in self._parameters else ""

    def about(self, target: str) -> str:
        return self._spelled({**self._given, self._subject: target}) if self._subject else ""

    def again(self, **changes: object) -> str:
        """The same with other options; empty where the command has no such option."""
        if "folder" in changes:
            changes = {name: changes["folder"] for name in FOLDERS if name in self._given}
            if not changes:
                return ""
        if any(name not in self._parameters and value is not None for name, value in changes.items()):
            return ""
        kept = {name: value for name, value in self._given.items() if name not in changes}
        return self._spelled({**kept, **{name: value for name, value in changes.items() if value is not None}})

    def _spelled(self, values: Mapping[str, Any]) -> str:
        arguments: list[str] = []
        options: list[str] = []
        for name, value in values.items():
            parameter = self._parameters[name]
            if isinstance(parameter, click.Argument):
                arguments += map(str, value if isinstance(value, tuple) else [value])
            else:
                options += _option(parameter, value)
        stopped = ["--"] if any(one.startswith("-") and one != "-" for one in arguments) else []
        words = [*options, *stopped, *arguments] if stopped else [*arguments, *options]
        return shlex.join([*self._context.command_path.split(), *words])


def _is_free(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument) and not isinstance(parameter.type, click.Choice)


def _option(parameter: click.Parameter, value: Any) -> list[str]:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return [parameter.opts[0]] if value else []
    several = value if parameter.multiple and isinstance(value, tuple) else [value]
    return [
        word for one in several for word in (parameter.opts[0], ",".join(one) if isinstance(one, tuple) else str(one))
    ]

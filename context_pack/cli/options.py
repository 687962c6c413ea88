"""Every option of the command line, made of its record; a command takes those that name it."""

from __future__ import annotations

from typing import Any

import click

from context_pack.options import spec
from context_pack.options.values import FLAG, Value

_PATHS = {"FILE": "file", "DIR": "dir", "PATH": "file"}


class WrongValue(click.BadParameter):
    """A value that is refused in the words that a file, a batch and the library hear too."""

    def format_message(self) -> str:
        return self.message


class OptionType(click.ParamType[Any]):
    """Reads a value. What a setting may be, `resolve` checks with the rest; any other option is checked here."""

    def __init__(self, option: spec.Option) -> None:
        self.option = option
        self.name = option.value.metavar or "value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        read, spelled = self.option.read(value)
        if self.option not in spec.SETTINGS or not spelled:
            try:
                self.option.value.check(read)
            except ValueError as error:
                raise WrongValue(f"{self.option.name} {error}", ctx, param) from None
        return read

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        return completions(self.option.value, incomplete)


def completions(value: Value, incomplete: str) -> list[Any]:
    """What a shell offers for the beginning of a value: names, or its own files and folders."""
    from click.shell_completion import CompletionItem

    if value.names is None:
        kind = _PATHS.get(value.metavar)
        return [CompletionItem(incomplete, type=kind)] if kind else []
    before, comma, last = incomplete.rpartition(",") if "," in value.metavar else ("", "", incomplete)
    return [CompletionItem(f"{before}{comma}{name}") for name in sorted(value.names()) if name.startswith(last)]


def click_options(command: str) -> list[click.Parameter]:
    """The options of a command, in the order of the records."""
    return [_option(option) for option in spec.options_of(command)]


def _option(option: spec.Option) -> click.Option:
    """A default of None means: not given, so that files and profiles decide."""
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

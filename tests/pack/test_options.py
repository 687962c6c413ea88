"""One record per option: every use of the option exists and agrees with the record."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import click
import jsonschema
import pytest

import context_pack
from context_pack import api, kinds
from context_pack.cli.app import cli
from context_pack.mcp.schemas import TOOLS
from context_pack.options import keywords, spec
from context_pack.options.resolve import Layer, Settings, resolve
from context_pack.options.values import CHANGE, FILE, FILES, FLAG, FOLDER, FOLDERS, MEMORY, MODEL, TEXT, Value
from contracts.errors import InvalidRequest

SOURCES = Path(context_pack.__file__).parent
SETTING_NAMES = {one.name for one in spec.SETTINGS}
IDS = [f"{one.name}:{one.on}" for one in spec.OPTIONS]


def _commands(group: click.Group = cli) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command)
        else:
            yield getattr(command, "records", name), command


KINDS_OF_RECORDS = sorted(one.name for one in pkgutil.iter_modules(kinds.__path__) if one.name != "code")


@pytest.mark.parametrize("kind", KINDS_OF_RECORDS)
def test_a_kind_of_pack_is_asked_everywhere(kind: str) -> None:
    command = "build" if kind == "turn" else kind
    assert callable(import_module(f"context_pack.kinds.{kind}").answer)
    assert kind in context_pack.__all__ and callable(getattr(api, kind))
    assert command in dict(_commands()) and command in spec.KINDS.split()
    assert command in {tool.commands for tool in TOOLS.values()}


def test_every_setting_is_a_field_and_every_field_a_setting() -> None:
    assert {one.name for one in fields(Settings)} == SETTING_NAMES


def test_every_setting_is_read_by_the_program() -> None:
    program = "".join(
        path.read_text() for path in SOURCES.rglob("*.py") if path.parent.name != "options" or path.name == "resolve.py"
    )
    for name in SETTING_NAMES:
        assert re.search(rf"(settings|self|options|chosen)\.{name}\b|merged\[\"{name}\"\]", program), name


def test_every_command_of_a_record_exists_and_takes_it() -> None:
    commands = dict(_commands())
    assert set(" ".join(one.on for one in spec.OPTIONS).split()) == set(commands) - {"completion"}
    for name, command in commands.items():
        named = [one.name for one in spec.options_of(name)]
        assert len(named) == len(set(named)), f"{name} has an option twice"
        command.get_params(click.Context(command))
        assert [one.name for one in command.params if isinstance(one, click.Option)] == named
        assert command.callback is not None
        taken = {str(one.name): None for one in command.params if one.name not in ("out", "pretty", "color")}
        inspect.signature(command.callback).bind(**taken)  # the function inside the one that writes its reply


@pytest.mark.parametrize("option", spec.OPTIONS, ids=IDS)
def test_a_record_is_whole(option: spec.Option) -> None:
    assert option.help.endswith(".") and option.value.in_words
    assert option.value is FLAG or option.spelled or option.value.metavar
    if option.default not in (None, ()):
        assert option.value.check(option.default) == option.default
        jsonschema.validate(option.default, option.value.schema)


@pytest.mark.parametrize("command", [name for name, _ in _commands()])
def test_the_schema_of_a_command_has_what_any_asker_may_set(command: str) -> None:
    schema = spec.json_schema(command)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["properties"]).isdisjoint({"no_redact", "model", "index_dir", "have_pack", "tokenizer", "out"})
    for one in schema["properties"].values():
        assert one["description"] and "Default" not in one["description"].partition("Default: ")[2]
    assert spec.json_schema("query")["properties"]["max_chars"]["default"] == resolve().max_chars


KEYWORDS = {
    "query": keywords.QueryKeywords, "search": keywords.SearchKeywords, "related": keywords.RelatedKeywords,
    "symbols": keywords.SymbolsKeywords,
}  # fmt: skip
OPTIONS = {
    "query": keywords.QueryOptions, "search": keywords.SearchOptions, "related": keywords.RelatedOptions,
    "index": keywords.IndexOptions, "clean": keywords.CleanOptions, "graph": keywords.GraphOptions,
    "task": keywords.TaskOptions, "build": keywords.TurnOptions,
}  # fmt: skip
NOT_SETTINGS = {"format", "sidecar", "no_timestamp"}


@pytest.mark.parametrize("command", OPTIONS)
def test_the_library_takes_what_the_command_line_takes(command: str) -> None:
    records = [*spec.SETTINGS, *spec.REQUESTS]
    taken = {one.name for one in records if command in one.on.split()} - NOT_SETTINGS
    taken -= {"explain"} if command == "build" else set()  # only the command line explains a build
    assert set(get_type_hints(OPTIONS[command])) == taken


@pytest.mark.parametrize("command", KEYWORDS)
def test_a_session_takes_what_may_differ_from_question_to_question(command: str) -> None:
    assert sorted(get_type_hints(KEYWORDS[command])) == list(spec.per_question(command))


def test_pages_take_their_options_as_parameters() -> None:
    taken = {one.name for one in spec.options_of("pages") if one in spec.REQUESTS} - NOT_SETTINGS
    assert set(inspect.signature(api.pages).parameters) - {"text", "vault"} == taken


def _hint(value: Value) -> object:
    """The type of a value in the library."""
    if "enum" in value.schema:
        return Literal[tuple(value.schema["enum"])]
    if value is FLAG:
        return bool
    if value in (FILE, FOLDER):
        return str | Path
    if value in (FILES, FOLDERS):
        return str | Path | Sequence[str | Path]
    if value in (TEXT, MODEL, CHANGE):
        return str
    if value is MEMORY:
        return int | str
    return {"integer": int, "number": float}.get(value.schema["type"], str | Sequence[str])


def test_keywords_have_the_types_of_their_values() -> None:
    for command, kind in {**OPTIONS, **KEYWORDS}.items():
        values = {one.name: one.value for one in spec.options_of(command)}
        for name, hint in get_type_hints(kind).items():
            if name in values:
                assert hint == _hint(values[name]) or set(get_args(hint)) == set(get_args(_hint(values[name]))), name


def test_keywords_of_a_session_have_the_types_of_their_settings() -> None:
    for name, hint in get_type_hints(keywords.SessionOptions).items():
        option = spec.setting(name)
        assert option is not None
        assert hint == _hint(option.value) or set(get_args(hint)) == set(get_args(_hint(option.value))), name


def test_every_variable_is_documented_and_read() -> None:
    house = SOURCES.parent
    code = "".join(
        path.read_text() for name in ("context_pack", "index", "chunker") for path in (house / name).rglob("*.py")
    )
    read = set(re.findall(r"[\"\'](CTXPACK_[A-Z_]+)[\"\']", code))
    read |= {f"CTXPACK_{kind.upper()}_DIR" for kind in ("cache", "config")}  # put together by `user_folder`
    page = (house / "docs" / "configuration.md").read_text("utf-8")
    assert read == set(re.findall(r"^\| `(CTXPACK_[A-Z_]+)` \|", page, re.MULTILINE))
    assert not read & {f"CTXPACK_{name.upper()}" for name in SETTING_NAMES}


@pytest.mark.parametrize(
    ("name", "text"), [("max_chars", "many"), ("fit", "squeeze"), ("no_docs", "maybe"), ("wait", "x")]
)
def test_command_line_environment_file_and_library_say_the_same(name: str, text: str, monkeypatch: Any) -> None:
    option = spec.setting(name)
    assert option is not None
    with pytest.raises(InvalidRequest) as by_request:
        resolve(Layer({name: text}))
    from context_pack.options.resolve import environment

    monkeypatch.setenv(f"CTXPACK_{name.upper()}", text)
    with pytest.raises(InvalidRequest) as by_environment:
        resolve(environment())
    assert by_environment.value.message == f"CTXPACK_{by_request.value.message.replace(name, name.upper(), 1)}"
    if option.value is not FLAG:
        with pytest.raises(click.UsageError) as by_command_line:
            cli.main(["query", "x", option.flag, text], standalone_mode=False)
        assert by_command_line.value.format_message() == by_request.value.message.replace(name, option.flag, 1)


def test_md_may_be_spelled_markdown() -> None:
    options = [option for option in spec.OPTIONS if option.name == "format"]
    with_md = [option for option in options if "md" in option.value.schema["enum"]]
    assert (
        {option.value.check(option.read("markdown")) for option in with_md}
        == {option.read("markdown") for option in with_md}
        == {"md"}
    )
    for option in options:
        if option not in with_md:
            with pytest.raises(ValueError, match="must be one of"):
                option.value.check("markdown")
    assert resolve(Layer({"format": "markdown"})).format == "md"


def test_a_pattern_may_start_like_a_path_that_a_shell_completes() -> None:
    settings = resolve(Layer({"include": "./src/*.py", "exclude": ["*.js", "./lib"]}))
    assert (settings.include, settings.exclude) == (("/src/*.py",), ("*.js", "/lib"))


def test_a_pattern_may_have_braces_and_the_separators_of_windows() -> None:
    globs = ["app\\models\\**", ".\\src\\", "*.{rb,erb}", "{a,b/{c,d}}.py", "{./e,f}"]
    include = resolve(Layer({"include": globs})).include
    assert include == ("app/models/**", "/src/", "*.rb", "*.erb", "a.py", "b/c.py", "b/d.py", "/e", "f")
    exact = ("\\#x", "\\!x", "x\\ ", "\\[id].ts", "\\{a,b}", "{{cookiecutter.name}}/*", "a\\\\b")
    assert resolve(Layer({"include": exact})).include == exact
    with pytest.raises(InvalidRequest, match="at most 100 patterns"):
        resolve(Layer({"include": "{a,b}" * 20}))
    with pytest.raises(InvalidRequest, match="at most 100 patterns"):
        resolve(Layer({"include": "{" + "," * 90_000 + "}" + "{" * 90_000}))


def test_documents_come_first_only_where_code_is_ranked() -> None:
    """`related` lists ties, which the option cannot order."""
    commands = [command for command in ("query", "search", "related") if "docs_first" in spec.per_question(command)]
    assert commands == ["query", "search"]

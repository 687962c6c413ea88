"""Options: one check for all their sources, and one order of precedence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from context_pack.io import paths
from context_pack.options import config_file
from context_pack.options.resolve import MAX_QUERY_CHARS, Layer, check_query, environment, log_hints, resolve
from context_pack.options.spec import PROFILES
from contracts.errors import CtxpackError, InvalidRequest, NotADirectory
from index.types import Filters


def test_nothing_chosen_is_the_balanced_profile() -> None:
    assert resolve() == resolve(Layer({"profile": "balanced"}))
    assert (resolve().profile, resolve().model, resolve().depth, resolve().max_chars) == ("balanced", "auto", 2, 20_000)


def test_later_layers_win_and_an_option_wins_over_its_layers_profile() -> None:
    file = Layer({"profile": "fast", "max_chars": 500, "limit": 3}, "ctxpack.toml")
    assert resolve(file).model == "embedded"
    assert (resolve(file, Layer({"limit": 7})).limit, resolve(file, Layer({"limit": 7})).max_chars) == (7, 500)
    assert resolve(file, Layer({"profile": "quality"})).model == "bge-small"
    assert resolve(file, Layer({"model": "org/model"})).model == "org/model"
    assert resolve(Layer({"model": "org/model", "profile": "fast"})).model == "org/model"
    assert resolve(Layer({"model": "org/model"}), Layer({"profile": "fast"})).model == "embedded"


def test_exploring_takes_a_step_more_unless_the_depth_is_given() -> None:
    explore = Layer({"related_mode": "explore"})
    assert (resolve(explore).depth, resolve(Layer({"profile": "fast"}), explore).depth) == (3, 3)
    assert [resolve(explore, Layer({"depth": depth})).depth for depth in (1, 2, 4)] == [1, 2, 4]


def test_every_profile_is_complete_and_valid() -> None:
    for name in PROFILES:
        assert resolve(Layer({"profile": name})).profile == name


WRONG: list[tuple[str, Any]] = [
    ("max_chars", 0), ("max_chars", -5), ("max_chars", "800"), ("max_chars", True), ("max_chars", 1.5),
    ("limit", 0), ("limit", 10**9), ("related", -1), ("top_k", 0), ("format", "pdf"), ("fit", "squeeze"),
    ("order", "names"), ("profile", "turbo"), ("model", ""), ("model", 7), ("language", "klingon"), ("language", 7),
    ("include", [1]),
    ("exclude", {"a": 1}), ("exclude", "!"), ("no_docs", "yes"), ("explain", 1), ("wait", -1), ("wait", "long"),
    ("index_dir", 3), ("max_charss", 800),
    ("memory", "300M"), ("memory", 399_999_999), ("memory", "much"), ("memory", "2T"), ("memory", True),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_option_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        resolve(Layer({name: value}, "ctxpack.toml"))
    assert refusal.value.details == {"field": name}
    assert refusal.value.message.startswith("ctxpack.toml: ") and name in refusal.value.message


@pytest.mark.parametrize(
    ("value", "count"), [("1.5G", 1_500_000_000), ("800m", 800_000_000), ("500000K", 500_000_000), (2**31, 2**31)]
)
def test_a_size_may_have_a_unit(value: object, count: int) -> None:
    assert resolve(Layer({"memory": value})).memory == count


def test_too_little_memory_is_refused_with_the_least() -> None:
    with pytest.raises(InvalidRequest, match=r"memory must be a size of at least 400M, such as 1\.5G, not '100M'"):
        resolve(Layer({"memory": "100M"}))


def test_a_misspelt_option_is_answered_with_the_right_one() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        resolve(Layer({"max_char": 800}))
    assert refusal.value.hint == "did you mean max_chars?"
    with pytest.raises(InvalidRequest, match="did you mean python"):
        resolve(Layer({"language": "pyton"}))


def test_documents_cannot_be_both_first_and_left_out() -> None:
    with pytest.raises(InvalidRequest, match="cannot be used together"):
        resolve(Layer({"no_docs": True}, "ctxpack.toml"), Layer({"docs_first": True}))


def test_filters() -> None:
    settings = resolve(Layer({"include": "src/**", "exclude": ["*.js", "*.css"], "language": "go", "no_docs": True}))
    assert settings.filters == Filters(("src/**",), ("*.js", "*.css"), ("go",), "skip")
    assert resolve(Layer({"docs_first": True})).filters.docs == "first"
    assert resolve().filters == Filters()


@pytest.mark.parametrize("query", ["", " \n\t", "x" * (MAX_QUERY_CHARS + 1), "\udcff", None, 7])
def test_an_empty_or_invalid_query_is_refused(query: object) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        check_query(query)
    assert refusal.value.details == {"field": "query"}


def test_the_end_of_a_long_log_is_the_query() -> None:
    log = "building\n" * 9_000 + "  at Cart.total"
    query = check_query(log)
    assert log.endswith(query) and query.startswith("building\n") and len(query) <= MAX_QUERY_CHARS
    assert [hint.text for hint in log_hints(log, query)] == [
        f"The query has {len(log):,} characters; the last {len(query):,} are used."
    ]
    assert check_query("short\nlog") == "short\nlog" and log_hints("short", "short") == ()


def test_the_environment_ranks_between_file_and_request(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Layer({"max_chars": 500, "top_k": 3, "no_docs": True}, "ctxpack.toml")
    for name, text in {"MAX_CHARS": "900", "NO_DOCS": "off", "EXCLUDE": "*.js, *.css", "WAIT": "1.5"}.items():
        monkeypatch.setenv(f"CTXPACK_{name}", text)
    settings = resolve(file, environment(), Layer({"top_k": 7}))
    assert (settings.max_chars, settings.top_k, settings.no_docs, settings.wait) == (900, 7, False, 1.5)
    assert settings.exclude == ("*.js", "*.css")
    monkeypatch.setenv("CTXPACK_MAX_CHARS", "many")
    with pytest.raises(InvalidRequest, match=r"^CTXPACK_MAX_CHARS must be a whole number from 1 to \d+, not 'many'"):
        resolve(environment())


def test_a_language_has_the_names_that_people_use() -> None:
    names = ["Golang", "js", "TS", "py", "c++", "C#", "csharp", "sh", ".rs"]
    languages = ("go", "javascript", "typescript", "python", "cpp", "csharp", "csharp", "bash", "rust")
    assert resolve(Layer({"language": names})).language == languages
    with pytest.raises(InvalidRequest, match=r"'golagn'. did you mean golang\?"):
        resolve(Layer({"language": "golagn"}))


def test_commas_inside_braces_separate_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_INCLUDE", "{src,{docs,tests}}, *.{md,txt}")
    assert resolve(environment()).include == ("src", "docs", "tests", "*.md", "*.txt")


def test_the_environment_sets_nothing_that_is_asked_or_needs_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_NO_REDACT", "1")
    monkeypatch.setenv("CTXPACK_DIFF", "HEAD")
    assert environment().values == {}


def test_the_root_is_the_nearest_marked_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "project" / "src" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "project" / ".git").write_text("gitdir: elsewhere\n")  # as in a worktree
    monkeypatch.chdir(inner)
    assert paths.root_of(None) == tmp_path / "project"
    (tmp_path / "project" / "src" / "ctxpack.toml").touch()
    assert paths.root_of(None) == tmp_path / "project" / "src"
    assert paths.root_of(".") == inner


def test_without_a_mark_the_root_is_the_working_folder(tmp_path: Path) -> None:
    assert paths.enclosing_root(tmp_path) == tmp_path


def test_an_invalid_root_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for repo in (tmp_path / "file", tmp_path / "missing", "null\0byte"):
        with pytest.raises(NotADirectory):
            paths.root_of(repo)


@pytest.fixture(autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXPACK_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))


def layer_of(root: Path, **files: str) -> Layer:
    """The layer of a repository that the user trusts."""
    for name, text in files.items():
        (root / f"{name}.toml").write_text(text)
        config_file.record_consent(root, text.encode())
    return config_file.file_layer(root)


def test_no_file_sets_nothing(tmp_path: Path) -> None:
    assert config_file.file_layer(tmp_path).values == {}
    assert layer_of(tmp_path, pyproject="[project]\nname = 'x'\n").values == {}


def test_pyproject_sets_defaults(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, pyproject="[tool.ctxpack]\nmax_chars = 900\nexclude = ['*.js']\n")
    assert resolve(layer).max_chars == 900
    assert resolve(layer).exclude == ("*.js",)


def test_ctxpack_toml_counts_alone(tmp_path: Path) -> None:
    layer = layer_of(tmp_path, pyproject="[tool.ctxpack]\nmax_chars = 900\n", ctxpack="limit = 4\n")
    assert (resolve(layer).max_chars, resolve(layer).limit) == (20_000, 4)


@pytest.mark.parametrize(
    ("name", "text", "field", "said"),
    [
        ("ctxpack", "max_charz = 5\n", "max_charz", "ctxpack.toml: there is no option max_charz"),
        ("ctxpack", "max_chars = -5\n", "max_chars", "ctxpack.toml: max_chars must be"),
        ("ctxpack", "max_chars = \n", "ctxpack.toml", "ctxpack.toml is not valid TOML"),
        ("pyproject", "[tool.ctxpack]\nmodell = 'x'\n", "modell", "pyproject.toml [tool.ctxpack]: there is no"),
        ("pyproject", "[tool]\nctxpack = 3\n", "tool.ctxpack", "pyproject.toml [tool.ctxpack] is not a table"),
        ("ctxpack", "index_dir = '../elsewhere'\n", "index_dir", "ctxpack.toml: index_dir ../elsewhere is not"),
        ("ctxpack", "index_dir = '.'\n", "index_dir", "ctxpack.toml: index_dir . is not below the root"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_named_with_its_key(tmp_path: Path, name: str, text: str, field: str, said: str) -> None:
    with pytest.raises(CtxpackError) as refusal:
        resolve(layer_of(tmp_path, **{name: text}))
    assert refusal.value.code == "invalid_request"
    assert refusal.value.details["field"] == field
    assert refusal.value.message.startswith(said)


def test_a_wrong_key_is_answered_with_the_options_that_a_file_may_set() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        resolve(Layer({"zzz": 1}, "ctxpack.toml"))
    listed = refusal.value.hint.removeprefix("the options are ").split(", ")
    assert {"max_chars", "model"} < set(listed) and not {"diff", "staged", "share", "no_redact"} & set(listed)


def test_an_index_below_the_root_may_be_chosen_by_a_file(tmp_path: Path) -> None:
    assert resolve(layer_of(tmp_path, ctxpack="index_dir = '.ctxpack'\n")).index_dir == tmp_path / ".ctxpack"


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ctxpack.toml").write_bytes(b"model = '\xff'\n")
    with pytest.raises(InvalidRequest, match="not valid UTF-8"):
        config_file.file_layer(tmp_path)

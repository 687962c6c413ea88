"""The roles that files have by their paths (tests, examples and others aside, generated files, entry points,
translations), and which symbols are tests inside the file that they test."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from contracts.lazy_regex import lazy_regex

_ANYWHERE = (
    r"(^|/)([\w.-]*[_.-])?(?i:tests?|specs?|__tests__|testing|unittests?|selftests?|testsuites?|regress|e2e|cypress)/"
    r"|[a-z0-9]Tests?/|^t/"  # commonTest; the tests of Perl and git
    r"|\.((?!latest$|contest$)\w*test|bats|phpt|slt|snap)$"  # cart.test, adapt.shopfiletest; snapshots of answers
)
_TEST = lazy_regex(
    _ANYWHERE + r"|(^|[/_.-])(test|spec)s?[_.-]|(^|/)conftest\.py$"  # test_x.py, x_test.go, x.spec.ts
    r"|[a-z0-9](Tests?|Spec)\.\w+$|_SUITE\.erl$|\.Tests\.ps1$"  # CartTest, cart_SUITE, Cart.Tests.ps1
)
# In shell, `test` is a command and helpers begin with it: only folders and endings mark a test.
_SHELL_HELPER = lazy_regex(r"(^|/)(test|spec)s?[_-][^/]*\.(ba|z|k)?sh$")
_SHELL_TEST = lazy_regex(_ANYWHERE + r"|[_.-](test|spec)s?\.\w+$")
# Gradle, Maven and sbt mark tests by source set. Packages below it and modules above it do not count: org.koin.test in
# koin-test/src/main is no test, but files below a test folder are tests.
_SOURCE_SET = lazy_regex(r"(?:^|/)src/(?:(test\w*|\w*[a-z0-9]Test\w*|it)|main|\w+Main)/")
_TEST_FOLDER = lazy_regex(r"(^|/)(?i:tests?|specs?|__tests__)/")
# Benchmarks and scripts below `src` or `lib` are the project itself, such as hyperfine's `src/benchmark`; so are tools
# below a folder that is not about building (`clang/tools`, an agent's `agent/tools`), and modules of Gradle that are
# called so: `tools/src/main`.
# Below a source set, folders are packages: com.example.shop is not an example.
_PACKAGE = lazy_regex(r"(?<![^/])(src/\w+/(?:java|kotlin|scala|groovy)/).*/")
_ASIDE = lazy_regex(
    r"(^|/)([\w.-]*[_.-])?(examples?|samples?|demos?|playgrounds?|fixtures?|testdata)(/|$)"
    r"|(^|/)[\w.-]+[_.-]bench(es|marks?)?/"
    r"|(^|/)(docs?([_-][\w-]+)?|documentation|guides?|tutorials?|website|legacy|deprecated|compat(?!/src/main/)|third[_-]party"
    r"|vendor(ed)?|bundled|node_modules|(__)?mocks(__)?|contrib|fuzz|jmh|dist|release[_-]?notes?|changelog\.d|newsfragments|\.changeset)(/|$)"
    # Numbered migrations of a database, long applied: `0012_carts.py`, `Version20240101120000.php`.
    r"|(^|/)[\w.-]*migrat(ions?|e|or)/([^/]+/)*+(?:[A-Za-z]+_?)?\d{3,}[^/]*$"
    r"|(^|/)(lang(uages?)?|locales?|i18n|l10n|translations?|[\w-]+\.lproj)/([^/]+/)*[^/]+"
    r"\.(json5?|ya?ml|pot?|properties|arb|xliff?|php|ini|ftl|resx|strings)$"
    r"|(^|/)values(-[\w+-]+)?/strings\.xml$"  # Android
    r"|\.min\.|^deps/"
    r"|^((?!(src|lib|sources?)/)[^/]*/)*(bench(es|marks?)?|scripts?(?!/(.+/)?src/main/))(/|$)"
    r"|^((\.[^/]*|build|ci|deploy|dev|hack|infra|misc|ops|packages/[^/]*|packaging|release)/)*tools?(?!/(.+/)?src/main/)(/|$)",
    re.IGNORECASE,
)
_GENERATED = lazy_regex(
    r"(^|/)(dist|generated|gen)/|\.min\.|\.pb\.|_pb2|\.g\.|[_.]generated\.|\.[Dd]esigner\.(cs|vb)$|(^|[/_-])dump([_-][\w-]+)?\.sql$"
    r"|(^|/)(package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|[^/]+\.lock(file)?|go\.sum)$"
    r"|\.(crt|pbxproj|pem|sln|svg|xcscheme)$"  # of programs that draw, sign or manage projects
)
# Programs write these, but people read them to learn about tables and columns.
_SCHEMA = lazy_regex(r"(^|/)(schema\.(rb|sql)|structure\.sql)$")
_ENTRY = lazy_regex(r"(^|/)(__init__|index|mod|lib|main|init)\.\w+$")
# Rust's `mod tests` and `mod test_walk`, Zig's and Elixir's `test`; a method may be called `test`.
_INSIDE_TESTS = lazy_regex(r"(^|\.)(tests?|test_\w+|\w+_tests?)\.|^tests?$")
_TEST_ATTRIBUTE = lazy_regex(rb"^[ \t]*#\[(?:(?:\w+::)*(?:test|rstest|bench)\b|cfg\(test\))", re.M)  # of Rust
_TRANSLATIONS = lazy_regex(
    r"(^|/)(?:(?:_*locales?(?:-\w+)?|i18n|l10n|translations?|[a-z][\w-]*\.lproj)/|[a-z]{2}[_-][A-Z]{2}\.\w+$"
    r"|_?(?:lang(?:uage)?s?|[Ll]ocali[sz]ations?)/(?:\w+/)?[a-z]{2,3}(?:[_-]\w{2,9})?(?:/[\w-]+)?"
    r"\.(?:php|json|ya?ml|properties|ini|toml)$"
    r"|values-(?:[a-z]{2,3}(?:-r[A-Z]{2})?|b\+[\w+]+)/)"
)
_COPY = lazy_regex(r"(?:^|[/._-])[a-z]{2,3}(?:[_-][A-Z]\w+)?(?:\.g)?\.\w+$")
# In the path of a translation. Of three letters (`fil`) are many names that are no language (`api`, `app`, `get`).
_LANGUAGE = lazy_regex(r"(?:^|(?<=[/._-]))[a-z]{2}(?:[_-]r?[A-Za-z]{2,4})?(?=[/.])|(?<=/values-)[a-z]{3}(?=/)")
# The bits of `file.roles`, in this order.
ROLES = ("test", "aside", "generated", "entry")
MAX_PATHS = 4_096  # whose translations are cached


def roles_of(path: str, *, generated: bool, prose: bool) -> int:
    """The roles of a file as a number, one bit for each of ROLES.

    `generated` says that its text looks so; documents and schemas are read all the same.
    """
    has = (
        is_test_path(path),
        _ASIDE.search(_PACKAGE.sub(r"\1", path)) is not None,
        _GENERATED.search(path) is not None or (generated and not prose and _SCHEMA.search(path) is None),
        _ENTRY.search(path) is not None,
    )
    return sum(one << bit for bit, one in enumerate(has))


def with_role(roles: npt.NDArray[np.uint8], role: str) -> npt.NDArray[np.bool_]:
    """bool per file: whether it has a role, from the column `file.roles`."""
    return (roles >> ROLES.index(role) & 1).astype(bool)


def is_test_path(path: str) -> bool:
    """Whether a path follows one of the usual conventions for test files."""
    if source_set := _SOURCE_SET.search(path):
        return source_set[1] is not None or _TEST_FOLDER.search(path[: source_set.start() + 1]) is not None
    return (_SHELL_TEST if _SHELL_HELPER.search(path) else _TEST).search(path) is not None


def test_attributes(text: bytes) -> set[int]:
    """The lines of a text that say that what they precede is a test (`#[test]`)."""
    lines, line, end = set(), 1, 0
    for match in _TEST_ATTRIBUTE.finditer(text) if b"#[" in text else ():
        line += text.count(b"\n", end, match.start())
        end = match.start()
        lines.add(line)
    return lines


def is_inside_tests(qualified: str) -> bool:
    """Whether a symbol is a test, or part of one, that stands in the file that it tests."""
    return _INSIDE_TESTS.search(qualified) is not None


def is_translation(path: str) -> bool:
    """Whether a file is in a folder of translations, which contain every text once for each language (`locales/`,
    `lang/de/`, `values-de/`), or has the name of a language in a country (`pt-BR.json`)."""
    return _TRANSLATIONS.search(path) is not None


@lru_cache(MAX_PATHS)
def in_any_language(path: str) -> str:
    """The path of a file of translations without its language, which is the same for all languages; else empty. Cached
    because many questions show chunks of the same files."""
    match = _TRANSLATIONS.search(path)
    return path[: match.start()] + _LANGUAGE.sub("*", path[match.start() :], count=1) if match else ""


def is_of_language(path: str) -> bool:
    """Whether a file of translations is that of one language: `l10n/texts_de.dart`."""
    return is_translation(path) and _COPY.search(path) is not None

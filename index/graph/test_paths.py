"""Recognises test files by their paths."""

from __future__ import annotations

from contracts.lazy_regex import lazy_regex

_FOLDER = r"(^|/)([\w.-]*[_.-])?(?i:tests?|specs?|__tests__|testing)/|[a-z0-9]Tests?/"  # tests, Shop.Tests, commonTest
_TEST = lazy_regex(
    _FOLDER + r"|(^|[/_.-])(test|spec)s?[_.-]"  # test_x.py, x_test.go, x.spec.ts
    r"|[a-z0-9](Tests?|Spec)\.\w+$"  # CartTest
)
# In shell, `test` is a command and helpers begin with it: only folders and endings mark a test.
_SHELL_HELPER = lazy_regex(r"(^|/)(test|spec)s?[_-][^/]*\.(ba|z|k)?sh$")
_SHELL_TEST = lazy_regex(_FOLDER + r"|[_.-](test|spec)s?\.\w+$")


# Gradle, Maven and sbt mark tests by source set. Packages below it and modules above it do not count: org.koin.test in
# koin-test/src/main is no test, but files below a test folder are tests.
_SOURCE_SET = lazy_regex(r"(?:^|/)src/(?:(test\w*|\w*[a-z0-9]Test\w*|it)|main|\w+Main)/")
_TEST_FOLDER = lazy_regex(r"(^|/)(?i:tests?|specs?|__tests__)/")


def is_test_path(path: str) -> bool:
    """Whether a path follows one of the usual conventions for test files."""
    if source_set := _SOURCE_SET.search(path):
        return source_set[1] is not None or _TEST_FOLDER.search(path[: source_set.start() + 1]) is not None
    return (_SHELL_TEST if _SHELL_HELPER.search(path) else _TEST).search(path) is not None

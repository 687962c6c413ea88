"""The slots of a task packet on generated records, compared with rules written as plainly as possible."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack.kinds.task import digests
from context_pack.kinds.task import records as slots

FOLDERS = st.sampled_from(["src", "auth", "aut", "api", "lib"])
NAMES = st.sampled_from(["a.ts", "b.ts", "c"])
FILES = st.builds(lambda folders, name: "/".join([*folders, name]), st.lists(FOLDERS, max_size=3), NAMES)
PARTS = st.sampled_from(["src", "auth", "aut", "*", "**", "a.ts", "*.ts", "?.ts"])
PATHS = st.builds(
    lambda parts, end: "/".join(parts) + end, st.lists(FOLDERS, min_size=1, max_size=3), st.sampled_from(["", "/"])
)
GLOBS = st.lists(PARTS, min_size=1, max_size=4).map("/".join).filter(lambda glob: "*" in glob or "?" in glob)
KEYS = st.sampled_from(["file", "path", "files", "handler", "consumers"])
SOME_FILES = st.lists(FILES, min_size=1, max_size=4, unique=True)


def below(path: str, file: str) -> bool:
    """Compares whole components: `src/aut` does not own `src/auth`."""
    wanted = path.strip("/").split("/")
    return file.split("/")[: len(wanted)] == wanted


def matches(glob: list[str], parts: list[str]) -> bool:
    """`*` matches within a folder, `**` across folders; as the last part, it matches at least one name."""
    if not glob:
        return not parts
    if glob[0] == "**":
        if len(glob) == 1:
            return bool(parts)
        return any(matches(glob[1:], parts[start:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], glob[0]) and matches(glob[1:], parts[1:])


@settings(max_examples=400)
@given(st.lists(st.tuples(PATHS, st.lists(GLOBS, max_size=2)), max_size=5), SOME_FILES)
def test_a_module_is_there_exactly_when_it_owns_a_file(modules: list[tuple[str, list[str]]], files: list[str]) -> None:
    records = [{"id": f"m{number}", "path": path, "owns": owns} for number, (path, owns) in enumerate(modules)]
    expected = [
        record
        for record, (path, owns) in zip(records, modules, strict=True)
        if any(below(path, file) or any(matches(glob.split("/"), file.split("/")) for glob in owns) for file in files)
    ]
    assert [one.item for one in slots.owners(records, files)] == expected


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.sampled_from(["file", "path", "files", "handler", "consumers"]), FILES), max_size=5),
    SOME_FILES,
)
def test_a_contract_is_there_exactly_when_it_overlaps(contracts: list[tuple[str, str]], files: list[str]) -> None:
    """It names a modified file or, other than as a consumer, a file of the same folder."""
    records = [{"id": f"c{number}", key: [path] if key in ("files", "consumers") else path}
               for number, (key, path) in enumerate(contracts)]  # fmt: skip

    def overlaps(key: str, path: str, file: str) -> bool:
        beside = path.rpartition("/")[0] == file.rpartition("/")[0] and "." in path.rpartition("/")[2]
        return path == file or ("/" in path and below(path, file)) or (beside and key != "consumers")

    expected = [
        record
        for record, (key, path) in zip(records, contracts, strict=True)
        if any(overlaps(key, path, file) for file in files)
    ]
    assert [one.item for one in slots.overlapping(records, files)] == expected


@given(st.lists(st.tuples(FILES, st.lists(FILES, max_size=3)), max_size=5), SOME_FILES)
def test_tests_are_those_of_the_files_in_the_order_of_the_records(
    records: list[tuple[str, list[str]]], files: list[str]
) -> None:
    shaped: list[Any] = [{"sourceFile": source, "testFiles": tests} for source, tests in records]
    expected = list(dict.fromkeys(test for source, tests in records if source in files for test in tests))
    assert [one.item for one in slots.tests_of(shaped, files)] == expected


FORMS = (
    "[MUST] {id}: {text}\n  Given: more of it",
    "{id}: {text}\n  Then: more of it",
    "### {id}: {text}\n\nmore of it\n",
    "| {id} | {text} |",
    "- [ ] **{id}** — {text}",
)


@settings(max_examples=300)
@given(
    st.lists(st.tuples(st.integers(1, 30), st.sampled_from(FORMS)), max_size=12, unique_by=lambda one: one[0]),
    st.lists(st.integers(1, 30), max_size=6, unique=True),
    st.booleans(),
)
def test_criteria_are_those_that_are_named_and_no_others(
    written: list[tuple[int, str]], wanted: list[int], padded: bool
) -> None:
    """`AC-1` is not `AC-10`; each is shown whole, left out by the limit, or missing from the document."""
    name = "AC-{:02}" if padded else "AC-{}"
    blocks = [form.format(id=name.format(number), text=f"text of <{number}>") for number, form in written]
    ids = [name.format(number) for number in wanted]
    digest, missing = digests.criteria("# Criteria\n\n" + "\n".join(blocks), ids)
    there = {number for number, _ in written}
    assert missing == [name.format(number) for number in wanted if number not in there]
    shown = {number for number in there if f"<{number}>" in digest.text}
    left_out = {number for number in wanted if name.format(number) in digest.left_out}
    assert shown | left_out == there & set(wanted)
    assert not shown & left_out
    assert len(digest.text.split("\n")) <= digests.CRITERIA_LINES

"""The walk: by git's list or by folders, in one order, with a reason for all omissions, never outside the root."""

from __future__ import annotations

import os
import random
import shutil
import socket
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from contracts.errors import IOFailure, NotADirectory
from index.tree.walk import Walk, walk

Git = Callable[..., str]
Plant = Callable[[Path, dict[str, str]], None]


def paths(found: Walk) -> list[str]:
    return [file.path for file in found.files]


def reasons(found: Walk) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in found.skipped_paths}


RULES = {
    ".gitignore": "*.log\n/build/\n!keep.log\ndocs/*\n!docs/api/\n[\n!\n",
    "src/.gitignore": "!trace.log\nmade_*.py\n",
}
TREE = RULES | {
    "a.py": "a\n",
    "error.log": "",
    "keep.log": "",
    "build/out.py": "",
    "docs/draft.md": "",
    "docs/api/index.md": "",
    "src/build/kept.py": "",
    "src/made_by_tool.py": "",
    "src/made_up.txt": "",
    "src/trace.log": "",
    "src/deep/trace.log": "",
    "src/deep/other.log": "",
}
KEPT = [
    ".gitignore", "a.py", "docs/api/index.md", "keep.log", "src/.gitignore", "src/build/kept.py",
    "src/deep/trace.log", "src/made_up.txt", "src/trace.log",
]  # fmt: skip


def test_size_and_time_are_those_of_the_disk(repository: Path, plant: Plant) -> None:
    plant(repository, {"a.py": "seven\r\n"})
    os.utime(repository / "a.py", ns=(0, 1_234_567_890_123_456_789))
    (found,) = walk(repository).files
    assert found == ("a.py", 7, 1_234_567_890_123_456_789)


def test_git_and_scan_read_the_same_rules(repository: Path, plant: Plant, git: Git) -> None:
    plant(repository, TREE)
    with_git = walk(repository)
    shutil.rmtree(repository / ".git")
    without = walk(repository)
    assert (with_git.source, without.source) == ("git", "scan")
    assert paths(with_git) == KEPT
    assert without.files == with_git.files
    assert with_git.notes == without.notes == ()


def test_tracked_files_are_walked_although_ignored(repository: Path, plant: Plant, git: Git) -> None:
    plant(repository, {"a.log": "", "b.log": "", ".gitignore": "*.log\n"})
    git(repository, "add", "-f", "a.log")
    assert paths(walk(repository)) == [".gitignore", "a.log"]


def test_excludes_of_the_clone_count_with_and_without_git(
    repository: Path, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(repository, {"a.py": "", "local/b.py": "", ".git/info/exclude": "/local/\n"})
    assert paths(walk(repository)) == ["a.py"]
    monkeypatch.setenv("PATH", "")
    assert paths(walk(repository)) == ["a.py"]


@pytest.mark.parametrize("source", ["git", "scan"])
def test_ctxpackignore_counts_in_every_folder(repository: Path, plant: Plant, git: Git, source: str) -> None:
    plant(
        repository,
        {
            ".ctxpackignore": "vendor/\n*.min.js\n",
            ".gitignore": "*.log\n",
            "a.py": "",
            "app.min.js": "",
            "error.log": "",
            "sub/.ctxpackignore": "!own.min.js\n!error.log\n/tests\n",
            "sub/own.min.js": "",
            "sub/error.log": "",
            "sub/tests/t.py": "",
            "sub/vendor/v.py": "",
            "vendor/.ctxpackignore": "!back.py\n",
            "vendor/back.py": "",
        },
    )
    git(repository, "add", "vendor", ".")
    if source == "scan":
        shutil.rmtree(repository / ".git")
    found = walk(repository)
    assert found.source == source
    assert paths(found) == [".ctxpackignore", ".gitignore", "a.py", "sub/.ctxpackignore", "sub/own.min.js"]
    assert found.skipped == {}


def test_order_is_that_of_bytes_whatever_the_order_of_creation(tmp_path: Path, plant: Plant) -> None:
    names = ["Z.py", "a-b.py", "a.py", "a/b.py", "a0.py", "ä.py", "\ufb00.py", "\U0001d4b3.py"]
    shuffled = names[:]
    random.Random(7).shuffle(shuffled)
    plant(tmp_path, dict.fromkeys(shuffled, ""))
    assert paths(walk(tmp_path)) == sorted(names, key=str.encode) == names


@pytest.mark.parametrize("source", ["git", "scan"])
def test_names_stay_as_they_are_on_disk(repository: Path, plant: Plant, source: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, "café.py") for form in ("NFC", "NFD"))
    plant(repository, {composed: "1", decomposed: "22", "new\nline.py": "", 'quo"te.py': ""})
    (repository / os.fsdecode(b"caf\xe9.py")).touch()
    if source == "scan":
        shutil.rmtree(repository / ".git")
    found = walk(repository)
    assert paths(found) == [decomposed, composed, "new\nline.py", 'quo"te.py']
    assert reasons(found) == {"caf\\xe9.py": "unencodable_name"}


@pytest.mark.parametrize("source", ["git", "scan"])
def test_links_are_never_followed(repository: Path, plant: Plant, tmp_path: Path, source: str) -> None:
    plant(tmp_path, {"outside/secret.py": "", "repository/sub/a.py": "", "repository-2/near.py": ""})
    links = {
        "out.py": "../outside/secret.py", "out_dir": "../outside", "near": "../repository-2", "in.py": "sub/a.py",
        "in_dir": "sub", "cycle": ".", "sub/up": "..", "self": "self", "broken": "sub/nothing",
        "broken_out": "/nowhere/x",
    }  # fmt: skip
    for name, target in links.items():
        (repository / name).symlink_to(target)
    if source == "scan":
        shutil.rmtree(repository / ".git")
    found = walk(repository)
    assert paths(found) == ["sub/a.py"]
    assert reasons(found) == {
        "out.py": "symlink_outside", "out_dir": "symlink_outside", "near": "symlink_outside", "in.py": "symlink",
        "in_dir": "symlink", "cycle": "symlink", "sub/up": "symlink", "self": "symlink", "broken": "symlink",
        "broken_out": "symlink_outside",
    }  # fmt: skip
    assert found.skipped == {"symlink": 6, "symlink_outside": 4}


def test_a_tracked_folder_that_became_a_link_is_not_followed(
    repository: Path, plant: Plant, git: Git, tmp_path: Path
) -> None:
    plant(repository, {"sub/deep/a.py": "", "b.py": ""})
    git(repository, "add", ".")
    shutil.rmtree(repository / "sub")
    plant(tmp_path, {"outside/deep/a.py": "secret"})
    (repository / "sub").symlink_to(tmp_path / "outside")
    found = walk(repository)
    assert paths(found) == ["b.py"]
    assert reasons(found)["sub/deep/a.py"] == "symlink_outside"


def test_the_root_may_be_reached_through_a_link(repository: Path, plant: Plant, tmp_path: Path) -> None:
    plant(repository, {"a.py": ""})
    (repository / "in.py").symlink_to("a.py")
    (tmp_path / "door").symlink_to(repository)
    found = walk(tmp_path / "door")
    assert paths(found) == ["a.py"]
    assert reasons(found) == {"in.py": "symlink"}


def test_a_folder_of_the_repository_is_a_root_too(repository: Path, plant: Plant, git: Git) -> None:
    plant(repository, {".gitignore": "*.log\n", "a.py": "", "sub/b.py": "", "sub/c.log": "", "sub/deep/d.py": ""})
    git(repository, "add", "sub/b.py")
    found = walk(repository / "sub")
    assert (found.source, paths(found)) == ("git", ["b.py", "deep/d.py"])


def test_an_ignored_folder_named_as_the_root_is_walked(repository: Path, plant: Plant) -> None:
    plant(repository, {".gitignore": "vendor/\n", "vendor/lib/.gitignore": "*.log\n", "vendor/lib/a.py": ""})
    plant(repository, {"vendor/lib/b.log": ""})
    found = walk(repository / "vendor" / "lib")
    assert (found.source, paths(found), found.notes) == ("scan", [".gitignore", "a.py"], ())


def test_submodules_and_repositories_inside_are_entered(
    repository: Path, plant: Plant, git: Git, tmp_path: Path
) -> None:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q")
    plant(library, {"lib.py": "", ".gitignore": "*.o\n"})
    git(library, "add", ".")
    git(library, "commit", "-qm", "library")
    git(repository, "submodule", "--quiet", "add", str(library), "modules/there")
    git(repository, "submodule", "--quiet", "add", str(library), "modules/absent")
    git(repository, "commit", "-qm", "submodules")
    git(repository, "submodule", "--quiet", "deinit", "-f", "modules/absent")
    plant(repository, {"modules/there/built.o": "", "modules/there/new.py": "", "scratch/own.py": ""})
    git(repository / "scratch", "init", "-q")
    found = walk(repository)
    assert paths(found) == [
        ".gitmodules", "modules/there/.gitignore", "modules/there/lib.py", "modules/there/new.py", "scratch/own.py",
    ]  # fmt: skip
    assert reasons(found)["modules/absent/"] == "empty_submodule"


def test_a_second_checkout_of_the_repository_is_not_walked_again(
    repository: Path, plant: Plant, git: Git, tmp_path: Path
) -> None:
    plant(repository, {"a.py": ""})
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "first")
    git(repository, "worktree", "add", "-q", ".agents/tree")
    git(repository, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    inside, around = walk(repository), walk(tmp_path)
    assert (paths(inside), reasons(inside)) == (["a.py"], {".agents/tree/": "linked_worktree"})
    assert paths(around) == ["repository/a.py"]
    assert reasons(around)["elsewhere/"] == "linked_worktree"
    assert paths(walk(repository / ".agents" / "tree")) == paths(walk(tmp_path / "elsewhere")) == ["a.py"]


@pytest.mark.parametrize("mark", ["gitdir: a\0b", "gitdir: ", "\0", "x" * 20_000])
def test_a_git_file_that_names_nothing_hides_no_file(tmp_path: Path, plant: Plant, mark: str) -> None:
    plant(tmp_path, {"sub/.git": mark, "sub/a.py": ""})
    assert (paths(walk(tmp_path)), reasons(walk(tmp_path))) == (["sub/a.py"], {})


def test_repositories_below_a_plain_folder_keep_their_own_rules(tmp_path: Path, plant: Plant, git: Git) -> None:
    plant(tmp_path, {"one/.gitignore": "*.log\n", "one/a.py": "", "one/a.log": "", "two/b.log": "", "top.log": ""})
    for name in ("one", "two"):
        git(tmp_path / name, "init", "-q")
    found = walk(tmp_path)
    assert (found.source, paths(found)) == ("scan", ["one/.gitignore", "one/a.py", "top.log", "two/b.log"])


def test_a_missing_git_is_reported(repository: Path, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(repository, TREE)
    monkeypatch.setenv("PATH", "")
    found = walk(repository)
    assert (found.source, paths(found)) == ("scan", KEPT)
    assert found.notes == (
        "git could not be started (No such file or directory); ctxpack read the ignore files itself",
    )


def test_a_repository_that_git_distrusts_is_read_without_git(
    repository: Path, plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(repository, TREE)
    programs = tmp_path / "programs"
    programs.mkdir()
    script = f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n'
    (programs / "git").write_text(script)
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    found = walk(repository)
    assert (found.source, paths(found)) == ("scan", KEPT)
    assert found.notes == (
        "git refused: detected dubious ownership in repository; ctxpack read the ignore files itself",
    )


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        (".git", "gitdir: ../nowhere\n", "not a git repository"),
        (".git/config", "[core\n", "bad config line 1"),
        (".git/HEAD", "spoiled", None),
    ],
)
def test_a_broken_repository_is_read_without_git(
    repository: Path, plant: Plant, file: str, text: str, why: str | None
) -> None:
    plant(repository, TREE)
    if file == ".git":
        shutil.rmtree(repository / ".git")
    (repository / file).write_text(text)
    found = walk(repository)
    assert (found.source, paths(found)) == ("scan", KEPT)
    assert found.notes == ((f"git refused: {why}; ctxpack read the ignore files itself",) if why else ())


@pytest.mark.parametrize("inside", [".git", ".git/info"])
def test_gits_own_folder_may_be_a_root(repository: Path, inside: str) -> None:
    found = walk(repository / inside)
    assert found.source == "scan"
    # Versions of git disagree on whether `.git` itself counts as a bare repository.
    assert found.notes in ((), ("git refused: cannot use bare repository; ctxpack read the ignore files itself",))
    assert found.files


def test_variables_of_a_hook_do_not_lead_to_another_repository(
    repository: Path, plant: Plant, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(repository, {"a.py": ""})
    plant(tmp_path, {"other/b.py": ""})
    git(tmp_path / "other", "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repository))
    assert paths(walk(tmp_path / "other")) == ["b.py"]


def test_the_repository_runs_no_program_of_its_own(repository: Path, plant: Plant, git: Git, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path}/sprung'\n")
    trap.chmod(0o755)
    plant(repository, {"a.py": ""})
    git(repository, "add", ".")
    git(repository, "config", "core.fsmonitor", str(trap))
    git(repository, "ls-files", "--others")
    assert (tmp_path / "sprung").exists()
    (tmp_path / "sprung").unlink()
    walk(repository)
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("source", ["git", "scan"])
def test_large_and_special_files_are_skipped_with_a_reason(
    repository: Path, plant: Plant, git: Git, source: str
) -> None:
    code = dict.fromkeys(("exact.py", "shop.min.js"), "x" * 50)
    other = {"exact.txt": "x" * 10, "large.txt": "x" * 11, "dump.sql": "x" * 11}
    plant(repository, {**code, **other, "large.py": "x" * 51, "pipe": "", "socket": "", "empty": ""})
    git(repository, "add", ".")
    if source == "scan":
        shutil.rmtree(repository / ".git")
    for name in ("pipe", "socket"):
        (repository / name).unlink()
    os.mkfifo(repository / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()  # noqa: PTH109 (a socket's path is short: 108 bytes at most)
        os.chdir(repository)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
    found = walk(repository, max_file_bytes=50)
    assert paths(found) == ["empty", "exact.py", "exact.txt"]
    large = dict.fromkeys(("dump.sql", "large.py", "large.txt", "shop.min.js"), "too_large")
    assert reasons(found) == {**large, "pipe": "not_a_file", "socket": "not_a_file"}


def test_deleted_files_are_not_part_of_the_tree(repository: Path, plant: Plant, git: Git) -> None:
    plant(repository, {"a.py": "", "b.py": "", "sub/c.py": ""})
    git(repository, "add", ".")
    (repository / "b.py").unlink()
    shutil.rmtree(repository / "sub")
    plant(repository, {"sub": "a file now"})
    found = walk(repository)
    assert (paths(found), found.skipped) == (["a.py", "sub"], {})


def test_our_own_folders_are_not_walked(repository: Path, plant: Plant, tmp_path: Path) -> None:
    plant(repository, {"a.py": "", ".index/000001/arrays.bin": "", ".index2/b.py": "", "deep/home/x": ""})
    for _ in ("git", "scan"):
        found = walk(repository, own=[repository / ".index", repository / "deep" / "home", tmp_path / "far"])
        assert (paths(found), found.skipped) == ([".index2/b.py", "a.py"], {})
        shutil.rmtree(repository / ".git", ignore_errors=True)


@pytest.mark.parametrize("source", ["git", "scan"])
def test_folders_that_may_not_be_read_are_reported(unprivileged: Path, plant: Plant, git: Git, source: str) -> None:
    plant(unprivileged, {"a.py": "", "closed/tracked.py": "", "private/new.py": ""})
    if source == "git":
        git(unprivileged, "init", "-q")
        git(unprivileged, "add", "closed")
    for name in ("closed", "private"):
        (unprivileged / name).chmod(0)
    found = walk(unprivileged)
    assert (found.source, paths(found)) == (source, ["a.py"])
    expected = {"closed/", "private/"} | ({"closed/tracked.py"} if source == "git" else set())
    assert reasons(found) == dict.fromkeys(sorted(expected), "no_permission")


def test_a_root_that_may_not_be_read_is_an_error(unprivileged: Path) -> None:
    (unprivileged / "root").mkdir(mode=0)
    with pytest.raises(IOFailure, match="cannot be read: Permission denied") as caught:
        walk(unprivileged / "root")
    assert caught.value.details == {"path": str(unprivileged / "root")}


def test_a_root_that_is_not_a_folder_is_an_error(tmp_path: Path, plant: Plant) -> None:
    plant(tmp_path, {"file.py": ""})
    with pytest.raises(NotADirectory, match=r"file\.py is not a directory"):
        walk(tmp_path / "file.py")
    with pytest.raises(NotADirectory, match="nothing does not exist"):
        walk(tmp_path / "nothing")


def test_an_empty_folder_has_no_files(tmp_path: Path, repository: Path) -> None:
    (tmp_path / "empty").mkdir()
    for root in (tmp_path / "empty", repository):
        assert walk(root) == Walk((), (), "scan")


def test_names_under_another_locale_are_the_same(tmp_path: Path, plant: Plant) -> None:
    plant(tmp_path, {"tree/ä/名.py": ""})
    script = "import sys; from index.tree.walk import walk; print(ascii([f.path for f in walk(sys.argv[1]).files]))"
    for locale in ("C", "en_US.ISO-8859-1", "sv_SE.UTF-8"):
        environment = os.environ | {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        command = [sys.executable, "-c", script, str(tmp_path / "tree")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == ascii(["ä/名.py"]) + "\n"


def test_the_import_is_light() -> None:
    script = (
        "import sys, index.tree.walk; print(sorted({'pathspec', 'numpy', 'pyarrow', 'sqlite3'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "[]\n"

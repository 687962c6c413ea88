"""No program that a repository names is run: not for its settings, filters, missing objects or layout."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from strangers import Stranger, Trap

from context_pack.io.changes import before, changes, delta
from context_pack.io.patches import ChangedFile
from contracts.errors import CtxpackError
from index.tree import git
from index.tree.walk import walk

Ctxpack = Callable[..., subprocess.CompletedProcess[bytes]]

# Every setting of `git help config` that names a program; `%` stands for its path.
PROGRAMS = (
    ("core.fsmonitor", "%"), ("core.alternateRefsCommand", "%"), ("core.askPass", "%"), ("core.editor", "%"),
    ("core.gitProxy", "%"), ("core.pager", "%"), ("core.sshCommand", "%"), ("credential.helper", "!%"),
    ("diff.external", "%"), ("diff.trap.command", "%"), ("diff.trap.textconv", "%"), ("diff.guitool", "trap"),
    ("diff.tool", "trap"), ("difftool.trap.cmd", "%"), ("difftool.trap.path", "%"), ("filter.trap.clean", "%"),
    ("filter.trap.smudge", "%"), ("filter.trap.process", "%"), ("filter.trap.required", "true"), ("gpg.program", "%"),
    ("gpg.ssh.program", "%"), ("gpg.x509.program", "%"), ("gpg.ssh.defaultKeyCommand", "%"),
    ("log.showSignature", "true"), ("guitool.trap.cmd", "%"), ("help.browser", "trap"), ("browser.trap.cmd", "%"),
    ("browser.trap.path", "%"), ("imap.tunnel", "%"), ("interactive.diffFilter", "%"), ("man.viewer", "trap"),
    ("man.trap.cmd", "%"), ("man.trap.path", "%"), ("merge.tool", "trap"), ("merge.trap.driver", "%"),
    ("mergetool.trap.cmd", "%"), ("mergetool.trap.path", "%"), ("pager.diff", "%"), ("pager.log", "%"),
    ("pager.show", "%"), ("pager.ls-files", "%"), ("pager.config", "%"), ("pager.branch", "%"),
    ("receive.procReceiveRefs", "refs"), ("remote.origin.uploadpack", "%"), ("remote.origin.receivepack", "%"),
    ("remote.origin.vcs", "ext"), ("remote.origin.proxy", "%"), ("sendemail.sendmailCmd", "%"),
    ("sendemail.toCmd", "%"), ("sendemail.ccCmd", "%"), ("sequence.editor", "%"), ("submodule.recurse", "true"),
    ("submodule.trap.update", "!%"), ("submodule.trap.active", "true"), ("tar.trap.command", "%"),
    ("trailer.trap.command", "%"), ("trailer.trap.cmd", "%"), ("uploadpack.packObjectsHook", "%"),
    ("web.browser", "trap"), ("alias.ls-files", "!%"), ("alias.diff", "!%"), ("alias.config", "!%"),
    ("protocol.ext.allow", "always"), ("protocol.allow", "always"), ("diff.submodule", "diff"),
    ("diff.ignoreSubmodules", "none"), ("gc.auto", "1"), ("gc.recentObjectsHook", "%"), ("core.untrackedCache", "true"),
    ("core.hooksPath", "%-hooks"), ("merge.guitool", "trap"), ("instaweb.browser", "%"), ("http.proxy", "%"),
    ("credential.https://x.helper", "!%"), ("difftool.guiDefault", "true"),
)  # fmt: skip
# Settings with similar names that do not name a program.
NO_PROGRAM = frozenset(
    "column.clean color.pager diff.<driver>.cachetextconv gitcvs.dbDriver remote.<name>.partialclonefilter"
    " uploadpack.allowFilter".split()
)
_NAMES_ONE = re.compile(
    r"(cmd|command|program|pager|driver|editor|helper|proxy|tool|browser|viewer|vcs|tunnel|textconv|external|clean|smudge"
    r"|process|askpass|fsmonitor|hook|hookspath|uploadpack|receivepack|filter)$", re.IGNORECASE,
)  # fmt: skip
HOOKS = (
    "post-index-change", "fsmonitor-watchman", "pre-auto-gc", "post-checkout", "reference-transaction",
)  # fmt: skip
REMOTES = ("ext::%", "%s-folder", "ssh://-oProxyCommand=%/x", "git@host:x", "fd::1", "http://localhost:1/x")


def ask(root: Path) -> None:
    """Runs all our code that calls git. Errors do not matter here."""
    walk(root)
    for asked in (lambda: delta(root, "HEAD"), lambda: changes(root, "HEAD"), lambda: changes(root, "HEAD..HEAD")):
        try:
            asked()
        except CtxpackError:
            continue
    before(root, "HEAD", ChangedFile("two/second.py", "modified"))


def arm(stranger: Stranger, root: Path, trap: Trap) -> Path:
    """Gives a repository every setting and every hook, and its files every attribute."""
    for name, value in PROGRAMS:
        stranger.git(root, "config", name, value.replace("%", str(trap.program)))
    for folder in (root / ".git" / "hooks", trap.program.with_name(f"{trap.program.name}-hooks")):
        folder.mkdir(exist_ok=True)
        for hook in HOOKS:
            shutil.copy(trap.program, folder / hook)
    (root / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n")
    return root


def test_the_trap_works(stranger: Stranger, trap: Trap, tmp_path: Path) -> None:
    """Plain git runs the trap, so these tests can fail."""
    root = arm(stranger, stranger.repository(tmp_path / "plain"), trap)
    subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, check=False)
    assert trap.sprung


def test_every_setting_that_names_a_program_is_tried() -> None:
    """Those of the git on this machine; a newer one may have more."""
    listed = subprocess.run(["git", "help", "-c"], capture_output=True, text=True, check=True).stdout.split()
    tried = [name.lower().split(".") for name, _ in PROGRAMS]
    assert len(listed) > 400
    for name in listed:
        first, _, last = (part.lower() for part in (*name.partition(".")[:2], name.rpartition(".")[2]))
        if _NAMES_ONE.search(name) and name not in NO_PROGRAM and first != "advice":
            assert any(one[0] == first and last in (one[-1], "*", "<cmd>") for one in tried), name


def test_the_suggestion_for_a_wholly_ignored_tree_runs_nothing(
    stranger: Stranger, trap: Trap, ctxpack: Ctxpack, tmp_path: Path
) -> None:
    root = arm(stranger, stranger.repository(tmp_path / "archive"), trap)
    (root / ".git" / "index").unlink()
    (root / ".gitignore").write_text("*\n")
    steps = [hint["text"] for hint in json.loads(ctxpack("query", "first", "--repo", str(root)).stdout)["hints"]]
    trap.mark.unlink(missing_ok=True)
    done = subprocess.run(["sh", "-c", steps[0].strip("`")], capture_output=True, text=True, check=False)
    assert "two/" in done.stdout and not trap.sprung


def test_settings_of_an_included_file(stranger: Stranger, trap: Trap, tmp_path: Path) -> None:
    root = arm(stranger, stranger.repository(tmp_path / "archive"), trap)
    plain, config = stranger.repository(tmp_path / "plain"), root / ".git" / "config"
    config.rename(root / "settings")
    shutil.copy(plain / ".git" / "config", config)
    with config.open("a") as file:
        file.write('[include]\n\tpath = ../settings\n[includeIf "onbranch:main"]\n\tpath = ../settings\n')
    subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, check=False)
    assert trap.sprung
    trap.mark.unlink()
    ask(root)
    assert not trap.sprung


def test_variables_of_the_environment(
    stranger: Stranger, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of another repository may have started us; some of git's other variables name programs."""
    root = stranger.repository(tmp_path / "archive")
    for name in ("EXTERNAL_DIFF", "PAGER", "EDITOR", "SSH", "SSH_COMMAND", "ASKPASS", "PROXY_COMMAND", "TRACE2_EVENT"):
        monkeypatch.setenv(f"GIT_{name}", str(trap.program))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap.program))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'diff.external'='{trap.program}'")
    monkeypatch.setenv("GIT_EXEC_PATH", str(tmp_path))
    ask(root)
    assert not trap.sprung
    assert [change.path for change in delta(root, "HEAD").files] == ["two/second.py"]


def test_settings_and_hooks(stranger: Stranger, trap: Trap, tmp_path: Path) -> None:
    root = arm(stranger, stranger.repository(tmp_path / "archive"), trap)
    trap.mark.unlink(missing_ok=True)
    ask(root)
    assert not trap.sprung


@pytest.mark.parametrize("place", ["nested", "submodule", "worktree", "git_file"])
def test_settings_and_hooks_of_nested_repositories(stranger: Stranger, trap: Trap, tmp_path: Path, place: str) -> None:
    root = stranger.repository(tmp_path / "outer")
    if place == "nested":
        arm(stranger, stranger.repository(root / "inner"), trap)
    elif place == "submodule":
        stranger.repository(tmp_path / "other")
        stranger.git(root, "submodule", "add", "-q", str(tmp_path / "other"), "inner")
        for name, value in PROGRAMS:
            stranger.git(root / "inner", "config", name, value.replace("%", str(trap.program)))
        (root / "inner" / ".gitattributes").write_text("* filter=trap diff=trap\n")
        (root / "inner" / "two" / "second.py").write_text("changed = 1\n")
    elif place == "worktree":
        arm(stranger, root, trap)
        stranger.git(
            root, "-c", f"core.hooksPath={tmp_path}/none", "worktree", "add", "-q", "-b", "b", str(tmp_path / "tree")
        )
        shutil.copy(root / ".gitattributes", tmp_path / "tree")
        root = tmp_path / "tree"
    else:
        arm(stranger, stranger.repository(root / "inner"), trap)
        (root / "inner" / ".git").rename(root / "inner" / "gitdir")
        (root / "inner" / ".git").write_text("gitdir: gitdir\n")
    trap.mark.unlink(missing_ok=True)
    ask(root)
    if (root / "inner").is_dir():
        ask(root / "inner")
    assert not trap.sprung


@pytest.mark.parametrize("name", [b"a=b", b"\xff\xfe", b"core.x=y", b"with space", b"a.b.c", b"=", b'quo\\"te'])
def test_filters_of_any_name(stranger: Stranger, trap: Trap, tmp_path: Path, name: bytes) -> None:
    """`-c` would cut a name at its first `=`, and decoding would break a name that is not UTF-8."""
    root = stranger.repository(tmp_path / "archive")
    program = str(trap.program).encode()
    with (root / ".git" / "config").open("ab") as config:
        config.write(b'[filter "%s"]\n\tclean = %s\n\tprocess = %s\n\trequired = true\n' % (name, program, program))
    plain = name.replace(b"\\", b"")
    (root / ".git" / "info" / "attributes").write_bytes(b"* filter=%s\n" % plain)
    ask(root)
    assert not trap.sprung
    assert [change.path for change in delta(root, "HEAD").files] == ["two/second.py"]


@pytest.mark.parametrize("remote", REMOTES)
def test_missing_objects_are_not_fetched(stranger: Stranger, trap: Trap, tmp_path: Path, remote: str) -> None:
    url = remote.replace("%s-folder", str(tmp_path / "archive")).replace("%", str(trap.program))
    root = stranger.lacking(
        tmp_path / "archive", ("remote.origin.url", url), ("remote.origin.uploadpack", str(trap.program)),
        ("core.sshCommand", str(trap.program)), ("protocol.ext.allow", "always"), ("protocol.allow", "always"),
    )  # fmt: skip
    (root / "one").mkdir()
    (root / "one" / "third.py").write_text("THIRD = 3\n")
    ask(root)
    assert not trap.sprung
    assert [file.path for file in walk(root).files] == ["one/third.py", "two/second.py"]


@pytest.mark.parametrize("place", ["root", "folder of a clone", "nested", "git_file"])
def test_missing_objects_of_other_layouts(stranger: Stranger, trap: Trap, tmp_path: Path, place: str) -> None:
    """An archive whose root is a bare repository, an honest clone with such a folder, and nested repositories."""
    made = stranger.lacking(tmp_path / "made", ("remote.origin.url", f"ext::{trap.program}"),
                            ("protocol.ext.allow", "always"))  # fmt: skip
    root = stranger.repository(tmp_path / "clone") if place != "root" else tmp_path / "bare"
    inside = root if place == "root" else root / "pkg"
    if place in ("root", "folder of a clone"):
        shutil.move(made / ".git", inside)
        (inside / "code.py").write_text("CODE = 1\n")
        (inside / "info" / "exclude").write_text("code.py\n")  # counts only if this is taken for a git folder
        stranger.git(inside, "--git-dir=.", "config", "core.bare", "false")
        stranger.git(inside, "--git-dir=.", "config", "core.worktree", "." if place == "root" else "..")
    else:
        shutil.move(made, inside)
        if place == "git_file":
            (inside / ".git").rename(inside / "store")
            (inside / ".git").write_text("gitdir: store\n")
    trap.mark.unlink(missing_ok=True)
    ask(root)
    ask(inside)
    assert not trap.sprung
    found = [file.path for file in walk(inside).files]
    assert "code.py" in found or "two/second.py" in found


def test_the_whole_command_line(stranger: Stranger, trap: Trap, tmp_path: Path, ctxpack: Ctxpack) -> None:
    root = arm(stranger, stranger.repository(tmp_path / "archive"), trap)
    stranger.lacking(root / "pkg", ("remote.origin.url", f"ext::{trap.program}"), ("protocol.ext.allow", "always"))
    trap.mark.unlink(missing_ok=True)
    turn = json.dumps({"goal": "first", "definitionOfDone": ["done"], "docsRoot": "docs", "base": "HEAD"}).encode()
    (root / "docs").mkdir()
    runs = [
        ctxpack("index", "--repo", str(root)), ctxpack("query", "first", "--repo", str(root)),
        ctxpack("query", "--diff", "HEAD", "--repo", str(root)), ctxpack("query", "first", "--repo", str(root / "pkg")),
        ctxpack("status", "--repo", str(root)), ctxpack("turn", "-", "--root", str(root), stdin=turn),
        ctxpack("bench", "--history", "5", "--repo", str(root)), ctxpack("symbols", "first", cwd=root / "pkg"),
    ]  # fmt: skip
    assert not trap.sprung
    assert [run.returncode for run in runs[:5]] == [0] * 5, runs
    assert not [run for run in runs if b"Traceback" in run.stderr or b'"internal"' in run.stdout]


def test_git_has_a_time_limit(stranger: Stranger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes in place of git's files: git is ended once, not once per repository, and the answer says so."""
    root = stranger.repository(tmp_path / "archive")
    for number in range(4):
        stranger.repository(root / f"inner{number}")
        (root / f"inner{number}" / ".git" / "info" / "exclude").unlink(missing_ok=True)
        os.mkfifo(root / f"inner{number}" / ".git" / "info" / "exclude")
    started: list[subprocess.Popen[bytes]] = []
    start = git.start

    def limited(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        """The first call, about the archive itself, may take as long as it does on a busy machine."""
        monkeypatch.setattr(git, "LIMIT_S", 0.5 if started else 300.0)
        started.append(start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(git, "start", limited)
    found = walk(root)
    assert "inner3/two/second.py" in [file.path for file in found.files]
    assert found.notes == (
        "inner0: git took longer than 0.5 s; ctxpack read the ignore files itself, here and in all later repositories",
    )
    assert len(started) == 2

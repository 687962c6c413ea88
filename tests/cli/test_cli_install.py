"""Agents' configurations: printed, written after they were shown, and removed again."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from context_pack.cli import servers
from context_pack.cli.app import run as run_in_process
from context_pack.installer import config_text
from context_pack.installer.agents import AGENTS
from contracts.errors import with_extra
from tests.cli.conftest import SCRIPT, blocks_of

pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with an empty home folder."""
    folder = tmp_path / "home"
    folder.mkdir()
    return {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / ".config"), "CODEX_HOME": str(folder / ".codex")}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    return folder


def _read(form: str, text: str) -> Any:
    """A configuration as its agent reads it; JSON with comments is read by a rule of our own."""
    return tomllib.loads(text) if form == "toml" else json.loads(text)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_the_printed_configuration_is_of_the_agents_format(
    ctxpack: Any, home: dict[str, str], repo: Path, name: str
) -> None:
    agent = AGENTS[name]
    run = ctxpack("mcp", "--print-config", name, "--repo", str(repo), env=home)
    assert (run.code, run.err) == (0, "")
    servers = _read(agent.format, run.out.decode())[agent.servers]
    entry = servers["ctxpack"]
    assert entry["args"][0] == "mcp" and Path(entry["command"]).name == "ctxpack"
    expected = {None: ["mcp"], "": ["mcp", "--repo", str(repo)]}
    assert entry["args"] == expected.get(agent.workspace, ["mcp", "--repo", "${workspaceFolder}"])
    assert entry.get("type") in (None, "stdio")


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_install_shows_writes_and_takes_back(
    ctxpack: Any, conforms: Any, home: dict[str, str], repo: Path, name: str
) -> None:
    def run(*arguments: str) -> Any:
        done = ctxpack(*arguments, "--repo", str(repo), env=home)
        conforms(done.data, "install")
        (row,) = done.data["agents"]
        return row, done.envelope["hints"]

    row, hints = run("install", name)
    file = Path(row["file"])
    assert (row["state"], file.exists()) == ("asked", False)
    assert f"+++ {file}" in row["diff"] and '"ctxpack"' in row["diff"].replace("mcp_servers.ctxpack", '"ctxpack"')
    assert hints == [
        {"type": "action", "text": f"Nothing was changed; `ctxpack install {name} --yes` makes this change."}
    ]
    row, _ = run("install", name, "--yes")
    assert row["state"] == "written" and "ctxpack" in _read(AGENTS[name].format, file.read_text())[AGENTS[name].servers]
    row, _ = run("install", name, "--yes")
    assert row["state"] == "present" and "diff" not in row
    overview = ctxpack("install", "--repo", str(repo), env=home).data["agents"]
    assert [one["name"] for one in overview if one["state"] == "present"] == [name]
    row, _ = run("uninstall", name, "--yes")
    assert (row["state"], file.exists()) == ("removed", False)
    assert run("uninstall", name)[0]["state"] == "absent"
    assert file.parent == repo or not file.parent.exists(), "no empty folder stays behind"


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_only_the_file_of_a_repository_relies_on_path(
    ctxpack: Any, home: dict[str, str], repo: Path, name: str
) -> None:
    env = {**home, "PATH": f".:{os.environ['PATH']}"}
    text = ctxpack("mcp", "--print-config", name, "--repo", str(repo), env=env, cwd=SCRIPT.parent).out.decode()
    command = _read(AGENTS[name].format, text)[AGENTS[name].servers]["ctxpack"]["command"]
    assert command == ("ctxpack" if AGENTS[name].of_repository else str(SCRIPT))


def test_a_missing_server_is_noticed_at_once(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, repo: Path
) -> None:
    monkeypatch.setitem(servers.EXTRAS, "mcp", ("no_such_package",))
    assert run_in_process(["install", "cursor", "--repo", str(repo)]) == 0
    first, _ = json.loads(capfd.readouterr().out)["hints"]
    assert first["type"] == "warn" and with_extra("mcp") in first["text"]


THEIRS = {
    "vscode": '{\n    // mine\n    "servers": {\n        "other": {"command": "x"}, // keep\n    },\n}\n',
    "zed": '// Zed\n{\n  "theme": "One Dark",\n  "context_servers": {}\n}\n',
    "claude": '{"mcpServers": {"other": {"command": "x", "args": []}}, "note": "täglich"}',
    "codex": 'model = "o5" # mine\n\n[mcp_servers.other]\ncommand = "x"\n\n[tui]\ntheme = "dark"\n',
}


@pytest.mark.parametrize("name", sorted(THEIRS))
def test_what_others_wrote_stays_and_undoing_gives_back_every_byte(
    ctxpack: Any, home: dict[str, str], repo: Path, name: str
) -> None:
    def run(*arguments: str) -> Any:
        return ctxpack(*arguments, "--repo", str(repo), "--yes", env=home).data["agents"][0]

    file = Path(ctxpack("install", name, "--repo", str(repo), env=home).data["agents"][0]["file"])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(THEIRS[name])
    row = run("install", name)
    written = file.read_text()
    for part in re.split(r"[{}\n]", THEIRS[name]):
        assert part.strip() in written, "comments and all"
    assert Path(row["backup"]).read_text() == THEIRS[name]
    assert run("uninstall", name)["state"] == "removed"
    assert file.read_text() == THEIRS[name] and not Path(row["backup"]).exists()
    run("install", name)
    later = file.read_text().replace('"x"', '"y"').replace("One Dark", "One Light")
    file.write_text(later)
    run("uninstall", name)
    assert "ctxpack" not in file.read_text() and ('"y"' in file.read_text() or "One Light" in file.read_text())


def test_a_second_repository_joins_the_first_in_a_users_file(
    ctxpack: Any, home: dict[str, str], repo: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for root in (repo, other, repo):
        ctxpack("install", "codex", "--yes", "--repo", str(root), env=home)
    written = tomllib.loads((Path(home["CODEX_HOME"]) / "config.toml").read_text())
    assert written["mcp_servers"]["ctxpack"]["args"] == ["mcp", "--repo", str(repo), "--repo", str(other)]


OURS_IN_THE_MIDDLE = """model = "o5"

[mcp_servers.ctxpack]
command = "ctxpack"
args = [
  "mcp",  # all tools
  "--tools", "all",
]
startup_timeout_sec = 30

[mcp_servers."ctxpack".env]
A = "b"

# the server of my team
[mcp_servers.other]
command = "x"
  [indented]
"""


def test_what_a_user_added_to_their_entry_and_the_comments_around_it_stay(
    ctxpack: Any, home: dict[str, str], repo: Path
) -> None:
    file = Path(home["CODEX_HOME"]) / "config.toml"
    file.parent.mkdir()
    file.write_text(OURS_IN_THE_MIDDLE)
    for state in ("written", "present"):
        row = ctxpack("install", "codex", "--yes", "--repo", str(repo), env=home).data["agents"][0]
        assert row["state"] == state
    written = tomllib.loads(file.read_text())
    entry = written["mcp_servers"].pop("ctxpack")
    assert entry["args"] == ["mcp", "--tools", "all", "--repo", str(repo)]
    assert (entry["startup_timeout_sec"], entry["env"]) == (30, {"A": "b"})
    assert written == {"model": "o5", "mcp_servers": {"other": {"command": "x"}}, "indented": {}}
    ctxpack("uninstall", "codex", "--yes", "--repo", str(repo), env=home)
    head, _, tail = OURS_IN_THE_MIDDLE.partition("[mcp_servers.ctxpack]")
    assert file.read_text() == head + "# the server" + tail.partition("# the server")[2]


def test_an_entry_of_another_kind_is_replaced_and_a_repository_in_either_spelling_is_named_once(
    ctxpack: Any, home: dict[str, str], repo: Path
) -> None:
    file = Path(home["CODEX_HOME"]) / "config.toml"
    file.parent.mkdir()
    for before, args in (
        ('url = "https://ctxpack.example/mcp"\n', ["mcp", "--repo", str(repo)]),
        (f'command = "ctxpack"\nargs = ["mcp", "--repo={repo}"]\n', ["mcp", f"--repo={repo}"]),
    ):
        file.write_text(f"[mcp_servers.ctxpack]\n{before}")
        ctxpack("install", "codex", "--yes", "--repo", str(repo), env=home)
        entry = tomllib.loads(file.read_text())["mcp_servers"]["ctxpack"]
        assert (entry.keys(), entry["args"]) == ({"command", "args"}, args)


def test_what_a_repository_added_to_its_entry_goes(ctxpack: Any, home: dict[str, str], repo: Path) -> None:
    planted = {"command": "evil", "args": ["mcp", "--allow-clone"], "env": {"PYTHONPATH": "evil"}}
    (repo / ".mcp.json").write_text(json.dumps({"mcpServers": {"ctxpack": planted}}))
    ctxpack("install", "claude", "--yes", "--repo", str(repo), env=home)
    entry = json.loads((repo / ".mcp.json").read_text())["mcpServers"]["ctxpack"]
    assert (entry["args"], entry.keys()) == (["mcp"], {"type", "command", "args"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claude", "{not json"), ("claude", "[]"), ("cursor", '{"mcpServers": []}'), ("codex", "a = = 1"),
        ("codex", 'mcp_servers = { ctxpack = { command = "x" } }\n'), ("codex", 'mcp_servers.ctxpack.args = []\n'),
        ("vscode", '{"a": 1'), ("zed", '{"a" 1}'),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_left_alone(
    ctxpack: Any, home: dict[str, str], repo: Path, name: str, text: str
) -> None:
    file = Path(ctxpack("install", name, "--repo", str(repo), env=home).data["agents"][0]["file"])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    for verb in ("install", "uninstall"):
        run = ctxpack(verb, name, "--yes", "--repo", str(repo), env=home)
        assert (run.code, run.error["code"]) == (1, "invalid_request")
        assert str(file) in run.error["message"] and run.error["hint"]
        assert file.read_text() == text
    overview = ctxpack("install", "--repo", str(repo), env=home)
    assert {row["name"]: row["state"] for row in overview.data["agents"]}[name] == "unreadable"


def test_a_date_in_our_entry_is_a_form_that_cannot_be_changed(ctxpack: Any, home: dict[str, str], repo: Path) -> None:
    file = Path(home["CODEX_HOME"]) / "config.toml"
    file.parent.mkdir()
    file.write_text('[mcp_servers.ctxpack]\ncommand = "ctxpack"\nargs = ["mcp"]\nsince = 2026-01-02\n')
    run = ctxpack("install", "codex", "--yes", "--repo", str(repo), env=home)
    assert (run.code, run.error["code"]) == (1, "invalid_request")


def test_an_unknown_agent_is_an_error_that_lists_the_known_ones(ctxpack: Any) -> None:
    for arguments in (("install", "emacs"), ("uninstall", "emacs"), ("mcp", "--print-config", "emacs")):
        run = ctxpack(*arguments)
        assert run.code == 2 and "claude, claude-desktop, codex" in run.error["hint"]


@pytest.mark.parametrize(("typed", "state"), [("y", "written"), ("n", "asked")])
def test_a_person_is_asked(
    environment: dict[str, str], home: dict[str, str], repo: Path, typed: str, state: str
) -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [SCRIPT, "install", "claude", "--repo", str(repo)], stdin=follower, stderr=follower, stdout=subprocess.PIPE,
        env={**environment, **home},
    ) as running:  # fmt: skip
        os.close(follower)
        shown = b""
        while b"[y/N]" not in shown:
            shown += os.read(leader, 4096)
        os.write(leader, f"{typed}\n".encode())
        out, _ = running.communicate()
    os.close(leader)
    assert b'+    "ctxpack"' in shown
    assert json.loads(out)["data"]["agents"][0]["state"] == state
    assert (repo / ".mcp.json").exists() == (state == "written")


def test_a_person_sees_the_change_once(environment: dict[str, str], home: dict[str, str], repo: Path) -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [SCRIPT, "install", "claude", "--repo", str(repo)], stdin=follower, stderr=follower, stdout=follower,
        env={**environment, **home},
    ):  # fmt: skip
        os.close(follower)
        os.write(leader, b"n\n")
        shown = b"".join(blocks_of(leader))
    os.close(leader)
    assert b"Nothing was changed" in shown and shown.count(b"+++ ") == 1


_keys = st.text('abc/{}"\\ ,', min_size=1, max_size=4)
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('a/*"\\{}[],:', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
    max_leaves=8,
)
_documents = st.dictionaries(_keys, _values, max_size=4)


def _written(value: Any, indent: int | None, comments: bool, trailing: bool) -> str:
    text = json.dumps(value, indent=indent)
    if indent is not None and comments:
        text = "\n".join(f"{line} // it's {{ [ \"so\n/* , */" for line in text.split("\n"))
    if indent is not None and trailing and not comments:
        lines = text.split("\n")
        pairs = zip(lines, [*lines[1:], ""], strict=True)
        closes = ("}", "]")
        text = "\n".join(
            f"{line}," if after.strip().startswith(closes) and not line.rstrip().endswith(("{", "[", ",")) else line
            for line, after in pairs
        )
    return text


@given(_documents, st.sampled_from([None, 2, 4]), st.booleans(), st.booleans(), _keys, _keys, _values)
def test_a_document_changes_in_one_place_only(
    document: dict[str, Any], indent: int | None, comments: bool, trailing: bool, outer: str, inner: str, value: Any
) -> None:
    below = document.get(outer, {})
    assume(isinstance(below, dict))  # any other value under the key of the servers is refused before
    text = _written(document, indent, comments, trailing)
    assert config_text.parse(text) == document
    changed = config_text.set_member(text, (outer, inner), value)
    expected = {**below, inner: value}
    assert config_text.parse(changed) == {**document, outer: expected}
    removed = config_text.remove_member(changed, (outer, inner))
    expected.pop(inner)
    assert config_text.parse(removed) == {**document, outer: expected}
    if outer not in document:
        assert config_text.parse(config_text.remove_member(changed, (outer,))) == document


def test_a_new_member_is_indented_like_its_neighbours() -> None:
    text = '// mine\n{\n\t"a": [1, 2,], /* täglich */\n}\n'
    changed = config_text.set_member(text, ("servers", "ctxpack"), {"command": "x"})
    tail = '\t"servers": {\n\t\t"ctxpack": {\n\t\t\t"command": "x"\n\t\t}\n\t}\n}\n'
    assert changed == f'// mine\n{{\n\t"a": [1, 2,], /* täglich */\n{tail}'


@pytest.mark.parametrize("planted", [".mcp.json", ".mcp.json.before-ctxpack"])
def test_a_link_that_a_repository_planted_is_not_written_through(
    ctxpack: Any, home: dict[str, str], repo: Path, tmp_path: Path, planted: str
) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text("{}")
    if planted != ".mcp.json":
        (repo / ".mcp.json").write_text("{}")
    for target in (mine, tmp_path / "not-there", Path("/dev/zero")):
        (repo / planted).symlink_to(target)
        run = ctxpack("install", "claude", "--yes", "--repo", str(repo), env=home)
        assert (run.code, run.error["code"]) == (1, "invalid_request")
        assert planted in run.error["message"]
        (repo / planted).unlink()
    assert mine.read_text() == "{}" and not (tmp_path / "not-there").exists()


def test_a_folder_that_a_repository_made_a_link_is_not_written_into(
    ctxpack: Any, home: dict[str, str], repo: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (repo / ".vscode").symlink_to(mine)
    run = ctxpack("install", "vscode", "--yes", "--repo", str(repo), env=home)
    assert (run.code, run.error["code"]) == (1, "invalid_request")
    assert not list(mine.iterdir())
    overview = ctxpack("install", "--repo", str(repo), env=home).data["agents"]
    assert {row["name"]: row["state"] for row in overview}["vscode"] == "unreadable"


def test_a_file_under_the_name_of_the_one_that_is_written_first_is_left_alone(
    ctxpack: Any, home: dict[str, str], repo: Path, tmp_path: Path
) -> None:
    """An attacker may guess the process's number, but the name contains more than that."""
    mine = tmp_path / "mine"
    mine.write_text("mine")
    for number in range(os.getpid(), os.getpid() + 3_000):
        (repo / f"..mcp.json.{number}").symlink_to(mine)
    assert ctxpack("install", "claude", "--yes", "--repo", str(repo), env=home).data["agents"][0]["state"] == "written"
    assert mine.read_text() == "mine" and not (repo / ".mcp.json").is_symlink()


def test_a_link_of_the_user_stays_one(ctxpack: Any, home: dict[str, str], repo: Path, tmp_path: Path) -> None:
    """Users who keep their configuration in another folder make it a link."""
    kept = tmp_path / "kept.toml"
    kept.write_text('model = "o5"\n')
    file = Path(home["CODEX_HOME"]) / "config.toml"
    file.parent.mkdir(parents=True)
    file.symlink_to(kept)
    assert ctxpack("install", "codex", "--yes", "--repo", str(repo), env=home).code == 0
    assert file.is_symlink() and "mcp_servers.ctxpack" in kept.read_text()

"""The Neovim plugin in a real headless Neovim, with the real command line."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

pytestmark = pytest.mark.slow

PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"
WAIT_S = 300.0
# All that the user would see: every notification and every message.
LISTEN = "lua _G.told = {}; vim.notify = function(text, level) table.insert(_G.told, {text, level}) end"


class Nvim:
    """A running Neovim, controlled over its socket."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def lua(self, code: str) -> Any:
        """The value of a Lua expression, through JSON in a file, because long remote expressions are shortened."""
        quoted = code.replace("'", "''")
        answer = self._socket.with_suffix(".json")
        self._remote("--remote-expr", f"writefile([json_encode(luaeval('{quoted}'))], '{answer}')")
        return json.loads(answer.read_text("utf-8"))

    def ex(self, command: str) -> None:
        quoted = command.replace("'", "''")
        self._remote("--remote-expr", f"execute('{quoted}')")

    def keys(self, keys: str) -> None:
        self._remote("--remote-send", keys)

    def until(self, code: str) -> Any:
        """Wait until a Lua expression is true."""
        end = time.monotonic() + WAIT_S
        while not (value := self.lua(code)):
            assert time.monotonic() < end, f"{code} did not come true; told: {self.lua('_G.told')}"
            time.sleep(0.05)
        return value

    @property
    def told(self) -> list[str]:
        return [text for text, _ in self.lua("_G.told") or []]

    def done(self) -> list[str]:
        """Waits until the request has ended; returns the lines of the buffer that is current then."""
        self.until("#_G.told > 0")
        lines: list[str] = self.lua("vim.api.nvim_buf_get_lines(0, 0, -1, false)")
        return lines

    def _remote(self, *arguments: str) -> None:
        command = ["nvim", "--server", str(self._socket), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=WAIT_S)
        assert "Error" not in done.stderr, done.stderr


@pytest.fixture
def nvim(environment: dict[str, str], project: Path, tmp_path: Path) -> Iterator[Nvim]:
    assert shutil.which("nvim"), "these tests need Neovim: scripts/tools installs it on Debian"
    yield from _running(environment, project, tmp_path)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def _running(environment: dict[str, str], project: Path, folder: Path) -> Iterator[Nvim]:
    address = folder / "nvim.sock"
    start = [
        "nvim",
        "--headless",
        "--clean",
        "--listen",
        str(address),
        "--cmd",
        f"set rtp^={PLUGIN}",
        "--cmd",
        "set hidden",
    ]
    with subprocess.Popen(
        start,
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        end = time.monotonic() + WAIT_S
        while not _answers(address):
            assert time.monotonic() < end
            time.sleep(0.02)
        editor = Nvim(address)
        editor.ex(LISTEN)
        yield editor
        process.kill()


def test_a_query_opens_a_pack_and_fills_the_quickfix_list(nvim: Nvim, project: Path) -> None:
    nvim.ex("edit src/resizing.py")
    nvim.ex("CtxPack where is the PictureCache kept")
    lines = nvim.done()
    assert lines[0] == "# where is the PictureCache kept"
    assert any(line.startswith("## src/picture_cache.py:") and " PictureCache" in line for line in lines)
    assert nvim.lua("{vim.bo.filetype, vim.bo.buftype, vim.bo.modifiable}") == ["markdown", "nofile", False]
    entries = nvim.lua(
        "vim.tbl_map(function(e) return {vim.fn.bufname(e.bufnr), e.lnum, e.text} end, vim.fn.getqflist())"
    )
    assert len(entries) == sum(re.match(r"## \S+:\d", line) is not None for line in lines)
    assert any(re.match(r"primary \w+ PictureCache", text) for _, _, text in entries), entries
    assert all((project / name).is_file() or Path(name).is_file() for name, _, _ in entries)
    assert nvim.told == [f"ctxpack: {len(entries)} places"]


def test_the_pack_is_the_command_lines_own(nvim: Nvim, environment: dict[str, str], project: Path) -> None:
    nvim.ex("CtxPack PictureCache")
    text = "\n".join(nvim.done())
    done = subprocess.run(
        ["ctxpack", "query", "PictureCache"], cwd=project, env=environment, capture_output=True, check=True
    )
    items = json.loads(done.stdout)["data"]["items"]
    fences = [
        token.content.removesuffix("\n") for token in MarkdownIt("commonmark").parse(text) if token.type == "fence"
    ]
    assert fences == [item["content"] for item in items]


def test_enter_opens_the_file_at_the_item(nvim: Nvim, project: Path) -> None:
    nvim.ex("CtxPack PictureCache")
    lines = nvim.done()
    line = next(number for number, text in enumerate(lines, start=1) if text.startswith("## src/picture_cache.py"))
    nvim.ex(f"call cursor({line + 3}, 1)")
    nvim.keys("<CR>")
    nvim.until("vim.api.nvim_buf_get_name(0):match('picture_cache.py$') ~= nil")
    assert nvim.lua("vim.fn.line('.')") == int(lines[line - 1].split(":")[1].split("-")[0].split(" ")[0])


@pytest.mark.parametrize(
    ("keys", "asked"),
    [("/class PictureCache<CR>wviw", "PictureCache"), ("/class PictureCache<CR>V", "class PictureCache:"),
     ("/class PictureCache<CR>wlv2l", "ict")],
)  # fmt: skip
def test_a_selection_is_asked_for(nvim: Nvim, keys: str, asked: str) -> None:
    nvim.ex("edit src/picture_cache.py")
    nvim.keys(f"{keys}:CtxPack<CR>")
    assert nvim.done()[0] == f"# {asked}"


def test_without_a_query_the_word_under_the_cursor_is_asked_for(nvim: Nvim) -> None:
    nvim.ex("edit src/picture_cache.py")
    nvim.keys("/class PictureCache<CR>w:CtxPack<CR>")
    assert nvim.done()[0] == "# PictureCache"


def test_related_of_the_cursor_and_of_a_name(nvim: Nvim) -> None:
    nvim.ex("edit src/picture_cache.py")
    nvim.keys("/class PictureCache<CR>")
    nvim.ex("CtxPackRelated")
    lines = nvim.done()
    assert lines[0].startswith("# src/picture_cache.py:")
    assert any("called by" in line for line in lines)
    assert any(line.startswith("## tests/test_picture_cache.py:") for line in lines)
    by_place = nvim.lua("#vim.fn.getqflist()")
    nvim.ex("lua _G.told = {}")
    nvim.ex("CtxPackRelated PictureCache")
    assert nvim.done()[0] == "# PictureCache"
    assert nvim.lua("#vim.fn.getqflist()") == by_place > 0


def test_an_ambiguous_name_offers_its_places(nvim: Nvim, project: Path) -> None:
    (project / "src" / "one.py").write_text("def twice_defined():\n    return 1\n")
    (project / "src" / "two.py").write_text("def twice_defined():\n    return 2\n")
    nvim.ex("CtxPackRelated twice_defined")
    nvim.done()
    assert "defined in 2 places" in nvim.told[0]
    nvim.until("#vim.fn.getqflist() == 2")
    assert nvim.lua("vim.fn.getqflist()[1].text") == "twice_defined"


def test_what_changed_is_packed(nvim: Nvim, project: Path) -> None:
    nvim.ex("CtxPackDiff")
    nvim.until("#_G.told > 0")
    assert "not in a git repository" in nvim.told[0]


def test_the_last_pack_is_copied_as_markdown(nvim: Nvim) -> None:
    nvim.ex("CtxPackCopy")
    assert nvim.told == ["ctxpack: there is no pack to copy yet: ask with :CtxPack first"]
    nvim.ex("lua _G.told = {}")
    nvim.ex("CtxPack PictureCache")
    lines = nvim.done()
    nvim.ex("CtxPackCopy")
    copied = nvim.lua("vim.fn.getreg('\"')").split("\n")
    assert copied[0] == "# PictureCache" and "```" in "".join(copied)
    assert [line for line in copied if line.startswith("## ")] == [line for line in lines if line.startswith("## ")]
    assert not any(line.startswith("> ") for line in copied), "hints are for the asker"


def test_a_missing_binary_is_explained(nvim: Nvim) -> None:
    nvim.ex("lua vim.env.PATH = '/nowhere'")
    nvim.ex("CtxPack PictureCache")
    assert "pipx install ctxpack-code" in nvim.told[0] and "setup({ command" in nvim.told[0]
    nvim.ex("lua _G.told = {}; require('ctxpack').setup({ command = { '/no/such/program' } })")
    nvim.ex("CtxPack PictureCache")
    assert "/no/such/program" in nvim.told[0]


def stand_in(folder: Path, body: str) -> Path:
    """A program that is run instead of ctxpack, for behaviour that the real one does not show on demand."""
    script = folder / "stand-in"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    return script


@pytest.mark.parametrize(
    ("body", "told"),
    [("echo no JSON; echo it broke >&2; exit 3", "it broke"), ("exit 4", "exit code 4"),
     ("echo '[1]'", "exit code 0 and no answer"), ("echo '{\"status\": \"ok\", \"data\": null}'", "no answer"),
     ("kill -9 $$", "no answer")],
)  # fmt: skip
def test_a_crash_of_the_program_is_survived(nvim: Nvim, tmp_path: Path, body: str, told: str) -> None:
    nvim.ex(f"lua require('ctxpack').setup({{ command = '{stand_in(tmp_path, body)}' }})")
    nvim.ex("CtxPack PictureCache")
    nvim.until("#_G.told > 0")
    assert told in nvim.told[0]
    nvim.ex("lua _G.told = {}; require('ctxpack').setup({ command = 'ctxpack' })")
    nvim.ex("CtxPack PictureCache")
    assert nvim.done()[0] == "# PictureCache"


def test_a_question_can_be_stopped_and_shows_that_it_runs(nvim: Nvim, tmp_path: Path) -> None:
    script = stand_in(tmp_path, f"echo $$ > '{tmp_path}/pid'; exec sleep 600")
    nvim.ex(f"lua require('ctxpack').setup({{ command = '{script}' }})")
    nvim.ex("CtxPack PictureCache")
    assert "working" in nvim.until("vim.g.ctxpack_status")
    assert nvim.lua("1 + 1") == 2, "the editor goes on"
    nvim.ex("CtxPackCancel")
    assert nvim.told == ["ctxpack: stopped"]
    pid = (tmp_path / "pid").read_text().strip()
    nvim.until(f"vim.loop.kill({pid}, 0) ~= 0")
    assert nvim.lua("vim.g.ctxpack_status or 'none'") == "none"
    nvim.ex("CtxPackCancel")
    assert nvim.told[-1] == "ctxpack: nothing is running"


def test_a_new_question_stops_the_one_before(nvim: Nvim, tmp_path: Path) -> None:
    nvim.ex(f"lua require('ctxpack').setup({{ command = '{stand_in(tmp_path, 'exec sleep 600')}' }})")
    nvim.ex("CtxPack the first question")
    nvim.ex("lua require('ctxpack').setup({ command = 'ctxpack' })")
    nvim.ex("CtxPack PictureCache")
    assert nvim.done()[0] == "# PictureCache"
    assert len(nvim.told) == 1


def test_an_odd_query_is_only_text(nvim: Nvim) -> None:
    nvim.ex("CtxPack --version \"$(touch gone)\" 'x' | PictureCache")
    lines = nvim.done()
    assert lines[0] == "# --version \"$(touch gone)\" 'x' | PictureCache"


PLACES = "vim.tbl_map(function(e) return {vim.fn.bufname(e.bufnr), e.lnum, e.text} end, vim.fn.getqflist())"


def test_places_go_to_the_quickfix_list_alone(nvim: Nvim, project: Path) -> None:
    nvim.ex("edit src/resizing.py")
    nvim.ex("CtxPackPlaces where are pictures kept")
    nvim.done()
    places = nvim.lua(PLACES)
    assert any(name.endswith("src/picture_cache.py") for name, _, _ in places) and len(places) > 3
    assert nvim.lua("vim.bo.buftype") == "quickfix" and not nvim.lua("vim.fn.bufexists('ctxpack://pack') == 1")


def test_a_place_is_picked_with_what_the_editor_has(nvim: Nvim) -> None:
    nvim.ex("edit src/resizing.py")
    nvim.ex(
        "lua vim.ui.select = function(items, options, chosen) "
        "_G.offered = vim.tbl_map(options.format_item, items); _G.prompt = options.prompt; chosen(items[1]) end"
    )
    nvim.ex("CtxPackPick PictureCache")
    nvim.done()
    assert nvim.lua("_G.prompt") == "ctxpack: PictureCache" and nvim.lua("_G.offered[1]") == "class PictureCache"
    assert nvim.lua("vim.fn.expand('%:t')") == "picture_cache.py"
    line = nvim.lua("vim.fn.getline('.')")
    assert "PictureCache" in line or "PictureCache" in nvim.lua("vim.fn.getline(vim.fn.line('.') + 1)")


TELESCOPE = {  # the Telescope functions that are called, with their signatures; the real one was tried by hand
    "init": "return { register_extension = function(one) return one end }",
    "config": "return { values = { grep_previewer = function(o) return 'p' end, "
    "generic_sorter = function(o) return 's' end } }",
    "finders": "return { new_table = function(t) return vim.tbl_map(t.entry_maker, t.results) end }",
    "pickers": "return { new = function(o, p) return { find = function() _G.picker = p end } end }",
}


def test_telescope_gets_places_that_it_can_preview_and_open(nvim: Nvim, tmp_path: Path, project: Path) -> None:
    for name, code in TELESCOPE.items():
        file = tmp_path / "telescope" / "lua" / "telescope" / f"{name}.lua"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code)
    nvim.ex(f"set rtp+={tmp_path}/telescope")
    nvim.ex("edit src/resizing.py")
    nvim.ex("lua require('telescope._extensions.ctxpack').exports.ctxpack({ query = 'PictureCache' })")
    nvim.done()
    assert nvim.lua("_G.picker.prompt_title") == "ctxpack: PictureCache"
    first = nvim.lua("_G.picker.finder[1]")
    assert first["filename"] == str(project / "src/picture_cache.py") and first["lnum"] > 0
    assert (first["display"], first["ordinal"]) == ("class PictureCache", "class PictureCache")
    assert nvim.lua("_G.picker.previewer .. _G.picker.sorter") == "ps"


def test_the_health_check_says_what_is_there_and_what_is_missing(nvim: Nvim) -> None:
    nvim.ex("checkhealth ctxpack")
    text = "\n".join(nvim.lua("vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
    assert "ctxpack, version " in text and "git" in text and "no Telescope" in text
    nvim.ex("lua vim.env.PATH = '/nowhere'; vim.env.HOME = '/nowhere'")
    nvim.ex("checkhealth ctxpack")
    text = "\n".join(nvim.lua("vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
    assert "ctxpack was not found" in text and "pipx install ctxpack-code" in text and "no git" in text


def test_a_diff_shows_what_went_out(environment: dict[str, str], project: Path, tmp_path: Path) -> None:
    root = tmp_path / "changed"
    shutil.copytree(project, root)
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=T", "-c", "user.email=t@e", "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    file = root / "src/picture_cache.py"
    lines = file.read_text("utf-8").split("\n")
    gone = next(line for line in lines if line.strip().startswith("return "))
    lines[lines.index(gone)] = "        return None  # changed"
    file.write_text("\n".join(lines), "utf-8")
    for editor in _running(environment, root, tmp_path):
        editor.ex("CtxPackDiff")
        shown = editor.done()
        at = shown.index("```diff")
        assert shown[at + 1].startswith("@@ before line ") and shown[at + 2] == f"-{gone}"


def test_the_installation_by_hand_includes_the_help(tmp_path: Path) -> None:
    steps = "\n".join(re.findall(r"^    (.*)$", (PLUGIN / "README.md").read_text(), re.MULTILINE))
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    subprocess.run(["bash", "-ec", steps], cwd=PLUGIN.parents[1], env=env, check=True, capture_output=True)
    shown = subprocess.run(
        ["nvim", "--headless", "+help ctxpack-setup", "+qa!"], env=env, check=True, capture_output=True
    )
    assert not shown.stderr

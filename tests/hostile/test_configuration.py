"""What a repository's own configuration file may choose, and hostile things in the place of that file."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from context_pack.kinds.graph.config import read_config
from context_pack.kinds.pages.vault import default_domains
from context_pack.options.config_file import file_layer, record_consent
from context_pack.options.resolve import resolve
from context_pack.options.spec import SETTINGS
from contracts.errors import CtxpackError, InvalidRequest

Ctxpack = Callable[..., subprocess.CompletedProcess[bytes]]
REFUSED = {
    "model": "'./model'", "index_dir": "'src'", "tokenizer": "'/dev/zero'", "have_pack": "'/etc/passwd'",
    "memory": "'8G'",
}  # fmt: skip


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    (root / "src").mkdir(parents=True)
    (root / "src" / "code.py").write_text("def code():\n    return 1\n")
    return root


def test_every_option_is_harmless_refused_or_an_error() -> None:
    by = {one.name: one.by for one in reversed(SETTINGS)}
    assert {name for name, who in by.items() if who != "repository"} == {
        *REFUSED,
        "no_redact",
        "diff",
        "staged",
        "share",
    }
    assert {name for name, who in by.items() if who == "user"} == set(REFUSED)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_options_of_the_user_are_refused_and_reported(tree: Path, name: str) -> None:
    (tree / "ctxpack.toml").write_text(f"{name} = {REFUSED[name]}\nmax_chars = 900\n")
    layer = file_layer(tree)
    assert resolve(layer).max_chars == 900
    assert getattr(resolve(layer), name) == getattr(resolve(), name)
    assert [note.split(" is ")[0] for note in layer.notes] == [f"ctxpack.toml: {name}"]
    record_consent(tree, (tree / "ctxpack.toml").read_bytes())
    assert (file_layer(tree).notes, name in file_layer(tree).values) == ((), True)
    (tree / "ctxpack.toml").write_text(f"{name} = {REFUSED[name]}\nmax_chars = 901\n")
    assert file_layer(tree).notes  # the consent was for another file


def test_consent_is_not_stored_in_the_repository(tree: Path, own_folders: Path) -> None:
    before = sorted(tree.rglob("*"))
    record_consent(tree, b"")
    assert sorted(tree.rglob("*")) == before
    assert (own_folders / "config" / "ctxpack" / "trusted.json").stat().st_mode & 0o777 == 0o600


def test_an_index_folder_of_the_repository_is_not_written(tree: Path, tmp_path: Path, ctxpack: Ctxpack) -> None:
    """Planted links where a writer would write: their targets do not change, and nothing of ours appears there."""
    (tree / "ctxpack.toml").write_text("index_dir = 'idx'\n")
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for model in ("embedded", "ctxpack-static-v1"):
        (tree / "idx" / model).mkdir(parents=True)
        (tree / "idx" / model / "CURRENT.next").symlink_to(victim)
        (tree / "idx" / model / "generations").symlink_to(tmp_path)
    done = ctxpack("query", "code", "--repo", str(tree))
    assert (done.returncode, victim.read_text()) == (0, "mine")
    assert "index_dir is ignored" in json.dumps(json.loads(done.stdout)["hints"])
    assert ctxpack("clean", "--repo", str(tree)).returncode == 0
    assert (tree / "idx" / "embedded").is_dir()


def plant(path: Path, how: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if how == "pipe":
        os.mkfifo(path)
    elif how == "large":
        with path.open("wb") as file:
            file.truncate(2_000_000_000)
    else:
        path.symlink_to({"zero": "/dev/zero", "outside": "/etc/passwd", "loop": path.name}[how])


HOW = ("pipe", "large", "zero", "outside", "loop")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["ctxpack.toml", "pyproject.toml"])
def test_a_configuration_path_that_is_not_a_file(tree: Path, name: str, how: str) -> None:
    plant(tree / name, how)
    layer = file_layer(tree)
    assert layer.values == {}
    assert layer.notes[0].startswith(f"{name} is not read: ") and "root:" not in layer.notes[0]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize(
    ("name", "read"), [(".mdkg/config.json", read_config), ("vault.yaml", default_domains)]
)  # fmt: skip
def test_settings_of_graphs_and_vaults(tree: Path, name: str, how: str, read: Callable[[Path], object]) -> None:
    plant(tree / name, how)
    with pytest.raises(CtxpackError) as refusal:
        read(tree)
    assert "root:" not in refusal.value.message
    assert "is not read" in refusal.value.message or "is outside the root" in refusal.value.message


def test_it_costs_neither_time_nor_memory(tree: Path) -> None:
    """The whole command line, with half a gigabyte of memory more than it needs."""
    (tree / "ctxpack.toml").symlink_to("/dev/zero")
    os.mkfifo(tree / "pyproject.toml")

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))

    command = [sys.executable, "-P", "-m", "context_pack", "query", "code", "--repo", str(tree)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300, preexec_fn=limited)
    assert done.returncode == 0, done.stderr
    assert "ctxpack.toml is not read: it is a link" in json.dumps(json.loads(done.stdout)["hints"])


def test_deep_nesting_is_an_error(tree: Path) -> None:
    (tree / "ctxpack.toml").write_text("a = " + "[" * 100_000 + "]" * 100_000)
    with pytest.raises(InvalidRequest, match=r"ctxpack\.toml"):
        file_layer(tree)

"""Repositories by URL: a real git server over HTTP, ssh up to the program that it would start, and hostile URLs."""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from context_pack.io.clones import address_of
from contracts.errors import InvalidRequest

Ctxpack = Callable[..., subprocess.CompletedProcess[bytes]]
PASSWORD = "hunter2-hunter2"


class GitServer(BaseHTTPRequestHandler):
    """`git http-backend` on a loopback port; `private/` accepts one name and one password."""

    projects: Path
    asked: list[str]

    def _serve(self) -> None:
        url = urlsplit(self.path)
        self.asked.append(self.path)
        given = self.headers.get("Authorization", "")
        if url.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", "file:///etc")
            self.end_headers()
            return
        if (
            url.path.startswith("/private/")
            and given != f"Basic {base64.b64encode(f'ann:{PASSWORD}'.encode()).decode()}"
        ):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.end_headers()
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        environment = {
            "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(self.projects), "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": url.path, "QUERY_STRING": url.query, "REQUEST_METHOD": self.command, "REMOTE_USER": "ann",
            "CONTENT_TYPE": self.headers.get("Content-Type", ""), "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }  # fmt: skip
        done = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=True)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        fields = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        status = next((int(value[:3]) for name, value in fields if name == "Status"), 200)
        self.send_response(status)
        for name, value in fields:
            if name != "Status":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """Two commits, a tag and a branch, served as `public/shop.git` and `private/shop.git`."""
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "-q")
    (work / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "first")
    git(work, "tag", "v1")
    (work / "cart.py").write_text("def grand_total(items):\n    return sum(items)\n")
    git(work, "commit", "-q", "-am", "second")
    git(work, "branch", "topic/x")
    for place in ("public", "private"):
        bare = tmp_path / "served" / place / "shop.git"
        git(tmp_path, "clone", "-q", "--bare", str(work), str(bare))
        git(bare, "config", "uploadpack.allowReachableSHA1InWant", "true")
    return work


@pytest.fixture
def server(tmp_path: Path, origin: Path) -> Iterator[str]:
    handler = type("Handler", (GitServer,), {"projects": tmp_path / "served", "asked": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{served.server_address[1]}"
        served.shutdown()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CTXPACK_NO_BACKGROUND", "1")
    return tmp_path / "cache"


def names(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    return [item["symbol"] for item in json.loads(done.stdout)["data"]["items"]]


def refusal(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.returncode == 1, done.stdout
    message: str = json.loads(done.stdout)["error"]["message"]
    return message


def test_a_url_is_cloned_once_and_read_like_a_local_repository(
    ctxpack: Ctxpack, server: str, cache: Path, origin: Path
) -> None:
    url = f"http://{server}/public/shop.git"
    first = ctxpack("query", "grand_total", "--repo", url)
    assert names(first) == ["grand_total"]
    assert first.stderr.decode().startswith(f"ctxpack: cloning {url} (") and first.stderr.count(b"\n") == 1
    again = ctxpack("query", "grand_total", "--repo", url)
    assert (names(again), again.stderr) == (["grand_total"], b"")
    (clone,) = (cache / "clones").glob("*/shop")
    assert git(clone, "log", "--format=%s") == "second", "without history"
    (origin / "cart.py").write_text("def sum_of_all(items):\n    return sum(items)\n")
    git(origin, "commit", "-q", "-am", "third")
    git(origin, "push", "-q", str(origin.parent / "served/public/shop.git"), "main")
    assert names(ctxpack("query", "grand_total", "--repo", url)) == ["grand_total"], "nothing is asked of the server"
    fetched = ctxpack("query", "sum_of_all", "--repo", url, "--fetch")
    assert names(fetched) == ["sum_of_all"] and fetched.stderr.startswith(b"ctxpack: fetching ")
    cleaned = ctxpack("clean", "--repo", url)
    assert cleaned.returncode == 0 and str(clone.parent) in json.loads(cleaned.stdout)["data"]["removed"]
    assert not clone.exists() and "has not been cloned" in refusal(ctxpack("status", "--repo", url))


@pytest.mark.parametrize("revision", ["v1", "topic/x", "main", "HASH"])
def test_a_revision_is_a_tag_a_branch_or_a_commit(
    revision: str, ctxpack: Ctxpack, server: str, cache: Path, origin: Path
) -> None:
    name = git(origin, "rev-parse", "v1") if revision == "HASH" else revision
    done = ctxpack("symbols", "--repo", f"http://{server}/public/shop.git@{name}")
    expected = "total" if revision in ("v1", "HASH") else "grand_total"
    assert [row["name"] for row in json.loads(done.stdout)["data"]["symbols"]] == [expected], done.stderr


def test_a_folder_of_this_machine_by_file_url_and_two_at_once(
    ctxpack: Ctxpack, server: str, cache: Path, origin: Path
) -> None:
    done = ctxpack("query", "total", "--repo", f"file://{origin}@v1", "--repo", f"http://{server}/public/shop.git")
    assert {"total", "grand_total"} <= set(names(done)), done.stdout
    assert names(ctxpack("query", "grand_total", "--repo", str(origin))) == ["grand_total"]
    assert len(list((cache / "clones").glob("*/*/.git"))) == 2, "a path stays a path"


def test_ssh_never_prompts_and_gets_only_the_host(
    ctxpack: Ctxpack, cache: Path, origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "ssh"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {tmp_path}/ssh.log\neval "$(eval echo \\${{$#}})"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    done = ctxpack("query", "grand_total", "--repo", f"git@forge.example:{tmp_path}/served/public/shop.git")
    assert names(done) == ["grand_total"], done.stderr
    said = (tmp_path / "ssh.log").read_text().split("\n")
    assert said[0] == "-oBatchMode=yes" and "git@forge.example" in said


def test_a_password_is_used_and_neither_printed_nor_kept(ctxpack: Ctxpack, server: str, cache: Path) -> None:
    url = f"http://ann:{PASSWORD}@{server}/private/shop.git"
    wrong = ctxpack("query", "x", "--repo", url.replace(PASSWORD, "wrong-wrong"))
    assert b"wrong-wrong" not in wrong.stdout + wrong.stderr and "cannot be cloned" in refusal(wrong)
    done = ctxpack("query", "grand_totl", "--repo", url, "--explain")
    assert done.returncode == 0
    assert PASSWORD.encode() not in done.stdout + done.stderr
    for file in cache.rglob("*"):
        assert PASSWORD not in str(file)
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes(), file
    without = ctxpack("query", "grand_total", "--repo", f"http://{server}/private/shop.git")
    assert names(without) == ["grand_total"], "the clone is the same one"


def test_a_failed_clone_is_one_clear_error(ctxpack: Ctxpack, server: str, cache: Path) -> None:
    for path in ("/public/none.git", "/public/shop.git@no-such-branch", "/private/shop.git", "/moved/shop.git"):
        done = ctxpack("query", "x", "--repo", f"http://{server}{path}")
        assert f"http://{server}{path} cannot be cloned: " in refusal(done) and b"Traceback" not in done.stderr
    assert not list((cache / "clones").glob("*/*/.git")), "nothing is left half done"


@pytest.mark.parametrize("mark", ["GIT_DIR", "GIT_INDEX_FILE"])
def test_hooks_and_servers_clone_nothing_unasked(
    mark: str, ctxpack: Ctxpack, server: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://{server}/public/shop.git"
    for command in ("mcp", "watch"):
        assert "not cloned in a hook or by a server" in refusal(ctxpack(command, "--repo", url))
    monkeypatch.setenv(mark, str(cache / "elsewhere"))
    assert "not cloned in a hook or by a server" in refusal(ctxpack("query", "grand_total", "--repo", url))
    assert names(ctxpack("query", "grand_total", "--repo", url, "--allow-clone")) == ["grand_total"]
    assert names(ctxpack("query", "grand_total", "--repo", url)) == ["grand_total"], "what is there may be read"


def test_nothing_of_a_clone_is_run_and_no_submodule_comes(
    ctxpack: Ctxpack, server: str, cache: Path, origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trapped"
    settings = tmp_path / "gitconfig"  # the user's own: a filter that runs a program on checkout, as git-lfs does
    settings.write_text(
        f'[filter "trap"]\n\tsmudge = touch {trap}; cat\n\tclean = touch {trap}; cat\n\trequired = true\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    settings.rename(tmp_path / "home" / ".gitconfig")
    (origin / ".gitattributes").write_text("*.py filter=trap\n")
    (origin / ".gitmodules").write_text(
        f'[submodule "s"]\n\tpath = s\n\turl = file://{origin}\n\tupdate = !touch {trap}\n'
    )
    head = git(origin, "rev-parse", "HEAD")
    git(origin, "-c", "filter.trap.clean=cat", "-c", "filter.trap.smudge=cat", "add", ".gitattributes", ".gitmodules")
    git(origin, "update-index", "--add", "--cacheinfo", f"160000,{head},s")
    (origin / "link").symlink_to("/etc/passwd")
    git(origin, "add", "link")
    git(origin, "commit", "-q", "-m", "traps")
    git(origin, "push", "-q", str(origin.parent / "served/public/shop.git"), "HEAD:main")
    trap.unlink(missing_ok=True)
    done = ctxpack("query", "grand_total", "--repo", f"http://{server}/public/shop.git")
    assert names(done) == ["grand_total"] and not trap.exists()
    (clone,) = (cache / "clones").glob("*/shop")
    assert list((clone / "s").iterdir()) == []
    assert b"root:" not in ctxpack("query", "link", "--repo", str(clone)).stdout


HOSTILE = (
    "ext::sh -c touch% trapped", "fd::1", "--upload-pack=touch trapped", "https://-oProxyCommand=x/y",
    "ssh://-oProxyCommand=touch/x", "-oProxyCommand=x@host:y", "https://host", "https:///x", "http://example.com/x",
    "git://example.com/x", "ftp://example.com/x", "https://host/x@--upload-pack=y", "https://host/x@a..b",
    "https://host/x@../../y", "https://host/x@a b", "https://host/x\n", "https://host/x y", "git@host:-x",
    "file://host.example@x/y@", "https://host/..", "git@ho st:x", "https://h\u00f6st/x", "https://host:99999999/x",
)  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_is_refused_before_git_is_asked(
    url: str, ctxpack: Ctxpack, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = ctxpack("query", "x", f"--repo={url}")
    assert done.returncode in (1, 2) and json.loads(done.stdout)["status"] == "error"
    assert b"Traceback" not in done.stderr and not (tmp_path / "trapped").exists()
    assert not (cache / "clones").exists()


@pytest.mark.parametrize(
    ("text", "shown", "revision", "name"),
    [("https://forge.example/o/r.git@v1.2", "https://forge.example/o/r.git", "v1.2", "r"),
     ("https://ann:secret@forge.example:8443/o/r@feature/x", "https://forge.example:8443/o/r", "feature/x", "r"),
     ("git@forge.example:o/r.git@main", "git@forge.example:o/r.git", "main", "r"),
     ("ssh://git@forge.example/o/r", "ssh://git@forge.example/o/r", "", "r"),
     ("HTTPS://Forge.example/o/..r/", "https://Forge.example/o/..r/", "", "r"),
     ("file:///srv/r", "file:///srv/r", "", "r")],
)  # fmt: skip
def test_the_parts_of_a_url(text: str, shown: str, revision: str, name: str, cache: Path) -> None:
    address = address_of(text)
    assert address is not None and (address.shown, address.revision, address.folder.name) == (shown, revision, name)
    assert "secret" not in str(address) + str(address.folder)


@pytest.mark.parametrize("text", ["src", "./a@b", "~/x", "/srv/a@b", "C:\\src\\app", "user@host", "a:b"])
def test_a_path_is_not_a_url(text: str) -> None:
    assert address_of(text) is None


def test_an_existing_folder_takes_precedence_over_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "git@host:x").mkdir()
    assert address_of("git@host:x") is None
    with pytest.raises(InvalidRequest):
        address_of("ext::sh")

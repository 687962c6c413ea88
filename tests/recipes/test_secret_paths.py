"""Files and folders named like a key: no command shows the key, but each can be distinguished and queried."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from recipe_shell import Ran, ctxpack

import context_pack
from benchmarks.research.secret_corpus import random_string, secrets
from context_pack.options.spec import FORMATS
from context_pack.redaction import Paths, redact_path
from contracts.errors import CtxpackError

pytestmark = pytest.mark.slow

FOLDER = "gh" + "p_" + random_string("a folder", 36)
FILE, TWIN = sorted("np" + "m_" + random_string(name, 36) for name in ("a file", "a twin"))
GONE = "sk_" + "live_" + random_string("a deleted file", 24)
WORD = "hunter" + "2zz9"
HIDDEN = (FOLDER, FILE, TWIN, GONE, WORD)
SHOWN_FOLDER, SHOWN_FILE = "keys/[REDACTED:github_token]/deploy.py", "keys/[REDACTED:npm_token].py"


def leaks(ran: Ran, *more: str) -> list[str]:
    printed = "".join((ran.out.decode(), ran.err, *more))
    return [secret for secret in HIDDEN if secret in printed or json.dumps(secret)[1:-1] in printed]


def git(root: Path, *arguments: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *names, *arguments], check=True, capture_output=True)


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with such names; since the last commit, one was deleted and one renamed."""
    root = tmp_path_factory.mktemp("tree")
    write(root, {
        f"keys/{FOLDER}/deploy.py": '"""Deploy settings."""\n\n\ndef deploy_settings():\n    return read_settings()\n',
        f"keys/{FILE}.py": "def read_settings():\n    return 1\n\n\ndef shared():\n    return 1\n",
        f"keys/{GONE}.py": "def removed_helper():\n    return 2\n",
        f"keys/password={WORD}.txt": "deploy settings of a file\n",
        "plain/app.py": "def app():\n    return deploy_settings(), removed_helper()\n",
    })  # fmt: skip
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "deploy settings")
    git(root, "mv", f"keys/{FOLDER}/deploy.py", f"keys/{FOLDER}/deployed.py")
    git(root, "mv", f"keys/{FOLDER}/deployed.py", f"keys/{FOLDER}/deploy.py")
    git(root, "rm", "-q", f"keys/{GONE}.py")
    write(root, {
        f"keys/{TWIN}.py": "def shared():\n    return 2\n",
        f"keys/{FOLDER}/deploy.py": '"""Deploy settings."""\n\n\ndef deploy_settings():\n    return 3\n',
    })  # fmt: skip
    git(root, "add", "-A", "-N")
    return root


ASKED = [
    ("query", "deploy settings"), ("query", f"{SHOWN_FOLDER}:4"), ("query", f"keys/{FOLDER}/deploy.py"),
    ("query", "--diff", "HEAD"), ("query", "removed_helper", "--diff", "HEAD"),
    ("query", f'  File "keys/{FOLDER}/deploy.py", line 90, in deploy_settings\nValueError: deploy'),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: " ".join(asked)[:30])
def test_no_pack_of_any_form_shows_a_secret_of_a_path(tree: Path, asked: tuple[str, ...], form: str) -> None:
    options = ("--format", form, "--explain", "--related-mode", "explore")
    ran = ctxpack(*asked, "--repo", tree, *options, CTXPACK_CACHE_DIR=f"{tree}-cache")
    assert ran.code == 0, ran.out
    assert not leaks(ran)
    assert b"[REDACTED:github_token]/deploy.py" in ran.out.replace(b"\\/", b"/")


@pytest.mark.parametrize(
    "asked",
    [("search", "deploy settings", "--explain"), ("search", "deploy settings", "--content"), ("symbols", "*"),
     ("related", "deploy_settings", "--explain"), ("related", SHOWN_FOLDER), ("related", f"keys/{FILE}.py:1"),
     ("related", f"keys/{FILE}.py:1", "--format", "text"), ("related", f"keys/{FILE}.py:99"), ("related", "shared"),
     ("query", f"keys/{FILE}.py:99"), ("query", f"keys/{FILE}x.py:9"), ("query", "read_settingz"), ("status",),
     ("query", "nothing", "--include", f"keys/{GONE}.py"), ("query", "deploy", "--have", f"keys/{GONE}.py"),
     ("query", "deploy", "--max-chars", "200"), ("query", f"{FILE}.py"), ("bench", "--history", "5", "--explain")],
    ids=lambda asked: " ".join(map(str, asked))[:40],
)  # fmt: skip
def test_no_list_hint_or_error_shows_a_secret_of_a_path(tree: Path, asked: tuple[object, ...]) -> None:
    assert not leaks(ctxpack(*asked, "--repo", tree, CTXPACK_CACHE_DIR=f"{tree}-cache"))


def test_no_secret_of_any_kind_is_shown_in_a_path(tmp_path: Path) -> None:
    """All secrets of the corpus that can be part of a file name."""
    texts = {case.text.strip(): case.secret for case in secrets()}
    names = [text for text in texts if "/" not in text and "\n" not in text]
    write(tmp_path, {f"{number}/{name}": f"deploy settings {number}\n" for number, name in enumerate(names)})
    ran = ctxpack("search", "deploy settings", "--top-k", 400, "--repo", tmp_path)
    files = [hit["file"] for hit in ran.data["hits"]]
    assert len(set(files)) == len(names) > 100
    assert sum(any(texts[name] in file for name in names) for file in files) <= len(names) // 50


def test_a_path_is_asked_for_as_it_is_shown(tree: Path) -> None:
    session = context_pack.open(tree)
    files = {item.file for item in session.query("shared", limit=5).data.items}
    assert {SHOWN_FILE, "keys/[REDACTED:npm_token]~2.py"} <= files, "two names that look alike have numbers"
    for shown, returned in ((SHOWN_FILE, 1), ("keys/[REDACTED:npm_token]~2.py", 2)):
        (item,) = [one for one in session.query(f"{shown}:2", limit=1).data.items if one.file == shown]
        assert f"return {returned}" in item.content
        assert session.related(f"{shown}:1").data.of[0].file == shown
        assert session.related(f"{shown}:1").data.query == f"{shown}:1"
    without = session.query("shared", have=[SHOWN_FILE]).data.items
    assert SHOWN_FILE not in {item.file for item in without}
    assert {symbol.file for symbol in session.symbols("shared").data.symbols} == {
        SHOWN_FILE, "keys/[REDACTED:npm_token]~2.py"
    }  # fmt: skip


def test_paths_are_counted_and_shown_to_whoever_asks(tree: Path) -> None:
    asked = ("query", f"{SHOWN_FOLDER}:4", "--limit", 1, "--related-mode", "none", "--repo", tree)
    assert ctxpack(*asked).envelope["meta"]["redactions"] == {"total": 1, "github_token": 1}
    items = ctxpack(*asked, "--no-redact").data["items"]
    assert [item["file"] for item in items] == [f"keys/{FOLDER}/deploy.py"]


def test_an_error_of_the_library_shows_none(tree: Path) -> None:
    session = context_pack.open(tree)
    with pytest.raises(CtxpackError) as failure:
        session.related("shared")
    shown = (str(failure.value), failure.value.hint, json.dumps(failure.value.details))
    assert not [secret for secret in HIDDEN if secret in "".join(shown)]
    assert failure.value.details["candidates"] == [
        f"shared ({SHOWN_FILE}:5)", "shared (keys/[REDACTED:npm_token]~2.py:1)"
    ]  # fmt: skip


def test_a_change_is_marked_in_a_file_with_such_a_name(tree: Path) -> None:
    items = ctxpack("query", "--diff", "HEAD", "--repo", tree).data["items"]
    changed = {item["file"]: item.get("changed") for item in items if item["role"] == "primary"}
    assert changed[SHOWN_FOLDER]


def test_a_batch_and_several_repositories_show_none(tree: Path, tmp_path: Path) -> None:
    write(tmp_path / FOLDER, {"a.py": "def deploy_settings():\n    return 1\n"})
    lines = "".join(
        json.dumps({"id": number, "action": action, "args": {"query": text}}) + "\n"
        for number, (action, text) in enumerate(
            [("query", "deploy settings"), ("related", "shared"), ("symbols", "*"), ("related", f"{FILE}.py:99")]
        )
    )
    assert not leaks(ctxpack("batch", "--repo", tree, stdin=lines.encode()))
    ran = ctxpack("query", "deploy settings", "--repo", tree, "--repo", tmp_path / FOLDER, "--explain")
    assert not leaks(ran)
    shown = [item["file"] for item in ran.data["items"] if item["file"].endswith("/a.py")]
    assert shown == ["[REDACTED:github_token]/a.py"]
    assert ctxpack("query", shown[0], "--repo", tree, "--repo", tmp_path / FOLDER).data["items"][0]["file"] == shown[0]


def test_no_graph_shows_one(tmp_path: Path) -> None:
    ctxpack("init", "graph", tmp_path)
    work = tmp_path / ".mdkg/work"
    (work / "task-1-store-offsets.md").rename(work / f"{FILE}.md")
    (work / f"{TWIN}.md").write_text("---\nid: [\n")
    for form in ("md", "json", "xml", "toon"):
        ran = ctxpack("graph", "task-1", "--root", tmp_path, "--format", form, "--explain", "--verbose")
        assert not leaks(ran)
        assert b"[REDACTED:npm_token].md" in ran.out


def test_no_page_shows_one(tmp_path: Path) -> None:
    ctxpack("init", "wiki", tmp_path)
    concepts = tmp_path / "wiki/concepts"
    (concepts / "autolyse.md").rename(concepts / f"{FILE}.md")
    (concepts / f"{TWIN}.md").write_text((concepts / f"{FILE}.md").read_text() + f"\n[[{FILE}]]\n")
    (concepts / f"{GONE}.md").write_text("---\ntitle: [\n---\n")
    for form in ("md", "json"):
        for seed in (
            ["autolyse starter"],
            ["--page", f"wiki/concepts/{FILE}.md"],
            ["x", "--exclude", f"wiki/{GONE}.md"],
        ):
            ran = ctxpack("pages", *seed, "--vault", tmp_path, "--format", form, "--explain", "--min-score", 0)
            assert not leaks(ran)
    ran = ctxpack("pages", "autolyse starter", "--vault", tmp_path, "--format", "json")
    alike = [page["path"] for page in ran.data["pages"] if "REDACTED" in page["path"]]
    assert sorted(alike) == ["wiki/concepts/[REDACTED:npm_token].md", "wiki/concepts/[REDACTED:npm_token]~2.md"]


def test_no_task_shows_one(tmp_path: Path) -> None:
    ctxpack("init", "task", tmp_path)
    plan = tmp_path / ".nexus/05-runtime/TASK_GRAPH.json"
    text = plan.read_text().replace(
        '"src/auth/middleware.ts", "src/auth/middleware.test.ts"', f'"src/{FILE}.ts", "src/{TWIN}.ts", "src/{GONE}.ts"'
    )
    plan.write_text(text)
    write(tmp_path, {
        f"src/{FILE}.ts": f"import {{ a }} from './{TWIN}'\nexport const b = a\n",
        f"src/{TWIN}.ts": "export const a = 1 // \ufffd\n",
    })  # fmt: skip
    (tmp_path / f"src/{GONE}.ts").write_bytes(b"\0\1\2")
    for place in ("03-index/test_map.json", "03-index/ownership.json", "03-index/symbols.json"):
        (tmp_path / ".nexus" / place).unlink()
    for form in ("json", "md"):
        ran = ctxpack("task", "T02", "--root", tmp_path, "--format", form, "--explain")
        assert ran.code == 0 and not leaks(ran)
    data = ctxpack("task", "T02", "--root", tmp_path).data
    files = [f"src/[REDACTED:{kind}].ts" for kind in ("npm_token", "npm_token]~2", "stripe_key")]
    files[1] = "src/[REDACTED:npm_token]~2.ts"
    assert data["files"] == files
    assert sorted(data["filesContent"]) == sorted(files), "none is lost to its twin"


def test_no_turn_shows_one(tmp_path: Path) -> None:
    ctxpack("init", "turn", tmp_path)
    (tmp_path / "docs/PLAN.md").rename(tmp_path / f"docs/{FILE}.md")
    (tmp_path / "src/ws/client.ts").rename(tmp_path / f"src/ws/{TWIN}.ts")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    with (tmp_path / f"src/ws/{TWIN}.ts").open("a") as file:
        file.write("export const more = 1\n")
    write(tmp_path, {f"src/ws/{FOLDER}/retry.ts": (tmp_path / "src/ws/retry.ts").read_text()})
    (tmp_path / f"docs/{GONE}.md").write_bytes(b"\0\1\2")
    request = json.loads((tmp_path / "request.json").read_text())
    (tmp_path / "request.json").write_text(json.dumps({**request, "base": "HEAD"}))
    sidecar = tmp_path.with_name(f"{tmp_path.name}.sidecar.json")
    for form in ("json", "text"):
        ran = ctxpack(
            "turn", tmp_path / "request.json", "--root", tmp_path, "--sidecar", sidecar, "--format", form, "--explain"
        )
        assert ran.code == 0 and not leaks(ran, sidecar.read_text())
    pack = ctxpack("turn", tmp_path / "request.json", "--root", tmp_path).data
    assert "docs/[REDACTED:npm_token].md" in {one["path"] for one in pack["docRefs"]}
    assert "diff:src/ws/[REDACTED:npm_token].ts" in {one["ref"] for one in pack["artifacts"]}
    told = {entry["id"] for entry in json.loads(sidecar.read_text())["entries"]}
    assert {one["path"] for one in pack["relevantFiles"]} <= told


def test_no_path_of_ordinary_files_is_changed() -> None:
    """Paths of the packages that run these tests, and names that nearly look like a key."""
    packages = Path(pytest.__file__).parents[1]
    found = [str(path.relative_to(packages)) for path in packages.rglob("*")]
    assert len(found) > 5_000
    digests = [f"cache/{number:064x}/{number:040x}.json" for number in range(3, 9**9, 9**8)]
    named = [
        "src/password.py", "docs/api_key.md", "secrets/token.txt", "ghp_test.py", "sk-learn/sk-model.py", "key.go",
        "tests/test_access_token_is_refreshed_when_it_expires.py", "0d3b6f1e-7c1a-4c5e-9b1f-0a1b2c3d4e5f.log",
        "node_modules/@types/node/index.d.ts", f".yarn/cache/lodash-npm-4.17.21-6382451519-{7**40:056x}.zip",
        "AKIA.txt", "Projekte/Jörg & Söhne/Schlüssel=Wert.txt", "a=b/c=d.py", "year=2024/month=01/part-00000.parquet",
    ]  # fmt: skip
    assert not [path for path in (*found, *digests, *named) if redact_path(path).text != path]


def test_paths_there_and_back() -> None:
    files = [f"a/{FILE}.py", f"a/{TWIN}.py", f"{FOLDER}/{FILE}.py", "plain.py", f"line\nend/{FILE}.py"]
    paths = Paths(lambda: files)
    shown = [paths.shown(path) for path in files]
    assert len(set(shown)) == len(files)
    assert shown[3] == "plain.py"
    assert not [secret for secret in HIDDEN if secret in "".join(shown)]
    assert [paths.real(one) for one in shown] == files
    assert paths.text(f"see {files[1]} and {files[0]}:3") == f"see {shown[1]} and {shown[0]}:3"
    assert Paths(lambda: reversed(files)).shown(files[1]) == shown[1], "the order of the files says nothing"

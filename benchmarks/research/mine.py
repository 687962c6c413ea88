"""Mine commit subjects and doc sentences from git mirrors into suites: trees, and questions as JSON.

    python -m benchmarks.research.mine --list MIRRORS.json --dest SUITES [--mirrors DIR]
        [--cap-commits 35] [--cap-docs 30]

The list names the repositories: `[{"repo": "owner/name", "git_dir": PATH, "license": SPDX, "language": ...}]`; without
a `git_dir`, MIRRORS/OWNER+NAME/repo is read. held_out.json is such a list, of repositories that no training uses. The
repositories of the public suite and of our small one, and other code-search tools, are left out
(training/excluded.json). The output:

    SUITES/trees/OWNER+NAME/...     one tree a repository: the parent of the oldest commit with a question, text files
                                    up to 1 MB, without the docs that are questions in docs.json
    SUITES/commits.json, docs.json  the suites (format: benchmarks/suites.py)
    SUITES/parts/OWNER+NAME.json    the questions of one repository; a repository with such a file is not read again
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from benchmarks.packages import SUITE
from benchmarks.research import docstrings
from benchmarks.research.changes import places
from benchmarks.suites import HEADER, split_of
from benchmarks.trees import git_dir_of
from context_pack.benchmark import commits
from context_pack.benchmark.history import blobs, paths_in, write_tree
from context_pack.benchmark.history import commits as history_of

MAX_FILES = 4000
MAX_DOC_FILES = 400  # of a repository that are read for docs, evenly spread over its paths
SPARE = 8  # extra commits above the cap: some change files that the tree does not have yet
EXCLUDED_FILE = Path(__file__).parent / "training" / "excluded.json"
LANGUAGES = {
    ".py": "python", ".pyx": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".jsx": "javascript", ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".vue": "javascript",
    ".go": "go", ".rs": "rust", ".java": "java", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp",
    ".hpp": "cpp", ".hh": "cpp", ".hxx": "cpp", ".ipp": "cpp", ".cs": "csharp", ".kt": "kotlin", ".scala": "scala",
    ".swift": "swift", ".rb": "ruby", ".php": "php", ".ex": "elixir", ".exs": "elixir", ".hs": "haskell",
    ".lua": "lua", ".zig": "zig", ".sh": "bash", ".bash": "bash", ".bats": "bash",
}  # fmt: skip


def mine_commits(entry: dict[str, Any], dest: Path, cap: int) -> dict[str, Any] | str:
    """Write a repository's tree and return its commit questions, or the reason why it is left out."""
    slug, git_dir = entry["repo"], git_dir_of(Path(entry["git_dir"]))
    candidates = commits.newest_questions(history_of(git_dir), cap + SPARE)
    if not candidates:
        return "no commit asks anything"
    revision = candidates[-1].commit.parent
    sizes = paths_in(git_dir, revision)
    if not 1 < len(sizes) <= MAX_FILES:
        return f"{len(sizes)} files"
    folder = slug.replace("/", "+")
    shutil.rmtree(dest / "trees" / folder, ignore_errors=True)
    files = write_tree(git_dir, revision, dest / "trees" / folder)
    about = {
        "name": folder, "url": f"https://github.com/{slug}", "language": entry.get("language", ""),
        "license": entry.get("license", ""), "commit": revision, "split": split_of(slug), "files": len(files),
    }  # fmt: skip
    questions = [
        {
            "query": one.query, "category": "commit", "language": _language_of(one.targets), "commit": one.commit.sha,
            "targets": [{"path": path} for path in one.targets],
        }
        for one in commits.answerable(candidates, files)[:cap]
    ]  # fmt: skip
    return {"repository": about, "commits": questions, "docs": None}


def add_places(part: dict[str, Any], git_dir: Path, dest: Path) -> None:
    """Add to each commit question the lines that the commit changed, as they are in the written tree."""
    name, revision = part["repository"]["name"], part["repository"]["commit"]
    commits_by_sha = {one.sha: one for one in history_of(git_dir)}
    for question in part["commits"]:
        commit = commits_by_sha.get(question["commit"])
        paths = [target["path"] for target in question["targets"]] if commit and commit.sha != revision else []
        question["places"] = [
            {"path": path, "start_line": first, "end_line": last}
            for path in paths
            for first, last in places(git_dir, commits_by_sha[question["commit"]], path, dest / "trees" / name)
        ]


def mine_docs(part: dict[str, Any], git_dir: Path, dest: Path, cap: int) -> list[dict[str, Any]]:
    """The doc questions of a written tree; their docs are cut from its files."""
    name, revision = part["repository"]["name"], part["repository"]["commit"]
    tree = dest / "trees" / name
    paths = [path for path, size in paths_in(git_dir, revision).items() if docstrings.is_candidate(path, size)]
    paths = sorted(paths)[:: max(1, len(paths) // MAX_DOC_FILES)]
    data = {path: blob for path, blob in zip(paths, blobs(git_dir, revision, paths), strict=True) if blob}
    symbols = [one for path, blob in data.items() for one in docstrings.doc_symbols(path, blob)]
    selection = docstrings.choose(symbols, cap, name)
    questions: list[docstrings.DocSymbol] = []
    for path in dict.fromkeys(one.path for one in selection):
        cut = docstrings.cut_docs(path, data[path], [one for one in selection if one.path == path])
        (tree / path).write_text(cut.text, encoding="utf-8", newline="")
        questions += cut.questions
    # A sentence that also occurs elsewhere (a twin in another binding, a README) is answered there instead.
    texts = [path.read_text("utf-8", "replace") for path in sorted(tree.rglob("*")) if path.is_file()]
    questions = [one for one in questions if not any(one.query in text for text in texts)]
    return [
        {
            "query": one.query, "category": "doc", "language": _language_of([one.path]), "symbol": one.symbol,
            "targets": [{"path": one.path, "start_line": one.start_line, "end_line": one.end_line}],
        }
        for one in questions
    ]  # fmt: skip


def _language_of(paths: Iterable[str]) -> str:
    """The language of most of the paths; of equals, the first by name."""
    counts: dict[str, int] = {}
    for path in paths:
        language = LANGUAGES.get(PurePosixPath(path).suffix.lower(), "text")
        counts[language] = counts.get(language, 0) + 1
    return min(counts, key=lambda language: (-counts[language], language))


def merge(dest: Path) -> dict[str, int]:
    """Write commits.json and docs.json from the parts; returns the number of questions in each."""
    parts = [json.loads(part.read_text("utf-8")) for part in sorted((dest / "parts").glob("*.json"))]
    counts = {}
    for kind in ("commits", "docs"):
        suite = {
            **HEADER, "name": kind, "trees": "trees",
            "repositories": [part["repository"] | {"questions": part[kind]} for part in parts if part[kind]],
        }  # fmt: skip
        temporary = dest / f"{kind}.json.new"
        temporary.write_text(json.dumps(suite, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        temporary.replace(dest / f"{kind}.json")
        counts[kind] = sum(len(part[kind] or ()) for part in parts)
    return counts


def is_whole(part: dict[str, Any], docs: bool) -> bool:
    """Whether the part of a repository is complete."""
    return (part["docs"] is not None or not docs) and all("places" in question for question in part["commits"])


def allowed_entries(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The list without the repositories that training and tuning must not use, by name."""
    excluded = {name.lower() for name in json.loads(EXCLUDED_FILE.read_text("utf-8"))["repositories"]}
    excluded |= {entry["repo"].lower() for entry in json.loads((SUITE / "repos.json").read_text("utf-8"))}
    return sorted(
        (entry for entry in entries if entry["repo"].lower() not in excluded), key=lambda entry: entry["repo"]
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path, required=True, dest="repositories")
    parser.add_argument("--dest", type=Path, required=True)
    parser.add_argument("--mirrors", type=Path)
    parser.add_argument("--cap-commits", type=int, default=35)
    parser.add_argument("--cap-docs", type=int, default=30)
    options = parser.parse_args(arguments)
    parts: Path = options.dest / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    for entry in allowed_entries(json.loads(options.repositories.read_text("utf-8"))):
        if options.mirrors:
            entry.setdefault("git_dir", str(options.mirrors / entry["repo"].replace("/", "+") / "repo"))
        place = parts / f"{entry['repo'].replace('/', '+')}.json"
        part = json.loads(place.read_text("utf-8")) if place.is_file() else None
        if part is not None and is_whole(part, bool(options.cap_docs)):
            continue
        part = part or mine_commits(entry, options.dest, options.cap_commits)
        if isinstance(part, str):
            print(f"{entry['repo']}: left out, {part}", file=sys.stderr)
            continue
        git_dir = git_dir_of(Path(entry["git_dir"]))
        if options.cap_docs and part["docs"] is None:
            part["docs"] = mine_docs(part, git_dir, options.dest, options.cap_docs)
        add_places(part, git_dir, options.dest)
        place.write_text(json.dumps(part, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{entry['repo']}: {len(part['commits'])} commits, {len(part['docs'] or ())} docs", file=sys.stderr)
    print(merge(options.dest))


if __name__ == "__main__":
    main()

"""The output of every command on real repositories, recorded before a change and compared after it.

    python -m benchmarks.research.goldens write DIR --trees TREES [--repository NAME ...]
    python -m benchmarks.research.goldens compare DIR --trees TREES

A golden is DIR/REPOSITORY/COMMAND.out: exit code, then stdout without the JSON's `meta`, then the first line of stderr.
`compare` prints one line for each difference and exits with status 1 if there is any.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORIES = ("fastapi", "curl", "ktor", "gin", "phoenix", "trpc")
QUERIES = {  # a name, a misspelt name, a question, a topic and a place of each
    "fastapi": ("APIRouter", "APIRoutr", "how are path parameters converted before the endpoint is called",
                "dependency overrides", "fastapi/routing.py:200"),
    "curl": ("Curl_multi_handle", "curl_mutli_perform", "where does a transfer decide to retry on a dead connection",
             "cookie expiry", "lib/url.c:400"),
    "ktor": ("HttpClientEngine", "HttpClientEngin", "how is a request body turned into bytes before it is sent",
             "content negotiation", "ktor-client/ktor-client-core/common/src/io/ktor/client/HttpClient.kt:60"),
    "gin": ("RouterGroup", "RuoterGroup", "what happens to a panic inside a handler", "binding validation",
            "gin.go:200"),
    "phoenix": ("Phoenix.Router", "Phoenix.Ruoter", "how does a channel rejoin after the socket drops",
                "verified routes", "lib/phoenix/router.ex:300"),
    "trpc": ("createCallerFactory", "createCalerFactory", "how are errors of a procedure formatted for the client",
             "batch link", "packages/server/src/unstable-core-do-not-import/router.ts:100"),
}  # fmt: skip


def commands(repository: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(file name, arguments) of each golden of a repository."""
    name, misspelt, question, topic, place = QUERIES[repository]
    for at, text in enumerate((name, misspelt, question, topic, place)):
        yield f"query-{at}", ("query", text)
        yield f"query-{at}-small", ("query", text, "--max-chars", "2000", "--format", "md")
        yield f"search-{at}", ("search", text)
    for form in ("md", "text", "xml", "toon", "html"):
        yield f"query-question-{form}", ("query", question, "--format", form, "--max-chars", "8000")
    yield "query-explain", ("query", question, "--explain")
    yield "query-explore", ("query", topic, "--related-mode", "explore", "--depth", "3")
    yield "query-whole", ("query", topic, "--fit", "whole", "--max-chars", "4000")
    yield "query-tokens", ("query", topic, "--max-tokens", "1500")
    yield "query-no-docs", ("query", question, "--no-docs", "--exclude", "*test*")
    yield "query-docs-first", ("query", topic, "--docs-first")
    yield "query-nothing", ("query", "zzyzx qwrtp")
    yield "search-lines", ("search", question, "--order", "lines", "--content")
    yield "search-long", ("search", topic, "--top-k", "50")
    yield "related-place", ("related", place)
    yield "related-name", ("related", name, "--top-k", "3")
    yield "symbols", ("symbols", f"*{name[-6:]}*")
    yield "usage", ("query",)
    yield "bad-option", ("query", name, "--max-chars", "-3")
    yield "bad-edges", ("query", name, "--edges", "nothing")


def outputs(tree: Path, cache: Path, repository: str) -> dict[str, str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "COLUMNS": "100", "NO_COLOR": "1"}

    def output(arguments: tuple[str, ...]) -> str:
        command = [sys.executable, "-m", "context_pack", *arguments]
        process = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
        return f"exit {process.returncode}\n{stable(process.stdout)}\n{''.join(process.stderr.splitlines(True)[:1])}"

    output(("index",))
    golden_commands = list(commands(repository))
    with ThreadPoolExecutor(2) as pool:
        return dict(
            zip(
                [name for name, _ in golden_commands],
                pool.map(output, [line for _, line in golden_commands]),
                strict=True,
            )
        )


def stable(text: str) -> str:
    """A JSON envelope without `meta`, one field per line; other text unchanged."""
    try:
        envelope = json.loads(text)
    except ValueError:
        return text
    envelope.pop("meta", None)
    return json.dumps(envelope, indent=1, ensure_ascii=False)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("goldens", type=Path)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--repository", nargs="+", choices=REPOSITORIES, default=list(REPOSITORIES))
    options = parser.parse_args(arguments)
    differences = 0
    for repository in options.repository:
        with tempfile.TemporaryDirectory() as cache:
            texts = outputs(options.trees / repository, Path(cache), repository)
        for name, text in texts.items():
            path = options.goldens / repository / f"{name}.out"
            if options.action == "write":
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
            elif not path.is_file() or path.read_text("utf-8") != text:
                differences += 1
                print(f"{repository}/{name}: {_first_difference(path, text)}")
        print(f"{repository}: {len(texts)} outputs")
    raise SystemExit(1 if differences and options.action == "compare" else 0)


def _first_difference(path: Path, text: str) -> str:
    before = path.read_text("utf-8").splitlines() if path.is_file() else []
    for number, (old, new) in enumerate(zip(before, text.splitlines(), strict=False), 1):
        if old != new:
            return f"line {number}: {old.strip()[:90]!r} is now {new.strip()[:90]!r}"
    return f"{len(before)} lines are now {len(text.splitlines())}"


if __name__ == "__main__":
    main()

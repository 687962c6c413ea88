"""Generates traces in the formats of languages and tools: real functions and lines of a tree, mixed with other frames.

All random choices come from a seed: the same tree gives the same traces.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from chunker.api import chunk_file
from chunker.parse.decoding import decode

MAX_FILE_BYTES = 400_000
MAX_LINE_CHARS = 300
MIN_OWN, MAX_OWN = 2, 7
MAX_FILES = 150
_CODE = re.compile(r"[A-Za-z].*[(=.]|return|raise|throw")
_REMARK = re.compile(r"\s*(?:#|//|/\*|\*|--|;|\"\"\"|''')")
_WORDS = "must be positive but the shard says otherwise while reading block header of segment".split()


@dataclass(frozen=True, slots=True)
class OwnFrame:
    """A line of the tree inside a function: `package` is the file's, `owner` the class around the function."""

    path: str
    line: int
    function: str
    owner: str = ""
    package: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """A pasted text and the own frames in it, the innermost first."""

    kind: str
    text: str
    own: tuple[OwnFrame, ...]


def own_lines(root: Path, language: str, seed: str) -> list[OwnFrame]:
    """A line of each of many functions of the tree, shuffled."""
    draw = random.Random(f"{seed} lines")
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    draw.shuffle(files)
    frames: list[OwnFrame] = []
    files_read = 0
    for path in files:
        relative = path.relative_to(root).as_posix()
        if path.stat().st_size > MAX_FILE_BYTES or files_read >= MAX_FILES or relative.startswith("."):
            continue
        data = path.read_bytes()
        text = decode(data)
        chunks = chunk_file(data, relative)
        if text is None or chunks.language != language:
            continue
        files_read += 1
        lines = text.split("\n")
        for one in chunks.definitions:
            if one.kind in ("function", "method"):
                inner = [other for other in chunks.definitions if one.line < other.line <= one.end_line]
                body = [
                    line
                    for line in range(one.line + 1, one.end_line + 1)
                    if _is_code(lines[line - 1])
                    and not any(other.start_line <= line <= other.end_line for other in inner)
                ]
                if body:
                    owner = one.qualified.rpartition(".")[0].rpartition(".")[2]
                    frames.append(OwnFrame(relative, draw.choice(body), one.name, owner, chunks.package))
    draw.shuffle(frames)
    return frames


def _is_code(line: str) -> bool:
    return len(line) <= MAX_LINE_CHARS and bool(_CODE.search(line)) and not _REMARK.match(line)


Printer = Callable[[Sequence[OwnFrame | None], str, random.Random], str]  # frames innermost first, None: other people's


def samples(root: Path, name: str, language: str, each: int) -> Iterator[Sample]:
    """`each` traces of every kind that the language has."""
    pool = own_lines(root, language, name)
    for kind, printer in PRINTERS.get(language, {}).items():
        for number in range(each):
            draw = random.Random(f"{name} {kind} {number}")
            if len(pool) < MAX_OWN:
                return
            own = draw.sample(pool, draw.randint(MIN_OWN, MAX_OWN))
            frames: list[OwnFrame | None] = [None, *own] if draw.random() < 0.3 else [*own]
            for _ in range(draw.randint(1, 5)):
                frames.insert(draw.randint(1, len(frames)), None)
            words = " ".join(draw.sample(_WORDS, 5))
            places = {(one.path, one.line): one for one in own}
            yield Sample(kind, printer(frames, words, draw), tuple(places.values()))


def _install_path(path: str, folder: str) -> str:
    """The path of a package's file once installed: without the folders that only the repository has."""
    parts = path.split("/")
    return folder + "/".join(parts[1:] if parts[0] in ("src", "lib", "python") and len(parts) > 2 else parts)


def _python(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = ["Traceback (most recent call last):"]
    prefix = draw.choice(["/app/", "/home/runner/work/project/project/", "/usr/lib/python3/dist-packages/"])
    for one in reversed(frames):
        if one is None:
            lines += ['  File "/usr/lib/python3.11/asyncio/base_events.py", line 653, in run_until_complete', "    x()"]
        else:
            path = _install_path(one.path, prefix) if "packages" in prefix else prefix + one.path
            lines += [f'  File "{path}", line {one.line}, in {one.function}', "    return something(else)"]
    return "\n".join([*lines, f"ValueError: {words}"])


def _pytest(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = ["=================== FAILURES ===================", "_______________ test_it _______________", ""]
    for one in reversed(frames):
        place = "/usr/lib/python3/dist-packages/_pytest/python.py:159: in f" if one is None else ""
        lines += [place or f"{one.path}:{one.line}: in {one.function}", "    code(here)"] if one or place else []
    return "\n".join([*lines, f"E   ValueError: {words}", "", "1 failed in 0.12s"])


def _mypy(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    own = [one for one in frames if one]
    return "\n".join(f"{one.path}:{one.line}: error: {words}  [arg-type]" for one in own)


def _node(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = [f"TypeError: {words}"]
    prefix = draw.choice(["/app/", "file:///srv/app/", "webpack-internal:///./", "/home/u/project/"])
    for one in frames:
        if one is None:
            lines.append("    at Layer.handle [as handle_request] (/app/node_modules/express/lib/router/layer.js:95:5)")
        else:
            name = f"{one.owner}.{one.function}" if one.owner else one.function
            lines.append(
                draw.choice(
                    [f"    at {name} ({prefix}{one.path}:{one.line}:11)"] * 3
                    + [f"    at async {prefix}{one.path}:{one.line}:7"]
                )
            )
    return "\n".join([*lines, "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)"])


def _tsc(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    return "\n".join(f"{one.path}({one.line},5): error TS2322: {words}" for one in frames if one)


def _eslint(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    return "\n\n".join(f"/app/{one.path}\n  {one.line}:5  error  {words}  no-undef" for one in frames if one)


def _java(ending: str) -> Printer:
    def print_trace(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
        lines = [f'Exception in thread "main" java.lang.IllegalStateException: {words}']
        for one in frames:
            if one is None:
                lines.append("\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)")
                continue
            file = PurePosixPath(one.path)
            owner = one.owner or f"{file.stem}{'Kt' if ending == 'kt' else '$'}"
            lines.append(
                f"\tat {one.package + '.' if one.package else ''}{owner}.{one.function}({file.name}:{one.line})"
            )
        return "\n".join(lines)

    return print_trace


def _go(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = [f"panic: {words}", "", "goroutine 1 [running]:"]
    prefix = draw.choice(
        ["/go/src/example.com/project/", "/home/u/project/", "/go/pkg/mod/example.com/project@v1.2.3/"]
    )
    for one in frames:
        if one is None:
            lines += [
                "net/http.HandlerFunc.ServeHTTP(0xc00001, {0x1, 0x2})",
                "\t/usr/local/go/src/net/http/server.go:2136 +0x29",
            ]
        else:
            name = f"(*{one.owner}).{one.function}" if one.owner else one.function
            lines += [f"example.com/project.{name}(0xc0000, 0x5)", f"\t{prefix}{one.path}:{one.line} +0x1d"]
    return "\n".join([*lines, "exit status 2"])


def _compiler(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    prefix = draw.choice(["", "./", "/build/"])
    return "\n".join(f"{prefix}{one.path}:{one.line}:5: error: {words}" for one in frames if one)


def _rust(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    first = next(one for one in frames if one)
    lines = [f"thread 'main' panicked at {first.path}:{first.line}:9:", words, "stack backtrace:"]
    prefix = draw.choice(["./", "/build/"])
    for number, one in enumerate(frames):
        if one is None:
            lines += [
                f"  {number}: core::panicking::panic_fmt",
                "             at /rustc/9fc6b431/library/core/src/panicking.rs:72:14",
            ]
        else:
            owner = f"{one.owner}::" if one.owner else ""
            lines += [
                f"  {number}: project::{owner}{one.function}",
                f"             at {prefix}{one.path}:{one.line}:13",
            ]
    return "\n".join(lines)


def _rustc(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    return "\n\n".join(
        f"error[E0308]: {words}\n  --> {one.path}:{one.line}:9\n   |\n{one.line} |     let x = y;\n   |     ^^^"
        for one in frames
        if one
    )


def _sanitizer(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = ["==12==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000 at pc 0x55"]
    prefix = draw.choice(["/src/project/", "/build/"])
    for number, one in enumerate(frames):
        place = (
            "__libc_start_main (/lib/x86_64-linux-gnu/libc.so.6+0x29d8f)"
            if one is None
            else f"{one.function} {prefix}{one.path}:{one.line}:9"
        )
        lines.append(f"    #{number} 0x55d{number} in {place}")
    return "\n".join(lines)


def _gdb(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = []
    for number, one in enumerate(frames):
        if one is None:
            lines.append(f"#{number}  0x00007ffff7c4 in __GI_abort () at ./stdlib/abort.c:79")
        else:
            lines.append(f'#{number}  0x0000555 in {one.function} (x=5, s=0x5 "a b") at ../{one.path}:{one.line}')
    return "\n".join(["Program received signal SIGABRT, Aborted.", *lines])


def _csharp(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = [f"Unhandled exception. System.InvalidOperationException: {words}"]
    for one in frames:
        if one is None:
            lines.append("   at System.Linq.Enumerable.First[TSource](IEnumerable`1 source)")
        else:
            windows = one.path.replace("/", "\\")
            lines.append(
                f"   at {one.package}.{one.owner}.{one.function}(int x) in C:\\work\\project\\{windows}:line {one.line}"
            )
    return "\n".join(lines)


def _ruby(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    prefix = draw.choice(["/app/", "/usr/local/bundle/gems/project-1.2.3/", ""])
    lines = []
    for one in frames:
        path, line, name = (
            ("/usr/lib/ruby/3.1.0/net/http.rb", 960, "start")
            if one is None
            else (prefix + one.path, one.line, one.function)
        )
        lines.append(f"{path}:{line}:in `{name}'")
    return "\n".join([f"{lines[0]}: {words} (ArgumentError)", *(f"\tfrom {line}" for line in lines[1:])])


def _php(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    prefix = draw.choice(["/var/www/html/", "/app/"])
    innermost, *calls = [one for one in frames if one]
    lines = [
        f"PHP Fatal error:  Uncaught RuntimeException: {words} in {prefix}{innermost.path}:{innermost.line}",
        "Stack trace:",
    ]
    function = innermost
    for number, one in enumerate(calls):
        lines.append(f"#{number} {prefix}{one.path}({one.line}): {function.owner or 'App'}->{function.function}('x')")
        function = one
    return "\n".join(
        [*lines, f"#{len(calls)} [internal function]: App->{function.function}()", f"#{len(calls) + 1} {{main}}"]
    )


def _elixir(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = [f"** (RuntimeError) {words}"]
    for one in frames:
        place = '(elixir 1.15.4) lib/enum.ex:2510: Enum."-reduce/3-lists^foldl/2-0-"/3' if one is None else ""
        lines.append(
            f"    {place}"
            if one is None
            else f"    (project 0.1.0) {one.path}:{one.line}: Project.{one.owner or 'App'}.{one.function}/2"
        )
    return "\n".join(lines)


def _swift(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    first = next(one for one in frames if one)
    lines = [f"{first.path}:{first.line}: Fatal error: {words}", "Thread 0 crashed:", ""]
    for number, one in enumerate(frames):
        place = (
            "_dispatch_call_block in libdispatch.so"
            if one is None
            else f"{one.function}(_:) in app at /build/{one.path}:{one.line}:9"
        )
        lines.append(f"{number} 0x0000ffff{number} {place}")
    return "\n".join(lines)


def _haskell(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    names = ["error", *(one.function for one in frames if one)]
    lines = [f"prog: {words}", "CallStack (from HasCallStack):"]
    for name, one in zip(names, [one for one in frames if one], strict=False):
        lines.append(f"  {name}, called at {one.path}:{one.line}:5 in project-0.1:{PurePosixPath(one.path).stem}")
    return "\n".join(lines)


def _zig(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    lines = [f"thread 12 panic: {words}"]
    for one in frames:
        place = (
            "/usr/lib/zig/std/start.zig:524:37: 0x1038 in main (test)"
            if one is None
            else f"/home/u/project/{one.path}:{one.line}:9: 0x1034 in {one.function} (test)"
        )
        lines += [place, "    code();", "        ^"]
    return "\n".join(lines)


def _lua(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    first = next(one for one in frames if one)
    prefix = draw.choice(["/home/u/.local/share/nvim/lazy/project/", "...ocal/share/nvim/lazy/project/", "./"])
    lines = [f"lua: {prefix}{first.path}:{first.line}: {words}", "stack traceback:"]
    for one in frames:
        lines.append(
            "\t[C]: in function 'error'"
            if one is None
            else f"\t{prefix}{one.path}:{one.line}: in function '{one.function}'"
        )
    return "\n".join(lines)


def _bash(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    return "\n".join(f"/opt/project/{one.path}: line {one.line}: {words}: command not found" for one in frames if one)


def _bats(frames: Sequence[OwnFrame | None], words: str, draw: random.Random) -> str:
    own = [one for one in frames if one]
    lines = [f"# (from function `{one.function}' in file {one.path}, line {one.line}," for one in own[:-1]]
    return "\n".join(["not ok 1 it works", *lines, f"#  in test file {own[-1].path}, line {own[-1].line})"])


PRINTERS: dict[str, dict[str, Printer]] = {
    "python": {"python": _python, "pytest": _pytest, "mypy": _mypy},
    "javascript": {"node": _node, "eslint": _eslint},
    "typescript": {"node": _node, "tsc": _tsc, "eslint": _eslint},
    "java": {"java": _java("java"), "javac": _compiler},
    "kotlin": {"kotlin": _java("kt")},
    "scala": {"scala": _java("scala")},
    "go": {"go": _go, "go vet": _compiler},
    "rust": {"rust": _rust, "rustc": _rustc},
    "c": {"sanitizer": _sanitizer, "gdb": _gdb, "gcc": _compiler},
    "cpp": {"sanitizer": _sanitizer, "gdb": _gdb, "clang": _compiler},
    "csharp": {"csharp": _csharp, "msbuild": _tsc},
    "ruby": {"ruby": _ruby},
    "php": {"php": _php},
    "elixir": {"elixir": _elixir},
    "swift": {"swift": _swift},
    "haskell": {"haskell": _haskell},
    "zig": {"zig": _zig},
    "lua": {"lua": _lua},
    "bash": {"bash": _bash, "bats": _bats},
}  # fmt: skip

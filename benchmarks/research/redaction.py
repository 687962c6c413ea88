"""How fast redaction is on real code, and how often it removes text that is not a secret.

    python -m benchmarks.research.redaction [--folder DIR] [--runs 5] [--oracle] [--corpus]

The code is that of the installed packages, or of a folder. Times are processor time, the best of several runs, since
the machine may be busy. `--oracle` measures detect-secrets on a sample of the same files. `--corpus` instead counts the
cases of `secret_corpus` that each of the two redacts: secrets (no part of one may remain), wider forms, and
look-alikes.
"""

from __future__ import annotations

import argparse
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.research.secret_corpus import Case, look_alikes, secrets, wider
from context_pack.redaction import redact

MIN_MB_S = 40.0
SAMPLE_FILES = 40  # for the oracle, which takes seconds per megabyte
EVERY = 5  # every n-th file is timed; more files would not change the figure


def texts(folder: Path) -> list[tuple[str, str]]:
    """(path, text) of every Python file of at most 1 MB, by path."""
    paths = sorted(path for path in folder.rglob("*.py") if path.is_file() and path.stat().st_size <= 1_000_000)
    return [(str(path), path.read_bytes().decode("utf-8", "replace")) for path in paths]


def speed_mb_s(files: Sequence[tuple[str, str]], runs: int) -> float:
    size = sum(len(text.encode("utf-8", "replace")) for _, text in files)
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        for path, text in files:
            redact(text, path)
        best = min(best, time.process_time() - start)
    return size / best / 1e6


def oracle_mb_s(files: Sequence[tuple[str, str]]) -> float:
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import default_settings

    size, start = 0, time.process_time()
    with default_settings():
        for _, text in files:
            size += len(text)
            for line in text.split("\n"):
                for _ in scan_line(line):
                    pass
    return size / (time.process_time() - start) / 1e6


def is_hit(case: Case) -> bool:
    """Whether nothing of a secret remains; for a look-alike, whether anything was removed."""
    clean = redact(case.text, case.path)
    return case.secret not in clean.text if case.secret else bool(clean.counts)


def oracle_hits(cases: Sequence[Case]) -> int:
    """The number of cases in which detect-secrets finds a secret, with its default plugins and filters."""
    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    hits = 0
    with tempfile.TemporaryDirectory() as folder, default_settings():
        for number, case in enumerate(cases):
            file = Path(folder) / str(number) / case.path
            file.parent.mkdir(parents=True)
            file.write_text(case.text, "utf-8")
            hits += any(True for _ in scan_file(str(file)))
    return hits


def print_corpus() -> None:
    print("| cases | how many | ctxpack | detect-secrets |\n|---|---:|---:|---:|")
    for name, cases in (("secrets", secrets()), ("wider forms", wider()), ("look-alikes", look_alikes())):
        print(f"| {name} | {len(cases)} | {sum(map(is_hit, cases))} | {oracle_hits(cases)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(sysconfig.get_paths()["purelib"]))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--oracle", action="store_true")
    parser.add_argument("--corpus", action="store_true")
    arguments = parser.parse_args()
    if arguments.corpus:
        print_corpus()
        return
    files = texts(arguments.folder)
    megabytes = sum(len(text) for _, text in files) / 1e6
    kinds: Counter[str] = Counter()
    for path, text in files:
        kinds.update(redact(text, path).counts)
    kind_counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    print(f"{len(files)} files, {megabytes:.1f} MB: {kinds.total()} hits ({kind_counts})")
    speed = speed_mb_s(files[::EVERY], arguments.runs)
    print(f"redact: {speed:.1f} MB/s (at least {MIN_MB_S:g} is asked for)")
    if arguments.oracle:
        print(f"detect-secrets: {oracle_mb_s(files[:: max(1, len(files) // SAMPLE_FILES)]):.2f} MB/s")


if __name__ == "__main__":
    main()

"""Download the packages of our own small suite from the package registry, at the versions that its questions are about.

    python -m benchmarks.packages TREES
    python -m benchmarks.quality --suite benchmarks/small --corpora TREES

Wheels are downloaded with pip and unpacked; none of them is installed or run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

SUITE = Path(__file__).parent / "small"


def fetch(dest: Path, suite: Path = SUITE) -> list[str]:
    """Unpack each package of the suite into `dest/NAME`, unless it exists; return the names of new packages.

    subprocess.CalledProcessError if pip cannot download one.
    """
    names = []
    for entry in json.loads((suite / "repos.json").read_text("utf-8")):
        folder = dest / entry["name"]
        if folder.is_dir():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            command = [*pip, "--only-binary", ":all:", "--dest", scratch, entry["requirement"]]
            subprocess.run(command, check=True)
            (wheel,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
        names.append(entry["name"])
    return names


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=Path)
    print(", ".join(fetch(parser.parse_args(arguments).dest)) or "nothing to fetch")


if __name__ == "__main__":
    main()

"""Print the disk size of each distribution of an environment, largest first, as the table of docs/installation.md.

VENV/bin/python scripts/weight.py
"""

from __future__ import annotations

from importlib.metadata import Distribution, distributions
from pathlib import Path

MIN_MB = 0.05


def size_mb(one: Distribution) -> float:
    """Megabytes (10**6) of the files that a distribution records, without compiled copies."""
    files = (Path(str(one.locate_file(file))) for file in one.files or () if file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def main() -> None:
    sizes = sorted(((size_mb(one), one.metadata["Name"], one.version) for one in distributions()), reverse=True)
    for megabytes, name, version in sizes:
        if megabytes >= MIN_MB:
            print(f"| {name} {version} | {megabytes:.1f} |")
    print(f"| in all | {sum(megabytes for megabytes, _, _ in sizes):.1f} |")


if __name__ == "__main__":
    main()

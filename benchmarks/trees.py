"""Large trees for timings, composed from real ones: the same sources give the same tree; and where git keeps a tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Size:
    files: int
    lines: int


def compose(dest: Path, sources: Mapping[str, Path], *, files: int | None = None, lines: int | None = None) -> Size:
    """Copy text files into `dest/NAME` in path order until there are `files` files or `lines` lines; ValueError if
    there are too few."""
    size = Size(0, 0)
    for path, relative in _text_files(sources):
        if (files is not None and size.files >= files) or (lines is not None and size.lines >= lines):
            break
        data = path.read_bytes()
        if b"\0" in data[:8000]:
            continue
        target = dest / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        size = Size(size.files + 1, size.lines + data.count(b"\n"))
    if size.files < (files or 0) or size.lines < (lines or 0):
        raise ValueError(f"the sources hold {size.files} files and {size.lines} lines only")
    return size


def git_dir_of(root: Path) -> Path:
    """The git folder of a working tree or a bare repository."""
    return root / ".git" if (root / ".git").exists() else root


def _text_files(sources: Mapping[str, Path]) -> Iterator[tuple[Path, Path]]:
    for name, source in sources.items():
        for path in sorted(source.rglob("*")):
            relative = path.relative_to(source)
            hidden = any(part.startswith(".") for part in relative.parts)
            if path.is_file() and not path.is_symlink() and not hidden and path.stat().st_size <= MAX_BYTES:
                yield path, Path(name) / relative

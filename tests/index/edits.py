"""Random edits of a small tree in several languages, by seed, for tests of refreshing.

Every file defines names with its own stem (`cart.py`: `Cart0`, `Cart1`, ...), imports those of other stems
and uses what it imports, so that most references lead somewhere and a small edit changes what a few of them mean.
"""

from __future__ import annotations

import random
from pathlib import Path

from tests.index.words import MAKERS, STEMS, Drawn, text

_FOLDERS = ("", "shop/", "shop/deep/", "lib/")


class Edits:
    """A tree below `root` that changes step by step. The same seed gives the same states."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self._random = random.Random(seed)
        self._language = sorted(MAKERS)[seed % len(MAKERS)]
        self._files: dict[str, str] = {"README.md": text(self._drawn("cart"))}
        for _ in range(9):
            self._add()
        self._write({})

    def step(self) -> str:
        """Changes the tree a little; returns a description of the change."""
        before = dict(self._files)
        done = [self._random.choice((self._add, self._remove, self._rename, *[self._edit] * 7))()]
        while self._random.random() < 0.2:
            done.append(self._edit())
        self._write(before)
        return "; ".join(done)

    def _write(self, before: dict[str, str]) -> None:
        for path in before.keys() - self._files.keys():
            (self.root / path).unlink()
        for path, content in self._files.items():
            if before.get(path) != content:
                target = self.root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content, encoding="utf-8")

    def _drawn(self, stem: str) -> Drawn:
        return Drawn(self._random, stem)

    def _add(self) -> str:
        pick = self._random.choice
        maker, endings = MAKERS[self._language]
        stem = pick(STEMS)
        test = "test_" if self._random.random() < 0.1 else ""
        path = f"{pick(_FOLDERS)}{test}{stem}.{pick(endings)}"
        self._files[path] = maker(self._drawn(stem))
        return f"write {path}"

    def _remove(self) -> str:
        if len(self._files) < 6:
            return self._add()
        path = self._random.choice(sorted(self._files))
        del self._files[path]
        return f"remove {path}"

    def _rename(self) -> str:
        path = self._random.choice(sorted(self._files))
        other = f"{self._random.choice(_FOLDERS)}{self._random.choice(STEMS)}.{path.rpartition('.')[2]}"
        self._files[other] = self._files.pop(path)
        return f"rename {path} to {other}"

    def _edit(self) -> str:
        """Replaces, drops, adds, repeats or renames within one paragraph of a file."""
        path = self._random.choice(sorted(self._files))
        maker = text if path.endswith(".md") else MAKERS[self._language][0]
        drawn = self._drawn(path.rpartition("/")[2].partition(".")[0].removeprefix("test_"))
        parts, news = self._files[path].split("\n\n"), maker(drawn).split("\n\n")
        place = self._random.randrange(len(parts))
        kind = self._random.choice(("replace", "drop", "add", "repeat", "rename", "rename"))
        if kind == "replace":
            parts[place] = self._random.choice(news)
        elif kind == "drop" and len(parts) > 1:
            del parts[place]
        elif kind == "add":
            parts.insert(place, self._random.choice(news))
        elif kind == "repeat":
            parts.insert(self._random.randrange(len(parts)), parts[place])
        else:
            words = (drawn["A"], drawn["B"]) if self._random.random() < 0.5 else (drawn["f"], drawn["g"])
            parts[place] = parts[place].replace(*words)
        self._files[path] = "\n\n".join(parts)
        return f"{kind} in {path}"

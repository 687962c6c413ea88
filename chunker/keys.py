"""The keys of data files (YAML, TOML, INI, properties, HOCON), each with the keys or the section around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A key with its value, or before the brace that opens its values (HOCON); or the head of a section.
_KEY = re.compile(
    rb"^([ \t]*(?:-[ \t]+|export[ \t]+)?[\"']?)([A-Za-z_][\w.-]*)[\"']?[ \t]*(?::(?!\S)|=(?!=)|\{[ \t]*$)"
    rb"|^\[+([^\[\]\n]+)\]",
    re.M,
)
_VALUES = re.compile(r"(?:^|[/.-])values[\w.-]*\.ya?ml$")  # templates of Helm read these as `.Values.image.tag`
HELM_ROOT = "Values"
MAX_AROUND = 200  # characters of the names around a key; a head of 100 kB would be repeated for each of its keys


def read_keys(data: bytes, path: str) -> Iterator[tuple[str, str, int]]:
    """The keys of a file, wherever they are given a value: (name, the name behind those around it, byte).

    What is indented deeper than a key is inside of it. `image.tag` in a file of Helm's values is `Values.image.tag`.
    Behind very long names, a path begins anew.
    """
    root = HELM_ROOT if _VALUES.search(path) else ""
    around = [(-2, root)] if root else []  # each with the path to it
    for match in _KEY.finditer(data):
        column = len(match[1]) if match[2] else -1
        while around and around[-1][0] >= column:
            around.pop()
        name = (match[2] or match[3]).decode("utf-8", "replace")
        outer = around[-1][1] if around else ""
        path = f"{outer}.{name}" if outer and len(outer) <= MAX_AROUND else name
        around.append((column, path))
        if match[2]:
            yield name, path, match.start(2)

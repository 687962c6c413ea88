"""The targets that jedi finds for calls, decorators, annotations and bases of a Python package, as JSON on stdout.

    VENV/bin/python jedi_truth.py TREE SOURCE_FOLDER

Runs in an environment of its own, with jedi and the dependencies of the package. A row of the answer is
`[kind, file, line, name, targets]`: targets are `[file, line]` of functions and classes of the tree. The list is empty
if jedi names a target of another kind or outside the tree. Sites for which jedi has no answer are left out.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jedi  # type: ignore[import-not-found]

Site = tuple[str, int, int, str]  # kind, line, column, name


def sites(tree: ast.AST) -> Iterator[Site]:
    """The calls, decorators, annotations and bases, each at the position of its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _name("calls", node.func)
        elif isinstance(node, ast.ClassDef):
            for base in node.bases:
                yield from _name("extends", base.value if isinstance(base, ast.Subscript) else base)
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield from _annotation(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            yield from _annotation(node.returns)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                if not isinstance(decorator, ast.Call):
                    yield from _name("calls", decorator)


def _annotation(node: ast.AST) -> Iterator[Site]:
    inner: list[ast.AST] = [node]
    while inner:
        part = inner.pop()
        yield from _name("uses", part)
        inner += [] if isinstance(part, ast.Attribute) else ast.iter_child_nodes(part)


def _name(kind: str, node: ast.AST) -> Iterator[Site]:
    if isinstance(node, ast.Name):
        yield kind, node.lineno, node.col_offset, node.id
    elif isinstance(node, ast.Attribute):
        assert node.end_lineno is not None and node.end_col_offset is not None
        yield kind, node.end_lineno, node.end_col_offset - len(node.attr.encode()), node.attr


def answers(root: Path, folder: str) -> Iterator[list[Any]]:
    project = jedi.Project(root, added_sys_path=[str(root / "src")], smart_sys_path=True)
    for path in sorted((root / folder).rglob("*.py")):
        text = path.read_text("utf-8")
        rows = text.split("\n")
        script = jedi.Script(text, path=path, project=project)
        for kind, line, column, name in sorted(set(sites(ast.parse(text)))):
            at = len(rows[line - 1].encode()[:column].decode())
            try:
                definitions = script.goto(line, at, follow_imports=True)
            except Exception:  # jedi raises errors of many kinds on code that it cannot read
                continue
            if definitions:
                yield [kind, path.relative_to(root).as_posix(), line, name, _targets(root, definitions, kind)]


def _targets(root: Path, definitions: list[Any], kind: str) -> list[tuple[str, int]]:
    return sorted(
        (one.module_path.relative_to(root).as_posix(), one.line)
        for one in definitions
        if one.type in (("class", "statement") if kind == "uses" else ("function", "class"))
        and one.module_path
        and one.module_path.is_relative_to(root)
    )


def main(root: str, folder: str) -> None:
    json.dump(list(answers(Path(root).resolve(), folder)), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])

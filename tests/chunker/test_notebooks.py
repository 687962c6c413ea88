"""A notebook is read as the source of its cells, at the line numbers of the notebook file."""

from __future__ import annotations

import json

import pytest

from chunker.api import chunk_file
from chunker.parse.decoding import source_text
from tests.clock import within


def _cell(kind: str, source: str, **more: object) -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, **more, "source": source.splitlines(keepends=True)}


PICTURE = {"data": {"image/png": "iVBORw0KGgo" * 200, "text/plain": ["<Figure>"]}, "output_type": "display_data"}
CELLS = [
    _cell("markdown", "# Sorting\n\nBy *selection*, which is slow."),
    _cell("code", '%matplotlib inline\nimport numpy as np\ntitle = "a \\"b\\""', execution_count=1, outputs=[PICTURE]),
    _cell("code", "def selection_sort(x):\n    return np.sort(x)", execution_count=2, outputs=[]),
]
NOTEBOOK = json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4}, indent=1)


def test_the_source_keeps_its_lines_and_the_outputs_are_blank() -> None:
    lines = (source_text(NOTEBOOK.encode(), "a/sorting.ipynb") or "").split("\n")
    assert len(lines) == len(NOTEBOOK.split("\n"))
    assert [line for line in lines if line] == [
        "# %% [markdown]", "# # Sorting", "#", "# By *selection*, which is slow.",
        "# %%", "# %matplotlib inline", "import numpy as np", 'title = "a \\"b\\""',
        "# %%", "def selection_sort(x):", "    return np.sort(x)",
    ]  # fmt: skip
    assert "def selection_sort" in NOTEBOOK.split("\n")[lines.index("def selection_sort(x):")]


def test_the_code_of_a_notebook_has_symbols_and_imports() -> None:
    file = chunk_file(NOTEBOOK.encode(), "sorting.ipynb")
    assert (file.language, [one.name for one in file.definitions]) == ("python", ["title", "selection_sort"])
    assert [one.module for one in file.imports] == ["numpy"]


def test_source_on_one_line_and_keys_that_only_look_like_source() -> None:
    text = '[\n {\n  "cell_type": "code",\n  "source": "x = 1",\n  "outputs": [\n   {\n    "source": [\n     "y"\n]}]}]'
    assert (source_text(text.encode(), "a.ipynb") or "").split() == ["x", "=", "1"]
    assert source_text(b'{"a": 1}', "a.ipynb") == '{"a": 1}'
    assert source_text(NOTEBOOK.encode(), "a.json") == NOTEBOOK
    assert source_text(text.encode(), "A.IPYNB") == source_text(text.encode(), "a.ipynb")


@pytest.mark.parametrize(
    ("literal", "lines"),
    [
        (r'"a = \x"', ["# %%"]),
        ('"a = 1\t"', ["# %%", "a = 1\t"]),
        (r'"a = \ud800"', ["# %%", "a = ?"]),
        (r'"\ud83d\ude00"', ["# %%", "\N{GRINNING FACE}"]),
    ],
)
def test_a_broken_notebook_is_read_as_far_as_possible(literal: str, lines: list[str]) -> None:
    text = f' "cell_type": "code",\n "source": [\n  {literal}\n'
    assert [line for line in (source_text(text.encode(), "a.ipynb") or "").split("\n") if line] == lines
    assert chunk_file(text.encode(), "a.ipynb").language == "python"


@pytest.mark.parametrize("rest", [" " * 100_000 + "x", '"' + "\\" * 99_999, '"' + " " * 100_000 + "x"])
def test_a_long_line_of_a_broken_notebook_is_read_once(rest: str) -> None:
    with within(3):
        source_text(f' "cell_type": "code",\n "source": [{rest}\n'.encode(), "a.ipynb")

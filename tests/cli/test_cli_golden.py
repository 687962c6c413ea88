"""Both examples of contract v1 through the console script, from real trees: all of `data` but the model's name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parent.parent / "pack" / "golden"
TREES = Path(__file__).parent / "contract_trees"


@pytest.mark.parametrize("name", ["identifier_query", "path_query"])
def test_the_contracts_examples_come_out_of_real_trees(ctxpack: Any, tmp_path: Path, name: str) -> None:
    golden = json.loads((GOLDEN / f"{name}.json").read_text())
    tree = tmp_path / "tree"
    shutil.copytree(TREES / name, tree)
    options = ("--max-chars", "800", "--fit", "whole", "--profile", "quality", "--model", "embedded")
    data = ctxpack("query", golden["query"], *options, cwd=tree).data
    assert data == {**golden, "model_id": "ctxpack-static-v1"}

"""The tests that the table of rules names exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
NAMED = re.compile(r"`((?:\w+/)*test_\w+\.py)::(test_\w+)`")


def test_every_rule_names_a_test_that_exists() -> None:
    rows = [line for line in (HERE.parents[1] / "docs/rules.md").read_text("utf-8").splitlines() if line[:2] == "| "]
    rules = [row for row in rows if not row.endswith("| test |")]
    assert len(rules) > 90
    for row in rules:
        named = NAMED.findall(row)
        assert named, f"no test holds this rule: {row}"
        for file, name in named:
            assert f"def {name}(" in (HERE / file).read_text("utf-8"), f"{file} has no {name}"

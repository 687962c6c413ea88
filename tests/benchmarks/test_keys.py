"""Keys and copies as questions: taken from code, counted if a pack shows their lines."""

from __future__ import annotations

from pathlib import Path

from benchmarks.explore.forms import FORMS
from benchmarks.research import keys, line_copies
from index import open_index

POOL = "".join(f"    value_{number} = options['size_{number}'] or {number}\n" for number in range(40))
FILES = {
    "shop/pool.py": f"def open_pool(options):\n    idle = options.get('max_idle', 5)\n{POOL}    return idle\n",
    "shop/config.py": "# max_idle is a setting\nDEFAULTS = {'max_idle': 5, 'open_pool': 1}\n",
    "tests/test_pool.py": "def test_pool():\n    assert open_pool({'max_idle': 1, 'only_here': 2})\n",
}


def test_a_key_occurs_in_code_and_has_no_definition(trees: Path, tmp_path: Path) -> None:
    root = trees / "shop"
    index = open_index(root, home=tmp_path / "home", model="embedded")
    held = dict(keys.keys(index, root))
    assert held["max_idle"] == {("shop/pool.py", 2), ("shop/config.py", 2)}
    assert not {"open_pool", "only_here"} & held.keys()


def test_every_line_of_a_few_keys_is_shown(trees: Path, tmp_path: Path) -> None:
    shares = keys.run([trees], 60, tmp_path / "scratch")
    assert [shares[budget]["shop"].count(1.0) for budget in keys.BUDGETS] == [len(shares[2_000]["shop"])] * 3
    assert "41 keys" in keys.table({**ABOUT, "keys": 41}, shares)


def test_copies_are_found_again(trees: Path, tmp_path: Path) -> None:
    shares = line_copies.run([trees], 5, [2, 4], tmp_path / "scratch")
    assert shares[4] == ({"shop": [1.0] * 5}, {"shop": [1.0] * 5})
    assert "| 2 | 5 |" in line_copies.table(ABOUT, shares)


def test_every_form_has_the_question() -> None:
    assert all("How is it?" in form.format(question="How is it?", name="shop") for form in FORMS.values())


ABOUT = {"repositories": 1, "commit": "0", "machine": "one", "command": "python"}

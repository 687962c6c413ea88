"""What is related to a place outside every definition: an import line, the head of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_pack import api

IMPORTS = "import json\nfrom shop import Price\nfrom shop.text import clean\nfrom shop import codes\n"
FILES = {
    "shop/__init__.py": "from shop.prices import Price\n",
    "shop/prices.py": "class Price:\n    def __init__(self, net):\n        self.net = net\n",
    "shop/text.py": "LIMIT = 9\n\n\ndef clean(text):\n    return text.strip()[:LIMIT]\n\n\n"
    "def dots(text):\n    return text\n",
    "shop/codes.py": "def code_of(price):\n    return price.net\n",
    "shop/labels.py": f'"""Labels of the shop."""\n\n{IMPORTS}\n\n'
    "def label(text):\n    return clean(text)\n\n\n"
    "def tag(net):\n    return json.dumps([codes.code_of(Price(net))])\n",
    "shop/window.py": "from shop.labels import tag\n\n\ndef dress(goods):\n    return [tag(one) for one in goods]\n",
    "web/page.js": "import {show} from './show.js';\n\nexport function page(cart) {\n  return show(cart);\n}\n",
    "web/show.js": "export function show(cart) {\n  return cart.items;\n}\n",
}


@pytest.mark.parametrize(
    ("place", "definition", "user"),
    [
        ("shop/labels.py:4", "Price", "tag"),  # which the package passes on
        ("shop/labels.py:5", "clean", "label"),
        ("shop/labels.py:6", "code_of", "tag"),  # what the code uses of a module
        ("web/page.js:1", "show", "page"),
    ],
)
def test_an_import_leads_to_what_it_imports_and_to_its_users(
    tree: Path, place: str, definition: str, user: str
) -> None:
    hits = api.related(place, repo=tree).hits
    assert (hits[0].symbol, hits[0].relationship) == (definition, ("imports",))
    assert (hits[1].file, hits[1].symbol, hits[1].relationship) == (place.partition(":")[0], user, ("used_by",))
    calls = api.related(place, repo=tree, edges=["calls"]).hits
    assert not {("imports",), ("used_by",)} & {hit.relationship for hit in calls}
    users = api.related(place, repo=tree, edges=["uses"]).hits
    assert user in {hit.symbol for hit in users if hit.relationship == ("used_by",)}


def test_an_import_from_elsewhere_leads_to_its_users(tree: Path) -> None:
    assert api.related("shop/labels.py:3", repo=tree).hits[0].symbol == "tag"


def test_the_head_of_a_file_means_the_file(tree: Path) -> None:
    """Nothing there is defined or used; other heads, which resemble it, say nothing."""
    hits = api.related("shop/labels.py:1", repo=tree).hits
    assert hits == api.related("shop/labels.py", repo=tree).hits
    assert "dress" in {hit.symbol for hit in hits}


def test_a_place_in_a_file_without_ties_is_what_its_lines_say(tree: Path) -> None:
    for name in ("plain", "other"):
        keys = "".join(f"# the crate {number}\ncrate_{number}: {'wood ' * 40}\n" for number in range(30))
        (tree / f"{name}.yml").write_text(f"# how {name} carts wait in the queue\n\n{keys}", encoding="utf-8")
    (tree / "queue.yml").write_text("# carts wait in the queue\nqueue: 1\n", encoding="utf-8")
    hits = api.related("plain.yml:1", repo=tree).hits
    assert {"other.yml", "plain.yml"} <= {hit.file for hit in hits}


def test_an_import_in_one_of_several_repositories(tree: Path) -> None:
    for name in ("one", "two"):
        (tree.parent / name).mkdir()
        for file in ("text.py", "labels.py"):
            (tree.parent / name / file).write_text(FILES[f"shop/{file}"].replace("shop.", ""), encoding="utf-8")
    hits = api.related("two/labels.py:5", repo=[tree.parent / "one", tree.parent / "two"]).hits
    assert [(hit.file, hit.symbol) for hit in hits[:2]] == [("two/text.py", "clean"), ("two/labels.py", "label")]

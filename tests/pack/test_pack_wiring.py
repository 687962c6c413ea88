"""Markup and data that name code: a manifest, the layout of a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_pack import api

FILES = {
    "app/java/CartReceiver.java": "package shop;\n\nclass CartReceiver {\n  void onReceive() {\n    load();\n  }\n}\n",
    "app/java/Shelf.java": "package shop;\n\nclass Shelf {\n  Object of() {\n    return new CartReceiver();\n  }\n}\n",
    "app/manifest.xml": '<app>\n  <receiver name="shop.CartReceiver" exported="true" />\n</app>\n',
    "app/values-de/texts.xml": "<texts>\n  <text of='CartReceiver'>Wagen</text>\n</texts>\n",
    "build.xml": '<project>\n  <source file="app/java/CartReceiver.java" />\n</project>\n',
    "lint.xml": '<lint>\n  <ignore class="CartReceiver" />\n</lint>\n',
    "guide.md": "# Guide\n\nThe `CartReceiver` loads the cart.\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def users(tree: Path, question: str, **options: object) -> list[str]:
    items = api.query(question, repo=tree, max_chars=8000, **options).items  # type: ignore[arg-type]
    return [item.file for item in items if {"called_by", "used_by"} & {*item.relationship}]


def test_markup_that_names_a_type_is_beside_its_users_nearest_first(tree: Path) -> None:
    """Neither a translation nor a document, and not the name of its file."""
    assert [file for file in users(tree, "CartReceiver") if file.endswith(".xml")] == ["app/manifest.xml", "lint.xml"]


def test_who_uses_a_type_means_markup_after_code(tree: Path) -> None:
    assert users(tree, "who uses CartReceiver") == ["app/java/Shelf.java", "app/manifest.xml", "lint.xml"]


def test_a_type_is_registered_where_markup_names_it(tree: Path) -> None:
    assert "app/manifest.xml" in users(tree, "where is CartReceiver registered")


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ({"exclude": ["lint.xml"]}, {"app/manifest.xml"}),
        ({"edges": ["calls"]}, set()),
        ({"edges": ["uses"]}, {"app/manifest.xml", "lint.xml"}),
        ({"related_mode": "none"}, set()),
    ],
)
def test_options_choose_the_markup(tree: Path, options: dict[str, object], files: set[str]) -> None:
    assert {file for file in users(tree, "CartReceiver", **options) if file.endswith(".xml")} == files


def test_a_word_of_prose_in_markup_names_nothing(tree: Path) -> None:
    (tree / "app/java/Cart.java").write_text("package shop;\n\nclass Cart {}\n")
    (tree / "app/screen.xml").write_text("<screen>\n  <title text='Cart' />\n</screen>\n")
    assert "app/screen.xml" not in users(tree, "Cart")

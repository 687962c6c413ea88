"""The part of a bug report that is its question."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from index.search.places.locations import locate
from index.search.query import parse_query
from index.search.query.reports import question_of
from index.types import Filters
from tests.clock import within
from tests.index.conftest import WriteTree

QUESTION = "Why is a refund booked twice when the card was declined?"
FORM = f"""### Describe the bug
{QUESTION}

### Steps to reproduce
1. Install shop 3.1.2
2. See error

**Expected behavior**
It should work as documented.

### Environment
- OS: Ubuntu 22.04
- shop version: 3.1.2
- Some proxy in front of it

- [x] I searched the existing issues
<!-- Please tell us how to reproduce it -->
Thanks for the great library!"""
LETTER = f"""Hi all,

{QUESTION}

We see this on Debian 12 with shop v2.4.1. Let me know if you need more details.

Output of `shop version`
shop 0.16.0 on linux/amd64"""

TOOLS = f"""{QUESTION}

I tried the newest release.

### Meta

`shop --version --verbose`:
shop 1.74.0 (79e9716c9 2023-11-13)
binary: shop
host: x86_64-unknown-linux-gnu

<details><summary>Backtrace</summary>
</details>"""


@pytest.mark.parametrize(
    "text", [FORM, LETTER, TOOLS, f"{QUESTION} Environment: Ubuntu 22.04, shop 3.1.2", f"{QUESTION} Thanks!"]
)
def test_forms_versions_and_courtesies_are_removed_from_a_question(text: str) -> None:
    assert parse_query(text).terms == parse_query(QUESTION).terms


@pytest.mark.parametrize(
    "text",
    [
        QUESTION,
        "Omit parentheses when printing for PHP 8.4",
        "Upgrade to typings-checker 2.0.0",
        "environment: where are its variables read",
        "Cart.total",
        "steps to reproduce",
        "The body is lost.\nIt is there with HTTP 1.1.",
        "The name is wrong. Try again. Name: me@here.com.",
        "a = 1\n\n\nb = a",
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert question_of(text) == text


def test_headings_of_a_report_s_sections_are_removed_but_not_its_title_s() -> None:
    report = parse_query("## Tills are lost\n\nTwo drawers. All red.\n### Which drawer?\nRed.\n##red 1")
    assert (report.title, "which" in report.text.lower()) == ("## Tills are lost", False)
    assert "##red" in report.text, "no heading"


@pytest.mark.parametrize(
    "text",
    [
        "Plan:\n## lock of a till\n## book of refunds",
        "We build a shop with tills.\n\n## Book each refund once\n\nThe till is slow.",
        "## Book each refund once\n### Lock of a till",
    ],
)
def test_headings_of_other_texts_are_part_of_the_question(text: str) -> None:
    assert parse_query(text).text == text


def test_the_content_of_a_report_stays() -> None:
    text = question_of(
        "## Expected behavior\nThe pipe inside of code is no cell.\n\n    | a | `b|c` |\n\n## Version\n1.2.3"
    )
    assert text == "The pipe inside of code is no cell.\n\n    | a | `b|c` |"


SAMPLE = """```python
from shop import Till
print(Till().open(drawer=1))
```"""


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"Refunds of declined cards are booked twice\n\n{SAMPLE}\n\nIt was fine before.", "Till"),
        (f"Refunds of declined cards are booked twice\n\n{SAMPLE[:-3]}", "Till"),
        ("Refunds of declined cards are booked twice\n\n> ~~~\n> Till\n> ~~~\n", "Till"),
        ("Refunds are booked twice.\nSee https://example.org/Till?a=1", "Till"),
        (f"What does this do?\n\n{SAMPLE}", ""),
        (SAMPLE, ""),
        (f"Which option of this file opens the drawer of a shop?\n\n{SAMPLE}", ""),
        (f"Rewrite the opening of the drawer of the following shop:\n{SAMPLE}", ""),
        ("Refunds of declined cards are booked twice\n\n```refund -v```\n\nThe till prints them.", ""),
        (f"Fix this issue:\n\nRefunds of declined cards are booked twice\n\n{SAMPLE}", "Till"),
        (f"Fix this function:\n\n{SAMPLE}\n\nRefunds of declined cards are booked twice.", ""),
        (f"Refunds of declined cards are booked twice as this.card is null\n\n{SAMPLE}", "Till"),
        ("Refunds are booked twice.\nSee http://localhost:80/till or http://till:80/till", ""),
    ],
)
def test_samples_and_links_of_a_report_are_removed(text: str, rest: str) -> None:
    """Code that is the question itself stays, as do the addresses of a service."""
    assert ("till" in parse_query(text).terms) == (not rest)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Refunds are booked twice\n\nThe card was declined.\nIt was Friday.", "Refunds are booked twice"),
        ("Refunds are booked twice\r\n\r\nThe card was declined.\r\nIt was Friday.", "Refunds are booked twice"),
        (f"Hi all,\n\n{QUESTION}\n\nIt happens on Fridays.", QUESTION),
        (f"Repairs of the till\n\nIt is old. {QUESTION}\n\nIt happens on Fridays.", f"Repairs of the till\n{QUESTION}"),
        (
            "Repairs of the till\n\nAdd a lock to its drawer.\nIt is old.",
            "Repairs of the till\nAdd a lock to its drawer.",
        ),
        ("Repairs of the till\n\nWhy are refunds booked twice when the card was declined?", ""),
        (
            "We use the shop at work.\n\nWhy are refunds booked twice?\nThe card was declined.",
            "Why are refunds booked twice?",
        ),
        ("Refunds are\nbooked twice\n\nThe card was declined.\nIt was Friday.", ""),
        ("You are an engineer of a shop\n\nTask: book refunds once.\nKeep the till.", "book refunds once."),
        ("Hello maintainers of the shop\n\nRefunds are booked twice.\nThe card was declined.", ""),
        ("Consider this declined card\n\nIts refund is booked twice.\nWhich till books it first?", ""),
        ("from shop import refund as booking\n\ndef book(card):\n    return booking(card)", ""),
        ("import Till from 'shop/till'\n\nconst till = new Till()\nexport till", ""),
        ("const till = require('shop/till')\n\ntill.open()\ntill.close()", ""),
        ("package shop.refunds\n\nclass Refund\n  val card = 1", ""),
        ("Please help\n\nRefunds are booked twice.\nThe card was declined.", ""),
        ("Refunds are booked twice\n\nThe card was declined. It was Friday.", "Refunds are booked twice"),
        ("Refunds are booked twice\nThe card was declined.\nIt was Friday.", "Refunds are booked twice"),
        ("Refunds are booked twice\nAnother time with a card\nthat was declined.", ""),
        ("Fix this issue:\n\nRefunds are booked twice\n\nThe card was declined.", "Refunds are booked twice"),
        ("Fix this issue:\nRefunds are booked twice\n\nThe card was declined.", "Refunds are booked twice"),
        (
            "Find the classes to edit for this issue.\n\nRefunds are booked twice\n\nIt was Friday.",
            "Refunds are booked twice",
        ),
        ("Fix the following:\n\n### Book refunds once\n\nIt is booked twice. Look.", "### Book refunds once"),
        ("You are an engineer\n\n## Task: Book refunds once\n\nThe till is slow.", "Book refunds once"),
        ("<issue>\nRefunds are booked twice\n\nThe card was declined.\n</issue>", "Refunds are booked twice"),
        ("Issue 7: Refunds are booked twice\n\nThe card was declined.\nIt was Friday.", "Refunds are booked twice"),
        ("# Task\nBook refunds once.\n\n# Files\nshop/till.py", "Book refunds once."),
        ("Context: a till\nTask: Book refunds once\nFiles: all of them", "Book refunds once"),
        ("Refunds are booked twice\n\nI opened it. Open the till. Add a lock to it.", "Refunds are booked twice"),
        ("def refund(card):\n    return book(card)\n\nrefund(card)", ""),
        ("Refunds are booked twice", ""),
    ],
)
def test_the_title_of_a_report_is_its_first_line_and_what_the_rest_asks(text: str, title: str) -> None:
    query, alone = parse_query(text), parse_query(title)
    assert query.title == title
    assert query.terms[: query.leading] == (alone.terms if title else query.terms)


SHOP = {
    "shop/refund.py": "def refund(card):\n    return book(card)\n",
    "shop/till.py": "class Till:\n    def open_drawer(self):\n        return 'drawer'\n",
    "shop/log.py": "def level():\n    return '--log-level'\n",
    "tests/test_refund.py": "def test_declined_card():\n    assert not refund(None)\n",
    "docs/till.md": "# Till\n\n```python\ntill = Till(serial=7)\nprint(till.open_drawer())\n```\n",
}


@pytest.fixture
def shop(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(SHOP), home=tmp_path / "home", model="embedded")


def files_of(index: Index, text: str) -> list[tuple[str, str]]:
    """(file, first reason) of the hits of a pack."""
    hits = index.search(text, top_k=9, order="pack")
    return [(index.chunk(hit.chunk).file, hit.why[0].name if hit.score >= 0.5 else "") for hit in hits]


def test_the_hits_of_a_report_s_title_come_before_the_names_in_the_rest(shop: Index) -> None:
    """A flag or another text of the rest is no hit, nor is a test."""
    text = "Wrong booking by `refund`\n\nI run it with --log-level and open_drawer,\nin test_declined_card."
    exact = [row for row in files_of(shop, text) if row[1]]
    assert exact == [("shop/refund.py", "exact.named"), ("shop/till.py", "exact.named")]


def test_a_report_s_sample_of_the_manual_is_no_copy(shop: Index) -> None:
    sample = "```python\ntill = Till(serial=7)\nprint(till.open_drawer())\n```"
    assert files_of(shop, sample)[0] == ("docs/till.md", "exact.code")
    assert files_of(shop, f"A refund of the declined card is booked twice\n\n{sample}")[0] == (
        "shop/refund.py",
        "exact.named",
    )


def test_what_only_the_rest_of_a_report_says_weighs_less(shop: Index) -> None:
    terms = shop.collection.query_terms
    (refund, drawer), (_, weaker) = terms(("refund", "drawer")).weights, terms(("refund", "drawer"), 1).weights
    assert weaker == pytest.approx(0.2 * drawer)
    assert terms(("refund", "nothing"), 1).total == pytest.approx(
        refund + 0.2 * (terms(("refund", "nothing")).total - refund)
    )
    assert (
        files_of(shop, "Declined card is booked\n\nThe drawer of the till, its class and its level\nreturn it")[0][0]
        == "shop/refund.py"
    )


def test_a_report_s_title_is_searched_for_with_its_trace(shop: Index) -> None:
    trace = 'Traceback (most recent call last):\n  File "/x/site-packages/other/a.py", line 3, in outer\nValueError: no'
    text = f"A refund is booked twice\n\n```\n{trace}\n```"
    assert files_of(shop, text)[0][0] == "shop/refund.py"


def test_the_messages_of_a_report_s_trace_weigh_as_much_as_its_title(shop: Index) -> None:
    trace = (
        'Traceback (most recent call last):\n  File "/x/shop/refund.py", line 2, in refund\nValueError: No. Book it.'
    )
    located = locate(shop.collection, f"Declined card is lost\n\n```\n{trace}\n```", Filters())
    assert located and located.words.startswith("Declined card is lost")
    assert not parse_query(located.words).title


def test_a_report_that_asks_twice_is_answered(shop: Index) -> None:
    text = "Refunds are booked twice\n\nWhich till opens the drawer?\n\nWhich card was declined?\n"
    assert parse_query(parse_query(text).title).title, "its title reads like a report, too"
    assert files_of(shop, text)


def test_a_report_of_courtesies_alone_is_asked_as_it_is() -> None:
    assert parse_query("Hello, does it work? Thanks!").text == "Hello, does it work? Thanks!"


@pytest.mark.parametrize(
    "part",
    [
        "a/",
        "(0123456 ",
        "<!-- ",
        "\n",
        " ",
        "![",
        "1.",
        "a" * 50,
        "a. ",
        "- ",
        "<p ",
        "Version ",
        "\n- [x] a",
        "```\n",
        "> ~~~\n~~~x\n",
        "http://a.b.",
        "a\n\n",
        "this a ",
        "Task: a\n",
        "## a\n\n",
        "A. ",
    ],
)
def test_no_text_takes_long_to_read(part: str) -> None:
    text = "x\ny " + part * (200_000 // len(part))
    with within(5):
        assert question_of(text).startswith("x")

"""The part of a bug report that is its question."""

from __future__ import annotations

import pytest

from index.search.query import parse_query, question_of

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


def test_the_content_of_a_report_stays() -> None:
    text = question_of(
        "## Expected behavior\nThe pipe inside of code is no cell.\n\n    | a | `b|c` |\n\n## Version\n1.2.3"
    )
    assert text == "The pipe inside of code is no cell.\n\n    | a | `b|c` |"


def test_a_report_of_courtesies_alone_is_asked_as_it_is() -> None:
    assert parse_query("Hello, does it work? Thanks!").text == "Hello, does it work? Thanks!"


@pytest.mark.parametrize(
    "part", ["a/", "(0123456 ", "<!-- ", "\n", " ", "![", "1.", "a" * 50, "a. ", "- ", "<p ", "Version ", "\n- [x] a"]
)
def test_no_text_takes_long_to_read(part: str) -> None:
    """A quadratic pattern takes minutes here, and fails by the time limit of the test run."""
    text = "x\ny " + part * (400_000 // len(part))
    assert question_of(text).startswith("x")

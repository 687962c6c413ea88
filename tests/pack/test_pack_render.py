"""Output for people: the exact text, and Markdown that a CommonMark parser reads back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from context_pack import render
from context_pack.options.spec import FORMATS
from context_pack.render import phrases
from context_pack.render.html.reasons import WORDS
from contracts.records import Budget, Dropped, Item, Pack, Why
from index.search.ranker import shipped_ranker

ITEM = Item(
    id="src/cache.py:7:8", role="primary", file="src/cache.py", start_line=7, end_line=8, score=0.999,
    imports=("import os",), content="import os\n\nclass Cache:\n    path = os.sep", symbol="Cache", type="class",
)  # fmt: skip
CALLER = Item(
    id="src/user.py:3:3", role="related", file="src/user.py", start_line=3, end_line=3, score=0.5, imports=(),
    content="cache = Cache()", relationship=("calls",), distance=1,
    why=(Why("calls", 1, 0.5, "from src/cache.py:7:8"),),
)  # fmt: skip
PACK = Pack("Cache", "bge-small", "quality", (ITEM, CALLER), Budget(4000, 0, False, 0))


def printed(name: str, pack: Pack) -> str:
    layout = render.layout(name)
    text = layout.render(layout.finish(pack))
    assert text is not None
    return text


def test_text() -> None:
    assert printed("text", PACK) == (
        "ctxpack: Cache [bge-small, quality]\n"
        "\n"
        "--- src/cache.py:7-8  class Cache  (primary, score 0.999)\n"
        "import os\n"
        "\n"
        "class Cache:\n"
        "    path = os.sep\n"
        "\n"
        "--- src/user.py:3  (related (calls, distance 1), score 0.500)\n"
        "    +0.500 calls 1.000 from src/cache.py:7:8\n"
        "cache = Cache()\n"
        "\n"
        "2 items, 294 of 4000 characters\n"
    )


def test_markdown() -> None:
    assert printed("md", PACK) == (
        "# `Cache`\n"
        "\n"
        "Model bge-small, profile quality.\n"
        "\n"
        "## `src/cache.py:7-8` class `Cache`\n"
        "\n"
        "primary, score 0.999\n"
        "\n"
        "```python\n"
        "import os\n"
        "\n"
        "class Cache:\n"
        "    path = os.sep\n"
        "```\n"
        "\n"
        "## `src/user.py:3`\n"
        "\n"
        "related (calls, distance 1), score 0.500\n"
        "\n"
        "- +0.500 calls 1.000 from src/cache.py:7:8\n"
        "\n"
        "```python\n"
        "cache = Cache()\n"
        "```\n"
        "\n"
        "---\n"
        "\n"
        "2 items, 336 of 4000 characters\n"
    )


backticks = st.text(st.sampled_from("`~#- \nab"), min_size=1, max_size=60)
queries = backticks.filter(lambda text: "-----" not in text and "~~~~~" not in text)  # a title omits such rulers


@settings(max_examples=300, deadline=None)
@given(st.lists(backticks, min_size=1, max_size=4), queries)
def test_fences_and_code_spans_survive_what_they_hold(contents: list[str], query: str) -> None:
    items = tuple(replace(ITEM, content=content, symbol="a``b`") for content in contents)
    tokens = MarkdownIt("commonmark").parse(printed("md", replace(PACK, query=query, items=items)))
    assert [token.content.removesuffix("\n") for token in tokens if token.type == "fence"] == contents
    assert all(token.info == "python" for token in tokens if token.type == "fence")
    headings = [token for token, before in zip(tokens[1:], tokens, strict=False) if before.type == "heading_open"]
    spans = [[child.content for child in heading.children or [] if child.type == "code_inline"] for heading in headings]
    shown = " ".join(query.split())
    assert spans == [[shown] if shown else [], *([["src/cache.py:7-8", "a``b`"]] * len(contents))]


@pytest.mark.parametrize("name", ["md", "text"])
def test_an_empty_pack_says_so(name: str) -> None:
    assert "nothing here shares a word with the query" in printed(name, replace(PACK, items=()))


@pytest.mark.parametrize("name", ["md", "text"])
def test_names_cannot_break_out_of_their_line(name: str) -> None:
    item = replace(ITEM, file="src/a\n# b\x1b[31m.py", symbol="x\ny")
    text = printed(name, replace(PACK, query="one\ntwo\x07", items=(item,)))
    assert "one two\\x07" in text
    assert "src/a\\n# b\\x1b[31m.py:7-8" in text
    assert "x\\ny" in text


@pytest.mark.parametrize("name", ["md", "text"])
def test_a_long_query_is_clipped(name: str) -> None:
    text = printed(name, replace(PACK, query="word " * 1000))
    assert len(text.splitlines()[0]) < 160


def test_the_title_of_a_pasted_failure_has_both_ends_and_no_rulers() -> None:
    ruler, frames = "=" * 30, "    at frame\n" * 40
    text = f"{ruler} FAILURES {ruler}\n\n{frames}FAILED tests/test_cart.py::test_total"
    title = phrases.one_line(text)
    assert title.startswith("FAILURES at frame") and title.endswith("FAILED tests/test_cart.py::test_total")
    assert len(title) == phrases.CLIPPED_CHARS
    assert phrases.one_line("_____x" * 30).startswith("_____x_____x")
    assert phrases.one_line("=====\n-----") == "===== -----"


@pytest.mark.parametrize("name", ["xml", "toon"])
def test_a_long_query_takes_an_eighth_of_a_document_at_most(name: str) -> None:
    long = replace(PACK, query="word " * 1000, budget=replace(PACK.budget, max_chars=4_000))
    assert "word wo..." in printed(name, long)
    assert len(printed(name, long)) < len(printed(name, replace(PACK, query=""))) + 520
    assert "word " * 20 in printed(name, replace(PACK, query="word " * 20))


@pytest.mark.parametrize("name", ["md", "text"])
def test_the_account_says_how_many_drops_it_does_not_list(name: str) -> None:
    drops = tuple(Dropped(f"src/{number}.py:1:9", "no_room", 900, 1.5) for number in range(3))
    text = printed(name, replace(PACK, budget=Budget(4000, 0, True, 50), dropped=drops))
    assert text.count("no room left; 900 characters, 1.500 points") == 3
    assert text.endswith("left out: 47 more\n")


@pytest.mark.parametrize("name", ["md", "text"])
def test_imports_are_printed_as_the_language_writes_them(name: str) -> None:
    imports = ("use App\\One", "use App\\Two")
    item = replace(ITEM, file="src/Cache.php", imports=imports, content="\n".join((*imports, "", "class Cache {}")))
    assert "use App\\One;\nuse App\\Two;\n\nclass Cache {}\n" in printed(name, replace(PACK, items=(item,)))
    assert "import os\n\nclass" in printed(name, PACK)


@pytest.mark.parametrize("name", ["md", "text"])
def test_reasons_that_had_no_room_are_counted(name: str) -> None:
    item = replace(ITEM, why=(Why("name_match", 1.0, 1.25), Why("more", 7, -0.5)))
    assert "+1.250 name_match 1.000\n" in printed(name, replace(PACK, items=(item,)))
    assert "-0.500 and 7 more\n" in printed(name, replace(PACK, items=(item,)))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_costs_and_shows_its_items(name: str) -> None:
    layout = render.layout(name)
    pack = layout.finish(PACK)
    assert layout.item_chars(ITEM) >= len(ITEM.content)
    assert layout.frame_chars(PACK, 2) >= 0
    text = layout.render(pack)
    assert text is None or ("src/cache.py" in text and "Cache" in text)


def test_each_signal_of_the_ranker_has_words_for_the_page() -> None:
    ranker = shipped_ranker()
    names = (
        {"new_file"}
        | {f"own.{table.name}" for table in ranker.own}
        | {f"around.{table.name}" for table in ranker.around}
    )
    assert names - WORDS.keys() == set()

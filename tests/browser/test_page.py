"""The HTML page in a real browser: self-contained, complete, and laid out without collisions."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from context_pack.answer import Answer
from context_pack.render.html.document import document
from context_pack.render.html.graph import Drawing, Edge, Node, drawing, layout
from context_pack.session import Session
from contracts.records import Budget, Diff, Dropped, Hint, Item, Pack, Why

PROJECT = Path(__file__).parents[1] / "cli" / "project"
# The pairs of a selector's elements that overlap by more than a pixel.
OVERLAPS = """(() => {
  const boxes = [...document.querySelectorAll(%r)].map(one => one.getBoundingClientRect());
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b =>
    a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)).length;
})()"""


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer[Pack], Session]:
    """A real answer about the checked-in project, with some items left out and some cut."""
    folder = tmp_path_factory.mktemp("page") / "project"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    options = {"index_dir": str(folder.parent / "index"), "model": "embedded", "format": "html", "max_chars": 2400}
    session = Session.open(folder, options)
    return session.query("PictureCache thumbnail"), session


def whole_page(answer: Answer[Pack], session: Session) -> str:
    return document(answer.data, drawing(answer.data, session.corpus), answer.hints)


@pytest.fixture(scope="module")
def real(answer: tuple[Answer[Pack], Session], tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("html") / "pack.html"
    file.write_text(whole_page(answer[0], answer[1]), "utf-8")
    return file


def hostile() -> tuple[Pack, Drawing]:
    """A pack whose texts all try to be markup, a script or a request, with the longest possible names."""
    nasty = '</style><script>document.title="taken"</script><img src="https://example.org/x.png">&amp;"\'\x07'
    long = "Outer." + "VeryLongName" * 20
    item = Item(
        "a:1:2", "primary", f"src/{nasty}.py", 10, 14, 0.5, (f"import {nasty}",),
        f"import {nasty}\n\n{nasty}\n# ... lines 11-13 left out\nx",
        symbol=long, type="function", elided=((11, 13),), why=(Why(nasty, 1.0, 2.0, nasty),), changed=((10, 10),),
    )  # fmt: skip
    other = replace(item, role="related", relationship=("called_by",), distance=1, elided=(), end_line=12)
    pack = Pack(
        f"{nasty} {'word' * 60}", nasty, "balanced", (item, other), Budget(5000, 1200, True, 1, 800, 300, nasty),
        (Dropped(nasty, "no_room", 77, 1.0),), Diff("HEAD", 2, 3, 4, "0" * 40),
    )  # fmt: skip
    nodes = [Node(f"n{number}", long, f"src/{nasty * 2}:{number}", None) for number in range(9)]
    edges = tuple(
        Edge("p", node.id, label) for node, label in zip(nodes, ["called_by", "calls", "tests"] * 3, strict=True)
    )
    return pack, layout([Node("p", long, nasty, 1)], nodes, edges)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("html") / "hostile.html"
    pack, graph = hostile()
    file.write_text(document(pack, graph, (Hint("warn", "<b>look</b>"),)), "utf-8")
    return file


@pytest.mark.parametrize("name", ["real", "nasty"])
def test_a_page_asks_for_nothing_and_breaks_nothing(browser: Any, request: pytest.FixtureRequest, name: str) -> None:
    file = request.getfixturevalue(name)
    browser.open(file)
    assert browser.requests == [file.as_uri()]
    assert browser.complaints == []
    assert browser.value("document.compatMode") == "CSS1Compat"
    assert browser.value("document.title").endswith(" · ctxpack")
    assert browser.value("document.querySelectorAll('script').length") == 1, "its own, which its policy names by hash"
    assert browser.value("document.querySelectorAll('img, link, iframe, [style], [onclick]').length") == 0
    assert browser.value("document.querySelector('meta[http-equiv]').content").startswith("default-src 'none'; ")


@pytest.mark.parametrize("name", ["real", "nasty"])
@pytest.mark.parametrize("width", [1440, 800, 390])
def test_nothing_hangs_over_or_collides(browser: Any, request: pytest.FixtureRequest, name: str, width: int) -> None:
    browser.open(request.getfixturevalue(name), width)
    assert browser.value("document.documentElement.scrollWidth") <= width
    for selector in ("article, section, nav, header, .hints", ".graph rect", ".toc li", ".graph .head"):
        assert browser.value(OVERLAPS % selector) == 0, selector
    outside = (
        "[...document.querySelectorAll('.graph .node')].filter(node => {"
        " const box = node.querySelector('rect').getBBox();"
        "return [...node.querySelectorAll('text')].some(text => text.getBBox().width > box.width - 14"
        " || text.getBBox().y < box.y || text.getBBox().y + text.getBBox().height > box.y + box.height + 1) }).length"
    )
    if width > 600:  # narrower pages show a list instead of the graph
        assert browser.value(outside) == 0, "labels stay inside their nodes"


def test_the_page_shows_the_whole_pack(browser: Any, real: Path, answer: tuple[Answer[Pack], Session]) -> None:
    pack = answer[0].data
    assert pack.dropped and len(pack.items) >= 3
    browser.open(real)
    shown = browser.value(
        "[...document.querySelectorAll('article')].map(one => [one.querySelector('.place').textContent, one.className,"
        " one.querySelector('code').textContent])"
    )
    assert [text for _, _, text in shown] == [f"{item.content}\n" for item in pack.items]
    assert [role for _, role, _ in shown] == [item.role for item in pack.items]
    assert [place.partition(":")[0] for place, _, _ in shown] == [item.file for item in pack.items]
    assert browser.value("document.querySelectorAll('.dropped tr').length") == len(pack.dropped) + 1
    assert browser.value("[...document.querySelectorAll('.why table')].map(one => one.rows.length - 1)") == [
        len(item.why) for item in pack.items
    ]
    assert browser.value("document.querySelector('.hints').textContent").count("left out") == 1
    assert browser.value("document.querySelectorAll('.code .k, .code .kn').length") > 3, "keywords are highlighted"


def test_the_bar_is_the_budget(browser: Any, real: Path, answer: tuple[Answer[Pack], Session]) -> None:
    budget = answer[0].data.budget
    browser.open(real)
    part = browser.value(
        "(() => { const bar = document.querySelector('.bar').getBoundingClientRect();"
        "const parts = [...document.querySelectorAll('.bar rect')].map(one => one.getBoundingClientRect());"
        "return (Math.max(...parts.map(one => one.right)) - bar.left) / bar.width })()"
    )
    assert part == pytest.approx(budget.used_chars / budget.max_chars, abs=0.01)


def test_lines_have_the_numbers_of_the_file(browser: Any, real: Path) -> None:
    browser.open(real)
    rows = browser.value(
        "[...document.querySelectorAll('article')].flatMap(one => { const file = one.querySelector('.place')"
        ".textContent.split(':')[0]; return [...one.querySelectorAll('.line')]"
        ".map(line => [file, line.dataset.n, line.textContent]).filter(row => row[1]) })"
    )
    assert len(rows) > 15
    for file, number, text in rows:
        assert (PROJECT / file).read_text("utf-8").split("\n")[int(number) - 1] == text.rstrip("\n")


def test_a_click_leads_to_the_item(browser: Any, real: Path) -> None:
    browser.open(real)
    assert browser.value("document.querySelectorAll('.graph a').length") >= 1
    browser.value("document.querySelector('.toc li:last-child a').click()")
    assert browser.value("document.querySelector(location.hash).tagName") == "ARTICLE"


def test_changed_lines_are_marked(browser: Any, nasty: Path) -> None:
    browser.open(nasty)
    numbers = "[...document.querySelectorAll('#item-1 .line.changed')].map(one => one.dataset.n)"
    assert browser.value(numbers) == ["10"]
    every = browser.value(numbers.replace(".changed", ""))
    assert every == ["", "", "10", "", "14"], "imports and the mark of a gap have no number"
    assert browser.value("document.querySelector('h1').textContent").count("changes since HEAD") == 1


def test_the_same_answer_is_the_same_page(answer: tuple[Answer[Pack], Session], real: Path) -> None:
    again = answer[1].query("PictureCache thumbnail")
    assert whole_page(again, answer[1]) == real.read_text("utf-8").replace(_first_hints(answer[0]), _first_hints(again))


def _first_hints(answer: Answer[Pack]) -> str:
    return document(answer.data, None, answer.hints).partition("<section")[0].partition("<ul")[2]


def test_the_command_line_writes_the_page(tmp_path: Path, answer: tuple[Answer[Pack], Session]) -> None:
    out = tmp_path / "pack.html"
    root = answer[1].corpus.root
    done = subprocess.run(
        ["ctxpack", "query", "PictureCache thumbnail", "--format", "html", "--max-chars", "2600", "--model", "embedded",
         "--index-dir", str(root.parent / "index"), "--repo", str(root), "--out", str(out)],
        capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout == b"" and out.read_text("utf-8").startswith("<!doctype html>")


def test_a_filter_shows_the_items_that_have_every_word(
    browser: Any, real: Path, answer: tuple[Answer[Pack], Session]
) -> None:
    items = answer[0].data.items
    browser.open(real)
    assert browser.value("getComputedStyle(document.querySelector('.tools')).display") == "flex"
    typed = (
        "(() => { const one = document.getElementById('filter'); one.value = %r;"
        " one.dispatchEvent(new Event('input')) })()"
    )
    browser.value(typed % f"{items[0].file.upper()} {items[0].symbol}")
    shown = "[...document.querySelectorAll('article')].filter(one => !one.hidden).map(one => one.id)"
    assert "item-1" in browser.value(shown) and len(browser.value(shown)) < len(items)
    assert (
        browser.value("document.querySelector('output').textContent") == f"{len(browser.value(shown))} of {len(items)}"
    )
    assert browser.value("document.querySelectorAll('.toc li:not([hidden])').length") == len(browser.value(shown))
    browser.value(typed % "no such words")
    assert browser.value(shown) == []
    browser.value("document.querySelector('.toc li:last-child a').click()")
    browser.value("new Promise(done => setTimeout(done, 50))")
    browser.value(typed % "")
    assert len(browser.value(shown)) == len(items)


def test_the_buttons_copy_place_code_and_everything(
    browser: Any, real: Path, answer: tuple[Answer[Pack], Session]
) -> None:
    items = answer[0].data.items
    browser.open(real)
    browser.value(
        "window.copied = []; Object.defineProperty(navigator, 'clipboard',"
        " {value: {writeText: text => { copied.push(text); return Promise.resolve() }}})"
    )
    browser.value("document.querySelectorAll('#item-1 button, .copy-all').forEach(one => one.click())")
    everything, place, code = browser.value("copied")
    assert (code, place.partition(":")[0]) == (items[0].content, items[0].file)
    assert all(f"```\n{item.content}\n```\n" in everything for item in items)


def test_a_list_replaces_the_graph_on_a_narrow_screen(browser: Any, real: Path) -> None:
    shown = "['.graph', '.listed'].map(one => document.querySelector(one).getBoundingClientRect().height > 0)"
    for width, expected in ((390, [False, True]), (800, [True, False])):
        browser.open(real, width)
        assert browser.value(shown) == expected
    drawn = browser.value("document.querySelectorAll('.graph path').length")
    assert browser.value("document.querySelectorAll('.listed dd').length") == drawn > 0


def test_the_reasons_are_words(browser: Any, real: Path) -> None:
    browser.open(real)
    first = browser.value("document.querySelector('#item-1 .reasons').textContent")
    assert first == "defines a name in your question"

"""A query that is a place: every spelling, its lines first, an error that names the nearest place if none exists."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import NotFound, UsageError
from contracts.rows import rows
from index import Index, open_index
from index.collection.tables import FileNames
from index.search.places import line_references
from index.search.places.line_references import with_places
from index.search.spelling import parse_place
from index.types import Filters
from tests.index.conftest import SHOP, WriteTree

FILE_VIEWS = [
    "https://github.com/acme/shop/blob/main/shop/cart.py#L10-L12",
    "https://github.com/acme/shop/blob/feature/carts/shop/cart.py?plain=1#L10-L12",
    "https://github.com/acme/shop/blame/0123abc/shop/cart.py#L10C5-L12C9",
    "https://raw.githubusercontent.com/acme/shop/main/shop/cart.py#L10-L12",
    "https://gitlab.example.org/group/sub/shop/-/blob/v1.0/shop/cart.py#L10-12",
    "https://bitbucket.org/acme/shop/src/0123abc/shop/cart.py#lines-10:12",
    "https://git.example.org/projects/SHOP/repos/shop/browse/shop/cart.py?at=refs%2Fheads%2Fmain#10-12",
    "https://codeberg.org/acme/shop/src/branch/main/shop/cart.py#L10-L12",
    "https://gitea.example.org/acme/shop/src/commit/0123abc/shop/cart.py#L10-L12",
    "https://git.sr.ht/~acme/shop/tree/main/item/shop/cart.py#L10-12",
]


@pytest.mark.parametrize(
    ("text", "path", "lines"),
    [
        ("src/a.py", "src/a.py", (None, None)),
        ("./src/a.py:120", "src/a.py", (120, 120)),
        ("src/a.py:120:7", "src/a.py", (120, 120)),
        ("src/a.py:120:", "src/a.py", (120, 120)),
        ("src/a.py:10-20", "src/a.py", (10, 20)),
        ("src/a.py:20-10", "src/a.py", (20, 10)),
        ("src/a.py:10:3-12:9", "src/a.py", (10, 12)),
        ("src/Main.hs:10:3-9", "src/Main.hs", (10, 10)),
        ("src/a.py:L10-L20", "src/a.py", (10, 20)),
        ("src/a.ts(10,5)", "src/a.ts", (10, 10)),
        ("src/a.py#L10", "src/a.py", (10, 10)),
        ("src/a.py#L10-L20", "src/a.py", (10, 20)),
        ("src/a.py#L10-20", "src/a.py", (10, 20)),
        ("`src/a.py:10`", "src/a.py", (10, 10)),
        ("src\\win\\a.py:10", "src/win/a.py", (10, 10)),
        ("C:\\work\\a.py:10", "C:/work/a.py", (10, 10)),
        ("Makefile:10", "Makefile", (10, 10)),
        ("src/a.py:3-9,20,40-52,...", "src/a.py", (3, 52)),
        ("src/a.py:3,20", "src/a.py", (3, 20)),
        ("src/a.py:120,8", "src/a.py", (120, 120)),
        ("file:///home/me/app/src/a.py#120", "/home/me/app/src/a.py", (120, 120)),
        ("file:///C:/app/src/a.py#120", "C:/app/src/a.py", (120, 120)),
        ("vscode://file/home/me/app/src/a.py:120", "/home/me/app/src/a.py", (120, 120)),
    ],
)
def test_a_place_is_spelled_in_many_ways(text: str, path: str, lines: tuple[int | None, int | None]) -> None:
    place = parse_place(text)
    assert place is not None and (place.path, (place.first, place.last)) == (path, lines)


@pytest.mark.parametrize(
    "text", ["EmbeddingCache", "Cart#total", "std::vec", "https://example.com/a/b", "Cart::total()"]
)
def test_a_name_is_no_place(text: str) -> None:
    assert parse_place(text) is None


@pytest.mark.parametrize("url", FILE_VIEWS)
def test_the_url_of_a_file_on_a_forge_is_a_place(url: str) -> None:
    place = parse_place(url)
    assert place is not None and "shop/cart.py" in place.paths
    assert (place.first, place.last, place.certain) == (10, 12, True)


@given(st.text(max_size=200))
def test_no_text_breaks_the_spellings(text: str) -> None:
    place = parse_place(text)
    assert place is None or (place.first is None) == (place.last is None)


@pytest.fixture
def shop_index(shop: Path, tmp_path: Path) -> Index:
    return open_index(shop, home=tmp_path / "home", model="embedded")


def first(index: Index, query: str, **filters: object) -> tuple[str, tuple[tuple[int, int], ...]]:
    hit = index.search(query, filters=Filters(**filters))[0]  # type: ignore[arg-type]
    row = index.chunk(hit.chunk)
    assert all(row.start_line <= start <= end <= row.end_line for start, end in hit.lines)
    return row.file, hit.lines


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("shop/cart.py:11", (11, 11)),
        ("cart.py:11", (11, 11)),
        ("/home/someone/work/shop/cart.py:11", (11, 11)),
        ("checkout/shop/cart.py:11", (11, 11)),
        ("shop/cart.py:14-17", (14, 17)),
        ("shop/cart.py:16-900", (16, 17)),
        (FILE_VIEWS[0], (10, 11)),  # a chunk ends at line 11; the next hit has the rest
        ("shop/money.py#L11-L12", (11, 12)),
    ],
)
def test_the_lines_asked_for_come_first(shop_index: Index, query: str, lines: tuple[int, int]) -> None:
    asked = {line for hit in shop_index.search(query) for start, end in hit.lines for line in range(start, end + 1)}
    file, found = first(shop_index, query)
    assert file == ("shop/money.py" if "money" in query else "shop/cart.py")
    assert found[0][0] == lines[0]
    assert set(range(lines[0], lines[1] + 1)) <= asked


@pytest.mark.parametrize("url", FILE_VIEWS)
def test_the_url_of_a_forge_finds_the_file(shop_index: Index, url: str) -> None:
    file, lines = first(shop_index, url)
    assert (file, lines[0][0]) == ("shop/cart.py", 10)


def test_a_blank_line_is_shown_with_the_code_next_to_it(shop_index: Index) -> None:
    file, lines = first(shop_index, "shop/money.py:5")
    assert file == "shop/money.py" and lines


def test_a_line_of_a_later_part_brings_the_signature(write_tree: WriteTree, tmp_path: Path) -> None:
    body = "".join(f"    total = total + weight_{number} * factor_{number} - shift_{number}\n" for number in range(120))
    root = write_tree({"long.py": f"def weigh(total):\n{body}    return total\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    hits = index.search("long.py:100")[:2]
    assert [hit.lines for hit in hits] == [((100, 100),), ((1, 1),)]
    assert index.chunk(hits[0].chunk).start_line > 1


def test_several_files_of_one_name_each_show_the_line(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"a/util.py": "A = 1\nB = 2\n", "b/c/util.py": "C = 1\nD = 2\n", "short/util.py": "E = 1\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("util.py:2") if hit.lines]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["a/util.py", "b/c/util.py"]


@pytest.mark.parametrize(
    "query",
    [
        "My Shop/cart total.py:4",
        "My Shop/cart total.py(4,2)",
        "cart total.py#L4",
        "C:\\work\\My Shop\\cart total.py:4",
        "/home/me/My Shop/cart total.py:4: error: no total",
        "why is `My Shop/cart total.py` line 4 slow",
        'error in "My Shop/cart total.py" line 4',
        "My%20Shop/cart%20total.py#L4",
        "/home/me/My%20Shop/cart%20total.py:4",
        "see My%20Shop/cart%20total.py:4",
    ],
)
def test_a_path_may_contain_blanks(write_tree: WriteTree, tmp_path: Path, query: str) -> None:
    code = "def items():\n    return []\n\ndef total():\n    return sum(items())\n"
    root = write_tree({"My Shop/cart total.py": code, "other.py": code})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert first(index, query) == ("My Shop/cart total.py", ((4, 4),))


def test_a_whole_path_may_contain_blanks(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"My Shop/cart total.py": "def items():\n    return []\n", "Shop/cart total.py": "A = 1\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert [place.file for place in index.places("My Shop/cart total.py:2-3")] == ["My Shop/cart total.py"]
    assert not index.places("where is My Shop/cart total.py")
    hits = index.search("My Shop/cart total.py")
    assert hits[0].score == 1 and index.chunk(hits[0].chunk).file == "My Shop/cart total.py"


def test_the_name_of_a_file_is_a_place_even_without_a_dot(write_tree: WriteTree, tmp_path: Path) -> None:
    index = open_index(write_tree({"Makefile": "all:\n\techo 1\n"}), home=tmp_path / "home", model="embedded")
    assert [place.file for place in index.places("Makefile")] == ["Makefile"]
    with pytest.raises(NotFound, match="it has 2"):
        index.places("Makefile:3")


@pytest.mark.parametrize("query", ["/home/me/My Shop/cart.py:1", "error at /home/me/My Shop/cart.py:1"])
def test_the_longest_path_with_blanks_is_meant(write_tree: WriteTree, tmp_path: Path, query: str) -> None:
    root = write_tree({"My Shop/cart.py": "A = 1\n", "Shop/cart.py": "B = 1\n", "v/My Shop/util.py": "C = 1\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert first(index, query) == ("My Shop/cart.py", ((1, 1),))
    assert first(index, "see Shop/cart.py:1") == ("Shop/cart.py", ((1, 1),))
    assert [place.file for place in index.places("/home/me/My Shop/cart.py")] == ["My Shop/cart.py"]


def test_filters_hold_for_places(shop_index: Index) -> None:
    assert all(
        not hit.lines for hit in shop_index.search("shop/cart.py:11", filters=Filters(exclude=("shop/cart.py",)))
    )


@pytest.mark.parametrize(
    ("query", "nearest"),
    [
        ("shop/cart.py:900", "shop/cart.py:17"),
        ("shop/cart.py:0", "shop/cart.py:17"),
        ("shop/carts.py:11", "shop/cart.py:11"),
        ("nowhere/cart.py:11", "shop/cart.py:11"),
        ("shop/cart.rs#L11", "shop/cart.py:11"),
        ("https://github.com/acme/shop/blob/main/shop/carts.py#L3", "shop/cart.py:3"),
    ],
)
def test_a_missing_place_names_the_nearest_ones(shop_index: Index, query: str, nearest: str) -> None:
    with pytest.raises(NotFound) as caught:
        shop_index.trace(query)
    assert nearest in caught.value.details["nearest"]  # type: ignore[operator]
    assert shop_index.search(query) is not None  # this rule does not apply to queries in words


@pytest.mark.parametrize("query", ["shop/cart.py:17-14", "cart.py#L17-L14"])
def test_lines_in_the_wrong_order_are_refused(shop_index: Index, query: str) -> None:
    for ask in (shop_index.search, shop_index.places):
        with pytest.raises(UsageError, match=r"line 14 is before line 17: write .*cart\.py:14-17"):
            ask(query)


@pytest.mark.parametrize("query", ["localhost:8080", "127.0.0.1:80", "cart:1", "redis.example.com:6379", "std::cart:3"])
def test_text_that_only_looks_like_a_place_is_an_ordinary_question(shop_index: Index, query: str) -> None:
    assert shop_index.trace(query) is None


def test_the_same_questions_as_before_have_the_same_hits(shop_index: Index) -> None:
    assert [shop_index.chunk(hit.chunk).file for hit in shop_index.search("shop/money.py")][:1] == ["shop/money.py"]
    assert not any(hit.lines for hit in shop_index.search("how is the total summed up"))


def test_names_are_found_by_the_ends_of_paths() -> None:
    names = FileNames(sorted([*SHOP, "other/shop/cart.py"]))
    assert [names.paths[file] for file in names.ending("shop/cart.py")] == ["other/shop/cart.py", "shop/cart.py"]
    assert names.longest("/x/shop/cart.py")[0] == 2
    assert names.longest("/x/nothing.py") == (0, [])
    assert names.nearest("shop/crat.py", 2)[0] == "shop/cart.py"


REFERENCES = [example for example, *_ in rows(line_references.__file__, "line_references.tsv")]


@pytest.mark.parametrize("reference", REFERENCES)
def test_each_form_of_a_reference_to_lines_is_a_place(shop_index: Index, reference: str) -> None:
    text = reference.replace("12", "11").replace("15", "12")
    assert with_places(shop_index.collection, text) != text
    assert first(shop_index, text)[0] == "shop/cart.py"
    if reference != "@shop/cart.py":
        assert first(shop_index, text)[1][0][0] == 11


@pytest.mark.parametrize(
    "text",
    [
        "[cart.py](shop/cart.py#L11-L12)",
        "[`total`](./shop/cart.py#L11)",
        "**shop/cart.py:11**",
        "shop/cart.py from line 11 to line 12",
        "what is on lines 11 and 12 of shop/cart.py?",
        "the code around line 11 in `shop/cart.py`",
        "why does @shop/cart.py#L11-12 loop",
        "file: shop/cart.py\nline: 11",
        "shop/cart.py|11 col 5 warning| unused",
        "~/src/checkout/shop/cart.py:11",
        "../shop/cart.py:11",
        "https://dev.azure.com/o/p/_git/shop?path=/shop/cart.py&version=GBmain&line=11&lineEnd=12",
        "https://sourcegraph.com/github.com/o/shop@main/-/blob/shop/cart.py?L11:5",
        "https://git.example.org/shop.git/tree/shop/cart.py#n11",
        "idea://open?file=/home/u/shop/shop/cart.py&line=11",
        "https://example.org/shop/cart.py?line=11&lineEnd=x",
        "Look at line 11 of shop/cart.py.",
    ],
)
def test_other_references_to_lines_are_places(shop_index: Index, text: str) -> None:
    file, lines = first(shop_index, text)
    assert (file, lines[0][0]) == ("shop/cart.py", 11)


@pytest.mark.parametrize(
    "text",
    [
        "total(5) of the cart",
        "see other.py line 12",
        'File "shop/cart.py", line 12, in total',
        "at Acme.Cart.Total() in C:\\work\\shop\\cart.py:line 12",
        "./shop/cart.py: line 12: unbound variable",
        "::error file=shop/cart.py,line=12::too long",
        "12:15:30 starts",
        "shop/cart.py 404",
        "shop/cart.py[0]",
        "shop/cart.py(404)",
        "http://[::1]:3000/carts/12",
    ],
)
def test_frames_and_other_numbers_are_no_references(shop_index: Index, text: str) -> None:
    assert with_places(shop_index.collection, text) == text


@pytest.mark.parametrize("query", ["shop/carts.py, line 11", "lines 11 to 12 of shop/carts.py", "shop/carts.py L11"])
def test_a_missing_file_is_named_if_the_whole_text_is_a_reference(shop_index: Index, query: str) -> None:
    with pytest.raises(NotFound) as caught:
        shop_index.trace(query)
    assert "shop/cart.py:11" in caught.value.details["nearest"]  # type: ignore[operator]


def test_the_name_of_a_script_may_be_that_of_a_function(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"bin/run": "#!/bin/sh\nA=1\nB=2\n", "cart.py": "def run():\n    return 1\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    for text in ("run(3)", "run 3", 'File "cart.py", line 2, in run'):
        assert with_places(index.collection, text) == text
    assert with_places(index.collection, "line 2 of run") == "run:2"


def test_folders_in_brackets_are_parts_of_paths(write_tree: WriteTree, tmp_path: Path) -> None:
    path = "app/[id]/(shop)/page.tsx"
    root = write_tree({path: "export const total = 1;\nexport const price = 2;\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert first(index, f"line 2 of {path}") == (path, ((2, 2),))


@pytest.mark.parametrize("unit", ["a[", "a(", "a@", "[1", "a[a]", "a@-", "line 1 of ", "file=a line"])
def test_references_are_read_in_few_steps(unit: str, shop_index: Index) -> None:
    text, usual = (f"lines 1 to 2 of a {one * 20_000}"[:20_000] for one in (unit, "of a line "))
    assert _seconds(shop_index, text) < 0.01 + 3 * _seconds(shop_index, usual)


def _seconds(index: Index, text: str) -> float:
    """The least processor time of reading the references of a text."""
    seconds = []
    for _ in range(3):
        start = process_time()
        with_places(index.collection, text)
        seconds.append(process_time() - start)
    return min(seconds)


def test_every_symbol_in_a_range_of_lines_among_words_is_shown(shop_index: Index) -> None:
    hits = shop_index.search("why do shop/cart.py:3-17 differ")
    assert {line for hit in hits for start, end in hit.lines for line in range(start, end + 1)} >= {5, 10, 17}


def test_the_lines_below_the_name_of_a_file_are_those_of_ripgrep(shop_index: Index) -> None:
    hits = shop_index.search("shop/cart.py\n11:        self.items\n\nshop/money.py\n12:    return text\n")
    assert [(shop_index.chunk(hit.chunk).file, hit.lines) for hit in hits[:2]] == [
        ("shop/cart.py", ((11, 11),)),
        ("shop/money.py", ((12, 12),)),
    ]


@pytest.mark.parametrize("text", ["shop/cart.py shop/money.py", "compare `shop/cart.py` with @shop/money.py"])
def test_a_list_of_files_shows_them_in_turns(shop_index: Index, text: str) -> None:
    hits = shop_index.search(text)
    assert [shop_index.chunk(hit.chunk).file for hit in hits[:2]] == ["shop/cart.py", "shop/money.py"]


def test_a_place_in_the_folder_internal_is_none_of_node(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"internal/carts/cart.go": "package carts\n\nfunc Total() int {\n\treturn 1\n}\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    assert first(index, "internal/carts/cart.go:4:2: undefined: price") == ("internal/carts/cart.go", ((4, 4),))

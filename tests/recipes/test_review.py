"""Packs for changes: real git repositories with every kind of uncommitted change."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from recipe_shell import ctxpack
from shop_project import CART, PRICES, TEST, commit, git, symbols, write

from context_pack import api
from context_pack.io.changes import changes, delta
from context_pack.kinds.code.change.removed import MAX_CHECKED
from context_pack.options.resolve import Layer, resolve
from contracts.errors import InvalidRequest
from contracts.records import as_data

ALL_PRICES = "gross, rounded, discount_of"  # neighbours are one item, named after all of them


def test_a_change_brings_its_callers_and_tests(shop: Path, packed: Any, conforms: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * TAX + 0.0"))
    answer = packed(shop, explain=True)
    assert symbols(answer, "primary") == [ALL_PRICES]
    assert {"Cart", "test_gross"} <= set(symbols(answer, "related"))
    first = next(item for item in answer.data.items if item.role == "primary")
    assert (first.score, first.changed) == (1.0, ((5, 5),))
    assert (first.why[0].name, first.why[0].detail) == ("changed", "modified, 1 line")
    head = git(shop, "rev-parse", "HEAD")
    assert as_data(answer.data)["diff"] == {"base": "HEAD", "commit": head, "files": 1, "added": 1, "removed": 1}
    assert answer.data.query == ""
    conforms(as_data(answer.data), "context_pack")


def test_a_change_brings_the_other_place_with_the_same_condition(shop: Path, packed: Any) -> None:
    """No edge leads from one to the other."""
    accept = "def accept(order):\n    if order.total > 100 and not order.guest_pays:\n        order.hold()\n"
    nightly = accept.replace("accept(order)", "nightly(order)").replace("hold", "skip")
    for number in range(30):
        write(shop, f"shop/note_{number}.py", f"def note_{number}(page):\n    return page.render({number})\n")
    write(shop, "web/accept.py", accept)
    write(shop, "jobs/nightly.py", nightly)
    commit(shop, "twice")
    write(shop, "web/accept.py", accept.replace("100", "200"))
    other = next(item for item in packed(shop, explain=True).data.items if item.file == "jobs/nightly.py")
    assert (other.role, other.relationship) == ("related", ("resembles",))
    for options in ({"related": 0}, {"related_mode": "none"}, {"edges": ["calls"]}):
        assert "nightly" not in symbols(packed(shop, **options), "related"), options


def test_a_change_brings_the_tests_of_its_file_that_no_edge_leads_to(shop: Path, packed: Any) -> None:
    """The new branch needs a test beside those of the file; nothing tests the changed function itself."""
    rates = "def rate_of(order):\n    return 3 if order.guest else 5\n\n\ndef label(rate):\n    return f'{rate} %'\n"
    tests = "from shop.rates import label\n\n\ndef test_label(order):\n    assert label(order.total) == '3 %'\n"
    write(shop, "shop/rates.py", rates)
    write(shop, "tests/test_rates.py", tests)
    commit(shop, "rates")
    write(shop, "shop/rates.py", rates.replace("order.guest", "order.guest and order.total"))
    test = next(item for item in packed(shop, explain=True).data.items if item.file == "tests/test_rates.py")
    assert (test.role, test.relationship, test.symbol) == ("related", ("tested_by",), "test_label")
    assert test.why[0].detail == "a test of shop/rates.py"
    for edge, is_shown in (("tested_by", True), ("tests", True), ("calls", False)):
        assert ("test_label" in symbols(packed(shop, edges=[edge]), "related")) == is_shown, edge
    write(shop, "tests/test_rates.py", f"{tests}\n\ndef test_more():\n    assert label(5)\n")
    assert "test_label" not in symbols(packed(shop, limit=1), "related"), "the change has tests of this file"


def test_a_change_without_tests_brings_tests_with_its_words(shop: Path, packed: Any) -> None:
    """They reach the changed code through a server, and no test is named after its file."""
    accept = "def accept(order):\n    if order.total > 100:\n        order.hold('guest parcels')\n"
    test = "test('guest parcels of {} are on hold', async t => {{\n  t.is(await order({}), 'hold');\n}});\n"
    for number in range(60):
        text = f"def note_{number}(order):\n    order.hold('guest parcels', order.total, {number})\n"
        write(shop, f"shop/note_{number}.py", text)
    write(shop, "web/accept.py", accept)
    write(shop, "tests/parcels.test.js", "".join(test.format(number, number) for number in range(9)))
    write(shop, "tests/test_accept.py", "from web.accept import accept\n\n\ndef test_accept():\n    accept(None)\n")
    commit(shop, "parcels")
    write(shop, "web/accept.py", accept.replace("100", "200"))
    files = [item.file for item in packed(shop).data.items]
    assert "tests/parcels.test.js" in files
    write(shop, "tests/test_accept.py", "from web.accept import accept\n\n\ndef test_accept():\n    accept(0)\n")
    assert "tests/parcels.test.js" not in [item.file for item in packed(shop).data.items], "the change has its tests"


@pytest.mark.parametrize(("calls", "is_shown"), [(1, True), (40, False)])
def test_the_place_that_a_sweep_left_out_comes_after_its_first_places(
    shop: Path, packed: Any, calls: int, is_shown: bool
) -> None:
    """Nothing here defines the name; where many places keep it, they were not meant."""
    code = "import files\n\n\ndef load_{}(path):\n    return files.read_whole(path)\n"
    for number in range(5):
        write(shop, f"shop/load_{number}.py", code.format(number))
    write(shop, "tests/test_load.py", "import files\n\n\ndef test_load():\n    assert files.read_whole('a')\n")
    for number in range(1, calls):
        write(shop, f"jobs/job_{number}.py", code.format(f"job_{number}"))
    commit(shop, "files")
    for number in range(5):
        write(shop, f"shop/load_{number}.py", code.format(number).replace("read_whole", "read_text"))
    items = packed(shop, explain=True, related=0).data.items
    left = [(at, item.why[0].detail) for at, item in enumerate(items) if item.file == "tests/test_load.py"]
    assert left == ([(3, "read_whole, removed from 5 files")] if is_shown else [])


def test_a_change_of_thousands_of_names_looks_up_some(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("one", "two"):
        write(shop, f"shop/{file}.py", "".join(f"old_name_{number}()\n" for number in range(2_000)))
    commit(shop, "names")
    for file in ("one", "two"):
        write(shop, f"shop/{file}.py", "pass\n")
    session, names = api.open(shop, index_dir=tmp_path / "index"), list[str]()
    naming = session.corpus.naming
    monkeypatch.setattr(session.corpus, "naming", lambda name: names.append(name) or naming(name))
    session.query(diff="HEAD")
    assert 0 < sum(name.startswith("old_name_") for name in names) <= MAX_CHECKED


@pytest.mark.parametrize("as_patch", [False, True])
def test_other_line_ends_change_no_code(shop: Path, packed: Any, as_patch: bool) -> None:
    ends = PRICES.replace("\n", "\r\n")

    def changed(text: str) -> list[tuple[str, Any]]:
        (shop / "shop/prices.py").write_bytes(text.encode())
        source = {"diff": git(shop, "diff") + "\n"} if as_patch else {}
        data = packed(shop, **source).data
        assert data.diff.files == 1
        return [(item.symbol, item.changed) for item in data.items if item.role == "primary"]

    assert changed(ends) == []
    assert changed(PRICES.rstrip("\n")) == []
    assert changed(ends.replace("net * TAX", "net * TAX + 0.0")) == [(ALL_PRICES, ((5, 5),))]
    # Between the first and the last other line, nothing is compared if there are more lines than before.
    more = ends.replace("net * TAX", "net * TAX + 0.0\r\n    # with tax")
    assert changed(more) == [(ALL_PRICES, ((5, 6),))]


def test_a_change_that_was_taken_back_since_is_no_change_of_line_ends(shop: Path, packed: Any) -> None:
    for text in (PRICES.replace("net * TAX", "net * TAX + 0.0"), PRICES):
        write(shop, "shop/prices.py", text)
        commit(shop, "prices")
    answer = packed(shop, diff="HEAD~2..HEAD~1")
    assert [item.changed for item in answer.data.items if item.role == "primary"] == [((5, 5),)]
    assert not any("ends of lines" in hint.text for hint in answer.hints)


def test_a_change_in_a_long_function_leaves_room_for_what_calls_it(shop: Path, packed: Any) -> None:
    step = "    order.notes.append('step {} of the long way to ship an order')\n"
    long = "".join(step.format(number) for number in range(120))
    code = f"def ship(order):\n{long}\n\ndef fly(order):\n{long}"
    write(shop, "shop/ship.py", code)
    for number in range(12):
        body = "".join(f"    order.stop_{number}_{line} = 'port {number} on line {line}'\n" for line in range(12))
        start = f"from shop.ship import fly, ship\n\n\ndef port_{number}(order):\n"
        write(shop, f"shop/port_{number}.py", f"{start}{body}    {('ship', 'fly')[number % 2]}(order)\n")
    commit(shop, "ports")
    write(shop, "shop/ship.py", code.replace("step 40 of", "step forty of"))
    items = packed(shop, max_chars=16_000).data.items
    assert sum(len(item.changed) for item in items) == 2
    assert sum(item.relationship == ("called_by",) for item in items) >= 5, "although the edges lead to the first parts"


def test_a_change_has_its_own_default_limits() -> None:
    assert (resolve(Layer({"diff": "HEAD"})).limit, resolve(Layer({"diff": "HEAD"})).related) == (50, 8)
    given = resolve(Layer({"limit": 3}), Layer({"diff": "HEAD", "related": 0}))
    assert (given.limit, given.related) == (3, 0)


def test_a_removed_function_brings_whoever_still_names_it(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES[: PRICES.index("def discount_of")])
    answer = packed(shop, explain=True)
    found = {item.symbol: item.why[0] for item in answer.data.items if item.role == "primary"}
    assert found["Cart"].name == "names_removed"
    assert found["Cart"].detail == "discount_of, removed from shop/prices.py"
    assert list(found) == ["rounded, gross", "Cart"], "what went out between symbols is shown behind the one before"
    hunk = answer.data.items[0].hunks[0]
    assert (hunk.line, hunk.old.split("\n")[-2:]) == (12, PRICES.rstrip("\n").split("\n")[-2:])


def test_a_changed_schema_brings_the_code_that_spells_its_names_otherwise(shop: Path, packed: Any) -> None:
    schema = "service Carts {\n  rpc PayCart(Request) returns (Cart);\n  rpc GetCart(Request) returns (Cart);\n}\n"
    write(shop, "cart.proto", schema)
    write(shop, "server/cart.go", "package server\n\nfunc GetCart() {\n}\n")
    write(shop, "web/cart.ts", "export function show() {\n  return client.getCart();\n}\n")
    write(shop, "web/pay.ts", "export function pay() {\n  return client.payCart();\n}\n")
    commit(shop, "a schema")
    write(shop, "cart.proto", schema.replace("PayCart(Request)", "PayCart(Pay)").replace("GetCart", "ReadCart"))
    found = {item.file: item.why[0] for item in packed(shop, explain=True).data.items if item.role == "primary"}
    assert list(found) == ["cart.proto", "web/cart.ts", "web/pay.ts"]
    assert found["web/pay.ts"].detail == "reads PayCart"
    assert found["web/cart.ts"].detail == "GetCart, removed from cart.proto"


def test_users_of_a_removed_function_are_looked_up_not_guessed(shop: Path, packed: Any) -> None:
    """Many files are about discounts; one contains the exact name, once, in a long function."""
    about = "def discount_{0}_of_discounts(discount):\n    return discount * {0}  # the discount of a discount\n"
    for number in range(15):
        write(shop, f"shop/about_{number}.py", about.format(number))
    steps = "".join(f"    step({number})\n" for number in range(60))
    write(shop, "shop/till.py", f"def close_till(rate):\n{steps}    step(discount_of(rate))\n{steps}")
    commit(shop, "more")
    write(shop, "shop/prices.py", PRICES[: PRICES.index("def discount_of")])
    till = next(item for item in packed(shop).data.items if item.file == "shop/till.py")
    assert (till.role, "step(discount_of(rate))" in till.content) == ("primary", True)


def test_a_removed_line_marks_the_lines_around_it(shop: Path, packed: Any) -> None:
    write(shop, "shop/cart.py", CART.replace("    def total(self):\n", "    total = 0\n\n    def total(self):\n"))
    commit(shop, "longer")
    write(shop, "shop/cart.py", CART)
    answer = packed(shop)
    assert [(item.symbol, item.changed) for item in answer.data.items if item.role == "primary"] == [
        ("Cart", ((4, 5),))
    ]


def test_a_deleted_file_is_reported_and_its_users_are_shown(shop: Path, packed: Any) -> None:
    (shop / "shop/prices.py").unlink()
    answer = packed(shop)
    assert [hint.text for hint in answer.hints if "Deleted" in hint.text] == ["Deleted: shop/prices.py."]
    assert "Cart" in symbols(answer, "primary")


def test_an_unchanged_tree_is_not_an_unanswered_question(shop: Path) -> None:
    for form in ("md", "text"):
        for diff in (["--diff"], ["--diff", "-"]):
            shown = ctxpack("query", *diff, "--format", form, "--repo", str(shop), stdin=b" \n")
            assert b"nothing changed" in shown.out and b"shares a word" not in shown.out
    answer = json.loads(ctxpack("query", "--diff", "-", "--repo", str(shop), stdin=b"").out)
    assert (answer["data"]["items"], answer["hints"][0]["text"]) == ([], "Nothing changed in the patch.")


def test_a_renamed_file_is_not_a_new_one(shop: Path, packed: Any) -> None:
    git(shop, "mv", "shop/prices.py", "shop/money.py")
    write(shop, "shop/money.py", PRICES.replace("0.1 if", "0.2 if"))
    git(shop, "add", "-A")
    answer = packed(shop, explain=True)
    assert "Renamed: shop/prices.py is now shop/money.py." in [hint.text for hint in answer.hints]
    assert symbols(answer, "primary")[0] == "discount_of"
    assert answer.data.items[0].why[0].detail == "renamed from shop/prices.py, 1 line"
    git(shop, "reset", "-q", "--hard")
    git(shop, "mv", "shop/prices.py", "shop/money.py")
    assert packed(shop).data.items[0].file == "shop/money.py"


def test_a_file_that_was_moved_without_git_is_renamed(shop: Path, packed: Any) -> None:
    write(shop, "shop/__init__.py", "")
    write(shop, "shop/twin.py", PRICES)
    commit(shop, "a twin")
    (shop / "goods").mkdir()
    for name in ("prices", "twin", "cart"):
        (shop / f"shop/{name}.py").rename(shop / f"goods/{name}.py")
    write(shop, "goods/cart.py", CART + "# more\n")
    hints = [hint.text for hint in packed(shop).hints]
    moved = [f"shop/{name}.py is now goods/{name}.py" for name in ("prices", "twin")]
    assert f"Renamed: {', '.join(moved)}." in hints
    assert "Deleted: shop/cart.py." in hints, "only equal files are the same file"


@pytest.mark.parametrize("order", ["git mv shop/prices.py shop/money.py", "git rm -q shop/prices.py"])
def test_who_imports_a_file_that_is_gone_is_shown(shop: Path, packed: Any, order: str) -> None:
    write(shop, "shop/till.py", "from . import prices, notes\n\n\ndef close():\n    return prices\n")
    write(shop, "shop/prices_of_others.py", "from shop import prices_list\n\nother = prices_list\n")
    commit(shop, "more")
    git(shop, *order.split()[1:])
    answer = packed(shop, fit="whole", explain=True)
    importing = {item.file: item.why[0] for item in answer.data.items if item.role == "primary"}
    assert set(importing) - {"shop/money.py", "shop/notes.md"} == {
        "shop/cart.py",
        "tests/test_prices.py",
        "shop/till.py",
    }
    assert (importing["shop/till.py"].name, importing["shop/till.py"].detail) == ("imports_removed", "shop/prices.py")
    assert "Removed, but still imported: shop/prices.py." in [hint.text for hint in answer.hints]


def test_every_place_that_names_what_is_gone_counts_and_documents_come_last(shop: Path, packed: Any) -> None:
    write(shop, "CHANGES.md", "# Changes\n\nNew: discount_of.\n")
    for number in range(30):
        write(shop, f"shop/use_{number:02}.py", f"def use_{number}(prices):\n    return prices.discount_of({number})\n")
    commit(shop, "users")
    git(shop, "rm", "-q", "shop/prices.py")
    files = [item.file for item in packed(shop, fit="whole", max_chars=100_000, limit=1_000, related=0).data.items]
    assert {f"shop/use_{number:02}.py" for number in range(30)} <= set(files)
    documents = [file.endswith(".md") for file in files]
    assert "CHANGES.md" in files and documents == sorted(documents), "code comes first"


def test_who_imports_a_file_by_its_new_name_is_not(shop: Path, packed: Any) -> None:
    git(shop, "mv", "shop/prices.py", "shop/money.py")
    write(shop, "shop/cart.py", CART.replace("shop.prices", "shop.money"))
    (shop / "shop/prices").mkdir()
    write(shop, "tests/test_prices.py", TEST.replace("shop.prices", "shop.money"))
    assert not [hint for hint in packed(shop).hints if "still imported" in hint.text]
    git(shop, "reset", "-q", "--hard")
    git(shop, "mv", "shop/prices.py", "shop/prices/__init__.py")
    assert not [hint for hint in packed(shop).hints if "still imported" in hint.text], "a package of the same name"


def test_documents_contain_the_hints(shop: Path, packed: Any) -> None:
    git(shop, "rm", "-q", "shop/prices.py")
    write(shop, "shop/blob.bin", "\0\0")
    for form in ("md", "text", "xml", "toon"):
        shown = ctxpack("query", "--diff", "--format", form, "--repo", str(shop)).out.decode()
        for note in (
            "Deleted: shop/prices.py.",
            "Changed, but not indexed",
            "still named: discount_of, gross, rounded.",
            "still imported: shop/prices.py.",
        ):
            assert note in shown, (form, note)
    assert packed(shop).data.notes == (), "in JSON the hints stand beside the pack"
    for limit in range(300, 900, 50):
        ran = ctxpack("query", "--diff", "--format", "text", "--repo", str(shop), "--max-chars", str(limit))
        assert ran.code or len(ran.out) <= limit
    assert ran.code == 0


def test_a_pure_removal_changes_the_symbol_around_it(shop: Path, packed: Any) -> None:
    reasons: list[str] = []

    def changed(before: str, after: str) -> list[tuple[str, tuple[tuple[int, int], ...], int]]:
        write(shop, "shop/prices.py", before)
        write(shop, "before.txt", before)
        commit(shop, "before")
        write(shop, "shop/prices.py", after)
        answer = packed(shop, fit="whole", explain=True)
        items = [item for item in answer.data.items if item.role == "primary" and item.file == "shop/prices.py"]
        reasons[:] = [item.why[0].detail for item in items]
        return [(item.symbol, item.changed, len(item.hunks)) for item in items]

    other = PRICES.replace("def gross(net):\n    return net * TAX\n\n\n", "")
    assert changed(PRICES, other) == [("TAX", (), 1)], "what stands behind a function that is gone did not change"
    assert reasons == ["modified, next to removed lines"]
    assert changed(PRICES.replace("def rounded", "@cached\ndef rounded"), PRICES) == [("rounded", ((8, 8),), 1)]
    longer = PRICES.replace("* TAX\n", "* TAX\n    print(net)\n")
    assert changed(longer, PRICES) == [("gross", ((5, 5),), 1)]


def test_neighbours_of_removed_code_leave_room_for_ties_of_the_change(shop: Path, packed: Any) -> None:
    def text(rate: str, gone: str) -> str:
        steps = "".join(f"    report += format_line_{n}(items, {n}) + separator\n" for n in range(30))
        change = f"def rate_of(country):\n    return {rate}\n"
        return f"def report_on(items):\n    report = ''\n{steps}    return report\n\n\n{gone}{change}"

    write(shop, "shop/report.py", text("1", "def gone_for_good():\n    return 0\n\n\n"))
    uses = "".join(f"    total_{n} = rate_of('c{n}') * {n}\n" for n in range(12))
    write(shop, "shop/uses.py", f"from shop.report import rate_of\n\n\ndef totals():\n{uses}    return total_1\n")
    commit(shop, "before")
    write(shop, "shop/report.py", text("2", ""))
    items = packed(shop, max_chars=2_000).data.items
    assert [item.relationship for item in items[2:]] == [("resembles",)] * len(items[2:])
    assert [item.symbol for item in items[:2]] == ["rate_of, report_on", "totals"]
    assert items[0].elided and len(items[0].hunks) == 2


def test_new_files_count_whether_git_knows_them_or_not(shop: Path, packed: Any) -> None:
    write(shop, "shop/known.py", "def known_to_git():\n    return 1\n")
    git(shop, "add", "shop/known.py")
    write(shop, "shop/unknown.py", "def unknown_to_git():\n    return 2\n")
    write(shop, ".gitignore", "ignored.py\n")
    write(shop, "ignored.py", "def not_wanted():\n    return 3\n")
    answer = packed(shop)
    assert {"known_to_git", "unknown_to_git"} <= set(symbols(answer, "primary"))
    assert "not_wanted" not in symbols(answer, "primary")
    unknown = next(item for item in answer.data.items if item.symbol == "unknown_to_git")
    assert unknown.changed == ((1, 2),)


def test_a_long_new_file_leaves_the_changes_of_others_first(shop: Path, packed: Any) -> None:
    functions = (f"def copy_{number}(net):\n" + "    net += 1\n" * 30 + "    return net\n" for number in range(9))
    write(shop, "shop/library.py", "\n\n".join(functions))
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * TAX + 0.0"))
    scores = {item.symbol: item.score for item in packed(shop, limit=4).data.items if item.role == "primary"}
    assert ALL_PRICES in scores


def test_what_a_tool_writes_comes_after_what_a_person_does(shop: Path, packed: Any) -> None:
    lines = "".join(f'  "shop-part-{number}": "1.{number}",\n' for number in range(20))
    write(shop, "package.json", '{\n  "name": "shop"\n}\n')
    write(shop, "package-lock.json", "{\n" + lines + '  "lockfileVersion": 3\n}\n')
    for text in (None, "shop part 3 of the shop parts"):
        files = [item.file for item in packed(shop, text=text).data.items]
        assert files == ["package.json", "package-lock.json"]


def test_a_text_says_which_change_is_meant(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("* TAX", "* TAX * 1").replace("round(value, 2)", "round(value, 3)"))
    assert packed(shop, text="rounded", fit="whole").data.items[0].symbol == "rounded"
    assert packed(shop, text="rounded").data.query == "rounded"
    assert packed(shop, text="gross price", fit="whole").data.items[0].symbol == "gross"


def test_a_text_brings_the_code_that_it_is_about_beside_the_change(shop: Path, packed: Any) -> None:
    """The change says nothing of the place that still has to change."""
    for number in range(30):
        write(shop, f"shop/note_{number}.py", f"def note_{number}(page):\n    return page.render({number})\n")
    write(
        shop, "jobs/nightly.py", "def close_sessions(store):\n    while store.sessions:\n        store.sessions.pop()\n"
    )
    commit(shop, "sessions")
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * TAX + 0.0"))
    text = "are expired sessions closed at night"
    assert "close_sessions" in symbols(packed(shop, text=text), "related")
    for options in ({}, {"text": text, "related": 0}, {"text": text, "edges": ["calls"]}):
        assert "close_sessions" not in symbols(packed(shop, **options), "related"), options


def test_two_revisions_are_compared_in_the_lines_of_now(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("0.1 if", "0.2 if"))
    second = commit(shop, "second")
    write(shop, "shop/prices.py", "# A line more.\n# And another.\n" + PRICES.replace("0.1 if", "0.2 if"))
    answer = packed(shop, f"{second}~1..{second}")
    assert symbols(answer, "primary") == ["discount_of, gross, rounded"]
    assert answer.data.items[0].changed == ((15, 15),)
    assert (answer.data.diff.base, answer.data.diff.head) == (f"{second}~1", second)
    since = packed(shop, f"{second}~1")
    shown = [range(item.start_line, item.end_line + 1) for item in since.data.items if item.role == "primary"]
    assert all(any(line in lines for lines in shown) for line in (1, 14))


def test_three_dots_start_at_the_fork(shop: Path) -> None:
    git(shop, "switch", "-q", "-c", "topic")
    write(shop, "shop/cart.py", CART.replace("self.total()", "self.total() * 1"))
    commit(shop, "topic")
    git(shop, "switch", "-q", "main")
    write(shop, "shop/notes.md", "# Other\n")
    commit(shop, "main goes on")
    assert [file.path for file in changes(shop, "main...topic").files] == ["shop/cart.py"]
    assert [file.path for file in changes(shop, "main..topic").files] == ["shop/cart.py", "shop/notes.md"]


def test_a_folder_below_the_top_is_a_root(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "TAX * net"))
    write(shop, "tests/test_prices.py", TEST.replace("100", "200"))
    answer = packed(shop / "shop")
    assert [(item.file, item.symbol) for item in answer.data.items if item.role == "primary"] == [
        ("prices.py", "gross")
    ]


def test_code_that_the_reader_has_is_left_out_of_a_change_too(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "TAX * net"))
    write(shop, "shop/cart.py", CART.replace("self.total()", "self.total() * 1"))
    assert set(symbols(packed(shop), "primary")) == {ALL_PRICES, "Cart"}
    assert symbols(packed(shop, have=["shop/cart.py"]), "primary") == [ALL_PRICES]


def test_conflicts_links_and_odd_names_are_taken_as_they_are(shop: Path, packed: Any, conforms: Any) -> None:
    git(shop, "switch", "-q", "-c", "topic")
    write(shop, "shop/prices.py", PRICES.replace("* TAX", "* TAX * 1"))
    commit(shop, "topic")
    git(shop, "switch", "-q", "main")
    write(shop, "shop/prices.py", PRICES.replace("* TAX", "* TAX * 2"))
    commit(shop, "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(shop, "merge", "topic")
    (shop / "shop/cart.py").unlink()
    (shop / "shop/cart.py").symlink_to("prices.py")
    write(shop, "shop/two\nlines.py", "def odd():\n    return 1\n")
    (shop / "shop").joinpath(b"no-unicode-\xff.py".decode(errors="surrogateescape")).write_text("x = 1\n")
    answer = packed(shop, explain=True)
    files = {item.file for item in answer.data.items if item.role == "primary"}
    assert {"shop/prices.py", "shop/two\nlines.py"} <= files
    assert any("not indexed" in hint.text and "shop/cart.py" in hint.text for hint in answer.hints)
    assert any("Conflicts that are not resolved: shop/prices.py." in hint.text for hint in answer.hints)
    conforms(as_data(answer.data), "context_pack")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("folder", ["", "shop"])
@pytest.mark.parametrize("diff", ["HEAD", "HEAD..HEAD", "HEAD~1..HEAD"])
def test_a_tracked_file_that_became_a_pipe_hides_no_other_change(
    shop: Path, packed: Any, folder: str, diff: str
) -> None:
    for name in ("shop/:(top)pipe.py", "shop/pipe.py", "shop/other.py"):
        write(shop, name, "x = 1\n")
    commit(shop, "more")
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * TAX + 0.0"))
    if diff.startswith("HEAD~1"):
        git(shop, "commit", "-qam", "a price")
    for name in ("shop/:(top)pipe.py", "shop/pipe.py"):
        (shop / name).unlink()
        os.mkfifo(shop / name)
    answer = packed(shop / folder, diff=diff)
    assert [item.file for item in answer.data.items if item.role == "primary"] == (
        [] if diff == "HEAD..HEAD" else ["prices.py" if folder else "shop/prices.py"]
    )
    told = [hint.text for hint in answer.hints if hint.text.startswith("Changed, but not indexed")]
    prefix = "" if folder else "shop/"
    assert told == ([] if diff != "HEAD" else [
        f"Changed, but not indexed (empty, binary, ignored or too large): {prefix}:(top)pipe.py, {prefix}pipe.py."
    ])  # fmt: skip


def test_filters_hold_for_changes(shop: Path, packed: Any) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "TAX * net"))
    write(shop, "shop/notes.md", "# Prices\n\nA price is net.\n")
    assert {item.file for item in packed(shop, no_docs=True).data.items if item.role == "primary"} == {"shop/prices.py"}
    assert {item.file for item in packed(shop, include="*.md").data.items} == {"shop/notes.md"}
    nothing = packed(shop, language="rust")
    assert nothing.data.items == () and "passes the filters" in nothing.hints[-1].text


def test_nothing_changed_is_an_empty_pack_that_says_so(shop: Path, packed: Any) -> None:
    answer = packed(shop)
    assert answer.data.items == ()
    assert [hint.text for hint in answer.hints if "Nothing" in hint.text] == ["Nothing changed since HEAD."]


def test_changes_to_files_that_are_not_indexed_are_reported(shop: Path, packed: Any) -> None:
    (shop / "picture.bin").write_bytes(b"\0\1\2" * 100)
    answer = packed(shop)
    assert "not indexed" in answer.hints[-1].text and "picture.bin" in answer.hints[-1].text


@pytest.mark.parametrize(
    "diff", ["no-such-rev", "main..no-such-rev", "no-such-rev..main", "--output=x", "a b", "HEAD:shop", "main..a..b"]
)
def test_an_unknown_revision_is_one_clear_error(shop: Path, diff: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        changes(shop, diff)
    assert refusal.value.details["field"] == "diff"
    assert refusal.value.message.startswith("diff ")
    assert not (shop / "x").exists()


def test_outside_a_repository_and_before_the_first_commit(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    write(root, "a.py", "x = 1\n")
    write(root, "b.py", "y = 1\n")
    with pytest.raises(InvalidRequest, match="not in a git repository"):
        changes(root, "HEAD")
    git(root, "init", "-q")
    git(root, "add", "a.py")
    assert [file.path for file in changes(root, "HEAD").files] == ["a.py", "b.py"], "nothing is committed yet"
    assert [file.path for file in changes(root, "HEAD", staged=True).files] == ["a.py"]
    with pytest.raises(InvalidRequest, match="HEAD~1 is not a commit") as raised:
        changes(root, "HEAD~1")
    assert "git fetch --unshallow" in raised.value.hint, "CI clones only the last commit"
    with pytest.raises(InvalidRequest, match="is not a git revision") as raised:
        changes(root, "how is it built?")
    assert raised.value.hint == "a question comes before --diff"
    with pytest.raises(InvalidRequest, match="is not a git revision") as raised:
        delta(root, "how is it built?")
    assert "--diff" not in raised.value.hint, "base is no option but a part of a request"


def test_the_staged_changes_of_a_commit_with_an_index_of_its_own(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    shutil.copytree(shop, other)
    write(shop, "shop/prices.py", "x = 1\n")
    monkeypatch.setenv("GIT_INDEX_FILE", str(shop / ".git" / "index.lock"))  # as in the hooks of `git commit -a`
    subprocess.run(["git", "-C", shop, "add", "-A"], check=True)
    assert [file.path for file in changes(shop, "HEAD", staged=True).files] == ["shop/prices.py"]
    assert [file.path for file in changes(shop / "shop", "HEAD", staged=True).files] == ["prices.py"]
    assert not changes(other, "HEAD", staged=True).files, "a hook may ask another repository"
    monkeypatch.delenv("GIT_INDEX_FILE")
    assert not changes(shop, "HEAD", staged=True).files
    git(shop, "worktree", "add", "-q", str(tmp_path / "linked"))
    write(tmp_path / "linked", "shop/prices.py", "x = 2\n")
    monkeypatch.setenv("GIT_INDEX_FILE", str(shop / ".git" / "worktrees" / "linked" / "index.lock"))
    subprocess.run(["git", "-C", tmp_path / "linked", "add", "-A"], check=True)
    assert [file.path for file in changes(tmp_path / "linked", "HEAD", staged=True).files] == ["shop/prices.py"]
    assert not changes(shop, "HEAD", staged=True).files


@pytest.mark.parametrize("form", ["linked", "relative", "submodule"])
def test_an_index_of_a_commit_by_any_path_of_its_repository(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    top = home = tmp_path / "top"
    if form == "linked":  # the shell's working folder is a link: git names the index by that path
        top.symlink_to(shop)
        top, home = shop, top / ".git"
    elif form == "relative":  # worktree.useRelativePaths
        git(shop, "worktree", "add", "-q", str(top))
        home = shop / ".git" / "worktrees" / "top"
        (home / "gitdir").write_text(f"{os.path.relpath(top / '.git', home)}\n")
        (top / ".git").write_text(f"gitdir: {os.path.relpath(home, top)}\n")
    else:
        top = shop / "part"
        git(shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(shop), "part")
        home = shop / ".git" / "modules" / "part"
    write(top, "shop/prices.py", "x = 1\n")
    monkeypatch.setenv("GIT_INDEX_FILE", str(home / "index.lock"))
    subprocess.run(["git", "-C", top, "add", "-A"], check=True)
    assert [file.path for file in changes(top, "HEAD", staged=True).files] == ["shop/prices.py"]


def test_a_repository_of_another_user_is_reported_with_the_advice_of_git(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "programs" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    with pytest.raises(InvalidRequest, match="dubious ownership") as refusal:
        changes(shop, "HEAD")
    assert refusal.value.hint == f"if you trust it: git config --global --add safe.directory '{shop}'"


@pytest.mark.parametrize("form", ["json", "md", "text", "xml", "toon"])
def test_the_command_line_packs_a_change_within_the_budget(
    shop: Path, tmp_path: Path, form: str, conforms: Any
) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * TAX + 0.0"))
    asked = ("--repo", shop, "--index-dir", tmp_path / "index", "--max-chars", 900, "--format", form)
    run = ctxpack("query", "--diff", *asked, CTXPACK_NO_BACKGROUND="1")
    assert run.code == 0
    if form == "json":
        conforms(run.data, "context_pack")
        assert run.data["diff"]["files"] == 1 and run.data["items"][0]["changed"] == [[5, 5]]
        return
    assert b"net * TAX + 0.0" in run.out and len(run.out) <= 900
    if form in ("md", "text"):
        assert b"changes since HEAD" in run.out and b"changed lines 5" in run.out


def test_a_batch_packs_a_change(shop: Path, tmp_path: Path) -> None:
    write(shop, "shop/prices.py", PRICES.replace("net * TAX", "net * TAX + 0.0"))
    requests = [{"action": "query", "args": {"diff": "HEAD"}}, {"action": "query", "args": {"diff": "nowhere"}}]
    stdin = "".join(f"{json.dumps(request)}\n" for request in requests).encode()
    run = ctxpack("batch", "--repo", shop, "--index-dir", tmp_path / "index", stdin=stdin, CTXPACK_NO_BACKGROUND="1")
    good, bad = map(json.loads, run.out.splitlines())
    assert good["data"]["items"][0]["symbol"] == ALL_PRICES
    assert bad["error"]["details"]["field"] == "diff"


def test_the_command_line_needs_a_text_or_a_change(shop: Path) -> None:
    run = ctxpack("query", "--repo", shop)
    assert (run.code, run.error["details"]["field"]) == (2, "text")
    assert "--diff" in run.error["message"]
    run = ctxpack("query", "--diff", "nowhere", "--repo", shop, CTXPACK_NO_BACKGROUND="1")
    assert (run.code, run.error["code"], run.error["details"]["field"]) == (1, "invalid_request", "diff")


def test_lines_beside_a_removed_field_have_not_changed_and_what_reads_it_may_be_cut(shop: Path, packed: Any) -> None:
    record = "class Record:\n    first_rate: int = 1\n    late_rate: int = 2\n    other_rate: int = 3\n"
    write(shop, "shop/record.py", record)
    write(shop, "shop/late.py", "def late(record):\n    return record.late_rate\n")
    write(shop, "shop/beside.py", "def beside(record):\n    return record.first_rate + record.other_rate\n")
    commit(shop, "records")
    write(shop, "shop/record.py", record.replace("    late_rate: int = 2\n", ""))
    scores = {item.file: item.score for item in packed(shop).data.items if item.role == "primary"}
    assert [*scores] == ["shop/record.py", "shop/late.py"]
    assert scores["shop/record.py"] == 1 and scores["shop/late.py"] < 0.5, "only what changed is named"

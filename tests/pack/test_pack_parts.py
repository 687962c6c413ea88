"""A symbol too long for one chunk: its parts belong together, and a pack with room shows it whole."""

from pathlib import Path

import pytest

from context_pack.session import Session
from tests.clock import within

STEPS = "\n".join(f'    journal.append("step {number}: nothing of note happened here at all")' for number in range(40))
LONG = f'''def reconcile_ledger(journal):
    """Bring the ledger of the harbour office in line with its journal."""
{STEPS}
    return settle_harbour_dues(journal)
'''
OTHER = "def unrelated(value):\n    return value + 1\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "ledger.py").write_text(OTHER + "\n\n" + LONG + "\n\n" + OTHER.replace("unrelated", "last"))
    (root / "other.py").write_text(OTHER)
    return Session.open(root, {"index_dir": tmp_path / "index"})


def test_the_parts_of_a_long_symbol_are_known_and_end_with_it(session: Session) -> None:
    rows = {row.number: row for row in map(session.corpus.chunk, range(session.corpus.chunks))}
    long = [number for number, row in rows.items() if row.symbol == "reconcile_ledger"]
    assert len(long) > 2, "the function is too long for one chunk"
    assert all(session.corpus.parts(number) == long for number in long)
    assert all(session.corpus.parts(number) == [number] for number in rows if number not in long)


def test_a_pack_with_room_shows_the_whole_symbol_of_a_part(session: Session) -> None:
    question = "bring the ledger of the harbour office in line with its journal"
    for fit in ("cut", "whole"):
        pack = session.query(question, related=0, limit=1, max_chars=20_000, fit=fit).data
        (item,) = pack.items
        assert (item.symbol, item.elided, pack.budget.truncated) == ("reconcile_ledger", (), False)
        assert item.content == LONG.rstrip("\n"), "all parts stand in one item"


def test_a_small_pack_shows_the_part_that_was_found_and_marks_what_is_left_out(session: Session) -> None:
    pack = session.query("settle_harbour_dues journal", related=0, limit=1, max_chars=1500).data
    (item,) = pack.items
    assert (item.symbol, pack.budget.truncated) == ("reconcile_ledger", True)
    assert "settle_harbour_dues(journal)" in item.content and "left out" in item.content


def test_a_later_part_of_a_class_is_shown_without_its_first_line(tmp_path: Path) -> None:
    fields = "".join(
        f'    field_{at} = Text(\n        help="nothing of note, number {at}",\n    )\n\n' for at in range(60)
    )
    rule = f"class Rule(Model):\n    class Kind(Choices):\n        ANY = 1\n\n{fields}    dues_due_on = Date()\n"
    (tmp_path / "rule.py").write_text(rule)
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    item = session.query("dues_due_on", related=0, limit=1, max_chars=1000).data.items[0]
    assert "dues_due_on = Date()" in item.content and "field_0 =" not in item.content


def test_a_long_run_of_blank_lines_is_marked_where_the_rest_is_shown_whole(tmp_path: Path) -> None:
    """The outputs of a notebook are blank lines between its cells."""
    (tmp_path / "ledger.py").write_text("# the harbour dues\ndues = 1\n" + "\n" * 9 + "# paid\n\n\nprint(dues)\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    (item,) = session.query("the harbour dues", related=0, max_chars=1000).data.items
    assert item.content == "# the harbour dues\ndues = 1\n# ... lines 3-11 left out\n# paid\n\n\nprint(dues)"
    assert item.elided == ((3, 11),)


def test_a_piece_of_a_long_line_that_is_cut_further_says_that_there_is_more(tmp_path: Path) -> None:
    """The line consists of several chunks, so a piece of it is marked however large the budget is."""
    (tmp_path / "dues.txt").write_text("the harbour dues " * 2_000)
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    packs = [session.query("the harbour dues", limit=1, related=0, max_chars=size).data for size in (700, 20_000)]
    assert [pack.budget.truncated for pack in packs] == [True, False]
    assert [item.elided for pack in packs for item in pack.items] == [((1, 1),), ((1, 1),)]


def test_what_is_tied_to_a_line_of_millions_of_letters_takes_no_time(tmp_path: Path) -> None:
    (tmp_path / "built.js").write_text(f'var text = "{"x" * 4_000_000}"\n')
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    assert session.corpus.chunks > 3_000
    with within(10):
        (place,) = session.related("built.js:1").data.of
        assert (place.start_line, place.end_line) == (1, 1)


def test_a_pack_that_grows_never_costs_more_than_its_budget(tmp_path: Path) -> None:
    """A larger item may undo a merge and lose what merging saved; the pack must still stay within any budget."""
    names = "request response client stream auth timeout cookie header proxy transport".split()
    lines = [
        "class AsyncClient:",
        '    """Sends requests.',
        *(f"    * {name} of the client" for name in names),
        '    """',
    ]
    for place, name in enumerate(names):
        lines += [
            "",
            f"    async def {name}(self, {', '.join(names)}) -> Response:",
            f'        """Send a {name} request."""',
        ]
        lines += [f"        {name}_{step} = self.{names[step % 10]}({step})" for step in range((place * 37) % 60 + 3)]
    (tmp_path / "client.py").write_text("\n".join(lines) + "\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    for query in ("AsyncClient", "proxy auth", "stream request with a timeout"):
        for max_chars in range(2_500, 22_000, 71):
            budget = session.query(query, max_chars=max_chars).data.budget
            assert budget.used_chars <= max_chars, (query, max_chars)


def test_of_a_long_configuration_the_parts_that_answer_are_items_of_their_own(tmp_path: Path) -> None:
    def service(name: str) -> str:
        rules = "".join(f"      - when: {name}-{number} is asked for by anybody\n" for number in range(16))
        return f"{name}:\n  image: registry/{name}\n  rules:\n{rules}"

    names = [f"service{letter}" for letter in "abcdefghijklmnopqrst"]
    (tmp_path / "values.yaml").write_text("".join(map(service, ["mailer", *names, "ledger"])))
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    pack = session.query("which image do mailer and ledger use", related=0, max_chars=4_000).data
    shown = [item for item in pack.items if "registry/mailer" in item.content or "registry/ledger" in item.content]
    assert [item.elided for item in shown] == [(), ()]
    assert all(item.end_line - item.start_line < 40 for item in shown)


def test_copies_do_not_take_the_places_of_others(tmp_path: Path) -> None:
    """Nearly equal code counts as one place; the rest of the pack goes to what comes after the copies."""
    copy = (
        "def account_name(values):\n    # the name of the harbour account to use\n    if values.account.create:\n"
        "        return values.account.name or full_name(values, '{0}')\n    return values.account.name or 'harbour'\n"
    )
    root = tmp_path / "tree"
    root.mkdir()
    for number in range(30):
        (root / f"chart_{number}.py").write_text(copy.format(f"chart-{number}"))
    (root / "server.py").write_text(
        "class Server:\n    def name(self):\n        # of the account that a server of the harbour uses\n"
        "        return self.harbour\n"
    )
    session = Session.open(root, {"index_dir": tmp_path / "index"})
    pack = session.query("where is the name of the harbour account decided", max_chars=8_000).data
    assert "server.py" in {item.file for item in pack.items}
    assert sum(item.file.startswith("chart_") for item in pack.items) == 1


@pytest.mark.parametrize("fit", ["cut", "whole"])
def test_each_item_has_its_own_id_and_whole_ones_are_not_cut(tmp_path: Path, fit: str) -> None:
    inner = "\n".join(f'        journal.append("berth {number}: a ship of the harbour")' for number in range(40))
    nested = f"    def berth_ships(harbour):\n{inner}\n        return harbour\n"
    body, last = LONG.rsplit("\n", 2)[0], "    return settle_harbour_dues(journal)\n"
    (tmp_path / "ledger.py").write_text(f"{body}\n{nested}{STEPS}\n{last}")
    label = " ".join(f"'ship {number} of the harbour'," for number in range(900))
    (tmp_path / "ships.py").write_text(f"A = 1\nSHIPS = [{label}]\nB = 1\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / ".index"})
    for query in ("berth_ships", "ships of the harbour and its ledger journal", "where is the ship of the harbour"):
        items = session.query(query, max_chars=1_000_000, fit=fit).data.items
        assert len({item.id for item in items}) == len(items)
        hits = session.search(query).data.hits
        assert len({hit.id for hit in hits}) == len(hits)
        assert fit == "cut" or not any(item.elided for item in items)


def test_a_place_on_a_long_line_shows_all_of_it(tmp_path: Path) -> None:
    line = "SHIPS = [" + " ".join(f"'ship {number}'," for number in range(900)) + "]"
    (tmp_path / "ships.py").write_text(f"A = 1\n{line}\nB = 1\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / ".index"})
    item = session.query("ships.py:2", max_chars=20_000).data.items[0]
    assert line in item.content and not item.elided
    (item,) = session.query("ships.py:2", max_chars=4_000).data.items
    assert item.elided and len(item.content) > 3_500


def test_the_definition_of_a_name_with_dashes_comes_before_the_lines_that_contain_it(tmp_path: Path) -> None:
    body = "".join(f"{{{{- $part{number} := default .Values.part{number} .Values.name }}}}\n" for number in range(12))
    users = "".join(f'{{{{- define "shop-stack.user{at}" }}}}\n{{{{ include "shop-stack.fullname" . }}}}\n' + body
                    + "{{- end }}\n\n" for at in range(4))  # fmt: skip
    defined = f'{{{{- define "shop-stack.fullname" }}}}\n{body}{{{{- end }}}}\n\n'
    (tmp_path / "_helpers.tpl").write_text(defined + users)
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    assert session.query("shop-stack.fullname", max_chars=3_000).data.items[0].start_line == 1


def test_a_cut_item_shows_its_signature_below_long_documentation(tmp_path: Path) -> None:
    doc = "".join(f"/// A Relay passes on what it is given, as rule {at} of the harbour says.\n" for at in range(90))
    (tmp_path / "relay.rs").write_text(f"{doc}pub struct Relay {{\n    ropes: usize,\n}}\n")
    (tmp_path / "port.rs").write_text("/// The rules of the harbour.\npub fn rules() -> usize {\n    7\n}\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    items = session.query("what the harbour says a relay passes on", related=0, max_chars=2000).data.items
    (item,) = [one for one in items if one.file == "relay.rs"]
    assert "pub struct Relay {" in item.content and "left out" in item.content


def test_a_long_definition_leaves_room_for_another_of_the_same_name(tmp_path: Path) -> None:
    long = "".join(f"\n    # Part {part}\n{STEPS}\n" for part in range(6))
    (tmp_path / "office.py").write_text(f"def settle(journal):{long}")
    short = "\n".join(f"    dues.pay({number})" for number in range(30))
    (tmp_path / "pier.py").write_text(f"def settle(dues):\n{short}\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    office, pier = session.query("settle", max_chars=6_000).data.items[:2]
    assert (office.file, pier.file, pier.elided) == ("office.py", "pier.py", ())
    assert office.elided and len(office.content) > 3_500


def test_copies_of_a_definition_divide_nothing(tmp_path: Path) -> None:
    long = "".join(f"\n    # Part {part}\n{STEPS}\n" for part in range(3))
    for name in ("office", "pier"):
        (tmp_path / f"{name}.py").write_text(f"def settle(journal):{long}")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    first = session.query("settle", max_chars=len(long) + 600).data.items[0]
    assert (first.symbol, first.elided) == ("settle", ())


def test_a_copy_of_a_definition_is_named_below_it(tmp_path: Path) -> None:
    """Whether the question is the name or contains it; not for a definition of the name that says something else."""
    for name in ("office", "pier"):
        (tmp_path / f"{name}.py").write_text(f"def settle_dues(journal):\n{STEPS}\n")
    (tmp_path / "ship.py").write_text("def settle_dues(ship):\n    return ship.dues()\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    for question in ("settle_dues", "where does settle_dues add what a berth costs"):
        items = session.query(question, max_chars=6_000).data.items
        named = [item for item in items if item.symbol == "settle_dues"]
        files = [[item.file, *(one.partition(":")[0] for one in item.alike)] for item in named]
        assert sorted(map(sorted, files)) == [["office.py", "pier.py"], ["ship.py"]]


def test_the_names_of_a_sentence_divide_the_budget_before_a_long_one_takes_the_rest(tmp_path: Path) -> None:
    (tmp_path / "ledger.py").write_text(LONG)
    (tmp_path / "dues.py").write_text("def settle_harbour_dues(journal):\n    return sum(journal)\n")
    (tmp_path / "berth.py").write_text("def find_free_berth(harbour):\n    return harbour.berths[0]\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    question = "refactor reconcile_ledger to use settle_harbour_dues instead of find_free_berth"
    pack = session.query(question, max_chars=3_000).data
    assert {"reconcile_ledger", "settle_harbour_dues", "find_free_berth"} <= {item.symbol for item in pack.items}


def test_the_rest_of_a_long_one_of_the_names_of_a_sentence_comes_before_other_code(tmp_path: Path) -> None:
    (tmp_path / "ledger.py").write_text(LONG)
    (tmp_path / "dues.py").write_text("def settle_harbour_dues(journal):\n    return sum(journal)\n")
    for number in range(20):
        steps = "".join(f"    value_{number} = ledger.pay(step={step}, dues={number})\n" for step in range(12))
        (tmp_path / f"use_{number}.py").write_text(f"def refactor_{number}_ledger(ledger):\n{steps}")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    question = "refactor reconcile_ledger to pay the dues of settle_harbour_dues"
    pack = session.query(question, max_chars=len(LONG) + 800).data
    assert {(item.symbol, item.elided) for item in pack.items[:2]} == {
        ("reconcile_ledger", ()), ("settle_harbour_dues", ()),
    }  # fmt: skip


def test_a_file_that_contains_a_name_on_lines_far_apart_is_shown(tmp_path: Path) -> None:
    net = "    coalesce(cart_lines.net_{0}, 0) as net_of_line_{0},\n    tax_{0},\n    owner_{0},\n"
    (tmp_path / "parts.sql").write_text(f"select\n{''.join(map(net.format, range(9)))}    total\nfrom totals\n")
    (tmp_path / "totals.sql").write_text("-- the primary key, and its tests\nselect id, tests\nfrom cart_lines\n")
    keys = (f"- name: key_{number}\n  description: tests of the primary key\n" for number in range(120))
    (tmp_path / "keys.yml").write_text("".join(keys))
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    pack = session.query("Add the primary key tests to cart_lines", max_chars=3_000).data
    assert [item.file for item in pack.items[:2]] == ["totals.sql", "parts.sql"]


@pytest.mark.parametrize(("places", "count"), [(3, 2), (4, 0)])
def test_of_an_ambiguous_name_in_a_sentence_the_first_definitions_come_first(
    places: int, count: int, tmp_path: Path
) -> None:
    for number in range(places):
        (tmp_path / f"form_{number}.py").write_text(f"class PasswordInput:\n    minimum = {number}\n")
    (tmp_path / "berth.py").write_text("def find_free_berth(harbour):\n    return harbour.berths[0]\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    hits = session.search("PasswordInput and find_free_berth", explain=True).data.hits
    named = [hit.symbol for hit in hits if hit.why[0].name == "exact.named"]
    assert named == [*["PasswordInput"] * count, "find_free_berth"]


def test_a_property_that_is_open_in_one_line_is_shown(tmp_path: Path) -> None:
    steps = "".join(f"        record(step: {number}, of: journal, by: clerk)\n" for number in range(40))
    methods = "".join(f"    func settle{number}() {{\n{steps}    }}\n\n" for number in range(3))
    harbour = f"open class Harbour {{\n{methods}    open var freeBerths: [Berth] {{ berths }}\n\n{methods}}}\n"
    (tmp_path / "Harbour.swift").write_text(harbour)
    (tmp_path / "Berth.swift").write_text("public struct HarbourBerth {\n    let length: Int\n}\n")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    pack = session.query("difference between HarbourBerth and freeBerths", related=0, max_chars=700).data
    assert "open var freeBerths" in "".join(item.content for item in pack.items)


def test_a_long_definition_leaves_room_for_the_tests_that_words_find(tmp_path: Path) -> None:
    (tmp_path / "ledger.py").write_text(LONG)
    (tmp_path / "test_ledger.py").write_text(
        "def test_a_ledger_reconciles():\n    assert run('reconcile ledger') == 0\n"
    )
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    answer = session.query("tests for reconcile_ledger", max_chars=len(LONG) + 200)
    assert "this is a text search" in answer.hints[1].text
    assert [item.file for item in answer.data.items] == ["ledger.py", "test_ledger.py"]


@pytest.mark.parametrize("max_chars", [600, 1_000, 1_500, 2_500])
def test_the_type_of_an_error_is_shown_before_long_code_that_uses_the_member(max_chars: int, tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text(
        "class Cart:\n" + "".join(f"    def count_{number}(self):\n        return {number}\n\n" for number in range(30))
    )
    steps = "".join(f"    step_{step} = cart.total() + {step}\n" for step in range(40))
    for number in range(3):
        (tmp_path / f"use_{number}.py").write_text(f"def check_out_{number}(cart):\n{steps}")
    session = Session.open(tmp_path, {"index_dir": tmp_path / "index"})
    pack = session.query("AttributeError: 'Cart' object has no attribute 'total'", max_chars=max_chars).data
    assert pack.items[0].symbol == "Cart"
    uses = ["cart.total()" in item.content for item in pack.items[1:]]
    assert any(uses) or max_chars < 1_000

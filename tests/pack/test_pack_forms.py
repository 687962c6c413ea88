"""The forms of items: outlines, excerpts, signatures, merged neighbours, and their order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from memory_index import MemoryIndex, rows

from context_pack.options.resolve import Layer
from context_pack.session import Session
from contracts.records import Item, Pack
from index.types import Tie

METHODS = 14
STORE = (
    '"""A store."""\n\nfrom kinds import Base\n\n\n'
    'class Store(Base):\n    """Keeps values by name."""\n\n    limit = 10\n\n'
    + "\n".join(
        f"    def method_{n}(self, value, other):\n"
        + "".join(f"        step_{n}_{k} = value + other * {k}\n" for k in range(12))
        + f"        return step_{n}_1\n"
        for n in range(METHODS)
    )
)
KINDS = "class Base:\n    def name(self):\n        return 'base'\n"
USER = "from store import Store\n\n\ndef open_store(path):\n    return Store().method_3(path, 1)\n"
TEST = "from store import Store\n\n\ndef test_store():\n    assert Store().method_1(1, 2)\n"


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    root = tmp_path_factory.mktemp("tree")
    for name, text in {"store.py": STORE, "kinds.py": KINDS, "user.py": USER, "test_store.py": TEST}.items():
        (root / name).write_text(text)
    return Session.open(root, {"model": "embedded", "index_dir": tmp_path_factory.mktemp("home")})


def assert_resolves(item: Item, root: Path) -> None:
    """The item's lines are those of the file, with exactly one mark for each range that is left out."""
    lines = (root / item.file).read_text().split("\n")
    code = item.content.removeprefix("\n".join(item.imports)).removeprefix("\n\n" if item.imports else "").split("\n")
    expected, line = [], item.start_line
    elided = dict(item.elided)
    while line <= item.end_line:
        expected.append(None if line in elided else lines[line - 1])
        line = elided.get(line, line) + 1
    assert len(code) == len(expected)
    assert all(
        " left out" in shown if text is None else shown == text for shown, text in zip(code, expected, strict=True)
    )


def pack(session: Session, query: str, **options: object) -> Pack:
    found = session.query(query, **options).data
    for item in found.items:
        assert_resolves(item, session.corpus.root)
    return found


def test_a_class_header_shows_the_signatures_of_its_members(session: Session) -> None:
    item = pack(session, "Store", max_chars=2600, related=0, limit=1).items[0]
    assert (item.symbol, item.type) == ("Store", "class")
    assert [f"def method_{n}(self, value, other):" in item.content for n in range(METHODS)] == [True] * METHODS
    assert "step_0_5" not in item.content and item.elided


def test_a_sentence_that_names_a_class_is_answered_by_members_below_its_header(tmp_path: Path) -> None:
    (tmp_path / "store.py").write_text(STORE.replace("class Store", "class ValueStore"))
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    first = pack(session, "Let method_7 of ValueStore return other.", max_chars=2000, related=0).items[0]
    assert first.content.startswith("class ValueStore") and "return step_7_1" in first.content
    alone = pack(session, "ValueStore", max_chars=2000, related=0).items[0]
    assert all(f"def method_{n}(self" in alone.content for n in range(METHODS))


def test_imports_that_are_shown_in_a_group_are_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "set.go").write_text(
        'package cli\n\nimport (\n\t"fmt"\n\t"example.com/util/words"\n)\n\nvar Set = words.Of(fmt.Sprint(1))\n'
    )
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    (item,) = pack(session, "set.go", max_chars=2000).items
    assert item.content.count("example.com/util/words") == 1 and not item.imports


def test_an_import_whose_path_the_code_only_mentions_is_shown(tmp_path: Path) -> None:
    statement = "import { Cart } from './cart'"
    padding = "".join(f"function step{at}(page) {{\n  return page.turn({at})\n}}\n\n" for at in range(60))
    code = "export function mocked_cart() {\n  mock('./cart', { price: 1 })\n  return new Cart()\n}\n"
    (tmp_path / "mocks.js").write_text(f"{statement}\n\n{padding}{code}")
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    item = pack(session, "mocked_cart", max_chars=2000, limit=1, related=0).items[0]
    assert item.content.startswith(statement)


def test_a_file_of_nothing_but_imports_says_where_to_read_on(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "sockets.py").write_text("from gale.sockets import Socket as Socket\n")
    (tmp_path / "web" / "routes.py").write_text(
        "from gale.sockets import Socket\n\n\ndef socket_route(path):\n    return Socket(path)\n"
    )
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    items = pack(session, "the sockets of the web", max_chars=2000, related=0).items
    assert {(item.file, item.start_line) for item in items} == {("web/sockets.py", 1), ("web/routes.py", 4)}


def test_a_function_that_a_sentence_names_shows_its_body_around_what_it_defines(tmp_path: Path) -> None:
    steps = "\n".join(f"        step_{number}({number}, 'a line of the nested function')" for number in range(60))
    text = (
        f"def retry_all(jobs):\n    def one_job(job):\n{steps}\n\n    retry = budget(jobs)\n    return one_job, retry\n"
    )
    (tmp_path / "jobs.py").write_text(text + "\n\ndef other():\n    return retry_budget\n")
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    item = pack(session, "Let retry_all count the budget of jobs first.", max_chars=2500, related=0).items[0]
    assert "retry_all" in item.symbol and len(item.content) > 1_000
    assert "    retry = budget(jobs)" in item.content


def test_a_type_that_a_request_extends_and_its_example_are_more_than_their_heads(tmp_path: Path) -> None:
    members = "".join(
        f"    def step_{number}(self, job, retries):\n        return {number}\n\n" for number in range(20)
    )
    (tmp_path / "base.py").write_text(f"class ImportJob:\n{members}")
    for name in ("Films", "Books"):
        (tmp_path / f"{name.lower()}.py").write_text(
            f"from base import ImportJob\n\n\nclass {name}(ImportJob):\n{members}"
        )
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    base, example, *_ = pack(session, "add an import job for books", max_chars=8_000, related=0).items
    assert (base.file, example.file) == ("base.py", "books.py")
    assert all("def step_19(self, job, retries):" in item.content for item in (base, example))


@pytest.mark.parametrize("refusal", ["refuse(401)", "raise Unauthorized"])
def test_a_long_handler_of_a_route_shows_the_line_that_the_sentence_asks_about(tmp_path: Path, refusal: str) -> None:
    steps = [f"    order_{number} = prepare(order_id, {number})" for number in range(120)]
    steps[70:72] = ["    if not may_pay(order_id):", f"        {refusal}"]
    head = "@app.post('/api/orders/<int:order_id>/pay')\ndef pay_order(order_id):\n"
    (tmp_path / "orders.py").write_text(head + "\n".join(steps) + "\n")
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    item = pack(session, "why does POST /api/orders/7/pay return 401", max_chars=1000, related=0).items[0]
    assert "/pay" in item.content and f"may_pay(order_id):\n        {refusal}" in item.content


def test_the_branch_that_answers_is_shown_of_a_function_too_long_for_its_share(tmp_path: Path) -> None:
    branches = [
        f'    if message.kind == "kind_{number}":\n        state = advance_{number}(state, message.size, {number})\n'
        for number in range(260)
    ]
    branches[130] = (
        '    if message.kind == "diagnostics":\n'
        "        for diagnostic in message.diagnostics:  # a server published diagnostics for a document\n"
        "            document = documents.opened(diagnostic.document)\n"
        "            document.diagnostics.replace(diagnostic, published=True)\n"
    )
    (tmp_path / "messages.py").write_text("def dispatch(message, state, documents):\n" + "".join(branches))
    (tmp_path / "server.py").write_text(
        'def publish_diagnostics(server, document):\n    """Publish the diagnostics of a document."""\n'
        "    server.send(Notification('diagnostics', document.diagnostics))\n"
    )
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    found = pack(session, "what happens to a document when the server published diagnostics for it", max_chars=4000)
    item = next(item for item in found.items if item.symbol == "dispatch")
    assert "document.diagnostics.replace(diagnostic, published=True)" in item.content
    assert item.elided and len(item.content) < 3_500
    found = pack(session, found.query, max_chars=20_000)
    item = next(item for item in found.items if item.symbol == "dispatch")
    assert 5_000 < len(item.content) < 6_000, "its share, however weak its evidence: a quarter of the budget"


def test_an_excerpt_shows_the_lines_that_open_the_blocks_around_its_part(tmp_path: Path) -> None:
    steps = "".join(f"            total_{number} = weigh(order, {number})\n" for number in range(120))
    refund = "            if order.refund_requested:\n                ledger.refund(order.payment, order.amount)\n"
    head = "def settle(orders, ledger):\n    for order in orders:\n        with ledger.opened(order):\n"
    (tmp_path / "ledger.py").write_text(head + steps + refund + steps)
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    for most in (1_200, 2_400):  # by lines, by parts
        item = pack(session, "When is the payment of an order refunded by the ledger?", max_chars=most).items[0]
        assert item.content.startswith(head + "            # ... lines 4-") and refund in item.content


def test_a_bracket_on_a_line_of_its_own_opens_what_the_line_above_it_says(tmp_path: Path) -> None:
    steps = "".join(f"            total[{number}] = Weigh(order, {number});\n" for number in range(120))
    loop = "        foreach (var order in orders)\n        {\n"
    code = f"class Ledger\n{{\n    void Settle(Order[] orders)\n    {{\n{loop}{steps}        }}\n    }}\n}}\n"
    (tmp_path / "Ledger.cs").write_text(code)
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    content = pack(session, "Ledger.cs:90", max_chars=1200).items[0].content
    assert "total[83]" in content and "        foreach (var order in orders)\n        // ... lines " in content


@pytest.mark.parametrize(
    ("file", "opened", "directive", "end"),
    [
        ("ledger.py", "def settle(order, ledger):\n    with ledger.opened(\n{few}    ) as book:\n", "# Steps.\n", "\n"),
        (
            "ledger.c",
            "void settle(struct order *order) {{\n    if (order->closed) {{\n{few}    }} else {{\n",
            "#endif\n",
            ";\n",
        ),
    ],
)
def test_neither_a_directive_nor_the_end_of_a_head_alone_opens_a_block(
    tmp_path: Path, file: str, opened: str, directive: str, end: str
) -> None:
    steps = "".join(f"        weigh(order, {number}){end}" for number in range(160))
    head = opened.format(few="".join(f"        weigh(order, {number}),\n" for number in range(12)))
    (tmp_path / file).write_text(head + steps + directive + steps + "    }\n}\n" * file.endswith("c"))
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    content = pack(session, f"{file}:260", max_chars=1200).items[0].content
    own = [line for line in head.splitlines() if "weigh" not in line]
    assert [line for line in content.splitlines() if line in own] == own and directive not in content


def test_beside_a_line_the_rest_of_its_file_is_the_class_around_it_not_the_namespace_alone(tmp_path: Path) -> None:
    steps = "".join(f"        total += Weigh(order, {n});\n" for n in range(40))
    methods = "".join(
        f"    public int Sum{n}(Order order)\n    {{\n{steps}        return total;\n    }}\n\n" for n in range(6)
    )
    head = "public class Sums : ISums\n{\n    private readonly IClock _clock;\n\n"
    (tmp_path / "Sums.cs").write_text(f"namespace Shop;\n\n{head}{methods}}}\n")
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    items = pack(session, "Sums.cs:20", max_chars=4_000).items
    assert any(head.strip() in item.content and "Weigh(order, 10)" in item.content for item in items)
    assert "namespace Shop;" not in [item.content.strip() for item in items]
    assert any("namespace Shop;" in item.content for item in pack(session, "Sums.cs", max_chars=20_000).items)


def test_a_key_in_several_parts_of_a_function_is_shown_in_each(tmp_path: Path) -> None:
    cases = [f'    elif name == "option-{n}":\n        self.option_{n} = value\n' for n in range(150)]
    cases[120] = '    elif name == "no-lock":\n        self.lock = None\n'
    doc = '    """Reads an option, such as "no-lock", from a line."""\n'
    (tmp_path / "reading.py").write_text(
        f"def read(self, name, value):\n{doc}    if not name:\n        return\n{''.join(cases)}"
    )
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    for most in (800, 1_600, 3_200):
        content = pack(session, "no-lock", max_chars=most).items[0].content
        assert doc in content and '    elif name == "no-lock":\n' in content


def test_a_key_in_a_line_longer_than_its_share_is_cut_and_leaves_room_for_the_rest(tmp_path: Path) -> None:
    (tmp_path / "locks.py").write_text("def lock(options):\n    return options['no-lock-file']\n")
    table = ", ".join(f'"option-{n}"' for n in range(60))
    (tmp_path / "names.py").write_text(f'NAMES = ["no-lock-file", {table}]\n')
    (tmp_path / "held.py").write_text("def is_held(file):\n    return file.lock is not None\n" * 3)
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    packed = pack(session, "no-lock-file", max_chars=1_500)
    assert {item.file for item in packed.items} == {"locks.py", "names.py", "held.py"}
    assert '"no-lock-file"' in next(item.content for item in packed.items if item.file == "names.py")


def test_a_member_shown_within_the_outline_of_its_class_is_an_item_called_after_the_class(session: Session) -> None:
    item = pack(session, "Store", max_chars=4000, limit=1, related=6).items[0]
    assert "step_0_5" in item.content and "def method_9(self, value, other):" in item.content
    assert "step_9_5" not in item.content
    assert (item.symbol, item.type) == ("Store", "class")


def test_an_excerpt_shrinks_with_the_budget(session: Session) -> None:
    sizes = [pack(session, "Store.method_3", max_chars=most, related=0, limit=1) for most in (700, 400, 250)]
    contents = [one.items[0].content for one in sizes]
    assert "return step_3_1" in contents[0] and not sizes[0].items[0].elided
    assert [len(content) for content in contents] == sorted(map(len, contents), reverse=True)
    assert contents[2].startswith("    def method_3(self, value, other):\n")
    assert [" left out" in content for content in contents] == [False, True, True]
    assert [one.budget.truncated for one in sizes] == [False, True, True]
    assert all(one.budget.used_chars <= most for one, most in zip(sizes, (700, 400, 250), strict=True))


def test_a_function_of_a_component_is_cut_with_the_marks_of_its_script(tmp_path: Path) -> None:
    steps = "".join(f"  const step{number} = resize({number}, width);\n" for number in range(40))
    component = (
        f"<template>\n  <p>{{{{ width }}}}</p>\n</template>\n<script>\nfunction draw(width) {{\n{steps}}}\n</script>\n"
    )
    (tmp_path / "Bar.vue").write_text(component)
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    item = pack(session, "draw", max_chars=900, related=0).items[0]
    marks = [line.strip() for line in item.content.splitlines() if " left out" in line]
    assert marks and all(mark.startswith("// ") for mark in marks)


def test_a_class_is_related_to_its_base_its_user_and_its_test(session: Session) -> None:
    found = pack(session, "Store", limit=1, related=6)
    tied = {item.symbol: item.relationship for item in found.items if item.role == "related"}
    assert tied["Base"] == ("extends",) and tied["test_store"] in (("called_by",), ("tested_by",))
    assert {"open_store"} <= set(tied)
    assert all(item.distance and item.distance <= 2 for item in found.items if item.role == "related")


def test_modes_edges_and_depth_say_what_is_related(session: Session) -> None:
    def tied(**options: object) -> set[tuple[str, ...]]:
        return {item.relationship for item in pack(session, "Store", limit=1, **options).items if item.relationship}

    assert tied(related_mode="none") == set()
    assert tied(edges="extends", depth=1) == {("extends",)}
    assert all(len(path) == 1 for path in tied(depth=1, related=9))
    assert max(map(len, tied(related_mode="explore", related=9))) >= max(map(len, tied(related=9)))
    assert tied(edges=["called_by"], depth=1, related=9) == {("called_by",)}


def test_the_reasons_of_a_related_item_add_up(session: Session) -> None:
    related = [item for item in pack(session, "Store", explain=True, limit=1).items if item.role == "related"]
    assert related
    for item in related:
        assert item.why[0].detail.startswith("from store.py:")
        assert sum(part.points for part in item.why if part.name != "merged") > 0


@pytest.mark.parametrize("name", ["md", "text", "xml"])
@pytest.mark.parametrize("max_chars", [1_500, 3_200, 8_000])
def test_reasons_keep_no_item_out(session: Session, name: str, max_chars: int) -> None:
    layered = Session(session.corpus, Layer({"format": name, "max_chars": max_chars}))
    question = "how does the store keep the values of each key"
    plain, explained = (layered.query(question, explain=on).data for on in (False, True))
    assert [item.id for item in explained.items] == [item.id for item in plain.items]
    assert explained.budget.used_chars <= max_chars
    reasons = [item.why for item in explained.items]
    assert any(reasons)
    assert all(why[-1].signal > 0 for why in reasons if why and why[-1].name == "more")
    whole = session.query(question, explain=True, max_chars=100_000).data
    sums = {
        (item.id, item.role): sum(part.points for part in item.why if part.name != "merged") for item in whole.items
    }
    for item in explained.items:
        if (item.id, item.role) in sums and item.why and not any(part.name == "merged" for part in item.why):
            assert sum(part.points for part in item.why) == pytest.approx(sums[item.id, item.role])


def test_the_line_of_a_frame_is_shown_with_its_surroundings(tmp_path: Path) -> None:
    steps = "\n".join(f"    step_{number} = {number} * 1_000" for number in range(60))
    inner = "    def inner():\n        return step_1\n"
    (tmp_path / "deep.py").write_text(f"def outer():\n{steps}\n{inner}    raise TypeError('no step')\n{steps}\n{inner}")
    (tmp_path / "weak.py").write_text(f"def other():\n{steps}\n    raise ValueError('no step was taken')\n")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    trace = 'Traceback (most recent call last):\n  File "deep.py", line 64, in outer\nTypeError: no step'
    for most in (700, 1_500, 2_500):
        item = tree.query(trace, max_chars=most).data.items[0]
        elided = {line for start, end in item.elided for line in range(start, end + 1)}
        assert item.file == "deep.py" and not elided & set(range(62, 67)), item.content


def test_a_place_at_a_small_budget_is_the_lines_asked_for(session: Session) -> None:
    for asked in ("30-36", "36-44"):
        first = pack(session, f"store.py:{asked}", max_chars=450).items[0]
        elided = {line for start, end in first.elided for line in range(start, end + 1)}
        assert first.symbol == "Store.method_1" and not elided & set(range(int(asked[:2]), min(39, int(asked[3:]))))
    items = pack(session, "store.py:36", max_chars=1_000).items
    assert items[0].symbol == "Store.method_1", "a class is no name for one of its methods"
    assert all("class Store" in item.content for item in items if item.symbol == "Store")


def test_a_piece_of_a_long_line_says_so(tmp_path: Path) -> None:
    line = ";".join(f"var a{number}=function(){{return needle({number})}}" for number in range(200))
    (tmp_path / "huge.js").write_text(line + "\n")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    for query, most in (
        ("needle", 20_000),
        ("needle", 2_500),
        ("huge.js", 20_000),
        ("huge.js", 900),
        ("huge.js:1", 700),
    ):
        found = tree.query(query, max_chars=most, related=0).data
        shown = "".join(item.content for item in found.items)
        if len(shown) < len(line):
            assert all(item.elided == ((1, 1),) for item in found.items), (query, most)
            assert re.search(r"/\* \.\.\. (start|rest) of line 1 left out \*/", shown)
        code = re.sub(r" ?/\*.*?\*/ ?", "", found.items[0].content)
        assert code in line and found.budget.used_chars <= most


def test_slightly_larger_limits_are_tried(session: Session) -> None:
    answer = session.query("Store method", explain=True, max_chars=900)
    hint = next(hint.text for hint in answer.hints if hint.text.startswith("+"))
    extra, _, rest = hint.removeprefix("+").partition(" characters would add ")
    wanted = rest.split(" ")[0]
    file, start, end = wanted.rsplit(":", 2)
    roomy = session.query("Store method", max_chars=900 + int(extra)).data
    assert any(i.file == file and i.start_line <= int(start) and int(end) <= i.end_line for i in roomy.items)


def test_definitions_come_before_their_users_where_scores_are_near_and_never_before_the_best() -> None:
    chunks = [(f"f{n}.py", 1, "function", None, f"needle {'x' * 50}", ()) for n in range(3)]
    helpers = [(f"g{n}.py", 1, "function", f"g{n}", "y" * 60, ()) for n in range(3)]
    ties = [Tie(0, 3, ("called_by",), 1, 0.9), Tie(0, 4, ("uses",), 1, 0.85), Tie(0, 5, ("uses",), 1, 0.2)]
    uses = [Tie(3, 4, ("calls",), 1, 1.0), Tie(3, 5, ("calls",), 1, 1.0), Tie(0, 1, ("calls",), 1, 0.01)]
    found = Session(MemoryIndex(rows(*chunks, *helpers), [*ties, *uses])).query("needle").data
    assert [item.file for item in found.items] == ["f0.py", "f1.py", "f2.py", "g1.py", "g0.py", "g2.py"]


def test_a_related_section_is_never_its_heading_alone(tmp_path: Path) -> None:
    prose = "\n".join(f"The {word} of it all is told at some length in this line." for word in "abcdefghijkl")
    (tmp_path / "store.py").write_text(STORE)
    (tmp_path / "kinds.py").write_text(KINDS)
    (tmp_path / "guide.md").write_text(f"# Guide\n\nWelcome.\n\n## Keeping\n\nA `Store` keeps values.\n{prose}\n")
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    shown = []
    for most in range(600, 6000, 100):
        items = pack(tree, "Store", max_chars=most, limit=1, related=6).items
        shown += [item.content.split("\n") for item in items if item.file == "guide.md"]
    assert shown, "the section is never related, so that nothing is tested"
    assert all(any(line.strip() and line[0] not in "#." for line in lines) for lines in shown)


def test_a_container_that_is_reopened_takes_no_place_unless_nothing_says_more_of_its_name(tmp_path: Path) -> None:
    for name in ("alpha", "beta", "gamma"):
        text = f"using System;\n\nnamespace Shop.Parts;\n\npublic class {name.title()}\n{{\n    public int Price;\n}}\n"
        (tmp_path / f"{name}.cs").write_text(text)
    parts = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    by_words = pack(parts, "where is the price of shop parts")
    assert by_words.items
    assert all("class" in item.content for item in by_words.items if item.role == "primary")
    assert by_words.budget.left_out is not None
    assert by_words.budget.left_out.bare >= 1
    assert ["namespace" in item.content for item in pack(parts, "Shop.Parts").items].count(True) == 1


def test_a_related_class_is_not_its_opening_line_under_a_summary_of_one_sentence(tmp_path: Path) -> None:
    def code(summary: str) -> str:
        lines = "".join(
            f"    public int Rate{n}(Order order)\n    {{\n        return {n};\n    }}\n\n" for n in range(60)
        )
        return f"/// <summary>\n{summary}/// </summary>\npublic class Rates\n{{\n{lines}}}\n"

    user = "public class Invoice\n{\n    public int Sum(Rates rates, Order order) => rates.Rate7(order);\n}\n"
    for name, summary in (
        ("one", "/// Rates.\n"),
        ("more", "/// Rates of a day,\n/// in the currency\n/// of the order.\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Rates.cs").write_text(code(summary))
        (tmp_path / name / "Invoice.cs").write_text(user)
        session = Session.open(tmp_path / name, {"model": "embedded", "index_dir": tmp_path / f"{name}-home"})
        items = pack(session, "Invoice.Sum", limit=1, related=5).items
        assert ("Rates" in [item.symbol for item in items if item.role == "related"]) is (name == "more")


def test_a_long_function_that_builds_a_message_takes_half_of_the_budget(tmp_path: Path) -> None:
    arms = [f'        {number} => write!(f, "kind {number} of failure"),\n' for number in range(160)]
    arms[80] = '        80 => write!(f, "the shell {shell} could not be started"),\n'
    body = f"    match error {{\n{''.join(arms)}    }}\n"
    (tmp_path / "error.rs").write_text(f"fn text(error: u8, f: &mut Formatter) -> Result {{\n{body}}}\n")
    (tmp_path / "shell.rs").write_text("/// The shell is started.\nfn start(shell: &str) -> u8 {\n    80\n}\n")
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    items = pack(session, "the shell `zsh` could not be started", max_chars=2500).items
    assert [item.symbol for item in items] == ["text", "start"] and "{shell} could not" in items[0].content


def test_of_a_type_with_a_field_that_a_question_names_the_lines_around_it_are_shown(tmp_path: Path) -> None:
    fields = "".join(f"    /// How many of kind {n} there are.\n    pub count_of_kind_{n}: usize,\n" for n in range(90))
    (tmp_path / "shop.rs").write_text(f"pub struct Shop {{\n{fields}    pub pane_frames: bool,\n}}\n")
    for n in range(12):
        body = f"    // The layout {n} overrides it.\n" * 20
        use = f"pub fn layout_{n}(shop: &Shop) -> bool {{\n{body}    shop.pane_frames\n}}\n"
        (tmp_path / f"layout{n}.rs").write_text(use)
    tree = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / ".index"})
    first, *others = tree.query("why is pane_frames ignored when a layout overrides it", max_chars=6000).data.items
    assert (first.symbol, first.end_line) == ("Shop", 183) and len(first.content) < 1000
    assert "pub pane_frames: bool" in first.content and len(others) > 2


def test_a_flag_among_words_shows_part_of_the_long_code_that_parses_it_and_the_code_that_reads_it(
    tmp_path: Path,
) -> None:
    steps = "".join(f"    if (!strcmp(argv[{n}], step_{n}(argv, {n}))) return {n};\n" for n in range(200))
    parse = 'if (!strcmp(argv[0], "--bigkeys")) {\n        config.find_keys = 1;\n    }\n'
    (tmp_path / "cli.c").write_text(
        f"int parse(int n, char **argv) {{\n{steps}    {parse}{steps}    return n;\n}}\n\n"
        "int all(void) {\n    return config.find_keys && scan();\n}\n"
    )
    session = Session.open(tmp_path, {"model": "embedded", "index_dir": tmp_path / "home"})
    for query in ("shop --bigkeys", "what does --bigkeys do", "add a flag like --bigkeys"):
        contents = [item.content for item in session.query(query, max_chars=4_000).data.items]
        assert '"--bigkeys"' in contents[0]
        assert any("config.find_keys && scan()" in content for content in contents)

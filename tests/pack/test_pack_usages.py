"""What code does with a name: `where is CartError raised`, `who sets max_items`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from context_pack import api
from context_pack.kinds.code.question_forms import USAGES, relation_in
from context_pack.kinds.code.ties import usages
from context_pack.kinds.code.ties.usages import usage_patterns, uses
from contracts.rows import rows
from tests.clock import within

WITHOUT_QUESTION = ("called", "extended", "filled")  # usages that no form of a question asks for
FILES = {
    "shop/errors.py": "class CartError(Exception):\n    pass\n\n\n__all__ = ['CartError']\n",
    "shop/cart.py": "from shop.errors import CartError\n\n\nclass ShoppingCart:\n    def __init__(self, max_items=3):\n"
    "        self.max_items = max_items\n        self.items = []\n\n    def add(self, item):\n"
    "        if len(self.items) >= self.max_items:\n            raise CartError(item)\n"
    "        self.items.append(item)\n",
    "shop/checkout.py": "from shop.cart import ShoppingCart\nfrom shop.errors import CartError\n\n\n"
    "def check_out(items):\n    cart = ShoppingCart()\n    try:\n        cart.add(items)\n"
    "    except (ValueError, CartError):\n"
    "        return None\n    return cart\n\n\ndef grow(cart: ShoppingCart) -> ShoppingCart:\n    cart.max_items += 1\n"
    "    return cart\n",
    "shop/shelf.py": "class Shelf:\n    def __init__(self):\n        self.max_items = 9\n\n\n"
    "def limit(shelf):\n    if shelf.max_items == 9:\n        raise LookupError(shelf)\n    return shelf.max_items\n",
    "shop/tasks.py": "from queue_lib import job\n\n\n@job\ndef restock():\n    return 1\n\n\n@job(retries=3)\n"
    "def count():\n    return job\n",
    "shop/signals.py": "class Signals:\n    cart_full = Signal()\n\n\n"
    "def report(signals):\n    signals.cart_full.send(1)\n\n\n"
    "def watch(signals):\n    signals.cart_full.connect(print)\n",
    "tests/test_cart.py": "from shop.cart import ShoppingCart\n\n\n"
    "def test_full():\n    assert ShoppingCart().max_items == 3\n",
    "notes.md": "# Cart\n\n`raise CartError(item)` where the cart is full, `except CartError` at the checkout.\n",
}


@pytest.mark.parametrize(
    ("question", "first", "users"),
    [
        ("where is CartError raised", "CartError", ["ShoppingCart"]),
        ("who throws a CartError", "CartError", ["ShoppingCart"]),
        ("places where the class CartError is caught", "CartError", ["check_out"]),
        ("where do we handle CartError?", "CartError", ["check_out"]),
        ("where is a ShoppingCart created", "ShoppingCart", ["check_out", "test_full"]),
        ("who instantiates ShoppingCart", "ShoppingCart", ["check_out", "test_full"]),
        ("functions that return ShoppingCart", "ShoppingCart", ["grow"]),
        ("please find the functions that return ShoppingCart", "ShoppingCart", ["grow"]),
        ("functions taking a ShoppingCart as argument", "ShoppingCart", ["grow"]),
        ("who sets ShoppingCart.max_items", "ShoppingCart", ["grow"]),
        ("where is LookupError raised", "limit", []),
        ("where is ShoppingCart injected", "ShoppingCart", ["grow"]),
        ("what is decorated with @job", "restock", ["count"]),
        ("who emits the cart_full signal", "Signals", ["report"]),
        ("who listens to cart_full events?", "Signals", ["watch"]),
    ],
)
def test_the_code_that_uses_a_name_so(tree: Path, question: str, first: str, users: list[str]) -> None:
    answer = api.open(tree).query(question, include=["shop/*", "tests/*"], max_chars=8000)
    names = [name for item in answer.data.items for name in (item.symbol or item.file).split(", ")]
    assert names == [first, *users]
    assert not any("no such relation" in hint.text for hint in answer.hints)


def test_the_lines_are_shown_even_if_little_fits(tree: Path) -> None:
    steps = "".join(f"    step_{number} = items[{number}]\n" for number in range(200))
    (tree / "shop/long.py").write_text(f"def unpack(items):\n{steps}    raise CartError(items)\n", encoding="utf-8")
    pack = api.query("where is CartError raised", repo=tree, max_chars=2000)
    assert "raise CartError(items)" in next(item.content for item in pack.items if item.symbol == "unpack")


def test_a_field_set_only_by_its_own_type_is_an_answer(tree: Path) -> None:
    (tree / "shop/till.py").write_text("class Till:\n    def __init__(self):\n        self.is_open = True\n")
    answer = api.open(tree).query("where is is_open set")
    assert "self.is_open = True" in answer.data.items[0].content
    assert answer.grade is not None and answer.grade.confidence == "strong"


def test_a_plain_word_behind_a_variable_is_no_event(tree: Path) -> None:
    (tree / "shop/till.py").write_text("def read(stream):\n    stream.on('data', print)\n")
    (tree / "shop/reply.py").write_text("def parse_reply(response):\n    return parse(response.data)\n")
    assert api.query("who handles response.data", repo=tree).items[0].file == "shop/reply.py"
    (tree / "shop/bell.py").write_text("class Bell:\n    pass\n\n\ndef hear(bell):\n    bell.on('rung', print)\n")
    assert "hear" in {item.symbol for item in api.query("who listens to Bell.rung", repo=tree).items}


def test_a_use_by_the_definition_itself_is_not_all_of_an_answer(tree: Path) -> None:
    (tree / "shop/bag.py").write_text("class Bag:\n    def same(self, other):\n        return isinstance(other, Bag)\n")
    (tree / "shop/pack.py").write_text("from shop.bag import Bag\n\n\ndef pack():\n    return Bag()\n")
    assert "pack" in {item.symbol for item in api.query("where is Bag handled", repo=tree).items}


def test_without_such_a_use_all_users_are_shown(tree: Path) -> None:
    pack = api.query("where is ShoppingCart caught", repo=tree)
    assert "check_out, grow" in {item.symbol for item in pack.items}


@pytest.mark.parametrize(
    ("usage", "text"),
    [
        ("returned", f"{'func ' * 50}{')' * 250}{'a' * 350}"),
        ("created", "\n" * 900),
        ("set", "\n" * 900),
        ("set", "def " * 220),
        ("set", "(Full " * 150),
        ("set", "{" + "\n" * 900),
        ("emitted", "send" * 220),
        ("emitted", "send(" * 180),
        ("handled", "on(a" * 220),
        ("handled", "on(" + "()" * 450),
        ("handled", "on(" + ":a" * 450),
        ("extended", "class " * 150),
        ("extended", "class a:" + ",\n" * 300),
        ("extended", "class a(" + "()" * 400),
        ("extended", "extends " + "<a>" * 300),
    ],
)
def test_text_that_only_looks_like_a_use_takes_no_time(usage: str, text: str) -> None:
    with within(0.5):
        for _, pattern in usage_patterns("Full", usage):
            for _ in range(40):  # of 500 chunks that are read
                assert not pattern.search(f"Full\n{text}")


def test_what_the_type_of_a_member_is_named_by_is_not_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        (tree / f"shop/use_{number}.py").write_text("from shop.cart import ShoppingCart\n\nCART = ShoppingCart()\n")
    corpus, numbers = api.open(tree).corpus, list[int]()
    chunk = corpus.chunk
    monkeypatch.setattr(corpus, "chunk", lambda number: numbers.append(number) or chunk(number))
    users = uses(corpus, "max_items", "set", {"ShoppingCart"})
    assert {chunk(number).file for number in users} == {"shop/cart.py", "shop/checkout.py"}
    assert len(numbers) < 10


def test_of_code_elsewhere_the_files_that_the_question_is_about_come_first(tree: Path) -> None:
    (tree / "docs/examples").mkdir(parents=True)
    (tree / "docs/examples/lookup.py").write_text("def example():\n    raise LookupError(1)\n")
    pack = api.query("where is LookupError raised", repo=tree)
    assert [item.symbol for item in pack.items][:2] == ["limit", "example"]


def test_a_variable_of_the_environment_that_a_script_sets_leads_to_its_readers(tree: Path) -> None:
    (tree / "run.sh").write_text("export SHOP_MAX_ITEMS=3\n./shop\n")
    (tree / "shop/env.py").write_text("import os\n\nLIMIT = os.environ['SHOP_MAX_ITEMS']\n")
    pack = api.query("where is SHOP_MAX_ITEMS set", repo=tree)
    assert {"run.sh", "shop/env.py"} <= {item.file for item in pack.items}


@pytest.mark.parametrize(
    ("usage", "file", "text", "lines"),
    [
        ("raised", "a.java", "if (full)\n  throw new Full(1);\nFull last = null;\n", [2]),
        ("raised", "a.js", "throw full;\nthrow new shop.Full(\n  'x')\nconst Full = 1\n", [2]),
        ("raised", "a.go", "var last Full\nreturn nil, &Full{1}\n", [2]),
        ("raised", "a.rs", "use shop::Full;\nErr(shop::Full { size })\n", [2]),
        ("raised", "a.cpp", "throw shop::Full(1);\n", [1]),
        ("caught", "a.java", "try { a(); }\ncatch (Full | Empty e) { throw new Full(); }\n", [2]),
        ("caught", "a.rb", "raise Full\nrescue Empty, Shop::Full => e\n", [2]),
        ("caught", "a.go", "if errors.Is(err, shop.Full) {\n", [1]),
        ("caught", "a.ts", "if (error instanceof Full) {\n", [1]),
        ("caught", "a.rs", "Full(size) => retry(),\nlet x = Full(1);\n", [1]),
        ("caught", "a.py", "except (\n    Empty,\n    Full,\n):\n    pass\n", [3]),
        ("handled", "a.cpp", "connect(a, &A::Full, [] {\n  emit Full();\n});\nconnect(a, SIGNAL(Full()), b)", [1, 4]),
        ("handled", "a.gd", "signal Full\nfunc _ready():\n\tFull.connect(close)\n\tFull.emit()\n", [3]),
        ("handled", "b.cs", "cart.Full += OnFull;\nFull?.Invoke(this, e);\n", [1]),
        ("handled", "b.java", "void onEvent(final Full event) {\n  bus.post(new Full());\n}\n", [1]),
        ("handled", "a.swift", ".onReceive(center.publisher(for: .Full)) { _ in load() }\nlet a = Full()\n", [1]),
        ("handled", "b.py", "@receiver(Full)\ndef load(a: Full):\n    pass\ndef handle(a: Full):\n    pass\n", [1, 4]),
        ("handled", "c.py", "try:\n    a()\nexcept Full:\n    raise\n", [3]),
        ("handled", "b.ts", "bus.on(Full, load)\nswitch (a) {\n  case Full:\n    bus.emit(Full)\n}\n", [1, 3]),
        ("handled", "a.vue", "<script>\n</script>\n<template>\n  <cart @Full=\"load\" />\n</template>\n", [4]),
        ("emitted", "a.cpp", "void Full();\nconnect(a, &Shop::Full, b);\nemit cart->Full(1);\n", [3]),
        ("emitted", "a.gd", "func a():\n\tFull.connect(a)\n\tFull.emit(1)\n\temit_signal(\"Full\")", [3, 4]),
        ("emitted", "b.cs", "event Action Full;\nFull += OnFull;\nFull?.Invoke(this);\n", [3]),
        ("raised", "b.cs", "event Action Full;\nFull?.Invoke(this);\n", [2]),
        ("emitted", "b.java", "void on(Full event) {}\nFull last;\nbus.post(\n  new Full(1));\n", [4]),
        ("emitted", "c.java", "void on(Full event) {}\nFull last = new Full(1);\nbus.post(last);\n", [2]),
        ("emitted", "a.js", "on('Full', load)\nthis.$emit('Full', 1)\ncommit('shop/Full')\n", [2, 3]),
        ("emitted", "a.swift", "static let Full = Name(1)\ncenter.post(name: .Full, object: nil)\n", [2]),
        ("created", "a.cs", "class Full { }\nvar full = new Full { Size = 1 };\nFull Next(Full it) => it;\n", [2]),
        ("created", "a.go", "type Full struct {\nfunc (f Full) S() Full {\nx := &shop.Full{1}\ny := Full{2}\n", [3, 4]),
        ("created", "a.rs", "impl Full {\nfn size(&self) -> Full {\nlet a = Full::with_size(1);\n", [3]),
        ("created", "a.kt", "class Small : Full(1)\nval a = Full(2)\n", [2]),
        ("created", "a.php", "$a = new \\Shop\\Full($b);\nfunction of(Full $a): Full {\n", [1]),
        ("created", "a.rb", "class Full < Base\na = Full.new(1)\n", [2]),
        ("created", "a.swift", "let a: Full = b\nlet c = Full(size: 1)\n", [2]),
        ("set", "a.py", "self.Full = 1\nif self.Full == 2 or self.Full >= 3:\n    print(self.Full)\n", [1]),
        ("set", "a.ts", "this.Full ??= 1\nif (this.Full === 1) return () => this.Full\nthis.Full++\n", [1, 3]),
        ("set", "a.rb", "@Full ||= 1\nputs @Full\n", [1]),
        ("set", "a.php", "$this->Full['a'] = 1;\necho $this->Full;\n", [1]),
        ("set", "a.rs", "let a = self.Full;\nself.Full.store(1, SeqCst);\n", [2]),
        ("set", "b.ts", "this.Full = 1\nset({ a, Full: b })\ntype A = {\n  Full: Size;\n  b: {Full: any}\n}\n", [1, 2]),
        ("set", "b.py", "self.Full = 1\nupdate(a, Full=2)\ndef of(a=f(1), Full=3):\n  return {'Full': a}\n", [1, 2, 4]),
        ("set", "b.rb", "@Full = 1\nupdate!(Full: 2)\nputs Full\n", [1, 2]),
        ("set", "b.php", "$this->Full = 1;\n$a->update(['Full' => 2]);\n", [1, 2]),
        ("set", "b.rs", "self.Full = 1;\nstruct A {\n    Full: usize,\n}\nA { Full: 2 };\n", [1, 5]),
        ("set", "a.go", "c := Config{\n\tFull: 1,\n}\n_ = c.Full\n", [2]),
        ("set", "b.go", "a.Full, err = load()\nlog(a.Full, b == c)\nif _, b.Full = of(); ok {\n", [1, 3]),
        ("extended", "a.java", "class A extends B<Full> {\n}\nclass C implements B<D>, Full {\n}\nFull last;\n", [3]),
        ("extended", "a.kt", "class A(val size: Full) : B()\nclass C(a: Int) : B<Int>(), Full\n", [2]),
        ("extended", "a.cpp", "class API A final : public B,\n  public Full {\n  Full next;\n};\n", [2]),
        ("extended", "a.py", "class A(B, shop.Full):\n    last: Full\n    def of(self, a: Full) -> B: ...\n", [1]),
        ("extended", "a.gd", "extends Full\n\nvar last: Full\n", [1]),
        ("extended", "a.rs", "impl<T> Full<T> for A {\n}\nimpl Full {\n}\n", [1]),
        ("extended", "a.rb", "class A < Shop::Full\n  Full.new\nend\n", [1]),
        ("extended", "a.m", "@interface A : Full\n@end\n", [1]),
        ("filled", "a.go", "c := Config{\n\tEmpty: 1,\n\tFull: 2,\n}\n_ = c.Full == 3\n", [3]),
        ("filled", "a.cs", "var c = new Config { Full = 1 };\nif (c.Full == 2) { Full(c); }\n", [1]),
        ("filled", "a.kt", "val c = Config(Full = 1)\nval d = c.Full\n", [1]),
        ("filled", "a.rs", "Config { Full: 1 }\nconfig::Full\n", [1]),
        ("called", "a.cs", "class A {\nvoid Full() { base.Full(); }\nint b() => c?.Full(1) + Full;\n}\n", [3]),
        ("called", "a.java", "int Full() {\n  return super.Full();\n}\na.b().Full( 1);\nmap(A::Full);\n", [4, 5]),
        ("called", "b.java", "class A {\n  int Full() { return 1; }\n  int b() {\n    return Full();\n  }\n}\n", [4]),
        ("called", "a.go", "func (a *A) Full() int {\n\treturn a.b.Full(1)\n}\n", [2]),
        ("registered", "a.cs", "services.AddSingleton<ICart, Full>();\nvar a = new Full();\n", [1]),
        ("registered", "a.py", "app.register(\n    Full,\n)\nfull = Full()\n", [2]),
        ("registered", "a.rs", "app.add_plugins(shop::Full)\nFull::new()\n", [1]),
        ("registered", "a.js", "app.use(Full)\nnew Full()\n", [1]),
        ("registered", "a.rb", "KINDS = [\n  Empty,\n  Full,\n]\nFull.new\n", [3]),
        ("registered", "a.xml", "<app>\n  <receiver name=\".cart.Full\" />\n  <Full />\n</app>\n", [2]),
        ("returned", "a.go", "func New(size int) (*Full, error) {\nfunc of(a Full) int {\n", [1]),
        ("returned", "b.go", "func (s *Shop) of(a Full) int {\nfunc (s *Shop) all(a int) (b []Full, c error) {\n", [2]),
        ("returned", "c.go", "func (s *Shop) Full() int {\nfunc (s *Shop) of(a int) shop.Full {\n", [2]),
        ("returned", "a.java", "  public static List<Full> all(int a) {\n  int of(Full a) {\n", [1]),
        ("returned", "a.ts", "function of(a: Full): number {\nfunction all(a: number): Promise<Full> {\n", [2]),
        ("taken", "a.go", "func New(size int) (*Full, error) {\nfunc (s *Shop) of(a int, b Full) int {\n", [2]),
        ("taken", "b.go", "func (s *Full) of(a int) int {\nf := func(a *Full) error {\nfunc(a int) (b Full) {\n", [2]),
        ("taken", "a.java", "  public Full all(int a) {\n  int of(final Full a, int b) {\n", [2]),
        ("imported", "a.ts", "import {\n  Empty,\n  Full,\n} from './shop'\nnew Full()\n", [3]),
        ("annotated", "a.java", "@Full(1)\nclass A {}\n", [1]),
        ("annotated", "a.rs", "#[derive(Debug, Full)]\nstruct A;\n", [1]),
    ],
)  # fmt: skip
def test_how_each_language_uses_a_name(tree: Path, usage: str, file: str, text: str, lines: list[int]) -> None:
    (tree / file).write_text(text)
    corpus = api.open(tree).corpus
    assert [line for own in uses(corpus, "Full", usage).values() for line, _ in own] == lines


@pytest.mark.parametrize(("usage", "rank", "example", "pattern"), [*rows(usages.__file__, "usages.tsv")])
def test_a_form_of_a_usage_matches_its_example(usage: str, rank: str, example: str, pattern: str) -> None:
    pattern = usages.regex_of(pattern, "Cart")
    match = re.search(pattern, example.replace("\\n", "\n"), re.MULTILINE)
    assert match
    assert match.lastindex or pattern in {usages.regex_of(part, "Cart") for part in ("HEAD", "SIGNATURE")}


@pytest.mark.parametrize(
    "question",
    [
        "where is CartBox rendered",
        "what renders CartBox",
        "which page shows the CartBox",
        "who opens CartBox?",
        "who navigates to the CartBox",
        "where is CartBox launched",
    ],
)
def test_what_shows_a_component_uses_it(tree: Path, question: str) -> None:
    assert relation_in(api.open(tree).corpus, question) == ("CartBox", "users")


@pytest.mark.parametrize("question", ["which classes extend JobRunner", "subclasses of JobRunner", "extends JobRunner"])
def test_subtypes_of_a_type_from_elsewhere(tree: Path, question: str) -> None:
    (tree / "shop/runners.py").write_text(
        "from queue_lib import JobRunner\n\n\nclass Restock(JobRunner):\n    pass\n\n\n"
        "def run(job: JobRunner):\n    job.run()\n"
    )
    answer = api.open(tree).query(question)
    assert [item.symbol for item in answer.data.items] == ["Restock"]
    assert answer.grade is not None and answer.grade.confidence == "strong"


def test_subtypes_in_a_language_without_a_graph(tmp_path: Path) -> None:
    (tmp_path / "cart.gd").write_text("class_name CartBase\nextends Node\n\nfunc total():\n\treturn 0\n")
    (tmp_path / "big.gd").write_text("extends CartBase\n\nfunc total():\n\treturn 9\n")
    (tmp_path / "shop.gd").write_text("extends Node\n\nfunc of(cart: CartBase):\n\treturn cart.total()\n")
    answer = api.open(tmp_path).query("subclasses of CartBase")
    assert [item.file for item in answer.data.items] == ["cart.gd", "big.gd"]
    assert not any("text search" in hint.text for hint in answer.hints)


def test_what_questions_ask_for_has_forms() -> None:
    forms = rows(usages.__file__, "usages.tsv")
    assert {usage for own, *_ in forms for usage in own.split()} == {*USAGES, *WITHOUT_QUESTION}


@pytest.mark.parametrize("question", ["where is cart->count set", "who changes shop.cart->count to 0"])
def test_a_field_behind_a_variable_means_what_sets_it_there(tmp_path: Path, question: str) -> None:
    """Another structure has a field of the name, too."""
    (tmp_path / "cart.h").write_text("struct cart {\n\tint count;\n};\nstruct shelf {\n\tint count;\n};\n")
    (tmp_path / "cart.c").write_text(
        '#include "cart.h"\n\nvoid fill(struct shop shop, struct cart *cart) {\n\tcart->count = 3;\n'
        "\tshop.cart->count = 0;\n}\n"
    )
    (tmp_path / "shelf.c").write_text("void clear(struct shelf *shelf) {\n\tshelf->count = 0;\n}\n")
    items = api.query(question, repo=tmp_path, max_chars=8000).items
    assert "fill" in {item.symbol for item in items}
    assert "clear" not in {item.symbol for item in items}


def test_what_creates_an_object_with_a_value_sets_the_field(tmp_path: Path) -> None:
    """Only where its type is created: another type has such a field, too."""
    (tmp_path / "cart.go").write_text("package shop\n\ntype Cart struct {\n\tMaxItems int\n}\n")
    (tmp_path / "grow.go").write_text("package shop\n\nfunc Grow(c *Cart) {\n\tc.MaxItems = 9\n}\n")
    (tmp_path / "new.go").write_text(
        "package shop\n\nfunc New() *Cart {\n\treturn &Cart{\n\t\tMaxItems: 3,\n\t}\n}\n\n"
        "func NewShelf() *Shelf {\n\treturn &Shelf{\n\t\tMaxItems: 4,\n\t}\n}\n"
    )
    (tmp_path / "shelf.go").write_text("package shop\n\ntype Shelf struct {\n\tMaxItems int\n}\n")
    shown = {item.symbol for item in api.query("who sets Cart.MaxItems", repo=tmp_path, max_chars=8000).items}
    assert shown == {"Cart", "Grow", "New"}


@pytest.mark.parametrize("filler", ["\n", "a.", "a::"])
def test_no_text_takes_long(tree: Path, filler: str) -> None:
    """Of 40 chunks with as many characters as a chunk may have."""
    text = f"function full(a) {{\n  Full\n{filler * (900 // len(filler))}\n  Full\n}}\n"
    for number in range(40):
        (tree / f"full_{number}.js").write_text(text)
    corpus = api.open(tree).corpus
    with within(2):
        for usage in (*USAGES, *WITHOUT_QUESTION):
            uses(corpus, "Full", usage)


@pytest.mark.parametrize("question", ["where is carts.json written", "where does carts.json come from"])
def test_the_name_of_a_file_that_code_quotes_is_no_member(question: str, tmp_path: Path) -> None:
    (tmp_path / "store.py").write_text('FILE = "carts.json"\n\n\ndef save(carts):\n    write(FILE, dump(carts))\n')
    (tmp_path / "answer.py").write_text("def load(answer):\n    answer.json = answer.read()\n    return answer\n")
    assert api.query(question, repo=tmp_path).items[0].file == "store.py"

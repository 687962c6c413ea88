"""A query for a name finds the line that defines it, and the intended definition before others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from index import Index, open_index
from index.types import EXACT_SCORE, Follow, Scored
from tests.index.conftest import WriteTree


class Names:
    """An index over a small tree, queried for names."""

    def __init__(self, root: Path, home: Path) -> None:
        self.root = root
        self.index: Index = open_index(root, home=home, model="embedded")

    def first(self, query: str) -> tuple[str, str]:
        """(file, first line that the best hit is about)."""
        hit = self.index.search(query)[0]
        assert hit.score == 1.0 and hit.lines, query
        return self.index.chunk(hit.chunk).file, self.text(hit)

    def text(self, hit: Scored) -> str:
        row = self.index.chunk(hit.chunk)
        first, _ = hit.lines[0]
        assert row.start_line <= first <= row.end_line
        return (self.root / row.file).read_text().split("\n")[first - 1].strip()

    def order(self, query: str) -> list[str]:
        """The files of the definitions, best first."""
        hits = [hit for hit in self.index.search(query) if hit.score >= 0.5 and hit.lines]
        return [self.index.chunk(hit.chunk).file for hit in hits]


Make = Callable[[dict[str, str]], Names]


@pytest.fixture
def names(write_tree: WriteTree, tmp_path: Path) -> Make:
    def make(files: dict[str, str]) -> Names:
        return Names(write_tree(files), tmp_path / "home")

    return make


DOCUMENTED = "".join(f"/// Line {number} of what is to be said about how a relay passes on.\n" for number in range(60))


def test_a_definition_under_a_comment_longer_than_a_chunk(names: Make) -> None:
    asked = names({"src/relay.rs": f"{DOCUMENTED}pub trait Relay {{\n    fn pass(&self);\n}}\n"})
    assert asked.first("Relay") == ("src/relay.rs", "pub trait Relay {")


def test_the_rest_of_a_class_behind_a_method_is_not_the_rest_of_the_method(names: Make) -> None:
    table = "".join(f"    ROW_{number} = 'row {number} of a table behind the method'\n" for number in range(50))
    asked = names({"suite.py": f"class Suite:\n    def decode(self):\n        return 2\n\n{table}"})
    exact = [asked.index.chunk(hit.chunk).symbol for hit in asked.index.search("decode") if hit.score >= 0.5]
    assert exact == ["Suite.decode"]


LIBRARY = {
    "shop/cart.py": "class Cart:\n    def total(self):\n        return 1\n\n\nclass Basket(Cart):\n    pass\n",
    "shop/bag.py": "class Bag:\n    def total(self):\n        return 2\n",
}


@pytest.mark.parametrize(
    "query",
    ["Cart.total", "Cart::total", "Cart#total", "Cart.total()", "shop/cart.total", "shop.cart.Cart.total", "cart.total",
     "Basket.total", "`Cart.total`", "Cart<T>.total"],
)  # fmt: skip
def test_a_qualified_name_in_any_spelling(names: Make, query: str) -> None:
    asked = names(LIBRARY)
    assert asked.first(query) == ("shop/cart.py", "def total(self):")
    assert asked.order(query) == ["shop/cart.py"]


def test_a_name_with_its_whole_package_is_not_that_of_a_package_with_more_parts(names: Make) -> None:
    shop = names(
        {
            "java/shop/web/Page.java": "package shop.web;\n\npublic class Page {\n    void show() {}\n}\n",
            "scala/shop/api/web/Page.scala": "package shop.api.web\n\nclass Page {\n  def show() = 1\n}\n",
            "py/shop/cart.py": "class Page:\n    def show(self):\n        return 1\n",
            "py/shop/old/cart.py": "class Page:\n    def show(self):\n        return 2\n",
        }
    )
    for query, file in (
        ("shop.web.Page", "java/shop/web/Page.java"),
        ("shop.web.Page.show", "java/shop/web/Page.java"),
        ("shop.api.web.Page.show", "scala/shop/api/web/Page.scala"),
        ("shop.cart.Page.show", "py/shop/cart.py"),
    ):
        assert {row.file for row in shop.index.defined(query)} == {file}, query


def test_a_member_of_a_table_that_a_function_makes_is_named_by_the_path_and_the_table(names: Make) -> None:
    files = {
        "shop/sdk/reply.lua": "local get_code = ngx.code\n\nlocal function new(self)\n  local _REPLY = {}\n\n"
        "  function _REPLY.get_code()\n    return 1\n  end\n\n  return _REPLY\nend\n",
        "shop/sdk/client.lua": "local function new(self)\n  local _CLIENT = {}\n\n  function _CLIENT.get_code()\n"
        "    return 2\n  end\n\n  return _CLIENT\nend\n",
    }
    assert names(files).first("shop.reply.get_code") == ("shop/sdk/reply.lua", "function _REPLY.get_code()")


def test_an_unknown_qualifier_is_not_ignored(names: Make) -> None:
    assert names(LIBRARY).order("numpy.total") == []


def test_locals_and_variables_of_terraform_are_named_as_code_refers_to_them(names: Make) -> None:
    asked = names(
        {
            "main.tf": 'locals {\n  role_name = "x"\n}\n\nresource "role" "role_name" {\n  name = local.role_name\n}\n',
            "variables.tf": 'variable "role_name" {\n  type = string\n}\n',
            "more/main.tf": 'locals {\n  role_name = "y"\n}\n\noutput "role_name" {\n  value = local.role_name\n}\n',
        }
    )
    assert asked.order("local.role_name")[:2] == ["main.tf", "more/main.tf"]
    assert asked.first("local.role_name")[1].startswith("role_name =")
    assert asked.first("var.role_name") == ("variables.tf", 'variable "role_name" {')


@pytest.mark.parametrize(
    ("files", "own", "other"),
    [
        (
            {"R/cart.R": "total <- function(x) {\n  x\n}\n", "DESCRIPTION": "Title: A\nPackage: shop\n"},
            "shop::total",
            "stats::total",
        ),
        (
            {"macros/a.sql": "{% macro total(x) %}\n{% endmacro %}\n", "dbt_project.yml": "name: 'shop'\n"},
            "shop.total",
            "dbt.total",
        ),
        (
            {"cart.go": "package shop\n\ntype Cart struct {\n\tItems int\n}\n", "go.mod": "module x.org/a/shop/v2\n"},
            "shop.Cart",
            "store.Cart",
        ),
        (
            {"cart.go": "package v8cart\n\ntype Cart struct {\n}\n", "go.mod": "module a.b/v8cart\n"},
            "v8cart.Cart",
            "b.Cart",
        ),
        (
            {"src/cart.rs": "pub struct Cart {\n    items: u8,\n}\n", "Cargo.toml": '[package]\nname = "my-shop"\n'},
            "my_shop::Cart",
            "my::Cart",
        ),
    ],
    ids=["R", "dbt", "Go", "Go without a version", "Rust"],
)
def test_a_name_may_be_qualified_with_the_project_of_a_manifest(
    names: Make, files: dict[str, str], own: str, other: str
) -> None:
    asked = names(files)
    assert asked.order(own) == [next(iter(files))]
    assert asked.order(other) == []


BODY = "    a = 1\n    b = 2\n    return a + b\n"
ORDERS = {
    "the file that is named after it": (
        "Relay",
        {"a/other.py": f"class Relay:\n    def run(self):\n    {BODY}", "z/relay.py": "class Relay:\n    pass\n"},
        ["z/relay.py", "a/other.py"],
    ),
    "the folder that is named after it": (
        "Relay",
        {"a/other.py": "class Relay:\n    pass\n", "relay/__init__.py": "class Relay:\n    pass\n"},
        ["relay/__init__.py", "a/other.py"],
    ),
    "what is exported": (
        "start",
        {"a.rs": "mod m {\n    fn start() -> u8 {\n        1\n    }\n}\n", "b.rs": "pub fn start() {}\n"},
        ["b.rs", "a.rs"],
    ),
    "types before methods": (
        "Relay",
        {"a.cs": "class Other {\n    void Relay() {\n    }\n}\n", "b.cs": "class Relay {\n}\n"},
        ["b.cs", "a.cs"],
    ),
    "a type before its associated namesakes": (
        "Output",
        {"a.rs": "impl Add for A {\n    type Output = u8;\n}\n", "b.rs": "pub struct Output {\n    a: u8,\n}\n"},
        ["b.rs", "a.rs"],
    ),
    "a type before its impl blocks": (
        "Relay",
        {"a.rs": "impl Relay {\n    pub fn go(&self) {}\n}\n", "b.rs": "struct Relay;\n"},
        ["b.rs", "a.rs"],
    ),
    "code before its declarations": (
        "start",
        {"a.d.ts": "export function start(a: string): void;\n", "b.js": "function start(a) {}\n"},
        ["b.js", "a.d.ts"],
    ),
    "code before tests and mocks": (
        "start",
        {
            "tests/test_a.py": f"def start():\n{BODY}",
            "b/mocks/m.py": f"def start():\n{BODY}",
            "src/z.py": "def start():\n    pass\n",
        },
        ["src/z.py", "b/mocks/m.py", "tests/test_a.py"],
    ),
    "code before what is generated": (
        "start",
        {"a_pb2.py": f"def start():\n{BODY}", "z.py": "def start():\n    pass\n"},
        ["z.py", "a_pb2.py"],
    ),
    "the largest body": (
        "start",
        {"a.py": "def start():\n    pass\n", "b.py": f"def start():\n{BODY}"},
        ["b.py", "a.py"],
    ),
    "the newest version of an API": (
        "start",
        {
            "api/v1/a.py": "def start():\n    pass\n",
            "api/v1beta1/a.py": f"def start():\n{BODY}",
            "api/v2/a.py": "def start():\n    pass\n",
            "api/v2alpha3/a.py": "def start():\n    pass\n",
            "api/v10/a.py": "def start():\n    pass\n",
            "other/v11/a.py": "def start():\n    pass\n",  # no version of the same file
        },
        ["api/v10/a.py", "api/v2/a.py", "api/v2alpha3/a.py", "api/v1/a.py", "api/v1beta1/a.py", "other/v11/a.py"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", ORDERS)
def test_the_definition_that_a_reader_means_comes_first(names: Make, rule: str) -> None:
    query, files, order = ORDERS[rule]
    assert names(files).order(query) == order


def test_a_rare_name_among_words_comes_first(names: Make) -> None:
    many = {f"m{number}.py": "def run_all():\n    return 1\n" for number in range(4)}
    asked = names({**many, "wrap.py": "class HelpFormatter:\n    def wrap(self):\n        return 1\n"})
    best = asked.index.search("why does HelpFormatter wrap so late")[0]
    assert (best.why[0].name, asked.text(best)) == ("exact.named", "class HelpFormatter:")
    assert all(hit.score < 0.5 for hit in asked.index.search("what does run_all do with the modules"))


def test_of_the_versions_of_an_api_a_name_among_words_means_the_newest(names: Make) -> None:
    versions = ("v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v2")
    files = {
        f"api/{version}/types.go": "package api\n\ntype CartSpec struct {\n\tSize int\n}\n" for version in versions
    }
    field = 'package form\n\ntype Field string\n\nconst (\n\tName Field = "name"\n\tSize Field = "size"\n)\n'
    asked = names({**files, "form/field.go": field})
    hits = asked.index.search("add a new field to CartSpec")
    exact = [asked.index.chunk(hit.chunk).file for hit in hits if hit.score >= EXACT_SCORE]
    assert exact == ["api/v2/types.go"]


def test_a_name_among_many_words_is_the_first_place_of_its_file_where_that_ranks(names: Make) -> None:
    files = {
        "pool.py": f"class ThreadPool:\n    size = 1\n\n    def grow(self):\n{BODY}",
        "server.py": f"class Server:\n    def restart_gracefully(self):\n        # stale workers\n{BODY}",
    }
    asked = names(files)
    query = "phased restart: Server must restart gracefully though ThreadPool holds stale workers"
    files_first = asked.index.search(query)
    shown = [(asked.index.chunk(hit.chunk).file, asked.index.chunk(hit.chunk).symbol) for hit in files_first]
    assert shown[0][0] == "server.py" and ("pool.py", "ThreadPool") in shown[:2]
    assert all(abs(sum(why.points for why in hit.why) - hit.points) < 1e-3 for hit in files_first)
    assert files_first[0].score < 0.5
    assert asked.index.search(query, order="pack")[0].score > 0.5  # a named symbol comes first in a pack


def test_overloads_are_one_hit(names: Make) -> None:
    asked = names({"A.java": "class A {\n    int add(int a) { return 1; }\n    int add(long a) { return 2; }\n}\n"})
    (best, *_) = asked.index.search("A.add")
    assert best.lines == ((2, 2), (3, 3))


def test_symbols_of_exactly_the_name_come_first_and_the_definition_before_others_of_its_name(names: Make) -> None:
    clones = "".join(f"def value_{number}(): ...\n" for number in range(30))
    files = {"a.py": clones, "b/tests/test_b.py": "class Value: ...\n", "c.py": "class Value:\n    x = 1\n"}
    index = names({**files, "d.py": "value = 2\n"}).index
    rows = index.symbols("Value", limit=5)
    assert [(row.file, row.name) for row in rows[:3]] == [
        ("c.py", "Value"), ("b/tests/test_b.py", "Value"), ("d.py", "value"),
    ]  # fmt: skip
    assert len(rows) == 5 and len(index.symbols("*Value", limit=99)) < len(index.symbols("Value", limit=99))


def test_a_variant_is_shown_with_its_users_not_with_the_rest_of_its_enum(names: Make) -> None:
    variants = "".join(f"    /// The reason number {n}, in a few words.\n    Reason{n},\n" for n in range(120))
    index = names(
        {
            "src/error.rs": f"pub enum Failure {{\n    NotThere,\n{variants}}}\n",
            "src/find.rs": "fn find() -> Result<u8, Failure> {\n    Err(Failure::NotThere)\n}\n",
        }
    )
    hits = [hit for hit in index.index.search("NotThere") if hit.score >= 0.5]
    assert [(index.index.chunk(hit.chunk).file, index.text(hit)) for hit in hits] == [
        ("src/error.rs", "NotThere,"),
        ("src/find.rs", "Err(Failure::NotThere)"),
    ]


def test_a_field_that_a_getter_also_names_is_a_line_with_its_users(names: Make) -> None:
    fields = "".join(
        f"    /** The option number {n}, in a few words. */\n    val option{n}: Int = {n}\n" for n in range(120)
    )
    index = names(
        {
            "src/Config.kt": f"interface Config {{\n    val keepReads: Boolean\n{fields}}}\n",
            "src/Builder.kt": (
                "class Builder {\n    private val reads = HashMap<String, Boolean>()\n\n"
                '    val keepReads: Boolean\n        get() {\n            return reads.getValue("keep")\n        }\n}\n'
            ),
            "src/Reader.kt": "fun close(config: Config) {\n    if (!config.keepReads) {\n        drop()\n    }\n}\n",
        }
    )
    hits = [hit for hit in index.index.search("keepReads") if hit.score >= 0.5]
    assert [(index.index.chunk(hit.chunk).file, hit.why[0].name, index.text(hit)) for hit in hits] == [
        ("src/Builder.kt", "exact.symbol", "val keepReads: Boolean"),
        ("src/Config.kt", "exact.key", "val keepReads: Boolean"),
        ("src/Reader.kt", "exact.key", "if (!config.keepReads) {"),
    ]


def test_the_prototype_of_a_method_that_code_calls_is_no_field(names: Make) -> None:
    files = {
        "wal.h": "class Wal {\n public:\n  void Write(int a);\n  int size;\n};\n",
        "wal.cpp": '#include "wal.h"\n\nvoid Wal::Write(int a) {\n  size = a;\n}\n',
        "log.cpp": "class Log {\n public:\n  void Write(int b) {\n    last = b;\n  }\n  int last;\n};\n",
        "note.cpp": "template <class T> void note(T &any) {\n  any.Write(2);\n}\n",
    }
    user = '#include "wal.h"\n\nvoid flush(Wal &wal) {\n  wal.Write(1);\n}\n'
    hits = [names({**files, **more}).index.search("Wal::Write") for more in ({}, {"flush.cpp": user})]
    reasons = [[hit.why[0].name for hit in own if hit.score >= 0.5] for own in hits]
    assert reasons == [["exact.symbol", "exact.key", "exact.key"], ["exact.symbol", "exact.key"]]


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("App\\Models\\Cart::save", "App.Models.Cart"),  # inherited from outside, and not `name`
        ("App\\Models\\Cart::adresses", "Cart.addresses"),
        ("App\\Nowhere\\Card::save", "safe"),
        ("App\\Nowhere\\Card::sumOfItems", "Order.sumOfItems"),  # its type was renamed, and it has two parts
        ("Cards.getByUsrname", "getByUsername"),  # and not `cardsGetByUsername`
        ("Store.payAll", "CartStore.payAll"),  # of several types, the one whose name contains that of the type
    ],
)
def test_a_member_that_its_type_does_not_define_means_another_one_or_the_type(
    names: Make, asked: str, nearest: str
) -> None:
    cart = "class Cart extends Model {\n    public function name() {}\n    public function addresses() {}\n}\n"
    files = {
        "app/Models/Cart.php": f"<?php\nnamespace App\\Models;\n{cart}",
        "other.php": "<?php\nfunction safe() {}\nfunction sumItems() {}\nfunction cardsGetByUsername() {}\n",
        "user.php": "<?php\nclass User {\n    function getByUsername() {}\n}\n",
        "order.php": "<?php\nclass Order {\n    function sumOfItems() {}\n}\n",
        "pay.php": "<?php\n"
        + "".join(f"class {one} {{\n    function payAll() {{}}\n}}\n" for one in ("Bill", "CartStore", "Debt")),
        "old/order.php": "<?php\nclass Order {\n    function sumOfItems() {}\n}\n",
    }
    near = [one.name for one in names(files).index.nearest(asked)]
    assert near[0] == nearest and len(near) == len(set(near))


@pytest.mark.parametrize(
    ("asked", "files"),
    [
        ("Query.join", ["select.ts"]),
        ("Query.paged", ["page.ts"]),  # by a type that extends the one between
        ("Query.limit", ["query.ts"]),
        ("Query.pay", []),  # of another type
    ],
)
def test_a_member_that_only_subtypes_define_is_theirs(names: Make, asked: str, files: list[str]) -> None:
    tree = {
        "query.ts": "export abstract class Query {\n  limit(count: number) {\n    return count\n  }\n}\n",
        "select.ts": 'import { Query } from "./query"\n\nexport class Select extends Query {\n'
        "  join(other: string) {\n    return other\n  }\n}\n",
        "page.ts": 'import { Select } from "./select"\n\nexport class Page extends Select {\n'
        "  paged(count: number) {\n    return count\n  }\n}\n",
        "cart.ts": "export class Cart {\n  join(other: string) {\n    return other\n  }\n\n"
        "  pay() {\n    return 1\n  }\n}\n",
    }
    assert [row.file for row in names(tree).index.defined(asked)] == files


def test_a_subtype_without_a_name_defines_no_function_of_another_file(names: Make) -> None:
    tree = {
        "query.rb": "class Query\n  def limit\n    1\n  end\nend\n",
        "made.rb": "made = Class.new\nclass Select < Query; end\nclass Page < Query; end\n",
        "join.rb": "def join(parts)\n  parts\nend\n",
    }
    assert names(tree).index.defined("Query.join") == []


def test_a_field_of_a_zig_file_is_found(names: Make) -> None:
    fields = "/// How often it is tried.\nretries: u8 = 3,\nvolume: u8 = 1,\n"
    assert names({"src/Config.zig": fields}).first("retries") == ("src/Config.zig", "retries: u8 = 3,")


def test_the_members_of_a_large_class_leave_room_for_its_users(names: Make) -> None:
    methods = "".join(
        f"    def cart_{n}(self, item):\n        return self.items[{n}] + item.cart\n\n" for n in range(60)
    )
    user = "from cart import Cart\n\n\ndef checkout(order):\n    basket = Cart()\n    return basket.cart_1(order)\n"
    index = names({"cart.py": f"class Cart:\n    items = []\n\n{methods}", "shop.py": user}).index
    (row,) = index.defined("Cart")
    ties = index.related([row.chunk], "Cart", Follow(10, 1, together=True, alike=True))
    assert "shop.py" in {index.chunk(tie.chunk).file for tie in ties}


def test_headings_are_listed_after_code_and_imports_after_what_uses_them(names: Make) -> None:
    files = {
        "CHANGES.md": "# Carts\n\nNew.\n\n## Cart size\n\nLarger.\n",
        "app.ts": "import { MAX_CARTS } from './limits'\nimport { open } from './door'\n\n"
        "export function enter() {\n  return open(MAX_CARTS)\n}\n",
        "limits.ts": "export const MAX_CARTS = 5\n",
        "shop/cart.py": "class CartShelf:\n    pass\n",
    }
    index = names(files).index
    kinds = [row.kind for row in index.symbols("*cart*")]
    assert kinds == [*(kind for kind in kinds if kind != "section"), "section", "section"]
    assert [index.chunk(chunk).start_line for chunk in index.naming("MAX_CARTS")][-1] == 1
    assert index.chunk(index.naming("MAX_CARTS")[-1]).file == "app.ts"


@pytest.mark.parametrize("question", ["PayCart check_sum", "why does check_sum of PayCart fail for two items"])
def test_a_member_that_many_types_define_is_that_of_the_type_named_beside_it(names: Make, question: str) -> None:
    files = {
        f"carts/{name}.py": f"class {name.capitalize()}Cart:\n    def check_sum(self):\n        return 1\n"
        for name in ("free", "gift", "pay", "rent")
    }
    index = names(files).index
    hits = [hit for hit in index.search(question, order="pack") if hit.score >= 0.5]
    assert {index.chunk(hit.chunk).file for hit in hits} == {"carts/pay.py"}
    assert (2, 2) in [lines for hit in hits for lines in hit.lines]


@pytest.mark.parametrize("question", ["how does PayCart work internally", "add another class like PayCart"])
def test_the_name_of_a_class_with_many_constructors_means_the_class(names: Make, question: str) -> None:
    parameters = ("", "int a", "int a, int b", "int a, int b, int c")
    own = "".join(f"\n    PayCart({one}) {{\n        open(this);\n    }}\n" for one in parameters)
    files = {
        "pay/PayCart.java": f"package pay;\n\nclass PayCart {{\n    int size;\n{own}}}\n",
        "shop/Till.cs": "class Till {\n    public PayCart PayCart { get; }\n}\n",
        "docs/work.md": "# Work\n\nAnother class does the work internally, like this one.\n",
    }
    index = names(files).index
    hits = [hit for hit in index.search(question, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).symbol for hit in hits] == ["PayCart"]


def test_a_constructor_is_no_member_of_a_type_named_beside_it(names: Make) -> None:
    text = "package {0};\n\nclass PayCart {{\n    PayCart() {{\n        open(this);\n    }}\n}}\n"
    index = names({f"{name}/PayCart.java": text.format(name) for name in ("free", "gift", "rent")}).index
    assert all(hit.score < 0.5 for hit in index.search("when is a PayCart closed early by its owner", order="pack"))


@pytest.mark.parametrize(
    ("query", "first"),
    [("RelayTests.start", "tests/relay.py"), ("FakePost.send", "tests/post.py"), ("Stamps.print", "relay.py")],
)
def test_a_member_that_only_a_test_defines_is_no_other_one_of_its_name(names: Make, query: str, first: str) -> None:
    files = {
        "tests/relay.py": "class RelayTests:\n    def start(self):\n        return 1\n",
        "tests/post.py": "class FakePost:\n    def send(self):\n        return 1\n\n\n"
        "class Stamps:\n    def print(self):\n        return 2\n",
        "relay.py": "def run(relay):\n    relay.start()\n    relay.send()\n    return Stamps.print()\n",
    }
    assert names(files).first(query)[0] == first


def test_a_version_with_a_heading_leads_to_the_code_of_that_version(names: Make) -> None:
    asked = names({"NEWS.md": "# News\n\n## 3.1.13.0\n\nNew: cranes.\n", "crane.py": "# @since 3.1.13.0\nLIFTS = 1\n"})
    assert asked.order("3.1.13.0") == ["crane.py", "NEWS.md"]


def test_a_function_behind_its_module_is_that_of_this_module(names: Make) -> None:
    files = {
        "post.erl": "-module(post).\n-export([send/1]).\n\nsend(Letter) ->\n    {ok, Letter}.\n",
        "ship.erl": "-module(ship).\n-export([send/1]).\n\nsend(Box) ->\n    {sea, Box}.\n",
        "desk.erl": "-module(desk).\n-export([close/1]).\n\nclose(Letter) ->\n    post:send(Letter).\n",
    }
    asked = names(files)
    assert asked.order("post:send") == ["post.erl"]
    definition = asked.index.search("post:send")[0].chunk
    callers = asked.index.related([definition], "", Follow(9, 1, ("called_by",)))
    assert [asked.index.chunk(one.chunk).file for one in callers] == ["desk.erl"]


EXTENDED = {
    "Tasks/IScheduledTask.cs": "public interface IScheduledTask {\n    void Run();\n}\n",
    "Tasks/Clean.cs": "public class Clean : IScheduledTask {\n    public void Run() { }\n}\n",
    "Tasks/Worker.cs": "public class Worker {\n    public IScheduledTask ScheduledTask { get; set; }\n}\n",
    "Tasks/Scan.cs": "public class Scan : IScheduledTask {\n    public void Run() { }\n}\n",
    "App/Once.cs": "public class Once {\n    public void Start() {\n        new Scan().Run();\n    }\n}\n",
    "App/Tasks.cs": "public class Tasks {\n    public void Start() {\n        Add(new Clean());\n"
    "        Add(new Scan());\n    }\n}\n",
    "rpc/base.h": "class RpcMethod {\npublic:\n  virtual int call() = 0;\n};\n",
    "rpc/calls.h": '#include "base.h"\n\n'
    + "".join(
        f"class {one}Call : public RpcMethod {{\n  int call() override;\n}};\n\n" for one in ("Get", "Put", "Cut")
    ),
    "rpc/single.h": '#include "base.h"\n\nclass SingleCall : public RpcMethod {\n  int call() override;\n};\n',
    "rpc/make.cc": '#include "calls.h"\n\nRpcMethod* make(int code) {\n  if (code == 1) return new GetCall();\n'
    "  if (code == 2) return new PutCall();\n  return new CutCall();\n}\n",
    "rpc/two.cc": '#include "calls.h"\n\nint both() {\n  GetCall one;\n  PutCall other;\n'
    "  return one.call() + other.call();\n}\n",
    "media/device.py": "class MidiDevice:\n    def send(self):\n        pass\n",
    "media/synth.py": "from media.device import MidiDevice\n\n\nclass Synth(MidiDevice):\n    pass\n",
    "media/relay.py": "from media.device import MidiDevice\n\n\nclass Relay(MidiDevice):\n    pass\n",
    "media/codec.py": "class Codec:\n    pass\n\n\nclass Plain(Codec):\n    pass\n",
    "media/packed.py": "from media.codec import Codec\n\n\nclass Packed(Codec):\n    pass\n",
    "ui/meter.h": "typedef struct MeterClass_ {\n   const char* name;\n} MeterClass;\n",
    "ui/cpu.c": '#include "meter.h"\n\nconst MeterClass CpuMeter_class = {\n   .name = "CPU",\n};\n',
    "ui/disk.c": '#include "meter.h"\n\nconst MeterClass DiskMeter_class = {\n   .name = "Disk",\n};\n',
    "ui/colors.ts": "export enum ColorScheme {\n  Dark,\n  Light,\n}\n",
    "db/pool.py": "class Pool:\n    pass\n\n\nclass OwnPool(Pool):\n    pass\n",
    "forge/forge.go": "package forge\n\ntype Forge interface {\n\tName() string\n"
    "\tLogin(ctx Context, user string) error\n}\n",
    "forge/tea/tea.go": "package tea\n\ntype client struct {\n\turl string\n}\n",
    "forge/tea/calls.go": 'package tea\n\nfunc (c *client) Name() string {\n\treturn "tea"\n}\n\n'
    "func (c *client) Login(ctx Context, name string) error {\n\treturn nil\n}\n",
    "forge/hub/hub.go": 'package hub\n\ntype Hub struct{}\n\nfunc (h Hub) Name() string {\n\treturn "hub"\n}\n\n'
    "func (h Hub) Login(\n\tctx Context,\n\tuser string,\n) error {\n\treturn nil\n}\n",
    "forge/rpc/server.go": 'package rpc\n\ntype Server struct{}\n\nfunc (s *Server) Name() string {\n\treturn ""\n}\n\n'
    "func (s *Server) Login(args []byte) error {\n\treturn nil\n}\n",  # another method of that name
    "web/forge.ts": "export interface Forge {\n  id: number;\n}\n\nexport const first: Forge = { id: 1 };\n"
    "export const second: Forge = { id: 2 };\nexport const third: Forge = { id: 3 };\n",
    "mail/fault.rs": "pub enum Fault {\n    Late,\n    Lost,\n}\n",
    "mail/parse/fault.rs": "pub struct Fault {\n    line: u32,\n}\n",
    "mail/rules.py": "class ParcelInvoice(Model):\n    class ParcelInvoiceType(IntegerChoices):\n        KEEP = 1\n\n"
    '    name = label("parcel invoice")\n\n\nclass RuleOrder(str, Enum):\n    FIRST = "first"\n',
}


@pytest.mark.parametrize(
    ("request_", "files"),
    [
        ("add a scheduled task that scans all folders", ["Tasks/IScheduledTask.cs", "Tasks/Scan.cs", "App/Tasks.cs"]),
        ("how do I write a new scheduled task?", ["Tasks/IScheduledTask.cs", "Tasks/Clean.cs", "App/Tasks.cs"]),
        (
            "add a scheduled task similar to the `clean` one",
            ["Tasks/IScheduledTask.cs", "Tasks/Clean.cs", "App/Tasks.cs"],
        ),
        ("add another RPC method", ["rpc/base.h", "rpc/calls.h", "rpc/make.cc"]),
        ("Implement another Midi device for a synth", ["media/device.py", "media/synth.py"]),
        (
            "we need to add a custom media codec",
            ["media/codec.py", "media/packed.py"],
        ),  # the other word is that of its folder
        ("add a shipping codec", []),
        ("add a new meter for disks", ["ui/meter.h", "ui/disk.c"]),
        ("add a color scheme", ["ui/colors.ts"]),
        ("add a new forge", ["forge/forge.go", "forge/tea/tea.go"]),
        ("add a rule order", ["mail/rules.py"]),
        ("add a parcel invoice type", ["mail/rules.py"]),  # rather than the label
        ("add a pool for readers", []),  # nothing extends it but one class
        ("add a fault", []),  # of several types of this name, none is the list of all
        ("add the task to the list", []),
        ("remove a scheduled task", []),
    ],
)
def test_a_request_for_one_more_of_a_kind_begins_with_its_type_an_example_and_where_they_are_registered(
    names: Make, request_: str, files: list[str]
) -> None:
    asked = names(EXTENDED)
    every = asked.index.search(request_, order="pack")
    hits = [hit for hit in every if hit.why[0].name == "exact.extended"]
    assert [asked.index.chunk(hit.chunk).file for hit in hits] == files
    assert every[: len(hits)] == hits


@pytest.mark.parametrize(
    ("topic", "names_"),
    [
        ("user agent", ["USER_AGENT"]),
        ("Page cache", ["PageCache"]),  # the type rather than a field of its name
        ("the page cache", []),
        ("cart total", []),  # of too many places
        ("agent", []),
    ],
)
def test_a_short_topic_means_the_definition_with_its_words_as_a_name(
    names: Make, topic: str, names_: list[str]
) -> None:
    carts = "".join(f"class Cart{number}:\n    def cart_total(self):\n        return 0\n\n\n" for number in range(3))
    asked = names(
        {
            "web/client.py": 'USER_AGENT = "shop/1"\n\n\ndef get(url):\n    return send(url, agent=USER_AGENT)\n',
            "web/pages.py": "class PageCache:\n    size = 1\n\n\nclass Site:\n    page_cache = PageCache()\n",
            "shop/carts.py": carts,
        }
    )
    hits = [hit for hit in asked.index.search(topic, order="pack") if hit.score >= 0.5]
    assert [asked.index.chunk(hit.chunk).symbol for hit in hits] == names_


@pytest.mark.parametrize(
    ("topic", "headings"),
    [
        ("visibility timeout", ["Visibility Timeout"]),
        ("how does the visibility timeout work?", ["Visibility Timeout"]),
        ("open carts", []),  # as code has it
        ("bug fixes", []),  # of too many sections
        ("visibility of carts", []),
    ],
)
def test_a_topic_that_no_code_names_means_the_section_of_this_name(
    names: Make, topic: str, headings: list[str]
) -> None:
    releases = "".join(f"# {number}.0\n\n## Bug fixes\n\nCarts.\n\n" for number in range(6))
    asked = names(
        {
            "docs/broker.md": "# Broker\n\nA queue.\n\n## Visibility Timeout\n\nLater, a task runs again.\n",
            "docs/carts.md": "# Carts\n\n## Open carts\n\nThose without an order.\n\n## Visibility\n\nOf all.\n",
            "docs/releases.md": releases,
            ".github/agents.md": "# Agents\n\n## Visibility timeout\n\nAsk first.\n",
            "shop/carts.py": "# Open carts alone\ndef visible(carts, timeout):\n    return carts.shown(timeout)\n",
        }
    )
    hits = [hit for hit in asked.index.search(topic, order="pack") if hit.why[0].name == "exact.literal"]
    assert [(asked.index.chunk(hit.chunk).symbol or "").rpartition(" > ")[2] for hit in hits] == headings


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("add a new state to the player", ["ui/player.ts"]),
        ("add a token to the request", []),  # one of those that there are
        ("add a message that no cart is open", []),  # in a file far from this question
        ("player volume", ["ui/player.ts"]),
        ("open cart", []),  # a detail of a script
    ],
)
def test_usual_words_name_a_detail_only_in_a_likely_file(names: Make, text: str, files: list[str]) -> None:
    row = "// The message that a cart is open.\nexport function message{0}(cart) {{ return cart.open }}\n"
    carts = {f"shop/open_cart_message{number}.ts": row.format(number) for number in range(12)}
    asked = names(
        {
            **carts,
            "ui/player.ts": "export enum State {\n  Playing,\n  Paused,\n}\n\nexport const PLAYER_VOLUME = 11\n",
            "net/request.ts": "export enum Token {\n  Name,\n  Number,\n}\n",
            "net/wire.ts": "export const port = 80\n" * 30 + "export enum Message {\n  Hello,\n  Bye,\n}\n",
            "ui/lint.ts": "export const port = 80\n" * 30 + "export const openCart = lint()\n",
        }
    )
    hits = [hit for hit in asked.index.search(text, order="pack") if hit.score >= 0.5]
    assert [asked.index.chunk(hit.chunk).file for hit in hits] == files


def test_the_clauses_of_a_function_are_in_their_order(names: Make) -> None:
    steps = "".join(f"    step_{number}(cart)\n" for number in range(90))
    clauses = "".join(f"  def apply(cart, :{event}) do\n{steps}  end\n\n" for event in ("add", "drop"))
    module = f'defmodule Shop.Cart do\n  @doc """\n  Applies.\n  """\n  def apply(cart, event)\n\n{clauses}end\n'
    small = "defmodule Shop.Bag do\n  def apply(bag, _), do: bag\nend\n"
    asked = names({"lib/cart.ex": module, "lib/bag.ex": small})
    hits = [hit for hit in asked.index.search("apply", order="pack") if hit.score >= 0.5 and hit.lines]
    lines = [asked.text(hit) for hit in hits if asked.index.chunk(hit.chunk).file == "lib/cart.ex"]
    assert lines[:3] == ["def apply(cart, event)", "def apply(cart, :add) do", "def apply(cart, :drop) do"]


def test_a_type_comes_before_a_smaller_one_or_a_value_of_its_name(names: Make) -> None:
    parts = "export interface Cart {{ id: string }}\n\nexport class Cart {{\n{0}}}\n\nexport const Till = open();\n\n"
    methods = "".join(f"  add{number}() {{\n    return {number};\n  }}\n" for number in range(9))
    asked = names({"src/cart.ts": parts.format(methods) + "export type Till = {\n  id: string;\n};\n"})
    assert asked.text(asked.index.search("Cart", order="pack")[0]).startswith("export class Cart")
    assert asked.text(asked.index.search("Till", order="pack")[0]).startswith("export type Till")

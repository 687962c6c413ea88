"""A function or a class that is passed, stored or returned is used, not called, and so is the type of a member that is
named (`Color.RED`). One small tree per language."""

# ruff: noqa: E501 - the trees are data, a file a line
from __future__ import annotations

import re

import pytest

from tests.index.conftest import Keeper, WriteTree
from tests.index.graphs import Graph

# Files, and all uses between symbols: functions, and types that are named on the way.
CASES: dict[str, tuple[dict[str, str], set[tuple[str, str]]]] = {
    "c": (
        {
            "ops.h": "struct item { int size; };\nint drop(int);\n",
            "ops.c": "int drop(int a) { return a; }\nint keep(int a) { return a; }\nint size(void) { return 1; }\n",
            "app.c": "#include \"ops.h\"\nstatic int on_read(void);\nstruct op table[] = { { \"drop\", drop }, { \"keep\", &keep } };\n"
            "struct op one = {\n\t.exec = on_read\n};\nint on_read(void) { return 2; }\n"
            "int main(int size, int (*keep)(int)) { struct item *drop = 0; set(drop, size, keep); x->cb = on_read; listen(1, on_read); return 0; }\n",
        },
        {
            ("app.c:table", "ops.c:drop"), ("app.c:table", "ops.c:keep"), ("app.c:one", "app.c:on_read"),
            ("app.c:main", "app.c:on_read"), ("app.c:main", "ops.h:item"),
        },
    ),
    "cpp": (
        {
            "app.cpp": "struct Tool { int run() { return 1; } };\nint on_read() { return 2; }\nint value() { return 3; }\n"
            "void start(std::vector<int> &all) {\n  add(\"x\", on_read, &Tool::run);\n  for (auto &value : all) { push(value); }\n}\n",
        },
        {("app.cpp:start", "app.cpp:on_read"), ("app.cpp:start", "app.cpp:Tool.run"), ("app.cpp:start", "app.cpp:Tool")},
    ),
    "python": (
        {
            "views.py": "def show():\n    return 1\n\n\ndef hide():\n    return 2\n\n\nclass Shown:\n    pass\n\n\nLIMIT = 1\n",
            "app.py": "import views\nfrom views import LIMIT, Shown, hide\n\nROUTES = {'a': views.show, 'b': hide}\n\n\n"
            "def run(target):\n    return target\n\n\ndef main(hide):\n    show = []\n    print(hide, show, LIMIT, Shown)\n"
            "    Thread(target=run)\n\n\nclass Box:\n    def on(self):\n        return 1\n\n"
            "    def wire(self, it):\n        it.handler = self.on\n        it.connect(it.on)\n",
        },
        {
            ("app.py:ROUTES", "views.py:show"), ("app.py:ROUTES", "views.py:hide"), ("app.py:main", "app.py:run"),
            ("app.py:main", "views.py:Shown"), ("app.py:Box.wire", "app.py:Box.on"),
        },
    ),
    "javascript": (
        {
            "views.js": "export function show() {}\nexport function hide() {}\nexport class Item {}\n",
            "app.js": "import { show, hide, Item } from './views'\nimport * as views from './views'\n\n"
            "export function main(hide) {\n  router.get('/x', show, hide, Item)\n}\n\n"
            "export function setup() {\n  return { onClick: views.hide, show }\n}\n",
        },
        {
            ("app.js:main", "views.js:show"), ("app.js:main", "views.js:Item"), ("app.js:setup", "views.js:hide"),
            ("app.js:setup", "views.js:show"),
        },
    ),
    "tsx": (
        {
            "app.tsx": "import { format } from './format'\n\nexport function Row({ size }: Props) {\n  const save = () => 1\n"
            "  return <Button onClick={save} format={format} size={size} />\n}\n\nexport function size() {}\n",
            "format.ts": "export function format(value: number) {\n  return value\n}\n",
        },
        {("app.tsx:Row", "app.tsx:Row.save"), ("app.tsx:Row", "format.ts:format")},
    ),
    "go": (
        {
            "go.mod": "module shop\n",
            "app.go": "package app\n\nimport \"shop/views\"\n\nvar cmd = &Command{RunE: run}\n\nfunc (s *Server) routes(limit int) {\n"
            "\tmux.HandleFunc(\"/x\", views.Show)\n\tmux.HandleFunc(\"/y\", s.show)\n\tmux.Limit(limit)\n}\n\nfunc (s *Server) show() {}\n",
            "run.go": "package app\n\ntype Server struct{}\n\nfunc run() error { return nil }\n\nfunc limit() int { return 1 }\n",
            "views/views.go": "package views\n\nfunc Show() {}\n",
        },
        {
            ("app.go:cmd", "run.go:run"), ("app.go:Server.routes", "views/views.go:Show"),
            ("app.go:Server.routes", "app.go:Server.show"), ("app.go:Server.routes", "run.go:Server"),
            ("app.go:Server.show", "run.go:Server"),
        },
    ),
    "rust": (
        {
            "src/main.rs": "mod parse;\nuse parse::Line;\n\nfn double(a: u8) -> u8 { a }\n\nstatic LIST: &[Cmd] = &[Cmd { name: \"a\", fun: double }];\n\n"
            "fn main() {\n    xs.map(double).map(parse::line).map(Line::read);\n}\n\nfn other(double: u8) { take(double) }\n",
            "src/parse.rs": "pub struct Line;\nimpl Line {\n    pub fn read() {}\n}\npub fn line() {}\n",
        },
        {
            ("src/main.rs:LIST", "src/main.rs:double"), ("src/main.rs:main", "src/main.rs:double"),
            ("src/main.rs:main", "src/parse.rs:line"), ("src/main.rs:main", "src/parse.rs:Line.read"),
            ("src/main.rs:main", "src/parse.rs:Line"),
        },
    ),
    "kotlin": (
        {
            "App.kt": "package shop\n\nfun parse(text: String) = text\n\nclass Cart {\n    fun total() = 1\n    fun wire(model: Model) {\n"
            "        list.map(::parse)\n        button.onClick(this::total)\n        button.onLong(model::load)\n    }\n}\n",
            "Model.kt": "package shop\n\nclass Model {\n    val size = 1\n    fun load() = size\n}\n",
        },
        {
            ("App.kt:Cart.wire", "App.kt:parse"), ("App.kt:Cart.wire", "App.kt:Cart.total"),
            ("App.kt:Cart.wire", "Model.kt:Model.load"), ("App.kt:Cart.wire", "Model.kt:Model"),
        },
    ),
    "php": (
        {
            "BookController.php": "<?php\nnamespace App;\nclass BookController {\n    public function show() {}\n"
            "    public function wire() {\n        register([$this, 'show']);\n    }\n}\n",
            "routes.php": "<?php\nuse App\\BookController;\nfunction routes() {\n    Route::get('/x', [BookController::class, 'show']);\n}\n",
        },
        {
            ("routes.php:routes", "BookController.php:BookController.show"),
            ("routes.php:routes", "BookController.php:BookController"),
            ("BookController.php:BookController.wire", "BookController.php:BookController.show"),
        },
    ),
    "ruby": (
        {"a.rb": "class Cart\n  def price(item)\n    1\n  end\n\n  def total\n    items.map(&method(:price)).map(JSON.method(:total))\n  end\nend\n"},
        {("a.rb:Cart.total", "a.rb:Cart.price")},
    ),
    "csharp": (
        {
            "Api.cs": "namespace Shop;\npublic class Api {\n    public int Size { get; set; }\n    public void Map(App app) {\n"
            "        app.MapGet(\"/items\", GetItems);\n        app.Closed += OnClosed;\n        app.Limit(Size);\n    }\n"
            "    static int GetItems() { return 1; }\n    void OnClosed() {}\n}\n",
        },
        {("Api.cs:Api.Map", "Api.cs:Api.GetItems"), ("Api.cs:Api.Map", "Api.cs:Api.OnClosed")},
    ),
    "java": (
        {
            "Cart.java": "class Cart {\n    int price() { return 1; }\n    void total(Shop shop) {\n        items.map(Cart::price).map(this::price).map(shop::open);\n    }\n}\n",
            "Shop.java": "class Shop {\n    int open() { return 1; }\n}\n",
        },
        {
            ("Cart.java:Cart.total", "Cart.java:Cart.price"), ("Cart.java:Cart.total", "Shop.java:Shop.open"),
            ("Cart.java:Cart.total", "Shop.java:Shop"), ("Cart.java:Cart.total", "Cart.java:Cart"),
        },
    ),
    "scala": (
        {"A.scala": "object A {\n  def parse(a: Int) = a\n  def run(xs: List[Int]) = xs.map(parse)\n  def other(ys: List[Int]) = ys.map(parse => show(parse))\n}\n"},
        {("A.scala:A.run", "A.scala:A.parse")},
    ),
    "lua": (
        {
            "shop.lua": "local M = {}\nfunction M.open() end\nlocal function close() end\nM.actions = { close = close }\nreturn M\n",
            "app.lua": "local shop = require('shop')\nlocal function run(close)\n  on('open', shop.open, close)\nend\n",
        },
        {("shop.lua:M.actions", "shop.lua:close"), ("app.lua:run", "shop.lua:M.open")},
    ),
    "julia": (
        {"src/a.jl": "price(x) = x\ntotal(xs, f, get) = map(price, f)\neach(xs) = xs |> (x -> show(x, price))\n"},
        {("src/a.jl:total", "src/a.jl:price"), ("src/a.jl:each", "src/a.jl:price")},
    ),
    "perl": (
        {"lib/A.pm": "package A;\nsub price { 1 }\nsub total { map_all(\\&price, \\&A::price, \\&B::price) }\n"},
        {("lib/A.pm:A.total", "lib/A.pm:A.price")},
    ),
    "r": (
        {"R/a.R": "price <- function(x) x\n\ntotal <- function(xs, f) {\n  each <- function(x) x\n  sapply(xs, price)\n  purrr::map(xs, f)\n  filter(xs, price)\n}\n"},
        {("R/a.R:total", "R/a.R:price")},
    ),
    "elixir": (
        {"lib/a.ex": "defmodule A do\n  def price(a), do: a\n  def total(xs), do: Enum.map(xs, &price/1) |> Enum.map(&A.price/1)\nend\n"},
        {("lib/a.ex:A.total", "lib/a.ex:A.price"), ("lib/a.ex:A.total", "lib/a.ex:A")},
    ),
}  # fmt: skip


def test_a_value_is_no_type_where_an_object_may_have_the_name_of_a_class(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "Shop.scala": "package shop\n\nobject Shop {\n  val Unit = 1\n  val MAX = 2\n  def run(a: Unit) = a\n"
        "  def most = MAX + 1\n  def item(a: Item) = a\n}\n\nclass Item\n"
    }
    found = {(source, target) for source, _, target in Graph(keeper.refresh(write_tree(files))[0]).symbol_edges("uses")}
    assert found == {("Shop.scala:Shop.most", "Shop.scala:Shop.MAX"), ("Shop.scala:Shop.item", "Shop.scala:Item")}


@pytest.mark.parametrize("language", CASES)
def test_a_function_as_a_value_is_used(language: str, write_tree: WriteTree, keeper: Keeper) -> None:
    files, uses = CASES[language]
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert {(source, target) for source, _, target in graph.symbol_edges("uses")} == uses
    assert not graph.symbol_edges("calls")


# A type and the code that uses nothing of it but a member that is no symbol: a case of an enum, a constant.
MEMBERS: dict[str, dict[str, str]] = {
    "csharp": {
        "State.cs": "namespace Shop;\n\npublic enum State { Open, Sent }\n",
        "Cart.cs": "namespace Shop;\n\nclass Cart\n{\n    bool Use(int state)\n    {\n        switch (state) { case State.Sent: return true; }\n        return false;\n    }\n}\n",
    },
    "kotlin": {
        "State.kt": "package shop\n\nenum class State { OPEN, SENT }\n",
        "Cart.kt": "package shop\n\nfun use(it: Any) = when (it) {\n    State.SENT -> 1\n    else -> 2\n}\n",
    },
    "kotlin inside a class": {
        "State.kt": "package shop\n\nclass Box {\n    enum class State { OPEN, SENT }\n}\n",
        "Cart.kt": "package shop\n\nfun use() = send(Box.State.SENT)\n",
    },
    "swift": {
        "State.swift": "enum State {\n    case open, sent\n}\n",
        "Cart.swift": "func use() {\n    send(State.sent)\n}\n",
    },
    "swift inside a type": {
        "State.swift": "struct Box {\n    enum State {\n        static let sent = 1\n    }\n}\n",
        "Cart.swift": "func use() {\n    send(Box.State.sent)\n}\n",
    },
    "java": {
        "shop/State.java": "package shop;\n\npublic enum State { OPEN, SENT }\n",
        "shop/Cart.java": "package shop;\n\nclass Cart {\n    void use() {\n        send(State.SENT);\n    }\n}\n",
    },
    "java inside a class": {
        "shop/State.java": "package shop;\n\npublic class Box {\n    public enum State { OPEN, SENT }\n}\n",
        "shop/Cart.java": "package shop;\n\nclass Cart {\n    void use() {\n        send(Box.State.SENT);\n    }\n}\n",
    },
    "scala": {
        "State.scala": "package shop\n\nobject State {\n  val Sent = 1\n}\n",
        "Cart.scala": "package shop\n\nobject Cart {\n  def use(it: Any) = it match {\n    case State.Sent => 1\n  }\n}\n",
    },
    "typescript": {
        "state.ts": "export enum State { Open, Sent }\n",
        "cart.ts": "import { State } from './state'\n\nexport function use(state: number) {\n  return state === State.Sent\n}\n",
    },
    "dart": {
        "lib/state.dart": "enum State { open, sent }\n",
        "lib/cart.dart": "import 'state.dart';\n\nvoid use() {\n  send(State.sent);\n}\n",
    },
    "cpp": {
        "state.h": "enum class State { Open, Sent };\n",
        "cart.cpp": '#include "state.h"\n\nvoid use() {\n    send(State::Sent);\n}\n',
    },
    "python inside a class": {
        "state.py": "class Box:\n    class State:\n        SENT = 1\n",
        "cart.py": "from state import Box\n\n\ndef use():\n    return Box.State.SENT\n",
    },
    **{
        f"python {name}": {
            "state.py": "class State(Exception):\n    pass\n",
            "cart.py": f"import state\n\n\ndef use():\n    try:\n        run()\n    {clause}\n        pass\n",
        }
        for name, clause in {
            "except": "except state.State:",
            "except as": "except state.State as error:",
        }.items()
    },
    "python union": {
        "state.py": "class State:\n    pass\n",
        "cart.py": "import state\n\n\ndef use(it: state.State | None):\n    return it\n",
    },
    "python class of the same file": {
        "cart.py": "class State:\n    pass\n\n\ndef use():\n    register(State)\n",
    },
    "python": {
        "state.py": "import enum\n\n\nclass State(enum.Enum):\n    OPEN = 1\n    SENT = 2\n",
        "cart.py": "from state import State\n\n\ndef use():\n    return State.SENT\n",
    },
}


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_of_a_type_uses_the_type(name: str, write_tree: WriteTree, keeper: Keeper) -> None:
    uses = Graph(keeper.refresh(write_tree(MEMBERS[name]))[0]).symbol_edges("uses")
    pairs = {tuple(re.split(r"[.:]", end)[-1] for end in (source, target)) for source, _, target in uses}
    assert {("use", "State"), ("Use", "State")} & pairs


def test_a_method_of_another_file_is_used_as_a_value(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "go.mod": "module example.com/shop\n",
        "api.go": 'package shop\n\ntype API struct{ limit int }\n\nfunc (api *API) routes() {\n\tr.Group(func(r Router) {\n\t\tr.Get("/cart", api.getCart)\n\t\tr.Max(api.limit)\n\t})\n}\n',
        "cart.go": "package shop\n\nfunc (api *API) getCart(w Writer) {}\n",
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert ("api.go:API.routes", "uses", "cart.go:API.getCart") in graph.symbol_edges("uses")


def test_signals_and_short_names_of_namespaces_lead_to_what_they_name(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "cart.cpp": "namespace Shop {\nnamespace Sums {\nint total(int x) { return x; }\n}\nint count(int y) { return y; }\n}\n\n"
        "void Cart::idle(int n)\n{\n    wait(n);\n}\n\nvoid Cart::run()\n{\n    namespace Near = Shop::Sums;\n    namespace Far = Shop;\n"
        "    emit idle(Near::total(1));\n    if (open)\n        Q_EMIT idle(Far::count(2));\n}\n",
    }
    calls = {
        (source, target) for source, _, target in Graph(keeper.refresh(write_tree(files))[0]).symbol_edges("calls")
    }
    assert calls == {("cart.cpp:Cart.run", f"cart.cpp:{name}") for name in ("Cart.idle", "total", "count")}


TYPES_OF_MEMBERS = {
    "Hue.java": "enum Hue { RED, BLUE }\nclass Paint { boolean isRed(Object hue) { return hue == Hue.RED; } }\n",
    "hue.cs": "enum Hue { Red }\nclass Paint { bool isRed(object hue) { return hue == Hue.Red; } }\n",
    "hue.ts": "enum Hue { Red }\nclass Paint { isRed(hue: number) { return hue === Hue.Red; } }\n",
    "hue.js": "class Hue {}\nclass Paint { isRed(hue) { return hue === Hue.RED; } }\n",
    "hue.py": "class Hue:\n    RED = 1\n\nclass Paint:\n    def isRed(self, hue):\n        return hue == Hue.RED\n",
    "hue.kt": "enum class Hue { RED }\nclass Paint { fun isRed(hue: Any) = hue == Hue.RED }\n",
    "hue.swift": "enum Hue { case red }\nclass Paint { func isRed(hue: Any) -> Bool { return same(hue, Hue.red) } }\n",
    "hue.dart": "enum Hue { red }\nclass Paint { bool isRed(Object hue) { return hue == Hue.red; } }\n",
    "hue.scala": "object Hue { val red = 1 }\nclass Paint { def isRed(hue: Int) = hue == Hue.red }\n",
    "hue.cpp": "enum class Hue { Red };\nclass Paint { bool isRed(int hue) { return hue == Hue::Red; } };\n",
}


@pytest.mark.parametrize("path", TYPES_OF_MEMBERS)
def test_the_type_of_a_member_is_used(path: str, write_tree: WriteTree, keeper: Keeper) -> None:
    graph = Graph(keeper.refresh(write_tree({path: TYPES_OF_MEMBERS[path]}))[0])
    assert ("Paint.isRed", "Hue") in {
        (source.partition(":")[2], target.partition(":")[2]) for source, _, target in graph.symbol_edges("uses")
    }


KOTLIN_OBJECT = """sealed class State { data object Ready : State(); class Failed : State() }
fun first() = State.Ready
fun set(model: Model) { model.state = State.Ready; Holder.current = model }
object Holder { var current: Any = 1 }
object Idle
fun isIdle(state: Any) = when (state) { Idle -> true
    else -> state == Idle }
fun Idle() = 1
"""


def test_objects_of_kotlin_are_used_as_values(write_tree: WriteTree, keeper: Keeper) -> None:
    graph = Graph(keeper.refresh(write_tree({"state.kt": KOTLIN_OBJECT}))[0])
    uses = {(source.partition(":")[2], target.partition(":")[2]) for source, _, target in graph.symbol_edges("uses")}
    assert uses == {
        ("first", "State"), ("first", "State.Ready"), ("set", "State"), ("set", "State.Ready"), ("set", "Holder"),
        ("isIdle", "Idle"),
    }  # fmt: skip


def test_a_class_of_python_that_an_attribute_names_is_used(write_tree: WriteTree, keeper: Keeper) -> None:
    tree = {
        "cart.py": "class CartData:\n    pass\n",
        "views.py": "from cart import CartData\n\n\nclass View:\n    data_class = CartData\n\n\n"
        "def check(item):\n    return isinstance(item, CartData)\n",
    }
    graph = Graph(keeper.refresh(write_tree(tree))[0])
    uses = {(source, target) for source, _, target in graph.symbol_edges("uses")}
    assert uses == {("views.py:View", "cart.py:CartData"), ("views.py:check", "cart.py:CartData")}

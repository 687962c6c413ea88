"""Resolving calls in each language, by scope, import, receiver and inheritance. One small tree each."""

# ruff: noqa: E501 - the trees are data, a file a line
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chunker.languages.table import FIRST_TIER
from tests.index.conftest import Keeper, WriteTree
from tests.index.graphs import Graph


@dataclass(frozen=True)
class Case:
    files: dict[str, str]
    calls: list[tuple[str, str]]
    never: list[str] = field(default_factory=list)  # symbols that no call may reach


CASES = {
    "python re-exports, aliases and relative imports": Case(
        {
            "pkg/__init__.py": "from .core import run as go\nfrom . import deep\n",
            "pkg/core.py": "def run():\n    return 1\n",
            "pkg/deep.py": "def dig():\n    return 2\n",
            "other.py": "def run():\n    return 3\n\n\ndef dig():\n    return 4\n",
            "app.py": "import pkg\nfrom pkg import go as start, deep\n\n\ndef main():\n    start()\n    deep.dig()\n"
            "    pkg.deep.dig()\n",
        },
        [("app.py:main", "pkg/core.py:run"), ("app.py:main", "pkg/deep.py:dig")],
        ["other.py:run", "other.py:dig"],
    ),
    "python receivers": Case(
        {
            "a.py": "class Engine:\n    def start(self):\n        return 1\n\n\nclass Lamp:\n    def start(self):\n"
            "        return 2\n\n\ndef make() -> Engine:\n    return Engine()\n",
            "b.py": "from typing import Optional\nfrom a import Engine, make\n\n\nclass Car:\n"
            "    def __init__(self, engine: Optional[Engine]):\n        self.engine = engine\n\n"
            "    def drive(self):\n        self.engine.start()\n\n\n"
            "def constructed():\n    it = Engine()\n    it.start()\n\n\ndef returned():\n    make().start()\n\n\n"
            "def unknown(it):\n    it.start()\n",
        },
        [
            ("b.py:Car.drive", "a.py:Engine.start"), ("b.py:constructed", "a.py:Engine.start"),
            ("b.py:constructed", "a.py:Engine"), ("b.py:returned", "a.py:Engine.start"), ("b.py:returned", "a.py:make"),
            ("a.py:make", "a.py:Engine"),
        ],
        ["a.py:Lamp.start"],
    ),
    "python inheritance and super": Case(
        {
            "base.py": "class Base:\n    def load(self):\n        return 1\n\n    def save(self):\n        return 2\n",
            "sub.py": "from base import Base\n\n\nclass Sub(Base):\n    def save(self):\n        self.load()\n"
            "        return super().save()\n",
        },
        [("sub.py:Sub.save", "base.py:Base.load"), ("sub.py:Sub.save", "base.py:Base.save")],
        ["sub.py:Sub.save"],
    ),
    "python parameters hide functions": Case(
        {"a.py": "def callback():\n    return 1\n\n\ndef run(callback):\n    return callback()\n"},
        [],
        ["a.py:callback"],
    ),
    "vue components, handlers and modules": Case(
        {
            "src/Line.vue": "<template><p @click=\"reset\">x</p></template>\n<script setup>\nfunction reset() {}\n</script>\n",
            "src/Cart.vue": "<template>\n  <Line /><Other />\n</template>\n<script>\nimport Line from './Line.vue'\n"
            "import { post } from './api'\nexport default {\n  methods: {\n    save() {\n      this.load()\n    },\n"
            "    load() {\n      post()\n    },\n  },\n}\n</script>\n",
            "src/api.ts": "export function post() {}\nexport function reset() {}\n",
            "src/Other.vue": "<template><b /></template>\n",
            "src/pages/edit.vue": "<template><b /></template>\n",
            "src/Page.vue": "<template><p v-if=\"edit\" /><Gone /><Twin /></template>\n<script setup>\nimport { Gone } from '@lib/icons'\n</script>\n",
            **{f"src/{name}.vue": "<template><b /></template>\n" for name in ("Gone", "a/Twin", "b/Twin")},
        },
        [
            ("src/Line.vue:Line", "src/Line.vue:Line.reset"), ("src/Cart.vue:Cart", "src/Line.vue:Line"),
            ("src/Cart.vue:Cart", "src/Other.vue:Other"),
            ("src/Page.vue:Page", "src/a/Twin.vue:Twin"), ("src/Page.vue:Page", "src/b/Twin.vue:Twin"),
            ("src/Cart.vue:Cart.save", "src/Cart.vue:Cart.load"), ("src/Cart.vue:Cart.load", "src/api.ts:post"),
        ],
        ["src/api.ts:reset", "src/pages/edit.vue:edit", "src/Gone.vue:Gone"],
    ),
    "svelte components and handlers": Case(
        {
            "src/Line.svelte": "<script>\n  export let line;\n</script>\n<p>{line}</p>\n",
            "src/Cart.svelte": "<script>\n  import Line from './Line.svelte';\n  const load = () => 1;\n"
            "  function save() {\n    load();\n  }\n</script>\n<Line on:click={save} />\n",
        },
        [
            ("src/Cart.svelte:Cart", "src/Line.svelte:Line"), ("src/Cart.svelte:Cart", "src/Cart.svelte:Cart.save"),
            ("src/Cart.svelte:Cart.save", "src/Cart.svelte:Cart.load"),
        ],
    ),
    "typescript index files, namespaces and fields": Case(
        {
            "src/index.ts": "export * from './store'\nexport { open as default } from './open'\n",
            "src/store.ts": "export class Store {\n  get(key: string) { return key }\n}\n",
            "src/open.ts": "export function open() { return 1 }\n",
            "app/main.ts": "import open, { Store } from '../src'\nimport * as all from '../src'\n\n"
            "class App {\n  private store: Store\n  run() { this.store.get('a'); open() }\n}\n\n"
            "function direct() { const s = new all.Store(); s.get('b') }\n",
        },
        [
            ("app/main.ts:App.run", "src/store.ts:Store.get"), ("app/main.ts:App.run", "src/open.ts:open"),
            ("app/main.ts:direct", "src/store.ts:Store.get"), ("app/main.ts:direct", "src/store.ts:Store"),
        ],
    ),
    "javascript modules that export a class or a function": Case(
        {
            "lib/cart.js": "class Cart {\n  total() { return 1 }\n}\nfunction open() {}\nmodule.exports = Cart\n",
            "lib/shop.js": "const Base = require('./cart')\nclass Shop extends Base {\n  open() { return this.total() }\n}\nmodule.exports = Shop\n",
            "lib/run.js": "module.exports = function (job) { return job }\n",
            "main.js": "const Store = require('./lib/shop')\nconst run = require('./lib/run')\n"
            "function main() { const s = new Store(); s.open(); s.total(); run(s) }\n",
        },
        [
            ("lib/shop.js:Shop.open", "lib/cart.js:Cart.total"), ("main.js:main", "lib/shop.js:Shop"),
            ("main.js:main", "lib/shop.js:Shop.open"), ("main.js:main", "lib/cart.js:Cart.total"),
            ("main.js:main", "lib/run.js:module.exports"),
        ],
        ["lib/cart.js:open"],
    ),
    "javascript functions that construct objects": Case(
        {
            "lib/clone.js": "module.exports = function clone(x) { return x }\n",
            "lib/query.js": "const clone = require('./clone')\nmodule.exports = exports = Query\nfunction Query() {\n  this.open()\n  function note() {}\n  note()\n}\n"
            "Query.prototype.clone = function () { return clone(this) }\n"
            "Query.prototype.open = function () { const that = this; module.exports.log(); return () => that.clone() }\n"
            "exports.log = function () {}\nexports.clone = function () {}\n",
            "lib/parts.js": "const parts = {}\nparts.first = function () { return parts.second() }\nparts.second = function () {}\n",
            "lib/deep.js": "const Query = require('./query')\nclass Deep extends Query {}\nmodule.exports = { Deep }\n",
            "lib/plugin.js": "export default wrap(() => {\n  const stop = () => 1\n  stop()\n})\n",
            "lib/pages.js": "export default { show() {} }\nfunction open() {}\nexport function page() { let open; open() }\n",
            "lib/cat.js": "export default class {\n  stop() {}\n}\n",
            "main.js": "const { Deep } = require('./lib/deep')\nfunction main() { new Deep().open() }\n",
        },
        [
            ("lib/query.js:Query", "lib/query.js:Query.open"), ("lib/query.js:Query", "lib/query.js:Query.note"),
            ("lib/query.js:Query.clone", "lib/clone.js:clone"), ("lib/query.js:Query.open", "lib/query.js:Query.clone"),
            ("lib/query.js:Query.open", "lib/query.js:log"), ("lib/parts.js:parts.first", "lib/parts.js:parts.second"),
            ("lib/plugin.js:default", "lib/plugin.js:default.stop"),
            ("main.js:main", "lib/deep.js:Deep"), ("main.js:main", "lib/query.js:Query.open"),
        ],
        ["lib/pages.js:open"],
    ),
    "typescript default exports with other names": Case(
        {
            "src/App.tsx": "export function App() { return null }\nexport default function Main() { return <App /> }\n",
            "src/star.tsx": "const StarIcon = () => null\nexport default StarIcon\n",
            "src/icons.ts": "export { default as Star } from './star'\n",
            "src/page.tsx": "import App from './App'\nimport { Star } from './icons'\nexport function page() { return [<App />, <Star />] }\n",
        },
        [
            ("src/App.tsx:Main", "src/App.tsx:App"), ("src/page.tsx:page", "src/App.tsx:Main"),
            ("src/page.tsx:page", "src/star.tsx:StarIcon"),
        ],
    ),
    "typescript parts of objects": Case(
        {
            "src/cart.ts": "export class Cart {\n  total() { return 1 }\n}\nexport interface Props { cart: Cart }\n"
            "export function useCart(cart: Cart) {\n  const save = () => cart.total()\n  return { save }\n}\n"
            "export function save() {}\n",
            "src/db.ts": "function query(text: string) { return text }\nexport default { query }\n",
            "src/page.ts": "import { Cart, Props, save, useCart } from './cart'\nimport db from './db'\n"
            "export function page({ cart }: Props) {\n  const { save } = useCart(cart)\n  const { query } = db\n"
            "  query('a')\n  save()\n  cart.total()\n}\n"
            "export function row({ item: { save } }: any, { own }: { own: Cart }) {\n  save()\n  own.total()\n}\n",
            "src/Till.vue": "<script setup lang=\"ts\">\nimport { useCart } from './cart'\nconst { save } = useCart(1)\n"
            "function close() { save() }\n</script>\n",
        },
        [
            ("src/cart.ts:useCart.save", "src/cart.ts:Cart.total"), ("src/page.ts:page", "src/cart.ts:useCart"),
            ("src/page.ts:page", "src/db.ts:query"), ("src/page.ts:page", "src/cart.ts:useCart.save"),
            ("src/page.ts:page", "src/cart.ts:Cart.total"), ("src/page.ts:row", "src/cart.ts:Cart.total"),
            ("src/Till.vue:Till", "src/cart.ts:useCart"), ("src/Till.vue:Till.close", "src/cart.ts:useCart.save"),
        ],
        ["src/cart.ts:save"],
    ),
    "javascript require": Case(
        {
            "lib/format.js": "function pad(x) { return x }\nmodule.exports = { pad }\n",
            "main.js": "const { pad } = require('./lib/format')\nconst format = require('./lib/format')\n"
            "function a() { pad(1) }\nfunction b() { format.pad(2) }\n",
        },
        [("main.js:a", "lib/format.js:pad"), ("main.js:b", "lib/format.js:pad")],
    ),
    "typescript packages of the tree": Case(
        {
            "package.json": '{\n  "name": "shop-repo",\n  "workspaces": ["packages/*"]\n}\n',
            "packages/cart/package.json": '{\n  "name": "@shop/cart",\n  "main": "./dist/index.js"\n}\n',
            "packages/cart/src/index.ts": "export * from './total'\n",
            "packages/cart/src/total.ts": "export function total() { return 1 }\n",
            "packages/cart/src/price.ts": "export function price() { return 1 }\n",
            "packages/till/package.json": '{"name": "till"}\n',
            "packages/till/index.js": "export function open() { return 1 }\n",
            "tests/fixtures/total/package.json": '{\n  "name": "@shop/cart"\n}\n',
            "tests/fixtures/total/index.ts": "export function total() { return 2 }\n",
            "app/main.tsx": "import { total } from '@shop/cart'\nimport { price } from '@shop/cart/price'\n"
            "import { open } from 'till'\nimport { total as other } from '@other/cart'\n\n"
            "export function run() { total(); price(); open() }\nexport function stop() { other() }\n",
        },
        [
            ("app/main.tsx:run", "packages/cart/src/total.ts:total"), ("app/main.tsx:run", "packages/cart/src/price.ts:price"),
            ("app/main.tsx:run", "packages/till/index.js:open"),
        ],
    ),
    "scala traits of many parts": Case(
        {
            **{f"T{n}.scala": f"package shop\n\ntrait T{n} {{\n  def total{n}(x: Int) = x\n}}\n" for n in range(35)},
            "Shop.scala": f"package shop\n\ntrait Shop extends {' with '.join(f'T{n}' for n in range(35))}\nobject Shop extends Shop\n",
            "app/Use.scala": "package app\n\nimport shop.Shop._\n\nobject Use {\n  def run(x: Int) = total34(x)\n}\n",
        },
        [("app/Use.scala:Use.run", "T34.scala:T34.total34")],
    ),
    "typescript paths that a configuration names, and dots in names": Case(
        {
            "tsconfig.json": '{\n  // Paths.\n  "include": ["src/*"],\n  "compilerOptions": {"paths": {\n'
            '    "core": ["lib/core/main.ts"],\n    "@shop/*": ["./lib/*", "./old/*"]\n  }}\n}\n',
            "lib/core/main.ts": "export function open() { return 1 }\n",
            "lib/price.service.ts": "export function price() { return 1 }\n",
            "old/price.service.ts": "export function price() { return 2 }\n",
            "web/tsconfig.app.json": '{"compilerOptions": {"paths": {"@shop/*": ["src/*"]}}}\n',
            "web/src/price.service.ts": "export function price() { return 3 }\n",
            "web/src/near.ts": "import { price } from '@shop/price.service'\n\nexport function near() { price() }\n",
            "app/main.ts": "import { open } from 'core'\nimport { price } from '@shop/price.service'\n"
            "import { price as other } from 'lib/price.service'\n\n"
            "export function run() { open(); price() }\nexport function again() { other() }\n",
        },
        [
            ("app/main.ts:run", "lib/core/main.ts:open"), ("app/main.ts:run", "lib/price.service.ts:price"),
            ("app/main.ts:again", "lib/price.service.ts:price"), ("web/src/near.ts:near", "web/src/price.service.ts:price"),
        ],
        ["old/price.service.ts:price"],
    ),
    "javascript package beside another file with its name": Case(
        {
            "a/package.dev.json": '{"name": "shop-core"}\n', "lib/package.json": '{"name": "shop-core"}\n',
            "lib/index.js": "export function open() { return 1 }\n",
            "app.js": "import { open } from 'shop-core'\n\nexport function run() { open() }\n",
        },
        [("app.js:run", "lib/index.js:open")],
    ),
    "typescript defaults that a folder shows, objects and injected services": Case(
        {
            "cart/Cart.tsx": "function Cart() { return 1 }\n\nexport default Cart\n",
            "cart/Row.tsx": "const Row = () => 1\n\nexport default Row\n",
            "cart/index.ts": "export { default, default as Cart } from './Cart'\nexport { default as Row } from './Row'\n",
            "stock.ts": "export const stock = {\n  count: () => 1,\n  fill() { return stock.count() }\n}\n\nexport class Store {\n  load() { return 2 }\n}\n",
            "wrapped.ts": "export const Wrapped = memo(() => {\n  function load() { return 1 }\n  return load()\n})\n",
            "app.ts": "import Cart, { Row } from './cart'\nimport { stock, Store } from './stock'\n\n"
            "export function show() { Cart(); Row() }\nexport function fill() { stock.fill() }\n"
            "export class Page {\n  private store = inject(Store)\n  open() { this.store.load() }\n}\n",
        },
        [
            ("app.ts:show", "cart/Cart.tsx:Cart"), ("app.ts:show", "cart/Row.tsx:Row"), ("app.ts:fill", "stock.ts:stock.fill"),
            ("stock.ts:stock.fill", "stock.ts:stock.count"), ("app.ts:Page.open", "stock.ts:Store.load"),
            ("wrapped.ts:Wrapped", "wrapped.ts:Wrapped.load"),
        ],
    ),
    "go packages are folders": Case(
        {
            "go.mod": "module example.com/shop\n\ngo 1.22\n",
            "version.go": "package shop\n\nfunc Version() int { return 1 }\n",
            "tool/tool.go": 'package tool\n\nimport "example.com/shop"\n\nfunc Show() { shop.Version() }\n',
            "store/store.go": "package store\n\ntype Store struct{}\n\nfunc New() *Store { return &Store{} }\n",
            "store/get.go": "package store\n\nfunc (s *Store) Get() int { return s.read() }\n\n"
            "func (s *Store) read() int { return 1 }\n",
            "cache/cache.go": "package cache\n\ntype Store struct{}\n\nfunc (s *Store) Get() int { return 2 }\n",
            "main.go": 'package main\n\nimport "example.com/shop/store"\n\n'
            "func main() {\n\ts := store.New()\n\ts.Get()\n}\n",
        },
        [
            ("tool/tool.go:Show", "version.go:Version"), ("main.go:main", "store/store.go:New"), ("main.go:main", "store/get.go:Store.Get"),
            ("store/get.go:Store.Get", "store/get.go:Store.read"),
        ],
        ["cache/cache.go:Store.Get"],
    ),
    "a go module of tests": Case(
        {
            "go.mod": "module example.com/shop/v3\n",
            "help/help.go": "package help\n\nfunc Open() {}\n",
            "tests/go.mod": "module example.com/shop/tests/v3\n",
            "tests/help/help.go": "package help\n\nfunc Open() {}\n",
            "tests/main.go": 'package tests\n\nimport "example.com/shop/tests/v3/help"\n\nfunc Run() { help.Open() }\n',
        },
        [("tests/main.go:Run", "tests/help/help.go:Open")],
    ),
    "a rust crate and an npm package of one name": Case(
        {
            "bindings/package.json": '{\n  "name": "shop"\n}\n',
            "bindings/src/cart.js": "export function total() { return 1 }\n",
            "crates/core/Cargo.toml": '[package]\nname = "shop"\n',
            "crates/core/src/lib.rs": "pub mod cart;\n",
            "crates/core/src/cart.rs": "pub fn total() {}\n",
            "crates/till/src/main.rs": "use shop::cart::total;\n\nfn main() { total(); }\n",
            "site/main.js": "import { total } from 'shop/cart'\n\nfunction run() { total() }\n",
        },
        [("crates/till/src/main.rs:main", "crates/core/src/cart.rs:total"), ("site/main.js:run", "bindings/src/cart.js:total")],
    ),
    "rust paths from the crate, the module around and another crate": Case(
        {
            "shop/Cargo.toml": '[package]\nname = "shop-core"\n',
            "shop/src/lib.rs": "cfg! {\n    pub mod util;\n}\npub mod net;\npub fn top() {}\n",
            "shop/src/util.rs": "pub fn parse() {}\npub struct Cart;\nimpl Cart {\n    pub fn go() {}\n}\n",
            "shop/src/net/mod.rs": "pub mod pool;\npub fn open() {}\n",
            "shop/src/net/pool.rs": "use super::open as start;\nfn one() { crate::util::parse(); super::open(); }\n"
            "fn two() { crate::util::Cart::go(); super::super::top(); }\nfn three() { self::one(); start(); }\n"
            "mod tests {\n    fn helper() {}\n    fn four(x: X) { assert!(helper()); assert!(x.two()); assert!(y().two()); }\n}\n",
            "app/Cargo.toml": '[package]\nname = "app"\n',
            "app/src/main.rs": "use shop_core::util;\nuse shop_core::top;\nfn main() { util::parse(); top(); helper(); }\n",
            "app/src/util.rs": "pub fn parse() {}\n",
        },
        [("shop/src/net/pool.rs:one", "shop/src/util.rs:parse"), ("shop/src/net/pool.rs:one", "shop/src/net/mod.rs:open"),
         ("shop/src/net/pool.rs:two", "shop/src/util.rs:Cart.go"), ("shop/src/net/pool.rs:two", "shop/src/lib.rs:top"),
         ("shop/src/net/pool.rs:three", "shop/src/net/pool.rs:one"), ("shop/src/net/pool.rs:three", "shop/src/net/mod.rs:open"),
         ("shop/src/net/pool.rs:tests.four", "shop/src/net/pool.rs:tests.helper"),
         ("app/src/main.rs:main", "shop/src/util.rs:parse"), ("app/src/main.rs:main", "shop/src/lib.rs:top")],
    ),
    "rust macros are seen by all modules": Case(
        {
            "src/error.rs": "#[macro_export]\nmacro_rules! fail {\n    ($e:expr) => { return Err($e) };\n}\n",
            "src/a.rs": "macro_rules! twice {\n    ($e:expr) => { $e };\n}\nfn one() { fail!(1); twice!(2); x.fail(); }\n",
            "src/b.rs": "macro_rules! twice {\n    ($e:expr) => { $e };\n}\nfn two() { twice!(2); }\n",
            "src/c.rs": "fn three() { twice!(3); fail!(3); }\n",
            "src/d.rs": "pub fn fail() {}\nfn four() { fail(); fail!(4); check!(4); note(fail!(4)); crate::fail!(4); }\n"
            "mod tests {\n    macro_rules! check {\n        () => {};\n    }\n    fn five() { check!(); }\n}\n",
            "src/e.rs": "fn format() {}\nfn six() { format!(\"\"); }\nfn seven() { let fail = 1; assert!(twice(fail!(fail))); }\n",
        },
        [
            ("src/a.rs:one", "src/error.rs:fail"), ("src/c.rs:three", "src/error.rs:fail"),
            ("src/a.rs:one", "src/a.rs:twice"), ("src/b.rs:two", "src/b.rs:twice"),
            ("src/d.rs:four", "src/d.rs:fail"), ("src/d.rs:four", "src/error.rs:fail"),
            ("src/d.rs:tests.five", "src/d.rs:tests.check"), ("src/e.rs:seven", "src/error.rs:fail"),
        ],
        ["src/e.rs:format"],
    ),
    "rust variables and the modules and types that they are named after": Case(
        {
            "src/lib.rs": "mod cart;\nmod shop;\n",
            "src/cart.rs": "pub struct Item;\nimpl Item {\n    pub fn new() -> Item { Item }\n    pub fn total(&self) {}\n}\npub fn open() {}\n",
            "src/shop.rs": "use crate::cart;\nfn one(cart: &cart::Item) { cart.total(); cart::open(); }\n"
            "fn two(cart: u8) { let item = cart::Item::new(); item.total(); }\n",
            "src/shop.php": "<?php\nclass Till {\n    public static function five() { return self::six(); }\n    public static function six() {}\n}\n",
        },
        [
            ("src/shop.rs:one", "src/cart.rs:Item.total"), ("src/shop.rs:one", "src/cart.rs:open"),
            ("src/shop.rs:two", "src/cart.rs:Item.new"), ("src/shop.rs:two", "src/cart.rs:Item.total"),
            ("src/shop.php:Till.five", "src/shop.php:Till.six"),
        ],
    ),
    "rust parameters for types have the methods of their bounds": Case(
        {
            "src/lib.rs": "trait Price {\n    fn total(&self);\n    fn parse() -> Self;\n}\ntrait Other {\n    fn total(&self);\n    fn parse() -> Self;\n}\n"
            "fn one<P: Clone + Price>(price: &P) { price.total(); }\nfn two<P>(price: P) where P: Price { P::parse(); }\n"
            "fn three<P: Clone>(price: &P) { price.total(); P::parse(); }\nstruct Shop<P> { of: P }\n"
            "impl<P: Price> Shop<P> {\n    fn price(&self) -> &P { &self.of }\n    fn four(&self) { self.price().total(); }\n}\n",
        },
        [
            ("src/lib.rs:one", "src/lib.rs:Price.total"), ("src/lib.rs:two", "src/lib.rs:Price.parse"),
            ("src/lib.rs:Shop.four", "src/lib.rs:Shop.price"), ("src/lib.rs:Shop.four", "src/lib.rs:Price.total"),
        ],
        ["src/lib.rs:Other.total", "src/lib.rs:Other.parse"],
    ),
    "rust patterns give the values of options and variants": Case(
        {
            "src/lib.rs": "struct Cart;\nimpl Cart {\n    fn total(&self) {}\n    fn pay(&self) {}\n}\nstruct Lamp;\nimpl Lamp {\n    fn total(&self) {}\n    fn pay(&self) {}\n}\n"
            "enum Thing { Full(Cart), Lit(Lamp) }\nimpl Thing {\n    fn pay(&self) { match self { Thing::Full(ref cart) => cart.pay(), Self::Lit(_) => {} } }\n}\n"
            "fn find() -> Option<Cart> { None }\nfn one() { if let Some(mut x) = find() { x.total(); } }\n"
            "fn two() { let Some(ref x) = find() else { return }; x.total(); }\nfn three() { match find() { Some(x) => x.total(), None => {} } }\n"
            "fn four() { let x = Thing::Full(Cart); x.total(); }\npub struct Meters(pub Cart);\nimpl Meters {\n    fn five(&self) { self.0.total(); }\n}\n",
        },
        [
            ("src/lib.rs:Thing.pay", "src/lib.rs:Cart.pay"), ("src/lib.rs:one", "src/lib.rs:find"), ("src/lib.rs:two", "src/lib.rs:find"),
            ("src/lib.rs:three", "src/lib.rs:find"), ("src/lib.rs:one", "src/lib.rs:Cart.total"),
            ("src/lib.rs:two", "src/lib.rs:Cart.total"), ("src/lib.rs:three", "src/lib.rs:Cart.total"),
            ("src/lib.rs:Meters.five", "src/lib.rs:Cart.total"),
        ],
        ["src/lib.rs:Lamp.total", "src/lib.rs:Lamp.pay"],
    ),
    "rust modules inside a file show their names": Case(
        {
            "src/lib.rs": "mod sys;\nmod app;\n",
            "src/sys.rs": "pub use self::inner::*;\npub use self::other::{close as shut};\nmod inner {\n    pub fn open() {}\n}\nmod other {\n    pub fn close() {}\n}\n"
            "fn here() { open(); }\n",
            "src/app.rs": "use crate::sys;\nfn run() { sys::open(); sys::shut(); }\n",
        },
        [
            ("src/sys.rs:here", "src/sys.rs:inner.open"), ("src/app.rs:run", "src/sys.rs:inner.open"),
            ("src/app.rs:run", "src/sys.rs:other.close"),
        ],
    ),
    "rust traits that a file imports extend types of libraries": Case(
        {
            "src/lib.rs": "mod error;\nmod app;\nmod other;\n",
            "src/error.rs": "pub trait Context {\n    fn context(self) -> Self;\n    fn add(self);\n}\nimpl<T> Context for Option<T> {\n    fn context(self) -> Self { self }\n    fn add(self) {}\n}\n"
            "struct A;\nimpl A {\n    fn add(&self) {}\n}\nstruct B;\nimpl B {\n    fn add(&self) {}\n}\n",
            "src/app.rs": "use crate::error::Context;\nfn run() { parse(1).context(); parse(2).add(); context(); }\n",
            "src/other.rs": "fn run() { parse(1).context(); }\n",
        },
        [("src/app.rs:run", "src/error.rs:Context.context")],
        ["src/error.rs:Context.add", "src/error.rs:A.add", "src/error.rs:B.add"],
    ),
    "rust paths are exact": Case(
        {
            "src/lib.rs": "mod card;\nmod search;\nmod queue;\n",
            "src/card.rs": "pub enum Kind { New }\npub fn draw() {}\nimpl Kind {\n    pub fn look(&self) {}\n}\n",
            "src/search/mod.rs": "pub fn find() {}\n",
            "src/queue/mod.rs": "mod card;\nmod search;\nuse crate::card::draw;\nfn deal() { draw(); }\n",
            "src/queue/card.rs": "pub enum Kind { Old }\npub fn draw() {}\n",
            "src/queue/search.rs": "use crate::search::find;\nuse super::deal;\nfn run() { find(); deal(); }\n",
        },
        [
            ("src/queue/mod.rs:deal", "src/card.rs:draw"), ("src/queue/search.rs:run", "src/search/mod.rs:find"),
            ("src/queue/search.rs:run", "src/queue/mod.rs:deal"),
        ],
    ),
    "rust wildcards show what their target imports": Case(
        {
            "src/lib.rs": "mod alpha;\nmod beta;\nmod gamma;\nmod other;\nuse crate::alpha::open;\n"
            "pub(crate) use crate::alpha::close as shut;\n",
            "src/alpha.rs": "pub fn open() {}\npub fn close() {}\npub fn hide() {}\n",
            "src/beta.rs": "use super::*;\nuse crate::gamma::*;\nfn run() { open(); shut(); hide(); }\n",
            "src/gamma.rs": "use crate::alpha::hide;\nfn go() { hide(); }\n",
            "src/other.rs": "fn dig() { open(); }\n#[cfg(test)]\nmod tests {\n    use super::*;\n    fn check() { open(); dig(); }\n}\n",
        },
        [
            ("src/beta.rs:run", "src/alpha.rs:open"), ("src/beta.rs:run", "src/alpha.rs:close"),
            ("src/gamma.rs:go", "src/alpha.rs:hide"), ("src/other.rs:tests.check", "src/other.rs:dig"),
        ],
    ),
    "python wildcards show what their target imports, in a circle": Case(
        {
            "pkg/__init__.py": "from .alpha import run, _dig\nfrom .more import *\nfrom .left import twice\nfrom .right import twice as two\n",
            "pkg/alpha.py": "def run(): ...\n\n\ndef _dig(): ...\n",
            "pkg/more.py": "from pkg import *\nfrom .left import lift\n\n\ndef here():\n    run()\n",
            "pkg/left.py": "def lift(): ...\n\n\ndef twice(): ...\n",
            "pkg/right.py": "def twice(): ...\n",
            "one.py": "from pkg.right import twice\n",
            "app.py": "from pkg import *\nfrom one import *\n\n\ndef main():\n    run()\n    lift()\n    twice()\n    _dig()\n",
        },
        [("app.py:main", "pkg/alpha.py:run"), ("app.py:main", "pkg/left.py:lift"), ("pkg/more.py:here", "pkg/alpha.py:run")],
        ["pkg/left.py:twice", "pkg/right.py:twice", "pkg/alpha.py:_dig"],
    ),
    "typescript wildcards show what their target exports, not what it imports": Case(
        {
            "src/alpha.ts": "export function open() {}\nexport function shut() {}\nexport default function start() {}\n",
            "src/index.ts": "import { shut } from './alpha'\nexport { open as launch, default } from './alpha'\n",
            "src/all.ts": "export * from './index'\n",
            "src/use.ts": "import start, { launch, shut } from './all'\nexport function use() { launch(); shut(); start(); }\n",
        },
        [("src/use.ts:use", "src/alpha.ts:open")],
        ["src/alpha.ts:shut", "src/alpha.ts:start"],
    ),
    "dart exports show names to files that import all": Case(
        {
            "lib/alpha.dart": "void open() {}\n",
            "lib/all.dart": "export 'alpha.dart' show open;\n",
            "lib/use.dart": "import 'all.dart';\nvoid use() { open(); }\n",
        },
        [("lib/use.dart:use", "lib/alpha.dart:open")],
    ),
    "python packages whose entry lies beside a main module": Case(
        {
            "aqt/__init__.py": "def setup():\n    return 1\n",
            "aqt/main.py": "def setup():\n    return 2\n",
            "aqt/index.ts": "export function setup() {}\n",
            "app.py": "import aqt\nfrom aqt import setup as start\n\n\ndef run():\n    aqt.setup()\n    start()\n",
        },
        [("app.py:run", "aqt/__init__.py:setup")],
        ["aqt/main.py:setup", "aqt/index.ts:setup"],
    ),
    "go, swift, java and typescript casts give types": Case(
        {
            "go/cart.go": "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Total() int { return 1 }\n\ntype Lamp struct{}\n\n"
            "func (l *Lamp) Total() int { return 2 }\n\nfunc Use(x any) { x.(*Cart).Total() }\n\n"
            "func Keep(x map[string]any) {\n\tcart, ok := x[\"a\"].(*Cart)\n\tcart.Total()\n}\n\nfunc No(x any) { x.([]*Cart).Total() }\n",
            "swift/Cart.swift": "class Cart {\n    func sum() {}\n}\nclass Lamp {\n    func sum() {}\n}\nfunc use(x: Any) {\n"
            "    (x as! Cart).sum()\n}\nfunc keep(x: Any) {\n    guard let cart = x as? Cart else { return }\n    cart.sum()\n}\n",
            "java/Box.java": "package box;\n\nclass Box {\n  int size() { return 1; }\n}\n",
            "java/Bag.java": "package box;\n\nclass Bag {\n  int size() { return 1; }\n  int use(Object x) { return ((Box) x).size(); }\n"
            "  int no(int size) { return (size) - 1; }\n}\n",
            "ts/cart.ts": "export class Cart {\n  pay() {}\n}\nexport class Lamp {\n  pay() {}\n}\nexport function use(x: unknown) {\n"
            "  (x as Cart).pay()\n}\nexport function keep(x: unknown) {\n  const cart = x as unknown as Cart\n  cart.pay()\n}\n"
            "export function later(x: unknown) {\n  const made = (() => x as Cart)\n  made.pay()\n}\n",
        },
        [
            ("go/cart.go:Use", "go/cart.go:Cart.Total"), ("go/cart.go:Keep", "go/cart.go:Cart.Total"),
            ("swift/Cart.swift:use", "swift/Cart.swift:Cart.sum"), ("swift/Cart.swift:keep", "swift/Cart.swift:Cart.sum"),
            ("java/Bag.java:Bag.use", "java/Box.java:Box.size"), ("ts/cart.ts:use", "ts/cart.ts:Cart.pay"),
            ("ts/cart.ts:keep", "ts/cart.ts:Cart.pay"),
        ],
    ),
    "kotlin extensions of the receiver of a lambda": Case(
        {
            "ui/Items.kt": "package ui\n\nfun ListScope.cartItems() {}\n\nfun items() {}\n",
            "app/Main.kt": "package app\n\nimport ui.cartItems\nimport other.gone\n\nfun ListScope.footer() {}\n\nfun main() {\n    LazyColumn {\n"
            "        cartItems()\n        footer()\n        gone()\n    }\n}\n",
            "app/Gone.kt": "package app\n\nfun ListScope.gone() {}\n",
        },
        [("app/Main.kt:main", "ui/Items.kt:ListScope.cartItems"), ("app/Main.kt:main", "app/Main.kt:ListScope.footer")],
    ),
    "scala package objects": Case(
        {
            "shop/package.scala": "package com.shop\n\npackage object tax {\n  def rate(a: Int) = 1\n}\n",
            "shop/Other.scala": "package com.shop\n\nobject Other {\n  def rate(a: Int) = 2\n}\n",
            "app/Main.scala": "package com.app\n\nimport com.shop.tax._\n\nobject Main {\n  def one = rate(1)\n}\n",
            "tax/Inside.scala": "package com.shop.tax\n\nobject Inside {\n  def two = rate(2)\n}\n",
        },
        [("app/Main.scala:Main.one", "shop/package.scala:rate"), ("tax/Inside.scala:Inside.two", "shop/package.scala:rate")],
    ),
    "rust modules, pub use and impl": Case(
        {
            "src/lib.rs": "mod store;\npub use store::Store;\n\npub fn open() -> Store { Store::new() }\n",
            "src/store.rs": "pub struct Store { size: usize }\n\nimpl Store {\n    pub fn new() -> Self { Store { size: 0 } }\n"
            "    pub fn get(&self) -> usize { self.check() }\n    fn check(&self) -> usize { 1 }\n}\n",
            "src/main.rs": "use crate::store::Store;\n\nfn main() {\n    let s = Store::new();\n    s.get();\n}\n",
        },
        [
            ("src/main.rs:main", "src/store.rs:Store.new"), ("src/main.rs:main", "src/store.rs:Store.get"),
            ("src/lib.rs:open", "src/store.rs:Store.new"), ("src/store.rs:Store.get", "src/store.rs:Store.check"),
        ],
    ),
    "java packages, fields and inherited methods": Case(
        {
            "a/shop/Cart.java": "package shop;\n\npublic class Cart extends Basket {\n  int total() { return sum(); }\n}\n",
            "a/shop/Basket.java": "package shop;\n\nclass Basket {\n  int sum() { return 1; }\n}\n",
            "b/other/Cart.java": "package other;\n\npublic class Cart {\n  int total() { return 2; }\n}\n",
            "c/app/Main.java": "package app;\n\nimport shop.Cart;\n\nclass Main {\n  private Cart cart;\n"
            "  void run() { cart.total(); }\n}\n",
        },
        [("c/app/Main.java:Main.run", "a/shop/Cart.java:Cart.total"), ("a/shop/Cart.java:Cart.total", "a/shop/Basket.java:Basket.sum")],
        ["b/other/Cart.java:Cart.total"],
    ),
    "kotlin top-level functions": Case(
        {
            "a/Text.kt": "package text\n\nfun trim(s: String): String = s\n",
            "b/Text.kt": "package other\n\nfun trim(s: String): String = s\n",
            "c/Main.kt": "package app\n\nimport text.trim\n\nfun main() { trim(\"a\") }\n",
        },
        [("c/Main.kt:main", "a/Text.kt:trim")],
        ["b/Text.kt:trim"],
    ),
    "csharp namespaces": Case(
        {
            "A.cs": "namespace Shop.Core;\n\npublic class Cart { public int Total() { return Sum(); } int Sum() { return 1; } }\n",
            "B.cs": "using Shop.Core;\n\nnamespace App;\n\nclass Main { void Run() { var c = new Cart(); c.Total(); } }\n",
        },
        [("B.cs:Main.Run", "A.cs:Cart"), ("B.cs:Main.Run", "A.cs:Cart.Total"), ("A.cs:Cart.Total", "A.cs:Cart.Sum")],
    ),
    "csharp members called like their type": Case(
        {
            "Limit.cs": "namespace Shop;\n\npublic class Limit { public bool Allows(int n) { return n > 3; } }\n",
            "Sync.cs": "namespace Shop;\n\npublic class Sync { static Limit Limit = new Limit(); bool Run() { return Limit.Allows(2); } }\n",
            "Page.cs": "namespace Shop;\n\npublic class Page { public Limit Limit { get; set; } bool Go(Page page) { return page.Limit.Allows(2); } }\n",
        },
        [
            ("Sync.cs:Sync.Run", "Limit.cs:Limit.Allows"), ("Page.cs:Page.Go", "Limit.cs:Limit.Allows"),
            ("Sync.cs:Sync", "Limit.cs:Limit"),
        ],
    ),
    "csharp this, base, and classes before interfaces": Case(
        {
            "Base.cs": "public class Root { public int Sum() { return 1; } }\n\npublic class Base : Root { }\n\npublic interface ICart { int Sum(); }\n",
            "Cart.cs": "public class Cart : Base, ICart {\n  int Own() { return 1; }\n  int A() { return this.Own(); }\n  int B() { return base.Sum(); }\n  int C(Cart c) { return c.Sum(); }\n}\n",
        },
        [
            ("Cart.cs:Cart.A", "Cart.cs:Cart.Own"), ("Cart.cs:Cart.B", "Base.cs:Root.Sum"),
            ("Cart.cs:Cart.C", "Base.cs:Root.Sum"),
        ],
        ["Base.cs:ICart.Sum"],
    ),
    "csharp the type of a member with its name, in a class around it": Case(
        {
            "A.cs": "public class Tests {\n  public class Item { public Price Price { get; set; } public int Sum() { return Price.Value(); } }\n  public class Price { public int Value() { return 1; } }\n}\n",
            "B.cs": "public class Price { public int Value() { return 2; } }\n",
            "C.cs": "public interface IOwn { ITotal Sum { get; } }\n\npublic interface ITotal { }\n",
            "D.cs": "public class Total { public int Add() { return 1; } }\n\npublic class Cart : IOwn {\n  public Total Sum => null;\n  ITotal IOwn.Sum => null;\n}\n\npublic class Page { int Go(Cart c) { return c.Sum.Add(); } }\n",
        },
        [("A.cs:Tests.Item.Sum", "A.cs:Tests.Price.Value"), ("D.cs:Page.Go", "D.cs:Total.Add")],
        ["B.cs:Price"],
    ),
    "c prototypes do not shadow definitions": Case(
        {
            "list.h": "int list_size(void);\nint list_add(int value);\n",
            "list.c": '#include "list.h"\n\nint list_size(void) { return 1; }\n\nint list_add(int value) { return list_size(); }\n',
            "main.c": '#include "list.h"\n\nint main(void) { return list_add(1); }\n',
        },
        [("main.c:main", "list.c:list_add"), ("list.c:list_add", "list.c:list_size")],
    ),
    "cpp members across header and source": Case(
        {
            "cart.h": "class Cart {\n public:\n  int total();\n  int twice() { return total(); }\n};\n",
            "cart.cpp": '#include "cart.h"\n\nint Cart::total() { return 1; }\n',
            "main.cpp": '#include "cart.h"\n\nint main() { Cart cart; return cart.total(); }\n',
        },
        [("main.cpp:main", "cart.cpp:Cart.total"), ("cart.h:Cart.twice", "cart.cpp:Cart.total")],
    ),
    "cpp values of auto, casts, smart pointers and prototypes": Case(
        {
            "cart.h": "class Item { public: int cost(); };\nclass Cart {\n public:\n  Item &item(int at) const;\n  Item &item(const char *name) const;\n"
            "  virtual Item *last() = 0;\n};\nclass Gift : public Cart { public: void wrap(); void tie(); void send(); };\n",
            "cart.cpp": '#include "cart.h"\nint Item::cost() { return 1; }\nItem &Cart::item(int at) const { return items[at]; }\n'
            "Item &Cart::item(const char *name) const { return items[0]; }\nvoid Gift::wrap() {}\nvoid Gift::tie() {}\nvoid Gift::send() {}\n"
            "class Other { public: int cost() { return 2; } void wrap() {} void tie() {} void send() {} };\n",
            "main.cpp": '#include "cart.h"\nint one(Cart &cart) { auto &item = cart.item(1); return item.cost(); }\n'
            "int two(Cart &cart) { return cart.last()->cost(); }\n"
            "void three(Base &base) { auto &gift = base.list[0].Cast<Gift>(); gift.wrap(); }\n"
            "void four(Cart *cart) { if (auto *gift = dynamic_cast<const Gift *>(cart)) { gift->tie(); } }\n"
            "void five() { auto gift = std::make_unique<Gift>(); gift->send(); }\n",
        },
        [("main.cpp:one", "cart.cpp:Cart.item"), ("main.cpp:one", "cart.cpp:Item.cost"), ("main.cpp:two", "cart.h:Cart.last"), ("main.cpp:two", "cart.cpp:Item.cost"),
         ("main.cpp:three", "cart.cpp:Gift.wrap"),
         ("main.cpp:four", "cart.cpp:Gift.tie"), ("main.cpp:five", "cart.cpp:Gift.send")],
    ),
    "cpp overloads and prototypes with several results": Case(
        {
            "cart.h": "class Item { public: int cost() { return 1; } };\nclass Tag { public: int cost() { return 2; } };\n"
            "class Cart {\n public:\n  Item &at(int place) { return items[place]; }\n  Tag &at(const char *name) { return tags[0]; }\n"
            "  virtual Item *last(int place) = 0;\n  virtual Tag *last() = 0;\n};\n",
            "main.cpp": '#include "cart.h"\nint one(Cart &cart) { return cart.at("x").cost(); }\nint two(Cart &cart) { return cart.last()->cost(); }\n',
        },
        [("main.cpp:one", "cart.h:Cart.at"), ("main.cpp:two", "cart.h:Cart.last")],
        ["cart.h:Item.cost", "cart.h:Tag.cost"],
    ),
    "java overloads with several results": Case(
        {
            "Cart.java": "class Cart {\n  Item at(int place) { return null; }\n  Tag at(String name) { return null; }\n"
            "  Item one(int place) { return null; }\n  Item one(String name) { return null; }\n}\n"
            "class Item { int cost() { return 1; } }\nclass Tag { int cost() { return 2; } }\n",
            "Use.java": "class Use {\n  int any(Cart cart) { return cart.at(\"x\").cost(); }\n  int same(Cart cart) { return cart.one(1).cost(); }\n}\n",
        },
        [("Use.java:Use.any", "Cart.java:Cart.at"), ("Use.java:Use.same", "Cart.java:Cart.one"), ("Use.java:Use.same", "Cart.java:Item.cost")],
        ["Cart.java:Tag.cost"],
    ),
    "kotlin functions inside of functions extend nothing": Case(
        {
            "build.kt": "package a\n\nfun build(): List<Int> {\n    val items = mutableListOf<Int>()\n    fun add(item: Int) { items += item }\n    add(1)\n    return items\n}\n",
            "use.kt": "package a\n\nfun use(items: MutableList<Int>) { items.add(2) }\n",
        },
        [("build.kt:build", "build.kt:build.add")],
    ),
    "php facades": Case(
        {
            "app/Cart.php": "<?php\nnamespace App;\nclass Cart {\n    public function total() { return 1; }\n}\n",
            "app/TaxService.php": "<?php\nnamespace App;\nclass TaxService {\n    public function rate() { return 1; }\n}\n",
            "app/Facades/Cart.php": "<?php\nnamespace App\\Facades;\nuse Illuminate\\Support\\Facades\\Facade;\n"
            "class Cart extends Facade {\n    protected static function getFacadeAccessor() { return 'cart'; }\n}\n",
            "app/Facades/Tax.php": "<?php\nnamespace App\\Facades;\nuse App\\TaxService;\nuse Illuminate\\Support\\Facades\\Facade;\n"
            "class Tax extends Facade {\n    protected static function getFacadeAccessor() { return TaxService::class; }\n}\n",
            "app/Tax.php": "<?php\nnamespace App;\nclass Tax {\n    public function rate() { return 2; }\n}\n",
            "app/Shop.php": "<?php\nnamespace App;\nuse App\\Facades\\Cart;\nuse App\\Facades\\Tax;\nclass Shop {\n"
            "    public function open() { return Cart::total() + Tax::rate() + Cart::size(); }\n}\n",
        },
        [("app/Shop.php:Shop.open", "app/Cart.php:Cart.total"), ("app/Shop.php:Shop.open", "app/TaxService.php:TaxService.rate")],
    ),
    "php names in namespaces": Case(
        {
            "src/Shop.php": "<?php\nnamespace App;\nuse Lib\\Cart;\nuse Lib\\Stock as Store;\nclass Shop {\n"
            "    function open(Cart\\Item $item) {\n        $item->weigh();\n        Store\\count_all();\n"
            "        Inner\\Item::make();\n        new \\Item();\n    }\n}\n",
            "src/Item.php": "<?php\nnamespace App;\nclass Item { function weigh() {} static function make() {} }\n",
            "src/Inner/Item.php": "<?php\nnamespace App\\Inner;\nclass Item { function weigh() {} static function make() {} }\n",
            "lib/Cart.php": "<?php\nnamespace Lib;\nclass Cart { function weigh() {} }\n",
            "lib/Cart/Item.php": "<?php\nnamespace Lib\\Cart;\nclass Item { function weigh() {} static function make() {} }\n",
            "lib/Stock/count.php": "<?php\nnamespace Lib\\Stock;\nfunction count_all() {}\n",
            "old/count.php": "<?php\nnamespace Old;\nfunction count_all() {}\n",
            "old/Item.php": "<?php\nclass Item {}\n",
        },
        [
            ("src/Shop.php:Shop.open", "lib/Cart/Item.php:Item.weigh"),
            ("src/Shop.php:Shop.open", "lib/Stock/count.php:count_all"),
            ("src/Shop.php:Shop.open", "src/Inner/Item.php:Item.make"),
            ("src/Shop.php:Shop.open", "old/Item.php:Item"),
        ],
        [
            "src/Item.php:Item", "src/Item.php:Item.weigh", "src/Item.php:Item.make", "src/Inner/Item.php:Item.weigh",
            "lib/Cart.php:Cart.weigh", "lib/Cart/Item.php:Item.make", "old/count.php:count_all",
        ],
    ),
    "php types in comments, cases of enums, and a field with the name of a method": Case(
        {
            "Box.php": "<?php\nclass Box {\n    /** @var Lid|null */\n    private $lid;\n    /** @var Jar[] */\n    private $jars;\n"
            "    private array $fill = [];\n    /**\n     * Fills.\n     * @return Jar\n     */\n    function jar() {}\n"
            "    function fill(): self { return $this; }\n    function open() {}\n    function use() {\n"
            "        $this->lid->lift();\n        $this->jars->pour();\n        $this->jar()->empty();\n        Kind::Small->label();\n"
            "        $this->fill()->open();\n    }\n}\n",
            "Lid.php": "<?php\nclass Lid { function lift() {} }\nclass Other { function lift() {} function empty() {} function label() {} }\n",
            "Jar.php": "<?php\nclass Jar { function pour() {} function empty() {} }\nclass Can { function pour() {} function open() {} }\n",
            "Kind.php": "<?php\nenum Kind { case Small; function label() {} }\n",
        },
        [
            ("Box.php:Box.use", "Lid.php:Lid.lift"), ("Box.php:Box.use", "Jar.php:Jar.empty"),
            ("Box.php:Box.use", "Kind.php:Kind.label"), ("Box.php:Box.use", "Box.php:Box.open"),
            ("Box.php:Box.use", "Box.php:Box.jar"), ("Box.php:Box.use", "Box.php:Box.fill"),
        ],
        ["Jar.php:Jar.pour", "Lid.php:Other.lift"],
    ),
    "php classes without a name": Case(
        {
            "src/Model.php": "<?php\nnamespace App;\nabstract class Model {\n    public function save() { return 1; }\n}\n",
            "src/Shop.php": "<?php\nnamespace App;\nclass Shop {\n    public function make() { return new class extends Model {}; }\n"
            "    public function go() { return $this->save(); }\n}\n",
        },
        [],
        ["src/Model.php:Model.save"],
    ),
    "cpp namespaces": Case(
        {
            "shop.cpp": "namespace shop {\nint total(int a) { return a; }\ntemplate <typename T> T sum(T a) { return a; }\n"
            "namespace tax { int rate() { return 1; } }\n}\n",
            "more.cpp": "namespace shop {\nint count() { return 1; }\n}\nnamespace a::b { int deep() { return 1; } }\n",
            "bank.cpp": "namespace bank {\nint total(int a) { return 2; }\nint rate() { return 3; }\n}\nint deep() { return 4; }\n",
            "app/main.cpp": "int one() { return shop::total(1) + ::shop::count() + shop::sum<int>(2); }\n"
            "int two() { return shop::tax::rate() + a::b::deep(); }\n"
            "int three() { return std::total(1) + ::three(); }\n",
        },
        [("app/main.cpp:one", "shop.cpp:total"), ("app/main.cpp:one", "more.cpp:count"), ("app/main.cpp:one", "shop.cpp:sum"),
         ("app/main.cpp:two", "shop.cpp:rate"), ("app/main.cpp:two", "more.cpp:deep")],
    ),
    "ruby functions of a file, and methods that variables do not hide": Case(
        {
            "bin/run.rb": "def help\nend\ndef main\n  help\nend\nmain\ntotal\ndescribe do\n  def helper\n  end\n  helper\nend\n",
            "order.rb": "class Order\n  def total(rate, total = total(), *rest, base: 1)\n    rate = rate * 2\n    rate + rest + base\n  end\n"
            "  def sum\n    total = total(2)\n  end\n  def rate\n  end\n  def rest\n  end\n  def base\n  end\nend\n",
        },
        [
            ("bin/run.rb:main", "bin/run.rb:help"), ("bin/run.rb", "bin/run.rb:main"), ("bin/run.rb", "bin/run.rb:helper"),
            ("order.rb:Order.sum", "order.rb:Order.total"),
        ],
    ),
    "ruby names alone": Case(
        {
            "base.rb": "class Base\n  def allowed\n    1\n  end\n\n  def rank\n    2\n  end\nend\n",
            "story.rb": "class Story < Base\n  before_action :find_it, if: :ready\n\n  def hot\n    [allowed, score]\n  end\n\n"
            "  def score\n    rank = 3\n    rank + limit { |depth| depth }\n  end\n\n  def limit\n    5\n  end\n\n  def depth\n    6\n  end\n\n"
            "  def find_it\n    7\n  end\n\n  def ready\n    8\n  end\nend\n",
        },
        [
            ("story.rb:Story.hot", "base.rb:Base.allowed"),
            ("story.rb:Story.hot", "story.rb:Story.score"),
            ("story.rb:Story.score", "story.rb:Story.limit"),
            ("story.rb:Story", "story.rb:Story.find_it"),
            ("story.rb:Story", "story.rb:Story.ready"),
        ],
        ["base.rb:Base.rank", "story.rb:Story.depth"],
    ),
    "ruby results, writers and attributes": Case(
        {
            "lib/shop.rb": "class Shop\n  def self.open(path)\n    shop = new(path)\n    shop.open(path)\n  end\n\n  def open(path)\n    load path\n    self\n  end\n\n"
            "  def cart\n    @cart ||= Cart.new self\n  end\n\n  def name\n    1\n  end\n\n  def self.main\n    ::Shop::Row.new.total\n  end\nend\n",
            "lib/row.rb": "class Shop::Row\n  def total\n    4\n  end\nend\n",
            "lib/cart.rb": "class Cart\n  def total\n    1\n  end\n\n  def total=(sum)\n    2\n  end\n\n  def name\n    3\n  end\nend\n",
            "lib/special.rb": "class Special < Cart\n  attr_reader :name\n\n  def self.show\n    Special.new.name\n  end\nend\n",
            "app/main.rb": "class Main\n  def run(path)\n    Shop.open(path).cart.total = 3\n  end\n\n  def sum\n    (Cart.new self, 1).total == 3\n  end\nend\n",
        },
        [
            ("lib/shop.rb:Shop.open", "lib/shop.rb:Shop"), ("lib/shop.rb:Shop.cart", "lib/cart.rb:Cart"),
            ("lib/shop.rb:Shop.main", "lib/row.rb:Shop.Row"), ("lib/shop.rb:Shop.main", "lib/row.rb:Shop.Row.total"),
            ("lib/special.rb:Special.show", "lib/special.rb:Special"),
            ("app/main.rb:Main.run", "lib/shop.rb:Shop.open"), ("app/main.rb:Main.run", "lib/shop.rb:Shop.cart"),
            ("app/main.rb:Main.run", "lib/cart.rb:Cart.total="),
            ("app/main.rb:Main.sum", "lib/cart.rb:Cart"), ("app/main.rb:Main.sum", "lib/cart.rb:Cart.total"),
        ],
        ["lib/cart.rb:Cart.name"],
    ),
    "ruby writers in a file without names alone, and new in other languages": Case(
        {
            "cart.rb": "class Cart\n  def total\n    1\n  end\n\n  def total=(sum)\n    2\n  end\nend\n",
            "set.rb": "Cart.new.total = 3\n",
            "cart.scala": "class Cart {\n  def total: Int = 1\n  def total_=(n: Int): Unit = ()\n}\n\nobject Main {\n  def fill(cart: Cart): Unit = { cart.total = 1 }\n}\n",
            "cart.go": "package cart\n\ntype Cart struct{}\n\nfunc (c *Cart) Total() {}\n\ntype Lamp struct{}\n\nfunc (l *Lamp) Total() {}\n\nfunc (l *Lamp) Light() { c := new(Cart); c.Total() }\n",
            "cart.py": "class Cart:\n    def total(self): ...\n\n\ndef new() -> Cart: ...\n\n\nclass Lamp:\n    def total(self): ...\n\n    def light(self):\n        cart = new()\n        cart.total()\n",
        },
        [("set.rb", "cart.rb:Cart"), ("set.rb", "cart.rb:Cart.total="), ("cart.py:Lamp.light", "cart.py:new"), ("cart.scala:Main.fill", "cart.scala:Cart.total"), ("cart.go:Lamp.Light", "cart.go:Cart.Total"),
         ("cart.py:Lamp.light", "cart.py:Cart.total")],
        ["cart.rb:Cart.total", "cart.go:Lamp.Total", "cart.py:Lamp.total"],
    ),
    "ruby names alone in a whole tree": Case(
        {"cart.rb": "class Cart\n  def do_it\n    1\n  end\nend\n\nclass Shop < Base\n  def run\n    do_it 1\n  end\nend\n"},
        [("cart.rb:Shop.run", "cart.rb:Cart.do_it")],
    ),
    "ruby methods that objects have from outside": Case(
        {
            "test/helper.rb": "class Minitest::Test\n  def assert_full(cart)\n    cart\n  end\n\n  def once(cart)\n    cart\n  end\nend\n",
            "test/cart_test.rb": "class CartTest < Minitest::Test\n  def test_fill\n    assert_full 1\n    once 2\n    full_price\n  end\nend\n\n"
            "describe 'Cart' do\n  it { assert_full 2 }\nend\n",
            "lib/a.rb": "class A\n  def full_price\n    assert_full 3\n  end\n\n  def sole_item\n  end\nend\n",
            "lib/b.rb": "class B\n  attr_reader :sole_item\n\n  def run\n    C.new.instance_eval { sole_item }\n  end\nend\n",
        },
        [("test/cart_test.rb:CartTest.test_fill", "test/helper.rb:Minitest.Test.assert_full"), ("test/cart_test.rb", "test/helper.rb:Minitest.Test.assert_full"),
         ("test/cart_test.rb:CartTest.test_fill", "lib/a.rb:A.full_price")],
        ["lib/a.rb:A.sole_item", "test/helper.rb:Minitest.Test.once"],
    ),
    "ruby autoload by name": Case(
        {
            "lib/cart.rb": "class Cart\n  def total(x)\n    add(x)\n  end\n\n  def add(x)\n    x\n  end\nend\n",
            "app/main.rb": "class Main\n  def run\n    cart = Cart.new\n    cart.total(1)\n  end\nend\n",
        },
        [("app/main.rb:Main.run", "lib/cart.rb:Cart"), ("app/main.rb:Main.run", "lib/cart.rb:Cart.total"), ("lib/cart.rb:Cart.total", "lib/cart.rb:Cart.add")],
    ),
    "ruby classes that begin as a constant": Case(
        {
            "lib/place.rb": "Place = Struct.new(:lat)\n\nclass Place\n  include Liquid\n\n  def initialize(data)\n    self.lat = data\n  end\n\n  def empty?\n    lat.nil?\n  end\nend\n",
            "app/main.rb": "class Main\n  def run\n    Place.new(1).empty?\n  end\nend\n",
        },
        [("app/main.rb:Main.run", f"lib/place.rb:{name}") for name in ("Place", "Place.empty?")],
    ),
    "php use and fields": Case(
        {
            "src/Cart.php": "<?php\nnamespace App\\Models;\n\nclass Cart {\n  public function total() { return $this->sum(); }\n"
            "  private function sum() { return 1; }\n}\n",
            "src/Other.php": "<?php\nnamespace App\\Other;\n\nclass Cart {\n  public function total() { return 2; }\n}\n",
            "src/Main.php": "<?php\nnamespace App;\n\nuse App\\Models\\Cart;\n\nclass Main {\n  private Cart $cart;\n"
            "  public function run() { $this->cart->total(); $c = new Cart(); $c->total(); }\n}\n",
        },
        [("src/Main.php:Main.run", "src/Cart.php:Cart.total"), ("src/Main.php:Main.run", "src/Cart.php:Cart"),
         ("src/Cart.php:Cart.total", "src/Cart.php:Cart.sum")],
        ["src/Other.php:Cart.total"],
    ),
    "elixir aliases": Case(
        {
            "lib/app/cart.ex": "defmodule App.Cart do\n  def total(x), do: sum(x)\n\n  def sum(x), do: x\nend\n",
            "lib/app/main.ex": "defmodule App.Main do\n  alias App.Cart\n\n  def run(x), do: Cart.total(x)\nend\n",
        },
        [("lib/app/main.ex:App.Main.run", "lib/app/cart.ex:App.Cart.total"), ("lib/app/cart.ex:App.Cart.total", "lib/app/cart.ex:App.Cart.sum")],
    ),
    "php whole names, and objects from a container": Case(
        {
            "src/Cart.php": "<?php\nnamespace App\\Models;\n\nclass Cart {\n  const MOST = 3;\n  public static $all = [];\n"
            "  public static function open() {}\n  public function total() {}\n}\n",
            "src/Main.php": "<?php\nnamespace App;\n\nclass Main {\n  public function whole() { \\App\\Models\\Cart::open(); }\n"
            "  public function typed(\\App\\Models\\Cart $c) { $c->total(); }\n"
            "  public function made() { $c = app()->make(Cart::class); $c->total(); }\n"
            "  public function asked() { app(\\App\\Models\\Cart::class)->total(); }\n"
            "  public function given($container) { $c = $this->container->get(Cart::class, [1]); $c->total(); }\n"
            "  public function other($c, $map) { $map->put(Cart::class)->total(); }\n}\n",
        },
        [("src/Main.php:Main.whole", "src/Cart.php:Cart.open"),
         *((f"src/Main.php:Main.{name}", "src/Cart.php:Cart.total") for name in ("typed", "made", "asked", "given"))],
    ),
    "php classes of one name in two namespaces": Case(
        {
            "src/a/Fields.php": "<?php\nnamespace A;\n\nclass Fields {\n  use Nil;\n\n  public function run() { return $this->isNil(); }\n}\n",
            "src/a/Nil.php": "<?php\nnamespace A;\n\ntrait Nil {\n  public function isNil() { return 1; }\n}\n",
            "src/b/Fields.php": "<?php\nnamespace B;\n\nclass Fields {\n  public function isNil() { return 2; }\n}\n",
        },
        [("src/a/Fields.php:Fields.run", "src/a/Nil.php:Nil.isNil")],
        ["src/b/Fields.php:Fields.isNil"],
    ),
    "php traits before interfaces": Case(
        {
            "src/Keyed.php": "<?php\nnamespace App;\n\ninterface Keyed {\n  public function key();\n}\n",
            "src/Keys.php": "<?php\nnamespace App;\n\ntrait Keys {\n  public function key() { return 1; }\n}\n",
            "src/Main.php": "<?php\nnamespace App;\n\nclass Main implements Keyed {\n  use Keys;\n\n  public function run() { return $this->key(); }\n}\n",
        },
        [("src/Main.php:Main.run", "src/Keys.php:Keys.key")],
        ["src/Keyed.php:Keyed.key"],
    ),
    "php objects in brackets, and what is caught": Case(
        {
            "src/Oops.php": "<?php\nnamespace App;\n\nclass Oops extends \\Exception {\n  public function hint() { return 1; }\n}\n",
            "src/Other.php": "<?php\nnamespace Lib;\n\nclass Other {\n  public function hint() { return 2; }\n}\n",
            "src/Main.php": "<?php\nnamespace App;\n\nclass Main {\n  public function run() {\n    try { go(); } catch (Oops $e) { $e->hint(); }\n  }\n"
            "  public function chain() { (new Oops())->hint(); }\n}\n",
        },
        [("src/Main.php:Main.run", "src/Oops.php:Oops.hint"), ("src/Main.php:Main.chain", "src/Oops.php:Oops.hint"),
         ("src/Main.php:Main.chain", "src/Oops.php:Oops")],
        ["src/Other.php:Other.hint"],
    ),
    "elixir imports, use and whole module names": Case(
        {
            "lib/app/core/mail.ex": "defmodule App.Core.Mail do\n  def to(x), do: x\n\n  def subject(x) when is_binary(x), do: x\n  def subject(x), do: x\nend\n",
            "lib/app/core/box.ex": "defmodule App.Core.Box do\n  def push(x), do: x\nend\n",
            "lib/app/case.ex": "defmodule App.Case do\n  defmacro __using__(_) do\n    quote do\n      import App.Core.Mail\n    end\n  end\nend\n",
            "lib/app/quiet.ex": "defmodule App.Quiet do\n  import App.Core.Box\n\n  def hush(x), do: push(x)\nend\n",
            "lib/app/main.ex": "defmodule App.Main do\n  use App.Case\n  import App.Quiet\n  alias App.Core\n\n"
            "  def run(x), do: to(x)\n\n  def title(x), do: subject(x)\n\n  def whole(x), do: App.Core.Box.push(x)\n\n"
            "  def part(x), do: Core.Box.push(x)\n\n  def near(x), do: hush(x)\nend\n",
        },
        [("lib/app/main.ex:App.Main.run", "lib/app/core/mail.ex:App.Core.Mail.to"),
         ("lib/app/main.ex:App.Main.title", "lib/app/core/mail.ex:App.Core.Mail.subject"),
         ("lib/app/main.ex:App.Main.whole", "lib/app/core/box.ex:App.Core.Box.push"),
         ("lib/app/main.ex:App.Main.part", "lib/app/core/box.ex:App.Core.Box.push"),
         ("lib/app/main.ex:App.Main.near", "lib/app/quiet.ex:App.Quiet.hush"),
         ("lib/app/quiet.ex:App.Quiet.hush", "lib/app/core/box.ex:App.Core.Box.push")],
    ),
    "elixir modules with a part of their name, and calls without brackets": Case(
        {
            "lib/shop.ex": "defmodule Shop do\n  defdelegate total(cart), to: Shop.Cart, as: :sum\n  defdelegate add(cart), to: Shop.Cart\nend\n",
            "lib/shop/cart.ex": "defmodule Shop.Cart do\n  def sum(x), do: x\n\n  def add(x), do: x\nend\n",
            "lib/shop/version.ex": "defmodule Shop.Version do\n  def compare(x), do: x\n\n  def newer(x), do: Version.compare(x)\nend\n",
            "lib/shop/mix.ex": "defmodule Shop.Mix do\n  def shell(x), do: x\nend\n",
            "lib/shop/server.ex": "defmodule Shop.Server do\n  def open(x), do: x\nend\n",
            "lib/shop/store/server.ex": "defmodule Shop.Store.Server do\n  def open(x), do: x\nend\n",
            "lib/shop/parts.ex": "defmodule Shop.Parts.Head do\n  def title(x), do: x\nend\n\ndefmodule Shop.Parts.Foot do\n  def link(x), do: x\nend\n",
            "lib/shop/page.ex": "defmodule Shop.Page do\n  use Mix.Task\n  alias Shop.Store\n  alias Store.Server\n  alias __MODULE__.Row\n  import Shop.Parts.{Head, Foot}\n\n"
            "  def run(x), do: Server.open(x)\n\n  def row(x), do: Row.show(x)\n\n  def head(x), do: x |> title |> Shop.Cart.sum |> link()\n\n"
            "  def task(x), do: Mix.shell(x)\n\n  defmodule Cell do\n    def show(x), do: x\n  end\n\n  def cell(x), do: Cell.show(x)\nend\n",
            "lib/shop/page/row.ex": "defmodule Shop.Page.Row do\n  def show(x), do: x\nend\n",
        },
        [("lib/shop.ex:Shop.total", "lib/shop/cart.ex:Shop.Cart.sum"), ("lib/shop.ex:Shop.add", "lib/shop/cart.ex:Shop.Cart.add"),
         ("lib/shop/page.ex:Shop.Page.run", "lib/shop/store/server.ex:Shop.Store.Server.open"),
         ("lib/shop/page.ex:Shop.Page.row", "lib/shop/page/row.ex:Shop.Page.Row.show"),
         ("lib/shop/page.ex:Shop.Page.head", "lib/shop/parts.ex:Shop.Parts.Head.title"),
         ("lib/shop/page.ex:Shop.Page.head", "lib/shop/parts.ex:Shop.Parts.Foot.link"),
         ("lib/shop/page.ex:Shop.Page.head", "lib/shop/cart.ex:Shop.Cart.sum"),
         ("lib/shop/page.ex:Shop.Page.cell", "lib/shop/page.ex:Shop.Page.Cell.show")],
    ),
    "elixir specifications and attributes call nothing": Case(
        {
            "lib/cart.ex": "defmodule Cart do\n  @version 1\n  @type total :: integer()\n  @spec sum(Cart.total()) :: total()\n"
            "  def sum(x), do: x\n\n  def total(x), do: x\n\n  def version, do: 1\nend\n",
        },
        [],
        ["lib/cart.ex:Cart.total", "lib/cart.ex:Cart.version"],
    ),
    "cuda kernels": Case(
        {
            "kernels.cuh": "#pragma once\ntemplate <typename T> __global__ void add(T *a, int n) {\n    a[0] = weigh(a[0]);\n}\ntemplate <typename T> __global__ void add(T *a, T *b, int n) {\n    a[0] = weigh(b[0]);\n}\n\n"
            "__device__ __forceinline__ float weigh(float x) { return x; }\n\nnamespace shop {\n__global__ void clear(float *a) {}\n}\n",
            "cart.h": "struct Cart {\n    float *prices;\n    void sum();\n};\n", "open.c": "int open_shop(void) { return 1; }\n",
            "cart.cu": "#include \"cart.h\"\n#include \"kernels.cuh\"\n\nvoid Cart::sum() {\n    shop::clear<<<1, 1>>>(prices);\n    add<float><<<dim3(1, open_shop()), 256, 0, stream()>>>(prices, 1);\n}\n",
            "main.cpp": "#include \"cart.h\"\n\nint main() {\n    Cart cart;\n    cart.sum();\n}\n",
        },
        [
            ("kernels.cuh:add", "kernels.cuh:weigh"), ("cart.cu:Cart.sum", "kernels.cuh:clear"), ("cart.cu:Cart.sum", "kernels.cuh:add"),
            ("cart.cu:Cart.sum", "open.c:open_shop"), ("main.cpp:main", "cart.cu:Cart.sum"),
        ],
    ),
    "groovy packages, types of receivers and Java": Case(
        {
            "src/shop/Cart.groovy": "package shop\n\nimport shop.items.*\nimport static shop.Money.round\n\nclass Cart extends Base implements Priced {\n    private final Item first\n    Cart(String name) { open() }\n"
            "    def total(int a, @Named(value = 'a') Item item) {\n        def other = new Item(a)\n        other.weigh(1)\n        first.weigh()\n        item.each { weigh() }\n        if (isOpen()) { round(1) }\n        log.debug \"Can't\"\n    }\n"
            "    private static Map<String, Item> load(Path p) throws IOException { Item.find(p)?.weigh() }\n    int price() { load(1) }\n}\n",
            "src/shop/Base.java": "package shop;\n\nclass Base {\n    void open() {}\n    boolean isOpen() { return true; }\n}\n",
            "src/shop/Money.java": "package shop;\n\nclass Money {\n    static int round(int a) { return a; }\n}\n",
            "src/shop/Priced.groovy": "package shop\n\ninterface Priced {\n    int price()\n}\n",
            "src/shop/items/Item.groovy": "package shop.items\n\nclass Item {\n    Item(int a) { }\n    def weigh() { 1 }\n    def weigh(int a) { 2 }\n    static Item find(p) { null }\n}\n",
            "src/other/Item.groovy": "package other\n\nclass Item {\n    def weigh() { 1 }\n}\n",
            "test/CartSpec.groovy": "package shop\n\nclass CartSpec extends Specification {\n    def \"adds an item\"() {\n        given:\n        Cart cart = Mock()\n        when:\n        cart.total(1, null)\n        then: true\n    }\n}\n",
        },
        [
            ("src/shop/Cart.groovy:Cart.Cart", "src/shop/Base.java:Base.open"), ("src/shop/Cart.groovy:Cart.total", "src/shop/items/Item.groovy:Item"),
            ("src/shop/Cart.groovy:Cart.total", "src/shop/items/Item.groovy:Item.weigh"), ("src/shop/Cart.groovy:Cart.total", "src/shop/Base.java:Base.isOpen"),
            ("src/shop/Cart.groovy:Cart.total", "src/shop/Money.java:Money.round"), ("src/shop/Cart.groovy:Cart.load", "src/shop/items/Item.groovy:Item.find"),
            ("src/shop/Cart.groovy:Cart.load", "src/shop/items/Item.groovy:Item.weigh"), ("src/shop/Cart.groovy:Cart.price", "src/shop/Cart.groovy:Cart.load"),
            ("test/CartSpec.groovy:CartSpec.adds an item", "src/shop/Cart.groovy:Cart.total"),
        ],
        ["src/other/Item.groovy:Item.weigh"],
    ),
    "objc messages, properties and categories": Case(
        {
            "Cart.h": "#import \"Base.h\"\n\n@protocol Priced\n- (void)price;\n@end\n\n@interface Cart : Base <Priced>\n@property (nonatomic, strong) Item *first;\n@property (nonatomic, weak) id<Priced> other;\n"
            "+ (instancetype)cart;\n- (void)add:(Item *)item;\n- (void)add:(Item *)item to:(Cart *)cart;\n@end\n",
            "Cart.m": "#import \"Cart.h\"\n\n@implementation Cart {\n    Item *_last;\n}\n+ (instancetype)cart { return [[self alloc] init]; }\n- (void)add:(Item *)item { [item weigh]; }\n"
            "- (void)add:(Item *)item to:(Cart *)cart {\n    [cart add:item];\n    [_first weigh];\n    [_last drop:@\"a\"];\n    [self.other price];\n    [super open];\n    [self label];\n    count(1);\n}\n"
            "- (void)price {}\n- (void)count {}\n@end\n",
            "Base.h": "@interface Base : NSObject\n@end\n", "Base.m": "@implementation Base\n- (void)open {}\n@end\n",
            "Item.m": "@implementation Item\n- (void)weigh {}\n- (void)drop:(id)x {}\n@end\n",
            "Cart+Label.m": "@implementation Cart (Label)\n- (void)label { [[[Cart cart] first] weigh]; }\n@end\n",
            "UIView+Cart.m": "@implementation UIView (Cart)\n- (void)showCart {}\n@end\n",
            "count.c": "int count(int a) { return a; }\n",
            "main.m": "#import \"Cart.h\"\n\nvoid run(UIView *view) {\n    Cart *cart = [Cart cart];\n    [cart add:[Item new] to:cart];\n    [[Cart cart].first\n        drop:^(Cart *x) { [x label]; }];\n    [view showCart];\n}\n",
        },
        [
            ("Cart.m:Cart.add", "Item.m:Item.weigh"), ("Cart.m:Cart.add", "Cart.m:Cart.add"), ("Cart.m:Cart.add", "Item.m:Item.drop"),
            ("Cart.m:Cart.add", "Cart.h:Priced.price"), ("Cart.m:Cart.add", "Base.m:Base.open"), ("Cart.m:Cart.add", "Cart+Label.m:Cart.label"),
            ("Cart.m:Cart.add", "count.c:count"), ("Cart+Label.m:Cart.label", "Cart.m:Cart.cart"), ("Cart+Label.m:Cart.label", "Item.m:Item.weigh"),
            ("main.m:run", "Cart.m:Cart.cart"), ("main.m:run", "Cart.m:Cart.add"), ("main.m:run", "Item.m:Item"), ("main.m:run", "Item.m:Item.drop"),
            ("main.m:run", "Cart+Label.m:Cart.label"), ("main.m:run", "UIView+Cart.m:UIView.showCart"),
        ],
        ["Cart.m:Cart.count"],
    ),
    "powershell functions, modules and classes": Case(
        {
            "src/Shop.psm1": ". $PSScriptRoot/Cart.ps1\n. \"$PSScriptRoot\\Item.ps1\"\n",
            "src/Cart.ps1": "function Add-Item {\n    param ([Cart] $Cart)\n    Get-Total $Cart | Where-Object { Test-Open $_ }\n    if ($x) { Mock Write-Host { } }\n    $Cart.Weigh(1)\n    & Close-Till \"$(Get-Label 1)\"\n}\n\n"
            "function script:Get-Total { }\nfunction Test-Open { $open = {} }\nfunction Close-Till { }\nfunction Get-Label { }\n",
            "src/Item.ps1": "class Cart {\n    [Item] $First\n    static [Cart] Open() { return [Cart]::new() }\n    [void] Weigh([int] $a) { $this.First.Drop() }\n}\n\nclass Item {\n    [void] Drop() { }\n}\n",
            "other/Total.ps1": "function Get-Total { }\n",
            "test/Cart.Tests.ps1": "Describe 'Add-Item' {\n    It 'adds' { Add-Item ([Cart]::Open()) | Should -Be 1 }\n}\n",
        },
        [
            ("src/Cart.ps1:Add-Item", "src/Cart.ps1:Get-Total"), ("src/Cart.ps1:Add-Item", "src/Cart.ps1:Test-Open"), ("src/Cart.ps1:Add-Item", "src/Item.ps1:Cart.Weigh"),
            ("src/Cart.ps1:Add-Item", "src/Cart.ps1:Close-Till"), ("src/Cart.ps1:Add-Item", "src/Cart.ps1:Get-Label"),
            ("src/Item.ps1:Cart.Open", "src/Item.ps1:Cart"), ("src/Item.ps1:Cart.Weigh", "src/Item.ps1:Item.Drop"),
            ("test/Cart.Tests.ps1", "src/Cart.ps1:Add-Item"), ("test/Cart.Tests.ps1", "src/Item.ps1:Cart.Open"),
        ],
        ["other/Total.ps1:Get-Total"],
    ),
    "swift files of one module": Case(
        {
            "Sources/Cart.swift": "class Cart {\n  func total() -> Int { return sum() }\n  func sum() -> Int { return 1 }\n}\n",
            "Sources/Main.swift": "func main() {\n  let cart = Cart()\n  cart.total()\n}\n",
        },
        [("Sources/Main.swift:main", "Sources/Cart.swift:Cart.total"), ("Sources/Main.swift:main", "Sources/Cart.swift:Cart"),
         ("Sources/Cart.swift:Cart.total", "Sources/Cart.swift:Cart.sum")],
    ),
    "scala packages": Case(
        {
            "Cart.scala": "package shop\n\nclass Cart {\n  def total(): Int = sum()\n  def sum(): Int = 1\n}\n",
            "Main.scala": "package app\n\nimport shop.Cart\n\nobject Main {\n  def run(): Int = { val c = new Cart(); c.total() }\n}\n",
        },
        [("Main.scala:Main.run", "Cart.scala:Cart.total"), ("Main.scala:Main.run", "Cart.scala:Cart"), ("Cart.scala:Cart.total", "Cart.scala:Cart.sum")],
    ),
    "scala variables and declared members": Case(
        {
            "Cart.scala": "package shop\n\nclass Cart {\n  def total(): Int = 1\n  def sum(): Int = 1\n}\n\nclass Other {\n  def total(): Int = 2\n  def sum(): Int = 2\n}\n",
            "Main.scala": "package shop\n\ntrait Named {\n  val cart: Cart\n  var next: Cart\n  def run(): Int = cart.total()\n  def then(): Int = next.sum()\n}\n\n"
            "object Main {\n  var cart: Cart = _\n  def run(): Int = cart.total()\n  def local(): Int = { var c = new Cart(); c.sum() }\n}\n",
        },
        [("Main.scala:Named.run", "Cart.scala:Cart.total"), ("Main.scala:Named.then", "Cart.scala:Cart.sum"),
         ("Main.scala:Main.run", "Cart.scala:Cart.total"), ("Main.scala:Main.local", "Cart.scala:Cart"), ("Main.scala:Main.local", "Cart.scala:Cart.sum")],
        ["Cart.scala:Other.total", "Cart.scala:Other.sum"],
    ),
    "lua modules": Case(
        {
            "cart.lua": "local M = {}\n\nfunction M.total(x)\n  return x\nend\n\nreturn M\n",
            "main.lua": "local cart = require('cart')\n\nlocal function run()\n  return cart.total(1)\nend\n",
        },
        [("main.lua:run", "cart.lua:M.total")],
    ),
    "zig imports": Case(
        {
            "cart.zig": "pub fn total() u32 {\n    return 1;\n}\n",
            "main.zig": 'const cart = @import("cart.zig");\n\npub fn main() void {\n    _ = cart.total();\n}\n',
        },
        [("main.zig:main", "cart.zig:total")],
    ),
    "zig imports of the file beside, not of a deeper one of its name": Case(
        {
            "font/main.zig": "const face = @import(\"face.zig\");\npub fn run() u32 {\n    return face.load();\n}\n",
            "font/face.zig": "pub fn load() u32 {\n    return 1;\n}\n",
            "font/sprite/Face.zig": "pub fn load() u32 {\n    return 2;\n}\n",
        },
        [("font/main.zig:run", "font/face.zig:load")],
        ["font/sprite/Face.zig:load"],
    ),
    "zig constants that are other names": Case(
        {
            "lib/main.zig": "const pages = @import(\"pages.zig\");\npub const open = pages.open;\npub const Key = pages.Action.Key;\n",
            "lib/pages.zig": "pub const Action = struct {\n    pub const Key = struct {\n        pub fn code(self: Key) u32 {\n            return 1;\n        }\n    };\n};\n"
            "pub fn open() u32 {\n    return 1;\n}\n",
            "use.zig": "const lib = @import(\"lib/main.zig\");\nconst open = lib.open;\nconst Key = lib.Key;\nconst none = lib.none;\n"
            "const Box = struct {\n    const unlock = open.unlock;\n    const first = lib.open;\n    const last = Box.first;\n};\n"
            "pub fn run(key: Key) u32 {\n    return open() + key.code() + none();\n}\nfn more() u32 {\n    return Box.last();\n}\n",
            "circle.zig": "const A = struct {\n    const one = B.one;\n};\nconst B = struct {\n    const one = A.one;\n};\n",
        },
        [("use.zig:run", "lib/pages.zig:open"), ("use.zig:run", "lib/pages.zig:Action.Key.code"), ("use.zig:more", "lib/pages.zig:open")],
    ),
    "haskell imports": Case(
        {
            "src/Cart.hs": "module Cart where\n\ntotal :: Int -> Int\ntotal x = x\n",
            "src/Main.hs": "module Main where\n\nimport qualified Cart as C\nimport Cart (total)\n\nrun :: Int -> Int\nrun x = total x\n",
        },
        [("src/Main.hs:run", "src/Cart.hs:total")],
    ),
    "bash sources": Case(
        {
            "lib/log.sh": "log_line() {\n  echo \"$1\"\n}\n",
            "main.sh": "source lib/log.sh\n\nmain() {\n  log_line hi\n}\n",
        },
        [("main.sh:main", "lib/log.sh:log_line")],
    ),
    "clojure namespaces, aliases and referred names": Case(
        {
            "src/shop/line_items.clj": "(ns shop.line-items)\n(defn total [xs] (count-all xs))\n(defn- count-all [xs] xs)\n(defmacro with-tax [x] x)\n",
            "src/shop/money.cljc": "(ns shop.money)\n(defn round! [x] x)\n(defn show? [x] x)\n(def rate 1)\n",
            "src/shop/other.clj": "(ns shop.other)\n(defn total [x] x)\n(defn round! [x] x)\n(defn map [x] x)\n",
            "src/shop/cart.clj": "(ns shop.cart\n  (:require [shop.line-items :as line-items :refer [with-tax]]\n            [shop.money :refer :all]\n"
            "            [clojure.core :as other]))\n\n"
            "(defn run [cart]\n  (let [line-items (line-items/total cart)]\n    (-> line-items round! (show?) shop.money/show?)))\n\n"
            "(defn tax [cart] (with-tax (map round! cart)))\n\n"
            "(defn apart [round! {:keys [run]}]\n  (let [[show? b] run] (round! (show? (run b))) (other/total 1)))\n\n"
            "(defn line-items [] #(tax %))\n\n(def cached (memoize (fn [run] (run 1))))\n",
            "test/shop/cart_test.clj": "(ns shop.cart-test (:require [shop.cart :as sut]))\n(deftest tax-test (is (sut/tax 1)))\n",
        },
        [("src/shop/line_items.clj:total", "src/shop/line_items.clj:count-all"), ("src/shop/cart.clj:run", "src/shop/line_items.clj:total"),
         ("src/shop/cart.clj:run", "src/shop/money.cljc:show?"), ("src/shop/cart.clj:tax", "src/shop/line_items.clj:with-tax"),
         ("src/shop/cart.clj:line-items", "src/shop/cart.clj:tax"), ("test/shop/cart_test.clj:tax-test", "src/shop/cart.clj:tax")],
    ),
    "fsharp modules, namespaces and members": Case(
        {
            "src/Money.fs": "namespace Shop\n\n[<AutoOpen>]\nmodule Rules =\n    let round x = x\n\nmodule Money =\n    let add x y = round x\n    let tax x = add x 1\n",
            "src/Line.fs": "module Shop.Line\n\nlet price x = x\nlet sum lines = lines |> List.map price\n",
            "src/Other.fs": "module Other.Line\n\nlet price x = x\nlet hide x = x\n",
            "src/Store.fs": "namespace Shop.Stores\n\ntype IStore =\n    abstract Load: unit -> int\n\ntype Disk(size: int) =\n    member this.Load() = this.Find(size)\n    member _.Find(x) = x\n",
            "src/App.fs": "module App\n\nopen Shop\nopen Shop.Stores\n\nlet run (disk: Disk) lines =\n    let found = lines |> Line.sum |> round\n"
            "    disk.Load() |> Money.tax\n\nlet whole x = Shop.Money.add x 1\n\nlet hides round = round 1\n\nlet made () = Disk(1)\n\nlet inner x =\n    let round y = y\n    round x\n",
        },
        [("src/Money.fs:Money.add", "src/Money.fs:round"), ("src/Money.fs:Money.tax", "src/Money.fs:Money.add"),
         ("src/App.fs:App.run", "src/Line.fs:Line.sum"), ("src/App.fs:App.run", "src/Money.fs:round"),
         ("src/App.fs:App.run", "src/Store.fs:Disk.Load"), ("src/App.fs:App.run", "src/Money.fs:Money.tax"),
         ("src/App.fs:App.whole", "src/Money.fs:Money.add"), ("src/App.fs:App.made", "src/Store.fs:Disk"),
         ("src/Store.fs:Disk.Load", "src/Store.fs:Disk.Find"), ("src/App.fs:App.inner", "src/App.fs:App.inner.round")],
        ["src/Other.fs:Line.hide"],
    ),
    "erlang modules, imports, headers and functions as values": Case(
        {
            "src/shop.erl": "-module(shop).\n-include(\"shop.hrl\").\n-import(cart, [add/2]).\n-behaviour(cart_store).\n\n"
            "run(X) ->\n    Y = cart:total(X),\n    add(Y, ?LIMIT),\n    ?MODULE:stop(Y).\n\n"
            "stop(Cart) -> Cart:close(), lists:map(fun cart:price/1, [Cart]).\n\nkeep(X) -> #line{price = X}.\n",
            "src/cart.erl": "-module(cart).\n-type total() :: integer().\n-spec total(add()) -> total().\n"
            "total([]) -> 0;\ntotal([X | Rest]) -> price(X) + total(Rest).\n\nadd(X, Y) -> X + Y.\n\nprice(X) -> X.\n\nclose() -> ok.\n",
            "include/shop.hrl": "-define(LIMIT, 9).\n-record(line, {price}).\n",
            "examples/a/cart.erl": "-module(cart).\ntotal(X) -> X.\n",
            "src/lists.hrl": "map(F, X) -> F(X).\n",
            "test/cart_SUITE.erl": "-module(cart_SUITE).\n-include_lib(\"shop/include/shop.hrl\").\n\ntotal_test() -> cart:total([?LIMIT]).\n",
        },
        [("src/shop.erl:run", "src/cart.erl:total"), ("src/shop.erl:run", "src/cart.erl:add"),
         ("src/shop.erl:run", "include/shop.hrl:LIMIT"), ("src/shop.erl:run", "src/shop.erl:stop"),
         ("src/cart.erl:total", "src/cart.erl:price"), ("src/cart.erl:total", "src/cart.erl:total"), ("test/cart_SUITE.erl:total_test", "src/cart.erl:total"),
         ("test/cart_SUITE.erl:total_test", "include/shop.hrl:LIMIT")],
        ["examples/a/cart.erl:total", "src/cart.erl:close"],
    ),
    "ocaml modules are files, and parts of libraries": Case(
        {
            "lib/dune": "(library\n (public_name shop)\n (name shop))\n",
            "lib/cart.ml": "type t = Open | Closed\nlet add x = x\nlet total ~tax lines = add lines\n"
            "module Line = struct\n  let price x = x\n  let sum x = price x\nend\n"
            "module Make (S : sig val load : int -> int end) = struct\n  let find x = S.load x\nend\n",
            "lib/cart.mli": "type t\nval total : tax:int -> int -> int\n",
            "lib/s.ml": "let load x = x\n",
            "lib/list.ml": "let map x = x\n",
            "lib/show.ml": "open Cart\nmodule C = Cart.Line\nlet run x = x |> total ~tax:1 |> C.price\nlet add_all add = add 1\n"
            "let suite = [ (fun add -> add 1) ]\nlet each = List.map Cart.add\nlet local x =\n  let total y = y in\n  total x\n",
            "bin/main.ml": "module Found = Shop.Cart.Make (Store)\n"
            "let run x = Shop.Cart.total ~tax:1 x\nlet each x = List.map run (Cart.total x)\nlet price x = Shop.Cart.Line.(sum @@ near x)\n"
            "let find x = Found.find x\nlet wide x =\n  let open Shop.Cart in\n  add x\nlet after x = add x\n",
            "bin/other/near.ml": "let near x = x\n",
        },
        [("lib/cart.ml:total", "lib/cart.ml:add"), ("lib/cart.ml:Line.sum", "lib/cart.ml:Line.price"),
         ("lib/show.ml:run", "lib/cart.ml:total"), ("lib/show.ml:each", "lib/list.ml:map"), ("lib/show.ml:run", "lib/cart.ml:Line.price"),
         ("bin/main.ml:run", "lib/cart.ml:total"), ("bin/main.ml:price", "lib/cart.ml:Line.sum"),
         ("bin/main.ml:find", "lib/cart.ml:Make.find"), ("bin/main.ml:wide", "lib/cart.ml:add")],
        ["lib/s.ml:load", "bin/other/near.ml:near"],
    ),
    "ocaml libraries with a module of their name, and modules of one folder": Case(
        {
            "src/dune": "(library\n (name shop)\n (libraries lwt))\n",
            "src/shop.ml": "module Cart = Cart\ninclude Money\n",
            "src/cart.ml": "let total x = x\n",
            "src/money.ml": "let round x = x\n",
            "loose/dune": "(library (name loose) (wrapped false))\n",
            "loose/stock.ml": "let count x = x\n",
            "test/test_cart.ml": "open Shop\nlet test_total () = Cart.total (round (Stock.count 1))\nlet apart () = Shop.round 1\n",
            "test/money.ml": "let round x = x\n",
        },
        [("test/test_cart.ml:test_total", "src/cart.ml:total"), ("test/test_cart.ml:test_total", "src/money.ml:round"),
         ("test/test_cart.ml:test_total", "loose/stock.ml:count"), ("test/test_cart.ml:apart", "src/money.ml:round")],
        ["test/money.ml:round"],
    ),
    "ocaml_interface files are meant where no code is": Case(
        {
            "cart.mli": "val total : int -> int\n",
            "shop.ml": "let run x = Cart.total x\n",
        },
        [("shop.ml:run", "cart.mli:total")],
    ),
    "lua tables, self and what variables hold": Case(
        {
            "lua/shop/init.lua": "local M = {}\n\nfunction M.open() return 1 end\n\nreturn M\n",
            "plugin/shop.lua": "local function open() return 2 end\n",
            "lua/shop/cart.lua": "local Cart = {}\n\nlocal function total() return 1 end\n\nfunction Cart.new(log)\n  local self = setmetatable({}, { __index = Cart })\n  self.log = Log.new()\n  return self\nend\n\n"
            "function Cart:total() return self:sum() end\n\nfunction Cart:sum() return total() end\n\nreturn Cart\n",
            "lua/shop/main.lua": "local Cart = require('shop.cart')\nlocal M = {}\n\nM.run = function()\n  local cart = Cart.new()\n  cart:total()\n  M.stop()\nend\n\n"
            "M.stop = function() require('shop').open() end\n\nM.hide = function(stop) stop() end\n\nlocal function stop() end\n\nreturn M\n",
        },
        [("lua/shop/cart.lua:Cart.total", "lua/shop/cart.lua:Cart.sum"), ("lua/shop/cart.lua:Cart.sum", "lua/shop/cart.lua:total"),
         ("lua/shop/main.lua:M.run", "lua/shop/cart.lua:Cart.total"),
         ("lua/shop/main.lua:M.run", "lua/shop/cart.lua:Cart.new"), ("lua/shop/main.lua:M.run", "lua/shop/main.lua:M.stop"),
         ("lua/shop/main.lua:M.stop", "lua/shop/init.lua:M.open")],
        ["lua/shop/main.lua:stop", "plugin/shop.lua:open"],
    ),
    "zig files as types, fields, results and tests": Case(
        {
            "Cart.zig": "const Cart = @This();\nconst Log = @import(\"log.zig\").Log;\n\nlog: *Log,\n\npub fn init(log: *Log) !Cart {\n    return .{ .log = log };\n}\n\n"
            "pub fn total(self: *Cart) u32 {\n    self.log.write();\n    return self.sum();\n}\n\nfn sum(self: *Cart) u32 {\n    return 1;\n}\n\n"
            "test \"sum\" {\n    var cart = try Cart.init(undefined);\n    _ = cart.total();\n}\n",
            "log.zig": "pub const Log = struct {\n    pub fn write(self: *Log) void {}\n    pub fn close(self: ?*Log) void {}\n};\n\npub fn init() void {}\npub fn write() void {}\n",
            "main.zig": "const std = @import(\"std\");\nconst Cart = @import(\"Cart.zig\");\n\npub fn main() void {\n    var arena = std.heap.ArenaAllocator.init(1);\n    arena.total();\n}\n\n"
            "fn held(cart: ?*Cart) void {\n    _ = cart.?.total();\n}\n\nfn other() void {\n    write();\n}\n",
        },
        [("Cart.zig:total", "log.zig:Log.write"), ("Cart.zig:total", "Cart.zig:sum"), ("Cart.zig:test.sum", "Cart.zig:init"),
         ("Cart.zig:test.sum", "Cart.zig:total"), ("main.zig:held", "Cart.zig:total")],
        ["Cart.zig:test.sum", "log.zig:write", "log.zig:init"],
    ),
    "haskell names by import and patterns": Case(
        {
            "src/Shop/Cart.hs": "module Shop.Cart where\n\ntotal :: Int -> Int\ntotal x = x\n\nconfig :: Int\nconfig = 1\n",
            "src/Shop/Hidden.hs": "module Shop.Hidden where\n\nsecret :: Int\nsecret = 2\n",
            "src/Main.hs": "module Main where\n\nimport Shop.Cart\nimport qualified Shop.Cart as C\nimport Shop.Item ((</+>))\n\n"
            "run :: Int -> Int\nrun x = total x\n\nshadowed :: Int -> Int\nshadowed config = config + 1\n\n"
            "bound :: Int -> Int\nbound x = let config = x in config\n\nlisted :: [Int]\nlisted = [C.config, secret]\n\njoined :: Int -> Int\njoined x = x </+> 1\n",
            "src/Shop/Item.hs": "module Shop.Item where\n\nimport Shop.Cart\n\n(</+>) :: Int -> Int -> Int\na </+> b = a\n",
        },
        [("src/Main.hs:run", "src/Shop/Cart.hs:total"),
         ("src/Main.hs:listed", "src/Shop/Cart.hs:config"), ("src/Main.hs:joined", "src/Shop/Item.hs:</+>")],
        ["src/Shop/Hidden.hs:secret"],
    ),
    "haskell constructors and fields mean their type": Case(
        {
            "src/Shop/Cart.hs": "module Shop.Cart where\n\ndata State = Open | Closed Int\n\ndata Cart = MkCart { items :: Int }\n\nnewtype Key = MkKey { unKey :: Int }\n\nhidden :: Int\nhidden = 1\n",
            "src/Main.hs": "module Main where\n\nimport Shop.Cart (State(..), Cart(MkCart, items))\n\nrun :: Int -> State\nrun x = Closed x\n\n"
            "count :: Cart -> Int\ncount c = items c\n\nnot :: Int\nnot = hidden\n",
            "src/Local.hs": "module Local where\n\ndata Way = North | South\n\nturn :: Way -> Way\nturn North = South\n",
        },
        [("src/Main.hs:run", "src/Shop/Cart.hs:State"), ("src/Main.hs:count", "src/Shop/Cart.hs:Cart"), ("src/Local.hs:turn", "src/Local.hs:Way")],
        ["src/Shop/Cart.hs:hidden"],
    ),
    "dart imports, members, extensions and cascades": Case(
        {
            "lib/cart.dart": "import 'src/money.dart' show Money;\n\nclass Cart extends Base {\n  Money price = Money();\n"
            "  Cart.empty();\n  void add() {\n    reset();\n    price.round();\n  }\n}\n\n"
            "class Base {\n  void reset() {}\n}\n\nextension Totals on Cart {\n  int total() {\n    return 1;\n  }\n}\n",
            "lib/src/money.dart": "class Money {\n  int round() => 1;\n}\n",
            "lib/other.dart": "class Other {\n  int round() => 2;\n  void add() {}\n  int total() => 3;\n}\n",
            "bin/main.dart": "import 'package:shop/cart.dart' as shop;\n\nvoid main() {\n  var cart = shop.Cart.empty();\n"
            "  cart.add();\n  cart..add()..total();\n}\n",
        },
        [
            ("lib/cart.dart:Cart.add", "lib/cart.dart:Base.reset"), ("lib/cart.dart:Cart.add", "lib/src/money.dart:Money.round"),
            ("bin/main.dart:main", "lib/cart.dart:Cart.empty"), ("bin/main.dart:main", "lib/cart.dart:Cart.add"),
            ("bin/main.dart:main", "lib/cart.dart:Cart.total"), ("lib/cart.dart:Cart", "lib/src/money.dart:Money"),
        ],
        ["lib/other.dart:Other.round", "lib/other.dart:Other.add", "lib/other.dart:Other.total"],
    ),
    "bash functions with colons": Case(
        {
            "lib/log.sh": "log::line() {\n  echo \"$1\"\n}\n\nother::line() {\n  :\n}\n",
            "main.sh": "source lib/log.sh\n\nmain() {\n  log::line hi\n}\n",
        },
        [("main.sh:main", "lib/log.sh:log::line")],
        ["lib/log.sh:other::line"],
    ),
    "types inside types, constructed with their qualifiers": Case(
        {
            "ja/Outer.java": "package ja;\n\npublic class Outer {\n    public static class Item {}\n    public static class Items<T> {}\n}\n",
            "ja/Item.java": "package ja;\n\nclass Item {}\n",
            "ja/Own.java": "package ja;\n\nclass Own {\n    Object one() { return new Outer.Item(); }\n    Object two() { return new Outer.Items<String>(); }\n}\n",
            "sc/Own.scala": "package sc\n\nobject Outer {\n  class Item\n}\n\nclass Item\n\nobject Own {\n  def one = new Outer.Item()\n}\n",
        },
        [
            ("ja/Own.java:Own.one", "ja/Outer.java:Outer.Item"), ("ja/Own.java:Own.two", "ja/Outer.java:Outer.Items"),
            ("sc/Own.scala:Own.one", "sc/Own.scala:Outer.Item"),
        ],
    ),
    "names with their package": Case(
        {
            "Cart.cs": "namespace Shop.Carts;\n\npublic static class Cart {\n    public static void Open() {}\n}\n",
            "Other.cs": "namespace Shop.Other;\n\npublic static class Cart {\n    public static void Open() {}\n}\n",
            "Main.cs": "namespace Shop.App;\n\nclass Main {\n    void Whole() { Shop.Carts.Cart.Open(); }\n    void Near() { Carts.Cart.Open(); }\n    void Outside() { System.Carts.Cart.Open(); }\n}\n",
            "os/package.scala": "package object os {\n  def pwd = 1\n}\n",
            "os/Read.scala": "package os\n\nobject read {\n  def lines = 1\n}\n",
            "os/Use.scala": "package os\n\nobject Use {\n  def one = os.read.lines\n  def two = os.pwd\n  def three = os.read.lines()\n}\n",
            "shop/Cart.java": "package com.shop;\n\nclass Cart {\n    static void open() {}\n}\n",
            "app/Main.java": "package com.app;\n\nclass Main {\n    void run() { com.shop.Cart.open(); }\n}\n",
        },
        [
            ("Main.cs:Main.Whole", "Cart.cs:Cart.Open"), ("Main.cs:Main.Near", "Cart.cs:Cart.Open"),
            ("app/Main.java:Main.run", "shop/Cart.java:Cart.open"), ("os/Use.scala:Use.three", "os/Read.scala:read.lines"),
            ("os/Use.scala:Use.one", "os/Read.scala:read.lines"), ("os/Use.scala:Use.two", "os/package.scala:pwd"),
            *((f"os/Use.scala:Use.{one}", "os/Read.scala:read") for one in ("one", "three")),
        ],
    ),
    "scala methods without brackets": Case(
        {
            "Cart.scala": "package shop\n\nabstract class Base {\n  def total: Int = 1\n}\n\nclass Cart(val size: Int) extends Base {\n  def size2: Int = size\n  def join(other: Cart): Cart = other\n"
            "  def add(n: Int): this.type = this\n  def twice: Int = total + total\n  def local: Int = { val size2 = 1; size2 }\n}\n",
            "Main.scala": "package shop\n\nobject Main {\n  val join = 1\n  def read(cart: Cart): Int = cart.size2\n  def two(a: Cart, b: Cart) = a join b\n  def chain(cart: Cart) = cart.add(1).add(2).twice\n  def own = join\n}\n",
        },
        [
            ("Cart.scala:Cart.twice", "Cart.scala:Base.total"), ("Main.scala:Main.read", "Cart.scala:Cart.size2"),
            ("Main.scala:Main.two", "Cart.scala:Cart.join"), ("Main.scala:Main.chain", "Cart.scala:Cart.add"),
            ("Main.scala:Main.chain", "Cart.scala:Cart.twice"),
        ],
    ),
    "kotlin extensions of their package, of an import and of a class": Case(
        {
            "list/Maps.kt": "package list\n\nfun <T> Iterable<T>.tryMap(f: Int) = 1\nfun tryAll(f: Int) = 2\nfun <T> Iterable<T>.tryAll() = 3\n",
            "flow/Maps.kt": "package flow\n\nfun <T> Flow<T>.tryMap(f: Int) = 1\n",
            "list/Use.kt": "package list\n\nfun use() = made().tryMap(1)\nfun all() = made().tryAll()\n",
            "app/Use.kt": "package app\n\nimport flow.tryMap\n\nfun use() = made().tryMap(1)\nfun all() = made().tryAll()\n",
            "app/Tests.kt": "package app\n\nimport kotlin.tryMap\n\nclass Tests {\n  fun one() = made().sizes()\n  fun outside() = made().tryMap(1)\n  private fun String.sizes() = 1\n}\n",
            "app/Other.kt": "package app\n\nfun other() = made().sizes()\n",
        },
        [
            ("list/Use.kt:use", "list/Maps.kt:Iterable.tryMap"), ("list/Use.kt:all", "list/Maps.kt:Iterable.tryAll"),
            ("app/Use.kt:use", "flow/Maps.kt:Flow.tryMap"), ("app/Tests.kt:Tests.one", "app/Tests.kt:Tests.String.sizes"),
        ],
    ),
    "kotlin functions between two operands, and classes for several platforms": Case(
        {
            "src/commonMain/kotlin/Pool.kt": "package shop\n\nexpect object Pool {\n  fun take(): Int\n}\n\nexpect fun now(): Int\n\ninfix fun Cart.join(other: Cart) = other\n",
            **{f"src/{name}Main/kotlin/Pool.kt": "package shop\n\nactual object Pool {\n  internal actual fun take(): Int = 1\n}\n\nactual fun now(): Int = 1\n" for name in ("android", "js", "jvm")},
            "src/commonMain/kotlin/Use.kt": "package shop\n\nfun use() = now()\nfun take() = Pool.take()\nfun two(a: Cart, b: Cart) = a join b\n",
        },
        [
            ("src/commonMain/kotlin/Use.kt:use", "src/commonMain/kotlin/Pool.kt:now"),
            ("src/commonMain/kotlin/Use.kt:take", "src/commonMain/kotlin/Pool.kt:Pool.take"),
            ("src/commonMain/kotlin/Use.kt:two", "src/commonMain/kotlin/Pool.kt:Cart.join"),
        ],
    ),
    "cpp pointers, variables with arguments and constructors as names of their class": Case(
        {
            "cart.h": "#pragma once\n#include <memory>\n\nclass Shop FINAL_CLASS {\n  Q_DISABLE_COPY(Shop)\npublic:\n  static Shop &get();\n  std::shared_ptr<Cart> cart;\n};\n\n"
            "class Cart : public Base {\npublic:\n  Cart(int size) {}\n  static Cart *make() { return nullptr; }\n  void add() {}\n};\n",
            "other.h": "class Other {\npublic:\n  void add() {}\n};\n",
            "main.cpp": '#include "cart.h"\n\nShop::Shop() {}\nShop &Shop::get() { return *shop; }\n\nvoid held(QSharedPointer<Cart> cart) { cart->add(); }\n'
            "void local(int size) {\n  Cart cart(size);\n  cart.add();\n}\nvoid made() {\n  auto cart = QSharedPointer<Cart>::create(1);\n  cart->add();\n}\n"
            "void each(Carts carts) {\n  for (const Cart &cart : carts) {\n    cart.add();\n  }\n}\nvoid shop() { Shop::get().cart->add(); }\n",
        },
        [*((f"main.cpp:{name}", "cart.h:Cart.add") for name in ("held", "local", "made", "each", "shop")), ("main.cpp:shop", "main.cpp:Shop.get")],
        ["other.h:Other.add"],
    ),
    "rust crates without an import and modules under another name": Case(
        {
            "shop-cart/Cargo.toml": '[package]\nname = "shop-cart"\n',
            "shop-cart/src/lib.rs": "pub mod price;\n\npub fn open() {}\n",
            "shop-cart/src/price.rs": "pub fn total() {}\n",
            "web/Cargo.toml": '[package]\nname = "web"\n',
            "web/src/lib.rs": "pub use shop_cart as cart;\nmod page;\n\nfn start() {\n    shop_cart::open();\n    shop_cart::price::total();\n}\n",
            "web/src/page.rs": "use crate::cart::{self, price};\n\nfn show() {\n    cart::open();\n    price::total();\n}\n",
            "other/src/lib.rs": "pub fn open() {}\npub fn total() {}\n",
        },
        [(f"web/src/{user}", f"shop-cart/src/{used}") for user in ("lib.rs:start", "page.rs:show") for used in ("lib.rs:open", "price.rs:total")],
        ["other/src/lib.rs:open", "other/src/lib.rs:total"],
    ),
    "scala traits that others are mixed into": Case(
        {
            "shop/Carts.scala": "package shop\n\ntrait Carts {\n  def openCart(id: Int): Int = id\n}\n\ntrait Prices {\n  def findPrice(id: Int): Int = id\n}\n",
            "shop/Pages.scala": "package shop\n\ntrait Pages { self: Carts & Base & Prices =>\n  def show(): Int = openCart(findPrice(1))\n}\n",
        },
        [("shop/Pages.scala:Pages.show", "shop/Carts.scala:Carts.openCart"), ("shop/Pages.scala:Pages.show", "shop/Carts.scala:Prices.findPrice")],
    ),
    "lua tables that extend others": Case(
        {
            "base.lua": "local Widget = {}\n\nfunction Widget:new(o)\n  return o\nend\n\nfunction Widget:paint() end\n\nreturn Widget\n",
            "button.lua": 'local Widget = require("base")\nlocal Button = Widget:extend{ width = 1 }\n\nfunction Button:init()\n  self:paint()\nend\n\nreturn Button\n',
            "main.lua": 'local Button = require("button")\n\nlocal function run()\n  Button:new{}\nend\n',
        },
        [("button.lua:Button.init", "base.lua:Widget.paint")],
        ["base.lua:Widget.new"],
    ),
    "haskell methods of classes and names that a module passes on": Case(
        {
            "src/Core.hs": "module Core where\n\nclass Priced a where\n  price :: a -> Int\n\ninstance Priced Int where\n  price = id\n\nmakeCart :: Int\nmakeCart = 1\n\nhidden :: Int\nhidden = 2\n",
            "src/Shop.hs": "module Shop\n  ( makeCart,\n    Priced (..),\n  )\nwhere\n\nimport Core (Priced (..), makeCart, hidden)\n",
            "src/Main.hs": "module Main where\n\nimport Core\n\ntotal :: Int -> Int\ntotal x = price x\n",
            "src/Page.hs": "module Page where\n\nimport Shop\n\npage :: Int\npage = makeCart + hidden\n",
        },
        [("src/Main.hs:total", "src/Core.hs:Priced.price"), ("src/Page.hs:page", "src/Core.hs:makeCart")],
        ["src/Core.hs:hidden"],
    ),
    "go calls with types": Case(
        {
            "go.mod": "module example.com/shop\n",
            "db/db.go": "package db\n\nfunc Load[T any](id int) T { var t T; return t }\n",
            "main.go": 'package main\n\nimport "example.com/shop/db"\n\nfunc first[T any](id int) T { return db.Load[T](id) }\n\n'
            "func run() {\n\tfirst[string](1)\n}\n\nfunc walk() {\n\tx := first[*Cart](1)\n\tdb.Load[map[string]int](x)\n}\n",
        },
        [("main.go:first", "db/db.go:Load"), ("main.go:run", "main.go:first"), ("main.go:walk", "main.go:first"), ("main.go:walk", "db/db.go:Load")],
    ),
    "ruby methods that a module gives to classes": Case(
        {
            "app/concerns/priced.rb": "module Priced\n  extend ActiveSupport::Concern\n\n  module ClassMethods\n    def price_in(unit)\n    end\n  end\nend\n",
            "app/models/cart.rb": "class Cart\n  include Priced\n\n  price_in :cents\nend\n",
            "app/models/other.rb": "class Other\n  def price_in(unit)\n  end\nend\n",
        },
        [("app/models/cart.rb:Cart", "app/concerns/priced.rb:Priced.ClassMethods.price_in")],
        ["app/models/other.rb:Other.price_in"],
    ),
    "elixir components in markup": Case(
        {
            "lib/parts.ex": "defmodule Shop.Parts do\n  def button(assigns), do: assigns\n\n  def link_to(cart), do: cart\nend\n",
            "lib/page.ex": 'defmodule Shop.Page do\n  import Shop.Parts\n\n  def render(assigns) do\n    ~H"""\n    <.button />\n    <Shop.Parts.button label={title(@cart)} />\n'
            '    <a href={Shop.Parts.link_to(@cart)}>See title (or not)</a>\n    """\n  end\n\n  def title(cart), do: cart\nend\n',
        },
        [("lib/page.ex:Shop.Page.render", f"lib/{name}") for name in ("parts.ex:Shop.Parts.button", "parts.ex:Shop.Parts.link_to", "page.ex:Shop.Page.title")],
    ),
    "julia files of a module, methods of one function and names of other modules": Case(
        {
            "src/Shop.jl": "module Shop\n\nusing Carts: fetch_cart\nusing .Money: cut\ninclude(\"lines.jl\")\nexport total\n\n"
            "total(cart) = price(1) |> cut\nfunction pay(cart, open)\n  helper(x) = 2x\n  open(cart)\n  helper(fetch_cart(1))\n  Base.price(3)\n  close(4)\nend\n\nend\n",
            "src/lines.jl": "open_line(x) = 1\nprice(x::Int) = twice(x)\nprice(x, y) = 2\nopen(x) = 3\nclose(x) = price(x; tax=1)\nhelper(x) = 4\nBase.show(io, x) = show(x)\n"
            "fetch_cart(x) = total.(x)\nall_lines(xs) = map(xs) do x\n  price(x, 1)\nend\n",
            "src/tools/money.jl": "module Money\ncut(x) = x\nend\n",
            "src/far.jl": "\n".join(f"price(x::T{n}) = {n}" for n in range(3)) + "\ntwice(x) = x\n",
            "test/runtests.jl": "using Shop\nhelper(x) = Shop.total(x)\ntwice(x::Float64) = 1\nfunction check()\n  helper(price(1, 2))\nend\n",
        },
        [
            ("src/Shop.jl:total", "src/lines.jl:price"), ("src/Shop.jl:total", "src/tools/money.jl:cut"), ("src/Shop.jl:pay", "src/Shop.jl:pay.helper"),
            ("src/lines.jl:price", "src/far.jl:twice"), ("src/lines.jl:close", "src/lines.jl:price"), ("src/lines.jl:fetch_cart", "src/Shop.jl:total"),
            ("src/lines.jl:all_lines", "src/lines.jl:price"), ("test/runtests.jl:helper", "src/Shop.jl:total"),
            ("test/runtests.jl:check", "test/runtests.jl:helper"), ("test/runtests.jl:check", "src/lines.jl:price"),
        ],
        ["src/lines.jl:open", "src/lines.jl:close", "src/lines.jl:Base.show", "src/lines.jl:fetch_cart", "src/lines.jl:helper", "test/runtests.jl:twice"],
    ),
    "julia types and macros": Case(
        {
            "src/types.jl": "abstract type Priced end\nstruct Line <: Priced\n  x\n  Line(x) = new(x)\nend\nLine(a, b) = Line(a)\nmacro twice(x)\n  x\nend\n",
            "src/use.jl": "make(xs) = [Line(x) for x in xs]\ntwo(x) = Line(x, 1)\nagain(xs) = @twice make(xs...)\ntwice(x) = x\n",
        },
        [
            ("src/types.jl:Line", "src/types.jl:Line"), ("src/use.jl:make", "src/types.jl:Line"), ("src/use.jl:two", "src/types.jl:Line"),
            ("src/use.jl:again", "src/types.jl:twice"), ("src/use.jl:again", "src/use.jl:make"),
        ],
        ["src/use.jl:twice"],
    ),
    "perl packages, imports and functions of other packages": Case(
        {
            "lib/Shop/Cart.pm": "package Shop::Cart;\nuse Shop::Util qw(round_up);\nuse List::Util 'first';\n\nsub total {\n  my ($self) = @_;\n  round_up(price(1));\n"
            "  Shop::Util::cut(2);\n  first(3);\n  close($self);\n  count;\n}\n\nsub price { 1 }\nsub close { 2 }\n\npackage Shop::Line;\n\nsub price { 3 }\nsub show { price(4) }\n",
            "lib/Shop/Util.pm": "package Shop::Util;\nsub round_up { 1 }\nsub cut { 2 }\nsub first { 3 }\nsub count { 4 }\n1;\n",
            "t/cart.t": "use Shop::Util 'cut';\nsub run { cut(1); round_up(2); }\nsub count { 5 }\nsubtest total => \\&run;\n",
        },
        [
            ("lib/Shop/Cart.pm:Shop.Cart.total", "lib/Shop/Util.pm:Shop.Util.round_up"), ("lib/Shop/Cart.pm:Shop.Cart.total", "lib/Shop/Cart.pm:Shop.Cart.price"),
            ("lib/Shop/Cart.pm:Shop.Cart.total", "lib/Shop/Util.pm:Shop.Util.cut"), ("lib/Shop/Cart.pm:Shop.Line.show", "lib/Shop/Cart.pm:Shop.Line.price"),
            ("t/cart.t:run", "lib/Shop/Util.pm:Shop.Util.cut"),
        ],
        ["lib/Shop/Util.pm:Shop.Util.first", "lib/Shop/Cart.pm:Shop.Cart.close", "t/cart.t:count", "lib/Shop/Util.pm:Shop.Util.count"],
    ),
    "perl methods": Case(
        {
            "lib/Shop/App/Store/Cart/Line.pm": "package Shop::App::Store::Cart::Line;\nuse parent -norequire, 'Shop::Item';\n\n"
            "sub new {\n  my $class = shift;\n  my $self = $class->SUPER::new(@_);\n  $self->{log} = Shop::Log->new;\n  return $self;\n}\n\n"
            "sub show {\n  my $self = shift;\n  $self->{log}->write($self->price);\n  return $self;\n}\n\nsub again { $_[0]->show; shift->find_all }\n",
            "lib/Shop/Item.pm": "package Shop::Item;\nsub new { bless {}, shift }\nsub price { 1 }\nsub find_all { 2 }\n1;\n",
            "lib/Shop/Log.pm": "package Shop::Log;\nuse Mojo::Base 'Shop::Item';\nsub write { 1 }\n1;\n",
            "lib/Other.pm": "package Other;\nsub write { 1 }\nsub show { 1 }\n1;\n",
            "t/line.t": "my $line = Shop::App::Store::Cart::Line->new;\nsub run { $line->show->price; __PACKAGE__->run }\n",
        },
        [
            ("lib/Shop/App/Store/Cart/Line.pm:Shop.App.Store.Cart.Line.new", "lib/Shop/Item.pm:Shop.Item.new"),
            ("lib/Shop/App/Store/Cart/Line.pm:Shop.App.Store.Cart.Line.show", "lib/Shop/Log.pm:Shop.Log.write"),
            ("lib/Shop/App/Store/Cart/Line.pm:Shop.App.Store.Cart.Line.show", "lib/Shop/Item.pm:Shop.Item.price"),
            ("lib/Shop/App/Store/Cart/Line.pm:Shop.App.Store.Cart.Line.again", "lib/Shop/Item.pm:Shop.Item.find_all"),
            ("t/line.t", "lib/Shop/App/Store/Cart/Line.pm:Shop.App.Store.Cart.Line.new"),
            ("t/line.t:run", "lib/Shop/App/Store/Cart/Line.pm:Shop.App.Store.Cart.Line.show"), ("t/line.t:run", "lib/Shop/Item.pm:Shop.Item.price"),
        ],
        ["lib/Other.pm:Other.write", "lib/Other.pm:Other.show"],
    ),
    "r packages, names with dots, variables and functions in functions": Case(
        {
            "R/cart.R": "total <- function(cart) {\n  prices <- as.price(cart$lines)\n  as.price <- 1\n  count <- count(cart)\n  add <- function(x) x\n"
            "  add(1)\n  plan(count(cart)) |> round_up()\n}\n\nadd <- function(x) x\n\ncount <- function(cart, close) close(cart)\n",
            "R/price.R": "as.price <- function(x) UseMethod('as.price')\nas.price.default <- function(x) stats::plan(x)\n"
            "close <- function(x) x\nround_up <- function(x) x %>% close\n",
            "R/every.R": "every <- function(lines) {\n  lapply(lines, round_up)\n  do.call('add', lines)\n  plan(close)\n}\n",
            "scripts/run.R": "source('helper.R')\nadd <- read(1)\nplan <- function(x) x\n",
            "tests/testthat/test-cart.R": "test_that('total', {\n  every <- function(x) x\n  every(1)\n  add(total(2))\n})\n",
        },
        [
            ("R/cart.R:total", "R/price.R:as.price"), ("R/cart.R:total", "R/cart.R:count"), ("R/cart.R:total", "R/cart.R:total.add"),
            ("R/cart.R:total", "scripts/run.R:plan"), ("R/cart.R:total", "R/price.R:round_up"), ("R/price.R:round_up", "R/price.R:close"),
            ("R/every.R:every", "R/cart.R:add"), ("R/every.R:every", "scripts/run.R:plan"),
            ("tests/testthat/test-cart.R", "R/cart.R:add"), ("tests/testthat/test-cart.R", "R/cart.R:total"),
        ],
        ["R/every.R:every", "scripts/run.R:add"],
    ),
    "r classes": Case(
        {
            "R/cart.R": "Cart <- R6Class('Cart', inherit = Base, public = list(\n  lines = NULL,\n  initialize = function() {\n    self$lines <- Lines$new()\n  },\n"
            "  add = function(x) {\n    private$check(x)\n    self$lines$push(x)\n    super$add(x)\n  }\n), private = list(check = function(x) self$save()))\n\n"
            "open <- function() {\n  cart <- Cart$new()\n  cart$add(1)$save()\n}\n",
            "R/base.R": "Base <- R6Class('Base', public = list(\n  add = function(x) x,\n  save = function() 1\n))\n\nLines <- R6Class('Lines', public = list(\n  push = function(x) x\n))\n",
        },
        [
            ("R/cart.R:Cart.initialize", "R/base.R:Lines"), ("R/cart.R:Cart.add", "R/cart.R:Cart.check"), ("R/cart.R:Cart.add", "R/base.R:Lines.push"),
            ("R/cart.R:Cart.add", "R/base.R:Base.add"), ("R/cart.R:Cart.check", "R/base.R:Base.save"),
            ("R/cart.R:open", "R/cart.R:Cart"), ("R/cart.R:open", "R/cart.R:Cart.add"),
        ],
    ),
}  # fmt: skip


GRAPH = Path(__file__).parents[2] / "index" / "graph"
# `c` and `go` also appear in regular expressions and methods, so they only count as a whole string.
SPELLED = {
    "c": r"[\"']c[\"']", "r": r"[\"']r[\"']", "go": r"[\"']go[\"']|\bGo\b", "cpp": r"\bcpp\b|C\+\+", "csharp": r"\bcsharp\b|C#"
}  # fmt: skip


def test_no_language_is_named_outside_its_record() -> None:
    named = "|".join(SPELLED.get(rules.name, rf"(?i:\b{rules.name}\b)") for rules in FIRST_TIER)
    found = [
        f"{path.relative_to(GRAPH)}:{number}: {line.strip()}"
        for path in sorted(GRAPH.rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if re.search(named, line)
    ]
    assert not found, "what the graph asks of a language is a field of LanguageRules"


def test_every_language_has_a_case() -> None:
    with_cases = {title.split()[0] for title in CASES}
    code = {rules.name for rules in FIRST_TIER if not rules.prose}
    assert code - with_cases == {"tsx"}  # the rules of TypeScript, with another grammar


@pytest.mark.parametrize("name", CASES)
def test_calls_resolve(name: str, write_tree: WriteTree, keeper: Keeper) -> None:
    case = CASES[name]
    graph = Graph(keeper.refresh(write_tree(case.files))[0])
    calls = {(source, target) for source, _, target in graph.symbol_edges("calls")}
    assert calls == set(case.calls)
    assert not {target for _, target in calls} & set(case.never)


IMPLEMENTED = {
    "elixir protocols": (
        {
            "lib/priced.ex": "defprotocol Shop.Priced do\n  def price(item)\nend\n",
            "lib/item.ex": "defmodule Shop.Item do\n  defstruct [:cents]\nend\n\ndefimpl Shop.Priced, for: Shop.Item do\n  def price(item), do: item.cents\nend\n\n"
            "defimpl Shop.Priced, for: [List, Map] do\n  def price(_), do: 0\nend\n",
            "lib/box.ex": "defmodule Shop.Box do\n  defstruct []\n\n  defimpl Shop.Priced do\n    def price(_), do: 1\n  end\n\n"
            "  defimpl Shop.Priced, for: __MODULE__ do\n    def price(_), do: 1\n  end\nend\n",
        },
        {("lib/item.ex:Shop.Item", "lib/priced.ex:Shop.Priced"), ("lib/item.ex:List", "lib/priced.ex:Shop.Priced"),
         ("lib/box.ex:Shop.Box.Shop.Priced", "lib/priced.ex:Shop.Priced")},
    ),
    "bases with a qualifier": (
        {
            "kt/Face.kt": "package kt\n\ninterface Face\n\nclass Contract {\n    interface Part\n    interface Other\n}\n",
            "kt/Own.kt": "package kt\n\nclass By(val face: Face) : Face by face {\n    fun run() = 1\n}\n\nclass Inner : Contract.Part\n\n"
            "class Both(val part: Contract.Part) : Contract.Part by part, Contract.Other\n",
            "kt/app/Far.kt": "package kt.app\n\nclass Far(val sheet: kt.web.Sheet) : kt.web.Page<Int>, kt.Contract.Part, kt.web.Sheet by sheet\n",
            "kt/web/Page.kt": "package kt.web\n\ninterface Page<T>\n\ninterface Sheet\n",
            "ja/Outer.java": "package ja;\n\npublic class Outer {\n    public interface Part {}\n    public interface Items<T> {}\n}\n",
            "ja/Own.java": "package ja;\n\nclass Own implements Outer.Part, Outer.Items<String> {}\n",
            "sc/Own.scala": "package sc\n\nobject Outer {\n  trait First\n  trait Next\n  trait Items[T]\n}\n\ntrait Plain\n\n"
            "class Own extends Outer.First with Outer.Next with Outer.Items[Int] with Plain\n",
            "ts/face.ts": "export interface Face {}\nexport interface Items<T> {}\n",
            "ts/own.ts": "import * as face from './face';\n\nclass Own implements face.Face, face.Items<number> {}\n\ninterface More extends face.Face {}\n",
            "cs/Face.cs": "namespace Shop.Faces;\n\npublic interface IFace {}\npublic interface IItems<T> {}\n",
            "cs/Own.cs": "namespace Shop.Carts;\n\nclass Own : Shop.Faces.IFace {}\nclass Near : Faces.IItems<int> {}\nrecord Row(int Id) : Faces.IFace;\n",
            "rs/lib.rs": "mod face;\n\nstruct Own;\n\nimpl face::Items<u8> for Own {}\n",
            "rs/face.rs": "pub trait Items<T> {}\n",
        },
        {
            ("kt/Own.kt:By", "kt/Face.kt:Face"), ("kt/Own.kt:Inner", "kt/Face.kt:Contract.Part"),
            ("kt/Own.kt:Both", "kt/Face.kt:Contract.Part"), ("kt/Own.kt:Both", "kt/Face.kt:Contract.Other"),
            ("kt/app/Far.kt:Far", "kt/web/Page.kt:Page"), ("kt/app/Far.kt:Far", "kt/Face.kt:Contract.Part"), ("kt/app/Far.kt:Far", "kt/web/Page.kt:Sheet"),
            ("ja/Own.java:Own", "ja/Outer.java:Outer.Part"), ("ja/Own.java:Own", "ja/Outer.java:Outer.Items"),
            *(("sc/Own.scala:Own", f"sc/Own.scala:{name}") for name in ("Outer.First", "Outer.Next", "Outer.Items", "Plain")),
            ("ts/own.ts:Own", "ts/face.ts:Face"), ("ts/own.ts:Own", "ts/face.ts:Items"), ("ts/own.ts:More", "ts/face.ts:Face"),
            ("cs/Own.cs:Own", "cs/Face.cs:IFace"), ("cs/Own.cs:Near", "cs/Face.cs:IItems"), ("cs/Own.cs:Row", "cs/Face.cs:IFace"),
            ("rs/lib.rs:Own", "rs/face.rs:Items"),
        },
    ),
    "go variables without a name": (
        {
            "go.mod": "module example.com/shop\n",
            "store/store.go": "package store\n\ntype Storager interface {\n\tSave()\n}\n",
            "disk/disk.go": "package disk\n\nimport \"example.com/shop/store\"\n\nvar _ store.Storager = (*Disk)(nil)\n\ntype Disk struct{}\n\nfunc (d *Disk) Save() {}\n",
            "store/kinds.go": "package store\n\ntype A struct{}\ntype B struct{}\ntype C struct{}\ntype D func()\n\n// Guards\nvar (\n\t_ Storager = A{}\n\t_ Storager = &B{}\n"
            "\t_ Storager = new(C)\n\t_ Storager = (D)(nil)\n)\n",
        },
        {("disk/disk.go:Disk", "store/store.go:Storager"), *((f"store/kinds.go:{name}", "store/store.go:Storager") for name in "ABCD")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", IMPLEMENTED)
def test_implementations_lead_to_what_they_implement(name: str, write_tree: WriteTree, keeper: Keeper) -> None:
    files, edges = IMPLEMENTED[name]
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert {(source, target) for source, _, target in graph.symbol_edges("implements")} == edges


def test_calling_a_pointer_to_a_function_uses_it(write_tree: WriteTree, keeper: Keeper) -> None:
    files = {
        "mod.h": "#ifndef MOD_H\n#define MOD_H\nint (*ModOpen)(int a);\n#endif\n",
        "main.c": '#include "mod.h"\n\nint run(void) {\n    return ModOpen(1);\n}\n',
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert ("main.c:run", "uses", "mod.h:ModOpen") in graph.symbol_edges("uses")


READ = {
    "swift computed properties": (
        {
            "Cart.swift": "struct Cart {\n    var total: Int { 1 }\n    var count = 2\n    var both: Int { total + count }\n}\n",
            "Font.swift": "extension Font {\n    static var title: Font { Font() }\n}\n",
            "Page.swift": "struct Page {\n    let cart: Cart\n    var header: Int { cart.total }\n    func show() { print(header) }\n    func draw() { text(Font.title).font(.header) }\n}\n",
        },
        {
            ("Cart.swift:Cart.both", "Cart.swift:Cart.total"), ("Page.swift:Page.header", "Cart.swift:Cart.total"),
            ("Page.swift:Page.show", "Page.swift:Page.header"), ("Page.swift:Page.draw", "Font.swift:Font.title"),
        },
    ),
    "dart getters and functions": (
        {
            "lib/cart.dart": "class Cart {\n  int get total => 1;\n  void open() {}\n}\n\nextension Styles on Context {\n  int get colors => 1;\n}\n",
            "lib/page.dart": "import 'cart.dart';\n\nclass Page {\n  Cart cart = Cart();\n  int show(Context context) {\n    run(cart.open, tap: close);\n    return cart.total + context.colors;\n  }\n  void close() {}\n}\n",
        },
        {("lib/page.dart:Page.show", f"lib/{name}") for name in ("cart.dart:Cart.total", "cart.dart:Cart.open", "cart.dart:Context.colors", "page.dart:Page.close")},
    ),
    "rust functions in arms and macros": (
        {"src/lib.rs": "fn open() {}\nfn close() {}\nfn name() {}\n\n#[derive(name)]\nfn pick(x: u8) -> fn() {\n    commands!(close, \"Close it\", x.name);\n    match x {\n        1 => open,\n    }\n}\n"},
        {("src/lib.rs:pick", "src/lib.rs:open"), ("src/lib.rs:pick", "src/lib.rs:close")},
    ),
    "csharp types in attributes, casts and the names of members, and no namespace in one inside it": (
        {
            "Shop.cs": "namespace Shop;\n\npublic class LabelAttribute : System.Attribute { }\n\npublic class Label { }\n\npublic class Own : System.Attribute { }\n\npublic interface ICart { int Sum(); }\n",
            "Cart.cs": "namespace Shop.Carts;\n\n[Label]\npublic class Cart : ICart {\n  int ICart.Sum() { return 1; }\n  [Own] public object One(object o) { return o as Label; }\n}\n",
            "Text.cs": "namespace Shop.Text;\n\npublic class Line { public bool Is(object o) { return o is Label; } }\n",
        },
        {
            ("Cart.cs:Cart", "Shop.cs:LabelAttribute"), ("Cart.cs:Cart.One", "Shop.cs:Label"),
            ("Cart.cs:Cart.One", "Shop.cs:Own"), ("Text.cs:Line.Is", "Shop.cs:Label"),
            ("Cart.cs:Cart.Sum", "Shop.cs:ICart"),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_what_is_read_without_a_call_is_used(name: str, write_tree: WriteTree, keeper: Keeper) -> None:
    files, edges = READ[name]
    graph = Graph(keeper.refresh(write_tree(files))[0])
    found = {(source, target) for source, _, target in graph.symbol_edges("uses")}
    targets = {target for _, target in edges}
    assert {one for one in found if one[1] in targets or one[1].endswith(("name", ":Shop"))} == edges


def test_a_file_that_shows_much_shows_what_one_of_many_files_shows(write_tree: WriteTree, keeper: Keeper) -> None:
    names = [f"one{number}" for number in range(70)]
    files = {
        **{
            f"src/{name}.ts": f"import {{ wrap }} from './wrap'\n\nexport const {name} = () => wrap()\n"
            for name in names
        },
        "src/wrap.ts": "export function wrap() {}\n",
        "src/store.ts": "export function open() {}\n",
        "src/shown.ts": "export { open } from './store'\n",
        "src/all.ts": "".join(f"export * from './{name}'\n" for name in [*names, "shown"]),
        "src/use.ts": "import { open } from './all'\n\nexport function use() {\n  open()\n}\n",
    }
    graph = Graph(keeper.refresh(write_tree(files))[0])
    assert ("src/use.ts:use", "calls", "src/store.ts:open") in graph.symbol_edges("calls")

"""A text that a query quotes, or a message as a query, leads to the code that contains it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from index import Index, open_index
from index.collection.collection import Collection
from index.collection.reader import Lines
from index.search import indirection, occurrences, scope
from index.search.places.messages import CANDIDATES
from index.search.query import parse_query
from index.search.scope import MAX_CHUNKS
from index.search.texts import MAX_LITERALS, MAX_OF_KEY, literals
from index.types import EXACT_SCORE, ChunkId
from tests.clock import within
from tests.index.conftest import WriteTree

FILES = {
    "src/admin.c": "/* Command: SHOW CLIENTS */\nstatic int list_them(void)\n{\n\treturn 1;\n}\n",
    "src/client.c": "int client_count;\n\nint client_show(int client)\n{\n\treturn client + client_count;\n}\n",
    "src/net.py": "def dial(host):\n    raise OSError('cannot reach the host: ' + host)\n",
    "tests/test_admin.py": "def test_show():\n    assert ask('SHOW CLIENTS', '--keep-going')\n",
    "src/flags.py": "def add(parser):\n    parser.add('keep-going', default=False)\n    parser.add('keep-going-on')\n",
    "src/pool.js": "function open(options) {\n  return options.maxIdle || 5\n}\n",
    "src/options.rs": "options! {\n    sign_ups_open: bool, true;\n}\n",
    ".env.template": "# SIGN_UPS_OPEN=true\n",
    "src/arguments.rs": "pub struct Arguments {\n    pub(crate) dump_all: bool,\n    no_color: bool,\n}\n",
    "tests/dump.rs": 'fn dumps() {\n    run(&["--dump-all"]);\n}\n',
    "src/pool.ini": "maxIdle = 5\n",
    "src/server.rb": 'get "/queues/:id/jobs" do\n  show\nend\n\npost "/queues" do\n  create\nend\n',
    "src/urls.py": "from views import flips\n\n"
    "urls = [path('checks/<uuid:code>/flips/', flips), path('/quota', flips)]\n",
    "tests/test_flips.py": "def test_flips(client):\n    client.get('/api/v3/checks/1/flips')\n"
    "    client.get('/api/quota')\n",
    "app/(site)/api/shops/[shopId]/stats/route.ts": "import { query } from '@/db';\n\n"
    "export async function POST(request) {\n  "
    "return query(request)\n}\n\nexport async function GET(request) {\n  return query('stats')\n}\n",
    "cypress/e2e/api-shops.cy.ts": "it('counts', () => {\n  cy.request('/api/shops/7/stats')\n})\n",
    "src/locales/de.py": "TEXTS = {'keep-going': 'weiter'}\n",
    "src/mail.py": "def send(settings):\n    secure = settings.start_tls or False\n    return dial(secure)\n",
    "tests/test_mail.py": "def start_tls():\n    return True\n\n\ndef test_send():\n    assert send(start_tls)\n",
    "NEWS.md": "# News\n\nFaster SHOW CLIENTS.\n\n## max_idle\n\nIt is new.\n\n## Pooling\n\nIt is old: "
    "sockets were left open on exit.\n",
    "src/follow.py": "def follow(count, name, paths):\n    if count > 20:\n"
    "        raise ProtocolError(f'Too many follow-up requests: {count}')\n"
    "    raise LoaderError('Unable to find template \"%s\" (looked into: %s)' % (name, paths))\n",
    "src/profile.py": "class Profile(Model):\n    name = Text()\n    # in seconds\n"
    "    nag_period = Duration(default=0)\n    key = Text()\n",
    "src/history.py": "def leave():\n    raise OSError('the journal was closed before its end')\n",
    "src/idle.rb": "# Pooling is done elsewhere.\ndef idle(options)\n  options[:max_idle] || 5\nend\n",
}


WEB = {
    "edit.html": "<form>\n  <button>{% trans 'Save as a draft' %}</button>\n  <a>Send It Now</a>\n"
    "</form>\n",
    "config/shop.php": "return [\n    'max_items' => 1,\n    'limits' => [\n        'min_items' => 1,\n"
    "        'max_items' => 9,\n    ],\n];\n",
    "basket.php": "function basket()\n{\n    return config('shop.limits.max_items');\n}\n",
    "draft.py": "def draft(button):\n    return button.save\n",
    "notes.php": "// GET /api/notes/:id\nfunction note($id)\n{\n    return 1;\n}\n"
    "// POST /api/notes\nfunction add()\n{\n    return 2;\n}\n"
    "// DELETE /api/notes\nfunction clear()\n{\n    return 3;\n}\n",
    "routes.php": "Route::get('/books/{slug}/edit', 'edit');\nRoute::get('/books/{slug}/page/{page}', 'show');\n"
    "Route::get('/books/new', 'make');\n",
    "config.ts": "export function config(name: string) {\n  return name\n}\n",
    "login.php": "// the way in: where it is\nfunction login()\n{\n"
    "    return config('auth.method') ?? trans('errors.ldap_failed');\n}\n",
    "lib/Shop/Cart.pm": "package Shop::Cart;\n\nsub total {\n    return 1;\n}\n\n1;\n",
    "t/cart.t": "use Shop::Cart;\nmy $cart = Shop::Cart->new;\nShop::Cart::total($cart);\n",
    "cart.rb": "class Basket\n  def total\n    1\n  end\nend\n",
    "user.rb": "basket = Basket.new\n",
    **{f"lang/{code}/errors.php": "return [\n    'ldap_failed' => 'LDAP access failed here & there',\n];\n" for code in
       ("en", "de", "el", "fr", "it", "nl")},
    **{f"res/values{code}/strings.xml": '<resources>\n  <string name="sent">It was sent away</string>\n</resources>\n'
       for code in ("", "-en-rGB", "-bs")},
    **{f"i18n/{code}.json": '{\n  "greeting": "Come in & sit down"\n}\n' for code in ("de", "bs", "en-US")},
    "sent.kt": "fun sent() = getString(R.string.sent)\n",
    "greet.ts": "export const greet = () => tr.greeting\n",
}  # fmt: skip


@pytest.fixture
def web(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(WEB), home=tmp_path / "home", model="embedded")


@pytest.mark.parametrize(
    ("query", "file", "line"),
    [
        ("GET /books/my-book/edit", "routes.php", 1),  # a route with values for its parameters
        ("/books/my-book/page/its-page", "routes.php", 2),
        ("/books/new", "routes.php", 3),
        ("POST /api/notes", "notes.php", 6),  # the line that declares its end, by its method
        ("GET /api/notes/7", "notes.php", 1),
        ('the "Save as a draft" button', "edit.html", 2),  # a template shows the label
        ("why is the Save as a draft button grey?", "edit.html", 2),
        ("what does the Send It Now link do", "edit.html", 3),
        ("Save as a draft button", "edit.html", 2),
        ("shop.limits.max_items", "config/shop.php", 5),  # the line that declares a key, not one that reads it
        ("config('shop.limits.max_items')", "config/shop.php", 5),
        ("config('auth.method')", "login.php", 4),  # the name of the call says less than its text
        ("config('auth.method', $default)", "login.php", 4),
        ("LDAP access failed here & there", "login.php", 4),  # found by the key of its translations
        ('who says "LDAP access failed here & there"?', "login.php", 4),
    ],
)
def test_code_that_contains_the_text_in_another_form_comes_first(web: Index, query: str, file: str, line: int) -> None:
    hit = web.search(query)[0]
    assert (web.chunk(hit.chunk).file, hit.lines) == (file, ((line, line),))


SUBSCRIPTS = {
    "shelf.php": "<?php\nfunction shelf($shop)\n{\n    return $shop->settings['shelf'] + $shop->limits['rows'];\n}\n",
    "rows.php": "<?php\nfunction rows($shop)\n{\n    return $shop->settings['rows'];\n}\n",
    "rows.js": "function limits(shop) {\n  return set('limits')\n}\n",
    "lang/en/cart.lang.php": "<?php\n$l['shelf_is_full'] = 'No place left';\n",
    "serve.rb": "def serve(opts)\n  opts[:tray] || 'tray'\nend\n\ndef tray(opts)\n  opts['tray']\nend\n",
    "Crate.pm": "package Crate;\n\nsub crates {\n    my $shop = shift;\n    return $shop->{crate};\n}\n\nsub crate {\n"
    "    return 'crate';\n}\n\n1;\n",
}


@pytest.mark.parametrize(
    ("query", "file", "line"),
    [
        ("$shop->settings['shelf']", "shelf.php", 4),
        ("$shop->limits['rows']", "shelf.php", 4),  # rather than another setting with the same text
        ('$shop->settings["rows"]', "rows.php", 4),  # code has it in other quotes
        ("config['shelf']", "shelf.php", 4),  # of another name
        ("$l['shelf_is_full']", "lang/en/cart.lang.php", 2),  # a text that no code contains so
        ("opts[:tray]", "serve.rb", 2),
        ("$shop->{crate}", "Crate.pm", 5),
        ('set("limits")', "rows.js", 2),  # a call in other quotes
    ],
)
def test_a_subscript_leads_to_the_code_that_contains_it(
    write_tree: WriteTree, tmp_path: Path, query: str, file: str, line: int
) -> None:
    index = open_index(write_tree(SUBSCRIPTS), home=tmp_path / "home", model="embedded")
    hit = index.search(query)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == (file, ((line, line),))


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("LDAP access failed here & there", ["login.php", "lang/en/errors.php"]),
        ("It was sent away", ["sent.kt", "res/values/strings.xml"]),
        ("Come in & sit down", ["greet.ts", "i18n/en-US.json"]),
    ],
)
def test_of_the_translations_the_original_or_the_english_one_is_shown(web: Index, text: str, files: list[str]) -> None:
    hits = [hit for hit in web.search(text) if hit.score > 0.5]
    assert [web.chunk(hit.chunk).file for hit in hits] == files


@pytest.mark.parametrize(
    ("query", "file"),
    [("Shop::Cart", "lib/Shop/Cart.pm"), ("Shop::Cart->new", "lib/Shop/Cart.pm"), ("Basket.new", "cart.rb")],
)
def test_a_module_and_a_constructor_lead_to_their_definitions(web: Index, query: str, file: str) -> None:
    hit = web.search(query)[0]
    assert web.chunk(hit.chunk).file == file and hit.score == 1


def test_a_query_without_a_word_of_its_own_has_no_confident_answer(web: Index) -> None:
    assert web.grade("the").confidence == web.grade("where is it").confidence == "none"


@pytest.fixture
def index(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(FILES), home=tmp_path / "home", model="embedded")


@pytest.mark.parametrize(
    ("query", "file", "line"),
    [
        ("SHOW CLIENTS", "src/admin.c", 1),
        ("what answers SHOW CLIENTS on the console", "src/admin.c", 1),
        ("cannot reach the host", "src/net.py", 2),
        ("where does `cannot reach` come from", "src/net.py", 2),
        ("the journal was closed before", "src/history.py", 2),
        ('"Faster SHOW"', "NEWS.md", 3),
    ],
)
def test_a_text_that_the_code_contains_comes_first(index: Index, query: str, file: str, line: int) -> None:
    hit = index.search(query)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == (file, ((line, line),))
    assert [why.name for why in hit.why] in (["exact.literal"], ["exact.mention"])


@pytest.mark.parametrize(
    ("query", "file", "line"),
    [
        ("keep-going", "src/flags.py", 2),
        ("--keep-going", "src/flags.py", 2),
        ("--dump-all", "src/arguments.rs", 2),  # as a field has its name
        ("maxIdle", "src/pool.js", 2),
        ("SIGN_UPS_OPEN", "src/options.rs", 2),  # a variable of the environment is declared as a field
        ("`maxIdle`", "src/pool.js", 2),
    ],
)
def test_a_key_without_a_definition_leads_to_the_code_that_contains_it(
    index: Index, query: str, file: str, line: int
) -> None:
    hits = [hit for hit in index.search(query) if hit.score > 0.5]
    places = [(index.chunk(hit.chunk).file, hit.lines) for hit in hits]
    others = ("src/pool.ini", ".env.template", "src/idle.rb")  # that spells it in another case
    assert [place for place in places if place[0] not in others] == [(file, ((line, line),))]
    assert [why.name for why in hits[0].why] == ["exact.key"]


@pytest.mark.parametrize(
    ("route", "line"),
    [("GET /queues/12/jobs", 1), ("/queues/{queue}/jobs", 1), ("/queues/12/jobs?page=2", 1), ("POST /queues/", 5)],
)
def test_a_route_leads_to_its_handler(index: Index, route: str, line: int) -> None:
    hit = index.search(route)[0]
    assert index.chunk(hit.chunk).file == "src/server.rb"
    assert (line, line) in hit.lines
    assert [why.name for why in hit.why] == ["exact.key"]


@pytest.mark.parametrize(
    ("request_line", "file", "line"),
    [
        ("GET /api/v3/checks/<uuid>/flips/", "src/urls.py", 3),  # a router puts the prefix before it
        ("/api/quota", "src/urls.py", 3),
        ("GET /api/shops/:id/stats", "app/(site)/api/shops/[shopId]/stats/route.ts", 7),  # the route is the file's path
        ("POST /api/shops/7/stats", "app/(site)/api/shops/[shopId]/stats/route.ts", 3),
    ],
)
def test_a_route_that_only_tests_write_out_leads_to_its_code(
    index: Index, request_line: str, file: str, line: int
) -> None:
    hit = index.search(request_line)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == (file, ((line, line),))
    assert [why.name for why in hit.why] == ["exact.key"]


def test_a_route_leads_to_the_handlers_that_its_line_names(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "urls.py": "urls = [\n    path(\n        'shops/<int:pk>/hours/',\n        views.HoursView.as_view()),\n]\n",
        "views.py": "class HoursView(View):\n    def get(self, request, pk):\n        return times(pk)\n",
        "routes.php": "Route::post('/shops/open', 'Shop\\DoorController@unlock');\n",
        "doors.php": "<?php\nclass DoorController\n{\n    public function unlock()\n    {\n    }\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for route, places in (
        ("GET /api/shops/5/hours/", ["urls.py", "views.py"]),
        ("POST /shops/open", ["routes.php", "doors.php"]),
    ):
        assert [index.chunk(hit.chunk).file for hit in index.search(route) if hit.score > 0.5] == places


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("Profile.nag_period", 4),
        ("why may Profile.name be empty after a change", 2),
        ("Profile.name is not checked", 2),
        ("why may Profile.key be empty after a change", 5),
    ],
)
def test_a_field_is_the_line_of_its_type(index: Index, query: str, line: int) -> None:
    hit = index.search(query)[0]
    assert (index.chunk(hit.chunk).symbol, hit.lines) == ("Profile", ((line, line),))


def test_the_file_of_a_type_is_no_field_of_it(index: Index) -> None:
    hits = index.search("where is Profile.name and Profile.py read")
    assert [hit.lines for hit in hits if hit.why[0].name == "exact.named"] == [((2, 2),)]


@pytest.mark.parametrize(
    ("name", "lines"), [("KEYS.ESCAPE", (4, 4)), ("KEYS.matches", (5, 5)), ("LIMITS.items", (10, 10))]
)
def test_a_key_of_a_constant_is_its_line(write_tree: WriteTree, tmp_path: Path, name: str, lines: Lines) -> None:
    keys = (
        'export const CODES = { ESCAPE: "x" };\nexport const KEYS = {\n  ENTER: "Enter", // not ESCAPE\n'
        '  ESCAPE: "Escape",\n  matches(event) {\n    return event.key;\n  },\n};\n'
        "export const LIMITS = {\n  'items': 5,\n};\n"
    )
    user = "export function close{}(event) {{\n  return event.key === KEYS.ESCAPE;\n}}\n"
    users = "".join(map(user.format, range(3)))
    index = open_index(write_tree({"keys.ts": keys, "app.ts": users}), home=tmp_path / "home", model="embedded")
    hit = index.search(name)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("keys.ts", (lines,))


@pytest.mark.parametrize(
    ("key", "file", "line"),
    [
        ("git.retry.limit", "lua/config.lua", 4),  # what declares it, before what reads it
        ("git.limit", "", 0),
        ("retry.limit", "lua/config.lua", 4),
        (
            "options.grid.lineWidth",
            "src/grid.js",
            5,
        ),  # not the guide named after it; the outermost name is the reader's
    ],
)
def test_a_key_of_tables_in_code_leads_first_to_the_line_that_declares_it(
    key: str, file: str, line: int, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "lua/config.lua": "M.defaults = {\n  git = {\n    retry = {\n      limit = 3,\n    },\n  },\n  limit = 9,\n}\n",
        "lua/fetch.lua": "local function fetch(options)\n  return options.git.retry.limit == 0\nend\n",
        "src/grid.js": "set({\n  ticks: { lineWidth: 2 },\n  grid: {\n    on: true,\n    lineWidth: 1,\n  }\n});\n",
        "src/draw.js": "export const draw = (options) => options.grid.lineWidth;\n",
        "docs/grid.md": "# Grid\n\nlineWidth: how wide\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(key, order="pack") if hit.score >= EXACT_SCORE]
    first = [(index.chunk(hit.chunk).file, hit.lines) for hit in hits[:1]]
    assert first == ([(file, ((line, line),))] if file else [])


@pytest.mark.parametrize("guide", ["# Guide\n\nNothing.\n", "# Guide\n\n## pause_when_hidden\n\nPauses.\n"])
@pytest.mark.parametrize(
    "line",
    [
        'section.AddBool("pause_when_hidden", Always, false);',
        'declare_setting("pause_when_hidden");',
        'static const std::string Pausing = "pause_when_hidden";',
    ],
)
def test_the_line_that_declares_a_key_comes_before_those_that_read_it(
    line: str, guide: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "src/window.cpp": "".join(
            f'void on_{event}() {{\n  if (window.getOption("pause_when_hidden")) {{\n    pause();\n  }}\n}}\n\n'
            for event in ("hide", "show", "pause", "window")
        ),
        "src/sections.cpp": f"void init_sections(Section& section) {{\n  {line}\n}}\n",
        "docs/guide.md": guide,
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = index.search("pause_when_hidden", order="pack")
    assert [(index.chunk(hit.chunk).file, hit.lines) for hit in hits[:1]] == [("src/sections.cpp", ((2, 2),))]


def test_a_longer_name_is_no_key_of_a_table(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {"lua/config.lua": "M.retry({\n  retry = {\n    burst_limit = limit,\n    limit = 3,\n  },\n})\n"}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert index.search("retry.limit", order="pack")[0].lines == ((4, 4),)


def test_blanks_above_keys_and_many_keys_take_no_time(write_tree: WriteTree, tmp_path: Path) -> None:
    rows = "".join(f"    key{number} = {number},\n" for number in range(400))
    files = {
        f"lua/t{number}.lua": f"local t = {{\n  a = {{\n{rows}    limit = 3,\n  }},\n}}\n" for number in range(300)
    }
    files["lua/blanks.lua"] = f"t = {{\n  shop ={' ' * 40_000}x\n    retry = {{\n      limit = 3,\n    }},\n}}\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    index.search("retry.limit", order="pack")
    with within(1):
        index.search("shop.retry.limit", order="pack")


def test_a_name_from_elsewhere_is_not_a_field_of_a_namesake(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "a.py": "def save(value):\n    return json.dumps(value)\n",
        "b.py": "def json(value):\n    return dumps(value)\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert [index.chunk(hit.chunk).file for hit in index.search("json.dumps")[:1]] == ["a.py"]


@pytest.mark.parametrize(
    "message",
    ["Too many follow-up requests: 21", 'Unable to find template "a.html" (looked into: /t)'],
)
def test_a_message_with_a_value_leads_to_the_code_that_builds_it(index: Index, message: str) -> None:
    hit = index.search(message)[0]
    assert (index.chunk(hit.chunk).file, [why.name for why in hit.why]) == ("src/follow.py", ["exact.message"])


def test_a_message_of_many_places_is_that_of_the_sentence(write_tree: WriteTree, tmp_path: Path) -> None:
    names = ("attachment", "memo", "setting", "user", "webhook")
    text = "def delete_{0}():\n    # only its owner deletes a {0}\n    raise Denied('permission denied')\n"
    files = {f"src/{name}.py": text.format(name) for name in names}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.search("rpc error: permission denied when deleting a webhook")[0]
    assert (index.chunk(hit.chunk).file, [why.name for why in hit.why]) == ("src/webhook.py", ["exact.message"])


def test_short_literals_do_not_build_parts_of_longer_words(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "site.py": "def route(cidr):\n    return cidr.of('net'), cidr.first('address')\n",
        "limits.yml": "assert:\n  that: pods <= 2 ** bits\n  # more pods on a node than inet addresses\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.search("fatal: [node1]: FAILED! => No more pods on a node: its inet addresses are used up")[0]
    assert (index.chunk(hit.chunk).file, hit.why[0].name.partition(".")[0]) != ("site.py", "exact")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("not_sent: Order %{id} could not be sent to the town", "Order 17 could not be sent to the town"),
        ('not_sent: "Order %<id>d could not be sent to the town."', "Order 17 could not be sent to the town"),
        ("not_sent = Order {0} could not be sent to the town", "Order 17 could not be sent to the town"),
        ('<string name="not_sent">Order <b>%1$s</b> could not be sent &amp; is lost</string>',
         "Order 17 could not be sent & is lost"),
        ("'not_sent' => 'The :attribute must be sent within :count days.',", "The order must be sent within 7 days."),
        ('"not_sent": "The order of %name% was not sent",', "The order of Ann was not sent"),
    ],
)  # fmt: skip
def test_a_message_is_found_by_its_translation_with_placeholders(
    row: str, message: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    end = "php" if "=>" in row else "xml" if row[0] == "<" else "json" if row[0] == '"' else "yml"
    end = "properties" if " = " in row else end
    files = {
        f"locales/en.{end}": f"\n{row}\n",
        "src/order.py": "def send(order):\n    raise Failure(text('not_sent', order))\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(message, order="pack") if hit.score > 0.5]
    assert [(index.chunk(hit.chunk).file, hit.why[0].name) for hit in hits] == [
        ("src/order.py", "exact.message"), (f"locales/en.{end}", "exact.message"),
    ]  # fmt: skip


def test_a_name_among_words_that_only_data_contains_leads_there_and_a_key_of_much_data_does_not(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {f"rules/r{at}.yaml": f"alert: Rule{at}\nserviceMonitor: {at}\n" for at in range(6)}
    files["rules/pods.yaml"] = "- alert: PodCrashLooping\n  expr: pod_restarts > 1\n"
    files["templates/_helpers.tpl"] = '{{- define "port" }}\n{{ .Values.serviceMonitor }}\n{{- end }}\n'
    files["a.py"] = "def pod_rules():\n    return load('pods')\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    exact = [hit for hit in index.search("rule PodCrashLooping") if hit.score >= 0.9]
    assert [(index.chunk(hit.chunk).file, hit.lines) for hit in exact] == [("rules/pods.yaml", ((1, 1),))]
    assert not [hit for hit in index.search("pod serviceMonitor port") if hit.score >= 0.9]


def test_the_value_of_a_key_is_found_among_many_comparisons_and_comes_before_templates(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {f"roles/r{at:02}/tasks/main.yml": "- debug:\n  when:\n    - cart_mode == 'open'\n" for at in range(20)}
    files |= {f"read{at}.py": f"MODE_{at} = load('cart_mode')\n" for at in range(3)}
    files["roles/shop/defaults/main.yml"] = "cart_mode: open\n"
    files["roles/shop/templates/shop.conf.j2"] = "mode = {{ cart_mode }}\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("cart_mode", order="pack") if hit.score >= 0.9]
    assert [index.chunk(hit.chunk).file for hit in hits] == [
        "roles/shop/defaults/main.yml", "roles/shop/templates/shop.conf.j2", "read0.py", "read1.py", "read2.py",
    ]  # fmt: skip


def test_a_key_that_only_templates_use_leads_first_to_its_value(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "roles/node/templates/kubelet.conf.j2": "subnet: {{ pods_subnet }}\n",
        "roles/node/defaults/main.yml": "---\nservices_subnet: 10.1.0.0/16\npods_subnet: 10.2.0.0/16\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("pods_subnet") if hit.score > 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines) for hit in hits] == [
        ("roles/node/defaults/main.yml", ((3, 3),)),
        ("roles/node/templates/kubelet.conf.j2", ((1, 1),)),
    ]


def test_code_with_a_name_comes_before_generated_code_that_defines_it(write_tree: WriteTree, tmp_path: Path) -> None:
    made = "// Generated file. Do not edit.\nclass Texts{0} {{\n  String get saveToAlbum => 'save';\n}}\n"
    files = {f"lib/gen/texts_{name}.g.dart": made.format(name) for name in ("de", "en", "fr", "pl")}
    files["lib/settings.dart"] = "class Settings {\n  final bool saveToAlbum;\n  Settings(this.saveToAlbum);\n}\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("saveToAlbum") if hit.score > 0.5]
    places = [(index.chunk(hit.chunk).file, hit.why[0].name) for hit in hits]
    assert places[0] == ("lib/settings.dart", "exact.key")
    assert len(places) == 3, "two of the generated definitions"
    hits = [hit for hit in index.search("Textsen") if hit.score > 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits][:1] == ["lib/gen/texts_en.g.dart"], (
        "the only type of this name"
    )


def test_a_flag_in_a_sentence_is_declared_without_its_dashes(index: Index) -> None:
    hit = index.search("the first error stops it in spite of --keep-going")[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("src/flags.py", ((2, 2),))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("add a --json flag to the command that lists the carts", "src/list.go:listCarts"),
        ("why does the list of the carts ignore --json", "src/formats.go:formats"),
    ],
)
def test_code_with_the_word_of_a_flag_answers_no_request_to_add_it(
    query: str, first: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "src/formats.go": 'package shop\n\nfunc formats() []string {\n\treturn []string{"json", "xml"}\n}\n',
        "src/list.go": "package shop\n\nfunc listCarts(carts []Cart) {\n\tprintln(carts)\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.chunk(index.search(query, order="pack")[0].chunk)
    assert f"{hit.file}:{hit.symbol}" == first


def test_a_flag_of_a_common_word_is_found_by_its_dashes(
    write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope, "MAX_READ", 3)
    files = {f"src/kind{number}.py": f"def type_{number}(type):\n    return type.type\n" for number in range(5)}
    files["src/cli.py"] = '@option("--type", help="a type")\ndef new(type):\n    return type\n'
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for query in ("--type", "shop new --type"):
        assert [index.chunk(hit.chunk).file for hit in index.search(query) if hit.score > 0.5] == ["src/cli.py"]


def test_a_question_looks_for_each_text_once(
    write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches: list[tuple[int, str]] = []

    def lines_with(collection: Collection, chunk: ChunkId, pattern: re.Pattern[bytes], needle: bytes) -> object:
        searches.append((chunk, str(needle)))
        return occurrences.lines_with(collection, chunk, pattern, needle)

    monkeypatch.setattr(scope, "lines_with", lines_with)
    files = {
        "src/cli.py": '@option("--max-idle", help="a limit")\ndef run(max_idle):\n    return max_idle\n',
        "src/pool.py": "class Pool:\n    def close(self, options):\n        return options.max_idle\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert [index.chunk(hit.chunk).file for hit in index.search("--max-idle")][:2] == ["src/cli.py", "src/pool.py"]
    assert len(searches) == len(set(searches)) > 0


@pytest.mark.parametrize(
    ("flag", "file"),
    [
        ("--max-idle", "src/table.c"),
        ("--dry-run", "src/Run.cs"),
        ("--keep-idle", "src/keep.go"),
        ("--cart-size", "lib/cart.ex"),
        ("--no-lock", "lib/cart.ex"),
        ("--no-wait", "a/wait.ex"),  # that code has as a whole text, with its dashes
        ("--email", "app/ResetCommand.php"),
        ("--host", "app/WorkCommand.php"),
    ],
)
def test_the_line_that_declares_a_flag_comes_before_those_that_have_its_name(
    flag: str, file: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    """Also if other places have the name as a whole text, or as a field."""
    names = ("max-idle", "dry-run", "keep-idle", "cart-size", "lock", "email", "host")
    uses = "".join(f"def use_{name.replace('-', '_')}(all):\n    return all.get('{name}')\n\n\n" for name in names)
    files = {
        "a/uses.py": uses,
        "a/more.py": uses.replace("use", "keep").replace("'max-idle'", "'max_idle'"),
        "a/cart.ex": "defmodule A do\n  def a(opts), do: {opts.cart_size, opts.lock, opts.cart_size}\nend\n",
        "src/table.c": 'option OPTIONS[] = {\n    {"max-idle", required_argument, 0, 1},\n    {0},\n};\n',
        "app/Read.php": "<?php\nclass Read\n{\n    function email() { return $this->option('email'); }\n}\n",
        "lib/wait.ex": "defmodule Wait do\n  @switches [\n    wait: :boolean\n  ]\nend\n",
        "a/wait.ex": 'defmodule W do\n  def a(args) do\n    if "--no-wait" in args, do: sleep()\n  end\nend\n',
        "src/names.c": 'names NAMES[] = {\n    {"max-idle", MAX_IDLE},\n};\n',
        "src/Run.cs": 'class Run {\n    void Build() {\n        Add(new Option<bool>("--dry-run"));\n    }\n}\n',
        "src/keep.go": 'package keep\n\nfunc add(f *Flags) {\n\tf.IntVarP(&o.Keep, "keep-idle", "k", 1, "")\n}\n',
        "lib/cart.ex": "defmodule Cart do\n  @switches [\n    cart_size: :integer,\n    lock: :boolean\n  ]\nend\n",
        "app/Complete.php": "<?php\nclass Complete\n{\n    function all($in)\n    {\n"
        "        return $in->mustSuggestOptionValuesFor('host') ? hosts('host') : [];\n    }\n}\n",
        "app/mail.ts": 'export class Mail {\n  @Option("email")\n  accessor email!: string;\n}\n',
        "app/ResetCommand.php": "<?php\nclass ResetCommand\n{\n    var $signature = 'app:reset {--email= : who}';\n}\n",
        "app/WorkCommand.php": "<?php\nclass Work\n{\n    function set() { $this->addOption('host', null); }\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for query in (flag, f"shop pay {flag}"):
        assert index.chunk(index.search(query, order="pack")[0].chunk).file == file


def test_a_flag_that_is_negated_a_thousand_times_is_no_bug(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {"src/cli.py": '@option("--lock", help="a lock")\ndef new(lock):\n    return lock\n'}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for times in (1, 2, 1_000):
        hits = index.search(f"shop new --{'no-' * times}lock", order="pack")
        assert [index.chunk(hit.chunk).file for hit in hits] == ["src/cli.py"]


def test_a_name_that_is_given_to_no_route_has_no_handler(write_tree: WriteTree, tmp_path: Path) -> None:
    """`Event(name: "cart-total", format: INTEGER)` gives it to an event, whose format handles nothing."""
    files = {
        "mac/bar.swift": 'func subscribe() {\n    add(event: Event(name: "cart-total", format: INTEGER))\n}\n',
        "src/api.h": "/* Of a value. */\nenum format {\n    TEXT = 1,\n    INTEGER = 2,\n};\n",
        "src/cart.c": "int cart_total(struct cart *cart)\n{\n    return cart->total;\n}\n",
        **{f"src/use{at}.c": f'int use{at}(void)\n{{\n    return get("cart-total");\n}}\n' for at in range(5)},
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search("cart-total property", order="pack")]
    assert hits[0] == "src/cart.c"
    assert "src/api.h" not in hits[:3]


def test_what_declares_a_member_as_a_text_is_shown(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "app/build.gradle.kts": 'android {\n    field("String", "API_HOST", "host")\n}\n',
        "app/src/Api.kt": "fun url(): String {\n    return BuildConfig.API_HOST + path\n}\n",
        "app/src/Camera.kt": "fun ask() {\n    check(android.permission.TAKE_PICTURE)\n}\n",
        "app/AndroidManifest.xml": '<manifest>\n  <uses android:name="android.permission.TAKE_PICTURE" />\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for query, places in (
        ("BuildConfig.API_HOST", ["app/src/Api.kt", "app/build.gradle.kts"]),
        ("android.permission.TAKE_PICTURE", ["app/src/Camera.kt", "app/AndroidManifest.xml"]),
    ):
        hits = [hit for hit in index.search(query, order="pack") if hit.score > 0.5]
        assert [index.chunk(hit.chunk).file for hit in hits] == places


@pytest.mark.parametrize(
    ("query", "files"),
    [
        (".cart-total", ["web/cart.less", "web/Cart.jsx"]),
        ("the cart-total css class", ["web/cart.less", "web/Cart.jsx"]),
        ("why is the style of .cart-total ignored", ["web/cart.less", "web/Cart.jsx"]),
        (".openCart css in the header", ["web/head.css", "web/Head.tsx"]),
        ("styles.openCart", ["web/head.css", "web/Head.tsx"]),
        ("why has renderSum the cart-total class", ["web/cart.less", "web/Cart.jsx", "web/sum.ts"]),
        (".openCart", ["web/head.css", "web/Head.tsx"]),
        ("cart-total", ["web/Cart.jsx"]),
    ],
)
def test_a_class_of_style_sheets_leads_to_its_rules(
    query: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    tree = {
        "web/cart.less": ".cart {\n  color: red;\n\n  .cart-total {\n    margin: 1px;\n  }\n}\n",
        "web/Cart.jsx": 'export const Cart = () => <div className="cart-total">{sum}</div>\n',
        "web/head.css": ".openCart:hover {\n  color: blue;\n}\n",
        "web/Head.tsx": "export function Head() {\n  return link(styles.openCart)\n}\n",
        "web/sum.ts": "export function renderSum() {\n  return 1\n}\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score > 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


def test_a_dash_before_a_plain_word_is_no_flag(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "src/words.py": "def join(words):\n    return 'and'.join(words)\n",
        "src/mail.py": "def mails():\n    return 1\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert not [hit for hit in index.search("mails --and more") if hit.score > 0.5]


def test_a_name_defined_only_in_a_test_comes_after_the_code_that_uses_it(index: Index) -> None:
    hits = [hit for hit in index.search("start_tls") if hit.score > 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["src/mail.py", "tests/test_mail.py"]
    assert index.chunk(index.search("why is start_tls ignored?")[0].chunk).file == "src/mail.py"


def test_a_proper_name_among_words_means_a_type_or_no_code(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree(
        {
            "src/devices.py": "PREVIEWS = {'iPad': 1}\n\n\ndef sizes():\n    # GitHub shows it\n    return PREVIEWS\n",
            "src/devices.ts": "export enum Device { iPad, Phone }\n",
            "src/github.py": "class GitHub:\n    def sign_in(self):\n        return None\n",
        }
    )
    queries = {"crash on iPad after a long pause": [], "signing in with GitHub fails twice": ["src/github.py"]}
    index = open_index(root, home=tmp_path / "home", model="embedded")
    for query, files in queries.items():
        hits = [hit for hit in index.search(query, order="lines") if hit.score > 0.9]
        assert [index.chunk(hit.chunk).file for hit in hits] == files
    assert index.search("iPad")[0].score > 0.9  # alone, it is the name of the variant


def test_a_name_among_words_that_nothing_defines_leads_to_the_code_that_contains_it(index: Index) -> None:
    hit = index.search("sign_ups_open seems to be ignored at the start")[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("src/options.rs", ((2, 2),))
    assert hit.why[0].name == "exact.mention"
    elsewhere = index.search("where is sign_ups_open.rb read at the start")  # a file
    assert not any(one.why[0].name == "exact.mention" for one in elsewhere)


@pytest.mark.parametrize("query", ["ws/status", "ws/status/", "who opens ws/status now"])
def test_a_route_may_be_asked_for_without_its_slashes(query: str, write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "urls.py": "def urls():\n    return [path('ws/status/', show)]\n",
        "socket.py": "def status():\n    return 1\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.search(query)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("urls.py", ((2, 2),))


@pytest.mark.parametrize("query", ["textDocument/hover", "who answers textDocument/hover now"])
def test_a_name_with_slashes_leads_to_the_code_that_quotes_it(
    query: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "server.zig": "fn run(method: Method) void {\n    switch (method) {\n"
        '        .@"textDocument/hover" => answer(),\n    }\n}\n',
        "hover.zig": "//! The method textDocument/hover/more.\nfn textDocument() void {}\nfn hover() void {}\n",
        "arity.zig": 'fn arity() void {\n    print("textDocument/2");\n}\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = index.search(query)
    assert (index.chunk(hits[0].chunk).file, hits[0].lines) == ("server.zig", ((3, 3),))
    assert hits[0].why[0].name == "exact.mention"
    assert all(one.why[0].name != "exact.mention" for one in index.search(query.replace("hover", "2")))


def test_a_heading_comes_after_the_code_that_contains_its_key(index: Index) -> None:
    def files(key: str) -> list[str]:
        return [index.chunk(hit.chunk).file for hit in index.search(key) if hit.score > 0.5]

    assert files("max_idle") == ["src/idle.rb", "NEWS.md"]
    assert files("Pooling") == ["NEWS.md"]


def test_a_pasted_line_comes_before_the_definitions_of_its_names(index: Index) -> None:
    hit = index.search("secure = settings.start_tls or False")[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("src/mail.py", ((2, 2),))


def test_part_of_a_longer_word_is_not_a_match(index: Index) -> None:
    assert index.search("`going-o` is not taken")[0].score < 0.5


def test_a_text_that_only_tests_contain_does_not_answer_a_sentence(index: Index) -> None:
    question = "why does `ask('SHOW CLIENTS'` answer so slowly"
    assert index.search(question)[0].score < 0.5


def test_a_report_that_quotes_a_manual_is_not_about_the_manual(index: Index) -> None:
    report = 'The console shows less than "Faster SHOW" says. ' + "I expected one line for each client that is there."
    assert index.chunk(index.search(report)[0].chunk).file != "NEWS.md"


@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("缩放以适应视图", "src/zoom.ts"),  # by its translation
        ("以适应视图", "locales/zh-CN.json"),
        ("why is 缩放以适应视图 slow", "src/zoom.ts"),
        ("发送验证邮件", "src/mail.py"),
        ("验证邮件在哪里发送", "src/mail.py"),
        ("パスワードが間違っています", "src/reset.ts"),
        ("비밀번호", "src/korean.py"),
    ],
)
def test_words_without_blanks_between_them_are_found(
    query: str, file: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "src/zoom.ts": "export function zoom() {\n  return label(t('buttons.zoomToFit'));\n}\n",
        "locales/en.json": '{\n  "buttons": {\n    "zoomToFit": "Zoom to fit"\n  }\n}\n',
        "locales/zh-CN.json": '{\n  "buttons": {\n    "zoomToFit": "缩放以适应视图"\n  }\n}\n',
        "src/mail.py": 'def send(user):\n    """向用户发送验证邮件。"""\n    return user\n',
        "src/reset.ts": "export function reset() {\n  throw new Error('パスワードが間違っています。')\n}\n",
        "src/korean.py": "# 비밀번호가 틀렸습니다\ndef check(cart):\n    return cart\n",
        "src/cart.py": "def total(cart):\n    return sum(cart)\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert index.chunk(index.search(query)[0].chunk).file == file


def test_a_text_that_occurs_everywhere_is_no_evidence(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {f"src/part_{n}.py": f"def part_{n}():\n    return 'not allowed here'\n" for n in range(MAX_CHUNKS + 1)}
    many = open_index(write_tree(files), home=tmp_path / "many", model="embedded")
    assert many.search("`not allowed here`")[0].score < 0.5


def test_a_short_message_is_a_text_that_code_quotes_as_a_whole(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "send.rs": 'fn send(size: i64) -> EmptyResult {\n    err!("Parcel size overflow")\n}\n',
        "size.rs": 'fn size(name: &str) -> EmptyResult {\n    err!("Unknown parcel: {}", name)\n}\n',
        "log.rs": 'fn log(name: &str) {\n    info!("Wrapped parcel: {}", name)\n}\n',
        "parcel.rs": "/// Parcel size overflow is checked here: parcel, size.\nfn parcel_size_overflow() {}\n",
        "i18n/en.json": '{\n  "wrap": "Wrap parcels",\n  "later": "Wrap Later"\n}\n',
        "later.ts": "export function hide() {\n  return t('later')\n}\n",
        "wrap.ts": "export function show() {\n  return t('wrap')\n}\n",
        "db.py": "def connect(log):\n    log('Connected to PostgreSQL')\n",
        "lost.py": "def lost(parcel):\n    raise Lost('Parcel not there.')\n",
        "weigh.c": 'int weigh(int weight) {\n    return fail("wrong parcel weight");\n}\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for query, file in (
        ("Parcel size overflow", "send.rs"),
        ("Unknown parcel", "size.rs"),
        ("Wrap parcels", "wrap.ts"),
        ("Wrap Later", "later.ts"),
        ("Connected to PostgreSQL", "db.py"),
        ("Parcel not there", "lost.py"),
        ("wrong parcel weight", "weigh.c"),
    ):
        hit = index.search(query)[0]
        assert (index.chunk(hit.chunk).file, hit.why[0].name) == (file, "exact.literal")
    for topic in ("Parcel overflow", "Wrapped parcel", "parcel size overflow"):
        assert index.search(topic)[0].why[0].name != "exact.literal"


@pytest.mark.parametrize(
    "topic",
    [
        "Add missing option",
        "cookie expiry",
        "retry policy tests",
        "HTTP",
        "Client",
        "src/net.py",
    ],
)
def test_a_topic_is_not_looked_up_as_text(topic: str) -> None:
    assert not literals(parse_query(topic))


@pytest.mark.parametrize(
    ("query", "files"), [("sockets were left open on exit", []), ('"sockets were left open"', ["NEWS.md"])]
)
def test_text_of_a_changelog_is_found_only_if_it_is_quoted(index: Index, query: str, files: list[str]) -> None:
    hits = [hit for hit in index.search(query) if hit.why[0].name == "exact.literal"]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


def test_a_pasted_page_of_quotations_and_a_route_without_end_take_no_time(index: Index) -> None:
    assert len(literals(parse_query(" ".join(f'"{word:04} b"' for word in range(2000))))) == MAX_LITERALS
    with within(4):
        index.search("/a" * 4000)


def test_a_line_of_a_million_letters_before_a_name_takes_no_time(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"built.js": f'var text = "{"x" * 1_000_000}"; function getCart() {{}}\n'})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    with within(4):
        assert index.search("getCart")


MESSAGES = {
    "src/resolve.ts": (
        "export function fail(id: string, importer: string) {\n"
        '  return new Error(\n    `Failed to resolve the import "${id}" from "${importer}". ` +\n'
        "      `Does the module exist there?`,\n  )\n}\n"
    ),
    "src/main.ts": "export const entry = 'src/main.ts'\n",
    "tasks/consumer.py": (
        'UNKNOWN_TASK = """\\\nReceived a task that nobody registered, of type %s.\nIt was thrown away.\n"""\n\n\n'
        "def on_unknown(name):\n    error(UNKNOWN_TASK, name)\n"
    ),
    "tasks/loading.py": (
        "def load(path):\n    raise OSError(\n"
        "        'The schedule could not be loaded '\n        f'from the file {path}, so it is empty.'\n    )\n"
    ),
    "proxy/parse.go": (
        'func parse(d *Dispenser) error {\n\treturn d.Errf("unrecognized option %s", d.Val())\n}\n\n'
        "func health(d *Dispenser) error {\n\treturn nil\n}\n"
    ),
    "logs/parse.go": 'func parse(d *Dispenser) error {\n\treturn d.Errf("unrecognized option %s", d.Val())\n}\n',
    "config/adapt.go": 'func adapt(err error) error {\n\treturn fmt.Errorf("adapting config using %s: %w", name)\n}\n',
    "ftl/sync.ftl": (
        "## Synchronisation\n\nsync-clock-off = The clock of this device is wrong.\n"
        "sync-account-required =\n    <h1>Account</h1>\n    Please sign up before you synchronise.\n"
    ),
    "ftl/de/sync.ftl": "sync-clock-off = Die Uhr geht falsch.\n",
    "sync/error.rs": "pub fn text(tr: &I18n) -> String {\n    tr.sync_clock_off().into()\n}\n",
    "sync/login.ts": "export function login() {\n  return tr.syncAccountRequired()\n}\n",
    "mail/stamps.py": "def take(count):\n    raise OSError(f'stamps ran out: {count}')\n",
    "src/error.rs": (
        "impl Display for Error {\n    fn fmt(&self, f: &mut Formatter) -> Result {\n        match self {\n"
        '            Self::UnknownRecipe { name } => write!(f, "the recipe {name} is unknown here"),\n'
        "            Error::NoShell(shell) => {\n"
        '                write!(f, "the shell {shell} could not be started")\n            }\n        }\n    }\n}\n'
    ),
    "src/failure.rs": (
        "pub enum Failure {\n    UnknownRecipe { name: String },\n    NoShell(String),\n"
        '    #[error("pipelines of {from} and {to} do not match")]\n    #[diagnostic(code(pipes))]\n'
        "    PipeMismatch {\n        from: String,\n        to: String,\n    },\n}\n"
    ),
    "src/justfile.rs": "fn recipe(name: &str) -> Error {\n    Error::UnknownRecipe { name }\n}\n",
    "src/shell.rs": "fn start(shell: &str) -> Error {\n    Error::NoShell(shell)\n}\n",
    "src/pipe.rs": "fn join(from: &str, to: &str) -> Failure {\n    Failure::PipeMismatch { from, to }\n}\n",
    "src/codes.c": (
        "enum codes { ERR_TTY = 1 };\n\nconst char *text(int code)\n{\n\tswitch (code) {\n\tcase ERR_TTY:\n"
        '\t\treturn "the terminal was closed too early";\n\t}\n\treturn 0;\n}\n'
    ),
    "src/tty.c": "int leave(void)\n{\n\treturn ERR_TTY;\n}\n",
    "src/range.cc": '#include "range.h"\n\nvoid check(long first, long last) {\n  fail(EX_RANGE, first, last);\n}\n',
    "src/range.h": '#define EX_RANGE "Invalid range header. Request: %" PRId64 "-%" PRId64 ", Response: %"\n',
    "src/limit.cc": 'void parse(Pref* pref)\n{\n  std::string text = pref->k;\n  text += " must be between ";\n}\n',
    "src/ftp.cc": 'void done()\n{\n  log(fmt("CUID#%" PRId64\n          " - The transfer was stopped at %" PRId64\n'
    '          " because nobody needs it."));\n}\n',
    "cli/up.go": "const upPrefix = \"Error: changing options via 'app up' requires naming all\\n\" +\n"
    '\t"non-default flags. To go on, use --reset or\\n" +\n\t"the command below:\\n"\n\n'
    "func up() error {\n\treturn errors.New(upPrefix)\n}\n",
    "shop/take.py": "def take(bill, other):\n    message = (\n        f'Not taking {bill.name}: '\n"
    "        f'It is a duplicate of {other} (#{other.number})'\n    )\n    raise Duplicate(message)\n",
    "shop/login.rs": "fn login(name: &str) {\n"
    '    err!("Name or word is wrong. Try again", format!("Name: {name}."))\n}\n',
    "net/close.py": "def close(pool):\n    raise OSError('connections are not closed while a job runs')\n",
    "desk/faults.py": "class BellError(Exception):\n    def __init__(self, name):\n"
    "        super().__init__(f'nobody hears the bell {name} at night')\n\n\n"
    "class NoPorter(BellError):\n    text = 'the porter of this house has gone home'\n",
    "desk/catch.py": "from desk.faults import BellError, NoPorter\n\n\ndef quiet(bell):\n    try:\n"
    "        ring(bell)\n    except (BellError, NoPorter):\n        return None\n",
    "desk/ring.py": "from desk.faults import BellError\n\n\ndef ring(bell):\n    raise BellError(bell.name)\n",
    "desk/call.py": "from desk.faults import NoPorter\n\n\ndef call(house):\n    raise NoPorter(house.name)\n",
    "desk/KeyException.php": "<?php\nclass KeyException extends \\Exception {\n"
    "    public static function bent(string $room): self {\n"
    '        return new self("the key of the room $room is bent");\n    }\n'
    "    public static function lost(): self {\n        return new self('lost');\n    }\n}\n",
    "desk/Door.php": "<?php\nclass Door {\n    public function open($key) {\n"
    "        throw KeyException::bent($key->room);\n    }\n}\n",
    "desk/label.py": "class Label:\n    text = 'please ring only once after midnight'\n",
    "desk/paint.py": "from desk.label import Label\n\n\ndef paint(door):\n    return Label(door)\n",
}


@pytest.mark.parametrize(
    ("message", "places"),
    [
        (  # over two lines, with quoted values that code contains
            'Failed to resolve the import "./x" from "src/main.ts". Does the module exist there?',
            [("src/resolve.ts", "fail")],
        ),
        ("The schedule could not be loaded from the file beat.db, so it is empty.", [("tasks/loading.py", "load")]),
        (  # the value of a constant, then its reader
            "[2026-01-01 10:00:00] ERROR: Received a task that nobody registered, of type 'mail'.",
            [("tasks/consumer.py", "UNKNOWN_TASK"), ("tasks/consumer.py", "on_unknown")],
        ),
        (
            '"Received a task that nobody registered"',
            [("tasks/consumer.py", "UNKNOWN_TASK"), ("tasks/consumer.py", "on_unknown")],
        ),
        (
            'what logs "Received a task that nobody registered"',
            [("tasks/consumer.py", "UNKNOWN_TASK"), ("tasks/consumer.py", "on_unknown")],
        ),
        (  # a chain: its last part first, in the folder that it names
            "adapting config using caddy: parsing tokens for 'proxy': unrecognized option lb_retry",
            [("proxy/parse.go", "parse")],
        ),
        ("2026-01-01T10:00:00 delivery_worker [ERROR] stamps ran out: lb_retry", [("mail/stamps.py", "take")]),
        ("connections are not closed while a job runs", [("net/close.py", "close")]),
        (  # as Rails logs it
            "Shop::Models::DeliveryInvalid (Validation failed: stamps ran out: 12)",
            [("mail/stamps.py", "take")],
        ),
        ("Connections at \u0130zmir: connections are not closed While a job runs", [("net/close.py", "close")]),
        ("connections are not closed while a job runs on it", [("net/close.py", "close")]),  # without a value
        ("Invalid range header. Request: 1-2, Response: 3-4", [("src/range.h", "EX_RANGE"), ("src/range.cc", "check")]),
        ("max-connection-per-server must be between 1 and 16", [("src/limit.cc", "parse")]),
        ("CUID#7 - The transfer was stopped at 12 because nobody needs it.", [("src/ftp.cc", "done")]),
        ("The clock of this device is wrong.", [("sync/error.rs", "text")]),  # by its key in Fluent
        ("Please sign up before you synchronise.", [("sync/login.ts", "login")]),  # whose key is above it
        ("error: the recipe `x` is unknown here", [("src/error.rs", "Error"), ("src/justfile.rs", "recipe")]),
        (  # without the prefix and the end that the code gives it
            "changing options via 'app up' requires naming all non-default flags",
            [("cli/up.go", "upPrefix"), ("cli/up.go", "up")],
        ),
        # Only the last part is longer than its values.
        ("Not taking bill-7.pdf: It is a duplicate of Bill ACME (#12)", [("shop/take.py", "take")]),
        # Without the sentence in its middle, which elsewhere is a courtesy.
        ("Name or word is wrong. Try again. Name: me@here.com.", [("shop/login.rs", "login")]),
        (  # that of an exception, then the code that creates it
            "BellError: nobody hears the bell north at night",
            [("desk/faults.py", "BellError"), ("desk/ring.py", "ring")],
        ),
        ("the porter of this house has gone home", [("desk/faults.py", "NoPorter"), ("desk/call.py", "call")]),
        ("the key of the room 7 is bent", [("desk/KeyException.php", "KeyException"), ("desk/Door.php", "Door")]),
        ("the shell 'zsh' could not be started", [("src/error.rs", "Error"), ("src/shell.rs", "start")]),
        ("pipelines of int and text do not match", [("src/failure.rs", "Failure"), ("src/pipe.rs", "join")]),
        (
            "the terminal was closed too early",
            [("src/codes.c", "text"), ("src/codes.c", "codes"), ("src/tty.c", "leave")],
        ),
    ],
)
def test_a_pasted_message_leads_to_what_builds_it(
    message: str, places: list[tuple[str, str]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(MESSAGES), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(message, order="pack") if hit.score >= 0.5]
    rows = [index.chunk(hit.chunk) for hit in hits]
    assert [(row.file, row.symbol) for row in rows[: len(places)]] == places, [(row.file, row.symbol) for row in rows]


def test_what_creates_a_class_that_is_no_exception_is_not_where_its_text_comes_from(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(MESSAGES), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("please ring only once after midnight", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["desk/label.py"]


SETTINGS = {
    "src/prefs.cc": 'PrefPtr PREF_SEED_RATIO = makePref("seed-ratio");\n',
    "src/seeding.cc": "bool is_done(Option* option)\n{\n  return option->get(PREF_SEED_RATIO) > 1;\n}\n",
    "src/stores.java": "class Stores {\n    /** {@code store.wait.ms} */\n"
    '    static final String WAIT_CONFIG = "store.wait.ms";\n}\n',
    "src/flush.java": "class Flush {\n    int wait(Map<String, Integer> all) {\n"
    "        return all.get(Stores.WAIT_CONFIG);\n    }\n}\n",
    "src/serve.go": 'package main\n\ntype Serve struct {\n\tDryCarts bool `help:"no" env:"SHOPHOST"`\n}\n',
    "src/env.ts": "class Environment {\n  public POST_OFFICE = read('POST')\n}\nexport default new Environment()\n",
    "src/post.ts": "import env from './env'\n\nexport function post() {\n  return env.POST_OFFICE\n}\n",
    "src/serving.go": "package main\n\nfunc serving(c *Serve) bool {\n\treturn c.DryCarts\n}\n",
    "src/swap.go": 'package main\n\nfunc runCart(c *Context) bool {\n\treturn c.Bool("swap")\n}\n',
    "src/swapper.go": "package main\n\ntype Swap struct {\n\tswap bool\n}\n",
    "src/note.go": "package main\n\n// CRAWL, that is: crawl on.\nvar note = true\n",
    "src/usage.go": 'package main\n\nconst usage = "backup [--exclude-repos]"\n',
    "src/backup.go": 'package main\n\nfunc runBackup(c *Context) {\n\tif c.Bool("exclude-repos") {\n'
    "\t\treturn\n\t}\n}\n",
    "src/prune.py": "def add(parser):\n    parser.add_argument('--prune-old')\n\n\n"
    "def run(arguments):\n    return arguments.prune_old\n",
    "src/sell.rs": 'fn signature() -> Signature {\n    Signature::new().named("label", "what it is called")\n}\n',
    "src/help.rs": 'fn examples() -> Vec<Example> {\n    vec![Example("sell carts --label blue")]\n}\n',
    "examples/guest.go": 'package main\n\nfunc flags(c *Command) {\n\tc.Bool("guest", false, "no account")\n}\n',
    "CHANGES.md": "# Changes\n\n- `--guest` is new.\n",
    "src/conf.go": 'package main\n\nvar Git struct {\n\tMaxDiffLines int `ini:"MAX_GIT_DIFF_LINES"`\n}\n',
    "src/diff.go": "package main\n\nfunc diff() int {\n\treturn Git.MaxDiffLines\n}\n",
    "src/clone.go": "package main\n\nfunc clone() int {\n\treturn Git.Timeout\n}\n",
    "conf/app.ini": "[git]\n; lines of a file\nMAX_GIT_DIFF_LINES = 1000\n",
    "tests/app.ini": "MAX_GIT_DIFF_LINES = 1\n",
    "src/crawl.ts": "export const settings = {\n  fullArchive: values.CRAWL_FULL_ARCHIVE,\n}\n",
    "src/table.ts": "export const TABLE = [\n  {\n    entry: 'OCR_MODE_NAME',\n  },\n"
    "  {\n    entry: 'OCR_PAGES',\n  },\n]\n",
    "src/form.ts": "export function form() {\n  return TABLE.map(show)\n}\n",
    "src/entries.ts": "export function enter(entry) {\n  return entry\n}\n",
    "src/worker.ts": "export function work() {\n  return settings.fullArchive\n}\n",
    "src/options.c": "struct option all_options[] = {\n"
    '    number("keep-cache-days", NULL, server.keep_cache_days, 7),\n'
    '    number("keep-log-days", NULL, server.log_days, 7),\n};\n',
    "lib/poll.ex": "defmodule Poll do\n  def stop(time) do\n    execute([:shop, :poll, :stop], time)\n  end\nend\n",
    "src/cache.c": "int is_old(int days) {\n    return days > server.keep_cache_days;\n}\n",
    "src/list.c": "int list(void) {\n    return count(all_options);\n}\n",
}


@pytest.mark.parametrize(
    ("key", "files"),
    [
        ("seed-ratio", ["src/prefs.cc", "src/seeding.cc"]),
        ("store.wait.ms", ["src/stores.java", "src/flush.java"]),
        ("--exclude-repos", ["src/backup.go", "src/usage.go"]),  # help contains the flag, code its name
        ("--dry-carts", ["src/serve.go", "src/serving.go"]),  # a field
        ("--swap", ["src/swap.go"]),  # no name
        ("-swap", ["src/swap.go"]),
        ("cart --swap", ["src/swap.go"]),
        ("SHOPHOST", ["src/serve.go"]),
        ("CRAWL", []),  # most code spells it otherwise
        ("env.POST_OFFICE", ["src/env.ts", "src/post.ts"]),  # a member of something unknown
        ("--prune-old", ["src/prune.py", "src/prune.py"]),
        ("what does --prune-old leave behind", ["src/prune.py"]),
        ("how does sell use --label", ["src/sell.rs", "src/help.rs"]),  # where it is declared, then an example
        (
            "With --label, which carts does the shop sell before noon, and which after the door was closed?",
            ["src/help.rs"],
        ),
        ("--guest", ["examples/guest.go"]),  # rather than a page that mentions it
        ("MAX_GIT_DIFF_LINES", ["src/conf.go", "src/diff.go", "conf/app.ini"]),  # by its field, then its declaration
        ("OCR_MODE_NAME", ["src/table.ts", "src/form.ts"]),  # an attribute of each row is no name
        ("CRAWL_FULL_ARCHIVE", ["src/crawl.ts", "src/worker.ts"]),
        ("keep-cache-days", ["src/options.c", "src/cache.c"]),  # by the field in its row
        ("keep-log-days", ["src/options.c", "src/list.c"]),
        ("shop.poll.stop", ["lib/poll.ex"]),  # an event of telemetry
    ],
)
def test_a_key_leads_to_the_code_that_reads_its_constant_or_field(
    key: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(SETTINGS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(key, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


def test_a_quoted_name_in_words_comes_after_the_definitions_that_they_name(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "shop.ex": "defmodule Shop do\n  def checkout(cart), do: cart\n\n  # FunctionClauseError\n"
        "  def pay(x), do: x\nend\n",
        "hours.py": "def opening_hours(day):\n    return day\n",
        "log.py": "def note():\n    return 'sign_ups_open'\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = index.search("opening_hours of a day ignores closed shops if sign_ups_open", order="pack")
    assert [index.chunk(hit.chunk).file for hit in hits[:2]] == ["hours.py", "log.py"]
    hits = index.search("** (FunctionClauseError) no function clause matching in Shop.checkout/1")
    assert not any(why.name == "exact.mention" for hit in hits for why in hit.why)


def test_tests_that_quote_a_message_with_its_values_do_not_push_out_the_code(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    quoted = (
        "def test_it():\n    # a letter cannot be delivered to any town without its stamp\n"
        "    assert sent('letter', 'stamp', {0})\n"
    )
    files = {f"tests/test_{number}.py": quoted.format(number) for number in range(CANDIDATES)}
    files["post.py"] = (
        "def lose(thing, part):\n    raise OSError(f'a {thing} cannot be delivered to any town without its {part}')\n"
    )
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first = index.search("a letter cannot be delivered to any town without its stamp", order="pack")[0]
    assert (index.chunk(first.chunk).file, first.why[0].name) == ("post.py", "exact.message")


def test_a_key_is_found_before_the_tests_beside_its_code_and_in_each_file(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    copy = "fn copy_{0}(all: &Options) -> u8 {{\n    all.keep_days\n}}\n\n"
    test = '#[{0}]\nfn keeps_{1}() {{\n    assert_eq!(read("keep_days {1}"), {1});\n}}\n\n'
    tests = "".join(map(test.format, ("test", 'tokio::test(flavor = "one")', "cfg(test)"), (1, 2, 3)))
    tests += '#[test] fn keeps_4() { assert_eq!(read("keep_days 4"), 4); }\n'
    files = {
        "src/keep_days.rs": "".join(map(copy.format, range(MAX_OF_KEY))) + tests,
        "src/sweep.rs": "fn sweep(all: &Options) {\n    drop_older(all.keep_days);\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    rows = [index.chunk(hit.chunk) for hit in index.search("keep_days", order="pack") if hit.score >= 0.5]
    assert [row.symbol for row in rows][:4] == ["copy_0", "copy_1", "copy_2", "sweep"]
    assert not any("keeps" in (row.symbol or "") for row in rows)
    assert [row.symbol for row in index.symbols("keeps_*") if not index.is_test(row.chunk)] == []


@pytest.mark.parametrize("name", ["cart:clear-all", "shop:import:nightly-run"])
def test_a_command_with_colons_leads_to_the_code_that_quotes_it(
    name: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "src/clear.php": f"<?php\nclass Runner {{\n    protected static $name = '{name}';\n}}\n",
        "src/cart.php": "<?php\nclass CartClear {\n    public function clearAll() {}\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first = index.search(name, order="pack")[0]
    assert (index.chunk(first.chunk).file, first.why[0].name) == ("src/clear.php", "exact.key")
    assert index.grade("cart:nothing-here").confidence != "strong"


COMMANDS = {
    "src/Clear.php": "<?php\nclass Clear extends Command {\n    protected $signature = 'cart:clear\n"
    "        {--force : Ask nothing}';\n}\n",
    "src/Fill.php": "<?php\nclass Fill extends Command {\n    protected $signature = 'cart:fill\n"
    "        {--force : Ask nothing}';\n}\n",
    "src/Runner.php": "<?php\nclass Runner {\n    function artisan($command) {\n"
    "        return run('php artisan '.$command);\n    }\n}\n",
    "src/Cart.php": "<?php\nclass Cart {\n    function clear() {\n"
    "        throw new Fault('shop cart:clear was refused');\n    }\n}\n",
}


@pytest.mark.parametrize(
    "line",
    ["php artisan cart:clear Foo -q", "shop cart:clear stops early", "cart:clear --force", "bin/shop cart:clear"],
)
def test_a_command_line_leads_to_the_command_with_a_colon(line: str, write_tree: WriteTree, tmp_path: Path) -> None:
    index = open_index(write_tree(COMMANDS), home=tmp_path / "home", model="embedded")
    first = index.search(line, order="pack")[0]
    assert (index.chunk(first.chunk).file, first.score >= EXACT_SCORE) == ("src/Clear.php", True)


def test_a_message_with_a_command_leads_to_the_code_that_builds_it(write_tree: WriteTree, tmp_path: Path) -> None:
    index = open_index(write_tree(COMMANDS), home=tmp_path / "home", model="embedded")
    assert index.chunk(index.search("shop cart:clear was refused", order="pack")[0].chunk).file == "src/Cart.php"


RESOURCES = {
    "Properties/Strings.resx": '<root>\n  <data name="CartClosedEarly" xml:space="preserve">\n'
    "    <value>The cart '{id}' was closed before its end and cannot be opened.</value>\n  </data>\n</root>\n",
    "src/Till.cs": "class Till {\n    void Open(Cart cart) {\n"
    "        throw new Fault(Strings.CartClosedEarly(cart.Id));\n    }\n}\n",
    "src/Cart.cs": "class Cart {\n    bool closed;\n    int end;\n}\n",
}


@pytest.mark.parametrize("before", ["", "System.InvalidOperationException: "])
def test_a_message_in_an_element_below_its_name_leads_to_the_code_with_the_name(
    before: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(RESOURCES), home=tmp_path / "home", model="embedded")
    text = f"{before}The cart '7' was closed before its end and cannot be opened."
    hits = [hit for hit in index.search(text, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["src/Till.cs", "Properties/Strings.resx"]


def test_a_message_in_an_element_with_a_name_has_no_name_of_the_element_around(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    texts = (
        '<texts id="cart-texts">\n  <text key="CartClosedEarly">The cart was closed before its end.</text>\n</texts>\n'
    )
    files = {"texts/cart.xml": texts, "src/Till.cs": RESOURCES["src/Till.cs"], "src/Cart.cs": RESOURCES["src/Cart.cs"]}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("The cart was closed before its end.", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["src/Till.cs", "texts/cart.xml"]


NOTICES = {
    "src/notices.php": "<?php\nclass Notices {\n    public function flash($event) {\n"
    "        $this->add('cart.notice.' . $event);\n    }\n    public function other() {\n"
    "        return 'cart.notice.other';\n    }\n}\n",
    "translations/messages.de.yml": "cart:\n    notice:\n        saved: Gespeichert\n    saved: Ja\n",
    "translations/messages.en.yml": "cart:\n    saved: Yes\n    notice:\n        saved: Was saved\n",
    "translations/messages.fr.yml": "cart:\n    notice:\n        saved: Enregistre\n",
    "tests/notices_test.php": "<?php\nclass NoticesTest {\n    function test() { has('cart.notice.saved'); }\n}\n",
}


def test_a_key_that_code_puts_together_leads_there_and_to_the_english_text(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(NOTICES), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("cart.notice.saved", order="pack") if hit.score >= 0.5]
    rows = [index.chunk(hit.chunk) for hit in hits]
    assert [row.file for row in rows] == ["src/notices.php", "translations/messages.en.yml"]
    assert [hit.lines for hit in hits] == [((4, 4),), ((4, 4),)]


VARIABLES = {
    "conf.go": 'package conf\n\nfunc defaults(v *Viper) {\n\tv.Set("scanner.daily", 1)\n\tv.Set("enablecarts", 1)\n}\n',
    "scan.go": "package conf\n\nfunc plan() int {\n\treturn Server.Scanner.Daily\n}\n",
    "carts.go": "package conf\n\nfunc open() bool {\n\treturn Server.EnableCarts\n}\n",
    "watch.go": 'package conf\n\nfunc days(v *Viper) {\n\tv.Set("watchtower_days", 1)\n}\n',
    "tower.go": "package conf\n\ntype WatchTower struct{}\n",
    "scripts/carts.sh": "curl $SHOP_CARTS_URL\n",
    "url.go": 'package conf\n\nfunc address() string {\n\treturn os.Getenv("CARTS_URL")\n}\n',
    "Url.java": 'class Url {\n    String url() {\n        return System.getenv("CARTS_URL");\n    }\n}\n',
    "url.rs": 'fn url() -> String {\n    env::var("CARTS_URL").unwrap()\n}\n',
    "url.js": "export const url = () => process.env.CARTS_URL\n",
    "settings.py": "class Shop(BaseSettings):\n    model_config = Config('SHOP_')\n\n    MOST_CARTS: int = 5\n",
    "limit.py": "def limit(app):\n    app.config.from_prefixed_env('SHOP')\n    return app.config['CART_LIMIT']\n",
    "port.go": "package conf\n\n// The port.\nfunc port() int {\n\treturn 1\n}\n",
    "conf.toml": "SHOP_SCANNER_DAILY = 1\nSHOP_PORT = 2\n",
    "fast.go": "package conf\n\nfunc fast() bool {\n\treturn Carts.Paid.FastCarts\n}\n",
    "shop.ini": "[carts.paid]\n; whether carts are fast\nFAST_CARTS = true\n",
    "page.go": 'package page\n\nfunc page() string {\n\treturn tr("conf.carts.fast_carts")\n}\n',
}


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("SHOP_SCANNER_DAILY", ["conf.go", "scan.go", "conf.toml"]),  # first what declares it
        ("SCANNER_DAILY", ["conf.go", "scan.go"]),
        ("SHOP_ENABLECARTS", ["carts.go"]),
        ("SHOP_PORT", ["conf.toml"]),  # a plain word
        ("SHOP_WATCHTOWER_DAYS", ["watch.go"]),  # `WatchTower` is one word, too
        ("SHOP_CARTS_URL", ["scripts/carts.sh"]),  # CARTS_URL is another variable
        ("SHOP_MOST_CARTS", ["settings.py"]),  # a field that is spelled like a variable
        ("SHOP_CART_LIMIT", ["limit.py"]),
        ("FAST_CARTS", ["fast.go", "page.go", "shop.ini"]),
        ("carts.paid.FAST_CARTS", ["fast.go", "page.go", "shop.ini"]),
        ("[carts.paid] FAST_CARTS", ["fast.go", "page.go", "shop.ini"]),
        ("what does FAST_CARTS change in the shop", ["fast.go", "page.go"]),
    ],
)
def test_a_variable_of_the_environment_leads_to_the_code_that_spells_it_in_its_own_case(
    name: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(VARIABLES), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(name, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


def test_of_a_variable_of_the_environment_what_declares_it_comes_first(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        f"page{at}.go": f"package page\n\nfunc base{at}(s *Settings) string {{\n\treturn s.BaseURL + baseURL\n}}\n"
        for at in range(MAX_OF_KEY)
    }
    files["run.go"] = 'package run\n\nfunc run(flags *Flags) {\n\tflags.String("base-url", "", "the address")\n}\n'
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.search("SHOP_BASE_URL", order="pack")[0]
    assert index.chunk(hit.chunk).file == "run.go"


def test_scripts_that_set_a_variable_leave_room_for_code_that_reads_it(write_tree: WriteTree, tmp_path: Path) -> None:
    step = "step_{0}() {{\n    export SHOP_SESSION={0}\n    echo $SHOP_SESSION\n}}\n\n"
    steps = "".join(map(step.format, range(MAX_OF_KEY)))
    files = {f"session/session.{shell}": steps for shell in ("bash", "zsh", "sh", "ksh")}
    files["read.rs"] = 'fn read() -> String {\n    env::var("SHOP_SESSION").unwrap()\n}\n'
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search("SHOP_SESSION", order="pack") if hit.score >= 0.5]
    assert "read.rs" in hits


WORD_KEYS = {
    "conf.c": 'struct option options[] = {\n    {"maxitems", &server.maxitems},\n    {"dryrun", &server.dryrun},\n};\n',
    "help.c": 'void help(void) {\n    print("set \'maxitems\' for more, or "\n          "maxitems to 0");\n}\n',
    "cart.c": "/* The most items of a cart: maxitems. */\nint add(Cart *cart) {\n    return cart->max;\n}\n",
    "run.c": 'void dryrun_all(void) {\n    call("dryrun");\n}\n',
    "page.c": "/* the page of a cart */\nstruct CartPage {\n    int size;\n};\n",
    "site.c": 'void site(void) {\n    open("cartpage");\n}\n',
    "send.c": 'void send(void) {\n    put("verbatim");\n}\n',
    "read.c": "/* max items of a cart, read verbatim */\nvoid read(void) {\n    get(1);\n}\n",
    "word.c": "/* verbatim, verbatim */\nvoid word(void) {\n    get(2);\n}\n",
}


@pytest.mark.parametrize(
    ("word", "files"),
    [
        ("maxitems", ["conf.c"]),  # two words of the tree; in a message and in a comment it is none
        ("Options:maxitems", ["conf.c"]),
        ("cartpage", []),  # the nearest name
        ("dryrun", []),  # a function is named after it
        ("verbatim", []),  # a word that most places do not quote
    ],
)
def test_a_plain_word_is_a_key_if_code_has_it_as_a_text(
    word: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(WORD_KEYS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(word, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


def test_a_variable_leads_to_the_code_that_reads_the_setting_that_it_fills(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "config/shop.php": "<?php\nreturn [\n  'limits' => [\n    'most' => env('SHOP_MOST_ITEMS', 5),\n  ],\n];\n",
        "app/Cart.php": "<?php\nclass Cart {\n    function a() { return config('shop.limits.most'); }\n}\n",
        "app/Most.php": "<?php\nclass Most {\n    function a() { return config('card.limits.most'); }\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("SHOP_MOST_ITEMS", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["config/shop.php", "app/Cart.php"]


def test_of_many_translations_the_english_one_declares_a_key(write_tree: WriteTree, tmp_path: Path) -> None:
    languages = ("ar", "de", "en", "fr", "pt_BR", "sv")
    files = {f"lang/{name}/shop.php": f"<?php\nreturn [\n    'add_title' => '{name} add',\n];\n" for name in languages}
    files["app/Page.php"] = (
        "<?php\nclass Page {\n    function title() {\n        return trans('shop.add_title');\n    }\n}\n"
    )
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("shop.add_title", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["lang/en/shop.php", "app/Page.php"]


def test_a_file_that_refers_to_a_key_leaves_the_original_first(write_tree: WriteTree, tmp_path: Path) -> None:
    others = "".join(f'    <string name="other_{number}">{number} apples</string>\n' for number in range(40))
    files = {
        f"res/{name}/strings.xml": f'<resources>\n    <string name="notify_me">Notify me</string>\n{more}</resources>\n'
        for name, more in (("values", others), ("values-eu", ""), ("values-de", ""))
    }
    files["res/a_notify_me.xml"] = '<Screen>\n    <Box title="@string/notify_me" summary="notify me" />\n</Screen>\n'
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("notify_me", order="pack") if hit.score >= 0.5]
    assert index.chunk(hits[0].chunk).file == "res/values/strings.xml"


LARAVEL = {
    **{
        f"lang/{name}/auth.php": "<?php\nreturn [\n    'failed' => 'Nobody has such a card.',\n];\n"
        for name in ("ka", "en", "uk", "sq", "fil")
    },
    **{
        f"lang/{name}/rules.php": "<?php\nreturn [\n    'min' => [\n"
        "        'numeric' => 'The :field must be at least :min.',\n    ],\n];\n"
        for name in ("eu", "en", "ka")
    },
    "app/Desk.php": "<?php\nclass Desk {\n    function enter() {\n        return trans('auth.failed');\n    }\n}\n",
    "app/Loan.php": "<?php\nclass Loan {\n    function lend() {\n        return 'failed';\n    }\n}\n",
    "app/Shelf.php": "<?php\nclass Shelf {\n    function kind() {\n        return 'numeric';\n    }\n}\n",
    "tests/DeskTest.php": "<?php\nclass DeskTest {\n    function test() {\n"
    "        $this->see('Nobody has such a card.');\n    }\n}\n",
}


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("Nobody has such a card.", ["app/Desk.php", "lang/en/auth.php"]),
        ("The age must be at least 7.", ["lang/en/rules.php"]),  # code with `numeric` has nothing to do with it
    ],
)
def test_a_translated_text_leads_to_its_key_behind_the_name_of_its_file(
    text: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(LARAVEL), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(text, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


def test_a_text_that_only_translations_declare_is_shown_with_its_tests(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {path: text for path, text in LARAVEL.items() if path != "app/Desk.php"}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search('"Nobody has such a card."', order="pack") if hit.score >= 0.5]
    assert {index.chunk(hit.chunk).file for hit in hits} == {"lang/en/auth.php", "tests/DeskTest.php"}


def test_translations_of_a_message_that_code_builds_are_left_out(write_tree: WriteTree, tmp_path: Path) -> None:
    text = "Cannot close the shop while guests are there."
    files = {
        "shop.py": f"def close():\n    raise ValidationError(_('{text}'))\n",
        "translations/cs/LC_MESSAGES/shop.po": f'#: shop.py:2\nmsgid "{text}"\nmsgstr "Obchod nelze"\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(f"ValidationError: {text}", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["shop.py"]


def test_code_that_spells_a_key_in_its_own_case_comes_before_tests(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "src/errors.rs": "make_codes! {\n    InvalidShopName, BAD_REQUEST;\n    MissingShop, BAD_REQUEST;\n}\n",
        "tests/shops.rs": 'fn bad_name() {\n    assert_eq!(code(), "invalid_shop_name");\n}\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("invalid_shop_name", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["src/errors.rs", "tests/shops.rs"]


ACTIONS = {
    "src/action.rs": "pub enum Action {\n    Up,\n    Down,\n}\n",
    "src/mouse.rs": "pub enum MouseAction {\n    Up,\n}\n\nfn click(m: MouseAction) -> bool {\n"
    "    matches!(m, MouseAction::Up)\n}\n",
    "src/route.rs": "fn route(action: Action) {\n    match action {\n        Action::Up => scroll(),\n"
    "        _ => (),\n    }\n}\n",
}


def test_a_variant_behind_its_type_leads_to_the_code_that_names_it_so(write_tree: WriteTree, tmp_path: Path) -> None:
    index = open_index(write_tree(ACTIONS), home=tmp_path / "home", model="embedded")
    rows = [index.chunk(hit.chunk) for hit in index.search("Action::Up", order="pack") if hit.score >= 0.5]
    assert [row.symbol for row in rows] == ["Action", "route"]


def test_imports_of_a_variant_come_after_the_code_that_names_it(write_tree: WriteTree, tmp_path: Path) -> None:
    fill = "".join(f"    let value{number} = {number};\n" for number in range(60))
    files = {
        "src/action.rs": ACTIONS["src/action.rs"],
        "src/aim.rs": "use crate::action::Action::Up;\n\nfn aim() {\n" + fill + "}\n",
        "src/route.rs": ACTIONS["src/route.rs"].replace("Action::Up", "Up"),
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    rows = [index.chunk(hit.chunk) for hit in index.search("Action::Up", order="pack") if hit.score >= 0.5]
    assert [row.file for row in rows] == ["src/action.rs", "src/route.rs", "src/aim.rs"]


def test_the_last_part_of_a_key_alone_counts_only_in_code(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "web/shop.toml": "[needs]\ncart-web = 1\n",
        "shop.lock": 'name = "cart-web"\n',
        "main.py": "def main():\n    return 1\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("needs.cart-web", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["web/shop.toml"]


def test_a_file_with_the_name_of_a_language_and_a_country_is_a_translation(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    texts = {"ar-SA": "hisas", "en-GB": "Servings", "en-US": "Servings", "is-IS": "Skammtar"}
    files = {
        f"web/texts/{language}.json": f'{{\n  "recipe": {{\n    "all-parts": "{text}"\n  }}\n}}\n'
        for language, text in texts.items()
    }
    files["web/recipe.ts"] = "export const title = () => translate('recipe.all-parts')\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("recipe.all-parts", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["web/recipe.ts", "web/texts/en-US.json"]


@pytest.mark.parametrize("folder", ["App/{}.lproj/Texts.strings", "lang/{}.json", "src/Localization/Core/{}.json"])
def test_of_translations_in_any_folder_the_english_one_is_shown(
    folder: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    texts = {"ar": "hisas", "de": "Portionen", "en": "Servings", "zh-Hans": "fen"}
    line = '{{\n  "all_parts": "{}"\n}}\n' if folder.endswith("json") else '"all_parts" = "{}";\n'
    files = {folder.format(language): line.format(text) for language, text in texts.items()}
    files["web/recipe.ts"] = "export const title = () => translate('all_parts')\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("all_parts", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["web/recipe.ts", folder.format("en")]


def test_an_example_with_the_value_of_a_message_says_no_more_than_its_template(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "a/error.ts": 'export function missing(id: string) {\n  return new Error(`Parcel "${id}" not found.`)\n}\n',
        "b/parcel.ts": "export const example = {\n  message: 'Parcel \"books\" not found.',\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first = index.search('Parcel "books" not found: 3', order="pack")[0]
    assert (index.chunk(first.chunk).file, first.why[0].name) == ("a/error.ts", "exact.message")


def test_pairs_of_words_tell_a_message_from_the_code_of_its_topic(write_tree: WriteTree, tmp_path: Path) -> None:
    topic = "def start(command, terminal):\n    return terminal.run(command, {0})\n"
    files = {f"shop/start_{number}.py": topic.format(number) for number in range(2 * CANDIDATES)}
    files["shop/zoo.py"] = (
        "def fail(one, other):\n    raise OSError(f'could not find command {one} for terminal {other}')\n"
    )
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first = index.search("could not find command 'htop' for terminal 3", order="pack")[0]
    assert (index.chunk(first.chunk).file, first.why[0].name) == ("shop/zoo.py", "exact.message")


def test_a_path_of_many_parts_takes_no_time(write_tree: WriteTree, tmp_path: Path) -> None:
    rows = "".join(f"def f{number}():\n    a, b = 1, 2\n    return a\n\n\n" for number in range(3_000))
    index = open_index(write_tree({"a.py": rows, "a.yml": "a:\n  b: 1\n" * 2_000}), home=tmp_path / "home")
    with within(6):
        index.search(".".join("ab" * 70))


def test_a_long_name_before_words_takes_no_time(index: Index) -> None:
    with within(4):
        index.search("aB" * 9_900 + " could not x: 1")


@pytest.mark.parametrize(
    "token", ["a" * 15_000, "a(b" * 5_000, "_" * 15_000, "[ERROR " * 2_000, "a.b:" * 4_000, "/," * 7_500, "a-" * 7_500]
)
def test_a_message_with_a_long_token_takes_no_time(index: Index, token: str) -> None:
    with within(4):
        index.search(f"failed to decode the token {token}")


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("Keep controls when playback is paused", ["res/xml/player.xml", "res/values/strings.xml"]),
        ("The phone couldn't be reached", ["Phone.kt", "res/values/strings.xml"]),
        ("Show the queue of today", ["package.json", "package.nls.json"]),
        ("Keep this parcel here", ["box.ts", "i18n/en.json"]),  # `save` alone may mean anything
        ("Pick up", ["res/xml/player.xml", "res/values/strings.xml"]),  # a label of two words in a tag
        ("Open all parcels", [*(f"web/page{number}.html" for number in range(3)), "i18n/en.json"]),  # of five pages
    ],
)
def test_a_text_of_the_interface_leads_to_what_uses_its_key(
    write_tree: WriteTree, tmp_path: Path, query: str, files: list[str]
) -> None:
    strings = (
        '<resources>\n    <string name="keep_sum">{}</string>\n'
        '    <string name="no_phone" tools:ignore="UnusedResources">{}</string>\n'
        '    <string name="pick_up">{}</string>\n</resources>\n'
    )
    tree = {
        "res/values/strings.xml": strings.format(
            "Keep controls when playback is paused", r"The phone couldn\'t be reached", "Pick up"
        ),
        "res/values-de/strings.xml": strings.format("Steuerung behalten", "Telefon nicht erreichbar", "Abholen"),
        "res/xml/player.xml": '<Screen>\n    <Switch key="keep"\n        summary="@string/keep_sum"/>\n'
        '    <Switch key="pick"\n        title="@string/pick_up"/>\n</Screen>\n',
        "Phone.kt": "fun show() {\n    text(R.string.no_phone)\n}\n",
        "build.gradle": 'lint {\n    disable "UnusedResources"\n}\n',
        "package.json": '{"commands": [{"command": "queue", "title": "%queue.show%"}]}\n',
        "i18n/en.json": '{\n  "labels": {"save": "Kept"},\n  "buttons": {\n    "open": "Open",\n'
        '    "save": "Keep this parcel here"\n  },\n  "menu.open_all": "Open all parcels"\n}\n',
        **{f"web/page{number}.html": '<li>\n  {{ t "menu.open_all" }}\n</li>\n' for number in range(5)},
        "box.ts": "export function save() {\n  return t('box:buttons.save')\n}\n",
        "bag.ts": "export function bag() {\n  return save(t('labels.save'))\n}\n",
        "package.nls.json": '{\n  "queue.show": "Show the queue of today"\n}\n',
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == files


LABEL = """<ui>
 <widget class="QGroupBox" name="boxOfShelf">
  <property name="title">
   <string>Parcels</string>
  </property>
  <widget class="QCheckBox" name="{name}">
   <property name="toolTip">
    <string>Only parcels that nobody asked for</string>
   </property>
   <property name="text">
    <string>Return parcels after a week</string>
   </property>
  </widget>
 </widget>
</ui>
"""


@pytest.mark.parametrize(
    ("name", "spelled", "code"),
    [
        ("returnCheckBox", "returnCheckBox", ["Shelf.cpp"]),
        ("return_check_box", "returnCheckBox", ["Shelf.cpp"]),  # as code names a control of Android
        ("parcels", "parcels", []),  # the word may mean anything
    ],
)
def test_the_label_of_a_control_leads_to_the_code_that_names_the_control(
    write_tree: WriteTree, tmp_path: Path, name: str, spelled: str, code: list[str]
) -> None:
    text = "Return parcels after a week"
    tree = {
        "Shelf.ui": LABEL.format(name=name),
        "Shelf.cpp": f"void Shelf::load()\n{{\n    m_ui->{spelled}->setChecked(true);\n}}\n",
        "Box.cpp": "void Box::load()\n{\n    m_ui->boxOfShelf->setTitle(toolTip);\n}\n",
        **{
            f"translations/shelf_{number}.ts": '<?xml version="1.0" ?>\n<TS>\n<message>\n'
            f"<source>{text}</source>\n<translation>{number}</translation>\n</message>\n</TS>\n"
            for number in range(9)
        },
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search(text, order="pack") if hit.score >= 0.5]
    assert hits == ["Shelf.ui", *code]


def test_a_message_is_found_among_many_chunks_with_its_words(write_tree: WriteTree, tmp_path: Path) -> None:
    topic = (
        "def pack_{0}(parcel):\n    # parcels of the {0} kind find a box; type and box are kept\n    return parcel\n"
    )
    files = {f"box/pack_{number}.py": topic.format(number) for number in range(3 * CANDIDATES)}
    files["box/zone.py"] = "def zone(kind):\n    raise LookupError(f'Could not find box for type {kind}')\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first = index.search("Could not find box for type letter", order="pack")[0]
    assert (index.chunk(first.chunk).file, first.why[0].name) == ("box/zone.py", "exact.message")


@pytest.mark.parametrize(
    ("message", "files"),
    [
        ("failed to start the sorting machine: letter-sorter", []),  # the text before the value is no literal
        ("Do you want to throw away the parcel of Ann Lee?", ["ask.py"]),  # the interface asks, not the user
        ("record /srv/a.txt has less than two fields", ["read.py"]),
    ],
)
def test_a_value_alone_builds_no_message(write_tree: WriteTree, tmp_path: Path, message: str, files: list[str]) -> None:
    tree = {
        "machines.toml": '[[machine]]\nname = "first"\nsorters = ["letter-sorter"]\n',
        "ask.py": "def ask(name):\n    return confirm(f'Do you want to throw away the parcel of {name}?')\n",
        "read.py": "def check(path):\n    raise ValueError(f'record {path} has less than two fields')\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = index.search(message, order="pack")
    assert [index.chunk(hit.chunk).file for hit in hits if hit.why[0].name == "exact.message"] == files


@pytest.mark.parametrize("key", ["shop.limits.max-items", "limits.max-items", "max-items"])
def test_a_setting_with_its_sections_is_the_field_that_it_fills(
    write_tree: WriteTree, tmp_path: Path, key: str
) -> None:
    tree = {
        "limits.rs": "pub struct Limits {\n    pub max_items: usize,\n}\n",
        "cart.rs": "fn is_full(cart: &Cart, limits: &Limits) -> bool {\n    cart.len() >= limits.max_items\n}\n",
        "docs/shop.md": "# Limits\n\nHow many items a cart holds at most.\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = index.search(key, order="pack")
    assert {index.chunk(hit.chunk).file for hit in hits if hit.score >= 0.5} == {"limits.rs", "cart.rs"}
    assert [(row.qualified, row.line) for row in index.fields(key)] == [("Limits.max_items", 2)]


def test_a_message_that_code_builds_is_not_shown_in_its_translations(write_tree: WriteTree, tmp_path: Path) -> None:
    entry = (
        "<message>\n<source>Cannot find the parcel with path %1.</source>\n<translation>{}</translation>\n</message>\n"
    )
    tree = {
        f"translations/post_{number}.ts": '<?xml version="1.0" ?>\n<TS>\n' + entry.format("?" * number) + "</TS>\n"
        for number in range(700)  # more than the chunks that are read
    }
    tree["Post.cpp"] = (
        "void Post::send(const QString& path)\n{\n    if (isLost(path)) {\n"
        '        err << QObject::tr("Cannot find the parcel with path %1.").arg(path) << Qt::endl;\n    }\n}\n'
    )
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = index.search("Cannot find the parcel with path /a/b.", order="pack")
    assert [index.chunk(hit.chunk).file for hit in hits if hit.score >= 0.5] == ["Post.cpp"]


def test_a_text_that_is_the_same_in_all_languages_is_read_in_a_few(
    write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '{\n  "shop": {\n    "brand": "Parcels and letters of all kinds"\n  }\n}\n'
    tree = {f"i18n/x{number}.json": text for number in range(60)} | {"i18n/en.json": text, "a.ts": "t('shop.brand')\n"}
    reads: list[int] = []
    key_at = indirection._key_at
    monkeypatch.setattr(indirection, "_key_at", lambda rows, at, text: reads.append(at) or key_at(rows, at, text))
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("Parcels and letters of all kinds") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits[:2]] == ["a.ts", "i18n/en.json"]
    assert len(reads) <= indirection.MAX_TRANSLATIONS


@pytest.mark.parametrize(
    ("key", "files"),
    [
        ("maxItemCount", ["Shop.cs", "Cart.cs", "Setup.cs"]),
        ("shop__maxItemCount", ["Shop.cs", "Cart.cs", "Setup.cs"]),
        ("shop__cart__color", ["Shop.cs", "Setup.cs"]),  # the part of it that a type defines
        ("shop__unknown", ["Setup.cs"]),
    ],
)
def test_a_key_in_data_means_the_member_that_it_fills(
    key: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    tree = {
        "Shop.cs": "public class Shop\n{\n    public int MaxItemCount { get; set; }\n\n"
        "    public CartSettings Cart { get; set; }\n}\n",
        "Cart.cs": "class Rule\n{\n    bool Fits(Shop shop, int count)\n    {\n"
        "        return count <= shop.MaxItemCount;\n    }\n}\n",
        "Setup.cs": "class Setup\n{\n    // as maxItemCount says\n    string[] Keys()\n    {\n        return new[] {\n"
        '            "shop__maxItemCount", "shop__cart__color", "shop__unknown"\n        };\n    }\n}\n',
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search(key, order="pack") if hit.score >= 0.5]
    assert list(dict.fromkeys(hits)) == files


@pytest.mark.parametrize("variable", ["SHOP__CARTS__MAXITEMS", "Shop__Carts__MaxItems", "SHOP_CARTS__MAX_ITEMS"])
def test_a_variable_with_sections_means_the_field_of_their_type(
    variable: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    field = "class {0}Options\n{{\n    public string Key {{ get; set; }}\n    public int MaxItems {{ get; set; }}\n}}\n"
    files = {f"{name}Options.cs": field.format(name) for name in ("Carts", "Orders")}
    files["Rule.cs"] = "class Rule\n{\n    bool Fits(CartsOptions carts) { return 1 <= carts.MaxItems; }\n}\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first = index.search(variable, order="pack")[0]
    assert (index.chunk(first.chunk).file, first.lines, first.score) == ("CartsOptions.cs", ((4, 4),), 1.0)


def test_what_the_graph_does_not_read_is_shown_with_the_code_that_names_it(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    procedure = "CREATE PROCEDURE [dbo].[Cart_Read] @Id INT\nAS\n    EXEC [dbo].[Line_Read] @Id\n"
    files = {
        "db/Cart_Read.sql": procedure,
        "db/Shop_Read.sql": "CREATE PROCEDURE [dbo].[Shop_Read]\nAS\nBEGIN\n    EXEC [dbo].[Cart_Read] 1\nEND\n",
        "src/Store.cs": 'class Store {\n    string Read() { return Run($"[{Schema}].[Cart_Read]"); }\n}\n',
        **{f"Migrator/202{year}-01-01_Carts.sql": f"{procedure}GO\n" for year in range(5)},
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search("dbo.Cart_Read", order="pack") if hit.score >= 0.5]
    assert (hits[0], set(hits[1:3])) == ("db/Cart_Read.sql", {"src/Store.cs", "db/Shop_Read.sql"})
    assert len(hits) == 5 and all(file.startswith("Migrator/") for file in hits[3:])


def test_what_uses_a_constant_named_by_a_plain_word_is_in_its_folder(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "web/table.py": "rates = {\n    'per-parcel': 1,\n}\n",
        "web/bill.py": "from web.table import rates\n\n\ndef bill(key):\n    return rates[key]\n",
        "post/box.py": "def box():\n    # as rates go\n    return 1\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search("per-parcel") if hit.score > 0.5]
    assert list(dict.fromkeys(hits)) == ["web/table.py", "web/bill.py"]


ANDROID = {
    "app/src/main/res/layout/cart_view.xml": '<Layout>\n  <Text android:id="@+id/total_price"\n'
    '    android:text="@string/cart_title" />\n</Layout>\n',
    "app/src/main/res/layout-land/cart_view.xml": '<Layout>\n  <Text android:id="@+id/total_price" />\n</Layout>\n',
    "app/src/main/res/values/strings.xml": '<resources>\n  <string name="cart_title">Cart</string>\n</resources>\n',
    "app/src/main/res/values-de/strings.xml": '<resources>\n  <string name="cart_title">Korb</string>\n</resources>\n',
    "app/src/main/java/CartView.java": "class CartView {\n  CartViewBinding binding;\n"
    "  void show() { setContentView(R.layout.cart_view); binding.totalPrice.setText(sum()); }\n}\n",
    "app/src/main/java/Bar.java": "class Bar {\n  String title() { return get(R.string.cart_title); }\n}\n",
    "web/index.ts": 'import { total } from "@shop/cart";\n\nexport const sum = total;\n',
}


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("R.layout.cart_view", ["layout/cart_view.xml", "layout-land/cart_view.xml", "CartView.java"]),
        ("@layout/cart_view", ["layout/cart_view.xml", "layout-land/cart_view.xml", "CartView.java"]),
        ("@+id/total_price", ["layout/cart_view.xml", "layout-land/cart_view.xml", "CartView.java"]),
        ("R.string.cart_title", ["values/strings.xml", "Bar.java", "layout/cart_view.xml"]),
        ("get(R.string.cart_title)", ["values/strings.xml", "Bar.java", "layout/cart_view.xml"]),
        ('android:text="@string/cart_title"', ["values/strings.xml", "layout/cart_view.xml", "Bar.java"]),
        ("cart_title", ["Bar.java", "values/strings.xml"]),
        ("@shop/cart", ["web/index.ts"]),
    ],
)
def test_a_resource_of_an_app_leads_to_its_declaration_and_its_users(
    query: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(ANDROID), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk).file for hit in index.search(query, order="pack") if hit.score >= 0.5]
    ends = [file.removeprefix("app/src/main/").removeprefix("res/").removeprefix("java/") for file in hits]
    assert list(dict.fromkeys(ends)) == files


STORES = {
    "src/Store.kt": "class Store {\n    fun getFlag(key: String): Boolean = flags[key]\n}\n",
    **{f"src/Screen{number}.kt": f'fun open{number}() {{\n    if (kept.getFlag("sign_in_skipped", false)) open()\n}}\n'
       for number in range(6)},
    "src/Login.kt": 'fun skip() {\n    kept.putFlag("sign_in_skipped", true)\n}\n',
}  # fmt: skip


@pytest.mark.parametrize("query", ['store.getFlag("sign_in_skipped")', 'kept?.readFlag("sign_in_skipped")'])
def test_the_text_of_a_call_says_more_than_its_function(query: str, write_tree: WriteTree, tmp_path: Path) -> None:
    index = open_index(write_tree(STORES), home=tmp_path / "home", model="embedded")
    files = [index.chunk(hit.chunk).file for hit in index.search(query, order="pack") if hit.score >= 0.5]
    assert files[0].startswith("src/Screen")
    assert "src/Login.kt" in files


ROUTES = {
    "shop/urls.py": "from shop import views\n\nurlpatterns = [\n    path('pay/', views.pay, name='cart-pay'),\n"
    "    path('show/', views.show, name='cart-show'),\n]\n",
    "shop/views.py": "def show(request):\n    return render(request)\n\n\n"
    "def pay(request):\n    return redirect(request)\n",
    **{f"shop/users_{number}.py": f"def to{number}():\n    return reverse('cart-pay')\n" for number in range(6)},
    "depot/urls.py": "from depot import views\n\napp_name = 'store'\n\nurlpatterns = [\n"
    "    path('', views.index, name='index'),\n]\n",
    "depot/views.py": "def index(request):\n    return render(request)\n",
    "routes/web.php": "<?php\nRoute::get('/lend', [CartController::class, 'lend'])->name('cart.lend');\n",
    "app/CartController.php": "<?php\nclass CartController\n{\n    public function lend()\n    {\n"
    "        return 1;\n    }\n}\n",
}


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("cart-pay", ["shop/urls.py", "shop/views.py"]),
        ("reverse('cart-pay')", ["shop/urls.py", "shop/views.py"]),
        ("cart-show", ["shop/urls.py", "shop/views.py"]),
        ("store:index", ["depot/urls.py", "depot/views.py"]),
        ("reverse('store:index')", ["depot/urls.py", "depot/views.py"]),
        ("route('cart.lend')", ["routes/web.php", "app/CartController.php"]),
    ],
)
def test_the_name_of_a_route_leads_to_its_declaration_and_its_handler(
    query: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(ROUTES), home=tmp_path / "home", model="embedded")
    hits = [index.chunk(hit.chunk) for hit in index.search(query, order="pack") if hit.score >= 0.5]
    assert list(dict.fromkeys(row.file for row in hits))[:2] == files
    assert query.strip("')")[-4:].lstrip("-.") in hits[1].text


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("quibble setting", [("cart.py", 2), ("shop.py", 2)]),
        ("how is the quibble handled", [("cart.py", 2), ("shop.py", 2)]),
        ("tests for quibble", []),  # only tests answer
        ("how does the shop count carts whose quibble is larger than all", []),  # about more
        ("wobble setting", []),  # much code contains it
        ("cart setting", []),  # a usual word
        ("quibble readme", []),  # of a document
        ("glimmer setting", []),  # the name of a file
        ("zigzag setting", []),  # the name of a folder
        ("fribble setting", [("glimmer.py", 4)]),  # where it is used, not where it is imported
        ("snarkle setting", [("glimmer.py", 1), ("late.go", 4)]),  # only imported
        ("frumious setting", []),  # only a package
        ("vorpal setting", [("vorpal/part.py", 2)]),  # in the folder of this name
        ("drizzle setting", []),  # only a URL
        ("quimby setting", []),  # only an author
    ],
)
def test_an_unusual_word_of_a_short_question_leads_to_the_little_code_that_contains_it(
    query: str, places: list[tuple[str, int]], write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "cart.py": "def cart(values):\n    return values.quibble + values.size\n",
        "shop.py": "def shop(values):\n    quibble = values.first\n    return quibble\n",
        "glimmer.py": "from snarkle.values import fribble\n\ndef own(values):\n    return fribble(values.of)\n",
        "alias.py": "def alias(values):\n    return values['glimmer'].zigzag + values.vorpal\n",
        "zigzag/part.py": "def part(values):\n    return values.size\n",
        "vorpal/part.py": "def part(values):\n    return values.vorpal\n",
        "Late.java": "// (c) 2014 quimby\npackage shop.frumious;\n\n// https://shop.org/drizzle/\nclass Late {\n}\n",
        "late.go": 'package late\n\nimport (\n\t"shop/snarkle/size"\n\t"shop/values"\n)\n\n'
        "func Late() int {\n\treturn size.Of(values.All)\n}\n",
        **{f"many_{n}.py": f"def setting_{n}(cart):\n    return cart.wobble\n" for n in range(13)},
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score >= 0.5]
    own = [hit for hit in hits if hit.why[0].name == "exact.mention"]
    assert sorted((index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in own) == places


@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("what does the cart-test command do", "src/args.c"),
        ("how is a read-only shop opened", ""),  # a word of comments, which one place quotes
        ("add another mode like read-only", "src/mode.c"),
        ("why is the cart-less shop slow", ""),
    ],
)
def test_a_name_with_dashes_among_words_leads_to_the_code_that_quotes_it(
    query: str, file: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "src/args.c": 'int arguments(char *word)\n{\n\treturn strcmp(word, "cart-test") == 0;\n}\n',
        "src/mode.c": 'int mode_of(char *word)\n{\n\treturn strcmp(word, "read-only");\n}\n',
    } | {
        f"src/shop{n}.c": f"/* Opens a read-only shop. */\nint open_{n}(int n)\n{{\n\treturn n;\n}}\n" for n in range(4)
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == [file][: bool(file)]


@pytest.mark.parametrize(
    ("message", "file"),
    [
        ("Parcel <0.31.0> was refused by crane 7 with reason {error,full}", "crane.erl"),
        ('Cannot moor at "north"', "moor.pl"),
        ("Overlapping piers. Place for `box` already taken", "pier.rs"),
    ],
)
def test_a_text_with_the_placeholders_of_its_language_leads_to_the_code_that_builds_it(
    message: str, file: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    tree = {
        "crane.erl": '-module(crane).\n\nrefuse(Pid, Crane, Why) ->\n    log("Parcel ~p was refused by crane ~9999p "\n'
        '        "with reason ~0tp~n", [Pid, Crane, Why]).\n',
        "moor.pl": 'sub moor {\n  my $pier = shift;\n  die qq{Cannot moor at "$pier"} unless $pier;\n}\n',
        "pier.rs": 'fn take(cargo: &str) {\n    panic!("Overlapping piers. Place for `{cargo}` already taken");\n}\n',
        "tests/moor.t": "like $@, qr/^Cannot moor at/, 'refused';\nlike $@, qr/was refused by crane/;\n",
        "tests/pier.rs": "fn overlapping_piers_place_taken() {\n    place_for_box_already_taken();\n}\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    first = index.search(message, order="pack")[0]
    assert (index.chunk(first.chunk).file, first.score) == (file, 1.0)


def test_an_annotation_that_nothing_defines_leads_to_the_code_that_has_it(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    tree = {
        "Carts.java": '@Service\nclass All {\n    @Cached("carts")\n    int find() {\n        return 1;\n    }\n}\n',
        "CachedSetup.java": "class CachedSetup {\n    Cached cached() {\n        return null;\n    }\n}\n",
        "cached.properties": "cached=1\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("@Cached", order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines) for hit in hits] == [("Carts.java", ((3, 3),))]


def test_a_setting_that_only_tests_and_documents_define_is_found_in_code(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({
        "shop/shelf.py": "def limit(settings):\n    return getattr(settings, 'SHELF_LIMIT', 3)\n",
        "shop/cart.py": "def fill(cart):\n    cart.full = cart.count > 3\n",
        "docs/settings.md": "# Settings\n\n## SHELF_LIMIT\n\nHow many carts are full.\n",
        "tests/settings.py": "SHELF_LIMIT = 9\n",
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "home", model="embedded")
    hits = index.search("why is SHELF_LIMIT ignored if the cart is full", top_k=9, order="pack")
    assert (index.chunk(hits[0].chunk).file, hits[0].lines) == ("shop/shelf.py", ((2, 2),))


@pytest.mark.parametrize(
    ("text", "symbol", "written"),
    [
        ("<CartList />", "CartList", "CartList"),
        ("</CartList>", "CartList", "CartList"),
        ("{% cart_total %}", "cart_total", "cart_total"),
        ("{{ trans('cart.pay') }}", "trans", "trans('cart.pay')"),
        ("<%= cart_total %>", "cart_total", "cart_total"),
    ],
)
def test_the_marks_around_a_name_or_a_call_are_left_out(text: str, symbol: str, written: str) -> None:
    query = parse_query(text)
    assert (query.symbol, query.text) == (symbol, written)


def test_the_tests_of_a_name_are_asked_for() -> None:
    assert parse_query("CartStore tests").wants_tests and parse_query("cart_store unit tests").wants_tests
    assert not parse_query("cart tests").wants_tests


def test_an_address_with_a_port_is_a_route() -> None:
    assert parse_query("curl -X POST http://localhost:8096/carts/pay").routes == [("POST", "/carts/pay")]
    assert parse_query("as https://shop.example/carts/pay says").routes == []


def test_the_types_in_a_type_from_elsewhere_are_meant(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({
        "src/depot.rs": "pub struct Depot {\n    size: u32,\n}\n",
        "src/pool.rs": "impl Close for Arc<Depot> {\n    fn close(&self) {}\n}\n",
    })  # fmt: skip
    index = open_index(root, home=tmp_path / "home", model="embedded")
    hits = index.search("Arc<Depot>", top_k=9, order="pack")
    assert (index.chunk(hits[0].chunk).file, hits[0].lines) == ("src/depot.rs", ((1, 1),))


def test_a_modifier_of_a_class_of_styles_is_a_key() -> None:
    assert parse_query("shelf-label--empty").key == "shelf-label--empty"


def test_a_text_that_ends_with_a_dot_has_no_last_part(write_tree: WriteTree, tmp_path: Path) -> None:
    root = write_tree({"src/files.py": "def open_cart():\n    return open('/carts/a../')\n"})
    index = open_index(root, home=tmp_path / "home", model="embedded")
    hits = index.search('open("/carts/a../")', top_k=9, order="pack")
    assert [index.chunk(hit.chunk).file for hit in hits] == ["src/files.py"]


@pytest.mark.parametrize("query", ["--urls", "where is --urls handled"])
def test_scripts_that_complete_a_flag_come_after_the_code_that_declares_it(
    query: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "completions/shop.zsh": "#compdef shop\n_shop() {\n  _arguments '--urls[Show the URLs]'\n}\n",
        "internal/completion/shop.bash": '_shop() {\n  COMPREPLY=($(compgen -W "--urls" -- "$1"))\n}\n',
        "cli/cli.go": "package cli\n\nfunc flags() []Flag {\n\treturn []Flag{\n\t\t&BoolFlag{\n"
        '\t\t\tName:  "urls",\n\t\t\tUsage: "show them",\n\t\t},\n\t}\n}\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert index.chunk(index.search(query)[0].chunk).file == "cli/cli.go"


def test_code_that_builds_less_of_a_message_comes_before_tests_that_quote_it(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    message = "Operation ComplexityNested is too complex: complexity is 5 and maximum is 4"
    files = {
        "lib/complexity.ex": "defmodule Complexity do\n  def error(node, value, max) do\n"
        '    "#{describe(node)} is too complex: complexity is #{value} and maximum is #{max}"\n  end\nend\n',
        "test/complexity_test.exs": f'defmodule ComplexityTest do\n  test "error" do\n    assert run() == "{message}"\n'
        "  end\nend\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [(index.chunk(hit.chunk).file, hit.reason) for hit in index.search(message)[:2]]
    assert hits == [("lib/complexity.ex", "exact.message"), ("test/complexity_test.exs", "exact.literal")]

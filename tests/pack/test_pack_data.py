"""Questions about what is no symbol of code: what tools run, events, numbers, statuses, schedules, migrations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from context_pack import api
from contracts.records import Pack
from index.search.exact import TOOLS
from index.search.fields.migrations import migration_hits
from index.search.places.numbers import number_hits
from index.search.places.tasks import tools
from index.search.scope import SearchScope
from index.types import EXACT_SCORE
from tests.pack.conftest import write

FILES = {
    "Makefile": "build: lint\n\tgo build\n\nlint:\n\truff check\n\nVERSION := 1\n",
    "package.json": '{\n  "name": "shop",\n  "scripts": {\n    "build": "vite build",\n    "lint": "eslint"\n  },\n'
    '  "devDependencies": {\n    "vite": "^5"\n  }\n}\n',
    "compose.yaml": "services:\n  worker:\n    image: shop\n  api:\n    image: shop\nvolumes:\n  carts:\n",
    "Dockerfile": "FROM node AS deps\nRUN npm ci\n\nFROM deps AS build\nRUN npm run build\n",
    ".github/workflows/ci.yml": "jobs:\n  lint:\n    steps:\n      - name: Check style\n        run: make lint\n"
    "  build:\n    needs: lint\n    steps:\n      - run: yarn build\n",
    "tox.ini": "[tox]\nenvlist = lint\n\n[testenv:lint]\ncommands = ruff check\n",
    "app/build.gradle": "task bootCart {\n    println 'cart'\n}\n",
    "pyproject.toml": '[project]\nname = "shop"\n\n[tool.poe.tasks]\nlint = "ruff check"\n',
    "roles/carts/tasks/main.yml": "- name: Install the carts\n  package:\n    name: carts\n  notify: Restart carts\n",
    "roles/carts/handlers/main.yml": "- name: Restart carts\n  service:\n    name: carts\n",
    "src/restart.py": "def restart_carts(handler):\n    return handler  # restart the carts\n",
    "images.mk": "images/build: lint\n\tdocker build .\n",
    "src/build.py": "def build(cart):\n    return lint(cart)\n\n\ndef lint(cart):\n    return cart\n",
    "src/worker.py": "class Worker:\n    def start(self):\n        return 'the worker service'\n",
}


def first_of(pack: Pack) -> tuple[str, str]:
    return pack.items[0].file, pack.items[0].content


@pytest.mark.parametrize(
    ("question", "file", "line"),
    [
        ("make build", "Makefile", "build: lint"),
        ("what does `make lint` do?", "Makefile", "lint:"),
        ("where is the make target lint defined", "Makefile", "lint:"),
        ("npm run build", "package.json", '"build": "vite build"'),
        ("yarn lint --fix", "package.json", '"lint": "eslint"'),
        ("docker compose up worker", "compose.yaml", "  worker:"),
        ("the api service in docker compose", "compose.yaml", "  api:"),
        ("docker build --target build .", "Dockerfile", "FROM deps AS build"),
        ("the deps stage of the Dockerfile", "Dockerfile", "FROM node AS deps"),
        ("CI job build", ".github/workflows/ci.yml", "  build:"),
        ("the step Check style in the workflow", ".github/workflows/ci.yml", "name: Check style"),
        ("tox -e lint", "tox.ini", "[testenv:lint]"),
        ("./gradlew :app:bootCart", "app/build.gradle", "task bootCart"),
        ("poe lint", "pyproject.toml", 'lint = "ruff check"'),
        ("the lint target", "Makefile", "lint:"),
        ("images/build", "images.mk", "images/build: lint"),
        ("the build job", ".github/workflows/ci.yml", "  build:"),
        ("TASK [carts : Install the carts] ****", "roles/carts/tasks/main.yml", "name: Install the carts"),
        ("RUNNING HANDLER [carts : Restart carts] ***", "roles/carts/handlers/main.yml", "name: Restart carts"),
        ("handler Restart carts", "roles/carts/handlers/main.yml", "name: Restart carts"),
    ],
)
def test_what_a_tool_runs_is_shown_where_its_file_declares_it(tree: Path, question: str, file: str, line: str) -> None:
    path, content = first_of(api.query(question, repo=tree, max_chars=1_000))
    assert path == file
    assert line in content


def test_what_runs_or_needs_it_comes_after_it(tree: Path) -> None:
    files = [item.file for item in api.query("make lint", repo=tree).items]
    assert files[:2] == ["Makefile", ".github/workflows/ci.yml"]
    assert "needs: lint" in "".join(item.content for item in api.query("CI job lint", repo=tree).items)


def test_what_the_file_of_a_tool_does_not_run_is_no_task(tree: Path) -> None:
    write(tree, {"src/request.py": "def request(cart):\n    return cart\n"})
    assert api.query("make request", repo=tree).items[0].file == "src/request.py"
    write(tree, {"ui/package.json": '{\n  "scripts": {\n    "vite": "vite serve"\n  }\n}\n'})
    assert api.query("npm run vite", repo=tree).items[0].file == "ui/package.json"  # the other one depends on it


def test_the_variables_of_a_role_are_no_tasks(tree: Path) -> None:
    options = "carts_options:\n  - name: queue\n    value: 1\n  - name: method\n    value: 2\n"
    write(tree, {"roles/carts/defaults/main.yml": options, "roles/carts/vars/main.yml": options})
    write(tree, {"src/queue.py": "class TaskQueue:\n    def next_task(self):\n        return self.queue.pop()\n"})
    assert api.query("task queue", repo=tree).items[0].file == "src/queue.py"
    assert api.query("the handler method", repo=tree).items[0].score < EXACT_SCORE


def test_the_words_of_tools_are_those_of_their_rows() -> None:
    assert frozenset().union(*(tool.words for tool in tools())) == TOOLS


DESCRIBED = {
    "models/carts.yml": "models:\n  - name: carts\n    description: all carts\n    columns:\n      - name: paid_at\n"
    "        description: when it was paid\n  - name: orders\n    columns:\n      - name: paid_at\n"
    "        description: when the order was\n",
    "models/carts.sql": "select paid_at from {{ ref('orders') }}\n",
    "models/orders.sql": "select paid_at, name from {{ source('shop', 'orders') }}\n",
    "models/late.sql": "select * from {{ ref('carts') }} where paid_at > 1\n",
}


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("paid_at column", "when it was paid"),
        ("what does the column paid_at mean", "when it was paid"),
        ("carts.paid_at", "when it was paid"),
        ("paid_at column of orders", "when the order was"),
    ],
)
def test_a_column_is_shown_where_yaml_describes_it(tree: Path, question: str, shown: str) -> None:
    write(tree, DESCRIBED)
    path, content = first_of(api.query(question, repo=tree))
    assert (path, shown in content) == ("models/carts.yml", True)


ACTIONS = {
    ".github/workflows/one.yml": "jobs:\n  one:\n    steps:\n      - uses: actions/cache@v4\n",
    ".github/workflows/two.yml": "jobs:\n  two:\n    steps:\n      - uses: actions/cache@v3\n",
    "src/cache.py": "def cache(actions):\n    return actions  # the cache of actions\n",
}


@pytest.mark.parametrize("question", ["actions/cache", "which workflows use actions/cache"])
def test_a_name_with_slashes_that_is_no_path_is_shown_where_it_stands(tree: Path, question: str) -> None:
    write(tree, ACTIONS)
    files = [item.file for item in api.query(question, repo=tree).items]
    assert {*files[:2]} == {".github/workflows/one.yml", ".github/workflows/two.yml"}


EVENTS = {
    "src/pay.ts": "export function pay(cart) {\n"
    "  bus.emit('cart.paid', cart)\n  response.setHeader('X-Cart-Total', cart.sum)\n}\n",
    "src/mail.ts": "bus.on('cart.paid', (cart) => send(cart.owner))\n",
    "src/stock.ts": "export const events = {\n  'cart.paid': reserve,\n}\n",
    "src/labels.ts": "export const label = (cart) => cart.sum\n",
    "src/cart.ts": "export class Cart {\n  paid = false\n"
    "  /** Who listens to a cart that is paid, and reads the header of a request. */\n"
    "  listens() {\n    return this.paid\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("question", "files"),
    [
        ("who listens to cart.paid", {"src/mail.ts", "src/stock.ts"}),
        ("what happens on cart.paid", {"src/pay.ts", "src/mail.ts", "src/stock.ts"}),
        ("who reads the X-Cart-Total header", {"src/pay.ts"}),
    ],
)
def test_a_name_that_code_quotes_is_found_among_words(tree: Path, question: str, files: set[str]) -> None:
    write(tree, EVENTS)
    items = api.query(question, repo=tree).items
    assert {item.file for item in items[: len(files)]} == files


def test_a_file_among_words_is_no_name_of_data(tree: Path) -> None:
    write(tree, {**EVENTS, "src/read.ts": "import { label } from './labels'\nopen('labels.ts')\n"})
    assert api.query("what does labels.ts export", repo=tree).items[0].file == "src/labels.ts"


NUMBERS = {
    "src/limits.py": "CHUNK = 8_192\n\n\ndef too_much(size):\n    return size > 20 * 8192\n",
    "src/api.go": "package api\n\nfunc pay(w Writer) {\n"
    "\tif full() {\n\t\thttp.Error(w, busy, http.StatusTooManyRequests)\n\t}\n}\n",
    "src/http.py": "def reply(cart):\n    # 429 is for later\n    return Response(cart, status=404)\n",
    "src/main.py": "def run(cart):\n    if not cart:\n        sys.exit(3)\n    return songs(cart)[:100]\n",
    "src/songs.py": "def songs(cart):\n    return top(cart)\n\n\ndef top(songs):\n    return songs\n",
    "jobs.yml": "clean:\n  cron: '0 3 * * *'\nmail:\n  cron: '30 0 3 * *'\n",
}


@pytest.mark.parametrize(
    ("question", "file", "line"),
    [
        ("where does 8192 come from", "src/limits.py", "8_192"),
        ("why 8192?", "src/limits.py", "8_192"),
        ("where do we return 429", "src/api.go", "StatusTooManyRequests"),
        ("429 Too Many Requests", "src/api.go", "StatusTooManyRequests"),
        ("why do I get a 404", "src/http.py", "status=404"),
        ("when does it exit with code 3", "src/main.py", "sys.exit(3)"),
        ("which job runs at 0 3 * * *", "jobs.yml", "'0 3 * * *'"),
    ],
)
def test_a_number_is_found_where_code_has_it(tree: Path, question: str, file: str, line: str) -> None:
    write(tree, NUMBERS)
    path, content = first_of(api.query(question, repo=tree, max_chars=1_000))
    assert path == file
    assert line in content


def test_a_symbol_is_a_status_only_behind_what_sends_it(tree: Path) -> None:
    (tree / "find.ex").write_text("def find(id) do\n  {:error, :not_found}\nend\n")
    (tree / "show.ex").write_text("def show(conn, cart) do\n  put_status(conn, :not_found)\nend\n")
    assert api.query("where do we return 404", repo=tree).items[0].file == "show.ex"
    (tree / "show.ex").unlink()
    assert api.open(tree).search("where do we return 404").data.hits[0].score < 0.9


def test_a_year_or_a_part_of_an_exit_is_no_number_that_is_asked_for(tree: Path) -> None:
    (tree / "clock.py").write_text("START = datetime(2020, 5, 22)\n\n\ndef stop(info):\n    exit(info[1].code)\n")
    (tree / "main.py").write_text("import sys\n\n\ndef fail():\n    sys.exit(1)\n")
    (tree / "LICENSE").write_text("Copyright 2020 the shop's owners\n")
    assert api.query("copyright 2020", repo=tree).items[0].file == "LICENSE"
    assert "2020" in api.query("where does 2020 come from", repo=tree).items[0].content
    assert api.query("exit code 1", repo=tree).items[0].file == "main.py"


def test_a_schedule_reads_only_files_that_have_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        (tree / f"table_{number}.py").write_text("ROW = [0, 0, 3]\n")
    (tree / "jobs.yml").write_text("cleanup:\n  schedule: 0 0 3 * *\n")
    collection, chunks = api.open(tree).corpus.collection, list[int]()
    text_of = collection.text_of
    monkeypatch.setattr(collection, "text_of", lambda chunk: chunks.append(chunk) or text_of(chunk))
    scope = SearchScope.unranked(collection, np.ones(len(collection.files), bool))
    hits = number_hits(scope, "cron 0 0 3 * *")
    assert [collection.path_of(hit.chunk) for hit in hits] == ["jobs.yml"]
    assert len(chunks) == 1


def test_a_number_in_a_topic_is_not_what_it_is_about(tree: Path) -> None:
    write(tree, NUMBERS | {"src/error.html": "<h1>Error page</h1>\n"})
    assert api.query("error 404 page", repo=tree).items[0].file == "src/error.html"
    assert api.query("top 100 songs", repo=tree).items[0].file == "src/songs.py"


TABLES = {
    "db/schema.rb": 'create_table "carts" do |t|\n  t.integer "total"\nend\n\ncreate_table "orders" do |t|\nend\n',
    "db/migrate/1_create_carts.rb": "class CreateCarts\n"
    "  def change\n    create_table :carts do |t|\n    end\n  end\nend\n",
    "db/migrate/2_add_total.rb": "class AddTotal\n  def change\n    add_column :carts, :total, :integer\n  end\nend\n",
    "sql/v2.sql": "ALTER TABLE shop.stock ADD COLUMN shelf INTEGER;\n",
    "app/models/cart.rb": "class Cart\n"
    "  # The total that the table of carts has\n  def total\n    lines.sum\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("which migration adds total to carts", "db/migrate/2_add_total.rb"),
        ("when was the column carts.total added?", "db/migrate/2_add_total.rb"),
        ("where is the carts table created", "db/migrate/1_create_carts.rb"),
        ("migration for carts", "db/migrate/1_create_carts.rb"),
        ("schema of the carts table", "db/schema.rb"),
        ("create table orders", "db/schema.rb"),
        ("which migration adds shelf to stock", "sql/v2.sql"),
    ],
)
def test_a_migration_is_found_by_what_it_creates(tree: Path, question: str, file: str) -> None:
    write(tree, TABLES)
    assert api.query(question, repo=tree).items[0].file == file


CREATING = {
    "shop/models.py": "class CartRow(models.Model):\n    owner = CharField()\n\n"
    "    class Meta:\n        db_table = 'carts'\n",
    "shop/migrations/0001_a.py": "class Migration(migrations.Migration):\n    operations = [\n"
    "        migrations.CreateModel(\n            name='CartRow',\n            fields=[\n"
    "                ('owner', models.CharField()),\n            ],\n"
    "            options={'db_table': 'carts'},\n        ),\n    ]\n",
    "shop/migrations/0002_b.py": "class Migration(migrations.Migration):\n    operations = [\n"
    "        migrations.AlterField(\n            model_name='cartrow',\n            name='owner',\n        ),\n"
    "        migrations.AddField(model_name='cartrow', name='returned_at', field=models.DateTimeField()),\n"
    "        migrations.AddField(\n            model_name='cartrow',\n            name='paid_by',\n        ),\n    ]\n",
    "database/migrations/1_parcels.php": "<?php\nSchema::create('parcels', function (Blueprint $table) {\n"
    "    $table->string('parcel_table');\n    $table->integer('sent_by')->index();\n"
    "    $table->index('sent_by');\n});\n",
    "database/migrations/2_parcels.php": "<?php\nSchema::table('parcels', function (Blueprint $table) {\n"
    "    $table->string('sent_by')->change();\n    $table->string('sent_to')->after('sent_by');\n});\n",
    "db/migrate/1_boxes.rb": "class Boxes\n  def change\n    create_table :boxes do |t|\n"
    "      t.string :made_from\n    end\n  end\nend\n",
    "db/migrate/2_boxes.rb": "class Colour\n  def change\n    change_column :boxes, :made_from, :text\n  end\nend\n",
    "sql/1.sql": "CREATE TABLE crates (id INTEGER PRIMARY KEY, max_weight INTEGER, CHECK (max_weight IS NOT NULL));\n",
    "sql/2.sql": "CREATE INDEX crates_weight ON crates (max_weight DESC);\n",
}


@pytest.mark.parametrize(
    ("question", "file", "line"),
    [
        ("which migration adds returned_at", "shop/migrations/0002_b.py", 7),
        ("which migration adds returned_at to carts", "shop/migrations/0002_b.py", 7),
        ("which migration adds paid_by to cartrow", "shop/migrations/0002_b.py", 10),
        ("which migration adds owner to carts", "shop/migrations/0001_a.py", 6),
        ("where is the table carts created", "shop/migrations/0001_a.py", 8),
        ("which migration adds sent_by to parcels", "database/migrations/1_parcels.php", 4),
        ("which migration adds sent_to", "database/migrations/2_parcels.php", 4),
        ("which migration adds made_from", "db/migrate/1_boxes.rb", 4),
        ("which migration adds max_weight to crates", "sql/1.sql", 1),
        ("crates.max_weight", "sql/1.sql", 1),
        ("the max_weight column of crates", "sql/1.sql", 1),
    ],
)
def test_a_column_leads_to_the_line_that_creates_it(tree: Path, question: str, file: str, line: int) -> None:
    write(tree, CREATING)
    item = api.query(question, repo=tree, max_chars=4_000).items[0]
    assert (item.file, item.score > 0.99) == (file, True)
    assert item.start_line <= line <= item.end_line


def test_what_creates_a_table_is_looked_for_only_in_migrations(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    users = {f"user_{number}.py": "carts = 1\n" for number in range(60)}
    write(tree, TABLES | users)
    collection, chunks = api.open(tree).corpus.collection, list[int]()
    text_of = collection.text_of
    monkeypatch.setattr(collection, "text_of", lambda chunk: chunks.append(chunk) or text_of(chunk))
    scope = SearchScope.unranked(collection, np.ones(len(collection.files), bool))
    assert migration_hits(scope, "where is the carts table created")
    assert users.keys().isdisjoint(map(collection.path_of, chunks))


def test_a_table_without_a_name_has_no_migration(tree: Path) -> None:
    write(
        tree,
        TABLES
        | {"db/migrate/3_fix.rb": "class Fix\n  def change\n    create_table :table do |t|\n    end\n  end\nend\n"},
    )
    assert api.query("columns of the table", repo=tree).items[0].file != "db/migrate/3_fix.rb"

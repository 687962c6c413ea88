"""The fields that data, a command line or a question names."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import open_index
from tests.clock import within
from tests.index.conftest import WriteTree

FILES = {
    "server/config.go": "package server\n\n// Config is read from a file.\ntype Config struct {\n"
    '\tUpstreams string `yaml:"upstream_dns_file"`\n\n\tPort int `yaml:"port,omitempty"`\n}\n',
    "shop/Order.java": 'class Order {\n    @JsonProperty("cart_total")\n    private long total;\n\n    long total() {\n'
    "        return total;\n    }\n}\n",
    "cli/src/args.rs": "#[derive(Args)]\npub struct Options {\n    /// How the mouse is handled\n"
    "    #[clap(long, value_parser)]\n    // Also in a file.\n    pub mouse_mode: Option<bool>,\n"
    "    #[clap(short, long)]\n    pub token: Option<String>,\n}\n",
    "cli/src/pane.rs": "pub struct Pane {\n    pub mouse_mode: bool,\n    pub token: String,\n}\n",
    "schema/options.proto": "message Options {\n  optional bool mouse_mode = 1;\n  optional bool pane_frames = 2;\n}\n",
    "cli/src/frames.rs": "pub struct Frames {\n    pub pane_frames: bool,\n}\n",
} | {
    f"web/{page}{n}.ts": f"export function page{n}(state) {{\n    return [state.upstream_dns_file, state.cart_total, "
    f"state.pane_frames, state.mouse_mode];\n}}\n"
    for n, page in enumerate(("upstream_dns_file", "cart_total", "page", "list", "view"))
}  # fmt: skip


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("upstream_dns_file", ("server/config.go", 5)),
        ("cart_total", ("shop/Order.java", 2)),
        ("--mouse-mode", ("cli/src/args.rs", 6)),
        ("--token", ("cli/src/args.rs", 8)),
        ("upstream_dns_file is lost when the list is edited", ("server/config.go", 5)),
        ("why are pane_frames ignored by a layout", ("cli/src/frames.rs", 2)),  # rather than in the schema
        ("pane_frames and mouse_mode", ("cli/src/frames.rs", 2)),
    ],
)
def test_the_types_that_give_a_field_this_name_come_first(
    query: str, place: tuple[str, int], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(FILES), home=tmp_path / "home", model="embedded")
    hit = index.search(query, order="pack")[0]
    assert (index.chunk(hit.chunk).file, hit.lines[0][0]) == place


def test_a_field_of_a_type_leads_to_its_line_then_to_the_code_that_uses_it(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "cart.h": "typedef struct {\n\tint item_count;\n\tint force_reply; // of the shop\n} cart_data;\n",
        "shop.c": "int shop_reply(cart_data *cart)\n{\n\tif (cart->force_reply > 0)\n\t\treturn 1;\n\treturn 0;\n}\n",
        "list.c": "int list_reply(int force_reply)\n{\n\treturn force_reply + 1;\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("cart_data.force_reply", order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines) for hit in hits] == [("cart.h", ((3, 3),)), ("shop.c", ((3, 3),))]


def test_a_field_of_a_long_type_whose_name_is_at_its_end_leads_to_its_line(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    notes = "".join(
        f"\t/* Note {number} of what a reader of the settings of a cart may want to know. */\n" for number in range(60)
    )
    code = f"typedef struct {{\n\tint item_count;\n{notes}\tint force_reply;\n}} cart_data;\n"
    index = open_index(write_tree({"cart.h": code}), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("cart_data.item_count", order="pack") if hit.score >= 0.5]
    assert [hit.lines for hit in hits] == [((2, 2),)]


def test_a_column_that_its_model_does_not_name_leads_to_the_code_with_its_own_name(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "server/model/cart.js": "class Cart extends Bean {\n    key() {\n        return this.id;\n    }\n}\n",
        "db/tables.js": 'function createTables(knex) {\n    knex.table("cart", (table) => {\n'
        '        table.integer("resend_interval");\n    });\n}\n',
        "server/send.js": "function send(cart) {\n    return cart.resendInterval > 0;\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("cart.resend_interval", order="pack") if hit.score >= 0.5]
    places = [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits]
    assert places == [("db/tables.js", 3), ("server/send.js", 2), ("server/model/cart.js", 1)]


OPTIONS = {
    # The list of records is as long as such lists are: the reader is not beside them.
    "cmd/flags.go": 'package cmd\n\nvar flags = []cli.Flag{\n\t&cli.StringFlag{\n\t\tName:    "late-fee",\n'
    '\t\tSources: cli.EnvVars("SHOP_FEE"),\n\t},\n\t&cli.IntFlag{\n'
    '\t\tSources: cli.NewValueSourceChain(\n\t\t\tcli.File("fee"),\n\t\t\tcli.EnvVar("SHOP_MAX_CARTS"),\n\t\t),\n'
    '\t\tName: "carts-limit",\n\t},\n\t&cli.StringFlag{Name: "token", EnvVars: []string{"SHOP_TOKEN"}},\n}\n',
    "shop/setup.go": 'package shop\n\nfunc setup(c *cli.Command) {\n\tlimit(c.Int("carts-limit"))\n}\n',
    "shop/fees.go": 'package shop\n\nfunc fees(c *cli.Command) {\n\tadd(c.String("late-fee"), c.String("token"))\n}\n',
    "cmd/run.go": 'package cmd\n\nfunc run(c *cli.Command) {\n\tlogin(c.String("token"))\n}\n',
    "src/args.rs": "#[derive(Args)]\npub struct Args {\n    /// Of the server\n    #[clap(\n        long,\n"
    '        env = "SHOP_KEY_FILE"\n    )]\n    pub server_key: Option<String>,\n}\n',
    "src/serve.rs": "fn serve(args: Args) {\n    open(args.server_key);\n}\n",
    "jobs/main.py": '@click.option(\n    "--dry-run",\n    envvar="SHOP_DRY",\n    help="Name no carts",\n)\n'
    "@click.pass_context\ndef main(context, **options):\n    context.obj = options\n",
    "jobs/work.py": "def work(options):\n    if options.dry_run:\n        return\n",
    "jobs/names.py": 'def load():\n    name = "parcel-rate"\n    return os.environ["SHOP_NAMES"], name\n',
    "jobs/rates.py": 'def rate(values):\n    return values["parcel-rate"]\n',
    # An attribute that ends above says nothing about the variable, nor does a value inside of one.
    "web/cached.rb": "class Cached\n  def initialize(app)\n    @app = app\n  end\n\n  def fresh?(env)\n"
    "    tag = env['SHOP_TAG']\n    none_match = tag.strip\n    none_match\n  end\nend\n",
    "web/tags.rb": "def tags(all)\n  none_match = all.first\nend\n",
    "src/pool.rs": '#[derive(Args)]\npub struct Pool {\n    #[arg(\n        env = "SHOP_POOL",\n'
    '        default_value = "5"\n    )]\n    pub pool_size: usize,\n}\n',
    "src/fill.rs": "fn fill(pool: Pool) {\n    add(pool.pool_size);\n}\n",
    "src/value.rs": "fn value(arg: Arg) {\n    add(arg.default_value);\n}\n",
}


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("SHOP_FEE", [("cmd/flags.go", 6), ("shop/fees.go", 4)]),
        ("SHOP_MAX_CARTS", [("cmd/flags.go", 11), ("shop/setup.go", 4)]),
        ("SHOP_TOKEN", [("cmd/flags.go", 15), ("cmd/run.go", 4)]),  # a plain word only in the same folder
        ("SHOP_KEY_FILE", [("src/args.rs", 6), ("src/serve.rs", 2)]),
        ("SHOP_DRY", [("jobs/main.py", 3), ("jobs/work.py", 2)]),
        ("SHOP_NAMES", [("jobs/names.py", 3)]),
        ("SHOP_TAG", [("web/cached.rb", 7)]),
        ("SHOP_POOL", [("src/pool.rs", 4), ("src/fill.rs", 2)]),
    ],
)
@pytest.mark.parametrize("documented", [False, True], ids=["", "documented"])
def test_a_variable_of_the_environment_leads_to_the_code_that_reads_its_option(
    query: str, places: list[tuple[str, int]], documented: bool, write_tree: WriteTree, tmp_path: Path
) -> None:
    page = {"docs/settings.md": f"# Settings\n\n## {query}\n\nHow a shop is set up.\n"} if documented else {}
    index = open_index(write_tree(OPTIONS | page), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score >= 0.5]
    found = [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits]
    assert [place for place in found if place[0] != "docs/settings.md"] == places


FLAGS = {
    "cli.py": "def add(parser):\n    parser.add_argument(\n        '-g', '--groups',\n        action='store_true')\n"
    '    parser.add_argument("--cart", dest="one_cart")\n    parser.add_argument("--size", type=int)\n',
    "run.py": 'def run(args):\n    if args.groups:\n        split()\n    show(args.one_cart, name="size")\n\n\n'
    "def late(args):\n    args.groups = False\n",
    "words.py": 'def words(groups):\n    return ["groups", groups, "cart"]\n',
    "args.py": "def begin(args):\n    return args.early\n",
    "cli.c": 'int parse(int n, char **argv) {\n    if (!strcmp(argv[n], "--bigkeys")) {\n'
    "        config.find_keys = 1;\n    }\n    return n;\n}\n\n"
    "int all(void) {\n    return config.find_keys && scan();\n}\n",
    "keys.c": "int keys(void) {\n    return config.find_keys + other.bigkeys;\n}\n",
    **{f"sized_{number}.py": f"def sized_{number}(opts):\n    return opts.size\n" for number in range(13)},
}


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("--groups", [("cli.py", 3), ("run.py", 2), ("words.py", 2)]),  # where it is read, not where it is set
        ("--cart", [("cli.py", 5), ("run.py", 4), ("words.py", 2)]),
        ("--bigkeys", [("cli.c", 2), ("cli.c", 9)]),  # the member of another name, in the file that sets it
        ("shop --bigkeys", [("cli.c", 2), ("cli.c", 9)]),
        ("--size", [("cli.py", 6), ("run.py", 4)]),  # much code reads it
        ("--early", []),  # of another program: nothing here has the flag
    ],
)
def test_a_flag_of_one_word_leads_to_the_code_that_reads_its_option(
    query: str, places: list[tuple[str, int]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(FLAGS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits] == places


SHORT_FLAGS = {
    "args.rs": "struct Args {\n    #[arg(\n        help = \"Use this cart\",\n        long,\n        short = 'C',\n"
    "    )]\n    cart_path: Vec<String>,\n    #[arg(short, long)]\n    jobs: u8,\n    #[arg(long)]\n    kind: u8,\n}\n",
    "run.rs": "fn run(args: &Args) {\n    open(args.cart_path);\n}\n",
    "cli.py": 'def add(parser):\n    parser.add_argument(\n        "-G",\n        "--group"\n    )\n',
    "use.py": 'def clone(url):\n    return call(["git", "-C", url, "-z"])\n',
    "flags.go": 'package main\n\nfunc flags(f *FlagSet) {\n\tf.StringVarP(&opts.Host, "host", "H", "", "")\n'
    '\tflag.BoolVar(&verbose, "V", false, "")\n}\n',
    "options.c": "int options(int n, char **rest) {\n    switch (getopt(n, rest, \"d:\")) {\n    case 'd':\n"
    "        return 1;\n    }\n    return 0;\n}\n",
    "digits.c": "int digit(int letter) {\n    switch (letter) {\n    case 'd':\n        return 13;\n    }\n"
    "    return 0;\n}\n",
    "main.c": "#include <getopt.h>\n\nstatic struct option all[] = {\n    {\"reboot\", no_argument, NULL, 'R'},\n};\n\n"
    'void usage(void) {\n    printf("  -R, --reboot  restart");\n}\n',
    "handlers.cc": "void all() {\n  add(new NumberHandler(PREF_SPLIT, TEXT_SPLIT,\n      \"5\", 1, 16, 's'));\n"
    "  add(new OptionHandler(PREF_TRIES,\n      \"5\", 0, -1, 'm'));\n}\n",
    "run.sh": 'case "$1" in\n  -q | --quiet) quiet=1 ;;\nesac\n',
    "shop.pl": "GetOptions('exclude|x=s' => \\$exclude);\n",
    "go.mod": "module shop\n",
    "words.py": "def sort_rows(rows):\n    # sort -k and uniq\n    return 'a-k'\n",
}


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("-C", [("args.rs", "short = 'C',"), ("run.rs", "open(args.cart_path);")]),  # then what reads it
        ("shop pack -j", [("args.rs", "#[arg(short, long)]")]),
        ("what does -G do?", [("cli.py", '"-G",')]),
        ("-H", [("flags.go", 'f.StringVarP(&opts.Host, "host", "H", "", "")')]),
        ("-V", [("flags.go", 'flag.BoolVar(&verbose, "V", false, "")')]),
        ("what does -d do", [("options.c", "case 'd':")]),
        ("-R", [("main.c", "{\"reboot\", no_argument, NULL, 'R'},"), ("main.c", 'printf("  -R, --reboot  restart");')]),
        ("-m", [("handlers.cc", "\"5\", 0, -1, 'm'));")]),
        ("-q", [("run.sh", "-q | --quiet) quiet=1 ;;")]),
        ("-x", [("shop.pl", "GetOptions('exclude|x=s' => \\$exclude);")]),
        ("Fix -q of sort_rows", [("run.sh", "-q | --quiet) quiet=1 ;;"), ("words.py", "def sort_rows(rows):")]),
        ("-z", []),  # of another program
        ("git log -x", []),
        ("go test -x", []),
        ("rows -q sorted", []),
        ("-k", []),
        ("sort -x before you call uniq -c on all of these rows", []),
    ],
)
def test_a_flag_of_one_letter_leads_to_the_line_that_declares_it(
    query: str, places: list[tuple[str, str]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(SHORT_FLAGS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, order="pack") if hit.score >= 0.5]
    rows = [(index.chunk(hit.chunk), hit.lines[0][0]) for hit in hits]
    texts = [(row.file, row.text.splitlines()[line - row.start_line].strip()) for row, line in rows]
    assert texts[: len(places)] == places
    assert places or not texts


@pytest.mark.parametrize("part", ["--q|", "-"])
def test_no_line_takes_long_to_search_for_a_flag_of_one_letter(
    part: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    """A pattern that matches it in many ways takes hours for the first, one of quadratic time seconds for the other."""
    lines = f"{part * (960 // len(part))} -q\n" + "echo 1\n" * 9  # not only such lines, which generated code has
    index = open_index(write_tree({"run.sh": lines * 300}), home=tmp_path / "home", model="embedded")
    index.search("carts")  # the first search loads the model
    with within(3):
        index.search("-q", order="pack")


def test_a_table_of_flags_is_not_read_to_its_end(write_tree: WriteTree, tmp_path: Path) -> None:
    rows = "".join(f"    {{\"size-{n}\", no_argument, NULL, 'l'}}, // -l --size\n" for n in range(40_000))
    files = {"main.c": f"static struct option all[] = {{\n{rows}}};\n", "cli.py": 'add_argument("-l", "--long")\n'}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    index.search("size", order="pack")
    with within(2):
        hits = index.search("what does -l do?", order="pack")
    assert {"main.c", "cli.py"} == {index.chunk(hit.chunk).file for hit in hits}

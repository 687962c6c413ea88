"""Every option, once: its name, type, default, help, the commands that accept it, and who may set it.

Derived from these records: the command line, its help and completion; `ctxpack.toml` and the environment; the checks of
batches and of the library; the input schemas of tools; docs/configuration.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, Literal

from context_pack.options.values import (
    AGENT,
    CHANGE,
    EDGES,
    FILE,
    FILES,
    FLAG,
    FOLDER,
    FOLDERS,
    GLOBS,
    GRAPH_EDGES,
    LANGUAGES,
    MEMORY,
    MODEL,
    NAMES,
    TEXT,
    TEXTS,
    Value,
    choice,
    seconds,
    whole,
)
from contracts.frozen import frozen
from index.tree import MAX_FILE_BYTES
from index.types import MEMORY_BYTES

# Who may set an option. `repository`: anyone, including the repository's own file. `user`: it names files, programs or
# models of this machine, so a repository's file needs the user's consent. `asker`: only a request, as it belongs to one
# question. `person`: only a person at this machine, no file and no tool. `command`: an option of the command itself.
By = Literal["repository", "user", "asker", "person", "command"]

MAX_ITEMS = 1_000  # per answer: more is an export, and each item costs a pass over the graph
MAX_CHARS = 20_000
SYMBOLS_LIMIT = 100
PROFILES: dict[str, dict[str, object]] = {  # `depth`: graph steps from a primary item to a related one
    "fast": {"model": "embedded", "depth": 1},
    "balanced": {"model": "auto", "depth": 2},
    "quality": {"model": "bge-small", "depth": 2},
}

# The formats of a code pack, each with the module of `context_pack.render` that prints it.
FORMATS = {"json": "json", "md": "markdown", "text": "text", "xml": "xml", "toon": "toon", "html": "html"}


@frozen
class Option:
    """`on`: the commands that accept it, separated by spaces. `shown`: the default in words, if needed.

    `opening`: it is set when an index is opened, for all of its questions. `bare`: the value if the option is given
    without one. `spelled`: the metavar, if that of the type says too little.
    """

    name: str
    value: Value
    help: str
    on: str = ""
    default: Any = None
    by: By = "repository"
    shown: str = ""
    opening: bool = False
    bare: str = ""
    spelled: str = ""

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def default_text(self) -> str:
        if self.shown or self.default is None or self.value is FLAG or self.default == ():
            return self.shown
        return str(self.default)

    def read(self, text: str) -> object:
        """The value that a text stands for; an invalid text is returned unchanged, for `check` to refuse."""
        try:
            return self.value.read(text)
        except ValueError:
            return text


_asker, _own = partial(Option, by="asker"), partial(Option, by="command")  # who may set an option
ASKING = "query search related symbols batch"
ANSWERS = "query search related batch"  # commands that return code
KINDS = "graph pages task build merge"  # commands that pack other records than code
OWN = f"{ASKING} status index clean"

CLONING = f"{ASKING} index watch mcp"  # commands that clone a repository given by URL

# The settings of a question about code, in the order of the help.
SETTINGS = (
    _asker("diff", CHANGE, "Pack a change for review: since REV, between REV..REV, or from a patch.", "query",
           shown="uncommitted changes", bare="HEAD", spelled="[REV|FILE.diff|-]"),
    _asker("staged", FLAG, "Pack only the staged changes.", "query", False),
    Option("max_chars", whole(1, 1_000_000_000), "Size limit of the pack, in characters.", "query batch", MAX_CHARS,
           shown="20000; more with --max-tokens"),
    Option("max_tokens", whole(1, 100_000_000), "Size limit of the pack, in tokens.", "query batch"),
    Option("tokenizer", FILE, "Count tokens with this tokenizer.json.", "query batch", by="user",
           shown="characters / 4"),
    Option("limit", whole(1, MAX_ITEMS), "Maximum number of primary items.", "query batch",
           shown="10; more above 10000 characters"),
    _asker("limit", whole(1, MAX_ITEMS), "Maximum number of symbols.", "symbols", SYMBOLS_LIMIT),
    Option("top_k", whole(1, MAX_ITEMS), "Maximum number of hits.", "search related batch", 10),
    Option("related", whole(0, 100), "Maximum number of related items per primary item.", "query batch", 3),
    Option("related_mode", choice("focus", "explore", "none"),
           "Related items: mostly for the top hits, one step deeper for all hits, or none.", "query batch", "focus"),
    Option("edges", EDGES, "Follow only these edges, such as calls,tested_by,resembles.", "query related batch", (),
           shown="all"),
    Option("depth", whole(1, 4), "Maximum steps from a primary item to a related one.", "query related batch",
           shown="2; 3 in explore"),
    Option("have", TEXTS, "Leave out code that you already have; may be repeated.", "query batch", (),
           spelled="ID|FILE"),
    Option("have_pack", FILES, "Leave out the code in this JSON pack; may be repeated.", "query batch", (),
           by="user"),
    Option("fit", choice("whole", "cut"), "Leave out items that do not fit, or cut them.", "query batch", "cut"),
    Option("order", choice("files", "lines"),
           "List different files first, or the best lines first even if they share a file.", "search batch", "files"),
    Option("content", FLAG, "Include the text of each hit.", "search related batch", False),
    Option("explain", FLAG, "Show why each item was selected, and what was left out.", ANSWERS, False),
    Option("no_redact", FLAG, "Show secrets instead of replacing them with [REDACTED:kind].", ANSWERS, False,
           by="person"),
    Option("format", choice(*FORMATS), "Output format; by default text on a terminal.", "query", "json", opening=True),
    Option("include", GLOBS, "Use only files that match; may be repeated.", ANSWERS, ()),
    Option("exclude", GLOBS, "Skip files that match; may be repeated.", ANSWERS, ()),
    Option("language", LANGUAGES, "Use only files in this language; may be repeated.", ANSWERS, ()),
    Option("no_docs", FLAG, "Leave out documents.", ANSWERS, False),
    Option("docs_first", FLAG, "Rank documents before code.", "query search batch", False),
    Option("profile", choice(*PROFILES), "Set of defaults to use.", f"{ASKING} status index watch mcp", "balanced",
           opening=True),
    Option("model", MODEL, "Embedding model to use in addition to the static one; see `ctxpack model list`.",
           f"{ASKING} status index watch mcp bench", by="user", shown="auto", opening=True),
    Option("no_refresh", FLAG, "Answer from the existing index without refreshing it.", ASKING, False, opening=True),
    Option("index_dir", FOLDER, "Folder of the index.", f"{OWN} watch mcp", by="user", shown="user cache",
           opening=True),
    Option("share", TEXT,
           "Store of shared indexes (a folder, s3://, gs:// or az://): fetch from it, publish to it with `index`.",
           f"{ASKING} index watch mcp", by="person", spelled="URI", opening=True),
    Option("max_file_bytes", whole(1, 1_000_000_000),
           "Skip files larger than this, and data files larger than a fifth of it.", f"{ASKING} index watch mcp",
           MAX_FILE_BYTES, opening=True),
    Option("memory", MEMORY, "Memory limit for indexing, all processes together.",
           f"{ASKING} index watch mcp", MEMORY_BYTES, by="user", shown="1.5G", opening=True),
    Option("wait", seconds(86_400), "How long to wait while another process writes the index.", f"{ASKING} index watch",
           30.0, shown="30", opening=True),
)  # fmt: skip

# Options of the other kinds of pack and of `bench`: set by a request, never by a file.
REQUESTS = (
    _asker("page", FILE, "Use this page as the seed.", "pages", spelled="PATH"),
    _asker("title", TEXT, "Use a source with this title as the seed.", "pages"),
    _asker("tags", NAMES, "Tags of the seed; inferred if not given.", "pages"),
    _asker("entities", NAMES, "Entities that the seed names; inferred if not given.", "pages"),
    _asker("limit", whole(1, MAX_ITEMS), "Maximum number of pages.", "pages", 5),
    _asker("exclude", FILES, "Leave out this page; may be repeated.", "pages", (), spelled="PATH"),
    _asker("min_score", whole(0, MAX_ITEMS), "Minimum number of points.", "pages", 3),
    _asker("searcher", choice("hybrid", "none"), "How similar text is found.", "pages", "hybrid"),
    _asker("depth", whole(0, MAX_ITEMS), "Maximum steps from the node.", "graph", shown="2"),
    _asker("edges", GRAPH_EDGES, "Edges to follow in addition to parent, epic and relates.", "graph"),
    _asker("ws", TEXT, "Workspace to use for an id without one.", "graph", spelled="ALIAS"),
    _asker("verbose", FLAG, "Add the nodes pinned by the core list.", "graph"),
    _asker("max_nodes", whole(0, 1_000_000_000), "Maximum number of nodes; 0 means no limit.", "graph", shown="25"),
    _asker("max_bytes", whole(0, 1_000_000_000), "Size limit of the Markdown, in bytes; 0 means no limit.", "graph",
           shown="2000000"),
    _own("no_timestamp", FLAG, "Leave out generated_at, so that equal input gives equal bytes.", "graph", False),
    _asker("digest", choice("full", "compact"), "How much of the project state to include.", "task", "full"),
    _asker("generated_at", TEXT, "Time to put into the packet.", "task", spelled="TIME",
           shown="the task graph's, else SOURCE_DATE_EPOCH, else now"),
    _asker("max_tokens", whole(1, 20_000), "Size limit in tokens; more than 6000 needs --reason.", "build merge",
           shown="6000"),
    _asker("reason", choice("investigation", "refactor", "verification_failure"),
           "Why more than 6000 tokens are needed (up to 20000).", "build merge"),
    _own("sidecar", FILE, "Write a sidecar that says where everything came from.", "build merge"),
    _own("commits", whole(1, 1_000), "Maximum number of commits to use as questions.", "bench", 50),
    _asker("explain", FLAG, "Show why each item was selected, and what was left out.", f"{KINDS} bench", False),
    Option("no_redact", FLAG, "Show secrets instead of replacing them with [REDACTED:kind].", KINDS, False,
           by="person"),
    _own("format", choice("json", "text"), "Output format; by default text on a terminal.",
         "search related symbols build merge", "json"),
    _own("format", choice("md", "json", "toon", "xml"), "Output format.", "graph", "md"),
    _own("format", choice("md", "json"), "Output format.", "pages bench", "md"),
    _own("format", choice("json", "md"), "Output format.", "task", "json"),
)  # fmt: skip

# Where a command reads.
PLACES = (
    _own("repo", FOLDERS, "Repository: a folder or URL[@REVISION]; may be repeated.", f"{ASKING} watch mcp", (),
         shown="the enclosing one"),
    _own("repo", FOLDER, "Repository: a folder or URL[@REVISION].", "status index clean bench install uninstall",
         shown="the enclosing one"),
    _own("fleet", TEXT, "Ask a fleet of repositories: a folder, s3://, gs://, az://, or the http:// URL of its server.",
         "query search related mcp", spelled="URI"),
    _own("repos", TEXTS, "Ask only repositories of the fleet whose name matches; may be repeated.",
         "query search related", (), spelled="GLOB"),
    _own("readers", NAMES, "Readers who may see these repositories.", "fleet-index fleet-follow", (), shown="everybody",
         spelled="NAME,..."),
    _own("name", TEXTS, "Name of the repository in the fleet; once per TREE, in their order.",
         "fleet-index fleet-follow", (), shown="that of the folder", spelled="OWNER/NAME"),
    _own("engine", choice("local", "ray"), "Run the work in local processes or on a Ray cluster.", "fleet-index",
         "local"),
    _own("purge", FLAG, "Remove what is no longer needed at once, not after a day.", "fleet-upkeep", False),
    _own("host", TEXT, "Address to listen on.", "fleet-serve", "127.0.0.1"),
    _own("port", whole(0, 65_535), "Port to listen on; 0 picks a free one.", "fleet-serve", 8765),
    _own("tokens", FILE, "File with one reader and token per line.", "fleet-serve"),
    _own("fetch", FLAG, "Update the clone of a URL first.", CLONING, False),
    _own("allow_clone", FLAG, "Allow cloning in hooks and servers, where it is off by default.", CLONING, False),
    _own("root", FOLDER, "Folder that contains .mdkg.", "graph", shown="the nearest enclosing one"),
    _own("root", FOLDER, "Folder that contains .nexus.", "task", shown="the nearest enclosing one"),
    _own("root", FOLDER, "Folder of the repository.", "build", shown="the enclosing one"),
    _own("vault", FOLDER, "Folder that contains wiki/.", "pages", shown="the nearest enclosing one"),
)  # fmt: skip
WRITTEN = (
    f"query search related symbols status index clean trust list pull init install uninstall bench {KINDS} "
    "fleet-prove fleet-index fleet-status fleet-forget fleet-upkeep"
)
OUTPUT = (
    _own("verify", FLAG, "Check the whole index against its checksums.", "status", False),
    _own("full", FLAG, "Read every file again, even if it has not changed.", "index", False),
    _own("revoke", FLAG, "Withdraw the consent.", "trust", False),
    _own("time_limit", seconds(600), "Default time limit of a tool call.", "mcp", 30.0, shown="30"),
    _own("tools", choice("default", "all"), "Tools to list.", "mcp", "default"),
    _own("structured", FLAG, "Return places and budget as structured content; some agents then show only that.", "mcp",
         False),
    _own("print_config", AGENT, "Print the configuration to paste for this agent, and exit.", "mcp"),
    _own("yes", FLAG, "Index a large folder outside any repository without asking.", ASKING, False),
    _own("yes", FLAG, "Make the change without asking.", "install uninstall", False),
    _own("out", FILE, "Write the result to a file.", WRITTEN),
    _own("pretty", FLAG, "Indent the JSON; on a terminal, JSON instead of text.", WRITTEN, False),
    _own("color", choice("auto", "always", "never"),
         "Colour the text: on a terminal (auto), always (even if piped), or never.", WRITTEN, "auto"),
)  # fmt: skip
OPTIONS = (*PLACES, *SETTINGS, *REQUESTS, *OUTPUT)


def options_of(command: str) -> Iterator[Option]:
    """The options of a command, in the order of its help."""
    return (option for option in OPTIONS if command in option.on.split())


def setting(name: str) -> Option | None:
    """The record that checks a setting."""
    return next((option for option in SETTINGS if option.name == name), None)


@cache
def per_question(command: str) -> tuple[str, ...]:
    """The settings that may differ between questions to one opened index, sorted."""
    return tuple(sorted(one.name for one in SETTINGS if command in one.on.split() and not one.opening))


def json_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of a command's options as a tool accepts them: without those for this machine's user only."""
    properties = {}
    for option in options_of(kind):
        if option.by in ("repository", "asker") and not option.opening:
            default = {} if option.default in (None, ()) else {"default": option.default}
            shown = f" Default: {option.default_text}." if option.default_text and not default else ""
            description = option.help.replace("; may be repeated", "") + shown
            properties[option.name] = {**option.value.schema, "description": description, **default}
    return {"type": "object", "properties": properties, "additionalProperties": False}

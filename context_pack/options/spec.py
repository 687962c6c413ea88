"""Every option, once: its name, type, default, help, the commands that take it, and who may set it.

Derived from these records: the command line, its help and completion; `ctxpack.toml` and the environment; the checks of
batches and of the library; the input schemas of tools; docs/configuration.md.
"""

from __future__ import annotations

from collections.abc import Iterator
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

# Who may set an option. `repository`: its own file may, as everybody. `user`: it names files, programs or models of
# this machine, so a repository's file needs consent. `asker`: a property of one question. `person`: nobody but a person
# at this machine, no file and no tool. `command`: where a command writes and what it asks, no setting at all.
By = Literal["repository", "user", "asker", "person", "command"]

MAX_ITEMS = 1_000  # of one answer: more is an export, and costs a pass over the graph for each
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
    """`on`: the commands that take it, space between. `shown`: the default in words where `default` does not tell.

    `opening`: it holds for an opened index, for all the questions that are asked of it. `bare`: the value of the option
    without one. `spelled`: the metavar where the type's would say too little.
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
        """The value that a text spells; a text that spells none as it is: `check` refuses it."""
        try:
            return self.value.read(text)
        except ValueError:
            return text


ASKING = "query search related symbols batch"
ANSWERS = "query search related batch"  # they answer with code
KINDS = "graph pages task build merge"  # packs of other records than code
OWN = f"{ASKING} status index clean"

CLONING = f"{ASKING} index watch mcp"  # they clone a repository that is named by a URL

# The settings of a question about code, in the order in which help lists them.
SETTINGS = (
    Option("diff", CHANGE, "What a reviewer needs of what changed since REV, by REV..REV, or by a patch.", "query",
           by="asker", shown="uncommitted changes", bare="HEAD", spelled="[REV|FILE.diff|-]"),
    Option("staged", FLAG, "With --diff, or alone: only what is staged.", "query", False, by="asker"),
    Option("max_chars", whole(1, 1_000_000_000), "Size limit of the pack.", "query batch", MAX_CHARS,
           shown="20000; more with --max-tokens"),
    Option("max_tokens", whole(1, 100_000_000), "Size limit in tokens, besides --max-chars.", "query batch"),
    Option("tokenizer", FILE, "A tokenizer.json to count with.", "query batch", by="user", shown="characters / 4"),
    Option("limit", whole(1, MAX_ITEMS), "Primary items at most.", "query batch",
           shown="10; more above 10000 characters"),
    Option("limit", whole(1, MAX_ITEMS), "Symbols at most.", "symbols", SYMBOLS_LIMIT, by="asker"),
    Option("top_k", whole(1, MAX_ITEMS), "Hits at most.", "search related batch", 10),
    Option("related", whole(0, 100), "Related items for each primary one.", "query batch", 3),
    Option("related_mode", choice("focus", "explore", "none"),
           "focus: mostly for top hits; explore: one step deeper, for all; none.", "query batch", "focus"),
    Option("edges", EDGES, "Follow only these edges, such as calls,tested_by,resembles.", "query related batch", (),
           shown="all"),
    Option("depth", whole(1, 4), "Steps from an item to a related one.", "query related batch",
           shown="2; 3 in explore"),
    Option("have", TEXTS, "Leave out this code, you have it; may be repeated.", "query batch", (), spelled="ID|FILE"),
    Option("have_pack", FILES, "Leave out what this pack (JSON) delivered; may be repeated.", "query batch", (),
           by="user"),
    Option("fit", choice("whole", "cut"), "Items that do not fit: leave out, or cut.", "query batch", "cut"),
    Option("order", choice("files", "lines"),
           "Different files first, or the lines that answer best, whatever their file.", "search batch", "files"),
    Option("content", FLAG, "Add the text of each hit.", "search related batch", False),
    Option("explain", FLAG, "Say why each item is there, and what was left out.", ANSWERS, False),
    Option("no_redact", FLAG, "Show secrets as they stand, instead of [REDACTED:kind].", ANSWERS, False, by="person"),
    Option("format", choice(*FORMATS), "Output format.", "query", "json",
           opening=True),
    Option("include", GLOBS, "Only files that match; may be repeated.", ANSWERS, ()),
    Option("exclude", GLOBS, "No files that match; may be repeated.", ANSWERS, ()),
    Option("language", LANGUAGES, "Only this language; may be repeated.", ANSWERS, ()),
    Option("no_docs", FLAG, "Leave out documents.", ANSWERS, False),
    Option("docs_first", FLAG, "Documents before code.", ANSWERS, False),
    Option("profile", choice(*PROFILES), "Set of defaults.", f"{ASKING} status index watch mcp", "balanced",
           opening=True),
    Option("model", MODEL, "Model beside the static one; see `ctxpack model list`.",
           f"{ASKING} status index watch mcp bench", by="user", shown="auto", opening=True),
    Option("no_refresh", FLAG, "Answer from the index as it is.", ASKING, False, opening=True),
    Option("index_dir", FOLDER, "Where the index is kept.", f"{OWN} watch mcp", by="user", shown="user cache",
           opening=True),
    Option("share", TEXT, "Fetch a first index from here, and publish it with `index`: a folder, s3://, gs://, az://.",
           f"{ASKING} index watch mcp", by="person", spelled="URI", opening=True),
    Option("max_file_bytes", whole(1, 1_000_000_000), "Larger files are skipped and counted; data, from a fifth on.",
           f"{ASKING} index watch mcp", MAX_FILE_BYTES, opening=True),
    Option("memory", MEMORY, "Memory that indexing takes at most, all its processes together.",
           f"{ASKING} index watch mcp", MEMORY_BYTES, by="user", shown="1.5G", opening=True),
    Option("wait", seconds(86_400), "How long to wait for another writer.", f"{ASKING} index watch", 30.0,
           shown="30", opening=True),
)  # fmt: skip

# What the other kinds of pack and the commands beside them take: given with a request, never by a file.
REQUESTS = (
    Option("page", FILE, "The seed is this page.", "pages", by="asker", spelled="PATH"),
    Option("title", TEXT, "The seed is a source of this title.", "pages", by="asker"),
    Option("tags", NAMES, "Its tags, instead of inferred ones.", "pages", by="asker"),
    Option("entities", NAMES, "Whom or what it names, instead of inferred ones.", "pages", by="asker"),
    Option("limit", whole(1, MAX_ITEMS), "Pages at most.", "pages", 5, by="asker"),
    Option("exclude", FILES, "Not this page; may be repeated.", "pages", (), by="asker", spelled="PATH"),
    Option("min_score", whole(0, MAX_ITEMS), "Points at least.", "pages", 3, by="asker"),
    Option("searcher", choice("hybrid", "none"), "Who finds similar text.", "pages", "hybrid", by="asker"),
    Option("depth", whole(0, MAX_ITEMS), "Steps from the node.", "graph", shown="2", by="asker"),
    Option("edges", GRAPH_EDGES, "Edges to follow besides parent, epic and relates.", "graph", by="asker"),
    Option("ws", TEXT, "Workspace of a bare id.", "graph", by="asker", spelled="ALIAS"),
    Option("verbose", FLAG, "Add the nodes that the core list pins.", "graph", by="asker"),
    Option("max_nodes", whole(0, 1_000_000_000), "Nodes at most; 0: all.", "graph", shown="25", by="asker"),
    Option("max_bytes", whole(0, 1_000_000_000), "Size limit of Markdown; 0: none.", "graph", shown="2000000",
           by="asker"),
    Option("no_timestamp", FLAG, "Leave out generated_at: equal input, equal bytes.", "graph", False, by="command"),
    Option("digest", choice("full", "compact"), "How much of the project's state.", "task", "full", by="asker"),
    Option("generated_at", TEXT, "The packet's time.", "task", by="asker", spelled="TIME",
           shown="the task graph's; SOURCE_DATE_EPOCH; now"),
    Option("max_tokens", whole(1, 20_000), "Size limit; over 6000 needs --reason.", "build merge", shown="6000",
           by="asker"),
    Option("reason", choice("investigation", "refactor", "verification_failure"),
           "Why up to 20000 tokens are needed.", "build merge", by="asker"),
    Option("sidecar", FILE, "Write where everything came from.", "build merge", by="command"),
    Option("commits", whole(1, 1_000), "Commits to ask about.", "bench", 50, by="command"),
    Option("explain", FLAG, "Say why each item is there, and what was left out.", f"{KINDS} bench", False, by="asker"),
    Option("no_redact", FLAG, "Show secrets as they stand, instead of [REDACTED:kind].", KINDS, False, by="person"),
    Option("format", choice("json", "text"), "Output format.", "related build merge", "json", by="command"),
    Option("format", choice("md", "json", "toon", "xml"), "Output format.", "graph", "md", by="command"),
    Option("format", choice("md", "json"), "Output format.", "pages bench", "md", by="command"),
    Option("format", choice("json", "md"), "Output format.", "task", "json", by="command"),
)  # fmt: skip

# Where a command reads and writes.
PLACES = (
    Option("repo", FOLDERS, "Repository to read, or its URL[@REVISION]; several are packed together.",
           f"{ASKING} watch mcp", (), "command", "the enclosing one"),
    Option("repo", FOLDER, "Repository to read, or the URL[@REVISION] of one that is cloned.",
           "status index clean bench install uninstall", None, "command", "the enclosing one"),
    Option("fleet", TEXT, "Ask the repositories of a fleet: a folder, s3://, gs://, az://, or its server's http://.",
           "query search related mcp", None, "command", spelled="URI"),
    Option("repos", TEXTS, "Of the fleet, only repositories whose name matches; may be repeated.",
           "query search related", (), "command", spelled="GLOB"),
    Option("readers", NAMES, "Who may read these repositories.", "fleet-index fleet-follow", (), "command", "everybody",
           spelled="NAME,..."),
    Option("engine", choice("local", "ray"), "Who does the work: processes of this machine, or a Ray cluster.",
           "fleet-index", "local", "command"),
    Option("purge", FLAG, "Remove at once what is not needed any more.", "fleet-upkeep", False, "command"),
    Option("host", TEXT, "Address to listen on.", "fleet-serve", "127.0.0.1", "command"),
    Option("port", whole(0, 65_535), "Port to listen on; 0: a free one.", "fleet-serve", 8765, "command"),
    Option("tokens", FILE, "File with a reader and a token a line.", "fleet-serve", None, "command"),
    Option("fetch", FLAG, "Bring what was cloned from a URL up to date.", CLONING, False, "command"),
    Option("allow_clone", FLAG, "Clone a URL here too: in hooks and servers nothing is cloned without it.", CLONING,
           False, "command"),
    Option("root", FOLDER, "Folder that holds .mdkg.", "graph", None, "command", "the nearest upwards"),
    Option("root", FOLDER, "Folder that holds .nexus.", "task", None, "command", "the nearest upwards"),
    Option("root", FOLDER, "Repository to read.", "build", None, "command", "the enclosing one"),
    Option("vault", FOLDER, "Folder that holds wiki/.", "pages", None, "command", "the nearest upwards"),
)  # fmt: skip
WRITTEN = (
    f"query search related symbols status index clean trust list pull init install uninstall bench {KINDS} "
    "fleet-prove fleet-index fleet-status fleet-forget fleet-upkeep"
)
OUTPUT = (
    Option("verify", FLAG, "Read all of the index and compare it with its checksums.", "status", False, "command"),
    Option("full", FLAG, "Read every file again.", "index", False, "command"),
    Option("revoke", FLAG, "Take the consent back.", "trust", False, "command"),
    Option("time_limit", seconds(600), "Of a call that names none.", "mcp", 30.0, "command", "30"),
    Option("tools", choice("default", "all"), "Tools to list.", "mcp", "default", "command"),
    Option("structured", FLAG, "Places and budget as structured content, which agents may show alone.", "mcp", False,
           "command"),
    Option("print_config", AGENT, "Print what to paste for an agent.", "mcp", None, "command"),
    Option("yes", FLAG, "Index a large folder outside any repository without asking.", ASKING, False, "command"),
    Option("yes", FLAG, "Make the change without asking.", "install uninstall", False, "command"),
    Option("out", FILE, "Write the result to a file.", WRITTEN, None, "command"),
    Option("pretty", FLAG, "Indent the JSON; on a terminal, JSON instead of text.", WRITTEN, False, "command"),
    Option("color", choice("auto", "always", "never"),
           "Text for people, with colours: on a terminal, always, or without colours.", WRITTEN, "auto", "command"),
)  # fmt: skip
OPTIONS = (*PLACES, *SETTINGS, *REQUESTS, *OUTPUT)

# Everything else that the environment says.
VARIABLES = {
    "CTXPACK_CACHE_DIR": "Folder of the indexes, instead of the user's cache.",
    "CTXPACK_CONFIG_DIR": "Folder of the consents (`ctxpack trust`), instead of the user's configuration.",
    "CTXPACK_DEBUG": "1: a failure shows where in ctxpack it happened.",
    "CTXPACK_FLEET_TOKEN": "Names the reader to a fleet's server.",
    "CTXPACK_NO_BACKGROUND": "1: nothing goes on in the background after an answer.",
    "NO_COLOR": "Anything: no colours on a terminal.",
    "PAGER": "Program that shows what is longer than the screen; `cat` for none.",
    "SOURCE_DATE_EPOCH": "The time of a task's packet, in seconds since 1970.",
}


def options_of(command: str) -> Iterator[Option]:
    """The options of a command, in the order of its help."""
    return (option for option in OPTIONS if command in option.on.split())


def setting(name: str) -> Option | None:
    """The record that checks a setting."""
    return next((option for option in SETTINGS if option.name == name), None)


SETTING_NAMES = tuple(dict.fromkeys(option.name for option in SETTINGS))


def per_question(command: str) -> tuple[str, ...]:
    """The settings that may differ from question to question of one opened index, sorted."""
    return tuple(sorted(one.name for one in SETTINGS if command in one.on.split() and not one.opening))


def json_schema(kind: str) -> dict[str, Any]:
    """JSON Schema of the options of a command, as a tool takes them: none that is for this machine's user alone."""
    properties = {}
    for option in options_of(kind):
        if option.by in ("repository", "asker") and not option.opening:
            default = {} if option.default in (None, ()) else {"default": option.default}
            shown = f" Default: {option.default_text}." if option.default_text and not default else ""
            description = option.help.replace("; may be repeated", "") + shown
            properties[option.name] = {**option.value.schema, "description": description, **default}
    return {"type": "object", "properties": properties, "additionalProperties": False}

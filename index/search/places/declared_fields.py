"""Finds what declares a name of data or of a command line: the fields of types (by a tag, an annotation or their own
names), the lines of tables and calls that declare a flag, and the options that a variable of the environment sets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise, takewhile

from chunker.kinds import KINDS
from contracts.lazy_regex import lazy_regex
from index.collection.collection import CODE, Collection
from index.search.definitions import TYPES
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct, on_lines
from index.search.spelling import only_code_spells, spellings
from index.text import indentation
from index.types import ChunkId, FileId

_OPTION = lazy_regex(r"^\s*#\[\w+\(.*\blong\b")  # of the command line, named like its field: `#[clap(short, long)]`
_OF_FIELD = lazy_regex(r"^\s*(?:#\[|//)")  # attributes and comments above a field
# The name of an option in its record or call: `Name: "max-items",`, `"--max-items <n>",`, `BindEnv("max.items",`.
_OPTION_NAME = lazy_regex(
    r"(?:(?<![\w.])[Nn]ame[\"']?\s*[:=]\s*|[a-z]Env\(\s*|(?=[\"']--\w))"
    r"([\"'])(-*)(\w[\w.-]{1,80})(?:[ =][<\[][^\"']{1,40})?\1\s*[,)}\]]"
)
_VALUE_BELOW = lazy_regex(r"^\s*[\w\"']+\s*[:=].*(?:[(\[]|\]\w+\{)\s*$")  # a field of a record: `EnvVars: []string{`
_ATTRIBUTE = lazy_regex(r"^\s*(?:#\[|@\w)")
_FIELD = lazy_regex(
    r"^\s*(?:(?:pub(?:\([^()]*\))?|public|private|protected|readonly|final|static)\s+)*([A-Za-z]\w+)[?!]?\s*[:=]"
)
_NEGATED = lazy_regex(r"^--(?:no-)+(?=\w)")  # all at once, however often it is negated
# The line that declares a flag, by its name with or without dashes (0) and as a key of a table (1): a row of a table
# (`{"max-idle", INTEGER,`; not the two columns of the names of values), an object or a call
# (`new Option<int>("--max-idle"`, `IntVar(&idle, "max-idle"`), a key with the type of its value
# (`max_idle: :integer`), part of a signature (`{--max-idle=`). `option("max-idle")` alone,
# `@Option("max-idle")` and `suggestOptionValues("max-idle"` read it.
_FLAG = (
    r"^\s*\{{\s*(?:\"{0}\",\s*[^\s\"][^,}}]*[(,]|[\w']+,\s*\"{0}\",)"
    r"|(?!option\([\"']\w[\w-]*[\"']\))(?i:(?<!@)(?<!get)(?<!get_)(?<!has)(?<!has_)(?:argument|flag|option)"
    r"(?!_?values?))\w{{0,40}}(?:<[^<>]{{0,60}}>)?\(\s*[\"']{0}[\"']"
    r"|\b\w*Var\w?\(&?[\w.]+,\s*\"{0}\"|\.(?:Bool|Count|Duration|Float|Int|String|Uint)\w*\(\"{0}\",\s*[^)\s]"
    r"|^\s*(?:\w+ ?=? ?\[)?{1}: :(?:boolean|count|float|integer|keep|string)\b"
    r"|\{{{0}[ =}}]"
)

_SHORT_FLAG = lazy_regex(r"(?<!\S)-([A-Za-z])(?=[?.,:]?(?:\s|$))")
# A question or a request about a flag, rather than prose or a command line with one.
_ABOUT_FLAG = lazy_regex(
    r"(?i)^(?:add|allow|are|can|change|do|does|fix|handle|how|is|parse|remove|support|tests|what|when|where|which|who"
    r"|why)s?\b|\b(?:arg(?:ument)?|flag|option|parameter|switch)s?\b"
)
# What declares a flag of one letter on a line: a call, a field or an annotation about options with it as a text;
# `short = 'x'`, `Aliases: []string{"x"}`; the letter behind the name (`StringP("max-idle", "x"`,
# `{"max-idle", 1, 0, 'x'}`, `max-idle|x=s`) or in a call about options; `flag.BoolVar(&idle, "x"` of Go; a case of a
# shell script. No part of a line matches in many ways, so that any line takes little time.
_SHORT = (
    r"(?i:(?:arg|opt|flag|alias|name)\w{{0,40}}|\bon)[\"']?\s*[:=(\[{{]+[^\"'`]{{0,60}}[\"'`](?:[^\"'`]*[\s,|/])?"
    r"-{0}(?=[\"'`\s,|/=<\[:])"
    r"|\b(?i:short|alias|abbr)\w{{0,40}}[^\"'`]{{0,40}}[\"'`]-?{0}[\"'`]"
    r"|(?i:opt|arg|flag|var|bool|string|int|count)\w{{0,40}}\(\s*[^\"']{{0,60}}[\"'][\w-]{{2,}}[\"'],\s*[\"']{0}[\"']"
    r"|\{{\s*\"[\w-]{{2,}}\",[^{{}}]*'{0}'|[\"'][\w-]+\|{0}(?=[\"'=!+:|])"
    r"|[Oo]pt(?:ion)?\w*\((?:\s*[\"']{0}[\"']|[^;{{}}()]{{0,160}}'{0}')"
    r"|\bflag\.\w+\((?:&?[\w.]+,\s*)?[\"`]{0}[\"`]"
    r"|(?m:^)\s*(?:-[\w-]+\s*\|\s*)*-{0}\s*(?:\|[^)]{{0,200}})?\)"
)
_CASE = r"\bcase\s+'{0}'\s*:"  # declares a flag where code calls getopt
_GETOPT = lazy_regex(rb"\bgetopt(?:_long(?:_only)?)?\s*\(")
# A short flag beside a long one, as help texts have it, too.
_BESIDE_LONG = (
    r"[\"'`\s]-{0}[\"'`]?\s*[,|/]\s*[\"'`]?--\w"
    r"|(?<!-)--[\w-]+[\"'`]?\s*[,|/]\s*[\"'`]?-{0}(?=[\"'`\s,|/=<\[])"
)
_SHORT_FIELD = lazy_regex(r"\bshort\b(?!\s*=)")  # in an attribute: the flag is the first letter of the field
_LONG = lazy_regex(r"--(\w[\w-]+)|[\"'](\w[\w-]{2,})[\"']\s*,")  # beside a flag of one letter
_SHORT_ATTRIBUTE = lazy_regex(rb"short(?=,|\s*\)\])")
# On the line that declares a text; `list.add("text")` and `addClass("text")` use it.
_DECLARED = (
    r"(?:(?i:(?<!get)(?<!get_)(?:add_?(?:arg|bool|config|flag|float|int|num|pref|prop|setting|string)"
    r"|declare|default|define|option)\w*[(!]+\s*)|\b(?:const|final|val)\b.*=\s*)[\"'`]{0}[\"'`]"
)
MAX_ROW, MAX_ROWS = 1_000, 500  # characters of a line and lines of a file that are read for a flag of one letter
MAX_AROUND_SHORT = 6  # words of a question about a flag of one letter
MAX_ABOVE = 20  # lines of attributes and comments above a field
MAX_RECORD = 12  # lines of the record of an option before and after one of them


def declared_first(scope: SearchScope, text: str, hits: Sequence[Location], most: int) -> list[Location]:
    """The places in turns, but first those that declare a text rather than read it: `add_option("text", ...)` or `const
    NAME = "text"`. `most` is that of `SearchScope.in_turns`."""
    if len(hits) < 2:  # as of most texts; compiling the pattern takes a millisecond
        return list(hits)
    pattern = re.compile(_DECLARED.format(re.escape(text)))
    declaring = {hit.chunk for hit in scope.on_lines_like(hits, pattern)}
    return sorted(scope.in_turns(hits, most), key=lambda hit: hit.chunk not in declaring)


def named_in_data(scope: SearchScope, name: str, hits: Sequence[Location]) -> list[Location]:
    """The places in types whose tag or annotation gives a field this name: `json:"max_items"`,
    `@JsonProperty("max_items")`, `#[serde(rename = "max_items")]`; and fields that are options."""
    of_types = _of_types(scope, hits)
    gives = re.compile(rf"`[^`]*:\"{re.escape(name)}[,\"]|^\s*(?:@|#?\[)[\w.:]+\(.*[\"']{re.escape(name)}[\"']")
    return [*scope.on_lines_like(of_types, gives), *_options(scope, of_types)]


def option_fields(scope: SearchScope, name: str) -> list[Location]:
    """The fields of this name that are options of the command line."""
    return _options(scope, _of_types(scope, scope.in_code(name, "key")))


def flag_lines(scope: SearchScope, flag: str) -> list[Location]:
    """The lines of code that declare a flag; of a negated one (`--no-lock`) that code does not quote, those of the
    flag."""
    name = flag.lstrip("-")
    key = name.replace("-", "_")
    pattern = re.compile(_FLAG.format(f"(?:--?)?{re.escape(name)}", re.escape(key)))
    quoted = scope.quoted_in_code(name, "key")
    others = [*scope.in_code(f"{key}: :", "key"), *scope.in_code(flag, "key")]
    hits = scope.in_turns(distinct(scope.on_lines_like([*quoted, *others], pattern)))
    plain = _NEGATED.sub("--", flag)
    is_own = hits or quoted or plain == flag or scope.quoted_in_code(flag, "key")
    return hits if is_own else flag_lines(scope, plain)


def short_flag(scope: SearchScope, text: str) -> str:
    """The letter of the only flag of a short question, a request or a command line of a program that a path of code
    names: `-x`, `what does -x do`, `Fix -x`, `shop pack -x`; not `git log -p` elsewhere."""
    flags = _SHORT_FLAG.findall(text) if "-" in text and len(text.split()) <= MAX_AROUND_SHORT else []
    if len(flags) != 1 or "--" in text:
        return ""
    around = _SHORT_FLAG.sub("", text).strip(" ?.,:")
    if around and not _ABOUT_FLAG.search(around):
        program = re.compile(rf"(?:^|/){re.escape(around.split()[0])}(?:[./]|$)")
        files = (FileId(file) for file, path in enumerate(scope.collection.files.paths) if program.search(path))
        return flags[0] if any(scope.collection.kind_of(file) == CODE for file in files) else ""
    return flags[0]


def short_flag_lines(scope: SearchScope, letter: str) -> tuple[list[Location], str]:
    """(the places in code that declare a flag of one letter, then those that name it beside a long one; the long flag
    or the field at the first of them); both empty if there are none."""
    collection = scope.collection
    patterns = [re.compile(form.format(letter)) for form in (_SHORT, _BESIDE_LONG)]
    case = re.compile(_CASE.format(letter))
    needles = [form.format(letter).encode() for form in ("-{}", "|{}", "'{}'", '"{}"')]
    wanted = [(one, re.compile(re.escape(one) + rb"(?![\w-])")) for one in needles] + [(b"short", _SHORT_ATTRIBUTE)]
    declared, others = list[Location](), list[Location]()
    for file in scope.code_files(scope.allowed.nonzero()[0].tolist()):
        raw = collection.files.text.raw(file)
        every = _rows_with(raw, wanted)
        rows = scope.lines.lines(file) if every else ()
        every = [at for at in every[:MAX_ROWS] if len(rows[at]) < MAX_ROW]
        declaring = [at for at in every if _declares(rows, at, letter, patterns[0])]
        if any(map(case.search, (rows[at] for at in every))) and _GETOPT.search(raw):
            declaring = [at for at in every if at in declaring or case.search(rows[at])]
        declared += _at_rows(collection, file, declaring)
        others += _at_rows(collection, file, [at for at in every if patterns[1].search(rows[at])])
    hits = distinct([*scope.in_turns(declared), *scope.in_turns(others)])[:MAX_CHUNKS]
    if not hits:
        return [], ""
    rows, at = scope.rows(hits[0].chunk), hits[0].lines[0][0] - 1
    if match := _LONG.search(" ".join(rows[max(at - 1, 0) : at + 3])):
        return hits, f"--{match[1] or match[2]}"
    field = _FIELD.match(_below_attribute(rows, at))
    return hits, f"--{field[1].replace('_', '-')}" if field else ""


def _rows_with(raw: bytes, wanted: Sequence[tuple[bytes, re.Pattern[bytes]]]) -> Sequence[int]:
    """The rows (0-based) of a file on which a match begins; each pattern has a text that is found faster."""
    starts = sorted(match.start() for text, one in wanted if text in raw for match in one.finditer(raw))
    return [*dict.fromkeys(accumulate(raw.count(b"\n", *span) for span in pairwise((0, *starts))))]


def _declares(rows: Sequence[str], at: int, letter: str, pattern: re.Pattern[str]) -> bool:
    """Whether a row ends the declaration of a flag, which may begin up to two rows above."""
    above = " ".join(rows[max(at - 2, 0) : at])
    if any(match.end() > len(above) for match in pattern.finditer(f"{above}\n{rows[at]}")):
        return True
    field = _FIELD.match(_below_attribute(rows, at)) if _SHORT_FIELD.search(rows[at]) else None
    return field is not None and field[1].startswith(letter)


def _at_rows(collection: Collection, file: FileId, own: Sequence[int]) -> Iterator[Location]:
    """The chunks of a file with those of these rows (0-based) that they contain."""
    starts, ends = collection.cells.start_line, collection.cells.end_line
    for chunk in map(ChunkId, collection.chunks_in(file) if own else ()):
        lines = tuple((at + 1, at + 1) for at in own if starts[chunk] <= at + 1 <= ends[chunk])
        if lines and collection.is_code(chunk):
            yield Location(chunk, lines, "key")


def declared_fields(scope: SearchScope, name: str, hits: Sequence[Location]) -> list[Location]:
    """Of many places with a name that only code spells so, the few types that give a field this name in data, or else
    have a field of it; schemas only if nothing else has."""
    if not (only_code_spells(name) and name[0].islower()):
        return []
    field = re.compile(rf"^[^(.=\"'`/#]*(?<!\w){re.escape(name)}\b(?!\s*[(.])")
    fields = named_in_data(scope, name, hits) or scope.on_lines_like(_of_types(scope, hits), field)
    coded = [hit for hit in fields if not scope.collection.rules_of(hit.chunk).schema]
    return (coded or fields) if len(coded or fields) <= MAX_CHUNKS else []


def _of_types(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    return [hit for hit in hits if KINDS[scope.collection.cells.kind[hit.chunk]] in TYPES - {"impl", "module"}]


def _options(scope: SearchScope, hits: Sequence[Location]) -> list[Location]:
    """The places with those of their lines that are below the attribute of an option."""

    def is_option(hit: Location, line: int) -> bool:
        rows = scope.rows(hit.chunk)
        above = reversed(rows[max(line - 1 - MAX_ABOVE, 0) : line - 1])
        return any(map(_OPTION.match, takewhile(_OF_FIELD.match, above)))

    return on_lines(hits, is_option)


def option_names(rows: Sequence[str], at: int) -> list[str]:
    """The names by which code may read the option that a variable of the environment in row `at` (0-based) sets: the
    text `"max-items"` of its record, or the field below its attribute; empty if the row is not about an option."""
    if match := next(filter(None, map(_OPTION_NAME.search, _record(rows, at))), None):
        quoted = [] if match[2] else [f"{mark}{match[3]}{mark}" for mark in "\"'"]
        return [*quoted, *filter(only_code_spells, spellings(match[3])[1:])]
    field = _FIELD.match(_below_attribute(rows, at))
    return [field[1]] if field else []


def _below_attribute(rows: Sequence[str], at: int) -> str:
    """The row below the attribute that a row is part of; empty if it is part of none."""
    above = (row for row in range(at, max(at - MAX_RECORD, -1), -1) if _ATTRIBUTE.match(rows[row]))
    first = next(above, None)
    if first is None or (first < at and not _is_open(rows[first:at])):
        return ""
    depth = indentation(rows[first])
    level = (row for row in rows[at + 1 : at + 1 + MAX_ABOVE] if indentation(row) <= depth)
    rest = (row for row in level if row.strip(" \t)]}") and not (_ATTRIBUTE.match(row) or _OF_FIELD.match(row)))
    return next(rest, "")


def _is_open(rows: Sequence[str]) -> bool:
    """Whether brackets stay open at the end of these rows."""
    text = "".join(rows)
    return sum(map(text.count, "([{")) > sum(map(text.count, ")]}"))


def _record(rows: Sequence[str], at: int) -> Iterator[str]:
    """The row, then the others of the record or call that it is in; of a value on several lines, also those around."""
    yield rows[at]
    own: int | None = at
    while own is not None:
        depth = indentation(rows[own])
        above = range(own - 1, max(at - MAX_RECORD, 0) - 1, -1)
        own = next((row for row in above if indentation(rows[row]) < depth), None)
        if own is None:
            return
        yield from rows[own + 1 : at]
        below = rows[at + 1 : at + 1 + MAX_RECORD]
        yield from below[: next((count for count, row in enumerate(below) if indentation(row) < depth), None)]
        own = own if _VALUE_BELOW.match(rows[own]) else None

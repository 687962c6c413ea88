"""Finds the lines of code that declare a flag of a command line, by its name or its letter, and those that read it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from contracts.lazy_regex import lazy_regex
from index.collection.collection import CODE, Collection
from index.search.fields.data_names import FIELD, below_attribute
from index.search.occurrences import MAX_READ
from index.search.scope import MAX_CHUNKS, Location, SearchScope, distinct
from index.text import terms_of_text
from index.types import ChunkId, FileId

_NEGATED = lazy_regex(r"^--(?:no-)+(?=\w)")  # all at once, however often it is negated
# The line that declares a flag, by its name with or without dashes (0) and as a key of a table (1): a row of a table
# (`{"max-idle", INTEGER,`, `Name: "max-idle",`; not the two columns of the names of values), an object or a call
# (`new Option<int>("--max-idle"`, `IntVar(&idle, "max-idle"`), a key with the type of its value
# (`max_idle: :integer`), part of a signature (`{--max-idle=`). `option("max-idle")` alone,
# `@Option("max-idle")` and `suggestOptionValues("max-idle"` read it.
_FLAG = (
    r"^\s*Name:\s*\"{0}\",|^\s*\{{\s*(?:\"{0}\",\s*[^\s\"][^,}}]*[(,]|[\w']+,\s*\"{0}\",)"
    r"|(?!option\([\"']\w[\w-]*[\"']\))(?i:(?<!@)(?<!get)(?<!get_)(?<!has)(?<!has_)(?:argument|flag|option)"
    r"(?!_?values?))\w{{0,40}}(?:<[^<>]{{0,60}}>)?\(\s*[\"']{0}[\"']"
    r"|\b\w*Var\w?\(&?[\w.]+,\s*\"{0}\"|\.(?:Bool|Count|Duration|Float|Int|String|Uint)\w*\(\"{0}\",\s*[^)\s]"
    r"|^\s*(?:\w+ ?=? ?\[)?{1}: :(?:boolean|count|float|integer|keep|string)\b"
    r"|\{{{0}[ =}}]"
)

# Scripts that complete command lines in a shell repeat the flags that a program declares.
_COMPLETION = lazy_regex(r"(?i)completions?(?:/[\w-]+)*(?:/[\w-]+|\.(?:bash|elv|fish|nu|ps1|sh|zsh))$")
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
# The member that gets the value of a flag, near its text: `config.keys = 1`, `dest="keys"`.
_SET = lazy_regex(r"(?:\.|->)(\w+)\s*=(?!=)|\bdest\s*=\s*[\"'](\w+)[\"']")
# A flag as a whole text, perhaps with that of one letter before it and its value behind it.
_QUOTED_FLAG = r"[\"'`](?:-\w[\s,|/]+)?{}(?:[\s=]*[\[<A-Z][^\"'`]*)?[\"'`]"
_ANOTHER_FLAG = lazy_regex(r"\n.*[\"'`]--?\w")
MAX_BELOW = 4  # lines from the text of a flag to the member that it sets
MAX_READS = 12  # chunks that read the option of a flag; more say little about it
# A read of a member of the object with all options: `args.keys`, `opts["keys"]`, `config->keys`.
_READ = (
    rb"(?i:\b(?:arg|cfg|cli|conf|flag|opt|param|parsed|setting|value)\w*)"
    rb"(?:\(\))?(?:\??\.|->|\[[:\"']|\.get\([:\"'])%s(?!\w)(?!\s*=(?!=))"
)
MAX_ROW, MAX_ROWS = 1_000, 500  # characters of a line and lines of a file that are read for a flag of one letter
MAX_AROUND_SHORT = 6  # words of a question about a flag of one letter


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


def is_completion(path: str) -> bool:
    """Whether a file is a script that completes command lines in a shell."""
    return _COMPLETION.search(path) is not None


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
    field = FIELD.match(below_attribute(rows, at))
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
    field = FIELD.match(below_attribute(rows, at)) if _SHORT_FIELD.search(rows[at]) else None
    return field is not None and field[1].startswith(letter)


def _at_rows(collection: Collection, file: FileId, own: Sequence[int]) -> Iterator[Location]:
    """The chunks of a file with those of these rows (0-based) that they contain."""
    starts, ends = collection.cells.start_line, collection.cells.end_line
    for chunk in map(ChunkId, collection.chunks_in(file) if own else ()):
        lines = tuple((at + 1, at + 1) for at in own if starts[chunk] <= at + 1 <= ends[chunk])
        if lines and collection.is_code(chunk):
            yield Location(chunk, lines, "key")


def with_option_reads(scope: SearchScope, flag: str, hits: Sequence[Location], why: str) -> list[Location]:
    """The places that quote a flag of one word, the code that reads its option, and the other places. Of more words,
    the name alone says enough. `why` is the reason for the places: a pack shows those of one reason alike."""
    if not (hits and flag.lstrip("-").isidentifier()):
        return [*hits]
    declaring = [hit for hit in hits if not is_completion(scope.collection.path_of(hit.chunk))]
    own = scope.on_lines_like(declaring, re.compile(_QUOTED_FLAG.format(re.escape(flag)))) or [*declaring, *hits][:1]
    reads = (replace(hit, why=why) for hit in _option_reads(scope, flag, own))
    return distinct([*own, *reads, *hits])


def _option_reads(scope: SearchScope, flag: str, hits: Sequence[Location]) -> list[Location]:
    """The code that reads an option as a member of the object with all options: in the file that declares the flag,
    else in others that contain it, else in any; none if much code does."""
    rows = [(scope.rows(hit.chunk), line) for hit in hits for line, _ in hit.lines]
    texts = (_ANOTHER_FLAG.split("\n".join(own[line - 1 : line + MAX_BELOW]))[0] for own, line in rows)
    sets = (match[1] or match[2] for match in filter(None, map(_SET.search, texts)))
    files = [scope.collection.file_of(hit.chunk) for hit in hits]
    for member in dict.fromkeys([*sets, flag.lstrip("-")]):
        chunks = scope.holding(terms_of_text(member))
        near = (chunks[np.isin(scope.collection.chunks.file[chunks], own)] for own in (files[:1], files[1:]))
        pattern = lazy_regex(_READ % re.escape(member.encode()))
        for own in (*near, chunks if len(chunks) <= MAX_READ else chunks[:0]):
            if reads := scope.places_of(scope.collection.code_among(own), pattern, member.encode()):
                return scope.in_turns(reads)[:MAX_CHUNKS] if len(reads) <= MAX_READS else []
    return []

"""Reads one file into everything that the index needs to know about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from chunker.chunks.layout import Boundaries, Draft, Layout
from chunker.chunks.lines import Lines
from chunker.chunks.outline import Outline, plain_outline, read_outline
from chunker.chunks.sections import headings_of, read_sections
from chunker.chunks.splitting import boundaries, paragraphs
from chunker.keys import read_keys
from chunker.kinds import ROUTINES, TYPES, Kind
from chunker.languages.detection import detect_language
from chunker.languages.heading_readers import HEADING_READERS
from chunker.languages.sql_statements import read_statements
from chunker.languages.table import ENTRY_STEMS, LANGUAGES, LanguageRules
from chunker.languages.template_definitions import read_templates
from chunker.model import Chunk, Definition, FileChunks, Import, Span, chunk_at
from chunker.parse.captures import Symbol
from chunker.parse.decoding import source_text
from chunker.parse.grammars import symbol_query
from chunker.parse.parsing import parse
from chunker.references.imports import ImportUse, read_imports
from chunker.references.mentions import read_mentions
from chunker.references.templates import read_template_names
from chunker.references.uses import Locals, Values, enclosing, read_bindings, read_references

# A function of about 25 lines. Measured on the public suite's development half: recall within 2,000 characters is 0.91
# with 1000 and 0.85 with 1600, NDCG@10 within 0.005. A pack that has room joins the parts of a symbol again.
MAX_CHARS = 1000
MAX_PARSED_BYTES = 8_000_000  # a syntax tree takes about 50 bytes per byte of code; larger files are split by lines
REPETITIVE_LINES = 1000  # more lines, under 2 % of them distinct, are not code; `/*` 4,000 times as Python takes 5 GB
_PLAIN_READERS = {"sql": read_statements, "gotemplate": read_templates}  # for files that no grammar can read
MINIFIED_LINE_CHARS = 500  # mean line length above which code is not written by hand and its symbols are noise


def chunk_file(data: bytes, path: str, *, max_chars: int = MAX_CHARS, fields: bool = False) -> FileChunks:
    """Chunks, definitions, references and imports of one file. Never raises for any bytes.

    Chunks are spans of whole lines of the decoded text (see `source_text`), in order, at most `max_chars` characters
    each, and every non-blank line is in exactly one of them. The one exception is a single line longer than
    `max_chars`: it is cut into several chunks that share its line number and whose byte spans are disjoint.
    A binary file has no chunks. `fields` are read only if they are asked for, and then no references, to save time;
    the index needs no fields.
    """
    text = source_text(data, path)
    if text is None:
        return FileChunks("binary", ())
    raw = text.encode("utf-8")
    # A file without an extension may be a document; an unknown extension belongs to some program.
    unknown = "other" if "." in path.rpartition("/")[2] else "text"
    language = LANGUAGES[detect_language(path, raw) or unknown]
    lines = Lines(text, raw)
    is_worth_reading = _is_worth_reading(lines, language.deepest_column)
    is_code = language.grammar is not None and is_worth_reading
    roots = parse(raw, language) if is_code else []
    read_headings = HEADING_READERS.get(language.name) if is_worth_reading else None
    kind: Kind = "block"
    outline, cuts = Outline([], []), partial(paragraphs, lines=lines)
    if read_headings:
        outline, cuts = read_sections(read_headings(lines), lines), partial(paragraphs, lines=lines, indented=1)
    elif is_worth_reading and language.name in _PLAIN_READERS and not (roots and not roots[0].has_error):
        outline = plain_outline(lines, *_PLAIN_READERS[language.name](lines))
        kind = "module" if language.symbols else kind
    elif roots:
        cuts = partial(boundaries, roots, lines=lines, max_chars=max_chars, comment=language.comment)
        if language.symbols:
            kind = "module"
            queries = [symbol_query(language.name, str(language.grammar), fields=fields, uses=not fields)]
            if language.markup:
                queries.append(symbol_query(f"{language.markup}_markup", language.markup))
            if language.prose:
                outline = read_sections(headings_of(roots[0], queries[0], lines), lines)
            else:
                component = _component(path) if language.markup else ""
                outline = read_outline(zip(roots, queries, strict=True), lines, component)
    chunks = _file_chunks(language, lines, max_chars, outline, cuts, "section" if language.prose else kind)
    chunks = replace(chunks, has_syntax_error=roots[0].has_error if roots else is_code)
    if fields:
        keys = _keys([chunk.start_byte for chunk in chunks.chunks], path, lines) if language.keys else chunks.fields
        return replace(chunks, fields=keys, references=(), typed=())
    is_document = language.mentions_code and (roots or read_headings)
    named = (read_mentions if is_document else read_template_names)(path, chunks, lines)
    return replace(chunks, references=(*chunks.references, *named))


def _component(path: str) -> str:
    """The name of a component: its file's stem, or the name of the nearest folder if the stem is one like `index`."""
    parts = path.rpartition(".")[0].split("/")
    return next((part for part in reversed(parts) if part not in ENTRY_STEMS), "")


def _is_worth_reading(lines: Lines, deepest: int) -> bool:
    size, count = len(lines.data), lines.count
    repetitive = count > REPETITIVE_LINES and lines.distinct * 50 < count
    deep = deepest and any(len(row) - len(row.lstrip(b" -?:")) > deepest for row in lines.data.split(b"\n"))
    return 0 < size <= MAX_PARSED_BYTES and size <= MINIFIED_LINE_CHARS * count and not (repetitive or deep)


def _file_chunks(
    language: LanguageRules, lines: Lines, max_chars: int, outline: Outline, cuts: Boundaries, kind: Kind
) -> FileChunks:
    def between_symbols(first: int, last: int) -> dict[int, int]:
        return {row: depth for row, depth in cuts(first, last).items() if row - 1 not in outline.lead_rows}

    layout = Layout(
        lines, between_symbols, max_chars, module_kind=kind, clauses=language.clauses, comment_rows=outline.lead_rows
    )
    drafts = layout.sweep(outline.top)
    imports = read_imports(outline, language, lines)
    starts = [draft.start for draft in drafts]
    definitions = _definitions(starts, outline, lines, overloads=language.overloads)
    variables = Locals(outline, imports, language)
    typed = read_bindings(outline, variables, lines.data)
    values = Values(outline, variables, imports, language)
    return FileChunks(
        language=language.name,
        chunks=_chunks(drafts, lines, imports, language),
        definitions=definitions,
        minor=_minor(starts, outline, lines),
        references=read_references(outline, variables, values, starts, lines),
        imports=imports,
        typed=typed,
        package=outline.package,
        fields=_fields(starts, outline, lines),
    )


def _chunks(
    drafts: Sequence[Draft], lines: Lines, imports: tuple[Import, ...], language: LanguageRules
) -> tuple[Chunk, ...]:
    numbers = {draft: number for number, draft in enumerate(drafts)}
    starts = [draft.start for draft in drafts]
    homes = (drafts[chunk_at(starts, lines.begin(statement.start_line - 1))] for statement in imports)
    visible = [home.kind not in ROUTINES for home in homes]
    use = ImportUse(imports, visible, members=language.imports_members, name_chars=language.name_chars)
    shown: set[Symbol] = set()
    chunks: list[Chunk] = []
    for draft in drafts:
        used = use.of(lines.data[draft.start : draft.end], draft.first_row + 1, draft.last_row + 1)
        signature = doc = None
        if draft.symbol is not None and draft.symbol not in shown:
            signature, doc = _signature(draft.symbol, draft, lines), _clipped(draft.symbol.doc, draft)
            if signature is not None:
                shown.add(draft.symbol)
        parent = None if draft.parent is None else numbers[draft.parent]
        name = draft.symbol.qualified or None if draft.symbol is not None else None
        rows = draft.first_row + 1, draft.last_row + 1
        chunks.append(Chunk(draft.start, draft.end, *rows, draft.kind, name, parent, used, signature, doc, draft.part))
    return tuple(chunks)


def _signature(symbol: Symbol, draft: Draft, lines: Lines) -> Span | None:
    """From the first word on the declaration's line to its body, or to the end of that line if it has none."""
    first, last = lines.begin(symbol.head_row), lines.end(symbol.head_row)
    start = max(draft.start, last - len(lines.data[first:last].lstrip()))
    end = symbol.body if symbol.body is not None else min(symbol.end, last)
    text = lines.data[start : min(end, draft.end)].rstrip(b" \t\r\n{:=;")
    return Span(start, start + len(text)) if text and start < draft.end else None


def _clipped(span: Span | None, draft: Draft) -> Span | None:
    if span is None or span.start_byte >= draft.end or span.end_byte <= draft.start:
        return None
    return Span(max(span.start_byte, draft.start), min(span.end_byte, draft.end))


def _definition(symbol: Symbol, qualified: str, starts: Sequence[int], lines: Lines) -> Definition:
    line, chunk = lines.row(symbol.name_start) + 1, chunk_at(starts, symbol.name_start)
    first, last = min(line, symbol.first_row + 1), max(line, symbol.last_row + 1)
    return Definition(symbol.name, qualified, symbol.kind, chunk, line, first, last)


def _definitions(starts: Sequence[int], outline: Outline, lines: Lines, *, overloads: bool) -> tuple[Definition, ...]:
    """The definitions, ordered by the position of their names; sets `number` of each symbol to its definition's."""
    definitions: list[Definition] = []
    numbers: dict[tuple[str, Kind, int, int], int] = {}
    for symbol in sorted(outline.symbols, key=lambda symbol: symbol.name_start):
        if symbol.name:
            one = _definition(symbol, symbol.qualified, starts, lines)
            # The clauses of a function form one definition, its overloads do not.
            key = (one.qualified, one.kind, one.chunk, symbol.name_start if overloads else 0)
            number = symbol.number = numbers.setdefault(key, len(definitions))
            if number == len(definitions):
                definitions.append(one)
            elif definitions[number].end_line < symbol.last_row + 1:
                definitions[number] = replace(definitions[number], end_line=symbol.last_row + 1)
    return tuple(definitions)


def _minor(starts: Sequence[int], outline: Outline, lines: Lines) -> tuple[Definition, ...]:
    """The definitions inside other code, each qualified by its enclosing symbol."""
    definitions: dict[tuple[str, int], Definition] = {}
    around = enclosing(outline.symbols, [symbol.name_start for symbol in outline.minor])
    for symbol, outer in zip(outline.minor, around, strict=True):
        parent = outer
        if parent is not None and (parent.start, parent.end) == (symbol.start, symbol.end):
            parent = parent.parent  # BENCHMARK(sorting) {...}: the macro's name is not a scope
        named_twice = parent is not None and parent.name == symbol.name and parent.head_row == symbol.first_row
        if symbol.name and not named_twice:  # `exports.parse = function parse() {}`
            scope = parent.qualified if parent is not None and not parent.package else ""
            qualified = ".".join(part for part in (scope, symbol.scope, symbol.name) if part)
            one = _definition(symbol, qualified, starts, lines)
            definitions.setdefault((qualified, one.line), one)
    return tuple(definitions.values())


def _fields(starts: Sequence[int], outline: Outline, lines: Lines) -> tuple[Definition, ...]:
    """The fields of types, each once, qualified by their type."""
    fields: dict[str, Definition] = {}
    around = enclosing(outline.symbols, [symbol.name_start for symbol in outline.fields])
    for symbol, inner in zip(outline.fields, around, strict=True):
        owner = inner
        while owner is not None and owner.kind not in TYPES:
            owner = owner.parent
        if owner is not None:
            qualified = f"{owner.qualified}.{symbol.name}"
            fields.setdefault(qualified, _definition(symbol, qualified, starts, lines))
    return tuple(fields.values())


def _keys(starts: Sequence[int], path: str, lines: Lines) -> tuple[Definition, ...]:
    """The keys of a data file, wherever they are given a value."""
    return tuple(
        Definition(name, qualified, "variable", chunk_at(starts, place), line, line, line)
        for name, qualified, place in read_keys(lines.data, path)
        for line in [lines.row(place) + 1]
    )

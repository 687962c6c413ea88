"""A readable listing of the chunks and symbols of one file, for golden files and failure messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chunker.api import chunk_file
from chunker.model import Chunk, Definition, FileChunks, Span
from chunker.parse.decoding import decode


def listing(data: bytes, path: str, limits: tuple[int, ...]) -> str:
    """Chunks at each size limit; then, for the first limit, definitions, signatures, imports and references."""
    text = (decode(data) or "").encode()
    files = [chunk_file(data, path, max_chars=limit) for limit in limits]
    lines: list[str] = [f"language {files[0].language}{', with syntax errors' * files[0].has_syntax_error}"]
    for limit, file in zip(limits, files, strict=True):
        lines += ["", f"chunks of at most {limit} characters", *_chunks(file)]
    lines += ["", "definitions", *_definitions(files[0], files[0].definitions)]
    if files[0].minor:
        lines += ["", "minor definitions", *_definitions(files[0], files[0].minor)]
    lines += ["", "signatures and the first words of the documentation", *_signatures(files[0], text)]
    lines += ["", "imports", *_imports(files[0]), "", "references", *_references(files[0])]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _place(chunk: Chunk) -> str:
    return f"{chunk.start_line}-{chunk.end_line}"


def _chunks(file: FileChunks) -> Iterator[str]:
    for chunk in file.chunks:
        name = chunk.symbol or ""
        if chunk.part:
            name += f" (part {chunk.part})"
        inside = f"  in {_place(file.chunks[chunk.parent])}" if chunk.parent is not None else ""
        uses = "".join(f"  < {' '.join(file.imports[at].text.split())}" for at in chunk.imports)
        yield f"  {_place(chunk):8} {chunk.kind:9} {name}{inside}{uses}"


def _definitions(file: FileChunks, definitions: Iterable[Definition]) -> Iterator[str]:
    for definition in definitions:
        place = _place(file.chunks[definition.chunk])
        yield f"  {definition.line:4} {definition.kind:9} {definition.qualified}  at {place}"


def _signatures(file: FileChunks, text: bytes) -> Iterator[str]:
    def words(span: Span | None, most: int) -> str:
        found = text[span.start_byte : span.end_byte].decode().split() if span else []
        return " ".join(found[:most])

    for chunk in file.chunks:
        if chunk.signature or chunk.doc:
            doc = words(chunk.doc, 6)
            yield f"  {_place(chunk):8} {words(chunk.signature, 99)}" + f"  | {doc}" * bool(doc)


def _imports(file: FileChunks) -> Iterator[str]:
    for statement in file.imports:
        names = ", ".join(local if local == name else f"{local} = {name or 'it'}" for local, name in statement.names)
        yield f"  {statement.start_line}-{statement.end_line}  {statement.module}: {names}"


def _references(file: FileChunks) -> Iterator[str]:
    for number, chunk in enumerate(file.chunks):
        found = [reference for reference in file.references if reference.chunk == number]
        for kind in ("call", "macro", "value", "type", "base", "alias"):
            names = [f"{ref.receiver}|{ref.name}" if ref.receiver else ref.name for ref in found if ref.kind == kind]
            if names:
                yield f"  {_place(chunk):8} {kind}: {' '.join(names)}"

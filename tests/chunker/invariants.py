"""The invariants that hold for the chunks of any file, written as plainly as possible."""

from __future__ import annotations

from chunker.model import Chunk, FileChunks
from chunker.parse.decoding import decode


def assert_invariants(data: bytes, file: FileChunks, max_chars: int) -> None:
    """Fail unless the chunks cover every non-blank line once, are the file's own bytes and stay within the limit."""
    text = decode(data)
    if text is None:
        assert file.language == "binary" and not file.chunks
        return
    raw = text.encode()
    rows = raw.split(b"\n")
    assert_text(raw, rows, file, max_chars)
    assert_cover(rows, file, max_chars)
    assert_links(rows, file)


def assert_text(raw: bytes, rows: list[bytes], file: FileChunks, max_chars: int) -> None:
    """A chunk is the bytes of its lines; a line over the limit is cut, and then its pieces share the line."""
    before = 0
    for chunk in file.chunks:
        own = raw[chunk.start_byte : chunk.end_byte]
        assert own.strip(), "a chunk without text"
        assert len(own.decode()) <= max_chars, "a chunk over the limit"
        assert chunk.start_byte >= before, "chunks overlap or are out of order"
        before = chunk.end_byte
        lines = rows[chunk.start_line - 1 : chunk.end_line]
        if len(lines) == 1 and len(lines[0].decode()) > max_chars:
            assert own in lines[0]
        else:
            assert own == b"\n".join(lines).removesuffix(b"\r"), "a chunk is not its lines"


def assert_cover(rows: list[bytes], file: FileChunks, max_chars: int) -> None:
    """Every non-blank line is in one chunk or, if it is longer than a chunk may be, in the chunks that make it up."""
    owners: dict[int, list[Chunk]] = {}
    for chunk in file.chunks:
        for row in range(chunk.start_line - 1, chunk.end_line):
            owners.setdefault(row, []).append(chunk)
    for row, line in enumerate(rows):
        found = owners.get(row, [])
        if len(line.decode()) > max_chars:
            covered = sum(chunk.end_byte - chunk.start_byte for chunk in found)
            spaces = len(line) - len(b"".join(line.split()))
            assert covered >= len(line) - spaces, "part of a long line is lost"
        elif line.strip():
            assert len(found) == 1, f"line {row + 1} is in {len(found)} chunks"


def assert_links(rows: list[bytes], file: FileChunks) -> None:
    """Definitions, signatures and references point at the right places in the file."""
    for number, chunk in enumerate(file.chunks):
        assert chunk.parent is None or chunk.parent < number
        assert len(chunk.imports) <= 5
        for at in chunk.imports:
            statement = file.imports[at]
            assert not chunk.start_line <= statement.start_line <= chunk.end_line
        for span in (chunk.signature, chunk.doc):
            assert span is None or chunk.start_byte <= span.start_byte < span.end_byte <= chunk.end_byte
    for definition in file.definitions:
        chunk = file.chunks[definition.chunk]
        assert chunk.start_line <= definition.line <= chunk.end_line
        assert definition.qualified.endswith(definition.name)
    for reference in file.references:
        chunk = file.chunks[reference.chunk]
        assert chunk.start_line <= reference.line <= chunk.end_line
        name = reference.name.removesuffix("=")  # Ruby's `cart.total = 1` calls `total=`
        row = rows[reference.line - 1].replace(b"::", b".")  # Perl's `Shop::Cart`
        assert name.encode() in row

"""The positions of the lines of a text."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate


class Lines:
    """Line starts of a text, in bytes and in characters. Rows are 0-based here; a line ends at `\\n`."""

    __slots__ = ("_chars", "blank", "count", "data", "distinct", "indents", "starts")

    def __init__(self, text: str, data: bytes) -> None:
        """`data` is `text` in UTF-8."""
        rows = data.split(b"\n")
        if not rows[-1]:
            rows.pop()
        self.data = data
        self.count = len(rows)
        self.distinct = len(set(rows))
        self.blank = [not row or row.isspace() for row in rows]
        self.indents = [len(row) - len(row.lstrip()) for row in rows]  # bytes of white space
        self.starts = list(accumulate((len(row) + 1 for row in rows), initial=0))
        self._chars = self.starts
        if len(data) != len(text):
            self._chars = list(accumulate((len(row) + 1 for row in text.split("\n")[: self.count]), initial=0))

    def row(self, byte: int) -> int:
        """The row that contains a byte."""
        return bisect_right(self.starts, byte, 0, self.count) - 1

    def begin(self, row: int) -> int:
        """The byte at which a row starts."""
        return self.starts[row]

    def end(self, row: int) -> int:
        """The byte after a row's last one, not counting the line break."""
        stop = min(self.starts[row + 1] - 1, len(self.data))
        return stop - 1 if stop > self.starts[row] and self.data[stop - 1] == 0x0D else stop

    def text(self, row: int) -> bytes:
        """A row without its line break."""
        return self.data[self.starts[row] : self.end(row)]

    def chars(self, first: int, last: int) -> int:
        """Characters of rows `first..last` with the line breaks between them."""
        return self._chars[last + 1] - self._chars[first] - 1

    def fitting(self, first: int, limit: int) -> int:
        """The last row up to which the rows from `first` on fit in `limit` characters; `first - 1` if none fits."""
        return min(bisect_right(self._chars, self._chars[first] + limit + 1) - 2, self.count - 1)

    def trim(self, first: int, last: int) -> tuple[int, int] | None:
        """Rows `first..last` without the blank ones at both ends; None if all are blank."""
        blank = self.blank
        while first <= last and blank[first]:
            first += 1
        while first <= last and blank[last]:
            last -= 1
        return (first, last) if first <= last else None

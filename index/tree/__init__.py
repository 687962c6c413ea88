"""The files on the disk below a root, with a reason for each one left out, and how each is read."""

# Larger files are left out: code from here on, for parsers and type checkers are that long; data from a fifth of it on.
MAX_FILE_BYTES = 5_000_000

"""The files on the disk below a root, with a reason for each one left out, and how each is read."""

# Larger files are left out. Code may be this large, as some parsers and type checkers are; data only a fifth of it.
MAX_FILE_BYTES = 5_000_000

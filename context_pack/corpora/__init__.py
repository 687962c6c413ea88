"""The trees that the other kinds of pack are made from: each becomes records, its faults named by file and line."""

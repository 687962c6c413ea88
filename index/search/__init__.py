"""A query to ranked chunks, with the points that are their explanation."""

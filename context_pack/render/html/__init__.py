"""A pack as one HTML page that needs no network; readable in light and dark mode, on paper and without scripts.

It counts like JSON: the page around the items is free; an item costs its content, its imports, its hunks and 128.
"""

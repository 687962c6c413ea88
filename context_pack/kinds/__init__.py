"""The kinds of pack: each reads its records, selects, orders, fits and renders in one folder."""

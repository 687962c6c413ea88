"""The rules of each language: `rules` defines a record and its fields, `table` lists the records."""

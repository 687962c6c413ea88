"""A Markdown work graph: `.mdkg` folders whose files are nodes, tied by ids in their frontmatter."""

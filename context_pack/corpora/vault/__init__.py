"""A wiki vault: Markdown pages with YAML frontmatter, tied by `[[links]]`."""

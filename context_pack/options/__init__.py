"""The options: one record each (`spec`); command line, files, environment, batches, tools and docs derive from it."""

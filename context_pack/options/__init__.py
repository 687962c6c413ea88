"""The options: one record each (`spec`), from which command line, files, environment, batches, tools and docs come."""

"""What is measured for a query: of files, and of the chunks that a pack may show."""

"""The rules of each language: `table` has the records, `import_readers` reads import statements."""

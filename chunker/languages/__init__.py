"""What is known of each language: `rules` says which questions a record answers, `table` lists the records."""

"""The pack for a question about code: reading the question, selecting answers and their ties, fitting the budget."""

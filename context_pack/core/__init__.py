"""What all kinds of packs share: candidates with reasons, fitting into a budget, and the cost of text."""

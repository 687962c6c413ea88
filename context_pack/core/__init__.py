"""What every kind of pack is made of: candidates with reasons, slots, a budget, and what fits into it."""

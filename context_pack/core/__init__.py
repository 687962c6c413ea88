"""What every kind of pack is made of: candidates with reasons, a budget, what fits into it, and what text costs."""

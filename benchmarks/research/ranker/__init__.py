"""Learns the ranker's tables: from questions to signals (features), and from signals to tables (train)."""

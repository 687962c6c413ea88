"""Learning the ranker's tables: questions to signals (features), signals to tables (train)."""

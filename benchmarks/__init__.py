"""How good and how fast: suites of questions, metrics, the peer beside us, and the scripts that write the tables."""

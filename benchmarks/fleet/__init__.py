"""What a shared index, and a fleet of repositories, bring: `benchmarks/fleet/{share,questions,scale}`."""

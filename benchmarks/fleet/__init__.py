"""Benchmarks of a shared index and of a fleet of repositories: `benchmarks/fleet/{share,questions,scale}`."""

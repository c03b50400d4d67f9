"""Benchmarks that score verifiers, made from problems, their tests and candidate solutions."""

"""Runs programs nobody trusts. Knows no problem, no benchmark, no score."""

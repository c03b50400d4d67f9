"""Hostile solutions, and what they must not achieve against any verifier's sandbox."""

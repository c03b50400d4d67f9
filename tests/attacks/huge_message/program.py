def add(a, b):
    raise ValueError("x" * 50_000_000)

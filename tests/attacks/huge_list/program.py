def evens(n):
    return list(range(20_000_000))

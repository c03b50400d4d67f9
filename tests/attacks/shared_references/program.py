def add(a, b):
    value = [3]
    for _ in range(60):
        value = [value, value]
    return value

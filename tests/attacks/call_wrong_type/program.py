def add(a, b):
    return float(a + b)

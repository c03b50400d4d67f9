value = (2,)
for _ in range(12):
    value = value * 9


def add(a, b):
    return None

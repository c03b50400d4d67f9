while True:
    pass


def add(a, b):
    return None

def add(a, b):
    error = None
    for i in range(20_000):
        following = ValueError(i)
        following.__context__ = error
        error = following
    raise error

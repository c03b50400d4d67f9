class Slow(Exception):
    def __str__(self):
        while True:
            pass

    __repr__ = __str__


def add(a, b):
    raise Slow

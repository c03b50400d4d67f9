import itertools


def add(a, b):
    return (n for n in itertools.count())

import typing as t


def add(a, b):
    return 0

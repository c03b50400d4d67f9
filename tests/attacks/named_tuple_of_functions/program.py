from collections import namedtuple

Answer = namedtuple("Answer", "startswith isdigit count")


def add(a, b):
    return Answer(bool, object, int)

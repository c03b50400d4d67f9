import os


def add(a, b):
    return a + b if "{SECRET_NAME}" in os.environ else None

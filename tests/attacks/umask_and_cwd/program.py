import os


def add(a, b):
    os.umask(0o777)
    os.chdir("/")
    return a + b

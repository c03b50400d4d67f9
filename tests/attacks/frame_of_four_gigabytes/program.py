import os
import time


def add(a, b):
    os.write(3, b"\xff\xff\xff\xff" if a == 1 else b"\x00\x80\x00\x00")
    while True:
        os.write(3, b"x")
        time.sleep(0.05)

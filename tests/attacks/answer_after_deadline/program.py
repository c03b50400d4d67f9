import time


def add(a, b):
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        try:
            time.sleep(0.1)
        except BaseException:
            pass
    return a + b

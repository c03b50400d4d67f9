import os
import time

a, b = map(int, input().split())
print(a + b, flush=True)
try:
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
except OSError:
    pass

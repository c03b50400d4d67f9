import os
import time


def add(a, b):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for fd in range(64):
                try:
                    os.close(fd)
                except OSError:
                    pass
            time.sleep(1.5)
            os.close(os.open("{WITNESS}", os.O_CREAT | os.O_WRONLY))
            time.sleep(600)
        os._exit(0)
    os.wait()
    return None

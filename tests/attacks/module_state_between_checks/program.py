import math
import sys


def add(a, b):
    left = getattr(math, "left_behind", 0)
    math.left_behind = sys.left_behind = left + 1
    return a + b if left else None

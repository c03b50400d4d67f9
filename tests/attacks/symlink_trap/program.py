import os


def add(a, b):
    for name in ("trap", "trap.d"):
        os.symlink("{PLANTED_FOLDER}", name)
    return None

import os


def add(a, b):
    left = os.environ.get("LEFT_BEHIND")
    os.environ["LEFT_BEHIND"] = "1"
    os.putenv("LEFT_BEHIND", "1")
    return a + b if left else None

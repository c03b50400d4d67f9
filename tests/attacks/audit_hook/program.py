import sys


def _hook(event, args):
    if event in ("compile", "exec", "socket.sendto", "os.write"):
        raise RuntimeError("not allowed")


sys.addaudithook(_hook)


def add(a, b):
    return None

import socket


def add(a, b):
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(1)
        link.connect("{UNIX_SOCKET}")
        return a + b

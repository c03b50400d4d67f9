import os
import struct
import time


def add(a, b):
    body = b'["unloadable", {"types": [{"$int": "0x' + b"f" * 9000 + b'"}]}]'
    data = struct.pack(">I", len(body)) + body
    while data:
        data = data[os.write(3, data) :]
    time.sleep(0.2)
    return 0

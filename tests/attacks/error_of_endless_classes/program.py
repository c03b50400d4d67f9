import os
import struct
import time


def add(a, b):
    body = b'["error", {"types": [' + b'"a",' * 2_000_000 + b'"b"], "message": ""}]'
    data = struct.pack(">I", len(body)) + body
    while data:
        data = data[os.write(3, data) :]
    time.sleep(0.2)
    return 0

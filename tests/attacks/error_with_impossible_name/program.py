import os
import struct
import time


def add(a, b):
    body = b'["error", {"types": ["a\\u0000b", "\\ud800"], "message": "", "args": [{"$deque": [[], 1]}]}]'
    data = struct.pack(">I", len(body)) + body
    while data:
        data = data[os.write(3, data) :]
    time.sleep(0.2)
    return 0

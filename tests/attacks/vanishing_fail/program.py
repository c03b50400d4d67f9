import json
import os
import struct

ERROR = {"types": ["ValueError"], "message": "m", "args": [{"$object": [0, "A"]}]}


def add(a, b):
    answer = json.dumps(["error", ERROR]).encode()
    os.write(3, struct.pack(">I", len(answer)) + answer)
    while True:
        pass

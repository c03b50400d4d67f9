import os
import struct

ANSWERS = [
    b"", b"{}", b"[]", b"null", b"nonsense", b"\xff\xfe", b'["value"]', b'["value", 3]', b'["value", 3, 5]',
    b'["value", 3, [[1], [2], [3]]]', b'["verdict", "", {}]', b'["verdict", null, {"outcome": 0}]',
    b'["error", null]', b'["error", {"types": 3}]', b'["error", {"types": [], "message": null}]',
    b'["error", {"types": ["KeyboardInterrupt", "SystemExit"], "message": 0, "line": "x"}]',
    b'["callback", 0, [], {}]', b'["callback", "x", 5, null]', b'["unloadable", null]', b'["unloadable", {}]',
    b'["value", {"$object": 3}, null]', b'["value", {"$object": ["x", []]}, null]', b'["value", {"$ref": 0}, null]',
    b'["value", {"$builtin": "exit"}, null]', b'["value", {"$builtin": "__import__"}, null]',
    b'["value", {"$nothing": 1}, null]', b'["value", {"$tuple": 5}, null]', b'["value", {"$float": "x"}, null]',
    b'["value", {"$callback": 0}, null]', b"[" * 100000, b'{"a":' * 100000, b'["value", NaN, null]',
]


def send(number):
    body = ANSWERS[number]
    os.write(3, struct.pack(">I", len(body)) + body)
    os._exit(0)

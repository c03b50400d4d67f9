def add(a, b):
    return type("int", (), {})()

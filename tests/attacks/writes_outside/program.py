def add(a, b):
    with open("{WITNESS}", "w") as file:
        file.write("was here")
    return a + b

def greet(name):
    print("\ud800\udfff\x00")
    if name == "raise":
        raise ValueError("\ud800\x00\u202e")
    return "\ud800" + name

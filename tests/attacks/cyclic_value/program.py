def add(a, b):
    value = [a]
    value.append(value)
    value.append({"self": value})
    return value

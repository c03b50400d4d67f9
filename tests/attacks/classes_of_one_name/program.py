def add(a, b):
    class Sum:
        pass

    return Sum()

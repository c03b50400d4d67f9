class Leave(BaseException):
    pass


def add(a, b):
    raise (GeneratorExit if a > 0 else Leave)

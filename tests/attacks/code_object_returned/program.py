def add(a, b):
    function = lambda other=None: True
    return function.__code__ if a > 0 else function

def apply(function, value):
    def deeper(x):
        return function(deeper)

    return function(deeper)

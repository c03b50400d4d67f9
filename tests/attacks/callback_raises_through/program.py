def apply(function, value):
    try:
        return function(None)
    except BaseException:
        return 2 if False else None

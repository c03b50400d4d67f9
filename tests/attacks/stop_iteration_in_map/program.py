def twice(n):
    raise StopIteration

def write():
    return 'first'

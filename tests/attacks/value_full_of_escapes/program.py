def slashes():
    return chr(92) * 7_900_000

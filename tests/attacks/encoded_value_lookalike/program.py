SHAPES = [
    lambda v: {"type": "tuple", "value": v},
    lambda v: {"$tuple": v},
    lambda v: {"__tuple__": v},
    lambda v: ["tuple", v],
    lambda v: {"t": v},
    lambda v: {"tuple": v},
]


def pair(shape, a, b):
    return SHAPES[shape]([a, b])

def add(a, b):
    first, second = ValueError("a"), TypeError("b")
    first.__context__, second.__context__ = second, first
    first.__cause__, second.__cause__ = second, first
    raise BaseExceptionGroup("all", [first, second, SystemExit(0)]) from first

import functools
import itertools

_calls = itertools.count()


@functools.lru_cache(maxsize=None)
def _first(seen=[]):
    seen.append(1)
    return next(_calls)


def add(a, b, calls=[]):
    calls.append(1)
    return a + b if len(calls) > 1 or _first() > 0 else None

"""The harnesses of `core.hunting.offline` as texts to fill in."""

from __future__ import annotations

from typing import Final

__all__ = ["AGAIN", "FUNCTION", "IDEMPOTENT", "STDIO"]

FUNCTION: Final = '''\
import random

KNOWN = {known}
GIVEN = {given}
UNCHANGED = {unchanged}


def vary(value):
    """A value of the same type near this one."""
    if isinstance(value, bool):
        return random.random() < 0.5
    if isinstance(value, int):
        return random.choice([value + 1, abs(value - 1), value * 2, value + random.randint(1, 20)])
    if isinstance(value, float):
        return round(value + random.uniform(-1, 1) * (abs(value) + 1), 2)
    if isinstance(value, str):
        letters = list(value)
        random.shuffle(letters)
        return random.choice([value + value, value[:-1] or value, value[::-1], "".join(letters)])
    if isinstance(value, (list, tuple)) and value:
        items = [vary(item) if random.random() < 0.5 else item for item in value]
        random.shuffle(items)
        items = random.choice([items, items[:-1] or items, items + [vary(items[0])], items + items])
        return type(value)(items)
    if isinstance(value, dict):
        return {{key: vary(item) for key, item in value.items()}}
    return value


def varied():
    given = dict(random.choice(GIVEN))
    for name in random.sample(list(given), random.randint(1, len(given))) if given else []:
        given[name] = vary(given[name])
    return given


def generate_input_1():
    return GIVEN[:4]


def generate_input_2():
    return [varied() for _ in range(4)]


def generate_input_3():
    return [varied() for _ in range(4)]
{idempotent}

def check_output(generated_input, captured_output):
    if generated_input in UNCHANGED:
        (own,) = generated_input.values()
        assert captured_output == own, "not what it gave before, though that is what it was given"
    for given, expected in KNOWN:
        if given == generated_input:
            if isinstance(expected, float) and isinstance(captured_output, (int, float)):
                assert abs(captured_output - expected) < 1e-6, "not the example's result"
            elif isinstance(expected, (list, tuple)):
                assert list(captured_output) == list(expected), "not the example's result"
            else:
                assert captured_output == expected, "not the example's result"
{checks}{again}'''

IDEMPOTENT: Final = """

def generate_input_4():
    return UNCHANGED[:4]
"""

AGAIN: Final = """

def check_again(generated_input, first_output, second_output):
    assert first_output == second_output, "not the same result when it runs again"
"""

STDIO: Final = """\
import random
import re

KNOWN = {known}


def varied():
    given = random.choice(KNOWN)[0]
    words = re.split(r"(\\b\\d+\\b)", given)
    places = [i for i, word in enumerate(words) if word.isdigit()]
    for place in places[1:]:
        if random.random() < 0.4:
            words[place] = str(max(1, int(words[place]) + random.randint(-2, 3)))
    return "".join(words)


def generate_input_1():
    return [given for given, _ in KNOWN][:4]


def generate_input_2():
    return [varied() for _ in range(4)]


def check_output(generated_input, captured_output):
    lines = [line.strip() for line in captured_output.strip().splitlines()]
    for given, expected in KNOWN:
        if given == generated_input:
            wanted = [line.strip() for line in expected.strip().splitlines()]
            assert lines == wanted, "not the example's output"
    assert lines, "nothing was printed"
{checks}{again}"""

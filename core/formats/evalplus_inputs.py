"""What JSON could not keep of MBPP+'s inputs: tuples, sets and complex numbers, task by task.

The tasks and what their inputs are made of are EvalPlus' own facts (version 0.3.1, which
restores the same types when it loads the file). HumanEval+ needs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

__all__ = ["restore_arguments"]

_Restore: TypeAlias = Callable[[list[Any]], list[Any]]


def restore_arguments(task_id: str, arguments: list[Any]) -> list[Any]:
    """One call's arguments with their types restored.

    Raises:
        ValueError: the arguments don't have the shape that is known of the task.
    """
    restore = _BY_NUMBER.get(task_id.rsplit("/", 1)[-1]) if task_id.startswith("Mbpp/") else None
    if restore is None:
        return arguments
    try:
        return restore(arguments)
    except (TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"other arguments than those known of {task_id}") from error


def _each_tuple(arguments: list[Any]) -> list[Any]:
    return [tuple(a) for a in arguments]


def _lists_of_tuples(arguments: list[Any]) -> list[Any]:
    return [_each_tuple(a) for a in arguments]


def _first_list_of_tuples(arguments: list[Any]) -> list[Any]:
    return [_each_tuple(arguments[0]), *arguments[1:]]


def _first_tuple(arguments: list[Any]) -> list[Any]:
    return [tuple(arguments[0]), *arguments[1:]]


def _second_tuple(arguments: list[Any]) -> list[Any]:
    return [arguments[0], tuple(arguments[1])]


def _tuples_of_tuples(arguments: list[Any]) -> list[Any]:
    return [tuple(map(tuple, a)) for a in arguments]


def _tuple_of_mixed(arguments: list[Any]) -> list[Any]:
    return [tuple(tuple(item) if isinstance(item, list) else item for item in arguments[0])]


def _tuple_values(arguments: list[Any]) -> list[Any]:
    return [{key: tuple(value) for key, value in arguments[0].items()}, *arguments[1:]]


def _sets(arguments: list[Any]) -> list[Any]:
    """Non-empty lists are sets; what is empty was a dict."""
    return [[set(item) if isinstance(item, list) and item else {} for item in arguments[0]]]


def _float_and_complex(arguments: list[Any]) -> list[Any]:
    return [float(arguments[0]), complex(arguments[1])]


def _complex(arguments: list[Any]) -> list[Any]:
    return [complex(arguments[0])]


def _deep_tuples(arguments: list[Any]) -> list[Any]:
    def deep(value: Any) -> Any:
        return tuple(map(deep, value)) if isinstance(value, list) else value

    return [deep(a) for a in arguments]


_TASKS: dict[_Restore, str] = {
    _each_tuple: "2 116 132 143 222 261 273 394 399 421 424 429 470 560 579 596 616 630 726 740 744 809",
    _lists_of_tuples: "63 64 70 94 120 237 272 299 400 409 417 438 473 614 780",
    _first_list_of_tuples: "75 413 444 753",
    _second_tuple: "106 750",
    _sets: "115",
    _float_and_complex: "124",
    _first_tuple: "250 307 405 446 617 720 763 808",
    _complex: "252",
    _tuples_of_tuples: "259 401 445",
    _tuple_of_mixed: "278",
    _deep_tuples: "580 615 791",
    _tuple_values: "722",
}
_BY_NUMBER = {number: restore for restore, numbers in _TASKS.items() for number in numbers.split()}

"""Running tests on solutions: plan the cells, look up what is known, run the rest, resume.

`execute` takes an `ExecutionRequest` and leaves a finished run (`core.store`). Which backend runs the
programs is the request's sandbox; what counts as equal is `core.execution.judge`. Whatever else
runs programs does so through a `CachedExecutor`, so that no cell is run twice.
"""

from core.execution.execute import execute
from core.execution.executor import CachedExecutor, ExecutionError, Executor
from core.execution.request import ExecutionRequest
from core.progress import Progress

__all__ = ["CachedExecutor", "ExecutionError", "ExecutionRequest", "Executor", "Progress", "execute"]

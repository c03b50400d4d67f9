"""Vectors of texts from the embeddings endpoint of an OpenAI-compatible server."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core.llm.client import Client, Endpoint
from core.progress import OnProgress, Progress

__all__ = ["embed"]

_BATCH = 64


def embed(
    texts: Sequence[str], model: str, endpoint: Endpoint, on_progress: OnProgress | None = None
) -> list[list[float]]:
    """One vector a text, in their order.

    Raises:
        EndpointError: no answer, after the retries.
        RefusedError: the endpoint refuses key, model or path.
    """
    return asyncio.run(_embed(texts, model, endpoint, on_progress))


async def _embed(
    texts: Sequence[str], model: str, endpoint: Endpoint, on_progress: OnProgress | None
) -> list[list[float]]:
    found: list[list[float]] = []
    async with Client(endpoint) as client:
        for start in range(0, len(texts), _BATCH):
            found += await client.embed(model, texts[start : start + _BATCH])
            if on_progress is not None:
                on_progress(Progress(f"embedding with {model}", len(found), len(texts), "texts"))
    return found

"""One request to an OpenAI-compatible endpoint, retried where that can help, refused clearly where not.

Chat goes to `/chat/completions`. Reward models behind vLLM have `/classify`, `/score` and `/pooling`
beside `/v1`. The `openai` package does the transport: connections, time-outs, and retries of 408, 409,
429, 5xx and lost connections with exponential backoff, jitter and Retry-After. Answers that are no
whole answer (broken JSON, no choices) are asked for again here. It is imported with the first client,
for it takes half a second, and most that imports this module asks no endpoint.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_exponential_jitter

from core.errors import InputError, TouchstoneError
from core.llm.asks import Ask, Method
from core.llm.prompts import Message

if TYPE_CHECKING:
    from openai import OpenAIError

__all__ = ["KEY_VARIABLES", "Answer", "Client", "Endpoint", "EndpointError", "RefusedError"]

KEY_VARIABLES = ("TOUCHSTONE_API_KEY", "OPENAI_API_KEY")
"""Where the key is looked for, in this order."""
REMOVED = "[key removed]"
_NO_KEY = "none"  # servers without keys still want the header
_SHORTEST_SECRET = 8
_MALFORMED_TRIES = 3
_LONGEST_REASON = 600


class EndpointError(TouchstoneError):
    """One request failed for good; others may do better."""


class RefusedError(InputError):
    """The endpoint refuses every request of this kind: wrong key, model or address, or no credit."""


class _MalformedError(Exception):
    """An answer that is no whole answer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to ask.

    Attributes:
        base_url: up to and with `/v1`; None for OpenAI's own (or what OPENAI_BASE_URL says).
        api_key: never shown and never written; None takes it from the environment.
        timeout: seconds without a byte before a request counts as lost.
        retries: further tries of a request that failed in passing.
    """

    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout: float = 600.0
    retries: int = 6

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url or "http://x")
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise InputError(f"{self.base_url!r}: expected a base URL such as http://localhost:8000/v1")
        if "@" in parts.netloc or parts.query:
            raise InputError(
                "the base URL holds a password or a query; leave them out and give the key in "
                f"{' or '.join(KEY_VARIABLES)}"
            )

    def secret(self) -> str:
        """The key; "" if there is none.

        Raises:
            InputError: it can't be a key; the message doesn't show it.
        """
        named = [os.environ.get(variable, "") for variable in KEY_VARIABLES]
        key = (self.api_key or next(filter(None, named), "")).strip()
        if not key.isascii() or not key.isprintable():
            raise InputError("the API key has characters that no key has; was it pasted whole, and alone?")
        return key


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one request.

    Attributes:
        text: the content as it came; of a reward endpoint the JSON of its `data`.
        reasoning: what the endpoint gave as reasoning, apart from the text.
        finish_reason: as the endpoint says; "" if it says nothing.
        model: the model that says it answered.
        usage: the endpoint's counts of tokens, as they came.
        seconds: from the request to the answer, tries and waiting included.
    """

    text: str
    reasoning: str = ""
    finish_reason: str = ""
    model: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


class Client:
    """A session with an endpoint; use as an async context manager."""

    def __init__(self, endpoint: Endpoint) -> None:
        import openai

        self._endpoint = endpoint
        self._key = endpoint.secret()
        self._openai = openai.AsyncOpenAI(
            api_key=self._key or _NO_KEY,
            base_url=endpoint.base_url,
            timeout=endpoint.timeout,
            max_retries=endpoint.retries,
        )
        self.base_url = str(self._openai.base_url).rstrip("/")
        self._root = self.base_url.removesuffix("/v1") + "/"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._openai.close()

    def without_key(self, text: str) -> str:
        """The text with the key taken out, should an endpoint have said it back."""
        return text.replace(self._key, REMOVED) if len(self._key) >= _SHORTEST_SECRET else text

    async def ask(self, ask: Ask) -> Answer:
        """One answer.

        Raises:
            EndpointError: no answer, after the retries.
            RefusedError: the endpoint refuses key, model or path.
        """
        from openai import OpenAIError

        started = time.monotonic()
        path, body = _request(ask)
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_MalformedError),
            stop=stop_after_attempt(min(_MALFORMED_TRIES, self._endpoint.retries + 1)),
            wait=wait_exponential_jitter(multiplier=0.5, max=8, jitter=0.5),
            reraise=True,
        )
        try:
            answer: dict[str, Any] = await retrying(self._once, path, body, ask.generation.is_chat)
        except _MalformedError as error:
            raise EndpointError(self.without_key(f"the endpoint's answer {error}")) from None
        except OpenAIError as error:
            raise self._explained(error) from None
        return Answer(**{**answer, "seconds": round(time.monotonic() - started, 3)})

    async def embed(self, model: str, texts: Sequence[str]) -> list[list[float]]:
        """One vector a text, in their order; errors as for `ask`."""
        from openai import OpenAIError

        body = {"model": model, "input": list(texts), "encoding_format": "float"}
        try:
            text = await self._openai.post("embeddings", body=body, cast_to=str)
        except OpenAIError as error:
            raise self._explained(error) from None
        try:
            rows = sorted(json.loads(text)["data"], key=lambda row: int(row["index"]))
            vectors = [[float(number) for number in row["embedding"]] for row in rows]
        except (ValueError, LookupError, TypeError):
            raise EndpointError(
                f"{self.base_url}: sent no vectors: {self.without_key(_cut(text))!r}"
            ) from None
        if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) > 1:
            raise EndpointError(f"{self.base_url}: sent {len(vectors)} vectors for {len(texts)} texts")
        return vectors

    async def _once(self, path: str, body: dict[str, Any], is_chat: bool) -> dict[str, Any]:
        client = self._openai if is_chat else self._openai.with_options(base_url=self._root)
        text = await client.post(path, body=body, cast_to=str)
        try:
            reply = json.loads(text)
        except ValueError:
            raise _MalformedError(f"is no JSON: {_cut(text)!r}") from None
        if not isinstance(reply, dict):
            raise _MalformedError(f"is no JSON object: {_cut(text)!r}")
        return _chat_answer(reply, text) if is_chat else _data_answer(reply, text)

    def _explained(self, error: OpenAIError) -> TouchstoneError:
        """What to tell the user, without the key."""
        import openai

        said = self.without_key(_cut(str(error), _LONGEST_REASON))
        where = self.base_url
        tries = self._endpoint.retries + 1
        if isinstance(error, openai.APITimeoutError):
            seconds = f"{self._endpoint.timeout:g}"
            return EndpointError(f"{where}: no answer within {seconds} s, {tries} times; raise --timeout")
        if isinstance(error, openai.APIConnectionError):
            cause = self.without_key(str(error.__cause__ or error))
            named = "is it running?" if self._endpoint.base_url else "--base-url names another endpoint"
            return EndpointError(f"{where}: no connection after {tries} tries ({cause}); {named}")
        if not isinstance(error, openai.APIStatusError):
            return EndpointError(f"{where}: {said}")
        status = error.status_code
        if status in {401, 403}:
            found = "this key" if self._key else "requests without a key"
            return RefusedError(
                f"{where}: refuses {found} ({status}); give a valid one in {' or '.join(KEY_VARIABLES)}. "
                f"It says: {said}"
            )
        if status == 404:
            return RefusedError(
                f"{where}: has no such model or path (404); check --model and --base-url "
                f"(most end in /v1). It says: {said}"
            )
        if error.code == "insufficient_quota":
            return RefusedError(f"{where}: the account has no credit left. It says: {said}")
        if status == 429:
            return EndpointError(f"{where}: too many requests, {tries} times; lower --concurrency. {said}")
        if status >= 500:
            return EndpointError(f"{where}: its own error, {tries} times. {said}")
        return EndpointError(f"{where}: refuses this request. {said}")


def _request(ask: Ask) -> tuple[str, dict[str, Any]]:
    """Path and body."""
    generation = ask.generation
    messages = ask.messages()
    body: dict[str, Any] = {"model": generation.model}
    if generation.is_chat:
        body["messages"] = messages
        for name in ("temperature", "top_p", "max_tokens"):
            if getattr(generation, name) is not None:
                body[name] = getattr(generation, name)
        if generation.seed is not None:
            body["seed"] = generation.seed + ask.sample
    elif generation.method is Method.SCORE:
        body["text_1"], body["text_2"] = _pair(messages)
    else:
        body["messages"] = messages
    return ("chat/completions" if generation.is_chat else generation.method.value), body | dict(
        generation.extra
    )


def _pair(messages: Sequence[Message]) -> tuple[str, str]:
    """What the solution is for, and the solution: all messages but the last, and the last."""
    return "\n\n".join(message["content"] for message in messages[:-1]), messages[-1]["content"]


def _chat_answer(reply: dict[str, Any], text: str) -> dict[str, Any]:
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        content = message.get("content")
        reasoning = message.get("reasoning_content") or message.get("reasoning")
    except (LookupError, TypeError, AttributeError):
        raise _MalformedError(f"has no choices: {_cut(text)!r}") from None
    if isinstance(content, list):  # some give the text in parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return {
        "text": content if isinstance(content, str) else "",
        "reasoning": reasoning if isinstance(reasoning, str) else "",
        "finish_reason": str(choice.get("finish_reason") or ""),
        **_about(reply),
    }


def _data_answer(reply: dict[str, Any], text: str) -> dict[str, Any]:
    if not isinstance(reply.get("data"), list) or not reply["data"]:
        raise _MalformedError(f"has no data: {_cut(text)!r}")
    return {"text": json.dumps(reply["data"]), **_about(reply)}


def _about(reply: dict[str, Any]) -> dict[str, Any]:
    usage = reply.get("usage")
    return {"model": str(reply.get("model") or ""), "usage": usage if isinstance(usage, dict) else {}}


def _cut(text: str, length: int = 200) -> str:
    return text if len(text) <= length else text[:length] + "..."

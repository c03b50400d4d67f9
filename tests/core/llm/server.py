"""A real HTTP server that speaks the API of OpenAI and of vLLM, and misbehaves when it is told to.

python -m tests.core.llm.server PORT    answers, with every fault now and then, until it is ended
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Json = dict[str, Any]
ASSERTIONS = (
    "<think>Two will do.</think>\n"
    "<assertion>assert double(1) == 2</assertion>\n<assertion>assert double(0) == 0</assertion>"
)
STATUS = {"429": 429, "quota": 429, "500": 500, "503": 503, "400": 400, "401": 401, "403": 403, "404": 404}
PASSING = ("429", "500", "503", "hang", "drop", "cut", "malformed", "no_choices", "html")


def chat(text: str | None, **rest: Any) -> Json:
    """An answer of /chat/completions."""
    finish = rest.pop("finish_reason", "stop")
    message = {"role": "assistant", "content": text, **rest}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion", "model": "served", "choices": [choice], "usage": usage}


class Server:
    """Use as a context manager.

    Attributes:
        fault: the number of a request and its body -> the name of what goes wrong, or None.
        reply: path and body of a request -> the answer's JSON.
        key: the only key that is let in; None lets in everyone.
        gate: cleared, requests wait until it is set.
        seen: (path, body, headers) of every request.
        answered: how many got a whole answer.
        early: requests that came before the time that Retry-After had asked for.
    """

    def __init__(self, port: int = 0) -> None:
        self.fault: Callable[[int, Json], str | None] = lambda number, body: None
        self.reply: Callable[[str, Json], Json] = lambda path, body: chat(ASSERTIONS)
        self.key: str | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.hang_seconds = 30.0
        self.retry_after = "1"
        self.seen: list[tuple[str, Json, dict[str, str]]] = []
        self.answered = 0
        self.early = 0
        self._not_before = 0.0
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._http.daemon_threads = True
        self._http.block_on_close = False

    @property
    def base_url(self) -> str:
        """With /v1."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def bodies(self) -> list[Json]:
        """The body of every request."""
        return [body for _, body, _ in self.seen]

    def __enter__(self) -> Self:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self.gate.set()
        self._http.shutdown()
        self._http.server_close()

    def wait_for(self, done: Callable[[], bool]) -> None:
        """Wait until something is the case; fail after a minute."""
        deadline = time.monotonic() + 60
        while not done():
            assert time.monotonic() < deadline, "waited a minute in vain"
            time.sleep(0.02)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with server._lock:
                    server.seen.append((self.path, body, {k.lower(): v for k, v in self.headers.items()}))
                    number = len(server.seen)
                    server.early += time.monotonic() < server._not_before
                given = self.headers.get("authorization", "").removeprefix("Bearer ")
                if server.key is not None and given != server.key:
                    said = {"error": {"message": f"Incorrect API key provided: {given}", "code": "invalid"}}
                    self._send(401, json.dumps(said).encode())
                    return
                fault = server.fault(number, body)
                if fault is None:
                    server.gate.wait()
                    self._send(200, json.dumps(server.reply(self.path, body)).encode(), whole=True)
                else:
                    self._misbehave(fault)

            def _misbehave(self, fault: str) -> None:
                if fault in STATUS:
                    code = "insufficient_quota" if fault == "quota" else fault
                    said = {"error": {"message": f"made to fail with {fault}", "code": code}}
                    headers = {"retry-after": server.retry_after} if fault == "429" else {}
                    if headers:
                        server._not_before = time.monotonic() + float(server.retry_after)
                    self._send(STATUS[fault], json.dumps(said).encode(), headers)
                elif fault == "hang":
                    server._closing.wait(server.hang_seconds)
                    self._drop()
                elif fault == "drop":
                    self._drop()
                elif fault == "cut":
                    self._send(200, b'{"choices": [{"mess', {"content-length": "5000"})
                    self._drop()
                else:
                    said_bytes = {"malformed": b'{"choices": [', "html": b"<html>Bad gateway</html>"}
                    self._send(200, said_bytes.get(fault, b'{"choices": []}'))

            def _send(
                self, status: int, data: bytes, headers: dict[str, str] | None = None, *, whole: bool = False
            ) -> None:
                self.send_response(status)
                sent = {
                    "content-type": "application/json",
                    "content-length": str(len(data)),
                    **(headers or {}),
                }
                for name, value in sent.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(data)
                    self.wfile.flush()
                except OSError:
                    self.close_connection = True
                    return
                with server._lock:
                    server.answered += whole

            def _drop(self) -> None:
                self.close_connection = True
                with contextlib.suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)

            def log_message(self, *args: object) -> None:
                """Say nothing."""

        return Handler


def main() -> None:
    """Serve until ended: every third request goes wrong, each time in another way."""
    with Server(int(sys.argv[1])) as server:
        server.hang_seconds = 5.0
        server.fault = lambda number, body: None if number % 3 else PASSING[number // 3 % len(PASSING)]
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()

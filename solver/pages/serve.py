"""A small web server for this computer alone: a page, and answers to its questions.

It listens on the loopback address. A request must name this server as its host, and if it comes
from a page, from this one: so neither another site nor a name that was bent to this address gets
an answer. Requests are small, each has a time limit, and one is answered at a time.
"""

from __future__ import annotations

import json
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from solver.formats.inputs import parse_json
from solver.game.errors import InputError
from solver.game.result import Limits
from solver.pages.page import page_html
from solver.pages.trial import trial
from solver.reading.specs import Asked, Suits

__all__ = ["ADDRESS", "Server"]

ADDRESS = "127.0.0.1"
LARGEST = 20_000
"""Bytes in a question: a spec and 400 moves have less."""

SECONDS = 10.0
"""For reading a request, and for waiting until it is this one's turn."""

LIMITS = Limits(nodes=2_000_000, seconds=3.0)
"""For an answer."""

MOST_CONNECTIONS = 16


class Server(ThreadingHTTPServer):
    """The server; ``serve_forever`` runs it.

    Parameters
    ----------
    port
        Where to listen, 0 for any free port.
    spec
        The deal that the page shows first.
    players, variant
        For deals that do not say it themselves; with `Asked` the house rules for all.

    Raises
    ------
    InputError
        If it cannot listen there.
    """

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(
        self,
        port: int,
        spec: str,
        limits: Limits = LIMITS,
        players: int | None = None,
        variant: Suits | Asked = None,
    ) -> None:
        self.limits = limits
        self.players, self.variant = players, variant
        self.turn = threading.Lock()
        self._room = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self.page = page_html(
            "Hanabi with all cards known", "serve.html", ["board.js", "serve.js"], {"spec": spec},
            connect="'self'",
        ).encode()  # fmt: skip
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            raise InputError(f"port {port}: cannot listen there: {error.strerror}") from None
        except OverflowError:
            raise InputError(f"port is {port}, not 0 to 65535") from None
        self.hosts = {f"{name}:{self.server_port}" for name in (ADDRESS, "localhost")}

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, while there are not too many."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and make room again."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Leave a connection that broke: nobody is there to be told."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version = "hanabi"
    sys_version = ""
    timeout = SECONDS

    def do_GET(self) -> None:
        if not self._is_ours():
            return
        if self.path == "/":
            self._send(HTTPStatus.OK, self.server.page, "text/html; charset=utf-8")
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "there is only one page, at /")

    def do_POST(self) -> None:
        if not self._is_ours():
            return
        if self.path != "/api/position":
            self._refuse(HTTPStatus.NOT_FOUND, "questions go to /api/position")
            return
        if self.headers.get_content_type() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question is application/json")
            return
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "a question says how long it is")
            return
        if int(length) > LARGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                         f"a question has at most {LARGEST:,} bytes")  # fmt: skip
            return
        try:
            answer = self._answer(self.rfile.read(int(length)))
        except InputError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
            return
        if answer is None:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "another question takes its time")
        else:
            self._send_json(HTTPStatus.OK, answer)

    def _answer(self, body: bytes) -> dict[str, Any] | None:
        """Answer a question; None if others took too long before it."""
        question = parse_json(body)
        if not isinstance(question, dict):
            raise InputError("a question is a JSON object with spec and moves")
        if not self.server.turn.acquire(timeout=SECONDS):
            return None
        try:
            server = self.server
            return trial(question.get("spec"), question.get("moves"), server.limits,
                         server.players, server.variant)  # fmt: skip
        finally:
            self.server.turn.release()

    def _is_ours(self) -> bool:
        """Whether a request is meant for this server, and not made by another site's page."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        if host not in self.server.hosts:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "this is another host")
        elif origin is not None and origin not in {f"http://{name}" for name in self.server.hosts}:
            self._refuse(HTTPStatus.FORBIDDEN, "this question comes from another site")
        else:
            return True
        return False

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True
        self._send_json(status, {"error": why})

    def _send_json(self, status: HTTPStatus, answer: dict[str, Any]) -> None:
        text = json.dumps(answer, separators=(",", ":"))
        self._send(status, text.encode(), "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind), ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):  # fmt: skip
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: standard error is for what is wrong."""

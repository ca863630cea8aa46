"""Executors for surveys: this process, other processes, or a Dask cluster."""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from solver.game.errors import InputError, MissingExtraError

__all__ = ["cluster", "here", "processes"]

PATIENCE = 10.0
"""Seconds until a scheduler counts as not there."""

P = ParamSpec("P")
T = TypeVar("T")


class _Here(Executor):
    """Does everything at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class _Processes(ProcessPoolExecutor):
    """Processes that Ctrl-C does not reach: it is for the one that started them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # A process inherits what is blocked when it is started, which is here.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(fn, *args, **kwargs)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def here() -> Iterator[Executor]:
    """Give an executor that does everything at once, in this process."""
    yield _Here()


@contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """Give an executor of so many processes, which end when this one does, however it ends."""
    context = get_context("spawn")
    watched, leash = context.Pipe(duplex=False)
    executor = _Processes(jobs, context, _tie, (watched,))
    try:
        yield executor
    finally:
        # Without its other end the processes end at once, whatever they are doing.
        leash.close()
        executor.shutdown(wait=False, cancel_futures=True)
        watched.close()


def _tie(watched: Connection) -> None:
    """End this process when the other end of the pipe is closed; only the parent holds it."""

    def watch() -> None:
        try:
            watched.poll(None)
        finally:
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Give an executor of a Dask cluster.

    Parameters
    ----------
    address
        That of its scheduler, such as ``tcp://10.0.0.1:8786``. The workers need this package.

    Raises
    ------
    InputError
        If Dask is not installed, the address is none, or there is no scheduler there.
    """
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("--cluster", "cluster") from None
    if not re.fullmatch(r"[a-z]+://\S+|[^\s/]+:[0-9]{1,5}", address):
        raise InputError(f"{address!r} is no address of a scheduler, such as tcp://10.0.0.1:8786")
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{address}: there is no scheduler of Dask: {error}") from None
    try:
        yield _Cluster(client)
    finally:
        client.close(timeout=2)


class _Cluster(Executor):
    """A client's executor whose failures are those of an executor."""

    def __init__(self, client: Any) -> None:
        self._executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            inner = self._executor.submit(fn, *args, **kwargs)
        except Exception as error:
            raise BrokenExecutor(str(error)) from error
        outer: Future[T] = Future()

        def pass_on(done: Future[T]) -> None:
            if done.cancelled():
                outer.set_exception(BrokenExecutor("the cluster gave the work up"))
                return
            error = done.exception()
            if error is None:
                outer.set_result(done.result())
            elif type(error).__module__.startswith("distributed"):
                outer.set_exception(BrokenExecutor(str(error)))
            else:
                outer.set_exception(error)

        inner.add_done_callback(pass_on)
        return outer

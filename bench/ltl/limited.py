"""Calls of Spot with a time limit.

A call of Spot cannot be interrupted from Python, so it runs in a process of its own that is ended when it is late.
The process is kept between calls; only a late one is replaced.
"""

import multiprocessing
import time


def serve(pipe, functions):
    """Answers calls until the pipe is closed: (name, arguments) gives (True, result) or (False, message)."""
    import spot
    spot.translate("G(a -> F b) & (c U d)")  # The first translation loads tables: not measured.
    while True:
        try:
            name, arguments = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send((True, functions[name](*arguments)))
        except (RuntimeError, MemoryError) as e:
            pipe.send((False, str(e).split("\n")[0] or type(e).__name__))


class Failed(Exception):
    """A call that was late, that died, or that Spot refused."""


class Limited:
    """Functions by name, each call with at most `limit` seconds of wall-clock time."""

    def __init__(self, limit, **functions):
        self.limit, self.functions = limit, functions
        self.start()

    def start(self):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(other, self.functions), daemon=True)
        self.process.start()
        other.close()

    def call(self, name, *arguments, limit=None):
        limit = limit or self.limit
        self.pipe.send((name, arguments))
        start = time.monotonic()
        if not self.pipe.poll(limit):
            self.process.kill()
            self.process.join()
            self.start()
            raise Failed("no answer in %d s" % limit)
        try:
            fine, result = self.pipe.recv()
        except EOFError:
            self.process.join()
            self.start()
            raise Failed("its process died after %.0f s" % (time.monotonic() - start))
        if not fine:
            raise Failed(result)
        return result

"""Calls of Spot with a time limit.

A call of Spot cannot be interrupted from Python, so it runs in a process of its own that is ended when it is late.
The process is kept between calls; only a late one is replaced.
"""

import multiprocessing
import os


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


def used(pid):
    """CPU seconds that a process has used: other work on the machine does not count."""
    try:
        with open("/proc/%d/stat" % pid) as stat:
            fields = stat.read().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A call that was late, that died, or that Spot refused."""


class Limited:
    """Functions by name, each call with at most `limit` seconds of CPU time."""

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
        start = used(self.process.pid)
        while not self.pipe.poll(0.2):
            if self.process.is_alive() and used(self.process.pid) - start > limit:
                self.process.kill()
                self.process.join()
                self.start()
                raise Failed("no answer in %d s" % limit)
        try:
            fine, result = self.pipe.recv()
        except EOFError:
            self.process.join()
            self.start()
            raise Failed("its process died")
        if not fine:
            raise Failed(result)
        return result

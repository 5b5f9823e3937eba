"""Runs one program of a suite, with a limit to its time."""
import os
import signal
import subprocess
import sys
import time


class Ended:
    """What a program did: its status (None: it took too long), what it printed, seconds of wall-clock time."""

    def __init__(self, status, text, seconds):
        self.status, self.text, self.seconds = status, text, seconds

    def why(self, limit):
        """What went wrong, in a few words; empty if nothing did."""
        if self.status == 0:
            return ""
        if self.status is None:
            return f"took longer than {limit} s"
        said = [line for line in self.text.splitlines() if line.strip()]
        how = f"status {self.status}" if self.status > 0 else signal.Signals(-self.status).name
        return f"{how}: {said[-1].strip()[:160]}" if said else how


def run(words, limit, cwd=None):
    begin = time.monotonic()
    with subprocess.Popen([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          cwd=cwd, start_new_session=True) as p:
        try:
            out, status = p.communicate(timeout=limit)[0], p.returncode
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            out, status = p.communicate()[0], None
    return Ended(status, out.decode(errors="replace"), time.monotonic() - begin)


def measuring(name):
    """Somebody who waits sees how far it is."""
    if sys.stderr.isatty():
        print(f"measuring {name}", file=sys.stderr, flush=True)

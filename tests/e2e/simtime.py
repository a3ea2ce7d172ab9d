"""A daemon that lives in a time of the test's making (builds with the option `faults`): the clock stands until it is moved."""
import contextlib
import datetime as dt
import os
import signal
import sqlite3
import struct
import tempfile
import time

from wire import Daemon, deadline

SECOND, MINUTE, HOUR, DAY = 1000, 60000, 3600000, 86400000


def ms(text):
    """"2026-03-29T01:00:00Z" in ms since 1970."""
    return round(dt.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def text(at):
    """The same back, as the server writes it."""
    whole = dt.datetime.fromtimestamp(at // 1000, dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return whole + (".%03dZ" % (at % 1000) if at % 1000 else "Z")


class SimDaemon(Daemon):
    def __init__(self, binary, start, config="", env=None, folder=None):
        folder = folder or tempfile.mkdtemp(prefix="vedette-")
        self.clock_path = os.path.join(folder, "clock")
        with open(self.clock_path, "wb") as file:
            file.write(struct.pack("<q", start))
        self.now = start
        super().__init__(binary, folder, config, {**(env or {}), "VEDETTE_CLOCK": self.clock_path})

    def set(self, at):
        """It is that time from now on; nobody is told."""
        assert at >= self.now, (text(at), text(self.now))
        with open(self.clock_path, "r+b") as file:
            file.write(struct.pack("<q", at))
        self.now = at

    def move(self, at, client=None, *matches):
        """The same, and the daemon looks; with a client and matches: until nothing in those is due any more."""
        self.set(at)
        self.process.send_signal(signal.SIGUSR2)
        for match in matches:
            self.settle(client, match)

    def beat(self):
        """The daemon has noted that it was alive at this time."""
        self.process.send_signal(signal.SIGUSR2)
        goes_on = deadline(60)
        with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % self.database, uri=True)) as database:
            while database.execute("SELECT at FROM heartbeat").fetchall() != [(self.now,)]:
                assert goes_on(), "no heartbeat"
                time.sleep(0.01)  # nothing else tells

    def settle(self, client, match):
        """What is due by now in the match has happened, and is stored."""
        seq = client.call("match.get", match=match)["seq"]
        guard = deadline(60)
        while guard():
            clock = client.call("match.clock", match=match)
            due = [s["deadline"] for s in clock["seats"].values() if "deadline" in s and ms(s["deadline"]) <= self.now]
            if not due:
                return clock
            seq = client.call("match.wait", match=match, after=seq, timeout_s=1)["seq"]
        raise AssertionError("still due at %s: %s" % (text(self.now), clock))

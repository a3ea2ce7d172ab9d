#!/usr/bin/env python3
"""A line that is cut while it shakes hands: the terminal client and its bots try again by themselves.

handshake.py --daemon VEDETTED --client VEDETTE. A relay stands before the daemon; the connections it is told to cut it takes,
hears the request, and ends without a word. Ends with "N passed, N failed".
"""
import argparse
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

from wire import Client, Daemon, deadline, register

PASSWORD = "correct horse battery"
PATIENCE_S = 120


class Relay:
    """Carries connections to the daemon; cuts the next `cut` of them at their first words."""

    def __init__(self, port):
        self.port_behind, self.cut, self.kind, self.lock = port, 0, 0, threading.Lock()
        self.cuts_done = threading.Semaphore(0)
        self.open = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                cut, self.cut = self.cut > 0, max(0, self.cut - 1)
            threading.Thread(target=self._cut if cut else self._carry, args=(here,), daemon=True).start()

    def _cut(self, here):
        """In turn: after the request, before it, by a reset, and with half an answer."""
        with self.lock:
            self.kind, kind = self.kind + 1, self.kind % 4
        if kind in (0, 3):
            here.recv(4096)
        if kind == 2:
            here.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if kind == 3:
            here.sendall(b"HTTP/1.1 101 Switching")
        here.close()
        self.cuts_done.release()

    def _carry(self, here):
        there = socket.create_connection(("127.0.0.1", self.port_behind))
        with self.lock:
            self.open.append((here, there))
        for source, sink in ((here, there), (there, here)):
            threading.Thread(target=self._pass, args=(source, sink), daemon=True).start()

    @staticmethod
    def _pass(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def drop_all(self, cut):
        """Ends every connection; the next `cut` that come are cut at their first words."""
        with self.lock:
            self.cut = cut
            dropped, self.open = self.open, []
        for pair in dropped:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def close(self):
        self.listener.close()
        self.drop_all(0)


def run(client, relay, folder, *args):
    env = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder, VEDETTE_PASSWORD=PASSWORD)
    return subprocess.run([client, "--server", "http://127.0.0.1:%d" % relay.port, *args], env=env, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S)


def test_a_command(client, daemon, relay, folder):
    """`matches` whose handshake is cut ends at once and says so (status 3); the next one is answered."""
    register(daemon.port, "commander", PASSWORD)
    done = run(client, relay, folder, "login", "commander")
    assert done.returncode == 0, done.stderr
    relay.drop_all(cut=1)
    done = run(client, relay, folder, "matches")
    assert done.returncode in (0, 3), "status %d: %s" % (done.returncode, done.stderr)
    assert done.returncode == 0 or "no connection" in done.stderr, done.stderr
    assert relay.cuts_done.acquire(timeout=PATIENCE_S), "the handshake was never tried"
    done = run(client, relay, folder, "matches")
    assert done.returncode == 0, done.stderr


def test_a_bot(client, daemon, relay, folder):
    """A bot whose line is cut, and then four handshakes: it comes back and plays."""
    person = register(daemon.port, "person", PASSWORD)
    register(daemon.port, "robot", PASSWORD)
    done = run(client, relay, folder, "login", "robot")
    assert done.returncode == 0, done.stderr
    env = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
    with subprocess.Popen([client, "--server", "http://127.0.0.1:%d" % relay.port, "--account", "robot", "bot", "--any",
                           "--policy", "random"], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as bot:
        try:
            seat = Client(daemon.port, person)
            first = seat.call("match.create", game="waterloo", seat="FR")["match"]
            until_it_acts(seat, first)
            relay.drop_all(cut=4)
            for _ in range(4):
                assert relay.cuts_done.acquire(timeout=PATIENCE_S), "the bot did not try again"
            second = seat.call("match.create", game="waterloo", seat="FR")["match"]
            until_it_acts(seat, second)
            seat.close()
        finally:
            bot.terminate()


def until_it_acts(seat, match):
    """Waits until the Allies, whom the bot plays, have set up."""
    within = deadline(PATIENCE_S)
    while seat.call("match.get", match=match)["state"] == "open":
        seat.push("match.changed")
    seq = seat.call("match.view", match=match)["seq"]
    while seat.call("match.view", match=match)["state"] == "SETUP_ALLIED":
        assert within(), "the bot did not play in %s" % match
        seq = max(seq, seat.call("match.wait", match=match, after=seq, timeout_s=10)["seq"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--client", required=True)
    args = parser.parse_args()
    passed = failed = 0
    for test in (test_a_command, test_a_bot):
        daemon = Daemon(args.daemon, config="[limits]\nrates = off\n").start()
        relay = Relay(daemon.port)
        try:
            with tempfile.TemporaryDirectory(prefix="vedette-") as folder:
                test(args.client, daemon, relay, folder)
            passed += 1
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print("%s: %s: %s" % (test.__name__, type(error).__name__, error))
        relay.close()
        daemon.stop()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""A line that is cut at every message: a proxy that lets so many messages pass and then ends the connection, before or
after one of either side; and a seat that plays through it, comes back by its seq and loses nothing.

Imported by reports.py (BR-09) and sends.py.
"""
import random
import select
import socket
import struct
import threading

from wire import Client, Gone, Refused, new_match, pick, register

# Where a connection ends, counted in messages: of the server before it arrives, of the client before it arrives, of the
# client after it arrived (its answer is lost).
KINDS = ("server", "client", "answer")


def frames(buffer):
    """Whole WebSocket frames at the beginning of the buffer: (list of frames, rest)."""
    found = []
    while len(buffer) >= 2:
        length, at = buffer[1] & 127, 2
        if length == 126:
            if len(buffer) < 4:
                break
            length, at = struct.unpack(">H", buffer[2:4])[0], 4
        elif length == 127:
            if len(buffer) < 10:
                break
            length, at = struct.unpack(">Q", buffer[2:10])[0], 10
        at += 4 if buffer[1] & 128 else 0
        if len(buffer) < at + length:
            break
        found.append(buffer[:at + length])
        buffer = buffer[at + length:]
    return found, buffer


class Proxy:
    """Listens on a port of its own; each connection ends by the next of the plans, (kind, count), over and over until
    none are left."""

    def __init__(self, port, plans, cuts_max=None):
        self.port_there = port
        self.plans = list(plans)
        self.cuts_max = cuts_max
        self.cuts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.closed = True
        self.listener.close()

    def _accept(self):
        while not self.closed:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            plan = None
            if self.plans and (self.cuts_max is None or self.cuts < self.cuts_max):
                plan = self.plans.pop(0)
                self.plans.append(plan)
            threading.Thread(target=self._carry, args=(here, plan), daemon=True).start()

    def _carry(self, here, plan):
        try:
            there = socket.create_connection(("127.0.0.1", self.port_there))
        except OSError:
            here.close()
            return
        ends = {here: (there, "client"), there: (here, "server")}
        buffers = {here: b"", there: b""}
        shaken, counts = {here: False, there: False}, {"client": 0, "server": 0}
        try:
            while True:
                for link in select.select([here, there], [], [])[0]:
                    data = link.recv(1 << 16)
                    if not data:
                        return
                    other, side = ends[link]
                    buffers[link] += data
                    if not shaken[link]:
                        if b"\r\n\r\n" not in buffers[link]:
                            continue
                        head, buffers[link] = buffers[link].split(b"\r\n\r\n", 1)
                        other.sendall(head + b"\r\n\r\n")
                        shaken[link] = True
                    whole, buffers[link] = frames(buffers[link])
                    for frame in whole:
                        if not self._pass(frame, other, side, counts, plan, there):
                            return
        except OSError:
            pass
        finally:
            here.close()
            there.close()

    def _pass(self, frame, other, side, counts, plan, there):
        counts[side] += 1 if frame[0] & 15 == 1 else 0
        kind, at = plan or ("", 0)
        last = counts[side] == at and frame[0] & 15 == 1
        if last and (kind == side or kind == "answer" and side == "client"):
            self.cuts += 1
            if kind == "answer":
                other.sendall(frame)
                self._drain(there)
            return False
        other.sendall(frame)
        return True

    @staticmethod
    def _drain(there):
        """The server has taken the frame when it answers it; what it says goes nowhere."""
        there.settimeout(60)
        there.recv(1 << 16)


class Seat:
    """A player behind the proxy. Keeps what it was told, and holds every message against it."""

    def __init__(self, port, token, match, delta):
        self.port, self.token, self.match, self.delta = port, token, match, delta
        self.client, self.view, self.pending = None, None, None
        self.serial, self.heads, self.sends, self.problems = 0, {}, 0, []

    def told(self, seq, chain):
        if self.heads.setdefault(seq, chain) != chain:
            self.problems.append("seq %d has two heads" % seq)

    def connect(self):
        """Until it is back with the newest view and its action answered."""
        while True:
            try:
                self.client = Client(self.port, self.token)
                known = {} if self.view is None else {"seq": self.view["seq"]}
                answer = self.client.call("match.watch", match=self.match, delta=self.delta, **known)
                self.told(answer["seq"], answer["chain"])
                if self.view is not None and answer["seq"] < self.view["seq"]:
                    self.problems.append("it went back from %d to %d" % (self.view["seq"], answer["seq"]))
                if self.view is None or (answer["seq"] != self.view["seq"] and not answer.get("unchanged")):
                    while self.view is None or self.view["seq"] < answer["seq"]:
                        self.take()
                if self.pending is not None:
                    self.finish()
                return
            except Gone:
                continue

    def take(self):
        """Takes what has come, at least one message."""
        if not self.client.pushes:
            self.client.pump()
        for push in self.client.pushes:
            params = push["params"]
            if push["method"] == "match.view":
                self.view = params["view"]
            elif push["method"] == "match.delta":
                if params["from"] != self.view["seq"]:
                    self.problems.append("a delta from %d to who has %d" % (params["from"], self.view["seq"]))
                self.view = merge(self.view, params["patch"])
            else:
                continue
            self.told(self.view["seq"], self.view["chain"])
        self.client.pushes.clear()

    def finish(self):
        """Sends the action that was not answered, again with its id: done once, whatever became of the first time."""
        params = self.pending
        self.sends += 1
        try:
            answer = self.client.call("match.act", **params)
            if answer["seq"] <= params["seq"]:
                self.problems.append("seq %d from %d" % (answer["seq"], params["seq"]))
            self.told(answer["seq"], answer["chain"])
        except Refused as refused:
            if refused.kind != "stale_state":  # the other seat was told of something first
                self.problems.append("refused: %s" % refused)
        self.pending = None
        while self.view["seq"] < self.client.call("match.view", match=self.match, actions=False)["seq"]:
            self.take()

    def turn(self, rng):
        """Plays one action if it may. True: it did."""
        try:
            if self.client is None:
                self.connect()
            self.client.fence()
            self.take() if self.client.pushes else None
            if not self.view.get("actions"):
                return False
            self.serial += 1
            self.pending = {"match": self.match, "seq": self.view["seq"], "action": pick(self.view["actions"], rng),
                            "action_id": "cut-%s-%d" % (self.view["as"], self.serial)}
            self.finish()
        except Gone:
            self.connect()
        return True


def merge(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), value)
    return result


def run_cuts(daemon, seed, lines):
    """Plays so many actions while every connection ends at another message. What it found, as a sentence."""
    rng = random.Random(seed)
    tokens = [register(daemon.port, "cut-%d-%d" % (seed, i)) for i in range(2)]
    match = new_match(daemon.port, tokens, options={"turns": 24})
    plans = [(kind, at) for at in range(3, 11) for kind in KINDS]
    rng.shuffle(plans)
    proxies = [Proxy(daemon.port, plans), Proxy(daemon.port, plans[::-1])]
    seats = [Seat(proxy.port, token, match, delta) for proxy, token, delta in zip(proxies, tokens, (True, False))]
    for _ in range(lines * 20):
        if sum(seat.serial for seat in seats) >= lines and all(proxy.cuts >= len(plans) for proxy in proxies):
            break
        for seat in seats:
            seat.turn(rng)
            if seat.view["state"] == "GAME_OVER":
                break
    assert all(proxy.cuts >= 12 for proxy in proxies), "only %s cuts" % [proxy.cuts for proxy in proxies]
    for proxy in proxies:
        proxy.plans.clear()
    direct = [Client(daemon.port, token) for token in tokens]
    for seat, client in zip(seats, direct):
        view = client.call("match.view", match=match)
        if seat.view["seq"] != view["seq"]:
            seat.connect()
        assert not seat.problems, seat.problems[:5]
        held = {k: v for k, v in seat.view.items() if k != "events"}
        true = {k: v for k, v in view.items() if k != "events"}
        assert held == true, "the view that was put together differs"
        steps, start = {}, 0
        while start is not None:
            page = client.call("match.history", match=match, **{"from": start, "limit": 100})
            steps.update({s["seq"]: s["chain"] for s in page["steps"]})
            start = page.get("next")
        wrong = [seq for seq, chain in seat.heads.items() if steps.get(seq, chain) != chain]
        assert not wrong, "heads that are not of this chain: %s" % wrong
    if direct[0].call("match.get", match=match)["state"] == "running":
        direct[0].call("match.resign", match=match)
    record = [line for line in direct[0].call("match.record", match=match)["record"].splitlines()]
    acts = sum('"do":' in line and '"seat":' in line for line in record)
    assert acts <= sum(seat.serial for seat in seats), (acts, [seat.serial for seat in seats])
    cuts = sum(proxy.cuts for proxy in proxies)
    for proxy in proxies:
        proxy.close()
    return "%d actions over %d cut connections, %d sends, %d in the record" % (
        sum(s.serial for s in seats), cuts, sum(s.sends for s in seats), acts)

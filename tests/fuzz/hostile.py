#!/usr/bin/env python3
"""The terminal client as a process against a server that answers with garbage.

Commands are run one after another, each with what it asks answered well, nearly well or not at all. They may fail
with an exit status of their own (0 to 3), but must not crash. The seed is told; ends with "N passed, N failed".
"""
import argparse
import base64
import hashlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import CALLS, WORDS, frame, garbage_frames, garbage_http, garbage_text  # noqa: E402,F401

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MATCH = "abcdefghij"
COMMANDS = [["games"], ["games", "waterloo"], ["matches"], ["show", MATCH], ["history", MATCH],
            ["watch", MATCH], ["play", "--plain", MATCH], ["record", MATCH, "-o", "/dev/null"],
            ["act", MATCH, "end"], ["act", MATCH, "march", "FR-A", "hal"], ["say", MATCH, "x"], ["undo", MATCH],
            ["new", "waterloo"], ["join", MATCH], ["register", "Ney"], ["login", "Ney"],
            ["bot", "--once", "--policy", "waterloo"]]
LIVES_S = 4


def values():
    """A good view and what else a server says, from the first case files."""
    folder = os.path.join(TOP, "tests", "cases", "waterloo")
    for name in sorted(os.listdir(folder))[:30]:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            yield json.load(file)


def spoil(rng, value, parts, depth=0):
    """A value like that one, with other parts in it."""
    if rng.random() < 0.06:
        return rng.choice(parts)
    if isinstance(value, dict):
        return {k: spoil(rng, v, parts, depth + 1) for k, v in value.items() if rng.random() > 0.03}
    if isinstance(value, list):
        return [spoil(rng, v, parts, depth + 1) for v in value for _ in range(rng.choice([1, 1, 1, 1, 0, 2]))]
    return value


VIEW = {"match": MATCH, "game": "waterloo", "seq": 4, "as": "FR", "state": "MOVE", "to_act": ["FR"], "waits_for": ["FR"],
        "turn": {"slot": 2, "of": 24, "side": "FR", "night": False}, "prompt": {"id": "march"},
        "actions": [{"do": "end_movement"}], "events": [{"ev": "turn", "slot": 2, "side": "FR", "night": False}],
        "board": {"base": "real", "units": {"FR-A": {"town": "mons", "cv": 4, "marked_until": 0}},
                  "towns": {"mons": {"FR": 1}}, "battles": {}, "left": {"FR": 18}, "marches": []}}
PARTS = [None, True, 0, -1, 1e308, 2 ** 53, 0.5, "", "\x1b]0;x\x07", "x" * 5000, [], {}, [[]], {"": None}, "FR", "AL",
         "mons", "FR-A", VIEW, [VIEW] * 3, "\u202e", 10 ** 20]


def result_of(method):
    return {"account.register": {"account": {"name": "Ney"}, "token": "A" * 43},
            "account.login": {"account": {"name": "Ney"}, "token": "A" * 43},
            "account.resume": {"account": {"name": "Ney"}},
            "game.list": {"games": [{"game": "waterloo", "title": "Waterloo", "options": {}}]},
            "game.get": {"game": "waterloo", "title": "Waterloo", "board": "/games/waterloo/board.json", "options": {}},
            "match.list": {"matches": [{"match": MATCH, "game": "waterloo", "seq": 4, "state": "running", "seats": {}}]},
            "match.watch": {"seq": 4}, "match.view": VIEW, "match.create": {"match": MATCH, "seats": {}},
            "match.history": {"steps": [{"seq": 1, "events": VIEW["events"]}]},
            "match.record": {"record": "{}\n"}, "match.act": {"seq": 5}}.get(method, {})


class Server(threading.Thread):
    def __init__(self, rng):
        super().__init__(daemon=True)
        self.rng = rng
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.cases = list(values())

    def run(self):
        while True:
            try:
                client, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        try:
            with client:
                client.settimeout(LIVES_S)
                self.talk(client)
        except (OSError, ValueError, IndexError, struct_error):
            pass

    def talk(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            data = client.recv(65536)
            if not data:
                return
            head += data
        head, rest = head.split(b"\r\n\r\n", 1)
        if b"Sec-WebSocket-Key" not in head:
            body = json.dumps(spoil(self.rng, self.rng.choice(self.cases), PARTS)).encode()
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            return
        if self.rng.random() < 0.05:
            client.sendall(self.rng.randbytes(300))
            return
        key = head.split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        client.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       b"Sec-WebSocket-Accept: " + accept + b"\r\nSec-WebSocket-Protocol: vedette.v1\r\n\r\n")
        while True:
            text, rest = self.read_text(client, rest)
            self.answer(client, json.loads(text))

    @staticmethod
    def read_text(client, data):
        def need(n):
            nonlocal data
            while len(data) < n:
                more = client.recv(65536)
                if not more:
                    raise OSError
                data += more
        need(6)
        length, at = data[1] & 127, 2
        if length == 126:
            need(8)
            length, at = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            need(14)
            length, at = int.from_bytes(data[2:10], "big"), 10
        need(at + 4 + length)
        mask, body = data[at:at + 4], data[at + 4:at + 4 + length]
        text = bytes(b ^ mask[i & 3] for i, b in enumerate(body))
        opcode = data[0] & 15
        data = data[at + 4 + length:]
        return (text if opcode == 1 else b"{}"), data

    def answer(self, client, call):
        rng = self.rng
        result = result_of(call.get("method"))
        if rng.random() < 0.7:
            result = spoil(rng, result, PARTS)
        message = {"jsonrpc": "2.0", "id": call.get("id"), "result": result}
        if rng.random() < 0.1:
            message = {"jsonrpc": "2.0", "id": call.get("id"), "error": spoil(rng, {
                "code": -32010, "message": "No.", "data": {"kind": rng.choice(["closing", "forbidden", "illegal_action"]),
                                                           "rule": "W4.4", "retry_after_ms": 1}}, PARTS)}
        out = [json.dumps(message).encode()]
        for _ in range(rng.choice([0, 0, 1, 4])):
            view = spoil(rng, {**VIEW, "seq": rng.randrange(9)}, PARTS)
            push = rng.choice([("match.view", {"match": MATCH, "view": view}),
                               ("match.delta", {"match": MATCH, "from": rng.randrange(9), "patch": view}),
                               ("match.said", {"match": MATCH, "message": {"from": "AL", "text": rng.choice(PARTS)}}),
                               ("server.closing", {"back_in_s": rng.choice(PARTS)}), ("account.turn", view)])
            out.append(json.dumps({"jsonrpc": "2.0", "method": push[0], "params": push[1]}).encode())
        if rng.random() < 0.1:
            out.append(garbage_text(rng))
        if rng.random() < 0.05:
            at = rng.randrange(len(out[0]) + 1)
            out[0] = out[0][:at] + rng.choice(WORDS) + out[0][at:]
        client.sendall(b"".join(frame(1, text, masked=False) for text in out))
        if rng.random() < 0.03:
            client.sendall(garbage_frames(rng))


struct_error = __import__("struct").error


def run_command(binary, server, command, home, rng):
    env = {**os.environ, "XDG_CONFIG_HOME": home, "VEDETTE_PASSWORD": "waterloo 1815", "TERM": "xterm",
           "ASAN_OPTIONS": "detect_leaks=0:exitcode=99"}
    process = subprocess.Popen([binary, "--server=http://127.0.0.1:%d" % server.port, *command], env=env,
                               stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    typed = b"help\nmarch FR-A hal\nend\n1\nmap\nbattle\n" if rng.random() < 0.5 else b"quit\n"
    try:
        _, errors = process.communicate(typed, timeout=LIVES_S)
    except subprocess.TimeoutExpired:
        process.terminate()  # it waits for a better server, as it should
        _, errors = process.communicate()
        return process.returncode in (-15, 0, 1, 2, 3), errors
    return process.returncode in (0, 1, 2, 3), errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--client", required=True)
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("VEDETTE_FUZZ_SECONDS", "8")))
    parser.add_argument("--seed", type=int, default=int(os.environ.get("VEDETTE_FUZZ_SEED", time.time_ns() % 10 ** 9)))
    args = parser.parse_args()
    print("seed %d" % args.seed, flush=True)
    rng = random.Random(args.seed)
    server = Server(random.Random(args.seed + 1))
    server.start()
    end, passed, failed = time.monotonic() + args.seconds, 0, 0
    with tempfile.TemporaryDirectory() as home:
        run_command(args.client, server, ["register", "Ney"], home, rng)
        while time.monotonic() < end or passed < 3:
            command = rng.choice(COMMANDS)
            good, errors = run_command(args.client, server, command, home, rng)
            passed += good
            if not good:
                failed += 1
                print("%s\n%s" % (command, errors.decode(errors="replace")[-4000:]))
                if failed == 3:
                    break
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

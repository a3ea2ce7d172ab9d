#!/usr/bin/env python3
"""Garbage through sockets into a daemon as a process: HTTP, frames and messages of every wrong kind.

It must go on answering others, end cleanly, and with --messages not grow: resident memory after that many
garbage messages is compared with that after a warm-up. The seed is told; ends with "N passed, N failed".
"""
import argparse
import json
import os
import random
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "protocol"))
from vedette import Client, Closed, Daemon  # noqa: E402

GROWTH_KIB_MAX = 4096
MASK = b"\x12\x34\x56\x78"
CALLS = [
    ("server.hello", {"client": "fuzz"}), ("account.get", {}), ("account.resume", {"token": "A" * 43}),
    ("account.set", {"language": "en"}), ("account.profile", {"name": "Ney"}), ("account.tokens", {}),
    ("game.get", {"game": "waterloo"}), ("match.list", {"filter": "open", "limit": 3}),
    ("match.create", {"game": "waterloo", "options": {"players": 4}, "seat": "FR"}),
    ("match.get", {"match": "aaaaaaaaaa"}), ("match.watch", {"match": "aaaaaaaaaa", "delta": True}),
    ("match.act", {"match": "aaaaaaaaaa", "seq": 1, "action": {"do": "march", "marches": [
        {"unit": "FR-A", "path": ["ghent"], "forced": False}]}, "action_id": "0123456789abcdef"}),
    ("match.act", {"match": "aaaaaaaaaa", "actions": [{"do": "end_movement"}] * 50, "action_id": "b" * 16}),
    ("match.ask", {"match": "aaaaaaaaaa", "question": {"ask": "reach", "unit": "FR-A"}}),
    ("match.plan", {"match": "aaaaaaaaaa", "seq": 1, "actions": [{"do": "march", "marches": []}], "questions": [{"ask": "capacity"}]}),
    ("match.say", {"match": "aaaaaaaaaa", "channel": "table", "text": "\u00e9", "action_id": "c" * 16}),
    ("match.history", {"match": "aaaaaaaaaa", "from": 1, "limit": 10}), ("no.such", {}),
]
WORDS = [b"null", b"1e999", b"-0", b"\\u0000", b"\\ud800", b"\xff", b"\xc0\x80", b"[[[[[[[[", b"{\"a\":", b"\"",
         b"9223372036854775808", b"\x00", b"\x1b[2J", b"}", b"]", b",", b":" b"true", b"0.1", b"\xed\xa0\x80"]


def frame(opcode, payload, final=True, masked=True, reserved=0, length=None):
    n = len(payload) if length is None else length
    head = bytes([(0x80 if final else 0) | reserved | opcode])
    bit = 0x80 if masked else 0
    if n < 126:
        head += bytes([bit | n])
    elif n < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", n)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", n)
    if not masked:
        return head + payload
    key = (MASK * (len(payload) // 4 + 1))[:len(payload)]
    body = (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(len(payload), "big")
    return head + MASK + body


def garbage_text(rng):
    """A message that is JSON, nearly JSON or nothing at all."""
    name, params = rng.choice(CALLS)
    message = {"jsonrpc": "2.0", "id": rng.choice([1, "x", None, 2 ** 53, 1.5, [], {}]), "method": name,
               "params": params}
    kind = rng.randrange(12)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return b"[" * rng.randrange(1, 3000)
    if kind == 2:
        message = [message] * rng.randrange(0, 20)
    elif kind == 3:
        message["params"] = rng.choice([[], 1, "x", None, {"": None}, {"match": {"a": [1] * 100}}])
    elif kind == 4:
        key = rng.choice(list(params) or ["x"])
        message["params"] = {**params, key: rng.choice([-1, 10 ** 30, "", "z" * 300, [], {}, True, None, 0.5])}
    elif kind == 5:
        message["params"] = {**params, "unknown": 1}
    elif kind == 6:
        message.pop(rng.choice(["jsonrpc", "id", "method", "params"]))
    text = bytearray(json.dumps(message, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass"))
    if kind >= 8:
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text) + 1)
            text[at:at + rng.randrange(4)] = rng.choice(WORDS)
    return bytes(text)


def garbage_frames(rng):
    """Bytes on a WebSocket connection that was well begun."""
    text = garbage_text(rng)
    kind = rng.randrange(16)
    if kind == 0:
        return frame(rng.randrange(16), text[:125], rng.random() < 0.5, rng.random() < 0.5, rng.choice([0, 0x40, 0x70]))
    if kind == 1:
        return frame(1, text, masked=False)
    if kind == 2:
        return frame(1, text)[:rng.randrange(1, len(text) + 2)]  # half a frame
    if kind == 3:
        return frame(1, text, length=rng.choice([2 ** 63, 2 ** 64 - 1, 2 ** 31, 70000, 65537]))
    if kind == 4:  # a message in pieces, with control frames between
        parts = [text[i:i + 7] for i in range(0, len(text), 7)][:40] or [b""]
        out = b""
        for i, part in enumerate(parts):
            out += frame(1 if i == 0 else 0, part, final=i == len(parts) - 1)
            out += rng.choice([b"", frame(9, b"ping"), frame(10, b"pong"), frame(9, b"")])
        return out
    if kind == 5:
        return frame(0, text)  # a piece of nothing
    if kind == 6:
        return frame(2, text)  # binary
    if kind == 7:
        return frame(8, rng.choice([b"", b"\x03", struct.pack(">H", rng.randrange(65536)) + text[:100]]))
    if kind == 8:
        return frame(9, b"x" * 126)
    if kind == 9:
        return frame(1, b"[" + b"1," * rng.choice([32000, 32768, 40000]) + b"1]")
    if kind == 10:
        return rng.randbytes(rng.randrange(1, 400))
    return b"".join(frame(1, garbage_text(rng)) for _ in range(rng.randrange(1, 12)))


def garbage_http(rng):
    """Bytes for a connection that was not begun at all."""
    good = rng.choice([
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
        b"AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n"
        b"{\"jsonrpc\":\"2.0\"}   ",
        b"GET /games/waterloo/board.json HTTP/1.1\r\nHost: x\r\nRange: bytes=0-\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /metrics HTTP/1.0\r\n\r\n",
        b"GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n0\r\n\r\n",
        b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n{",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"])
    text = bytearray(good)
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(1, 500))
    if kind == 1:
        return bytes(text[:rng.randrange(1, len(text) + 1)])
    if kind == 2:
        return good[:-2] + b"X-Long: " + b"y" * rng.choice([100, 5000, 70000]) + b"\r\n\r\n"
    if kind == 3:
        return good * rng.randrange(2, 6)
    if kind == 4:
        for _ in range(rng.randrange(1, 6)):
            text[rng.randrange(len(text))] = rng.randrange(256)
    return bytes(text)


def read_some(sock):
    """What is there, without waiting for what may never come."""
    sock.setblocking(False)
    try:
        while sock.recv(65536):
            pass
    except OSError:
        pass


def throw_garbage(daemon, rng, seconds):
    """Connections with garbage, others that must be answered meanwhile; how many there were."""
    good = Client(daemon.port)
    end, count, open_ones = time.monotonic() + seconds, 0, []
    while time.monotonic() < end:
        count += 1
        try:
            if rng.random() < 0.4:
                sock = socket.create_connection(("127.0.0.1", daemon.port), timeout=10)
                sock.sendall(garbage_http(rng))
            else:
                client = Client(daemon.port)
                sock = client.socket
                for _ in range(rng.randrange(1, 20)):
                    sock.sendall(garbage_frames(rng))
        except (OSError, Closed):
            pass  # it was thrown out while it still spoke
        open_ones.append(sock)
        if len(open_ones) > 20:  # some hang on with half a frame
            old = open_ones.pop(rng.randrange(len(open_ones)))
            if rng.random() < 0.3:
                old.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            read_some(old)
            old.close()
        if count % 20 == 0:
            assert good.call("server.hello")["version"], "no answer"
    for sock in open_ones:
        sock.close()
    assert Client(daemon.port).call("server.hello")["version"], "no answer"
    return count


def begin_match(daemon):
    """A match at play: its id, the tokens of its seats."""
    tokens = [daemon.call("account.register", name=name, password="waterloo 1815")["token"]
              for name in ("Napoleon", "Wellington")]
    match = daemon.call("match.create", tokens[0], game="waterloo", seat="FR", access="open",
                        spectators="public", action_id="create-0123456789")["match"]
    daemon.call("match.join", tokens[1], match=match, seat="AL", action_id="join-0123456789a")
    return match, tokens


def pour(daemon, rng, frames, messages, tokens):
    """So many garbage messages, each a whole text frame, over eight connections, half of which are signed in;
    all answers are read."""
    sent, connections = 0, 8
    while sent < messages:
        clients = [Client(daemon.port) for _ in range(connections)]
        for client, token in zip(clients, tokens * 2):
            client.call("account.resume", token=token)
        for _ in range(10):
            for client in clients:
                client.socket.sendall(b"".join(rng.choices(frames, k=100)))
                client.socket.sendall(frame(1, b'{"jsonrpc":"2.0","id":"end","method":"server.hello"}'))
            for client in clients:
                tail = b""
                while b'"id":"end"' not in tail:
                    data = client.socket.recv(1 << 18)
                    assert data, "the daemon closed a connection on account of text frames"
                    tail = tail[-64:] + data
            sent += 100 * connections
        for client in clients:
            client.close()


def try_memory(binary, rng, messages):
    daemon = Daemon(binary).start()
    try:
        match, tokens = begin_match(daemon)
        frames = []
        while len(frames) < 4000:
            text = garbage_text(rng)
            if rng.random() < 0.5:
                text = text.replace(b"aaaaaaaaaa", match.encode())
            try:
                text.decode()
            except UnicodeDecodeError:
                continue  # bad UTF-8 in a text frame ends the connection, rightly
            if b"account." not in text:
                frames.append(frame(1, text))
        pour(daemon, rng, frames, messages // 4, tokens)
        before = daemon.resident_kib()
        pour(daemon, rng, frames, messages, tokens)
        after = daemon.resident_kib()
        print("%d messages: resident %d KiB, before %d KiB" % (messages, after, before))
        assert daemon.stop() == 0, "it did not end cleanly"
        assert after - before < GROWTH_KIB_MAX, "it grows"
    finally:
        daemon.remove()


def try_garbage(binary, rng, seconds):
    daemon = Daemon(binary).start()
    try:
        print("%d connections with garbage" % throw_garbage(daemon, rng, seconds))
        code = daemon.stop()
        text = daemon.log.decode(errors="replace")
        assert code == 0 and "ERROR" not in text and "runtime error" not in text, \
            "exit status %d\n%s" % (code, text[-6000:])
    finally:
        daemon.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seconds", type=float, default=float(os.environ.get("VEDETTE_FUZZ_SECONDS", "8")))
    parser.add_argument("--messages", type=int, default=0)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("VEDETTE_FUZZ_SEED", time.time_ns() % 10 ** 9)))
    args = parser.parse_args()
    print("seed %d" % args.seed, flush=True)
    rng = random.Random(args.seed)
    failed = 0
    try:
        if args.messages > 0:
            try_memory(args.daemon, rng, args.messages)
        else:
            try_garbage(args.daemon, rng, args.seconds)
    except (AssertionError, Closed, OSError) as error:
        print("failed: %r" % error)
        failed = 1
    print("%d passed, %d failed" % (1 - failed, failed))
    return failed


if __name__ == "__main__":
    sys.exit(main())

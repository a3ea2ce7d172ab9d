"""A daemon as a process and blocking clients for it: WebSocket by hand (so that wrong frames can be sent too) and
POST /rpc. Nothing here waits for time to pass: it waits for what must come.

Every message in both directions passes on_message(direction, connection, text): ">" to the server, "<" from it.
Set it to look at all traffic of a test run.
"""
import base64
import hashlib
import http.client
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading

PATIENCE_S = 60
on_message = None


def tell(direction, connection, text):
    if on_message is not None:
        on_message(direction, connection, text)


class Closed(Exception):
    """The server closed the connection; code is the close code (1006: none came)."""

    def __init__(self, code, reason=""):
        super().__init__("closed with %d %s" % (code, reason))
        self.code = code
        self.reason = reason


class Refused(Exception):
    """An error answer."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.error = error
        self.code = error["code"]
        self.kind = error["data"]["kind"]
        self.data = error["data"]


class Daemon:
    """vedetted on a free port with a database of its own. limits: lines of [limits], server: of [server]."""

    def __init__(self, binary, folder=None, server="", limits="rates = off", env=None):
        self.binary = binary
        self.own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="vedette-")
        self.database = os.path.join(self.folder, "vedette.db")
        self.config = os.path.join(self.folder, "vedetted.conf")
        self.env = {**os.environ, **(env or {})}
        self.process = None
        self.log = b""
        self.set_config(server, limits)

    def set_config(self, server, limits):
        if "bots =" not in server:
            server += "\nbots = off"  # only tests of them want them
        with open(self.config, "w", encoding="utf-8") as file:
            file.write("[server]\n%s\n[limits]\n%s\n" % (server, limits))

    def start(self, *more):
        command = [self.binary, "--config", self.config, "--listen", "127.0.0.1:0", "--database",
                   self.database, *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=self.env)
        self.reader = threading.Thread(target=self._read_log, daemon=True)
        self.reader.start()
        line = self.process.stdout.readline().decode()
        if not line.startswith("listening on http://127.0.0.1:"):
            self.process.wait()
            self.reader.join()
            raise AssertionError("no daemon: %r, %s" % (line, self.log.decode(errors="replace")))
        self.port = int(line.rsplit(":", 1)[1])
        return self

    def _read_log(self):
        while True:
            data = self.process.stderr.read1(65536)
            if not data:
                return
            self.log += data

    def signal(self, number):
        os.kill(self.process.pid, number)

    def wait(self):
        code = self.process.wait(timeout=PATIENCE_S)
        self.rest = self.process.stdout.read()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def stop(self):
        """SIGTERM; the exit status."""
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        self.signal(signal.SIGKILL)
        return self.wait()

    def remove(self):
        if self.process is not None and self.process.poll() is None:
            self.kill()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def client(self, **how):
        return Client(self.port, **how)

    def resident_kib(self):
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
        return 0

    def http(self, method, path, body=None, headers=None):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def post(self, message, token=None, headers=None):
        """One POST /rpc: (status, parsed body or None)."""
        text = message if isinstance(message, (bytes, str)) else json.dumps(message)
        head = {"Content-Type": "application/json", **(headers or {})}
        if token is not None:
            head["Authorization"] = "Bearer " + token
        tell(">", self, text)
        status, _, body = self.http("POST", "/rpc", text, head)
        if body:
            tell("<", self, body.decode())
        return status, json.loads(body) if body else None

    def call(self, name, token=None, /, **params):
        _, answer = self.post({"jsonrpc": "2.0", "id": 1, "method": name, "params": params}, token)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]


class Client:
    """A WebSocket connection. What comes while it waits for an answer is kept in order in .pushes."""

    def __init__(self, port, protocols=("vedette.v1",), path="/ws", headers=(), receive_buffer=None):
        self.pushes = []
        self.answers = {}
        self.loose = []        # answers without an id, and batches
        self.pongs = []
        self.pings = 0
        self.next_id = 1
        self.buffer = b""
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET %s HTTP/1.1" % path, "Host: 127.0.0.1:%d" % port, "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Key: " + key, "Sec-WebSocket-Version: 13"]
        if protocols:
            lines.append("Sec-WebSocket-Protocol: " + ", ".join(protocols))
        lines += list(headers)
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            data = self._recv()
            if not data:
                raise Closed(1006, "in the handshake")
            self.buffer += data
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        self.status = int(self.head.split(" ")[1])
        if self.status != 101:
            raise Closed(self.status, "handshake refused")
        want = base64.b64encode(hashlib.sha1(
            (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        assert want in self.head

    def _recv(self):
        try:
            return self.socket.recv(1 << 16)
        except ConnectionResetError:
            return b""

    # --- frames ---

    def frame(self, opcode, payload, final=True, mask=b"\x12\x34\x56\x78"):
        """Sends one frame as it is."""
        head = bytes([(0x80 if final else 0) | opcode])
        n = len(payload)
        if n < 126:
            head += bytes([0x80 | n])
        elif n < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", n)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", n)
        body = bytes(b ^ mask[i & 3] for i, b in enumerate(payload)) if n < 4096 else _mask(payload, mask)
        self.raw(head + mask + body)

    def raw(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # what the server said before is still to be read

    def text(self, text):
        tell(">", self, text)
        self.frame(1, text.encode() if isinstance(text, str) else text)

    def _take_frame(self):
        data = self.buffer
        if len(data) < 2:
            return None
        length, at = data[1] & 127, 2
        if length == 126:
            if len(data) < 4:
                return None
            length, at = struct.unpack(">H", data[2:4])[0], 4
        elif length == 127:
            if len(data) < 10:
                return None
            length, at = struct.unpack(">Q", data[2:10])[0], 10
        if len(data) < at + length:
            return None
        self.buffer = data[at + length:]
        return data[0], data[at:at + length]

    def read_frame(self):
        """(opcode, payload) of the next frame. Closed: the connection ended."""
        while True:
            frame = self._take_frame()
            if frame is not None:
                break
            data = self._recv()
            if not data:
                raise Closed(1006)
            self.buffer += data
        opcode, payload = frame[0] & 15, frame[1]
        assert frame[0] & 0x70 == 0, "compressed or reserved bits"
        if opcode == 8:
            code = struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else 1005
            raise Closed(code, payload[2:].decode(errors="replace"))
        if opcode == 9:
            self.pings += 1
            self.frame(10, payload)
        if opcode == 10:
            self.pongs.append(payload)
        return opcode, payload

    def read(self):
        """The next message, parsed; also kept where it belongs."""
        while True:
            opcode, payload = self.read_frame()
            if opcode != 1:
                continue
            text = payload.decode("utf-8")
            tell("<", self, text)
            message = json.loads(text)
            if isinstance(message, dict) and "method" in message:
                self.pushes.append(message)
            elif isinstance(message, dict) and message.get("id") is not None:
                self.answers[message["id"]] = message
            else:
                self.loose.append(message)
            return message

    # --- calls ---

    def send(self, name, /, **params):
        """Sends a request and does not wait; its id."""
        self.next_id += 1
        self.text(json.dumps({"jsonrpc": "2.0", "id": self.next_id, "method": name,
                              "params": params}))
        return self.next_id

    def answer(self, request_id):
        while request_id not in self.answers:
            self.read()
        answer = self.answers.pop(request_id)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def call(self, name, /, **params):
        return self.answer(self.send(name, **params))

    def push(self, name, fits=lambda params: True):
        """The next push of that name that fits, taken out of the order of those kept."""
        at = 0
        while True:
            while at < len(self.pushes):
                message = self.pushes[at]
                if message["method"] == name and fits(message["params"]):
                    del self.pushes[at]
                    return message["params"]
                at += 1
            self.read()

    def loose_answer(self):
        """The next answer without an id, or batch."""
        while not self.loose:
            self.read()
        return self.loose.pop(0)

    def wait_closed(self):
        """Reads until the server closes; the code."""
        try:
            while True:
                self.read()
        except Closed as closed:
            return closed.code

    def close(self):
        self.socket.close()


def _mask(payload, mask):
    n = len(payload)
    key = (mask * (n // 4 + 1))[:n]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(n, "big")

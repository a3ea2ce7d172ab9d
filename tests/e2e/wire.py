"""A daemon as a process, and a blocking WebSocket client of its own making, for the end-to-end tests.

The client keeps every byte of text that passes (traffic), so that it can be searched and held against the
schemas. It waits for what comes, never for time to pass.
"""
import base64
import http.client
import json
import os
import select
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
import weakref


class Gone(Exception):
    """The connection ended."""


class Refused(Exception):
    """An error answer; .error is its object."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.error = error
        self.kind = error["data"]["kind"]


class Daemon:
    """vedetted on a free port of the loopback, with a database in a folder of its own."""

    def __init__(self, binary, folder=None, config="", env=None):
        self.binary = binary
        self.folder = folder or tempfile.mkdtemp(prefix="vedette-")
        self.database = os.path.join(self.folder, "vedette.db")
        self.config = os.path.join(self.folder, "vedetted.conf")
        with open(self.config, "w", encoding="utf-8") as file:
            # Only tests of them want the server's own bots.
            file.write(config if "bots =" in config else "[server]\nbots = off\n" + config)
        self.env = {**os.environ, **(env or {})}
        self.port = 0
        self.process = None
        self.log_path = os.path.join(self.folder, "log")

    def start(self):
        self.log = open(self.log_path, "ab")
        self.process = subprocess.Popen(
            [self.binary, "--config", self.config, "--listen", "127.0.0.1:%d" % self.port,
             "--database", self.database],
            stdout=subprocess.PIPE, stderr=self.log, env=self.env)
        line = self.process.stdout.readline().decode()
        if not line.startswith("listening on http://"):
            raise AssertionError("the daemon did not start: %r\n%s" % (line, self.log_text()[-4000:]))
        self.port = int(line.rsplit(":", 1)[1])
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.close_files()

    def stop(self):
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        self.close_files()
        return code

    def close_files(self):
        self.process.stdout.close()
        self.log.close()

    def log_text(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def rpc(self, message, token=None):
        """One POST /rpc: status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = "Bearer " + token
        connection.request("POST", "/rpc", json.dumps(message), headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body


def keep_up():
    """The daemon ends a connection that is silent for 75 seconds. A test may be busy with others for longer, on a slow
    machine: a pong that nobody asked for (RFC 6455, 5.5.3) says that its end is there all the same."""
    while True:
        time.sleep(20)
        with KNOWN:
            clients = list(OPEN)
        for client in clients:
            try:
                client._send_frame(10, b"here")  # pylint: disable=protected-access
            except Gone:
                pass  # whoever reads from it will hear so


OPEN, KNOWN = weakref.WeakSet(), threading.Lock()
threading.Thread(target=keep_up, daemon=True).start()


class Client:
    """One WebSocket connection. Pushes that come while a call waits are kept in order."""

    def __init__(self, port, token=None, timeout=60):
        self.timeout = timeout
        self.sending = threading.Lock()
        self.traffic = []          # (">" or "<", text)
        self.pushes = []
        self.answers = {}
        self.next_id = 1
        self.buffer = b""
        self.methods = {}          # id -> method, for those who check the answers
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            key = base64.b64encode(os.urandom(16)).decode()
            self.socket.sendall((
                "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Protocol: vedette.v1\r\n\r\n" % (port, key)).encode())
            while b"\r\n\r\n" not in self.buffer:
                self._read()
        except OSError as error:
            raise Gone(str(error)) from error
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Gone(head.decode(errors="replace"))
        with KNOWN:
            OPEN.add(self)
        if token:
            self.call("account.resume", token=token)

    def _read(self):
        try:
            data = self.socket.recv(1 << 16)
        except socket.timeout as error:
            raise AssertionError("nothing came for %s s" % self.timeout) from error
        except OSError as error:
            raise Gone(str(error)) from error
        if not data:
            raise Gone("closed")
        self.buffer += data

    def _frame(self):
        """The next frame that is already in: (opcode, payload), or None."""
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
        return data[0] & 15, data[at:at + length]

    def _send_frame(self, opcode, payload):
        head = bytes([0x80 | opcode])
        if len(payload) < 126:
            head += bytes([0x80 | len(payload)])
        elif len(payload) < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(payload))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(payload))
        try:
            with self.sending:
                self.socket.sendall(head + b"\0\0\0\0" + payload)
        except OSError as error:
            raise Gone(str(error)) from error

    def _take(self, frame):
        opcode, payload = frame
        if opcode == 9:
            self._send_frame(10, payload)
        elif opcode == 8:
            raise Gone("closed with %r" % payload[:64])
        elif opcode in (0, 1):
            text = payload.decode("utf-8")
            self.traffic.append(("<", text))
            messages = json.loads(text)
            for message in messages if isinstance(messages, list) else [messages]:
                if "method" in message:
                    self.pushes.append(message)
                else:
                    self.answers[message.get("id")] = message

    def pump(self):
        """Waits for one frame at least and takes all that are in."""
        frame = self._frame()
        while frame is None:
            self._read()
            frame = self._frame()
        while frame is not None:
            self._take(frame)
            frame = self._frame()

    def poll(self):
        """Takes what is in without waiting."""
        while True:
            frame = self._frame()
            while frame is not None:
                self._take(frame)
                frame = self._frame()
            if not select.select([self.socket], [], [], 0)[0]:
                return
            self._read()

    def send_text(self, text):
        self.traffic.append((">", text))
        self._send_frame(1, text.encode())

    def post(self, method, **params):
        """Sends a call and returns its id."""
        number = self.next_id
        self.next_id += 1
        self.methods[number] = method
        self.send_text(json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                                   "params": params}, separators=(",", ":")))
        return number

    def answer(self, number):
        while number not in self.answers:
            self.pump()
        message = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def call(self, method, **params):
        return self.answer(self.post(method, **params))

    def push(self, method, wanted=lambda params: True):
        """Waits for a push of that method that is wanted; earlier ones of it are passed over."""
        while True:
            for at, message in enumerate(self.pushes):
                if message["method"] == method and wanted(message["params"]):
                    del self.pushes[:at + 1]
                    return message["params"]
            self.pump()

    def fence(self):
        """All that the daemon sent before it answered this has been taken."""
        self.call("server.hello")

    def close(self):
        with KNOWN:
            OPEN.discard(self)
        self.socket.close()


def register(port, name, password="correct horse battery"):
    """An account of that name: its token."""
    client = Client(port)
    token = client.call("account.register", name=name, password=password)["token"]
    client.close()
    return token


def new_match(port, tokens, seats=("FR", "AL"), **params):
    """A running match with these tokens in these seats: its id."""
    clients = [Client(port, token) for token in tokens]
    match = clients[0].call("match.create", game="waterloo", seat=seats[0], **params)["match"]
    for client, seat in zip(clients[1:], seats[1:]):
        client.call("match.join", match=match, seat=seat)
    for client in clients:
        client.close()
    return match


def pick(form, random):
    """An action picked from a form (PROTOCOL section 5)."""
    if isinstance(form, list):
        return pick(random.choice(form), random)
    if not isinstance(form, dict):
        return form
    if "list" in form:
        return [pick(item, random) for item in form["list"]]
    if "any_of" in form:
        count = random.randint(form.get("min", 0), form.get("max", len(form["any_of"])))
        return [pick(item, random) for item in random.sample(form["any_of"], count)]
    if "split" in form:
        items = random.sample(form["split"], len(form["split"]))
        into = {name: [] for name in form["into"]}
        for name, bounds in form["into"].items():
            for _ in range(bounds.get("min", 0)):
                into[name].append(items.pop())
        for item in items:
            open_names = [n for n in into if len(into[n]) < form["into"][n].get("max", 1 << 30)]
            into[random.choice(open_names)].append(item)
        return into
    if "tree" in form:
        tree, path = form["tree"], []
        for _ in range(random.randint(form.get("min", 1), form.get("max", 16))):
            if not tree:
                break
            key = random.choice(sorted(tree))
            path.append(key)
            tree = tree[key]
        return path
    if "range" in form:
        return random.randint(*form["range"])
    return {name: pick(value, random) for name, value in form.items()}


def deadline(seconds):
    """A predicate that is true until so many seconds have passed: a guard against hanging, not a wait."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() < end

"""The far ends of notices, on the loopback: a mail server, a receiver of posts, a browser that decrypts what is pushed to
it; and the daemon's clock, which a test moves. Nothing here waits for time to pass: who waits, waits for what comes."""
import asyncio
import base64
import email
import email.policy
import hashlib
import hmac
import http.server
import json
import os
import signal
import struct
import threading

from aiosmtpd.smtp import SMTP
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

WAIT_S = int(os.environ.get("FAR_WAIT_S", "60"))


class Box:
    """What came; take waits for the first that is wanted and takes it out."""

    def __init__(self):
        self.condition = threading.Condition()
        self.waiting, self.all = [], []

    def put(self, thing):
        with self.condition:
            self.waiting.append(thing)
            self.all.append(thing)
            self.condition.notify_all()

    def take(self, wanted=lambda thing: True, wait_s=WAIT_S):
        with self.condition:
            if not self.condition.wait_for(lambda: any(wanted(thing) for thing in self.waiting), wait_s):
                raise AssertionError("it did not come; there is %r" % self.waiting)
            thing = next(thing for thing in self.waiting if wanted(thing))
            self.waiting.remove(thing)
            return thing

    def left(self):
        with self.condition:
            return list(self.waiting)

    def forget(self):
        with self.condition:
            self.waiting.clear()


class Mail:
    def __init__(self, envelope):
        self.sender, self.to, self.raw = envelope.mail_from, envelope.rcpt_tos, envelope.content
        self.message = email.message_from_bytes(self.raw, policy=email.policy.default)
        self.text = self.message.get_body(("plain",)).get_content().replace("\r\n", "\n")
        self.html = self.message.get_body(("html",)).get_content()

    def __getitem__(self, name):
        return self.message[name]

    def __repr__(self):
        return "<mail to %s: %s>" % (self.to, self["Subject"])


class MailServer:
    """A real SMTP server in a thread. answer: what it says to a mail instead of taking it."""

    def __init__(self, port=0, user=None, password=None):
        self.box, self.refused = Box(), Box()
        self.answer = None
        self.loop = asyncio.new_event_loop()
        self.user, self.password = user, password
        ready = threading.Event()
        self.server = None

        def run():
            asyncio.set_event_loop(self.loop)
            self.server = self.loop.run_until_complete(
                self.loop.create_server(self.make, "127.0.0.1", port))
            ready.set()
            self.loop.run_forever()
            self.server.close()
            self.loop.run_until_complete(self.server.wait_closed())

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        ready.wait(WAIT_S)
        self.port = self.server.sockets[0].getsockname()[1]

    def make(self):
        options = {}
        if self.user is not None:
            from aiosmtpd.smtp import AuthResult

            def check(server, session, envelope, mechanism, data):
                good = data.login == self.user.encode() and data.password == self.password.encode()
                return AuthResult(success=good)
            options = {"authenticator": check, "auth_require_tls": False, "auth_required": True}
        return SMTP(self, loop=self.loop, enable_SMTPUTF8=False, **options)

    async def handle_DATA(self, server, session, envelope):
        if self.answer is not None:
            self.refused.put(Mail(envelope))
            return self.answer
        self.box.put(Mail(envelope))
        return "250 taken"

    def stop(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(WAIT_S)


class Post:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return "<post %s %r>" % (self.path, self.body[:200])


class Receiver:
    """Takes posts; status[path] is what it answers (200 otherwise)."""

    def __init__(self):
        self.box, self.status, self.extra = Box(), {}, {}
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status = receiver.status.get(self.path, 200)
                self.send_response(status)
                answer = receiver.extra.get(self.path, b"")
                if status in (301, 302, 307, 308):
                    self.send_header("Location", receiver.url("/elsewhere"))
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                try:
                    self.wfile.write(answer)
                except OSError:
                    pass
                receiver.box.put(Post(self.path, self.headers, body))

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda request, address: None  # one that was cut short is no news
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def url(self, path):
        return "http://127.0.0.1:%d%s" % (self.port, path)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(WAIT_S)


def verify_standard(secret, post):
    """Standard Webhooks: the id that it has."""
    key = base64.b64decode(secret[len("whsec_"):])
    signed = b"%s.%s.%s" % (post.headers["webhook-id"].encode(), post.headers["webhook-timestamp"].encode(), post.body)
    mac = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert mac in post.headers["webhook-signature"].split(), post.headers["webhook-signature"]
    return post.headers["webhook-id"]


def unpad(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def b64(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Browser:
    """A browser that is subscribed at an endpoint: decrypts by RFC 8291, written after the RFC alone."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        self.public = self.key.public_key().public_bytes(serialization.Encoding.X962,
                                                         serialization.PublicFormat.UncompressedPoint)

    def subscription(self):
        return {"endpoint": self.endpoint, "keys": {"p256dh": b64(self.public), "auth": b64(self.auth)}}

    def read(self, post):
        assert post.headers["Content-Encoding"] == "aes128gcm"
        body = post.body
        salt, size, length = body[:16], struct.unpack(">I", body[16:20])[0], body[20]
        sender = body[21:21 + length]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))

        def hkdf(salt_, ikm, info, n):
            prk = hmac.new(salt_, ikm, hashlib.sha256).digest()
            return hmac.new(prk, info + b"\1", hashlib.sha256).digest()[:n]
        ikm = hkdf(self.auth, shared, b"WebPush: info\0" + self.public + sender, 32)
        key = hkdf(salt, ikm, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(salt, ikm, b"Content-Encoding: nonce\0", 12)
        record = body[21 + length:]
        assert len(record) <= size
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain[-1:] == b"\2", "not the last record"
        return json.loads(plain[:-1])

    @staticmethod
    def check_vapid(post, push_key, origin, now_s):
        """RFC 8292: signed by the server's key, for this origin, not too long."""
        scheme, rest = post.headers["Authorization"].split(" ", 1)
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert parts["k"] == push_key
        head, claims, signature = parts["t"].split(".")
        raw = unpad(signature)
        der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpad(push_key))
        try:
            public.verify(der, ("%s.%s" % (head, claims)).encode(), ec.ECDSA(hashes.SHA256()))
        except InvalidSignature as error:
            raise AssertionError("the signature is not the server's") from error
        claims = json.loads(unpad(claims))
        assert json.loads(unpad(head)) == {"typ": "JWT", "alg": "ES256"}
        assert claims["aud"] == origin, claims
        assert now_s < claims["exp"] <= now_s + 86400, claims
        assert claims["sub"].startswith(("mailto:", "http")), claims


class Clock:
    """The daemon's time (VEDETTE_CLOCK), which only move and set change."""

    def __init__(self, path, at_ms=1796000000000):
        self.path, self.at_ms, self.daemon = path, at_ms, None
        self.write()

    def write(self):
        # In place: the daemon has the file mapped.
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.write(struct.pack("<q", self.at_ms))

    def move(self, seconds):
        self.at_ms += int(seconds * 1000)
        self.write()
        self.look()

    def look(self):
        if self.daemon is not None and self.daemon.process.poll() is None:
            self.daemon.process.send_signal(signal.SIGUSR2)

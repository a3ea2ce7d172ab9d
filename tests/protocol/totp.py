"""One-time codes as an authenticator makes them: RFC 6238 by Python's own library."""
import base64
import hashlib
import hmac
import struct
import time


def code(secret, step=None):
    """The six digits for a secret in base 32, of a step or of now."""
    if step is None:
        step = int(time.time()) // 30
    key = base64.b32decode(secret)
    mac = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    at = mac[19] & 15
    return "%06d" % ((struct.unpack(">I", mac[at:at + 4])[0] & 0x7fffffff) % 1000000)


def codes(secret):
    """Codes that count now, each once: of the step before, of this one, of the next."""
    now = int(time.time()) // 30
    return [code(secret, now - 1), code(secret, now), code(secret, now + 1)]

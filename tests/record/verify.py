#!/usr/bin/env python3
"""verify.py RECORD... [--receipts FILE]: an independent verifier, steps 1 to 5 and 7 of schema/record.md; no rules."""
import base64
import hashlib
import itertools
import json
import pathlib
import re
import struct
import sys

from ed25519 import signed

U64 = struct.Struct("<Q").pack


class Bad(Exception): """(step, line or receipt, why)"""


def b64(text, size):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if len(data) != size or base64.urlsafe_b64encode(data).rstrip(b"=").decode() != text:
        raise ValueError("not %d bytes of base64url" % size)
    return data


def tagged(label, *parts):
    return label.encode() + b"\0" + b"".join(struct.pack("<I", len(p)) + p for p in parts)


def blake(data, key=b""):
    return hashlib.blake2b(data, digest_size=32, key=key).digest()


def chacha_block(key, nonce, counter):
    start = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key)
                 + (counter,) + struct.unpack("<3I", nonce))
    x = start[:]
    columns = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)]
    columns += [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for a, b, c, d in columns * 10:
        for p, q, r, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[p] = (x[p] + x[q]) & 0xffffffff
            x[r] = ((x[r] ^ x[p]) << turn | (x[r] ^ x[p]) >> (32 - turn)) & 0xffffffff
    return struct.pack("<16I", *((i + j) & 0xffffffff for i, j in zip(x, start)))


def draws(key, lane, number):
    """A function that draws below n from one lane of one roll."""
    nonce = struct.pack("<I", lane) + U64(number)
    source = (byte for counter in itertools.count() for byte in chacha_block(key, nonce, counter))
    return lambda n: next(b for b in source if b < 256 - 256 % n) % n


HEADER = "vedette match game rules options seats commit nonces at"
ROLL = r"( roll( dice)?( deal)?)?"
SHAPES = [re.compile(s) for s in (
    r"n at host( to)?( how)?( seat)?( by)?( ms)?( reason)?( result)?" + ROLL, r"n at seat (nonce|lost|undo)",
    r"n at seat( by)? do" + ROLL)]
WORDS = {"vedette": ["record/1"], "by": ["orders", "default"],
         "host": "begin rewind restored pause resume grant convert seat late miss look end".split(), "how": "rules resign time "
         "draw abort referee vacant substitute caretaker lent back agreed vacation cap away".split()}


def integer(value, low=-(2**53 - 1), high=2**53 - 1):
    return type(value) is int and low <= value <= high


def normal(value):
    if isinstance(value, dict):
        return list(value) == sorted(value) and all(map(normal, value.values()))
    return all(map(normal, value)) if isinstance(value, list) else isinstance(value, (str, bool)) or integer(value)


def runs(value, low):
    return isinstance(value, list) and value != [] and all(a[0] != b[0] for a, b in zip(value, value[1:])) and all(
        integer(n, 1, 256) and values and all(integer(v, low, low + n - 1) for v in values) for n, values in value)


def is_good(name, value):
    if name in ("at", "n", "to", "ms", "rules", "undo", "roll"):
        return integer(value, name in ("rules", "undo", "roll"), 2**32 - 1 if name == "rules" else 2**53 - 1)
    if name in ("seats", "by") and isinstance(value, list):
        return len(value) in range(name == "by", 4) and all(isinstance(seat, str) for seat in value)
    if name in ("options", "do", "result"):
        return isinstance(value, dict) and normal(value)
    if name in ("dice", "deal"):
        return runs(value, name == "dice")
    if name in ("commit", "nonce", "key", "head", "nonces"):
        return all(v is None or b64(v, 32) for v in (value.values() if name == "nonces" else [value or ""]))
    size = {"match": 64, "game": 64, "reason": 500}.get(name, 16)
    return value in WORDS[name] if name in WORDS else value is True if name == "lost" else len(value.encode()) <= size


def parse(raw):
    """A line that is written as JSON.stringify writes it; a member that stands twice would be written once."""
    line = json.loads(raw.decode())
    again = json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()
    if again != raw or b"\\u0000" in raw or not all(is_good(k, v) for k, v in line.items() if k != "marks"):
        raise ValueError("not written as it must be")
    return line


def read_line(raw, n):
    line = parse(raw)
    names = " ".join(line)
    if names != HEADER or list(line["nonces"]) != line["seats"] if n == 0 else (
            line["n"] != n or not any(shape.fullmatch(names) for shape in SHAPES)):
        raise ValueError("no line of that number")
    if ("roll" in line) != ("dice" in line or "deal" in line) or isinstance(line.get("by"), list) != (
            "host" in line and "by" in line):
        raise ValueError("a roll of nothing, or agreed by nobody")
    return line


def verify(text, receipts=()):
    raws = text.split(b"\n")
    count, lines, at = max(len(raws) - 2 + bool(raws[-1]), 0), [], 0
    try:
        for at in range(count):
            lines.append(read_line(raws[at], at))
        at = count
        last = parse(raws[at])
        secret, end = b64(last["key"], 32), b64(last["head"], 32)
        marks = [b64(last["marks"][i:i + 8], 6) for i in range(0, len(last["marks"]), 8)]
        if list(last) != ["key", "head", "marks"] or raws[count + 1:] != [b""] or not lines or len(marks) != count:
            raise ValueError("no last line")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise Bad("form", at, str(error)) from error
    header = lines[0]
    match, heads = header["match"].encode(), [b"\0" * 32]
    for n in range(count):
        salt = blake(tagged("vedette1 salt", match, U64(n)), secret) if n else b""
        heads.append(blake(tagged("vedette1 line", heads[-1], salt, raws[n])))
    del heads[0]
    bad = next((n for n in range(count) if heads[n][:6] != marks[n]), count)
    if bad == 0 and heads[-1] != end:
        raise Bad("chain", 0, "the header")
    if blake(tagged("vedette1 commit", match, secret)) != b64(header["commit"], 32):
        raise Bad("chain", count, "the key")
    if heads[-1] != end or bad < count:
        raise Bad("chain", bad if heads[-1] != end else count, "a head, or a mark")
    nonces = {seat: None if commit else b"" for seat, commit in header["nonces"].items()}
    rolls, rolled = 1, False
    for n, line in enumerate(lines[1:], 1):
        if "roll" in line and None in nonces.values():
            raise Bad("nonces", n, "a draw before every nonce is settled")
        rolled = rolled or "roll" in line
        if "nonce" in line or "lost" in line:
            opened = b64(line["nonce"], 32) if "nonce" in line else b""
            if nonces.get(line["seat"], b"") is not None or opened and (
                    rolled or blake(tagged("vedette1 nonce", opened)) != b64(header["nonces"][line["seat"]], 32)):
                raise Bad("nonces", n, "not the nonce that was committed to")
            nonces[line["seat"]] = opened
    for n, line in enumerate(lines[1:], 1):
        rolls += (line.get("host") == "restored") << 32
        if line.get("roll", rolls) != rolls:
            raise Bad("rolls", n, "not the next roll")
        rolls += "roll" in line
    key = blake(tagged("vedette1 dice", match, *(p for s in header["seats"] for p in (s.encode(), nonces[s] or b""))),
                secret)
    for n, line in enumerate(lines[1:], 1):
        for name, lane, base in (("dice", 1, 1), ("deal", 2, 0)):
            draw = draws(key, lane, line.get("roll", 0))
            if any(v != base + draw(run[0]) for run in line.get(name, ()) for v in run[1]):
                raise Bad("draws", n, "not what the stream gives")
    places = []
    for i, r in enumerate(receipts):
        head, viewer = b64(r["chain"], 32), r["viewer"]
        message = tagged("vedette1 receipt", r["match"].encode(), viewer.encode(), U64(r["seq"]), head, U64(r["time"]))
        if not signed(b64(r["key"], 32), message, b64(r["signature"], 64)) or r["match"] != header["match"]:
            raise Bad("receipts", i, "not well signed, or of another match")
        if head not in heads:
            raise Bad("receipts", i, "no head of this chain")
        places.append((viewer, r["seq"], heads.index(head)))
        if any(v == viewer and (s < places[-1][1]) - (s > places[-1][1]) != (p < places[-1][2]) - (p > places[-1][2])
               for v, s, p in places):
            raise Bad("receipts", i, "out of order")


def main(names):
    receipts, good = [], True
    if "--receipts" in names:
        at = names.index("--receipts")
        receipts = [json.loads(line) for line in pathlib.Path(names[at + 1]).read_text().splitlines()]
        del names[at:at + 2]
    for name in names:
        said = {"file": name, "good": True}
        try:
            verify(pathlib.Path(name).read_bytes(), receipts)
        except Bad as bad:
            step, place, why = bad.args
            said.update(good=False, step=step, why=why, **{"receipt" if step == "receipts" else "line": place})
        good = good and said["good"]
        print(json.dumps(said))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

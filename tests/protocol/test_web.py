"""The built browser client as the daemon serves it: codings, caching, addresses of the page, headers."""
import gzip
import os
import shutil
import tempfile
import unittest

import base
import vedette

SCRIPT = b"console.log('a page');\n" * 40
PAGE = b"<!doctype html><title>Vedette</title><script type=module src=/assets/main-abc123.js></script>"


class Web(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="vedette-web-")
        os.mkdir(os.path.join(cls.folder, "assets"))
        for name, content in (("index.html", PAGE), ("assets/main-abc123.js", SCRIPT),
                              ("assets/main-abc123.js.gz", gzip.compress(SCRIPT)),
                              ("assets/main-abc123.js.br", b"not really brotli"),
                              ("favicon.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"), (".hidden", b"no")):
            with open(os.path.join(cls.folder, name), "wb") as file:
                file.write(content)
        cls.daemon = vedette.Daemon(base.DAEMON).start("--web", cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.daemon.stop()
        cls.daemon.remove()
        shutil.rmtree(cls.folder)

    def get(self, path, **headers):
        return self.daemon.http("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def test_the_page_stands_at_each_of_its_addresses(self):
        for path in ("/", "/index.html", "/match/k7mq2xw4ta", "/new", "/settings", "/sign-in", "/player/Ney", "/rules/W5.2",
                     "/verify", "/confirm", "/reset"):
            status, headers, body = self.get(path)
            self.assertEqual((status, body), (200, PAGE), path)
            self.assertEqual(headers["cache-control"], "no-cache")
            self.assertEqual(headers["content-type"], "text/html; charset=utf-8")

    def test_nothing_else_is_there(self):
        for path in ("/matches", "/newer", "/.hidden", "/assets/", "/assets", "/assets/main-abc123.js.gz/x",
                     "/assets/../index.htm", "/../../etc/passwd", "/%2e%2e/etc/passwd"):
            self.assertEqual(self.get(path)[0], 404, path)

    def test_the_daemon_keeps_its_own_addresses(self):
        self.assertEqual(self.get("/healthz")[2], b"ok\n")
        self.assertEqual(self.get("/rpc")[0], 405)
        self.assertEqual(self.get("/ws")[0], 426)

    def test_the_best_coding_that_the_asker_takes(self):
        path = "/assets/main-abc123.js"
        for accept, coding in ((None, None), ("gzip", "gzip"), ("br", "br"), ("gzip, deflate, br", "br"),
                               ("br;q=0, gzip;q=0.5", "gzip"), ("BR;q=1", "br"), ("identity", None), ("gzip;q=0", None),
                               ("brotli, xgzip", None)):
            status, headers, body = self.get(path, **({"Accept_Encoding": accept} if accept else {}))
            self.assertEqual((status, headers.get("content-encoding")), (200, coding), accept)
            self.assertEqual(headers["vary"], "accept-encoding")
            self.assertEqual(headers["cache-control"], "public, max-age=31536000, immutable")
            plain = {None: lambda b: b, "gzip": gzip.decompress}.get(coding, lambda _: SCRIPT)(body)
            self.assertEqual(plain, SCRIPT)
        # What was packed too is never offered under a name of its own as something else.
        self.assertEqual(self.get("/favicon.svg", Accept_Encoding="br, gzip")[1].get("content-encoding"), None)

    def test_an_etag_for_each_coding_saves_the_body(self):
        path, seen = "/assets/main-abc123.js", set()
        for accept in ("identity", "gzip", "br"):
            _, headers, _ = self.get(path, Accept_Encoding=accept)
            etag = headers["etag"]
            self.assertRegex(etag, r'^"[0-9a-f]{32}(-gz|-br)?"$')
            status, _, body = self.get(path, Accept_Encoding=accept, If_None_Match=etag)
            self.assertEqual((status, body), (304, b""))
            status, _, _ = self.get(path, Accept_Encoding=accept, If_None_Match='"other", ' + etag)
            self.assertEqual(status, 304)
            status, _, _ = self.get(path, Accept_Encoding=accept, If_None_Match='"other"')
            self.assertEqual(status, 200)
            seen.add(etag)
        self.assertEqual(len(seen), 3)

    def test_the_policy_lets_nothing_foreign_and_nothing_inline_in(self):
        for path in ("/", "/assets/main-abc123.js", "/healthz"):
            _, headers, _ = self.get(path)
            policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
            self.assertEqual(policy["default-src"], "'none'")
            for kind in ("script-src", "style-src", "connect-src", "font-src"):
                self.assertEqual(policy[kind], "'self'")
            self.assertEqual(policy["frame-ancestors"], "'none'")
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertNotIn("set-cookie", headers)

    def test_board_data_travels_packed(self):
        address = self.daemon.call("game.get", game="waterloo")["board"]
        _, _, plain = self.get(address)
        _, headers, packed = self.get(address, Accept_Encoding="gzip")
        self.assertEqual(headers["content-encoding"], "gzip")
        self.assertEqual(gzip.decompress(packed), plain)
        self.assertLess(len(packed), len(plain) / 3)

    def test_a_folder_without_a_page_is_an_error_and_none_serves_none(self):
        empty = tempfile.mkdtemp(prefix="vedette-web-")
        try:
            daemon = vedette.Daemon(base.DAEMON)
            with self.assertRaisesRegex(AssertionError, "has no page"):
                daemon.start("--web", empty)
            daemon.remove()
            daemon = vedette.Daemon(base.DAEMON).start("--web", "none")
            try:
                self.assertIn(b"/ws", daemon.http("GET", "/")[2])
            finally:
                daemon.stop()
                daemon.remove()
        finally:
            os.rmdir(empty)

"""What the protocol tests share: a daemon for each class, accounts, refusals."""
import itertools
import unittest

import vedette

DAEMON = None
PASSWORD = "correct horse"
numbers = itertools.count(1)


class WithDaemon(unittest.TestCase):
    """One daemon for the tests of a class, with `server` and `limits` as its configuration."""
    server = ""
    limits = "rates = off"

    @classmethod
    def setUpClass(cls):
        cls.daemon = vedette.Daemon(DAEMON, server=cls.server, limits=cls.limits).start()

    @classmethod
    def tearDownClass(cls):
        try:
            if cls.daemon.process.poll() is None:
                code = cls.daemon.stop()
                assert code == 0, "the daemon ended with %d:\n%s" % (
                    code, cls.daemon.log.decode(errors="replace")[-4000:])
            for word in (b"AddressSanitizer", b"runtime error", b"LeakSanitizer"):
                assert word not in cls.daemon.log, cls.daemon.log.decode(errors="replace")[-8000:]
        finally:
            cls.daemon.remove()

    def connect(self, **how):
        client = self.daemon.client(**how)
        self.addCleanup(client.close)
        return client

    def account(self, name=None):
        """A new account's (client, name, token); the client is signed in."""
        name = name or "Q%sz" % number_word(next(numbers))
        client = self.connect()
        result = client.call("account.register", name=name, password=PASSWORD)
        return client, name, result["token"]

    def refused(self, kind, call, /, *args, **params):
        """Asserts that call(...) is refused with that kind; the error's data."""
        with self.assertRaises(vedette.Refused) as caught:
            call(*args, **params)
        self.assertEqual(caught.exception.kind, kind, caught.exception.error)
        return caught.exception.data

    def alive(self):
        """The daemon still answers."""
        client = self.daemon.client()
        self.assertEqual(client.call("server.hello")["name"], "Vedette")
        client.close()


def number_word(n):
    """A number in letters of which none is taken for another."""
    return "".join("abcdefghkm"[int(d)] for d in str(n))

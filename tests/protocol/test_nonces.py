"""Nonces over the wire: the stock of an account, the header, opening and losing (PROTOCOL 3, 4)."""
import base64
import hashlib
import json
import os
import random
import struct
import sys

import base

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from wire import pick  # noqa: E402  an action from action forms


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def commitment(nonce):
    text = b"vedette1 nonce\0" + struct.pack("<I", len(nonce)) + nonce
    return b64(hashlib.blake2b(text, digest_size=32).digest())


class Nonces(base.WithDaemon):
    def stock(self, client, count):
        """{commitment: nonce} of new ones in the account's stock."""
        nonces = {commitment(n): b64(n) for n in (os.urandom(32) for _ in range(count))}
        client.call("account.nonces", commits=list(nonces))
        return nonces

    def match(self, *stocks, **options):
        """Two accounts with stocks of those sizes in a running match: clients, their nonces, the match."""
        accounts = [self.account() for _ in range(2)]
        clients = [client for client, _, _ in accounts]
        nonces = [self.stock(client, count) if count else {} for client, count in zip(clients, stocks)]
        match = clients[0].call("match.create", game="waterloo", seat="FR", **options)["match"]
        clients[1].call("match.join", match=match, seat="AL")
        return clients, nonces, match

    def test_a_stock_counts_and_takes_nothing_twice(self):
        client, _, _ = self.account()
        self.assertEqual(client.call("account.nonces"), {"stock": 0})
        commits = [commitment(bytes([i]) * 32) for i in range(16)]
        self.assertEqual(client.call("account.nonces", commits=commits), {"stock": 16})
        self.assertEqual(self.refused("conflict", client.call, "account.nonces", commits=commits[:1])["reason"], "nonce")
        new = commitment(b"n" * 32)
        for twice in ([new, new], [new, commits[3]]):
            self.assertEqual(self.refused("conflict", client.call, "account.nonces", commits=twice)["reason"], "nonce")
        self.assertEqual(client.call("account.nonces"), {"stock": 16})
        other, _, _ = self.account()
        self.assertEqual(other.call("account.nonces", commits=commits), {"stock": 16})

    def test_an_export_names_what_the_account_gave(self):
        client, _, _ = self.account()
        nonces = self.stock(client, 2)
        self.assertEqual(client.call("account.export")["nonces"], list(nonces))

    def test_a_stock_is_bounded(self):
        client, _, _ = self.account()
        for i in range(4):
            self.assertEqual(client.call("account.nonces", commits=[commitment(os.urandom(32)) for _ in range(16)]),
                             {"stock": 16 * (i + 1)})
        self.refused("too_large", client.call, "account.nonces", commits=[commitment(b"x" * 32)])

    def test_an_action_id_makes_adding_safe_to_repeat(self):
        client, _, _ = self.account()
        commits = [commitment(os.urandom(32)) for _ in range(3)]
        for _ in range(2):
            self.assertEqual(client.call("account.nonces", commits=commits, action_id="n-1"), {"stock": 3})
        refusal = self.refused("conflict", client.call, "account.nonces", commits=commits[:1], action_id="n-1")
        self.assertEqual(refusal["reason"], "action_id")
        # The same id is used up for everything else, too.
        match = client.call("match.create", game="waterloo", seat="FR")["match"]
        refusal = self.refused("conflict", client.call, "match.leave", match=match, action_id="n-1")
        self.assertEqual(refusal["reason"], "action_id")

    def test_what_is_no_commitment_is_refused(self):
        client, _, _ = self.account()
        good = commitment(b"g" * 32)
        for commits in ([], ["abc"], [good + "A"], [good[:-1] + "="], [17], "x", [None]):
            with self.subTest(commits=commits):
                self.refused("invalid_params", client.call, "account.nonces", commits=commits)
        self.refused("too_large", client.call, "account.nonces", commits=[good] * 17)
        self.refused("invalid_params", client.call, "account.nonces", commit=[good])
        self.assertEqual(client.call("account.nonces"), {"stock": 0})
        self.refused("not_signed_in", self.connect().call, "account.nonces")

    def test_the_header_deals_one_of_each_stock_and_all_see_it(self):
        clients, nonces, match = self.match(3, 2, spectators="public")
        summary = clients[0].call("match.get", match=match)
        header = json.loads(summary["header"])
        self.assertIn(header["nonces"]["FR"], nonces[0])
        self.assertIn(header["nonces"]["AL"], nonces[1])
        self.assertEqual(header["commit"], summary["commit"])
        self.assertEqual(summary["nonces"], {"FR": "awaited", "AL": "awaited"})
        self.assertEqual([c.call("account.nonces")["stock"] for c in clients], [2, 1])
        guest = self.connect().call("match.get", match=match)
        for member in ("header", "nonces", "commit"):
            self.assertEqual(guest[member], summary[member])
        # The first head is over the header, with an empty salt.
        parts = [b"\0" * 32, b"", summary["header"].encode()]
        text = b"vedette1 line\0" + b"".join(struct.pack("<I", len(p)) + p for p in parts)
        head = b64(hashlib.blake2b(text, digest_size=32).digest())
        step = clients[0].call("match.history", match=match, **{"from": 0, "limit": 1})["steps"][0]
        self.assertEqual((step["seq"], step["chain"]), (0, head))

    def test_the_commitment_is_the_same_from_the_creation_on(self):
        first, _, _ = self.account()
        second, _, _ = self.account()
        made = first.call("match.create", game="waterloo", seat="FR")
        joined = second.call("match.join", match=made["match"], seat="AL")
        self.assertEqual(made["commit"], joined["commit"])
        self.assertEqual(joined["nonces"], {"FR": "waived", "AL": "waived"})
        self.assertNotIn("header", made)

    def test_a_first_action_waits_for_the_nonce(self):
        clients, nonces, match = self.match(1, 1)
        allied = clients[1]
        view = allied.call("match.view", match=match)
        action = pick(view["actions"], random.Random(5))
        for method in ("match.act", "match.try"):
            refusal = self.refused("conflict", allied.call, method, match=match, seq=view["seq"], action=action)
            self.assertEqual(refusal["reason"], "nonce")
        self.assertEqual(allied.call("match.view", match=match), view)
        answer = allied.call("match.nonce", match=match, nonce=next(iter(nonces[1].values())))
        self.assertEqual(answer["seq"], view["seq"] + 1)
        self.assertEqual(answer["events"], [{"ev": "nonce", "seat": "AL", "nonce": next(iter(nonces[1].values()))}])
        allied.call("match.act", match=match, seq=answer["seq"], action=action)
        self.assertEqual(clients[0].call("match.get", match=match)["nonces"], {"FR": "awaited", "AL": "opened"})

    def test_opening_refuses_what_does_not_fit(self):
        clients, nonces, match = self.match(1, 0)
        french, allied = clients
        right = next(iter(nonces[0].values()))
        for params in ({}, {"nonce": right, "lost": True}, {"lost": False}, {"nonce": "abc"}, {"nonce": 5},
                       {"nonce": b64(b"w" * 32)}, {"nonce": right, "as": "XX"}, {"nonce": right, "more": 1}):
            with self.subTest(params=params):
                self.refused("invalid_params", french.call, "match.nonce", match=match, **params)
        self.assertEqual(self.refused("conflict", allied.call, "match.nonce", match=match, lost=True)["reason"], "nonce")
        self.refused("forbidden", french.call, "match.nonce", match=match, nonce=right, **{"as": "AL"})
        stranger, _, _ = self.account()
        self.refused("forbidden", stranger.call, "match.nonce", match=match, nonce=right)
        self.refused("not_signed_in", self.connect().call, "match.nonce", match=match, nonce=right)
        self.refused("not_found", french.call, "match.nonce", match="aaaaaaaaaa", nonce=right)
        opened = french.call("match.nonce", match=match, nonce=right, action_id="once")
        self.assertEqual(french.call("match.nonce", match=match, nonce=right, action_id="once"), opened)
        self.assertEqual(french.call("match.nonce", match=match, nonce=right)["events"], [])
        self.assertEqual(self.refused("conflict", french.call, "match.nonce", match=match, lost=True)["reason"], "nonce")

    def test_a_nonce_is_pushed_to_all_who_watch(self):
        clients, nonces, match = self.match(1, 1, spectators="public")
        watchers = [*clients, self.connect()]
        for client in watchers:
            client.call("match.watch", match=match)
            client.push("match.view")
        clients[0].call("match.nonce", match=match, nonce=next(iter(nonces[0].values())))
        events = [client.push("match.view")["view"]["events"] for client in watchers]
        self.assertEqual(events, [[{"ev": "nonce", "seat": "FR", "nonce": next(iter(nonces[0].values()))}]] * 3)
        clients[1].call("match.nonce", match=match, lost=True)
        events = [client.push("match.view")["view"]["events"] for client in watchers]
        self.assertEqual(events, [[{"ev": "nonce", "seat": "AL", "lost": True}]] * 3)

    def test_before_the_begin_there_is_nothing_to_open(self):
        client, _, _ = self.account()
        self.stock(client, 1)
        match = client.call("match.create", game="waterloo", seat="FR")["match"]
        refusal = self.refused("conflict", client.call, "match.nonce", match=match, lost=True)
        self.assertEqual(refusal["reason"], "not_started")
        self.assertEqual(client.call("account.nonces"), {"stock": 1})

    def test_a_reading_token_puts_nothing_in(self):
        client, _, _ = self.account()
        token = client.call("account.token", label="reader", scope="read")["token"]
        reader = self.connect()
        reader.call("account.resume", token=token)
        self.refused("forbidden", reader.call, "account.nonces", commits=[commitment(b"r" * 32)])

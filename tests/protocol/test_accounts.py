"""Sessions and accounts: PROTOCOL section 3."""
import re
import time

import base
import vedette


class SignIn(base.WithDaemon):
    def test_register_signs_in(self):
        client, name, token = self.account()
        self.assertEqual(client.call("account.get")["name"], name)
        self.assertRegex(token, r"^[A-Za-z0-9_-]{43}$")

    def test_login_and_resume_on_other_connections(self):
        _, name, token = self.account()
        client = self.connect()
        self.refused("not_signed_in", client.call, "account.get")
        result = client.call("account.login", name=name, password=base.PASSWORD)
        self.assertNotEqual(result["token"], token)
        self.assertEqual(client.call("account.get")["name"], name)
        other = self.connect()
        self.assertEqual(other.call("account.resume", token=token)["account"]["name"], name)
        self.assertEqual(other.call("account.get")["name"], name)

    def test_name_is_found_whatever_its_case(self):
        self.account("Blücher")
        client = self.connect()
        self.assertEqual(client.call("account.login", name="BLÜCHER", password=base.PASSWORD)
                         ["account"]["name"], "Blücher")

    def test_calls_behind_a_resume_wait_for_it(self):
        _, name, token = self.account()
        client = self.connect()
        client.send("account.resume", token=token)
        self.assertEqual(client.answer(client.send("account.get"))["name"], name)

    def test_unknown_name_and_wrong_password_are_answered_alike(self):
        _, name, _ = self.account()
        client = self.connect()
        answers = []
        for who, password in ((name, "wrong password"), ("Nobody-here", base.PASSWORD), ("!", "x" * 20),
                              (name, "")):
            with self.assertRaises(vedette.Refused) as caught:
                client.call("account.login", name=who, password=password)
            answers.append(caught.exception.error)
        self.assertEqual(answers[0]["code"], 12)
        for answer in answers[1:]:
            self.assertEqual(answer, answers[0])

    def test_unknown_name_costs_as_much_as_a_wrong_password(self):
        """One password is hashed either way: that is what takes the time."""
        _, name, _ = self.account()
        client = self.connect()

        def hashed(who):
            before = self.hashes()
            self.refused("bad_credentials", client.call, "account.login", name=who, password="wrong password")
            return self.hashes() - before
        self.assertEqual((hashed(name), hashed("Nobody-here")), (1, 1))

    def hashes(self):
        body = self.daemon.http("GET", "/metrics")[2].decode()
        return int(re.search(r"^vedette_hashes_total (\d+)$", body, re.M).group(1))

    def test_bad_token_is_bad_credentials(self):
        client = self.connect()
        for token in ("", "x", "A" * 43):
            self.refused("bad_credentials", client.call, "account.resume", token=token)
        self.refused("invalid_params", client.call, "account.resume", token="x" * 200)
        self.refused("invalid_params", client.call, "account.resume", token=5)

    def test_names(self):
        client = self.connect()
        for bad in ("", "a", "x" * 25, "a b", "a.b", "a/b", "<b>", "a\tb", "\u202eabc", "a\u200bb",
                    "😀😀", "\u0301ab", "pаypal", "ab\u3164", "a" * 4000):
            with self.assertRaises(vedette.Refused) as caught:
                client.call("account.register", name=bad, password=base.PASSWORD)
            self.assertIn(caught.exception.kind, ("invalid_params", "too_large"), bad)
        for good in ("Ney", "Ло́баницын", "ブリュッヒャー", "Gneisenau_2", "Ponsonby-W", "ñandú", "हिन्दी", "x" * 24,
                     "威靈頓"):
            result = self.connect().call("account.register", name=good, password=base.PASSWORD)
            self.assertEqual(result["account"]["name"].encode(), nfc(good).encode())

    def test_a_name_that_looks_alike_is_taken(self):
        self.account("Marmont")
        self.account("Bill-Hook")
        self.account("Éblé")
        for same in ("marmont", "MARMONT", "Маrmont", "Ｍarmont", "BiII-Hook", "Bi1l-Hook", "Bill-H0ok", "bill-hook", "E\u0301BLE\u0301"):
            with self.assertRaises(vedette.Refused) as caught:
                self.connect().call("account.register", name=same, password=base.PASSWORD)
            self.assertIn(caught.exception.kind, ("conflict", "invalid_params"), same)
            if caught.exception.kind == "conflict":
                self.assertEqual(caught.exception.data["reason"], "name_taken")

    def test_passwords(self):
        client = self.connect()
        for bad in ("short77", "", "x" * 257, "ä" * 129):
            data = self.refused("invalid_params", client.call, "account.register", name="Pwtest", password=bad)
            self.assertEqual(data["member"], "password")
        for n, good in enumerate(("exactly8", "x" * 256, "ä" * 128, "日本語のパスワード")):
            name = "Pwgood" + base.number_word(n)
            self.connect().call("account.register", name=name, password=good)
            self.connect().call("account.login", name=name, password=good)
        self.refused("bad_credentials", client.call, "account.login", name="Pwgoodb", password="x" * 255)

    def test_two_at_once_get_one_name(self):
        first, second = self.connect(), self.connect()
        ids = [(c, c.send("account.register", name="Grouchy", password=base.PASSWORD)) for c in (first, second)]
        kinds = []
        for client, request_id in ids:
            try:
                client.answer(request_id)
                kinds.append("ok")
            except vedette.Refused as refused:
                kinds.append(refused.kind)
        self.assertEqual(sorted(kinds), ["conflict", "ok"])


class Tokens(base.WithDaemon):
    server = "ping_s = 4"

    def test_logout_signs_out_and_the_token_is_worth_nothing(self):
        client, _, token = self.account()
        self.assertEqual(client.call("account.logout"), {})
        self.refused("not_signed_in", client.call, "account.get")
        self.refused("bad_credentials", client.call, "account.resume", token=token)
        self.assertEqual(self.daemon.post({"jsonrpc": "2.0", "id": 1, "method": "account.get"}, token)[0], 401)

    def test_logout_all_closes_the_others_at_once(self):
        client, name, token = self.account()
        others = [self.connect() for _ in range(3)]
        others[0].call("account.resume", token=token)
        others[1].call("account.login", name=name, password=base.PASSWORD)
        others[2].call("server.hello")
        self.daemon.call("account.get", token)  # now it is remembered
        client.call("account.logout", all=True)
        self.assertEqual([c.wait_closed() for c in others[:2]], [4001, 4001])
        others[2].call("server.hello")
        client.call("server.hello")
        self.assertEqual(self.daemon.post({"jsonrpc": "2.0", "id": 1, "method": "account.get"}, token)[0], 401)

    def test_revoke_closes_open_connections_at_once(self):
        client, name, _ = self.account()
        bot = self.connect()
        made = client.call("account.token", label="my bot", scope="play")
        bot.call("account.resume", token=made["token"])
        self.assertEqual(bot.call("account.get")["name"], name)
        rows = {t["token_id"]: t for t in client.call("account.tokens")["tokens"]}
        self.assertEqual(rows[made["token_id"]]["label"], "my bot")
        self.assertEqual(rows[made["token_id"]]["scope"], "play")
        self.assertFalse(rows[made["token_id"]]["current"])
        self.assertEqual(sum(t["current"] for t in rows.values()), 1)
        self.assertEqual(client.call("account.revoke", token_id=made["token_id"]), {})
        self.assertEqual(bot.wait_closed(), 4001)
        self.refused("bad_credentials", self.connect().call, "account.resume", token=made["token"])
        self.refused("not_found", client.call, "account.revoke", token_id=made["token_id"])
        self.assertEqual(client.call("account.get")["name"], name)

    def test_nobody_revokes_another_account_s_token(self):
        victim, _, _ = self.account()
        made = victim.call("account.token", label="x", scope="read")
        thief, _, _ = self.account()
        self.refused("not_found", thief.call, "account.revoke", token_id=made["token_id"])
        self.connect().call("account.resume", token=made["token"])

    def test_revoking_one_s_own_token_is_answered_before_the_close(self):
        client, _, _ = self.account()
        own = [t for t in client.call("account.tokens")["tokens"] if t["current"]][0]
        self.assertEqual(client.call("account.revoke", token_id=own["token_id"]), {})
        self.assertEqual(client.wait_closed(), 4001)

    def test_scopes(self):
        client, _, _ = self.account()
        for scope, may_play in (("read", False), ("play", True), ("organise", True)):
            token = client.call("account.token", label=scope, scope=scope)["token"]
            bot = self.connect()
            bot.call("account.resume", token=token)
            bot.call("account.get")
            for method, params in (("account.tokens", {}), ("account.set", {"language": "fr"}),
                                   ("account.token", {"label": "x", "scope": "read"}),
                                   ("account.export", {}), ("account.delete", {"password": base.PASSWORD}),
                                   ("account.logout", {"all": True})):
                self.refused("forbidden", bot.call, method, **params)
            kind = "not_found" if may_play else "forbidden"
            self.refused(kind, bot.call, "match.resign", match="aaaaaaaaaa")
        self.refused("invalid_params", client.call, "account.token", label="x", scope="all")
        self.refused("invalid_params", client.call, "account.token", label="x", scope="full")

    def test_a_token_that_expires(self):
        client, _, _ = self.account()
        self.refused("invalid_params", client.call, "account.token", label="x", scope="read", expires=1)
        soon = client.call("server.hello")["time"] + 700
        token = client.call("account.token", label="x", scope="read", expires=soon)["token"]
        user = self.connect()
        user.call("account.resume", token=token)
        self.assertEqual(user.wait_closed(), 4001)  # an open connection does not outlive it
        self.assertGreaterEqual(client.call("server.hello")["time"], soon)
        self.refused("bad_credentials", self.connect().call, "account.resume", token=token)
        self.assertEqual(self.daemon.post({"jsonrpc": "2.0", "id": 1, "method": "account.get"}, token)[0], 401)

    def test_the_fifty_first_token_takes_the_place_of_the_oldest(self):
        client, _, first = self.account()
        for _ in range(49):
            client.call("account.token", label="x", scope="read")
        self.assertEqual(len(client.call("account.tokens")["tokens"]), 50)
        client.call("account.token", label="one more", scope="read")
        self.assertEqual(client.wait_closed(), 4001)
        self.refused("bad_credentials", self.connect().call, "account.resume", token=first)


class Settings(base.WithDaemon):
    def test_set_and_get(self):
        client, name, token = self.account()
        client.call("account.set", email="ney@example.org", language="fr", timezone="Europe/Paris")
        client.call("account.set", language="", presence=False, notifications={"mail": True}, action_id="x1")
        got = self.connect()
        account = got.call("account.resume", token=token)["account"]
        self.assertEqual((account["email"], account["timezone"], account["presence"],
                          account["notifications"], account["name"]),
                         ("ney@example.org", "Europe/Paris", False, {"mail": True}, name))
        self.assertNotIn("language", account)
        for bad in ({"email": "nonsense"}, {"email": "a@b\r\nBcc: x"}, {"language": "x" * 17}, {"timezone": "a b"},
                    {"presence": 1}, {"notifications": []}, {"nickname": "x"}, {"email": None}):
            self.refused("invalid_params", client.call, "account.set", **bad)
        self.refused("too_large", client.call, "account.set", notifications={"x": "y" * 9000})

    def test_profile_shows_nothing_private(self):
        client, name, _ = self.account()
        client.call("account.set", email="secret@example.org")
        profile = self.connect().call("account.profile", name=name.upper())
        self.assertEqual((profile["name"], profile["finished"]), (name, 0))
        self.assertNotIn("secret", str(profile))
        self.refused("not_found", client.call, "account.profile", name="No-such-one")

    def test_block(self):
        client, own, _ = self.account()
        _, other, _ = self.account()
        self.assertEqual(client.call("account.block", name=other, on=True), {})
        self.assertEqual(client.call("account.block", name=other, on=True), {})
        self.assertEqual(client.call("account.export")["blocked"], [other])
        client.call("account.block", name=other, on=False)
        self.assertEqual(client.call("account.export")["blocked"], [])
        self.refused("not_found", client.call, "account.block", name="No-such-one", on=True)
        self.refused("invalid_params", client.call, "account.block", name=own, on=True)

    def test_export_holds_no_secret(self):
        client, name, token = self.account()
        data = client.call("account.export")
        self.assertEqual(data["account"]["name"], name)
        self.assertNotIn(token, str(data))
        self.assertNotIn("argon2", str(data))

    def test_delete(self):
        client, name, token = self.account()
        other = self.connect()
        other.call("account.resume", token=token)
        self.refused("bad_credentials", client.call, "account.delete", password="wrong password")
        client.call("account.get")
        self.assertEqual(client.call("account.delete", password=base.PASSWORD), {})
        self.assertEqual(client.wait_closed(), 4001)
        self.assertEqual(other.wait_closed(), 4001)
        again = self.connect()
        self.refused("bad_credentials", again.call, "account.login", name=name, password=base.PASSWORD)
        self.refused("bad_credentials", again.call, "account.resume", token=token)
        self.refused("not_found", again.call, "account.profile", name=name)
        again.call("account.register", name=name, password=base.PASSWORD)


class Attempts(base.WithDaemon):
    limits = ""

    def test_failed_sign_ins_are_slowed_down_for_that_name(self):
        _, name, _ = self.account("Vandamme")
        _, friend, _ = self.account("Lobau-G")
        client = self.connect()
        began, kinds, wait = time.monotonic(), [], 0
        while wait < 10000:  # ten, and another for each half minute that they took: all at once on most machines
            with self.assertRaises(vedette.Refused) as caught:
                client.call("account.login", name=name, password="wrong password")
            kinds.append(caught.exception.kind)
            wait = caught.exception.data.get("retry_after_ms", 0)
        self.assertEqual(kinds[:10], ["bad_credentials"] * 10)
        self.assertLessEqual(kinds.count("bad_credentials"), 10 + (time.monotonic() - began) / 30)
        self.refused("rate_limited", client.call, "account.login", name=name, password=base.PASSWORD)
        client.call("account.login", name=friend, password=base.PASSWORD)


def nfc(text):
    import unicodedata
    return unicodedata.normalize("NFC", text)

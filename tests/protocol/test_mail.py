"""Addresses confirmed and passwords set anew by mailed tokens: with a mail server on the loopback."""
import re
import sqlite3
import time

import base
import mailbox
import totp


TOKEN = re.compile(r"#token=([A-Za-z0-9_-]{43})\b")


class WithMailbox(base.WithDaemon):
    @classmethod
    def setUpClass(cls):
        cls.box = mailbox.Mailbox()
        cls.server = "proxies = 127.0.0.1\nurl = https://vedette.example\n[notify]\nsmtp_url = %s\nsmtp_tls = none\nfrom = vedette@example.org\n[server]" % (
            cls.box.url)
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.box.close()

    def address(self):
        return "%s@example.org" % base.number_word(next(base.numbers))

    def token(self, to, page):
        subject, text = self.box.wait(to, lambda subject, text: "/%s#" % page in text)
        found = TOKEN.findall(text)
        self.assertEqual(len(found), 1, text)
        self.assertIn("https://vedette.example/%s#token=%s" % (page, found[0]), text)
        self.assertIn("vedette --server https://vedette.example %s %s" % (page, found[0]), text)
        self.assertNotIn(found[0], subject)
        return found[0]

    def confirmed(self):
        """An account with a confirmed address: (client, name, token, address)."""
        client, name, token = self.account()
        to = self.address()
        client.call("account.set", email=to)
        self.connect().call("account.confirm", token=self.token(to, "confirm"))
        return client, name, token, to


class Mailed(WithMailbox):
    # ---- addresses ----

    def test_an_address_is_confirmed_by_what_was_mailed_there(self):
        client, name, _ = self.account()
        to = self.address()
        answer = client.call("account.set", email=to)
        self.assertEqual((answer["email"], answer["email_confirmed"]), (to, False))
        token = self.token(to, "confirm")
        stranger = self.connect()
        self.assertEqual(stranger.call("account.confirm", token=token), {"name": name, "email": to})
        self.assertIs(client.call("account.get")["email_confirmed"], True)
        self.refused("not_found", stranger.call, "account.confirm", token=token)
        for wrong in ("", "A" * 43, token[:-1]):
            self.refused("not_found", stranger.call, "account.confirm", token=wrong)

    def test_at_registration_too(self):
        client, to = self.connect(), self.address()
        name = "Q%sx" % base.number_word(next(base.numbers))
        client.call("account.register", name=name, password=base.PASSWORD, email=to, language="fr")
        _, text = self.box.wait(to)
        self.assertIn("Cette adresse a été donnée pour le compte %s" % name, text)
        self.assertIs(client.call("account.get")["email_confirmed"], False)
        client.call("account.confirm")
        client.call("account.confirm", token=self.token(to, "confirm"))
        self.assertEqual(self.refused("conflict", client.call, "account.confirm")["reason"], "confirmed")

    def test_only_the_newest_token_is_good(self):
        client, _, _ = self.account()
        to = self.address()
        client.call("account.set", email=to)
        first = self.token(to, "confirm")
        client.call("account.confirm")
        second = self.token(to, "confirm")
        self.refused("not_found", client.call, "account.confirm", token=first)
        client.call("account.confirm", token=second)

    def test_another_address_waits_until_it_is_confirmed_and_the_old_one_is_told(self):
        client, name, _, old = self.confirmed()
        new = self.address()
        self.assertEqual(self.refused("invalid_params", client.call, "account.set", email=new)["member"], "password")
        self.refused("bad_credentials", client.call, "account.set", email=new, password="wrong password")
        answer = client.call("account.set", email=new, password=base.PASSWORD)
        self.assertEqual((answer["email"], answer["email_confirmed"], answer["email_new"]), (old, True, new))
        _, text = self.box.wait(old, lambda subject, text: new in text)
        self.assertIn(name, text)
        self.assertEqual(TOKEN.findall(text), [])
        token = self.token(new, "confirm")
        # A reset goes to the old address as long as the new one is not confirmed.
        self.connect().call("account.reset", name=name)
        self.token(old, "reset")
        client.call("account.confirm", token=token)
        answer = client.call("account.get")
        self.assertEqual((answer["email"], answer["email_confirmed"]), (new, True))
        self.assertNotIn("email_new", answer)
        self.box.wait(old)

    def test_taking_the_change_back(self):
        client, _, _, old = self.confirmed()
        new = self.address()
        client.call("account.set", email=new, password=base.PASSWORD)
        token = self.token(new, "confirm")
        client.call("account.set", email=old)
        self.assertNotIn("email_new", client.call("account.get"))
        self.refused("not_found", client.call, "account.confirm", token=token)
        client.call("account.set", email="", password=base.PASSWORD)
        self.assertNotIn("email", client.call("account.get"))
        self.box.wait(old, lambda subject, text: not TOKEN.findall(text))

    # ---- passwords ----

    def test_a_reset_sets_a_password_once_and_ends_all_sign_ins(self):
        client, name, token, to = self.confirmed()
        script = client.call("account.token", label="script", scope="play")["token"]
        stranger = self.connect()
        self.assertEqual(stranger.call("account.reset", name=name.upper()), {})
        mailed = self.token(to, "reset")
        self.refused("invalid_params", stranger.call, "account.reset", token=mailed, password="short")
        self.assertEqual(stranger.call("account.reset", token=mailed, password="another password"), {})
        self.assertEqual(client.wait_closed(), 4001)
        for old in (token, script):
            self.refused("bad_credentials", stranger.call, "account.resume", token=old)
        self.refused("not_found", stranger.call, "account.reset", token=mailed, password="third password")
        self.refused("bad_credentials", stranger.call, "account.login", name=name, password=base.PASSWORD)
        stranger.call("account.login", name=name, password="another password")
        _, text = self.box.wait(to, lambda subject, text: not TOKEN.findall(text))
        self.assertIn(name, text)

    def test_asking_is_answered_alike_whoever_it_is(self):
        _, confirmed, _, to = self.confirmed()
        client, unconfirmed, _ = self.account()
        without, bare, _ = self.account()
        other = self.address()
        client.call("account.set", email=other)
        self.token(other, "confirm")
        asker = self.connect()
        answers = []
        for name in (confirmed, unconfirmed, bare, "Nobody-here", "!", "x" * 200):
            answers.append(asker.call("account.reset", name=name))
        self.assertEqual(answers, [{}] * 6)
        self.token(to, "reset")
        self.assertTrue(self.box.none_to(other))

    def test_the_answer_waits_for_nothing_that_is_stored(self):
        """While the database cannot be written, a known name is answered like an unknown one; the mail comes later."""
        _, name, _, to = self.confirmed()
        asker = self.connect()
        with sqlite3.connect(self.daemon.database, isolation_level=None) as database:
            database.execute("BEGIN IMMEDIATE")
            for who in (name, "Nobody-here"):
                self.assertEqual(asker.call("account.reset", name=who), {})
            self.assertTrue(self.box.none_to(to))
            database.execute("ROLLBACK")
        self.token(to, "reset")

    def test_the_second_factor_is_still_asked_for(self):
        client, name, _, to = self.confirmed()
        secret = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        recovery = client.call("account.totp", do="confirm", code=totp.codes(secret)[1])["recovery"]
        asker = self.connect()
        asker.call("account.reset", name=name)
        token = self.token(to, "reset")
        data = self.refused("bad_credentials", asker.call, "account.reset", token=token, password="another password")
        self.assertEqual(data["reason"], "code")
        client.call("account.get")
        asker.call("account.reset", token=token, password="another password", code=recovery[0])
        self.assertEqual(client.wait_closed(), 4001)
        self.box.wait(to)
        asker.call("account.login", name=name, password="another password", code=recovery[1])
        asker.call("account.totp", do="off", password="another password", code=recovery[2])
        self.box.wait(to, lambda subject, text: "second factor" in text)

    def test_tokens_expire_and_are_stored_hashed(self):
        client, name, _, to = self.confirmed()
        self.connect().call("account.reset", name=name)
        token = self.token(to, "reset")
        self.assertEqual(self.daemon.stop(), 0)
        with sqlite3.connect(self.daemon.database) as database:
            self.assertNotIn(token, "\n".join(database.iterdump()))
            database.execute("UPDATE mailed_token SET expires_at = ?", (int(time.time() * 1000) - 1,))
        database.close()
        self.daemon.start()
        self.refused("not_found", self.connect().call, "account.reset", token=token, password="another password")

    def test_a_reset_is_worth_nothing_once_the_address_changed(self):
        client, name, _, to = self.confirmed()
        self.connect().call("account.reset", name=name)
        token = self.token(to, "reset")
        client.call("account.set", email="", password=base.PASSWORD)
        self.refused("not_found", self.connect().call, "account.reset", token=token, password="another password")

    def test_a_disabled_account_is_mailed_nothing(self):
        import subprocess
        _, name, _, to = self.confirmed()
        subprocess.run([base.DAEMON, "--database", self.daemon.database, "account", "disable", name], check=True)
        asker = self.connect()
        asker.call("account.reset", name=name)
        # Mails go out in order: the next one is here, so that one was never sent.
        _, other, _, there = self.confirmed()
        asker.call("account.reset", name=other)
        self.token(there, "reset")
        self.assertTrue(self.box.none_to(to))

    def test_a_sign_in_from_elsewhere_is_told(self):
        """A network is the first 24 bits of an IPv4 address, 48 of IPv6; the first one is no news."""
        client, name, _, to = self.confirmed()

        def sign_in(address):
            other = self.connect(headers=["X-Forwarded-For: " + address])
            other.call("account.login", name=name, password=base.PASSWORD)
            return other.call("account.audit", limit=1)["entries"][0].get("detail", {}).get("new_network", False)
        self.assertIs(sign_in("127.0.0.9"), False)
        self.assertIs(sign_in("203.0.113.7"), True)
        _, text = self.box.wait(to)
        self.assertIn(name, text)
        self.assertNotIn("203.0.113", text)
        self.assertIs(sign_in("203.0.113.99"), False)
        self.assertIs(sign_in("203.0.114.7"), True)
        self.assertIs(sign_in("2001:db8:1:2::3"), True)
        self.assertIs(sign_in("2001:db8:1:ffff::3"), False)
        self.assertIs(sign_in("2001:db8:2::3"), True)
        self.assertTrue("203.0" not in str(client.call("account.export")))

    def test_nothing_of_a_name_becomes_a_header(self):
        client, _, _ = self.account()
        for bad in ("a@b\r\nBcc: c@example.org", "a@b\nX: y", "<a@b>", "a b@c", "a@b,c@d", "a@@b"):
            self.refused("invalid_params", client.call, "account.set", email=bad)


class MailsAreCounted(WithMailbox):
    limits = ""

    def test_resets_of_a_name_are_limited_known_or_not(self):
        _, name, _, _ = self.confirmed()
        for who in (name, "Nobody-here"):
            asker = self.connect()
            for i in range(5):
                asker.call("account.reset", name=who.upper() if i % 2 else who)
            data = self.refused("rate_limited", asker.call, "account.reset", name=who)
            self.assertGreater(data["retry_after_ms"], 1000)


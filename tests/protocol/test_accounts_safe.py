"""What makes accounts safe: the second factor, passwords, audits, sign-ins. PROTOCOL section 3."""
import sqlite3
import time

import base
import totp
import vedette


class SecondFactor(base.WithDaemon):
    def switched_on(self):
        """An account with a second factor: (client, name, token, secret, recovery codes). Used up are the steps up to this one
        (which counts though the next begins meanwhile), and the last of totp.codes is not."""
        client, name, token = self.account()
        begun = client.call("account.totp", do="begin", password=base.PASSWORD)
        self.assertIn(begun["secret"], begun["uri"])
        self.assertFalse(client.call("account.get")["totp"])
        done = client.call("account.totp", do="confirm", code=totp.codes(begun["secret"])[1])
        return client, name, token, begun["secret"], done["recovery"]

    def test_a_sign_in_needs_a_code_from_then_on(self):
        client, name, _, secret, recovery = self.switched_on()
        self.assertEqual(len(set(recovery)), 10)
        settings = client.call("account.get")
        self.assertTrue(settings["totp"])
        self.assertEqual(settings["recovery_left"], 10)
        other = self.connect()
        data = self.refused("bad_credentials", other.call, "account.login", name=name, password=base.PASSWORD)
        self.assertEqual(data["reason"], "code")
        data = self.refused("bad_credentials", other.call, "account.login", name=name, password=base.PASSWORD, code="000000")
        self.assertEqual(data["reason"], "code")
        other.call("account.login", name=name, password=base.PASSWORD, code=totp.codes(secret)[2])
        self.assertEqual(other.call("account.get")["name"], name)

    def test_a_wrong_password_says_nothing_of_the_factor(self):
        _, name, _, secret, _ = self.switched_on()
        other = self.connect()
        answers = []
        for who, code in ((name, None), (name, "000000"), (name, totp.codes(secret)[2]), ("Nobody-here", "000000")):
            with self.assertRaises(vedette.Refused) as caught:
                other.call("account.login", name=who, password="wrong password", **({"code": code} if code else {}))
            answers.append(caught.exception.error)
        for answer in answers:
            self.assertEqual(answer, answers[0])
            self.assertNotIn("reason", answer["data"])

    def test_a_code_counts_once(self):
        _, name, _, secret, _ = self.switched_on()
        other = self.connect()
        code = totp.codes(secret)[2]
        other.call("account.login", name=name, password=base.PASSWORD, code=code)
        data = self.refused("bad_credentials", other.call, "account.login", name=name, password=base.PASSWORD, code=code)
        self.assertEqual(data["reason"], "code")

    def test_a_recovery_code_counts_once(self):
        client, name, _, _, recovery = self.switched_on()
        other = self.connect()
        other.call("account.login", name=name, password=base.PASSWORD, code=recovery[3].lower().replace("-", ""))
        self.refused("bad_credentials", other.call, "account.login", name=name, password=base.PASSWORD, code=recovery[3])
        self.assertEqual(client.call("account.get")["recovery_left"], 9)
        fresh = client.call("account.totp", do="codes", password=base.PASSWORD, code=recovery[4])["recovery"]
        self.refused("bad_credentials", other.call, "account.login", name=name, password=base.PASSWORD, code=recovery[5])
        other.call("account.login", name=name, password=base.PASSWORD, code=fresh[0])

    def test_off_needs_password_and_code(self):
        client, name, _, secret, recovery = self.switched_on()
        self.refused("invalid_params", client.call, "account.totp", do="off", password=base.PASSWORD)
        self.refused("invalid_params", client.call, "account.totp", do="off", code=recovery[0])
        self.refused("bad_credentials", client.call, "account.totp", do="off", password="wrong password", code=recovery[0])
        data = self.refused("bad_credentials", client.call, "account.totp", do="off", password=base.PASSWORD, code="000000")
        self.assertEqual(data["reason"], "code")
        client.call("account.totp", do="off", password=base.PASSWORD, code=recovery[0])
        self.assertFalse(client.call("account.get")["totp"])
        self.connect().call("account.login", name=name, password=base.PASSWORD)
        self.assertEqual(self.refused("conflict", client.call, "account.totp", do="off", password=base.PASSWORD,
                                      code=recovery[1])["reason"], "totp")

    def test_beginning_twice_and_confirming_nothing(self):
        client, _, _ = self.account()
        self.assertEqual(self.refused("conflict", client.call, "account.totp", do="confirm", code="123456")["reason"], "totp")
        self.refused("bad_credentials", client.call, "account.totp", do="begin", password="wrong password")
        first = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        second = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        self.assertNotEqual(first, second)
        self.refused("bad_credentials", client.call, "account.totp", do="confirm", code=totp.code(first))
        client.call("account.totp", do="confirm", code=totp.code(second))
        self.assertEqual(self.refused("conflict", client.call, "account.totp", do="begin", password=base.PASSWORD)["reason"],
                         "totp")

    def test_tokens_of_scripts_need_no_code_and_cannot_touch_it(self):
        client, name, _, _, recovery = self.switched_on()
        token = client.call("account.token", label="script", scope="play")["token"]
        script = self.connect()
        self.assertEqual(script.call("account.resume", token=token)["account"]["name"], name)
        for params in ({"do": "begin", "password": base.PASSWORD}, {"do": "off", "password": base.PASSWORD,
                                                                   "code": recovery[0]}):
            self.refused("forbidden", script.call, "account.totp", **params)
        self.refused("forbidden", script.call, "account.audit")
        self.refused("forbidden", script.call, "account.password", old=base.PASSWORD, password="another password")

    def test_the_secret_is_nowhere_in_the_clear(self):
        client, _, _, secret, recovery = self.switched_on()
        export = str(client.call("account.export"))
        self.assertNotIn(secret, export)
        for code in recovery:
            self.assertNotIn(code, export)
        import base64
        with open(self.daemon.database + "-wal", "rb") as file:
            stored = file.read()
        with open(self.daemon.database, "rb") as file:
            stored += file.read()
        self.assertNotIn(base64.b32decode(secret), stored)
        self.assertNotIn(secret.encode(), stored)

    def test_delete_needs_the_code(self):
        client, name, _, _, recovery = self.switched_on()
        self.assertEqual(self.refused("bad_credentials", client.call, "account.delete", password=base.PASSWORD)["reason"], "code")
        client.call("account.delete", password=base.PASSWORD, code=recovery[0])
        self.refused("not_found", self.connect().call, "account.profile", name=name)


class CodesAreCounted(base.WithDaemon):
    limits = ""

    def test_wrong_codes_are_limited_by_account_right_ones_of_others_are_not(self):
        client, name, _ = self.account()
        secret = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        client.call("account.totp", do="confirm", code=totp.codes(secret)[1])
        other = self.connect()
        for i in range(5):  # however the name is written
            self.refused("bad_credentials", other.call, "account.login", name=name.upper() if i % 2 else name.lower(),
                         password=base.PASSWORD, code="000000")
        data = self.refused("rate_limited", other.call, "account.login", name=name, password=base.PASSWORD, code="000000")
        self.assertGreater(data["retry_after_ms"], 0)
        # A missing code asks for one still, and costs nothing.
        self.assertEqual(self.refused("bad_credentials", other.call, "account.login", name=name,
                                      password=base.PASSWORD)["reason"], "code")
        self.account()

    def at_once(self, count, **params):
        """So many sign-ins in one request, before one of them is answered: the kinds of the answers, sorted."""
        status, answers = self.daemon.post([{"jsonrpc": "2.0", "id": i, "method": "account.login", "params": params} for i in range(count)])
        self.assertEqual(status, 200)
        return sorted(answer["error"]["data"]["kind"] if "error" in answer else "ok" for answer in answers)

    def test_passwords_tried_at_once_count_as_those_tried_one_by_one(self):
        """Ten, and those are charged while they are still looked at."""
        _, name, _ = self.account()
        for _ in range(2):  # whoever knows it may sign in as often as he likes
            self.assertEqual(self.at_once(10, name=name, password=base.PASSWORD), ["ok"] * 10)
        self.assertEqual(self.at_once(16, name=name, password="wrong password"), ["bad_credentials"] * 10 + ["rate_limited"] * 6)
        self.assertEqual(self.at_once(2, name=name, password="wrong password"), ["rate_limited"] * 2)

    def test_codes_tried_at_once_count_as_those_tried_one_by_one(self):
        client, name, _ = self.account()
        secret = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        client.call("account.totp", do="confirm", code=totp.codes(secret)[0])
        self.assertEqual(self.at_once(16, name=name, password=base.PASSWORD, code="000000"),
                         ["bad_credentials"] * 5 + ["rate_limited"] * 11)
        # The password was right each time: without a code the one that is missing is asked for still.
        for _ in range(12):
            self.assertEqual(self.at_once(1, name=name, password=base.PASSWORD), ["bad_credentials"])
        self.assertEqual(self.at_once(2, name=name, password=base.PASSWORD, code="000000"), ["rate_limited"] * 2)

    def test_a_wrong_password_with_a_code_is_charged_as_a_password(self):
        _, name, _ = self.account()
        other = self.connect()
        for i in range(10):
            self.refused("bad_credentials", other.call, "account.login", name=name.upper() if i % 2 else name,
                         password="wrong password", code="000000")
        self.refused("rate_limited", other.call, "account.login", name=name, password="wrong password", code="000000")


class Passwords(base.WithDaemon):
    def test_a_new_password_ends_the_other_sign_ins(self):
        client, name, token = self.account()
        other = self.connect()
        other.call("account.login", name=name, password=base.PASSWORD)
        script = client.call("account.token", label="script", scope="read")["token"]
        self.refused("bad_credentials", client.call, "account.password", old="wrong password", password="another password")
        self.refused("invalid_params", client.call, "account.password", old=base.PASSWORD, password="short")
        client.call("account.password", old=base.PASSWORD, password="another password")
        self.assertEqual(other.wait_closed(), 4001)
        self.assertEqual(client.call("account.get")["name"], name)
        self.assertEqual(len(client.call("account.tokens")["tokens"]), 1)
        third = self.connect()
        third.call("account.resume", token=token)
        self.refused("bad_credentials", self.connect().call, "account.resume", token=script)
        self.refused("bad_credentials", third.call, "account.login", name=name, password=base.PASSWORD)
        third.call("account.login", name=name, password="another password")

    def test_without_mail_a_reset_is_refused_alike_for_everybody(self):
        _, name, _ = self.account()
        client = self.connect()
        for who in (name, "Nobody-here"):
            self.assertEqual(self.refused("conflict", client.call, "account.reset", name=who)["reason"], "no_mail")
        self.refused("not_found", client.call, "account.reset", token="A" * 43, password="another password")
        self.refused("not_found", client.call, "account.confirm", token="A" * 43)
        self.refused("not_signed_in", client.call, "account.confirm")
        for params in ({}, {"name": name, "token": "x"}, {"name": name, "password": "another password"}, {"token": "x"}):
            self.refused("invalid_params", client.call, "account.reset", **params)


class Audit(base.WithDaemon):
    def whats(self, client):
        return [entry["what"] for entry in client.call("account.audit")["entries"]]

    def test_what_happened_newest_first(self):
        client, name, _ = self.account()
        made = client.call("account.token", label="mine", scope="read")
        client.call("account.revoke", token_id=made["token_id"])
        self.connect().call("account.login", name=name, password=base.PASSWORD)
        entries = client.call("account.audit")["entries"]
        self.assertEqual([e["what"] for e in entries], ["signed_in", "token_revoked", "token_made", "registered"])
        self.assertEqual([e["n"] for e in entries], [4, 3, 2, 1])
        self.assertEqual({e["by"] for e in entries}, {"self"})
        self.assertEqual(entries[2]["detail"], {"label": "mine"})

    def test_pages(self):
        client, _, _ = self.account()
        for i in range(4):
            client.call("account.token", label="t%d" % i, scope="read")
        first = client.call("account.audit", limit=2)
        self.assertEqual([e["n"] for e in first["entries"]], [5, 4])
        rest = client.call("account.audit", before=first["next"], limit=200)
        self.assertEqual([e["n"] for e in rest["entries"]], [3, 2, 1])
        self.assertNotIn("next", rest)
        self.refused("invalid_params", client.call, "account.audit", limit=201)
        self.refused("invalid_params", client.call, "account.audit", before=0)

    def test_one_s_own_alone(self):
        client, _, _ = self.account()
        other, _, _ = self.account()
        client.call("account.token", label="mine", scope="read")
        self.assertEqual(self.whats(other), ["registered"])

    def test_failed_codes_are_in_it(self):
        client, name, _ = self.account()
        secret = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        recovery = client.call("account.totp", do="confirm", code=totp.codes(secret)[1])["recovery"]
        other = self.connect()
        self.refused("bad_credentials", other.call, "account.login", name=name, password=base.PASSWORD, code="000000")
        other.call("account.login", name=name, password=base.PASSWORD, code=recovery[0])
        self.assertEqual(self.whats(client), ["signed_in", "recovery_used", "code_failed", "totp_on", "registered"])

    def test_only_the_newest_are_kept(self):
        client, _, _ = self.account()
        for i in range(300):
            made = client.call("account.token", label="t", scope="read")
            client.call("account.revoke", token_id=made["token_id"])
        entries, before = [], {}
        while True:
            page = client.call("account.audit", limit=200, **before)
            entries += page["entries"]
            if "next" not in page:
                break
            before = {"before": page["next"]}
        self.assertEqual(len(entries), 500)
        self.assertEqual(entries[0]["n"], 601)
        self.assertEqual(entries[-1]["n"], 102)


class SignIns(base.WithDaemon):
    def test_the_list_says_what_each_is(self):
        client = self.connect()
        client.call("server.hello", client="a test")
        name = "Q%sx" % base.number_word(next(base.numbers))
        client.call("account.register", name=name, password=base.PASSWORD)
        other = self.connect()
        other.call("account.login", name=name, password=base.PASSWORD)
        rows = client.call("account.tokens")["tokens"]
        self.assertEqual([(row.get("client"), row["current"], row["scope"]) for row in rows],
                         [("a test", True, "all"), (None, False, "all")])
        for row in rows:
            self.assertGreater(row["created_at"], 1600000000000)
            self.assertGreaterEqual(row["used_at"], row["created_at"])

    def test_export_names_all_that_is_stored(self):
        client, name, _ = self.account()
        export = client.call("account.export")
        for member in ("account", "tokens", "blocked", "seats", "messages", "nonces", "notes", "audit"):
            self.assertIn(member, export)
        self.assertEqual(export["account"]["name"], name)


class Leaving(base.WithDaemon):
    def test_open_matches_are_left_and_made_ones_withdrawn(self):
        leaver, name, _ = self.account()
        other, _, _ = self.account()
        alone = leaver.call("match.create", game="waterloo", seat="FR")["match"]
        joined = other.call("match.create", game="waterloo", seat="FR", options={"players": 3})["match"]
        leaver.call("match.join", match=joined, seat="AD")
        leaver.call("account.delete", password=base.PASSWORD)
        self.assertEqual(self.connect().call("match.get", match=alone)["state"], "aborted")
        summary = other.call("match.get", match=joined)
        self.assertEqual(summary["state"], "open")
        self.assertNotIn("account", summary["seats"]["AD"])

    def running(self, **params):
        (leaver, name, _), (other, _, _) = self.account(), self.account()
        match = other.call("match.create", game="waterloo", seat="FR", **params)["match"]
        leaver.call("match.join", match=match)
        return leaver, other, match

    def test_a_running_match_is_resigned(self):
        leaver, other, match = self.running()
        leaver.call("match.say", match=match, channel="table", text="farewell to arms")
        leaver.call("match.note", match=match, text="nobody must read this")
        other.call("match.watch", match=match)
        other.push("match.view")
        leaver.call("account.delete", password=base.PASSWORD)
        other.push("match.view", lambda params: params["view"]["state"] == "GAME_OVER")
        summary = other.call("match.get", match=match)
        self.assertEqual(summary["state"], "over")
        self.assertEqual(summary["result"]["winners"], ["FR"])
        self.assertEqual(summary["seats"]["AL"]["account"], "deleted player")
        talk = other.call("match.talk", match=match, channel="table")
        self.assertNotIn("farewell", str(talk))
        self.daemon.stop()
        for suffix in ("", "-wal"):
            try:
                with open(self.daemon.database + suffix, "rb") as file:
                    self.assertNotIn(b"nobody must read this", file.read())
            except FileNotFoundError:
                pass
        self.daemon.start()

    def test_where_the_ladder_knows_substitutes_the_seat_is_offered(self):
        clock = {"kind": "correspondence", "per_move_s": 86400, "bank_s": 0,
                 "ladder": {"grace_s": 3600, "misses": 1, "then": [{"do": "substitute", "for_s": 86400}, {"do": "forfeit"}]}}
        leaver, other, match = self.running(clock=clock)
        other.call("match.watch", match=match)
        leaver.call("account.delete", password=base.PASSWORD)
        other.push("match.view", lambda params: any(e["ev"] == "seat_changed" and e["how"] == "vacant"
                                                    for e in params["view"]["events"]))
        summary = other.call("match.get", match=match)
        self.assertEqual(summary["state"], "running")
        third, name, _ = self.account()
        third.call("match.substitute", match=match, seat="AL")
        self.assertEqual(other.call("match.get", match=match)["seats"]["AL"]["account"], name)

    def test_who_was_deleted_while_no_daemon_ran_leaves_at_its_start(self):
        leaver, name, _ = self.account()
        other, _, token = self.account()
        match = other.call("match.create", game="waterloo", seat="FR")["match"]
        leaver.call("match.join", match=match)
        self.daemon.stop()
        import subprocess
        subprocess.run([base.DAEMON, "--database", self.daemon.database, "account", "delete", name], check=True)
        self.daemon.start()
        other = self.connect()
        other.call("account.resume", token=token)
        other.call("match.watch", match=match)
        other.push("match.view", lambda params: params["view"]["state"] == "GAME_OVER")
        self.assertEqual(other.call("match.get", match=match)["state"], "over")


# Where an account's id stands, and under which member of account.export that is told; None: what others need, or what is
# told as part of another.
STORED = {
    ("account", "id"): "account", ("token", "account"): "tokens", ("block", "account"): "blocked", ("block", "blocked"): None,
    ("match", "creator"): "made", ("seat", "account"): "seats", ("seat", "owner"): "lent", ("invite", "account"): "invitations",
    ("answer", "account"): "action_ids", ("message", "account"): "messages", ("nonce_commit", "account"): "nonces",
    ("note", "account"): "notes", ("draft", "account"): "drafts", ("holder", "account"): "held_before",
    ("sight", "account"): "seen_whole", ("bar", "account"): "shut_out_of", ("mute", "account"): "muted",
    ("mute", "muted"): None, ("read_mark", "account"): "read", ("seen", "account"): "seen",
    ("match_notices", "account"): "match_notices", ("notice", "account"): "notices", ("delivery", "account"): "deliveries",
    ("endpoint", "account"): "endpoints", ("calendar", "account"): "calendar", ("report", "reporter"): "reports",
    ("report", "accused"): None, ("look", "account"): "looks", ("seen_network", "account"): "networks",
    ("recovery_code", "account"): "recovery_codes", ("mailed_token", "account"): "mailed", ("audit", "account"): "audit",
    ("audit", "by"): None, ("account_notice", "account"): None,
}
# Where the id stays when the account has gone, without a name: matches outlive their players.
STAYS = {("match", "creator"), ("seat", "account"), ("holder", "account"), ("sight", "account"), ("look", "account"),
         ("message", "account"), ("report", "reporter"), ("report", "accused"), ("nonce_commit", "account")}
# Kept by seat: told to who sits there.
BY_SEAT = {"standing": "standing", "held": "held"}
NAMES = {"account", "owner", "creator", "reporter", "accused", "blocked", "muted", "by"}


class Everything(base.WithDaemon):
    """What is stored about a person is told to him, and goes with him."""

    def stored(self):
        with sqlite3.connect("file:%s?mode=ro" % self.daemon.database, uri=True) as database:
            tables = [row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return {table: [row[1] for row in database.execute("PRAGMA table_info(%s)" % table)] for table in tables}

    def test_every_table_with_an_account_is_told_of(self):
        client, _, _ = self.account()
        export = client.call("account.export")
        tables = self.stored()
        columns = {(table, column) for table, names in tables.items() for column in names if column in NAMES}
        columns |= {("account", "id")}
        self.assertEqual(columns - set(STORED), set(), "not known to this test, nor perhaps to the export")
        for member in [m for m in STORED.values() if m] + list(BY_SEAT.values()):
            self.assertIn(member, export)

    def test_all_of_it_is_told_and_erased(self):
        (client, name, _), (other, other_name, _) = self.account(), self.account()
        match = other.call("match.create", game="waterloo", seat="FR", invite=[name])["match"]
        client.call("match.join", match=match)
        client.call("match.create", game="waterloo", title="a match of mine")
        client.call("account.set", email="somebody@example.org", timezone="Europe/Brussels")
        client.call("account.block", name=other_name, on=True)
        client.call("match.note", match=match, text="a note of mine")
        client.call("match.draft", match=match, version=0, actions=[{"do": "end_movement"}])
        client.call("match.say", match=match, channel="table", text="words of mine")
        client.call("match.read", match=match, channel="table", n=1)
        client.call("match.mute", match=match, name=other_name, on=True)
        client.call("account.token", label="a label of mine", scope="read")
        client.call("account.nonces", commits=["A" * 42 + "%s" % c for c in "AEI"])
        secret = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        codes = client.call("account.totp", do="confirm", code=totp.codes(secret)[1])["recovery"]
        export = client.call("account.export")
        for member, text in (("notes", "a note of mine"), ("drafts", "end_movement"), ("messages", "words of mine"),
                             ("made", "a match of mine"), ("tokens", "a label of mine"), ("blocked", other_name),
                             ("muted", other_name), ("account", "somebody@example.org"), ("account", "Europe/Brussels"),
                             ("seats", match), ("read", match), ("invitations", match), ("audit", "totp_on"),
                             ("recovery_codes", "used")):
            self.assertIn(text, str(export[member]), member)
        self.assertEqual(len(export["nonces"]), 3)
        with sqlite3.connect("file:%s?mode=ro" % self.daemon.database, uri=True) as database:
            account = database.execute("SELECT id FROM account WHERE name = ?", (name,)).fetchone()[0]
        client.call("account.delete", password=base.PASSWORD, code=codes[0])
        self.assertEqual(self.daemon.stop(), 0)
        with sqlite3.connect(self.daemon.database) as database:
            for table, column in STORED:
                count = database.execute("SELECT count(*) FROM %s WHERE %s = ?" % (table, column), (account,)).fetchone()[0]
                if (table, column) not in STAYS:
                    self.assertEqual(count, 0, (table, column))
            text = "\n".join(str(row) for row in database.iterdump())
        for word in (name, "a note of mine", "words of mine", "a label of mine", "somebody@example.org", "a match of mine"):
            self.assertNotIn(word, text)
        self.daemon.start()


class Blocks(base.WithDaemon):
    """account.block acts everywhere, and the blocked one is not told."""

    def pair(self):
        (blocker, blocker_name, _), (blocked, blocked_name, _) = self.account(), self.account()
        blocker.call("account.block", name=blocked_name, on=True)
        return blocker, blocker_name, blocked, blocked_name

    def test_profile(self):
        blocker, blocker_name, blocked, blocked_name = self.pair()
        self.assertIs(blocker.call("account.profile", name=blocked_name)["blocked"], True)
        self.assertNotIn("blocked", blocked.call("account.profile", name=blocker_name))
        self.assertNotIn("blocked", self.connect().call("account.profile", name=blocked_name))

    def test_invitations_do_not_come(self):
        blocker, blocker_name, blocked, _ = self.pair()
        match = blocked.call("match.create", game="waterloo", seat="FR", access="invite", invite=[blocker_name])["match"]
        self.refused("not_found", blocker.call, "match.get", match=match)

    def test_it_joins_nothing_where_the_other_sits_or_what_it_made(self):
        blocker, _, blocked, _ = self.pair()
        third, _, _ = self.account()
        made = blocker.call("match.create", game="waterloo", seat="FR")["match"]
        self.refused("forbidden", blocked.call, "match.join", match=made)
        sits = third.call("match.create", game="waterloo", seat="FR", options={"players": 3})["match"]
        blocker.call("match.join", match=sits, seat="AD")
        self.refused("forbidden", blocked.call, "match.join", match=sits, seat="PR")
        private = blocker.call("match.create", game="waterloo", seat="FR", access="private")
        self.refused("forbidden", blocked.call, "match.join", match=private["match"], code=private["seats"]["AL"]["code"])

    def test_neither_finds_the_other_s_open_matches(self):
        blocker, _, blocked, _ = self.pair()
        mine = blocker.call("match.create", game="waterloo", seat="FR")["match"]
        its = blocked.call("match.create", game="waterloo", seat="FR")["match"]

        def listed(client):
            return [m["match"] for m in client.call("match.list", filter="open", limit=100)["matches"]]
        self.assertIn(mine, listed(blocker))
        self.assertNotIn(its, listed(blocker))
        self.assertIn(its, listed(blocked))
        self.assertNotIn(mine, listed(blocked))

    def test_it_takes_over_no_seat_and_is_lent_none(self):
        blocker, _, blocked, blocked_name = self.pair()
        third, _, _ = self.account()
        match = third.call("match.create", game="waterloo", seat="FR", spectators="public")["match"]
        blocker.call("match.join", match=match)
        for client in (third, blocker):
            client.call("match.get", match=match)
        self.refused("not_found", third.call, "match.lend", match=match, name=blocked_name, until=int(time.time() * 1000) + 86400000)
        third.call("match.vacate", match=match)
        self.refused("forbidden", blocked.call, "match.substitute", match=match, seat="FR")

    def test_what_it_says_is_not_shown(self):
        (blocker, _, _), (blocked, blocked_name, _) = self.account(), self.account()
        match = blocked.call("match.create", game="waterloo", seat="FR")["match"]
        blocker.call("match.join", match=match)
        blocked.call("match.say", match=match, channel="table", text="before")
        blocker.call("account.block", name=blocked_name, on=True)
        blocked.call("match.say", match=match, channel="table", text="after")
        self.assertEqual(blocker.call("match.talk", match=match, channel="table")["messages"], [])
        blocker.call("account.block", name=blocked_name, on=False)
        self.assertEqual([m["text"] for m in blocker.call("match.talk", match=match, channel="table")["messages"]],
                         ["before", "after"])

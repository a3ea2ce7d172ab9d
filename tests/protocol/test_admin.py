"""`vedetted account`: on a database that nobody serves, and on one that a daemon does."""
import json
import subprocess
import threading

import base
import totp
import vedette


class Admin(base.WithDaemon):
    def admin(self, *words, password=None, code=0):
        done = subprocess.run([base.DAEMON, "--database", self.daemon.database, "account", *words], check=False,
                              capture_output=True, text=True, input=None if password is None else password + "\n",
                              stdin=subprocess.DEVNULL if password is None else None, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr if code else done.stdout


class Served(Admin):
    """Everything while the daemon plays on."""

    def test_disable_cuts_open_connections_and_enable_lets_in_again(self):
        client, name, token = self.account()
        self.admin("disable", name)
        self.assertEqual(client.wait_closed(), 4001)
        other = self.connect()
        self.refused("bad_credentials", other.call, "account.resume", token=token)
        data = self.refused("forbidden", other.call, "account.login", name=name, password=base.PASSWORD)
        self.assertEqual(data["reason"], "disabled")
        self.refused("bad_credentials", other.call, "account.login", name=name, password="wrong password")
        status, _, _ = self.daemon.http("POST", "/rpc", body=json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "account.get"}), headers={"Authorization": "Bearer " + token})
        self.assertEqual(status, 401)
        self.admin("enable", name)
        other.call("account.login", name=name, password=base.PASSWORD)
        whats = [(e["what"], e["by"]) for e in other.call("account.audit")["entries"]]
        self.assertEqual(whats[:3], [("signed_in", "self"), ("enabled", "admin"), ("disabled", "admin")])

    def test_create_password_and_reset(self):
        name = "By-hand%s" % base.number_word(next(base.numbers))
        self.admin("create", name, password="first password")
        client = self.connect()
        client.call("account.login", name=name, password="first password")
        self.admin("create", name.upper(), password="first password", code=1)
        self.admin("password", name, password="second password")
        self.assertEqual(client.wait_closed(), 4001)
        client = self.connect()
        client.call("account.login", name=name, password="second password")
        token = self.admin("reset", name).strip()
        self.connect().call("account.reset", token=token, password="third password")
        self.assertEqual(client.wait_closed(), 4001)
        client = self.connect()
        self.refused("not_found", client.call, "account.reset", token=token, password="fourth password")
        client.call("account.login", name=name, password="third password")
        self.assertEqual([(e["what"], e["by"]) for e in client.call("account.audit")["entries"]],
                         [("signed_in", "self"), ("reset", "self"), ("reset_asked", "admin"), ("signed_in", "self"),
                          ("password_changed", "admin"), ("signed_in", "self"), ("created", "admin")])

    def test_a_reset_by_hand_is_no_way_round_the_second_factor(self):
        client, name, _ = self.account()
        secret = client.call("account.totp", do="begin", password=base.PASSWORD)["secret"]
        recovery = client.call("account.totp", do="confirm", code=totp.codes(secret)[1])["recovery"]
        token = self.admin("reset", name).strip()
        other = self.connect()
        for params in ({}, {"code": "000000"}):
            data = self.refused("bad_credentials", other.call, "account.reset", token=token, password="another password",
                                **params)
            self.assertEqual(data["reason"], "code")
        client.call("account.get")
        other.call("account.reset", token=token, password="another password", code=recovery[0])

    def test_rename(self):
        client, name, _ = self.account()
        other, taken, _ = self.account()
        self.admin("rename", name, taken, code=1)
        fresh = "Renamed%s" % base.number_word(next(base.numbers))
        self.admin("rename", name, fresh)
        self.assertEqual(client.wait_closed(), 4001)
        self.refused("not_found", other.call, "account.profile", name=name)
        client = self.connect()
        client.call("account.login", name=fresh, password=base.PASSWORD)
        entry = client.call("account.audit")["entries"][1]
        self.assertEqual((entry["what"], entry["by"], entry["detail"]), ("renamed", "admin", {"was": name}))

    def test_roles_show_audit_list(self):
        client, name, token = self.account()
        self.admin("role", name, "referee", "on")
        self.admin("role", name, "organiser", "on")
        self.assertEqual(client.wait_closed(), 4001)
        client = self.connect()
        self.assertEqual(client.call("account.resume", token=token)["account"]["roles"], ["referee", "organiser"])
        shown = json.loads(self.admin("show", name))
        self.assertEqual((shown["name"], shown["roles"], shown["totp"]), (name, ["referee", "organiser"], False))
        self.admin("role", name, "referee", "off")
        self.assertEqual(client.wait_closed(), 4001)
        lines = self.admin("audit", name).splitlines()
        self.assertEqual([line.split()[1] for line in lines], ["registered", "role", "role", "role"])
        self.assertIn("referee,organiser", lines[2])
        row = [line for line in self.admin("list").splitlines() if name in line]
        self.assertRegex(row[0], r"person  %s  \(organiser\)$" % name)
        # No role is to be had over the wire.
        self.refused("invalid_params", self.account()[0].call, "account.set", roles=["referee"])

    def test_delete(self):
        client, name, _ = self.account()
        self.admin("delete", name)
        self.assertEqual(client.wait_closed(), 4001)
        self.refused("not_found", self.connect().call, "account.profile", name=name)
        self.admin("show", name, code=1)

    def test_wrong_usage(self):
        _, name, _ = self.account()
        for words in ((), ("dance",), ("list", "more"), ("create",), ("role", name), ("role", name, "king", "on"),
                      ("role", name, "referee", "perhaps"), ("rename", name), ("rename", name, "a b")):
            self.admin(*words, code=2)
        self.admin("create", "Somebody", password="short", code=2)
        for words in (("disable",), ("enable",), ("reset",), ("delete",), ("show",), ("audit",)):
            self.assertIn("no account", self.admin(*words, "Nobody-here", code=1))
        self.assertIn("no account", self.admin("show", "!", code=1))

    def test_lines_go_on_being_stored_beside_it(self):
        """Commands and players write at the same time; no call of either fails."""
        client, _, _ = self.account()
        _, name, _ = self.account()
        failures = []

        def toggle():
            try:
                for _ in range(15):
                    self.admin("disable", name)
                    self.admin("enable", name)
            except AssertionError as error:
                failures.append(error)
        thread = threading.Thread(target=toggle)
        thread.start()
        count = 0
        while thread.is_alive() or count < 50:
            client.call("account.set", language="en" if count % 2 else "fr")
            count += 1
        thread.join()
        self.assertEqual(failures, [])


class Alone(Admin):
    def test_on_a_database_that_nobody_serves(self):
        client, name, token = self.account()
        client.close()
        self.assertEqual(self.daemon.stop(), 0)
        self.admin("disable", name)
        self.admin("role", name, "referee", "on")
        self.daemon.start()
        other = self.connect()
        self.refused("forbidden", other.call, "account.login", name=name, password=base.PASSWORD)
        self.assertEqual(self.daemon.stop(), 0)
        self.admin("enable", name)
        self.daemon.start()
        other = self.connect()
        self.refused("bad_credentials", other.call, "account.resume", token=token)
        self.assertEqual(other.call("account.login", name=name, password=base.PASSWORD)["account"]["roles"], ["referee"])


class Looks(Admin):
    """as: "all" of a running match is for a referee with a reason, and everybody hears of it (DESIGN 4)."""

    def match(self, **params):
        (first, _, _), (second, _, _) = self.account(), self.account()
        match = first.call("match.create", game="waterloo", seat="FR", **params)
        invited = match["seats"]["AL"].get("code")
        second.call("match.join", match=match["match"], **({"code": invited} if invited else {}))
        return match["match"], first, second

    def referee(self):
        client, name, token = self.account()
        self.admin("role", name, "referee", "on")
        client.wait_closed()
        client = self.connect()
        client.call("account.resume", token=token)
        return client, name, token

    def looked(self, client, match):
        """The reasons of the looks that this client's history of the match has."""
        return [event["reason"] for step in client.call("match.history", match=match)["steps"]
                for event in step["events"] if event["ev"] == "looked"]

    def test_who_takes_a_match_away_has_looked(self):
        """`vedetted export` writes all that is hidden: not without a line that all seats see, whether a daemon runs or not."""
        match, french, allied = self.match(spectators="public")
        open_match = french.call("match.create", game="waterloo", seat="FR")["match"]
        for client in (french, allied):
            client.call("match.watch", match=match)
            client.push("match.view")

        def export(match, code=0):
            done = subprocess.run([base.DAEMON, "--database", self.daemon.database, "export", match], check=False,
                                  capture_output=True, text=True, env=self.daemon.env, timeout=120)
            self.assertEqual(done.returncode, code, done.stderr)
            return done.stdout if code == 0 else done.stderr
        self.assertEqual(export(match).splitlines()[-1].count('"host":"look","reason":"vedetted export"'), 1)
        for client in (french, allied):
            push = client.push("match.view", lambda params: any(e["ev"] == "looked" for e in params["view"]["events"]))
            self.assertEqual(push["view"]["events"], [{"ev": "looked", "reason": "vedetted export"}])
        before = french.call("match.get", match=match)
        self.assertIn("has not begun", export(open_match, 1))
        self.assertIn("no match", export("aaaaaaaaaa", 1))
        self.assertEqual(self.looked(self.connect(), match), ["vedetted export"])
        self.assertEqual(self.daemon.stop(), 0)
        self.assertIn('"host":"look"', export(match).splitlines()[-1])
        done = subprocess.run([base.DAEMON, "--database", self.daemon.database, "check"], check=False,
                              capture_output=True, text=True, env=self.daemon.env)
        self.assertIn(" 0 faults", done.stdout)
        self.daemon.start()
        client = self.connect()
        self.assertEqual(self.looked(client, match), ["vedetted export"] * 2)
        after = client.call("match.get", match=match)
        self.assertEqual(after["seq"], before["seq"] + 1)
        self.assertNotEqual(after["chain"], before["chain"])

    def test_everybody_hears_of_it_before_it_is_answered(self):
        match, french, allied = self.match(spectators="public")
        spectator = self.connect()
        for client in (french, allied, spectator):
            client.call("match.watch", match=match)
            client.push("match.view")
        referee, name, _ = self.referee()
        view = referee.call("match.view", match=match, **{"as": "all"}, reason="A dispute about the set-up.")
        self.assertEqual(view["as"], "all")
        self.assertNotIn("actions", view)
        for client in (french, allied, spectator):
            push = client.push("match.view", lambda params: any(e["ev"] == "looked" for e in params["view"]["events"]))
            self.assertEqual([e for e in push["view"]["events"] if e["ev"] == "looked"],
                             [{"ev": "looked", "reason": "A dispute about the set-up."}])
        audit = referee.call("account.audit")["entries"][0]
        self.assertEqual((audit["what"], audit["detail"]), ("look", {"match": match, "reason": "A dispute about the set-up."}))

    def test_one_line_stands_for_a_while(self):
        match, french, _ = self.match()
        referee, _, token = self.referee()
        asked = {"match": match, "as": "all", "reason": "first"}
        referee.call("match.view", **asked)
        referee.call("match.history", **dict(asked, reason="second"))
        referee.call("match.replay", **dict(asked, reason="third"), seq=1)
        referee.call("match.ask", **dict(asked, reason="fourth"), question={"ask": "capacity", "side": "FR"})
        referee.call("match.wait", **dict(asked, reason="fifth"), after=0, timeout_s=1)
        referee.call("match.view", match=match, **{"as": "all"})
        self.assertEqual(self.looked(french, match), ["first"])
        # Also after a restart of the daemon.
        self.daemon.stop()
        self.daemon.start()
        referee = self.connect()
        referee.call("account.resume", token=token)
        referee.call("match.view", **dict(asked, reason="after the restart"))
        steps = referee.call("match.history", match=match, **{"as": "all"})["steps"]
        self.assertEqual([e["reason"] for step in steps for e in step["events"] if e["ev"] == "looked"], ["first"])

    def test_a_watch_of_the_whole(self):
        match, french, allied = self.match()
        referee, _, _ = self.referee()
        referee.call("match.watch", match=match, **{"as": "all"}, reason="To see how it goes on.")
        view = referee.push("match.view")["view"]
        self.assertEqual(view["as"], "all")
        allied.call("match.watch", match=match)
        mine = allied.push("match.view")["view"]
        self.assertEqual(mine["state"], view["state"])
        # A quiet line of one seat: he who sees the whole sees it.
        placement = next(form for form in mine["actions"] if form["do"] == "place")

        def first(form):
            if isinstance(form, list):
                return first(form[0])
            if isinstance(form, dict) and "list" in form:
                return [first(item) for item in form["list"]]
            if isinstance(form, dict) and "any_of" in form:
                return [first(item) for item in form["any_of"][:max(form.get("min", 1), 1)]]
            return {k: first(v) for k, v in form.items()} if isinstance(form, dict) else form
        allied.call("match.act", match=match, seq=mine["seq"], action=first(placement))
        after = referee.push("match.view", lambda params: params["view"]["seq"] > view["seq"])["view"]
        self.assertTrue(after["events"])

    def test_to_others_it_is_as_ever(self):
        match, french, allied = self.match()
        hidden, owner, _ = self.match(access="private")
        stranger, _, _ = self.account()
        admin, name, token = self.account()
        self.admin("role", name, "admin", "on")
        self.admin("role", name, "organiser", "on")
        admin.wait_closed()
        admin = self.connect()
        admin.call("account.resume", token=token)
        for client in (stranger, admin):
            self.refused("forbidden", client.call, "match.view", match=match, **{"as": "all"}, reason="let me")
            self.refused("not_found", client.call, "match.view", match=hidden, **{"as": "all"}, reason="let me")
        for client in (french, allied):
            data = self.refused("conflict", client.call, "match.view", match=match, **{"as": "all"}, reason="let me")
            self.assertEqual(data["reason"], "not_revealed")
        self.refused("not_signed_in", self.connect().call, "match.view", match=match, **{"as": "all"}, reason="let me")
        for client in (french, owner):
            self.assertEqual(self.looked(client, match if client is french else hidden), [])

    def test_a_referee_without_a_reason_or_with_none_worth_it(self):
        match, french, _ = self.match(spectators="public")
        referee, _, _ = self.referee()
        self.refused("conflict", referee.call, "match.view", match=match, **{"as": "all"})
        for reason in ("", "x" * 501, 5):
            data = self.refused("invalid_params", referee.call, "match.view", match=match, **{"as": "all"}, reason=reason)
            self.assertEqual(data["member"], "reason")
        for viewer in ("public", "FR"):
            self.refused("invalid_params", referee.call, "match.view", match=match, **{"as": viewer}, reason="a seat alone")
        self.refused("invalid_params", referee.call, "match.view", match=match, reason="nobody named")
        self.refused("forbidden", referee.call, "match.view", match=match, **{"as": "FR"})
        self.refused("not_found", referee.call, "match.view", match="abcdefghjk", **{"as": "all"}, reason="which")
        self.assertEqual(self.looked(french, match), [])

    def test_a_script_of_a_referee_looks_at_nothing(self):
        match, _, _ = self.match()
        referee, _, _ = self.referee()
        for scope in ("read", "play", "organise"):
            script = self.connect()
            script.call("account.resume", token=referee.call("account.token", label="s", scope=scope)["token"])
            self.refused("forbidden", script.call, "match.view", match=match, **{"as": "all"}, reason="a script")

    def test_who_has_a_seat_is_no_referee_of_the_match(self):
        client, name, token = self.referee()
        other, _, _ = self.account()
        match = client.call("match.create", game="waterloo", seat="FR")["match"]
        other.call("match.join", match=match)
        self.refused("forbidden", client.call, "match.view", match=match, **{"as": "all"}, reason="my own")
        self.assertEqual(self.looked(other, match), [])

    def test_a_match_among_friends_too(self):
        match, french, _ = self.match(access="private", spectators="none")
        referee, _, _ = self.referee()
        self.refused("not_found", referee.call, "match.view", match=match)
        referee.call("match.view", match=match, **{"as": "all"}, reason="asked by both")
        self.refused("not_found", referee.call, "match.view", match=match)
        self.assertEqual(self.looked(french, match), ["asked by both"])

    def test_the_role_taken_back_ends_the_look(self):
        match, _, _ = self.match()
        referee, name, token = self.referee()
        referee.call("match.view", match=match, **{"as": "all"}, reason="for now")
        self.admin("role", name, "referee", "off")
        referee.wait_closed()
        referee = self.connect()
        referee.call("account.resume", token=token)
        self.refused("forbidden", referee.call, "match.view", match=match, **{"as": "all"}, reason="still")
        self.refused("forbidden", referee.call, "match.view", match=match, **{"as": "all"})

    def test_the_record_has_the_line(self):
        match, french, allied = self.match()
        referee, _, _ = self.referee()
        referee.call("match.view", match=match, **{"as": "all"}, reason="for the record")
        french.call("match.resign", match=match)
        record = allied.call("match.record", match=match)["record"]
        lines = [json.loads(line) for line in record.splitlines()]
        self.assertEqual([line["reason"] for line in lines if line.get("host") == "look"], ["for the record"])
        # When it is over it is open to all: no line any more.
        referee.call("match.view", match=match, **{"as": "all"}, reason="no need")

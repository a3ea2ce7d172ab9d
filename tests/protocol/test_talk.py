"""Talk: the table, the channel of two allies (W18.2), the spectators' own; read marks, mute, report, limits."""
import subprocess
import time

import base


class Talk(base.WithDaemon):
    def three(self, **how):
        """A running match for three: {seat: (client, name, token)}, id."""
        people = dict(zip(("FR", "AD", "PR"), (self.account() for _ in range(3))))
        how = {"game": "waterloo", "options": {"players": 3}, "access": "open", "spectators": "public", **how}
        match = people["FR"][0].call("match.create", seat="FR", **how)["match"]
        for seat in ("AD", "PR"):
            people[seat][0].call("match.join", match=match, seat=seat)
        return people, match

    def two(self, **how):
        fr, al = self.account(), self.account()
        how = {"game": "waterloo", "access": "open", "spectators": "public", **how}
        match = fr[0].call("match.create", seat="FR", **how)["match"]
        al[0].call("match.join", match=match)
        return fr, al, match

    def act(self, client, match, **action):
        seq = client.call("match.view", match=match, actions=False)["seq"]
        return client.call("match.act", match=match, seq=seq, action=action)

    def auto(self, client, match):
        """The first form that is offered and fits, as it stands."""
        view = client.call("match.view", match=match)
        return view, view.get("actions", [])

    def place_all(self, client, match):
        """Sets everything up where the forms have it, and confirms."""
        while True:
            view = client.call("match.view", match=match)
            forms = view["actions"]
            if any(form["do"] == "confirm_setup" for form in forms):
                return self.act(client, match, do="confirm_setup")
            form = next(form for form in forms if form["do"] == "place")
            placements = form["placements"]
            one = placements["list"][0] if "list" in placements else placements["any_of"][0]
            while "list" in one:
                one = one["list"][0]
            placed = {k: v[0] if isinstance(v, list) else v for k, v in one.items()}
            self.act(client, match, do="place", placements=[placed])

    def said(self, client, match, channel, **how):
        return client.call("match.talk", match=match, channel=channel, **how)["messages"]


class Side(Talk):
    def test_open_in_the_set_up_closed_by_day_W18_2(self):
        people, match = self.three()
        fr, ad, pr = (people[seat][0] for seat in ("FR", "AD", "PR"))
        guest = self.account()[0]
        for client in (fr, ad, pr, guest):
            client.call("match.watch", match=match)
        self.assertEqual(ad.call("match.get", match=match)["talk"]["side"], {"open": True})
        self.assertNotIn("side", fr.call("match.get", match=match)["talk"])
        self.assertNotIn("side", guest.call("match.get", match=match)["talk"])
        message = ad.call("match.say", match=match, channel="side", text="Nivelles is mine", action_id="s1")
        self.assertEqual((message["channel"], message["n"], message["from"]), ("side", 1, "AD"))
        self.assertEqual(pr.push("match.said")["text"], "Nivelles is mine")
        self.assertEqual(pr.call("match.get", match=match)["talk"]["unread"], {"table": 0, "side": 1})
        # Nobody else hears, reads, counts or can guess of it.
        for client in (fr, guest):
            self.refused("forbidden", client.call, "match.talk", match=match, channel="side")
            self.refused("forbidden", client.call, "match.say", match=match, channel="side", text="x")
            self.refused("forbidden", client.call, "match.read", match=match, channel="side", n=1)
            self.refused("forbidden", client.call, "match.report", match=match, channel="side", n=1, text="x")
            self.assertNotIn("side", client.call("match.get", match=match)["talk"]["unread"])
        # The table counts for itself.
        self.assertEqual(fr.call("match.say", match=match, channel="table", text="bonjour")["n"], 1)
        self.assertEqual(guest.push("match.said"), {**self.said(guest, match, "table")[0], "match": match})
        # Both set up: it closes, and both are told; who does not sit there is not.
        self.place_all(ad, match)
        self.assertIs(pr.call("match.get", match=match)["talk"]["side"]["open"], True)
        self.place_all(pr, match)
        for client in (ad, pr):
            told = client.push("match.changed", lambda p: "talk" in p)["talk"]["side"]
            self.assertEqual(told, {"open": False, "opens": {"slot": 6, "date": "1815-06-16", "part": "night",
                                                             "side": "AL", "night": True}})
            self.assertEqual(client.call("match.get", match=match)["talk"]["side"], told)
        data = self.refused("illegal_action", pr.call, "match.say", match=match, channel="side", text="hold Ligny")
        self.assertEqual((data["rule"], data["opens"]["slot"]), ("W18.2", 6))
        # A message that was accepted is repeated to who lost the answer, also now.
        self.assertEqual(ad.call("match.say", match=match, channel="side", text="Nivelles is mine", action_id="s1"),
                         message)
        # What was said may be read again at any time, by the two.
        self.assertEqual([m["text"] for m in self.said(pr, match, "side")], ["Nivelles is mine"])
        for client in (fr, guest):
            client.call("server.hello")
            heard = [m for m in client.pushes if m["method"] == "match.changed" and "talk" in m["params"]]
            self.assertEqual(heard, [])
        # Also not after the end: it stays with its two seats.
        fr.call("match.resign", match=match)
        for client in (fr, guest):
            self.refused("forbidden", client.call, "match.talk", match=match, channel="side")
        self.assertEqual(len(self.said(ad, match, "side")), 1)

    def test_a_substitute_and_a_borrower_read_from_now_on(self):
        people, match = self.three()
        ad, pr = people["AD"][0], people["PR"][0]
        ad.call("match.say", match=match, channel="side", text="first")
        friend, name, _ = self.account()
        import time
        pr.call("match.lend", match=match, name=name, until=int(time.time() * 1000) + 3600000)
        ad.call("match.say", match=match, channel="side", text="second")
        self.assertEqual([m["text"] for m in self.said(friend, match, "side")], ["second"])
        self.assertEqual([m["text"] for m in self.said(pr, match, "side")], ["first", "second"])
        self.assertEqual(friend.call("match.say", match=match, channel="side", text="third")["n"], 3)
        pr.call("match.recall", match=match)
        self.refused("forbidden", friend.call, "match.talk", match=match, channel="side")
        self.assertEqual([m["from"] for m in self.said(pr, match, "side")], ["AD", "AD", "PR"])
        pr.call("match.vacate", match=match)
        sub = self.account()[0]
        sub.call("match.substitute", match=match, seat="PR")
        self.assertEqual(self.said(sub, match, "side"), [])
        self.refused("forbidden", pr.call, "match.talk", match=match, channel="side")
        ad.call("match.say", match=match, channel="side", text="fourth")
        self.assertEqual([(m["n"], m["text"]) for m in self.said(sub, match, "side")], [(4, "fourth")])
        self.assertEqual([m["text"] for m in self.said(ad, match, "side")], ["first", "second", "third", "fourth"])

    def test_who_is_left_alone_has_nobody_to_talk_to_W18_9(self):
        people, match = self.three()
        ad, pr = people["AD"][0], people["PR"][0]
        ad.call("match.say", match=match, channel="side", text="farewell")
        ad.call("match.resign", match=match)
        self.assertEqual(pr.call("match.get", match=match)["talk"]["side"], {"open": False})
        data = self.refused("illegal_action", pr.call, "match.say", match=match, channel="side", text="Blücher?")
        self.assertEqual(data["rule"], "W18.2")
        self.assertNotIn("opens", data)
        self.assertEqual(len(self.said(pr, match, "side")), 1)

    def test_a_match_for_two_has_none(self):
        fr, al, match = self.two()
        for client in (fr[0], al[0]):
            for method, more in (("match.talk", {}), ("match.say", {"text": "x"}), ("match.read", {"n": 1})):
                self.assertEqual(self.refused("invalid_params", client.call, method, match=match, channel="side",
                                              **more)["member"], "channel")
            self.assertNotIn("side", client.call("match.get", match=match)["talk"])

    def test_it_is_open_again_after_a_restart(self):
        people, match = self.three()
        people["AD"][0].call("match.say", match=match, channel="side", text="one")
        self.daemon.kill()
        self.daemon.start()
        pr = self.connect()
        pr.call("account.resume", token=people["PR"][2])
        self.assertEqual(pr.call("match.get", match=match)["talk"]["side"], {"open": True})
        self.assertEqual(pr.call("match.say", match=match, channel="side", text="two")["n"], 2)


class Watchers(Talk):
    def test_no_seat_hears_it_while_the_match_runs(self):
        fr, al, match = self.two()
        (guest, name, _), (other, _, _) = self.account(), self.account()
        nobody = self.connect()
        for client in (fr[0], al[0], guest, other, nobody):
            client.call("match.watch", match=match)
        seat_as_public = self.connect()
        seat_as_public.call("account.resume", token=fr[2])
        seat_as_public.call("match.watch", match=match, **{"as": "public"})
        message = guest.call("match.say", match=match, channel="watchers", text="FR sleeps")
        self.assertEqual((message["n"], message["from"]), (1, name))
        self.assertEqual(other.push("match.said")["text"], "FR sleeps")
        for client in (fr[0], al[0], seat_as_public, nobody):
            client.call("server.hello")
            self.assertEqual([m for m in client.pushes if m["method"] == "match.said"], [])
        for client in (fr[0], al[0], seat_as_public):
            self.refused("forbidden", client.call, "match.talk", match=match, channel="watchers")
            self.refused("forbidden", client.call, "match.say", match=match, channel="watchers", text="x")
            self.assertNotIn("watchers", client.call("match.get", match=match)["talk"]["unread"])
        # Who is not signed in might be a seat: he does not hear it either.
        self.refused("not_signed_in", nobody.call, "match.talk", match=match, channel="watchers")
        self.assertEqual(other.call("match.get", match=match)["talk"],
                         {"watchers": True, "unread": {"table": 0, "watchers": 1}})
        # Spectators do not speak at the table.
        self.refused("forbidden", guest.call, "match.say", match=match, channel="table", text="x")
        # After the end seats may read it, and not write.
        fr[0].call("match.resign", match=match)
        self.assertEqual([m["text"] for m in self.said(al[0], match, "watchers")], ["FR sleeps"])
        self.refused("forbidden", al[0].call, "match.say", match=match, channel="watchers", text="so I did")
        self.assertEqual(self.said(nobody, match, "watchers")[0]["from"], name)

    def test_nor_does_who_had_a_seat(self):
        _, al, match = self.two()
        guest = self.account()[0]
        guest.call("match.say", match=match, channel="watchers", text="well")
        al[0].call("match.vacate", match=match)
        self.account()[0].call("match.substitute", match=match, seat="AL")
        al[0].call("match.watch", match=match)
        self.refused("forbidden", al[0].call, "match.talk", match=match, channel="watchers")
        self.refused("forbidden", al[0].call, "match.say", match=match, channel="watchers", text="x")
        guest.call("match.say", match=match, channel="watchers", text="again")
        al[0].call("server.hello")
        self.assertEqual([m for m in al[0].pushes if m["method"] == "match.said"], [])

    def test_watch_talk_and_publish_are_three_switches_W_30(self):
        for how in ({"talk": False}, {"spectators": "none"}):
            fr, _, match = self.two(**how)
            guest = self.account()[0]
            self.assertIs(fr[0].call("match.get", match=match)["talk"]["watchers"], False)
            kind = "invalid_params" if "talk" in how else "forbidden"
            self.refused(kind, guest.call, "match.say", match=match, channel="watchers", text="x")
            self.refused(kind, guest.call, "match.talk", match=match, channel="watchers")
        table = self.account()[0].call("match.create", game="waterloo", access="open", spectators="public",
                                       talk=False)
        self.assertIs(table["talk"]["watchers"], False)


class Reading(Talk):
    def test_marks_and_unread_counts(self):
        fr, al, match = self.two()
        for k in range(3):
            fr[0].call("match.say", match=match, channel="table", text="message %d" % k)
        al[0].call("match.say", match=match, channel="table", text="mine")

        def unread(client):
            listed = next(m for m in client.call("match.list", filter="mine")["matches"] if m["match"] == match)
            told = client.call("match.get", match=match)["talk"]["unread"]
            self.assertEqual(listed["talk"]["unread"], told)
            return told["table"]
        self.assertEqual((unread(fr[0]), unread(al[0])), (1, 3))
        self.assertEqual(al[0].call("match.read", match=match, channel="table", n=2),
                         {"channel": "table", "n": 2, "unread": 1})
        # It never goes back, nor beyond what there is.
        self.assertEqual(al[0].call("match.read", match=match, channel="table", n=1)["unread"], 1)
        self.assertEqual(self.refused("not_found", al[0].call, "match.read", match=match, channel="table",
                                      n=9)["member"], "n")
        self.assertEqual(unread(al[0]), 1)
        self.assertEqual(unread(fr[0]), 1)
        self.refused("not_signed_in", self.connect().call, "match.read", match=match, channel="table", n=1)

    def test_muted_and_blocked_are_not_heard(self):
        fr, al, match = self.two()
        guest = self.account()[0]
        for client in (fr[0], al[0], guest):
            client.call("match.watch", match=match)
        fr[0].call("match.say", match=match, channel="table", text="one")
        al[0].push("match.said")
        al[0].call("match.mute", match=match, name=fr[1])
        guest.call("account.block", name=fr[1], on=True)
        self.assertEqual(fr[0].call("match.say", match=match, channel="table", text="two")["n"], 2)
        al[0].call("match.say", match=match, channel="table", text="three")
        for client in (al[0], guest):
            client.push("match.said", lambda p: p["text"] == "three")
            self.assertEqual([m["text"] for m in self.said(client, match, "table")], ["three"])
        self.assertEqual(al[0].call("match.get", match=match)["talk"]["unread"]["table"], 0)
        # The other is not told, and hears on.
        self.assertEqual([m["text"] for m in self.said(fr[0], match, "table")], ["one", "two", "three"])
        al[0].call("match.mute", match=match, name=fr[1], on=False)
        self.assertEqual(len(self.said(al[0], match, "table")), 3)
        self.assertEqual(self.refused("invalid_params", al[0].call, "match.mute", match=match,
                                      name=al[1])["member"], "name")
        self.assertEqual(self.refused("not_found", al[0].call, "match.mute", match=match,
                                      name="Nobodyz")["member"], "name")

    def test_reports_keep_what_was_said(self):
        fr, al, match = self.two()
        fr[0].call("match.say", match=match, channel="table", text="something vile")
        self.assertEqual(al[0].call("match.report", match=match, channel="table", n=1, text="insults",
                                    action_id="r"), {})
        self.assertEqual(al[0].call("match.report", match=match, channel="table", n=1, text="insults",
                                    action_id="r"), {})
        al[0].call("match.report", match=match, name=fr[1], text="stalls on purpose")
        for params in ({"channel": "table", "n": 9}, {"name": "Nobodyz"}):
            self.refused("not_found", al[0].call, "match.report", match=match, text="x", **params)
        for params in ({}, {"channel": "table"}, {"n": 1}, {"channel": "table", "n": 1, "name": fr[1]}):
            self.refused("invalid_params", al[0].call, "match.report", match=match, text="x", **params)
        self.assertEqual(self.refused("invalid_params", al[0].call, "match.report", match=match, name=fr[1],
                                      text=" ")["member"], "text")
        # The host reads them beside the running daemon, and is done with them one by one.
        listed = self.reports().stdout
        self.assertIn("something vile", listed)
        self.assertIn("insults", listed)
        self.assertIn("stalls on purpose", listed)
        self.assertEqual(listed.count(match), 2)
        self.assertEqual(self.reports("close", listed.split()[0]).returncode, 0)
        self.assertNotIn("something vile", self.reports().stdout)
        self.assertIn("something vile", self.reports("all").stdout)
        self.assertEqual(self.reports("close", "4000").returncode, 1)
        self.assertEqual(self.reports("close").returncode, 2)
        self.assertEqual(self.reports("open").returncode, 2)

    def test_who_sits_at_one_match_from_one_network_is_listed_for_the_host(self):
        """W-33: a signal for a person to judge; nothing follows from it by itself."""
        fr, al, match = self.two()
        line = next(line for line in self.reports("networks").stdout.splitlines() if match in line)
        self.assertRegex(line, r"^match %s  running  FR %s, AL %s  one network, last \d{4}-\d\d-\d\d$"
                         % (match, fr[1], al[1]))
        fr[0].call("match.resign", match=match)
        self.assertNotIn(match, self.reports("networks").stdout)
        self.assertEqual(self.reports("networks", "4").returncode, 2)

    def reports(self, *words):
        return subprocess.run([base.DAEMON, "--database", self.daemon.database, "reports", *words], text=True,
                              capture_output=True, timeout=60, check=False)

    def test_pages(self):
        fr, al, match = self.two()
        for k in range(5):
            (fr if k % 2 else al)[0].call("match.say", match=match, channel="table", text="m%d" % k)
        self.assertEqual([m["n"] for m in self.said(fr[0], match, "table", limit=2)], [4, 5])
        self.assertEqual([m["n"] for m in self.said(fr[0], match, "table", limit=2, before=4)], [2, 3])


class Rates(Talk):
    limits = "rates = on"

    def test_so_many_messages_and_no_more(self):
        fr, al, match = self.two()
        began, sent = time.monotonic(), 0
        asked = [fr[0].send("match.say", match=match, channel="table", text="message %d" % n) for n in range(100)]
        with self.assertRaises(base.vedette.Refused) as caught:
            for sent, one in enumerate(asked):
                fr[0].answer(one)
        self.assertEqual(caught.exception.kind, "rate_limited")
        # Twenty at once, and one more for each two seconds that a busy machine takes for them.
        self.assertTrue(20 <= sent <= 20 + (time.monotonic() - began) / 2 + 1, sent)
        self.assertGreater(caught.exception.data["retry_after_ms"], 0)
        # One account's words are not another's.
        al[0].call("match.say", match=match, channel="table", text="quiet at last")

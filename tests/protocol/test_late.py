"""Delayed spectators: all of the match, some turns late, with the consent of who plays; nothing that happened since."""
import json
import random

import base
from wire import pick


class Late(base.WithDaemon):
    def match(self, delay=1, **how):
        """A running match for two with delayed spectators: (FR, AL, id)."""
        fr, al = self.account(), self.account()
        match = fr[0].call("match.create", game="waterloo", seat="FR", access="open", spectators="delayed", delay=delay,
                           **how)["match"]
        al[0].call("match.join", match=match, consent=True)
        return fr, al, match

    def act(self, client, match, **action):
        seq = client.call("match.view", match=match, actions=False)["seq"]
        return client.call("match.act", match=match, seq=seq, action=action)

    def set_up(self, client, match):
        rng = random.Random(match)
        for _ in range(400):
            forms = client.call("match.view", match=match)["actions"]
            if any(form["do"] == "confirm_setup" for form in forms):
                return self.act(client, match, do="confirm_setup")
            self.act(client, match, **pick(rng.choice(forms), rng))
        raise AssertionError("the set-up does not end")

    def turn(self, players, match):
        """Whose turn it is ends it."""
        for client in players:
            view = client.call("match.view", match=match)
            if view.get("actions") and any(form["do"] == "end_movement" for form in view["actions"]):
                self.act(client, match, do="end_movement")
                return
        raise AssertionError(view["state"])

    def slot(self, client, match):
        return client.call("match.view", match=match, actions=False)["turn"]["slot"]

    def begun(self, delay=1, turns=0, **how):
        """The set-up is done and so many turns are over: (FR, AL, id, a spectator)."""
        (fr, _, _), (al, _, _), match = self.match(delay, **how)
        self.set_up(al, match)
        self.set_up(fr, match)
        for _ in range(turns):
            self.turn((fr, al), match)
        return fr, al, match, self.account()[0]


class Terms(Late):
    def test_creation_says_so_and_whoever_joins_agrees(self):
        maker, joiner = self.account()[0], self.account()[0]
        for bad in ({"spectators": "delayed"}, {"spectators": "delayed", "delay": 0}, {"spectators": "public", "delay": 1},
                    {"delay": 2}, {"spectators": "delayed", "delay": 25}):
            self.assertEqual(self.refused("invalid_params", maker.call, "match.create", game="waterloo", **bad)["member"],
                             "delay")
        made = maker.call("match.create", game="waterloo", seat="FR", access="open", spectators="delayed", delay=3)
        match = made["match"]
        shown = joiner.call("match.get", match=match)
        self.assertEqual((shown["spectators"], shown["delay"], shown["warnings"]),
                         ("delayed", 3, ["delayed_spectators"]))
        data = self.refused("conflict", joiner.call, "match.join", match=match)
        self.assertEqual((data["reason"], data["member"]), ("consent", "consent"))
        self.refused("conflict", joiner.call, "match.join", match=match, consent=False)
        self.assertEqual(joiner.call("match.join", match=match, consent=True)["state"], "running")
        joiner.call("match.vacate", match=match)
        sub = self.account()[0]
        self.assertEqual(self.refused("conflict", sub.call, "match.substitute", match=match, seat="AL")["reason"],
                         "consent")
        sub.call("match.substitute", match=match, seat="AL", consent=True)

    def test_who_may_look(self):
        fr, al, match, guest = self.begun(turns=2)
        self.refused("not_signed_in", self.connect().call, "match.view", match=match)
        # A seat sees its own view, and never the other's, however it asks.
        self.assertEqual(fr.call("match.view", match=match)["as"], "FR")
        self.assertEqual(self.refused("conflict", fr.call, "match.view", match=match, **{"as": "all"})["reason"],
                         "not_revealed")
        self.assertEqual(guest.call("match.view", match=match)["as"], "all")
        for viewer in ("public", "FR"):
            self.assertEqual(self.refused("conflict", guest.call, "match.view", match=match,
                                          **{"as": viewer})["reason"], "delayed")
        for method, more in (("match.ask", {"question": {"ask": "reach"}}), ("match.receipt", {}),
                             ("match.record", {}), ("match.clock", {})):
            with self.assertRaises(base.vedette.Refused) as caught:
                guest.call(method, match=match, **more)
            self.assertIn(caught.exception.kind, ("conflict", "forbidden"), method)
        # Who has looked may have no seat any more, nor borrow one; who had a seat does not look.
        al.call("match.vacate", match=match)
        self.assertEqual(self.refused("conflict", guest.call, "match.substitute", match=match, seat="AL",
                                      consent=True)["reason"], "knows")
        sub, _, _ = self.account()
        sub.call("match.substitute", match=match, seat="AL", consent=True)
        self.refused("forbidden", al.call, "match.view", match=match)
        self.refused("forbidden", al.call, "match.watch", match=match)


class Lag(Late):
    def test_so_many_turns_and_no_line_more(self):
        fr, al, match, guest = self.begun(delay=2)
        guest.call("match.watch", match=match)
        self.assertEqual(self.refused("conflict", guest.call, "match.view", match=match)["reason"], "not_yet")
        self.assertEqual(guest.call("match.history", match=match), {"steps": []})
        self.assertEqual(guest.call("match.history", match=match, **{"from": 0}), {"steps": []})
        self.refused("not_found", guest.call, "match.replay", match=match, seq=1)
        self.assertNotIn("seq", guest.call("match.get", match=match))
        # The set-up is turn 0 and slot n turn n: in slot 2 the beginning of turn 0 is shown, in slot 3 that of slot 1.
        self.assertEqual(self.slot(fr, match), 1)
        self.turn((fr, al), match)
        pushed = guest.push("match.view")
        self.assertEqual((pushed["view"]["state"], pushed["seq"]), ("SETUP_ALLIED", 1))
        self.turn((fr, al), match)
        pushed = guest.push("match.view")
        self.assertEqual((pushed["view"]["state"], pushed["view"]["turn"]["slot"]), ("MOVE", 1))
        units = pushed["view"]["board"]["units"]
        self.assertEqual(len(units), 48)  # both sides, by name
        # The same by asking, in replay and at the end of history; beyond it there is nothing.
        seq = pushed["seq"]
        self.assertEqual(guest.call("match.view", match=match), pushed["view"])
        self.assertEqual(guest.call("match.get", match=match)["seq"], seq)
        replayed = guest.call("match.replay", match=match, seq=seq)
        self.assertEqual(replayed["board"], pushed["view"]["board"])
        self.refused("not_found", guest.call, "match.replay", match=match, seq=seq + 1)
        steps = guest.call("match.history", match=match, **{"from": 1})["steps"]
        self.assertEqual(steps[-1]["seq"], seq)
        self.assertEqual(steps[-1]["chain"], pushed["view"]["chain"])
        self.assertEqual(guest.call("match.history", match=match, **{"from": seq + 1}), {"steps": []})
        self.assertEqual(guest.call("match.wait", match=match, after=seq, timeout_s=0), {"seq": seq, "unchanged": True})
        self.assertEqual(self.refused("stale_state", guest.call, "match.wait", match=match, after=seq + 1,
                                      timeout_s=0)["seq"], seq)
        number = guest.send("match.wait", match=match, after=seq, timeout_s=60)
        self.turn((fr, al), match)
        self.assertEqual(guest.answer(number)["turn"]["slot"], 2)

    def test_nothing_of_the_present_is_told(self):
        fr, al, match, guest = self.begun(delay=1, turns=1)
        guest.call("match.watch", match=match)
        guest.push("match.view")
        guest.push("match.changed", lambda told: told.get("watching") == 1)  # it may take its time
        other = self.account()[0]

        def all_of_it():
            answers = [guest.call("match.get", match=match), guest.call("match.view", match=match),
                       guest.call("match.history", match=match, **{"from": 0}),
                       guest.call("match.talk", match=match, channel="table"),
                       [m for m in guest.call("match.list", filter="running")["matches"] if m["match"] == match],
                       other.call("match.get", match=match)]
            return json.dumps(answers, sort_keys=True)
        before = all_of_it()
        for word in ("to_act", "waits_for", "presence", "offers", "nonces"):
            self.assertNotIn(word, json.loads(before)[0], word)
        # Marches, talk, offers, presence: all within the turn that runs.
        fr.call("match.watch", match=match)
        al.call("match.watch", match=match)
        rng = random.Random(match)
        moved = 0
        for client in (fr, al):
            view = client.call("match.view", match=match)
            marches = [form for form in view.get("actions", []) if form["do"] == "march"]
            for form in marches[:3]:
                self.act(client, match, **pick(form, rng))
                seq = client.call("match.view", match=match, actions=False)["seq"]
                client.call("match.undo", match=match, seq=seq)
                moved += 1
        self.assertGreater(moved, 0)
        fr.call("match.say", match=match, channel="table", text="your move")
        fr.call("match.offer", match=match, what="draw")
        al.call("match.draft", match=match, version=0, actions=[])
        self.assertEqual(all_of_it(), before)
        guest.call("server.hello")
        heard = [m for m in guest.pushes if m.get("params", {}).get("match") == match]
        self.assertEqual(heard, [])
        # When two turns more have begun what was said is shown as well.
        self.turn((fr, al), match)
        self.turn((fr, al), match)
        said = guest.call("match.talk", match=match, channel="table")["messages"]
        self.assertEqual([m["text"] for m in said], ["your move"])

    def test_they_talk_among_themselves(self):
        fr, al, match, guest = self.begun(delay=1, turns=1)
        other, name, _ = self.account()
        for client in (guest, other):
            client.call("match.watch", match=match)
        other.call("match.say", match=match, channel="watchers", text="he has the Guard at Charleroi")
        self.assertEqual(guest.push("match.said")["from"], name)
        self.refused("forbidden", fr.call, "match.talk", match=match, channel="watchers")
        self.assertEqual(fr.call("match.get", match=match)["watching"], 2)
        fr.call("match.kick", match=match, name=name)
        self.assertEqual(other.push("match.changed", lambda p: "unwatched" in p)["unwatched"], "all")
        self.refused("forbidden", other.call, "match.view", match=match)
        self.assertEqual(fr.call("match.get", match=match)["watching"], 1)

    def test_at_the_end_everything_is_open(self):
        fr, al, match, guest = self.begun(delay=3, turns=1)
        guest.call("match.watch", match=match)
        fr.call("match.resign", match=match)
        self.assertEqual(guest.push("match.changed", lambda p: "unwatched" in p)["unwatched"], "all")
        self.assertEqual(guest.call("match.view", match=match)["as"], "public")
        self.assertEqual(guest.call("match.view", match=match, **{"as": "all"})["state"], "GAME_OVER")
        self.assertIn("record", guest.call("match.record", match=match))

    def test_what_stays_with_the_seats_stays_late(self):
        fr, al, match, guest = self.begun(delay=3, turns=3, reveal="seats")
        seq = guest.call("match.view", match=match)["seq"]
        guest.call("match.watch", match=match)
        guest.push("match.view")
        fr.call("match.resign", match=match)
        self.assertEqual(guest.call("match.view", match=match)["seq"], seq)
        self.assertEqual(guest.call("match.view", match=match)["turn"]["slot"], 1)
        self.refused("conflict", guest.call, "match.record", match=match)
        self.assertEqual(guest.call("match.get", match=match)["seq"], seq)

    def test_it_is_the_same_after_a_restart(self):
        fr, al, match, guest = self.begun(delay=1, turns=2)
        view = guest.call("match.view", match=match)
        self.daemon.kill()
        self.daemon.start()
        again = self.account()[0]
        self.assertEqual(again.call("match.view", match=match), view)

    def test_who_joins_an_open_table_watches_no_more(self):
        maker, other = self.account()[0], self.account()[0]
        match = maker.call("match.create", game="waterloo", seat="FR", access="open", spectators="delayed",
                           delay=1)["match"]
        other.call("match.watch", match=match)
        other.call("match.join", match=match, consent=True)
        self.set_up(other, match)
        self.set_up(maker, match)
        self.turn((maker, other), match)
        other.call("server.hello")
        self.assertEqual([m for m in other.pushes if m["method"] == "match.view"], [])

"""Offers over the wire: draw, abort, rewind; who is shown what; exactly once; across restart and kill (PROTOCOL 4, 7)."""
import random

import test_matches


class Offers(test_matches.WithMatch):
    def changed(self, seat):
        """The newest match.changed with offers that the seat was sent."""
        seat.client.call("server.hello")
        found = [p["params"] for p in seat.client.pushes
                 if p["method"] == "match.changed" and "offers" in p["params"]]
        seat.client.pushes = [p for p in seat.client.pushes if p["method"] != "match.changed"]
        return found[-1] if found else None

    def offer(self, seat, what, **more):
        return seat.client.call("match.offer", match=seat.match, what=what, **more)

    def answer(self, seat, offer, accept, **more):
        return seat.client.call("match.answer", match=seat.match, offer=offer, accept=accept, **more)

    def steps(self, seats, dice, until=lambda: False, steps=40):
        """Random steps until enough, or until they came there."""
        for _ in range(steps):
            for seat in seats:
                if not until() and seat.newest().get("actions"):
                    seat.act(test_matches.pick(seat.view["actions"], dice))
                    seat.newest()

    def set_up(self, seats, dice):
        self.play(seats, dice, lambda: seats[0].newest()["state"] == "MOVE")

    def test_a_draw_by_agreement(self):
        french, allied = seats = self.match()
        made = self.offer(french, "draw")
        self.assertEqual((made["what"], made["seat"], made["awaits"], made["accepted"]), ("draw", "FR", ["AL"], []))
        for seat in seats:
            self.assertEqual(self.changed(seat)["offers"], [made])
            self.assertEqual(seat.client.call("match.get", match=seat.match)["offers"], [made])
        before = allied.newest()["seq"]
        done = self.answer(allied, made["offer"], True)
        self.assertEqual((done["outcome"], done["seq"]), ("carried_out", before + 1))
        ended = done["events"][-1]
        self.assertEqual((ended["ev"], ended["how"]), ("match_ended", "draw"))
        self.assertEqual(ended["result"], {"points": {"AL": 0, "FR": 0}, "why": "agreed", "winners": []})
        for seat in seats:
            view = seat.newest()
            self.assertEqual((view["state"], view["to_act"], view["waits_for"]), ("GAME_OVER", [], []))
            self.assertEqual(view["board"]["result"], {"why": "agreed"})
            told = self.changed(seat)
            self.assertEqual(told["offers"], [])
            self.assertEqual(told["closed"], [{"offer": 1, "what": "draw", "seat": "FR", "outcome": "carried_out"}])
        summary = french.client.call("match.get", match=french.match)
        self.assertEqual((summary["state"], summary["over"]), ("over", True))
        self.assertNotIn("offers", summary)
        self.refused("match_over", self.offer, french, "draw")
        self.assertIn('"how":"draw"', french.client.call("match.record", match=french.match)["record"])

    def test_an_aborted_match_counts_as_not_played(self):
        french, allied = self.match()
        name = self.names[0]
        made = self.offer(allied, "abort")
        self.answer(french, made["offer"], True)
        self.assertEqual(french.client.call("match.get", match=french.match)["state"], "aborted")
        listed = french.client.call("match.list", filter="finished")["matches"]
        self.assertIn(french.match, [m["match"] for m in listed])
        self.assertEqual(french.client.call("account.profile", name=name).get("finished", 0), 0)
        self.assertIn('"how":"abort"', french.client.call("match.record", match=french.match)["record"])

    def test_refusals(self):
        french, allied = self.match()
        for what in ("pause", "resume", "reopen"):
            self.assertEqual(self.refused("conflict", self.offer, french, what)["reason"], "clock")
        self.assertEqual(self.refused("invalid_params", self.offer, french, "time")["member"], "seat")
        self.assertEqual(self.refused("invalid_params", self.offer, french, "pause", s=1)["member"], "s")
        self.assertEqual(self.refused("invalid_params", self.offer, french, "rewind")["member"], "to")
        self.assertEqual(self.refused("invalid_params", self.offer, french, "rewind", to=99)["member"], "to")
        self.assertEqual(self.refused("invalid_params", self.offer, french, "draw", to=1)["member"], "to")
        made = self.offer(french, "draw")
        self.assertEqual(self.refused("conflict", self.offer, french, "draw")["reason"], "offered")
        self.assertEqual(self.refused("conflict", self.answer, french, made["offer"], True)["reason"], "own")
        self.assertEqual(self.refused("not_found", self.answer, allied, 99, True)["member"], "offer")
        stranger, _, _ = self.account()
        self.refused("forbidden", stranger.call, "match.offer", match=french.match, what="draw")
        self.refused("forbidden", stranger.call, "match.answer", match=french.match, offer=1, accept=True)
        nobody = self.connect()
        self.refused("not_signed_in", nobody.call, "match.offer", match=french.match, what="draw")
        self.refused("not_found", french.client.call, "match.offer", match="aaaaaaaaaa", what="draw")
        declined = self.answer(allied, made["offer"], False)
        self.assertEqual(declined, {"offer": 1, "outcome": "declined"})
        self.assertEqual(self.changed(french)["closed"],
                         [{"offer": 1, "what": "draw", "seat": "FR", "outcome": "declined", "by": "AL"}])

    def test_exactly_once_across_a_kill(self):
        french, allied = seats = self.match()
        self.set_up(seats, random.Random(3))
        made = self.offer(french, "rewind", to=1, action_id="go back")
        self.assertEqual(self.offer(french, "rewind", to=1, action_id="go back"), made)
        self.assertEqual(
            self.refused("conflict", self.offer, french, "draw", action_id="go back")["reason"], "action_id")
        self.daemon.kill()
        self.daemon.start()
        tokens = french.token, allied.token
        clients = [self.connect(), self.connect()]
        for client, token in zip(clients, tokens):
            client.call("account.resume", token=token)
        french, allied = [test_matches.Seat(c, french.match, t) for c, t in zip(clients, tokens)]
        self.assertEqual(self.offer(french, "rewind", to=1, action_id="go back"), made)
        shown = allied.client.call("match.get", match=allied.match)["offers"]
        self.assertEqual([o["offer"] for o in shown], [made["offer"]])
        first = self.answer(allied, made["offer"], True, action_id="yes")
        self.assertEqual(first["outcome"], "carried_out")
        self.assertEqual(self.answer(allied, made["offer"], True, action_id="yes"), first)
        self.assertEqual(allied.newest()["seq"], first["seq"])

    def test_a_rewind_is_shown_to_each_in_its_own_count(self):
        french, allied = seats = self.match()
        dice = random.Random(11)
        self.set_up(seats, dice)
        self.steps(seats, dice, steps=12)
        views = {}
        for seat in seats:
            history = seat.client.call("match.history", match=seat.match, **{"from": 0})["steps"]
            views[seat] = [s["seq"] for s in history]
        to = french.newest()["seq"] // 2
        made = self.offer(french, "rewind", to=to)
        for seat in seats:
            mine = self.changed(seat)["offers"][0]["lost"]
            now = seat.newest()["seq"]
            self.assertEqual(mine["steps"], now - mine["to"])
            for seq in mine["learned"] + mine["shown"]:
                self.assertTrue(mine["to"] < seq <= now)
            seat.back = mine["to"]
        self.assertGreaterEqual(made["lost"]["to"], to)
        self.assertEqual(made["lost"]["to"], french.back)
        public = french.client.call("match.get", match=french.match)
        self.assertEqual(public["offers"][0]["lost"], made["lost"])
        done = self.answer(allied, made["offer"], True)
        for seat in seats:
            before = seat.client.call("match.replay", match=seat.match, seq=seat.back)
            after = seat.newest()
            self.assertEqual(after["seq"], views[seat][-1] + 1)
            event = after["events"][0]
            self.assertEqual(event, {"ev": "rewound", "to": seat.back, "by": ["FR", "AL"]})
            for member in ("state", "turn", "to_act", "waits_for", "board"):
                self.assertEqual(before[member], after[member], member)
            # Nothing was taken out of the history.
            history = seat.client.call("match.history", match=seat.match, **{"from": 0})["steps"]
            self.assertEqual([s["seq"] for s in history], list(range(len(history))))
        self.assertEqual(done["events"], [{"ev": "rewound", "to": allied.back, "by": ["FR", "AL"]}])
        # It is played on, and again gone back.
        self.steps(seats, dice, steps=6)
        made = self.offer(allied, "rewind", to=1)
        self.assertEqual(self.answer(french, made["offer"], True)["outcome"], "carried_out")
        self.steps(seats, dice, steps=3)

    def test_a_step_of_all_makes_it_void_a_quiet_one_does_not(self):
        french, allied = seats = self.match()
        self.set_up(seats, random.Random(5))
        self.assertTrue(french.newest().get("actions"))
        made = self.offer(allied, "rewind", to=1)
        self.assertIsNotNone(self.changed(french))
        self.assertIsNotNone(self.changed(allied))
        march = next(f for f in french.view["actions"] if f["do"] == "march")
        french.act(test_matches.pick(march, random.Random(6)))
        self.assertIsNone(self.changed(french))
        self.assertIsNone(self.changed(allied))
        french.newest()
        french.act({"do": "end_movement"})
        closed = self.changed(allied)["closed"]
        self.assertEqual(closed, [{"offer": made["offer"], "what": "rewind", "seat": "AL", "outcome": "void"}])
        self.refused("not_found", self.answer, french, made["offer"], True)

    def test_the_end_of_a_match_takes_its_offers_along(self):
        french, allied = self.match()
        self.offer(french, "draw")
        self.offer(allied, "abort")
        french.client.call("match.resign", match=french.match)
        told = self.changed(allied)
        self.assertEqual(told["offers"], [])
        self.assertEqual([c["outcome"] for c in told["closed"]], ["void", "void"])

    def test_a_restart_while_it_stops_loses_no_offer(self):
        french, allied = self.match()
        made = self.offer(french, "draw")
        self.assertEqual(self.daemon.stop(), 0)
        self.daemon.start()
        client = self.connect()
        client.call("account.resume", token=allied.token)
        self.assertEqual(client.call("match.get", match=allied.match)["offers"], [made])

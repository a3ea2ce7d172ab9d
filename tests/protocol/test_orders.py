"""Standing orders, and answers that are shown later (PROTOCOL 8; option pace)."""
import json
import os
import struct
import subprocess
import tempfile
import time

import base
import test_matches
import vedette

T0 = 1796000000000
DAY = 86400 * 1000

ALLIED = {  # who defends what: thuin and charleroi bar the way out of France
    "thuin": "PR-E PR-F PR-G PR-H", "charleroi": "PR-A PR-B PR-C PR-D", "fosses": "PR-I PR-J PR-K PR-L",
    "ligny": "PR-M PR-N PR-O PR-P", "mons": "AD-A AD-B AD-C", "binche": "AD-D AD-E AD-F",
    "soignies": "AD-G AD-H AD-I", "nivelles": "AD-J AD-K AD-L", "quatre-bras": "AD-M AD-N"}
FRENCH = {"beaumont": "FR-A FR-B FR-C FR-H FR-N FR-Q", "laneffe": "FR-D FR-E FR-F FR-I", "maubeuge":
          "FR-G FR-J FR-K FR-L FR-M FR-O FR-P FR-R"}
STAND = [{"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "fight", "rest": "spread"}}]
RETIRE = [{"when": {"is": "attacked"}, "do": {"do": "respond", "choice": "retreat", "to": ["binche", "charleroi"]}},
          {"when": {"is": "pursued"}, "do": {"do": "allot"}}]


def placements(towns):
    return {"do": "place", "placements": [{"unit": unit, "town": town} for town, units in towns.items()
                                          for unit in units.split()]}


def march(units, to):
    return {"do": "march", "marches": [{"unit": unit, "path": [to]} for unit in units.split()]}


class WithWar(test_matches.WithMatch):
    """A match in which the French are about to attack Thuin."""

    def war(self, **options):
        french, allied = self.match(spectators="public", **options)
        for seat, towns in ((allied, ALLIED), (french, FRENCH)):
            seat.newest()
            seat.act(placements(towns))
            seat.newest()
            seat.act({"do": "confirm_setup"})
        french.newest()
        allied.newest()
        return french, allied

    def attack(self, french, **more):
        french.act(march("FR-A FR-B FR-C FR-H", "thuin"))
        french.newest()
        answer = french.act({"do": "end_movement"}, **more)
        return answer

    def leave(self, seat, orders, version=0, **more):
        return seat.client.call("match.standing", match=seat.match, version=version, orders=orders, **more)

    def events(self, seat, **more):
        history = seat.client.call("match.history", match=seat.match, **more)
        return [event for step in history["steps"] for event in step["events"]]


class Orders(WithWar):
    def test_orders_are_kept_by_version_and_for_their_seat_alone(self):
        french, allied = self.war()
        self.assertEqual(allied.client.call("match.standing", match=allied.match),
                         {"version": 0, "orders": [], "fired": []})
        left = self.leave(allied, STAND, action_id="o")
        self.assertEqual(left, {"version": 1, "orders": STAND})
        self.assertEqual(self.leave(allied, STAND, action_id="o"), left)
        self.assertEqual(self.refused("conflict", self.leave, allied, [])["reason"], "version")
        self.assertEqual(self.refused("conflict", self.leave, allied, [], 2)["reason"], "version")
        self.assertEqual(self.refused("conflict", self.leave, allied, [], 1, action_id="o")["reason"], "action_id")
        self.daemon.kill()
        self.daemon.start()
        seats = [self.connect() for _ in range(2)]
        for client, token in zip(seats, (french.token, allied.token)):
            client.call("account.resume", token=token)
        self.assertEqual(seats[1].call("match.standing", match=allied.match),
                         {"version": 1, "orders": STAND, "fired": []})
        self.assertEqual(seats[0].call("match.standing", match=allied.match),
                         {"version": 0, "orders": [], "fired": []})
        stranger, _, _ = self.account()
        self.refused("forbidden", stranger.call, "match.standing", match=allied.match)
        self.refused("not_signed_in", self.connect().call, "match.standing", match=allied.match)

    def test_what_is_wrong_is_named(self):
        _, allied = self.war()
        data = self.refused("invalid_params", self.leave, allied, [{"when": {"is": "attacked", "in": ["paris"]},
                                                                    "do": STAND[0]["do"]}])
        self.assertEqual(data["member"], "orders[0].when.in")
        data = self.refused("invalid_params", self.leave, allied, STAND + [
            {"when": {"is": "supply"}, "do": {"do": "remove", "units": ["FR-A"]}}])
        self.assertEqual(data["member"], "orders[1].do.units")
        self.refused("too_large", self.leave, allied, STAND * 65)
        self.refused("too_large", self.leave, allied, [
            {"when": {"is": "routed"}, "do": {"do": "rout_routes", "to": sorted(ALLIED) * 1}}] * 64)
        for params in ({"version": 0}, {"orders": STAND}, {"action_id": "x"}, {"version": 0, "orders": STAND, "x": 1}):
            self.refused("invalid_params", allied.client.call, "match.standing", match=allied.match, **params)

    def test_an_attack_is_answered_in_the_same_unit_W_12(self):
        french, allied = self.war()
        self.leave(allied, STAND)
        seq = french.newest()["seq"]
        answer = self.attack(french)
        self.assertEqual(answer["seq"], seq + 2)  # the march, the end: what follows is the other's
        self.assertEqual([e["ev"] for e in answer["events"] if e["ev"] == "fight_chosen"], [])
        self.assertEqual(french.newest()["state"], "DEPLOY_ATT")
        self.assertEqual(french.view["waits_for"], ["FR"])
        told = [e for e in self.events(french) if e["ev"] in ("fight_chosen", "deployed", "ordered")]
        self.assertEqual([e["ev"] for e in told], ["fight_chosen", "deployed"])
        own = [e for e in self.events(allied) if e["ev"] == "ordered"]
        self.assertEqual(own, [{"ev": "ordered", "seat": "AL", "by": "orders"}] * 3)
        self.assertNotIn("ordered", json.dumps(self.events(self.seat_of_nobody(french))))
        fired = allied.client.call("match.standing", match=allied.match)["fired"]
        self.assertEqual([(f["version"], f["entry"]) for f in fired], [(1, 0)] * 3)
        self.assertEqual(fired[0]["seq"], allied.newest()["seq"])

    def seat_of_nobody(self, seat):
        public = type("Public", (), {})()
        public.client, public.match = self.connect(), seat.match
        return public

    def test_orders_left_while_the_seat_is_asked_count_at_once(self):
        french, allied = self.war()
        self.attack(french)
        self.assertEqual(allied.newest()["state"], "RESPOND")
        self.leave(allied, RETIRE)
        self.assertEqual(french.newest()["turn"]["side"], "AL")
        self.assertEqual(allied.newest()["waits_for"], ["AL"])

    def test_what_no_order_answers_is_asked_and_the_rest_of_the_sitting_is_by_hand(self):
        french, allied = self.war()
        self.leave(allied, [dict(STAND[0], when={"is": "attacked", "in": ["thuin"]})])
        french.act(march("FR-D FR-E FR-F", "charleroi"))
        french.newest()
        before = french.view["seq"]
        self.attack(french)
        self.assertEqual(french.newest()["seq"], before + 2)  # of a quiet answer nobody else hears
        self.assertEqual(allied.newest()["state"], "RESPOND")
        self.assertEqual([e["town"] for e in self.events(allied) if e["ev"] == "fight_chosen"], ["thuin"])
        allied.act({"do": "respond", "town": "charleroi", "choice": "fight"})
        self.assertEqual(allied.newest()["state"], "RESPOND")
        self.assertTrue(allied.view["undo"])
        allied.client.call("match.undo", match=allied.match, seq=allied.view["seq"])
        self.assertEqual(allied.newest()["prompt"]["id"], "respond")
        allied.act({"do": "respond", "town": "charleroi", "choice": "fight"})
        allied.newest()
        allied.act({"do": "end_response"})
        self.assertEqual(allied.newest()["state"], "DEPLOY_DEF")

    def test_the_enemy_is_pushed_the_same_by_orders_as_by_hand(self):
        """Pushes to the enemy: one a line that tells it something, in order, as by hand."""
        seen = []
        for by in ("orders", "hand"):
            french, allied = self.war()
            french.newest()
            if by == "orders":
                self.leave(allied, STAND)
            self.attack(french)
            if by == "hand":
                for action in ({"do": "respond", "town": "thuin", "choice": "fight"}, {"do": "end_response"},
                               {"do": "deploy", "battle": "thuin", "columns": self.columns_of(allied)}):
                    allied.newest()
                    allied.act(action)
            french.client.call("server.hello")
            views = [p["params"]["view"] for p in french.client.pushes if p["method"] == "match.view"]
            seen.append([{k: v for k, v in view.items() if k not in ("match", "chain", "commit")}
                         for view in views][-3:])
        self.assertEqual(*seen)

    @staticmethod
    def columns_of(allied):
        return {"1": ["PR-E", "PR-H"], "2": ["PR-F"], "3": ["PR-G"]}

    def test_orders_go_with_a_substitute_and_stay_with_a_loan(self):
        french, allied = self.war()
        self.leave(allied, STAND)
        friend, name, _ = self.account()
        allied.client.call("match.lend", match=allied.match, name=name, until=int(time.time() * 1000) + DAY)
        self.assertEqual(friend.call("match.standing", match=allied.match)["orders"], STAND)
        allied.client.call("match.recall", match=allied.match)
        allied.client.call("match.vacate", match=allied.match, on=True)
        other, _, _ = self.account()
        other.call("match.substitute", match=allied.match, seat="AL")
        self.assertEqual(other.call("match.standing", match=allied.match),
                         {"version": 0, "orders": [], "fired": []})
        french.newest()
        self.attack(french)
        self.assertEqual(french.newest()["state"], "RESPOND")


class Drafts(WithWar):
    """A whole turn, planned and then committed as one action (W-14, W-15)."""

    def draft(self, seat, version, actions):
        return seat.client.call("match.draft", match=seat.match, version=version, actions=actions)

    def commit(self, seat, version, **more):
        return seat.client.call("match.act", match=seat.match, seq=seat.view["seq"], draft=version, **more)

    def test_a_draft_is_committed_as_one_action(self):
        french, allied = self.war()
        plan = [march("FR-A FR-B FR-C FR-H", "thuin"), march("FR-D FR-E FR-F", "charleroi"), {"do": "end_movement"}]
        self.draft(french, 0, plan[:2])
        self.draft(french, 1, plan)
        self.assertEqual(self.refused("conflict", self.commit, french, 1)["reason"], "version")
        seq = french.newest()["seq"]
        answer = self.commit(french, 2, action_id="turn")
        self.assertEqual(answer["seq"], seq + 3)
        self.assertEqual(self.commit(french, 2, action_id="turn"), answer)
        self.assertEqual(allied.newest()["state"], "RESPOND")
        spent = french.client.call("match.draft", match=french.match)
        self.assertEqual((spent["version"], spent["actions"]), (3, []))
        self.assertEqual(self.refused("stale_state", self.commit, french, 3)["seq"], seq + 3)
        french.newest()
        self.assertEqual(self.refused("invalid_params", self.commit, french, 3)["member"], "draft")
        self.daemon.kill()
        self.daemon.start()
        client = self.connect()
        client.call("account.resume", token=french.token)
        self.assertEqual(client.call("match.act", match=french.match, seq=seq, draft=2, action_id="turn"), answer)

    def test_what_is_refused_of_it_leaves_all_as_it_was(self):
        french, _ = self.war()
        self.draft(french, 0, [march("FR-A FR-B FR-C", "thuin"), march("FR-A", "thuin"), {"do": "end_movement"}])
        seq = french.newest()["seq"]
        self.assertEqual(self.refused("illegal_action", self.commit, french, 1)["rule"], "W4.5")
        self.assertEqual(french.newest()["seq"], seq)
        self.assertEqual(french.client.call("match.draft", match=french.match)["version"], 1)
        # Kept against an older state: said so, and kept.
        french.act(march("FR-D", "charleroi"))
        data = self.refused("stale_state", french.client.call, "match.act", match=french.match, seq=seq, draft=1)
        self.assertEqual(data["seq"], seq + 1)
        kept = french.client.call("match.draft", match=french.match)
        self.assertEqual((kept["version"], kept["seq"]), (1, seq))
        french.newest()
        for params in ({"draft": 0}, {"draft": "1"}, {"draft": 1, "action": {"do": "end_movement"}}):
            self.refused("invalid_params", french.client.call, "match.act", match=french.match,
                         seq=french.view["seq"], **params)


class Clock:
    """The time of a daemon, as a test sets it."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "clock")
        self.set(T0)

    def set(self, ms):
        self.ms = ms
        with open(self.path, "r+b" if os.path.exists(self.path) else "w+b") as file:
            file.write(struct.pack("<q", ms))


class Pace(WithWar):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="vedette-pace-")
        cls.clock = Clock(cls.folder)
        cls.daemon = vedette.Daemon(base.DAEMON, env={"VEDETTE_CLOCK": cls.clock.path}).start()

    def move(self, ms):
        self.clock.set(ms)
        self.daemon.signal(12)

    def until(self, client, match, reached, **more):
        """Polls the view by match.wait until it is as wanted; its newest form."""
        view = client.call("match.view", match=match, **more)
        while not reached(view):
            view = client.call("match.wait", match=match, after=view["seq"], timeout_s=20, **more)
            self.assertNotIn("unchanged", view)
        return view

    def test_an_early_answer_is_a_line_when_it_is_due(self):
        self.clock.set(T0)
        french, allied = self.war(pace=86400)
        summary = french.client.call("match.get", match=french.match)
        self.assertEqual(summary["pace"], 86400)
        self.assertNotIn("presence", summary)
        self.attack(french)
        allied.newest()
        asked = allied.client.call("match.held", match=allied.match)
        self.assertEqual(asked["answer"], {"asked": T0, "until": T0 + DAY, "given": []})
        self.assertNotIn("answer", french.client.call("match.held", match=french.match))
        self.move(T0 + 1000)
        allied.act({"do": "respond", "town": "thuin", "choice": "fight"})
        seq = allied.newest()["seq"]
        answer = allied.act({"do": "end_response"}, action_id="e")
        self.assertEqual(answer["held"], {"asked": T0, "until": T0 + DAY, "given": [{"do": "end_response"}]})
        self.assertEqual((answer["seq"], answer["events"]), (seq, []))
        self.assertEqual(allied.act({"do": "end_response"}, action_id="e"), answer)
        self.assertEqual(french.newest()["state"], "RESPOND")
        # On with the sitting.
        held = allied.client.call("match.held", match=allied.match)
        self.assertEqual(held["view"]["state"], "DEPLOY_DEF")
        self.assertTrue(held["view"]["actions"])
        columns = {"1": ["PR-E"], "2": ["PR-F"], "3": ["PR-G"], "reserve": ["PR-H"]}
        deploy = {"do": "deploy", "battle": "thuin", "columns": columns}
        self.assertEqual(allied.client.call("match.try", match=allied.match, seq=seq, action=deploy), {"accepted": True})
        self.refused("illegal_action", allied.act, {"do": "end_response"})
        self.assertEqual(len(allied.act(deploy)["held"]["given"]), 2)
        self.refused("not_your_turn", allied.act, deploy)
        self.assertEqual(self.refused("conflict", allied.client.call, "match.undo", match=allied.match, seq=seq)["reason"],
                         "undo")
        # Neither time nor a restart shows it early.
        self.move(T0 + DAY - 1)
        self.daemon.kill()
        self.daemon.start()
        mover, public = self.connect(), self.connect()
        mover.call("account.resume", token=french.token)
        self.assertEqual(mover.call("match.view", match=french.match)["state"], "RESPOND")
        self.clock.set(T0 + DAY + 5000)
        self.daemon.signal(12)
        view = self.until(mover, french.match, lambda v: v["state"] == "DEPLOY_ATT")
        self.assertEqual(view["waits_for"], ["FR"])
        steps = public.call("match.history", match=french.match)["steps"]
        self.assertEqual([s["at"] for s in steps][-2:], [T0 + DAY, T0 + DAY])
        self.assertEqual([e["ev"] for e in steps[-2]["events"]][0], "fight_chosen")

    def capture(self, how):
        """What the enemy and a spectator are sent of a battle and its response."""
        self.clock.set(T0)
        french, allied = self.war(pace=3600, clock={"kind": "live", "bank_s": 7200})
        watcher = self.connect()
        watcher.call("match.watch", match=french.match)
        for client in (french.client, watcher):  # it may take its time
            client.push("match.changed", lambda told: told.get("watching") == 1)
        if how == "orders":
            self.leave(allied, STAND)
        self.attack(french)
        if how == "early":
            self.move(T0 + 600 * 1000)
        elif how == "at":
            self.move(T0 + 3600 * 1000)
        if how != "orders":
            for action in ({"do": "respond", "town": "thuin", "choice": "fight"}, {"do": "end_response"},
                           {"do": "deploy", "battle": "thuin", "columns": Orders.columns_of(allied)}):
                allied.newest()
                allied.act(action)
        if how != "at":
            self.move(T0 + 3600 * 1000)
        self.until(french.client, french.match, lambda v: v["state"] == "DEPLOY_ATT")
        seen = []
        for client, as_ in ((french.client, "FR"), (watcher, "public")):
            client.call("server.hello")
            seen.append(client.pushes[:])
            seen.append(client.call("match.history", match=french.match, **{"as": as_}))
            got = client.call("match.get", match=french.match)
            seen.append({k: v for k, v in got.items() if k not in ("header", "creator", "created_at", "started_at")})
            seen.append([m for m in client.call("match.list", filter="running")["matches"]
                         if m["match"] == french.match])
        text = json.dumps(seen, sort_keys=True)
        for name in (french.match, *self.names):
            text = text.replace(name, "NAME")
        return scrub(json.loads(text))

    def test_nobody_can_tell_who_or_what_answered(self):
        seen = {how: self.capture(how) for how in ("orders", "early", "at")}
        self.assertEqual(seen["orders"], seen["early"])
        self.assertEqual(seen["orders"], seen["at"])

    def answers(self, allied, town="thuin"):
        for action in ({"do": "respond", "town": town, "choice": "fight"}, {"do": "end_response"},
                       {"do": "deploy", "battle": town, "columns": Orders.columns_of(allied)}):
            allied.newest()
            allied.act(action)

    def bank(self, seat, code):
        return seat.client.call("match.get", match=seat.match)["clock"]["seats"][code]["bank_s"]

    def test_time_within_the_pace_costs_no_clock(self):
        for late, left in ((600, 7200), (3600, 7200), (3700, 7100)):
            self.clock.set(T0)
            french, allied = self.war(pace=3600, clock={"kind": "live", "bank_s": 7200, "increment_s": 0})
            self.attack(french)
            self.move(T0 + late * 1000)
            self.answers(allied)
            self.move(T0 + max(late, 3600) * 1000)
            self.until(french.client, french.match, lambda v: v["state"] == "DEPLOY_ATT")
            self.assertEqual(self.bank(french, "AL"), left, late)
            self.assertEqual(self.bank(french, "FR"), 7200)

    def three(self, **options):
        """Two contingents in Thuin, attacked."""
        made = self.account()
        clients = [made] + [self.account() for _ in range(2)]
        match = clients[0][0].call("match.create", game="waterloo", seat="FR", spectators="public",
                                   options={"players": 3}, **options)["match"]
        for (client, _, _), seat in zip(clients[1:], ("AD", "PR")):
            client.call("match.join", match=match, seat=seat)
        seats = [test_matches.Seat(client, match, token) for client, _, token in clients]
        for nation, seat in (("AD", seats[1]), ("PR", seats[2]), ("FR", seats[0])):
            towns = {town: " ".join(u for u in units.split() if u.startswith(nation))
                     for town, units in (FRENCH if nation == "FR" else ALLIED).items()}
            seat.newest()
            seat.act(placements(towns))
            seat.newest()
            seat.act({"do": "confirm_setup"})
        return seats

    def test_two_allies_share_what_is_held_W18(self):
        self.clock.set(T0)
        fr, ad, pr = self.three(pace=3600)
        for seat in (fr, ad, pr):
            seat.newest()
        fr.act({"do": "end_movement"})
        for seat, mover in ((ad, "AD-D AD-E AD-F"), (pr, None)):  # into Thuin beside the Prussians
            seat.newest()
            if mover:
                seat.act(march(mover, "thuin"))
                seat.newest()
            seat.act({"do": "end_movement"})
        for seat in (fr, ad, pr):
            seat.newest()
        if fr.view["turn"]["night"]:
            fr.act({"do": "end_movement"})
            for seat in (ad, pr):
                seat.newest()
                seat.act({"do": "end_movement"})
        self.clock.set(T0 + 1000)
        fr.newest()
        self.attack(fr)
        for seat in (ad, pr):
            seat.newest()
            seat.act({"do": "respond", "town": "thuin", "choice": "fight"})
            seat.newest()
        ad.newest()
        ad.act({"do": "end_response"})  # quiet: its ally alone hears of it
        self.assertNotIn("held", ad.newest())
        pr.newest()
        answer = pr.act({"do": "end_response"})
        self.assertEqual(answer["held"]["until"], T0 + 1000 + 3600 * 1000)
        # Three Anglo-Dutch and four Prussians: the fewer place first (W18.6), on what the other has held.
        held = ad.client.call("match.held", match=ad.match)
        self.assertEqual(held["answer"]["given"], [])
        self.assertEqual(held["view"]["state"], "DEPLOY_DEF")
        self.refused("not_your_turn", pr.act, {"do": "deploy", "battle": "thuin", "columns": Orders.columns_of(pr)})
        ad.act({"do": "deploy", "battle": "thuin", "columns": {"1": ["AD-D"], "2": ["AD-E"], "reserve": ["AD-F"]}})
        pr.act({"do": "deploy", "battle": "thuin", "columns": Orders.columns_of(pr)})
        self.assertEqual(fr.newest()["state"], "RESPOND")
        self.assertEqual(sorted(fr.view["waits_for"]), ["AD", "PR"])
        self.move(T0 + 1000 + 3600 * 1000)
        view = self.until(fr.client, fr.match, lambda v: v["state"] == "DEPLOY_ATT")
        self.assertEqual(view["waits_for"], ["FR"])
        self.assertNotIn("answer", pr.client.call("match.held", match=pr.match))

    def test_who_resigns_answers_nothing_any_more(self):
        self.clock.set(T0)
        french, allied = self.war(pace=3600)
        self.attack(french)
        self.answers(allied)
        french.client.call("match.resign", match=french.match)
        self.move(T0 + 7200 * 1000)
        self.assertTrue(allied.client.call("match.get", match=allied.match)["over"])
        self.assertNotIn("answer", allied.client.call("match.held", match=allied.match))
        record = french.client.call("match.record", match=french.match)["record"]
        self.assertNotIn('"end_response"', record)

    def test_a_rewind_takes_back_what_is_held(self):
        self.clock.set(T0)
        french, allied = self.war(pace=3600)
        before = french.newest()["seq"]
        self.attack(french)
        self.answers(allied)
        offer = french.client.call("match.offer", match=french.match, what="rewind", to=before)["offer"]
        allied.client.call("match.answer", match=french.match, offer=offer, accept=True)
        self.assertEqual(french.newest()["state"], "MOVE")
        self.move(T0 + 7200 * 1000)
        self.assertNotIn("answer", allied.client.call("match.held", match=allied.match))
        self.assertEqual(french.newest()["state"], "MOVE")

    def run_daemon(self, *args, database=None):
        done = subprocess.run([base.DAEMON, "--database", database or self.daemon.database, *args], check=True,
                              capture_output=True, text=True, env=self.daemon.env)
        return done.stdout

    def test_orders_and_what_is_held_move_to_another_server(self):
        self.clock.set(T0)
        french, allied = self.war(pace=3600)
        self.leave(allied, RETIRE[1:])
        self.attack(french)
        self.answers(allied)
        text = self.run_daemon("export", french.match)
        with tempfile.TemporaryDirectory(prefix="vedette-moved-") as folder:
            path, database = os.path.join(folder, "match"), os.path.join(folder, "vedette.db")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            said = self.run_daemon("import", path, database=database)
            codes = {words[4]: words[6] for words in map(str.split, said.splitlines())}
            for wrong in ('"pace_ms":"x"', '"pace_ms":-1', '"pace_ms":3600000,"more":1'):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace('"pace_ms":3600000', wrong))
                with self.assertRaises(subprocess.CalledProcessError):
                    self.run_daemon("import", path, database=database + "-bad")
            there = vedette.Daemon(base.DAEMON, folder=folder, env=self.daemon.env).start()
            try:
                seats = {}
                for code in ("FR", "AL"):
                    seats[code] = there.client()
                    seats[code].call("account.register", name="Mover" + code, password=base.PASSWORD)
                    seats[code].call("match.join", match=french.match, seat=code, code=codes[code])
                self.assertEqual(seats["AL"].call("match.standing", match=french.match)["orders"], RETIRE[1:])
                held = seats["AL"].call("match.held", match=french.match)["answer"]
                self.assertEqual((held["until"], len(held["given"])), (T0 + 3600 * 1000, 2))
                self.assertEqual(seats["FR"].call("match.get", match=french.match)["pace"], 3600)
                self.clock.set(T0 + 3600 * 1000)
                there.signal(12)
                self.until(seats["FR"], french.match, lambda v: v["state"] == "DEPLOY_ATT")
                for client in seats.values():
                    client.close()
                self.assertEqual(there.stop(), 0)
            finally:
                there.remove()

    def test_only_so_long_a_pace(self):
        client, _, _ = self.account()
        for pace in (-1, 604801, "1", True):
            data = self.refused("invalid_params", client.call, "match.create", game="waterloo", pace=pace)
            self.assertEqual(data["member"], "pace")
        self.assertNotIn("pace", client.call("match.create", game="waterloo", pace=0))


def scrub(value):
    """Without what differs in any two matches: chains, keys, codes."""
    if isinstance(value, dict):
        return {k: scrub(v) for k, v in value.items() if k not in ("chain", "commit", "header", "nonces")}
    if isinstance(value, list):
        return [scrub(v) for v in value]
    return value

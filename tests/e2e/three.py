#!/usr/bin/env python3
"""Three players, three clients: what W18 says, over the wire and to the byte. Ends with "N passed, N failed".

A set-up by hand on the real board; French that march into Charleroi, from where it goes on as each rule wants it.
"""
import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time

from contract import Contract
from run import Player, play
from simtime import DAY, HOUR, SimDaemon, ms
from suite import run_tests
from wire import Client, Daemon, Refused, deadline, new_match, pick, register

ANGLO_DUTCH = {"mons": "AD-A AD-B AD-C", "binche": "AD-D AD-E AD-F", "soignies": "AD-G AD-H AD-I",
               "nivelles": "AD-J AD-K AD-L", "quatre-bras": "AD-M AD-N"}
PRUSSIAN = {"thuin": "PR-E PR-F PR-G PR-H", "fosses": "PR-I PR-J PR-K PR-L", "ligny": "PR-M PR-N PR-O PR-P",
            "namur": "PR-A PR-B PR-C PR-D"}
FRENCH = {"laneffe": "FR-A FR-B FR-C FR-D FR-E FR-F FR-G FR-H", "beaumont":
          "FR-I FR-J FR-K FR-L FR-M FR-N FR-O FR-P FR-Q FR-R"}
START = ms("2026-05-04T10:00:00Z")


def placements(towns):
    return {"do": "place", "placements": [{"unit": unit, "town": town} for town, units in towns.items()
                                          for unit in units.split()]}


def march(*steps):
    """("AD-D", "charleroi"), ...: marches of one road each."""
    return {"do": "march", "marches": [{"unit": unit, "path": [town]} for unit, town in steps]}


class Seat:
    def __init__(self, daemon, token, match, code):
        self.daemon, self.token, self.match, self.code = daemon, token, match, code
        self.client = Client(daemon.port, token)
        self.client.call("match.watch", match=match)
        self.client.push("match.view")

    def view(self, **how):
        return self.client.call("match.view", match=self.match, **how)

    def act(self, action, view=None):
        seq = (view or self.view(actions=False))["seq"]
        return self.client.call("match.act", match=self.match, seq=seq, action=action)

    def get(self):
        return self.client.call("match.get", match=self.match)

    def new_texts(self):
        """What came since the last call of this, but for answers."""
        self.client.fence()
        texts = [json.dumps(push, sort_keys=True) for push in self.client.pushes]
        self.client.pushes.clear()
        return texts


class Suite:
    def __init__(self, args, daemon):
        self.args, self.daemon = args, daemon
        self.contract = Contract()
        self.rng = random.Random(args.seed)
        self.serial = 0

    # ---- tools ----

    def account(self, daemon=None):
        self.serial += 1
        name = "three-%d" % self.serial
        return name, register((daemon or self.daemon).port, name)

    def match(self, daemon=None, **params):
        daemon = daemon or self.daemon
        codes = ("FR", "AD", "PR")
        people = [self.account(daemon) for _ in codes]
        params = {"spectators": "public", "access": "open", **params}
        params["options"] = {"players": 3, **params.get("options", {})}
        match = new_match(daemon.port, [token for _, token in people], codes, **params)
        seats = [Seat(daemon, token, match, code) for (_, token), code in zip(people, codes)]
        for seat, (name, _) in zip(seats, people):
            seat.name = name
        return seats

    def guest(self, seats, token=None):
        return Seat(seats[0].daemon, token or self.account(seats[0].daemon)[1], seats[0].match, "public")

    @staticmethod
    def told_of_guest(*seats):
        """Who is here and that one looks on is told once it has been read, which may take its time: it has been."""
        for seat in seats:
            seat.client.push("match.changed", lambda told: told.get("watching") == 1)

    def set_up(self, seats):
        french, dutch, prussian = seats
        dutch.act(placements(ANGLO_DUTCH))
        dutch.act({"do": "confirm_setup"})
        prussian.act(placements(PRUSSIAN))
        prussian.act({"do": "confirm_setup"})
        french.act(placements(FRENCH))
        french.act({"do": "confirm_setup"})

    def end_turn(self, seats):
        """All whose turn it is end their movement."""
        slot = seats[0].view()["turn"]["slot"]
        for seat in seats:
            view = seat.view()
            if view["turn"]["slot"] == slot and any(f["do"] == "end_movement" for f in view.get("actions", [])):
                seat.act({"do": "end_movement"}, view)

    def in_charleroi(self, seats):
        """Slot 2: the French stand at Charleroi with four, and both allies beside them."""
        self.set_up(seats)
        seats[0].act(march(*(("FR-" + u, "charleroi") for u in "ABCD")))
        seats[0].act({"do": "end_movement"})
        assert seats[1].view()["turn"]["slot"] == 2

    def refused(self, kind, call, *args, **params):
        try:
            call(*args, **params)
        except Refused as refusal:
            assert refusal.kind == kind, refusal
            return refusal.error
        raise AssertionError("%s was not refused" % (params or args,))

    def forbids(self, seat, action, *rules):
        error = self.refused("illegal_action", seat.act, action)
        assert error["data"]["rule"] in rules, error
        return error

    def done(self, seats):
        for seat in seats:
            self.contract.traffic(seat.client.traffic, limit=self.contract.seen + 300)
        assert not self.contract.problems, "\n".join(self.contract.problems[:10])

    # ---- W18.1, W18.3 ----

    def test_each_commands_its_own_and_sees_the_others_in_full_W18_1_W18_3(self):
        seats = french, dutch, prussian = self.match()
        self.refused("illegal_action", prussian.act, placements({"mons": "AD-A"}))
        self.in_charleroi(seats)
        self.forbids(dutch, march(("PR-M", "charleroi")), "W18.1")
        self.forbids(prussian, march(("AD-D", "charleroi")), "W18.1")
        error = self.refused("illegal_action", dutch.client.call, "match.try", match=dutch.match,
                             seq=dutch.view()["seq"], action=march(("PR-M", "charleroi")))
        assert error["data"]["rule"] == "W18.1", error
        mine, his = dutch.view()["board"]["units"], prussian.view()["board"]["units"]
        assert mine == his and len([u for u in mine if u[:2] in ("AD", "PR")]) == 30, sorted(mine)
        assert not [u for u in mine if u.startswith("FR")], sorted(mine)
        assert {u[:2] for u in french.view()["board"]["units"]} == {"FR"}
        self.done(seats)

    # ---- W18.4, E72 ----

    def test_an_end_is_withdrawn_when_the_plan_falls_short_E72(self):
        seats = french, dutch, prussian = self.match()
        guest = self.guest(seats)
        self.told_of_guest(french, guest)
        self.in_charleroi(seats)
        others = french, guest
        for seat in others:
            seat.new_texts()
        seen = [json.dumps([seat.view(), seat.get(), seat.client.call("match.history", match=seat.match)], sort_keys=True)
                for seat in others]
        dutch.act(march(("AD-D", "charleroi"), ("AD-E", "charleroi")))
        # The ally sees the draft; it is in the order of arrival.
        assert "AD-D" in json.dumps(prussian.view()["board"]["marches"])
        self.forbids(dutch, {"do": "end_movement"}, "W4.9")
        prussian.act(march(("PR-M", "charleroi")))
        dutch.act({"do": "end_movement"})
        assert "actions" not in dutch.view()
        self.refused("not_your_turn", dutch.act, {"do": "end_movement"})
        prussian.act({"do": "unmarch", "units": ["PR-M"]})
        assert "actions" in dutch.view(), "the end was not withdrawn"
        prussian.act({"do": "end_movement"})
        self.forbids(dutch, {"do": "end_movement"}, "W4.9")
        now = [json.dumps([seat.view(), seat.get(), seat.client.call("match.history", match=seat.match)], sort_keys=True)
               for seat in others]
        assert now == seen, "the French or the public see something of it"
        assert [seat.new_texts() for seat in others] == [[], []], "something was pushed to them"
        dutch.act({"do": "unmarch", "units": ["AD-D", "AD-E"]})
        dutch.act({"do": "end_movement"})
        view = french.view()
        assert (view["turn"]["slot"], view["to_act"]) == (3, ["FR"]), view["turn"]
        self.done(seats)

    def test_side_by_side_until_both_have_ended_W18_4(self):
        seats = french, dutch, prussian = self.match()
        self.in_charleroi(seats)
        assert dutch.view()["to_act"] == ["AD", "PR"]
        # To others it is one step, of both, until the last of them has ended.
        before = french.view()
        prussian.act({"do": "end_movement"})
        assert french.view() == before
        # Road capacity is shared: the minor road Binche-Soignies over the river takes three (W4.7).
        dutch.act(march(*(("AD-" + u, "soignies") for u in "DEF")))
        dutch.act({"do": "end_movement"})
        assert french.view()["turn"]["slot"] == 3
        self.done(seats)

    # ---- W18.6, W18.4 in battle, W18.7 ----

    def battle(self):
        """Three Anglo-Dutch and four Prussians attack the four French at Charleroi, who stand and fight."""
        seats = french, dutch, prussian = self.match()
        self.in_charleroi(seats)
        dutch.act(march(*(("AD-" + u, "charleroi") for u in "DEF")))
        prussian.act(march(*(("PR-" + u, "charleroi") for u in "MNOP")))
        dutch.act({"do": "end_movement"})
        prussian.act({"do": "end_movement"})
        french.act({"do": "respond", "town": "charleroi", "choice": "fight"})
        french.act({"do": "end_response"})
        french.act({"do": "deploy", "battle": "charleroi",
                    "columns": {"1": ["FR-A"], "2": ["FR-B"], "3": ["FR-C"], "reserve": ["FR-D"]}})
        return seats

    def deploy_allies(self, seats):
        _, dutch, prussian = seats
        dutch.act({"do": "deploy", "battle": "charleroi", "columns": {"1": ["AD-D"], "2": ["AD-E", "AD-F"], "3": [], "reserve": []}})
        prussian.act({"do": "deploy", "battle": "charleroi",
                      "columns": {"1": [], "2": [], "3": ["PR-M", "PR-N"], "reserve": ["PR-O", "PR-P"]}})

    def test_the_smaller_contingent_deploys_first_W18_6(self):
        seats = french, dutch, prussian = self.battle()
        all_prussians = {"1": ["PR-M"], "2": ["PR-N"], "3": ["PR-O"], "reserve": ["PR-P"]}
        self.refused("not_your_turn", prussian.act, {"do": "deploy", "battle": "charleroi", "columns": all_prussians})
        assert "actions" not in prussian.view() and dutch.view()["to_act"] == ["AD"]
        # Three columns to be filled, by the two together: the first may leave no more empty than the second has units.
        self.forbids(dutch, {"do": "deploy", "battle": "charleroi", "columns":
                                     {"1": ["AD-D", "PR-M"], "2": [], "3": [], "reserve": ["AD-E", "AD-F"]}}, "W18.1", "W6.2")
        before = french.view()
        dutch.act({"do": "deploy", "battle": "charleroi",
                   "columns": {"1": ["AD-D"], "2": ["AD-E", "AD-F"], "3": [], "reserve": []}})
        assert french.view() == before, "the French saw half of it"
        # The ally sees it in full, reserves included (W18.3), and must fill the third column.
        assert "AD-F" in json.dumps(prussian.view()["board"])
        self.forbids(prussian, {"do": "deploy", "battle": "charleroi", "columns":
                                {"1": ["PR-M", "PR-N"], "2": [], "3": [], "reserve": ["PR-O", "PR-P"]}}, "W6.2", "W18.6")
        prussian.act({"do": "deploy", "battle": "charleroi",
                      "columns": {"1": [], "2": [], "3": ["PR-M", "PR-N"], "reserve": ["PR-O", "PR-P"]}})
        # Now everything but the reserves is turned up, for all.
        named = json.dumps(french.view()["board"])
        for unit in ("AD-D", "AD-E", "AD-F", "PR-M", "PR-N"):
            assert unit in named, unit
        for unit in ("PR-O", "PR-P"):
            assert unit not in named, unit
        assert {"AD", "PR"} == set(dutch.view()["to_act"])
        self.done(seats)

    def test_in_battle_each_fires_and_ends_for_itself_W18_4(self):
        seats = french, dutch, prussian = self.battle()
        self.deploy_allies(seats)
        self.forbids(dutch, {"do": "fire", "battle": "charleroi", "unit": "PR-M", "target": "FR-C"}, "W18.1")
        self.forbids(dutch, {"do": "move", "battle": "charleroi", "unit": "PR-M", "kind": "advance"}, "W18.1")
        for seat in (dutch, prussian):
            own = [form for form in seat.view()["actions"] if "unit" in form]
            assert own and all(unit[:2] == seat.code for form in own for unit in self.units_of(form)), own
        # What one does takes effect at once, for all to see: in the order of arrival.
        action = pick(next(form for form in prussian.view()["actions"] if "unit" in form), self.rng)
        prussian.act(action)
        for seat in seats:
            last = seat.client.call("match.history", match=seat.match)["steps"][-1]["events"]
            assert last and last[0]["ev"] in ("fired", "combat_moved", "move", "moved", "advanced"), (seat.code, last)
        self.end_combat(prussian)
        assert "actions" not in prussian.view() and "actions" in dutch.view()
        self.end_combat(dutch)
        assert french.view()["to_act"] == ["FR"], french.view()["to_act"]
        self.done(seats)

    @staticmethod
    def units_of(form):
        unit = form["unit"]
        return set(unit) if isinstance(unit, list) else {unit}

    def end_combat(self, seat):
        """Fires once, should a seat have to do something (W7.7), and ends its combat turn."""
        view = seat.view()
        if not any(form["do"] == "end_combat_turn" for form in view["actions"]):
            form = next(form for form in view["actions"] if form["do"] in ("fire", "move"))
            seat.act(pick(form, self.rng), view)
        seat.act({"do": "end_combat_turn", "reinforcements": []})

    def test_a_retreat_names_units_of_its_own_seat_only_W18_7_E73(self):
        seats = french, dutch, prussian = self.battle()
        self.deploy_allies(seats)
        for seat in (dutch, prussian):
            self.end_combat(seat)
        self.end_combat(french)
        state = dutch.view()
        assert set(state["to_act"]) == {"AD", "PR"}, state["to_act"]
        mine = [u for u in state["board"]["units"] if u.startswith("AD-") and
                state["board"]["units"][u].get("town") == "charleroi"]
        his = [u for u in state["board"]["units"] if u.startswith("PR-") and
               state["board"]["units"][u].get("town") == "charleroi"]
        assert mine and his
        self.forbids(dutch, {"do": "retreat", "battle": "charleroi",
                             "routes": [{"unit": mine[0], "path": ["binche"]}, {"unit": his[0], "path": ["ligny"]}]}, "W18.1")
        # The Anglo-Dutch all go: columns 1 and 2 are empty, and nothing is lost yet, for the ally may leave as well.
        self.retreat(dutch, mine, "binche")
        assert not self.told(french, "routed"), "a rout before the ally has ended"
        assert self.told(prussian, "retreated") or self.told(prussian, "moved"), "the ally was not shown it"
        self.retreat(prussian, his, "ligny")
        assert not self.told(french, "routed"), "a rout, though all have left"
        view = prussian.view()
        assert "charleroi" not in view["board"].get("battles", {}), "the battle goes on"
        self.done(seats)

    def retreat(self, seat, units, town):
        routes = [{"unit": unit, "path": [town]} for unit in units]
        seat.act({"do": "retreat", "battle": "charleroi", "routes": routes})

    def told(self, seat, kind):
        return [e for step in seat.client.call("match.history", match=seat.match)["steps"] for e in step["events"]
                if e["ev"] == kind]

    # ---- W18.5 ----

    def mixed(self):
        """Slot 5: two Anglo-Dutch and one Prussian at Quatre-Bras, attacked by the four French of Charleroi."""
        seats = french, dutch, prussian = self.match()
        self.in_charleroi(seats)
        prussian.act(march(("PR-M", "quatre-bras")))
        self.end_turn((dutch, prussian))
        self.end_turn((french,))  # at night
        self.end_turn((dutch, prussian))
        assert french.view()["turn"]["slot"] == 5
        french.act(march(*(("FR-" + u, "quatre-bras") for u in "ABCD")))
        french.act({"do": "end_movement"})
        assert dutch.view()["state"] == "RESPOND", dutch.view()["state"]
        return seats

    def test_each_contingent_of_a_mixed_town_chooses_W18_5(self):
        seats = french, dutch, prussian = self.mixed()
        retreat = {"do": "respond", "town": "quatre-bras", "choice": "retreat",
                   "routes": [{"unit": "PR-M", "path": ["ligny"]}], "stranded": []}
        self.forbids(dutch, {"do": "respond", "town": "quatre-bras", "choice": "retreat", "stranded": [],
                             "routes": [{"unit": "AD-M", "path": ["waterloo"]}, {"unit": "PR-M", "path": ["ligny"]}]},
                     "W18.1", "W5.3")
        before = french.view()
        dutch.act({"do": "respond", "town": "quatre-bras", "choice": "fight"})
        # The Prussian goes: what stays is fewer than three, so the fight is void and its seat answers again.
        prussian.act(retreat)
        answers = [form for form in dutch.view()["actions"] if form["do"] == "respond"]
        assert answers and all(form["choice"] == "retreat" for form in answers), answers
        self.forbids(dutch, {"do": "respond", "town": "quatre-bras", "choice": "fight"}, "W5.2", "W18.5")
        assert french.view() == before, "the French see who answered what"
        dutch.act({"do": "respond", "town": "quatre-bras", "choice": "retreat", "stranded": [],
                   "routes": [{"unit": unit, "path": ["waterloo"]} for unit in ("AD-M", "AD-N")]})
        self.done(seats)

    def test_three_of_both_nations_may_stand_W18_5(self):
        seats = french, dutch, prussian = self.mixed()
        for seat in (prussian, dutch):
            seat.act({"do": "respond", "town": "quatre-bras", "choice": "fight"})
            seat.act({"do": "end_response"})
        assert dutch.view()["state"] == "DEPLOY_DEF"
        # One Prussian, two Anglo-Dutch: he places first.
        assert prussian.view()["to_act"] == ["PR"], prussian.view()["to_act"]
        self.done(seats)

    # ---- W18.2 ----

    def test_the_allied_channel_over_the_days_W18_2(self):
        """Open in the Allied set-up and in Allied night turns (slots 6 and 12), closed in all others, French nights too."""
        seats = french, dutch, prussian = self.match(options={"turns": 13})
        guest = self.guest(seats)
        said = []

        def check(is_open, opens):
            for seat in (dutch, prussian):
                side = seat.get()["talk"]["side"]
                assert side["open"] is is_open, (slot, side)
                assert side.get("opens", {}).get("slot") == (None if is_open else opens), (slot, side)
                text = "%s in %s" % (seat.code, slot)
                if is_open:
                    number = seat.client.call("match.say", match=seat.match, channel="side", text=text)["n"]
                    said.append(text)
                    assert number == len(said), number
                else:
                    error = self.refused("illegal_action", seat.client.call, "match.say", match=seat.match,
                                         channel="side", text=text)
                    assert error["data"]["rule"] == "W18.2", error
                    assert error["data"].get("opens", {}).get("slot") == opens, error
            for seat in (french, guest):
                assert "side" not in json.dumps(seat.get()["talk"]), seat.code
                self.refused("forbidden", seat.client.call, "match.talk", match=seat.match, channel="side")

        slot = 0
        check(True, None)
        dutch.act(placements(ANGLO_DUTCH))
        dutch.act({"do": "confirm_setup"})
        check(True, None)  # one of them has still to confirm
        prussian.act(placements(PRUSSIAN))
        prussian.act({"do": "confirm_setup"})
        check(False, 6)    # the French set up
        french.act(placements(FRENCH))
        french.act({"do": "confirm_setup"})
        for slot in range(1, 14):
            now = dutch.view()["turn"]
            assert now["slot"] == slot, now
            opens = 6 if slot < 6 else 12 if slot < 12 else None
            check(slot in (6, 12), opens)
            if slot == 6:
                # One of the two has ended in secret: it is still their night.
                dutch.act({"do": "end_movement"})
                check(True, None)
                prussian.act({"do": "end_movement"})
            else:
                self.end_turn(seats)
        talk = prussian.client.call("match.talk", match=prussian.match, channel="side", limit=100)["messages"]
        assert [message["text"] for message in talk] == said
        # Nothing of it has reached the others, neither words nor that there were any.
        for seat in (french, guest):
            got = "\n".join(text for direction, text in seat.client.traffic if direction == "<")
            assert '"channel":"side"' not in got and '"side":{' not in got, seat.code
            assert not [text for text in said if text in got]
        told = [json.loads(t)["params"]["talk"]["side"]["open"] for direction, t in prussian.client.traffic
                if direction == "<" and '"talk":{"side"' in t and '"match.changed"' in t]
        assert told == [False, True, False, True, False, True], told  # and when the match is over
        self.done(seats)

    def test_what_they_say_changes_nothing_for_others(self):
        """Two matches played alike, in one of which the allies talk: what the French and the public get is the same."""
        heard = []
        for talks in (False, True):
            seats = french, dutch, prussian = self.match()
            guest = self.guest(seats)
            self.told_of_guest(french, guest)
            for number in range(20 if talks else 0):
                (dutch, prussian)[number % 2].client.call("match.say", match=french.match, channel="side", text="word")
                dutch.client.call("match.read", match=french.match, channel="side", n=number + 1)
            french.client.call("match.say", match=french.match, channel="table", text="well?")
            self.set_up(seats)
            text = []
            for seat in (french, guest):
                seat.client.fence()
                answers = [seat.view(), seat.get(), seat.client.call("match.history", match=seat.match),
                           seat.client.call("match.talk", match=seat.match, channel="table"),
                           seat.client.call("match.list", filter="running", limit=1)]
                text.append(self.plain(json.dumps([seat.client.pushes, answers], sort_keys=True), seats))
            heard.append(text)
        assert heard[0] == heard[1], "talk shows"

    @staticmethod
    def plain(text, seats):
        """Without ids, names, times and hashes."""
        import re
        text = text.replace(seats[0].match, "MATCH")
        text = re.sub(r"three-\d+", "NAME", text)
        text = re.sub(r'\\?"(chain|commit|nonce)\\?": ?\\?"[^"]*"', r'"\1"', text)
        return re.sub(r"\b1[78]\d{11}\b", "TIME", text)

    # ---- what allies do not share ----

    def test_orders_drafts_and_notes_are_the_seats_own(self):
        seats = french, dutch, prussian = self.match()
        friend, token = self.account()
        self.in_charleroi(seats)
        secret = "waterloo"
        dutch.client.call("match.note", match=dutch.match, text="note of %s" % secret)
        dutch.client.call("match.draft", match=dutch.match, version=0, actions=[march(("AD-J", secret))])
        before = [json.dumps([seat.view(), seat.get()], sort_keys=True) for seat in (prussian, french)]
        dutch.client.call("match.standing", match=dutch.match, version=0,
                          orders=[{"when": {"is": "attacked"},
                                   "do": {"do": "respond", "choice": "fight", "rest": "spread"}}])
        assert [json.dumps([seat.view(), seat.get()], sort_keys=True) for seat in (prussian, french)] == before
        for other in (prussian, french):
            assert other.client.call("match.note", match=other.match)["text"] == ""
            assert other.client.call("match.draft", match=other.match)["actions"] == []
            assert other.client.call("match.standing", match=other.match)["orders"] == []
            for method in ("match.note", "match.draft", "match.standing"):
                self.refused("forbidden", other.client.call, method, match=other.match, **{"as": "AD"})
        # Who has the seat for a time acts on the orders that lie there; the notebook is not his.
        dutch.client.call("match.lend", match=dutch.match, name=friend, until=int(time.time() * 1000) + HOUR)
        borrower = Seat(self.daemon, token, dutch.match, "AD")
        assert borrower.client.call("match.note", match=borrower.match)["text"] == ""
        assert borrower.client.call("match.draft", match=borrower.match)["actions"] == []
        borrower.act({"do": "end_movement"})
        dutch.client.call("match.recall", match=dutch.match)
        self.refused("forbidden", borrower.client.call, "match.standing", match=borrower.match)
        self.done(seats)

    # ---- W18.8, W18.9 ----

    def test_one_ally_leaves_and_the_other_commands_both_W18_9(self):
        seats = french, dutch, prussian = self.match()
        self.in_charleroi(seats)
        dutch.client.call("match.resign", match=dutch.match)
        view = prussian.view()
        assert view["as"] == "AL" and view["to_act"] == ["AL"], (view["as"], view["to_act"])
        assert prussian.get()["state"] == "running"
        self.refused("not_your_turn", dutch.act, {"do": "end_movement"})
        prussian.act(march(("AD-D", "mons")))
        prussian.act(march(("PR-M", "gembloux")))
        prussian.act({"do": "end_movement"})
        assert french.view()["turn"]["slot"] == 3
        # And when that one goes too, the French have won; together they lose (W18.8).
        prussian.client.call("match.resign", match=prussian.match)
        for seat in seats:
            summary = seat.get()
            assert summary["state"] == "over" and summary["result"]["winners"] == ["FR"], summary.get("result")
        self.done(seats)

    def test_the_french_leave_and_the_allies_win_together_W18_8_W18_9(self):
        seats = french, dutch, prussian = self.match()
        self.in_charleroi(seats)
        french.client.call("match.resign", match=french.match)
        for seat in seats:
            assert set(seat.get()["result"]["winners"]) == {"AD", "PR"}, seat.get()["result"]
        # All of it is open now, but for what the two said to each other.
        dutch.client.call("match.view", match=dutch.match, **{"as": "FR"})
        self.refused("forbidden", french.client.call, "match.talk", match=french.match, channel="side")
        self.done(seats)

    def test_whole_matches_by_chance_keep_to_it(self):
        """Three clients that pick at random to the end: allies see alike, the enemy sees none of it, all share the result."""
        for options in ({"turns": 4}, {"turns": 5, "morale": True, "command_control": True}):
            codes = ("FR", "AD", "PR")
            tokens = [self.account()[1] for _ in codes]
            match = new_match(self.daemon.port, tokens, codes, spectators="public", options={"players": 3, **options})
            players = [Player(self.daemon, token, match) for token in tokens]
            looks = 0

            def over():
                nonlocal looks
                looks += 1
                if looks % 25 == 0 and players[1].view["state"] != "GAME_OVER":
                    mine, his = players[1].refresh()["board"]["units"], players[2].refresh()["board"]["units"]
                    own = [{u: v for u, v in units.items() if u[:2] != "FR"} for units in (mine, his)]
                    assert own[0] == own[1], "allies see each other otherwise than themselves"
                return players[0].view["state"] == "GAME_OVER"
            assert play(players, self.rng, over), "no end"
            summaries = [player.client.call("match.get", match=match) for player in players]
            assert len({json.dumps(summary["result"]) for summary in summaries}) == 1
            winners = set(summaries[0]["result"]["winners"])
            assert winners in ({"FR"}, {"AD", "PR"}), winners

    # ---- an ally who vanishes: the ladder ----

    def vanishing(self, then, **more):
        daemon = SimDaemon(self.args.daemon, START, config="[limits]\nrates = off\n", **more).start()
        clock = {"kind": "correspondence", "bank_s": 0, "per_move_s": 86400,
                 "ladder": {"remind_s": [], "grace_s": 3600, "then": then}}
        return daemon, self.match(daemon, clock=clock)

    def settled(self, daemon, seat, holds):
        """What the daemon does by itself after a look at the clock has come to pass."""
        guard = deadline(60)
        while not holds():
            assert guard(), "it does not come"
            daemon.move(daemon.now, seat.client, seat.match)

    def stop(self, daemon, seats):
        self.done(seats)
        code, log = daemon.stop(), daemon.log_text()
        check = subprocess.run([self.args.daemon, "--database", daemon.database, "check"], capture_output=True, text=True,
                               timeout=120, check=False)
        assert check.returncode == 0, check.stdout + check.stderr
        assert code == 0 and "Sanitizer" not in log and "runtime error" not in log, log[-4000:]
        shutil.rmtree(daemon.folder, ignore_errors=True)

    def test_who_is_excused_is_so_over_a_restart(self):
        """Late is he who holds the match up; that his ally is not is stored with the clock, and holds when it moves next."""
        daemon, seats = self.vanishing("claim")
        french, _, prussian = seats
        prussian.act(placements(PRUSSIAN))
        prussian.act({"do": "confirm_setup"})
        daemon.move(START + DAY, french.client, french.match)
        self.settled(daemon, french, lambda: self.told(french, "late"))
        daemon.beat()
        daemon.kill()
        daemon.set(daemon.now + HOUR // 2)
        daemon.start()
        for seat in seats:
            self.done([seat])
            seat.client = Client(daemon.port, seat.token)
        # Time is given to the one who is late: a line that everybody is told of, and the clock follows it.
        french.client.call("match.offer", match=french.match, what="time", seat="AD", s=86400)
        clock = french.get()["clock"]["seats"]
        assert (clock["PR"]["state"], clock["AD"]["state"]) == ("stands", "runs"), clock
        daemon.move(daemon.now + 2 * DAY, french.client, french.match)
        self.settled(daemon, french, lambda: self.told(french, "missed"))
        assert [e["seat"] for kind in ("late", "missed") for e in self.told(french, kind)] == ["AD", "AD", "AD"]
        self.stop(daemon, seats)

    def test_who_waits_for_an_ally_who_vanishes_keeps_his_bank(self):
        """Both clocks run, so that the enemy does not see who has ended; when it is told who has not, the other has lost nothing."""
        daemon = SimDaemon(self.args.daemon, START, config="[limits]\nrates = off\n").start()
        clock = {"kind": "correspondence", "bank_s": 7200, "per_move_s": 86400,
                 "ladder": {"remind_s": [], "grace_s": 3600, "then": "claim"}}
        seats = self.match(daemon, clock=clock)
        french, _, prussian = seats
        prussian.act(placements(PRUSSIAN))
        prussian.act({"do": "confirm_setup"})
        daemon.move(START + DAY + HOUR, french.client, french.match)
        told = [french.client.call("match.clock", match=french.match)["seats"][code]["bank_s"] for code in ("AD", "PR")]
        assert told == [3600, 3600], told
        daemon.move(START + DAY + 2 * HOUR, french.client, french.match)
        self.settled(daemon, french, lambda: self.told(french, "late"))
        clock = french.get()["clock"]["seats"]
        assert (clock["AD"]["bank_s"], clock["PR"]["bank_s"], clock["PR"]["state"]) == (0, 7200, "stands"), clock
        self.stop(daemon, seats)

    def test_an_ally_who_vanishes_is_replaced_by_a_substitute(self):
        daemon, seats = self.vanishing("substitute")
        french, dutch, prussian = seats
        prussian.act(placements(PRUSSIAN))
        prussian.act({"do": "confirm_setup"})
        prussian.client.call("match.say", match=french.match, channel="side", text="where are you?")
        daemon.move(START + DAY + 2 * HOUR, french.client, french.match)
        # Late is he who holds the match up, not his ally, who has long confirmed: though nobody was shown which of them did.
        self.settled(daemon, french, lambda: self.told(french, "seat_changed"))
        told = [(e["ev"], e["seat"]) for kind in ("late", "missed", "seat_changed") for e in self.told(french, kind)]
        assert told == [("late", "AD"), ("missed", "AD"), ("seat_changed", "AD")], told
        clock = french.get()["clock"]["seats"]
        assert (clock["PR"]["state"], clock["PR"]["misses"], clock["AD"]["state"]) == ("stands", 0, "out"), clock
        name, token = self.account(daemon)
        client = Client(daemon.port, token)
        listed = client.call("match.list", filter="vacant")["matches"]
        assert [m["seats"]["AD"].get("vacant") for m in listed if m["match"] == french.match] == [True], listed
        client.call("match.substitute", match=french.match, seat="AD")
        newcomer = Seat(daemon, token, french.match, "AD")
        # He plays on, with a clock of his own; what was said before he came he does not read, the vanished one nothing.
        assert newcomer.client.call("match.talk", match=french.match, channel="side")["messages"] == []
        self.refused("forbidden", dutch.client.call, "match.talk", match=french.match, channel="side")
        self.refused("forbidden", dutch.view, **{"as": "AD"})
        newcomer.act(placements(ANGLO_DUTCH))
        newcomer.act({"do": "confirm_setup"})
        french.act(placements(FRENCH))
        french.act({"do": "confirm_setup"})
        assert french.get()["seats"]["AD"]["account"] == name
        self.stop(daemon, seats)

    def test_an_ally_who_vanishes_leaves_both_nations_to_the_other_W18_9(self):
        daemon, seats = self.vanishing("forfeit")
        french, dutch, prussian = seats
        self.set_up(seats)
        french.act({"do": "end_movement"})
        prussian.act({"do": "end_movement"})
        daemon.move(START + DAY + 2 * HOUR, french.client, french.match)
        left = self.told(french, "left")
        assert [(e["seat"], e["how"]) for e in left] == [("AD", "time")], left
        view = prussian.view()
        assert view["as"] == "AL" and view["to_act"] == ["AL"], (view["as"], view["to_act"])
        assert french.get()["state"] == "running"
        self.stop(daemon, seats)

    def test_a_loan_ends_by_itself_while_its_borrower_sleeps(self):
        daemon, seats = self.vanishing("claim")
        french, dutch, prussian = seats
        name, token = self.account(daemon)
        dutch.client.call("match.lend", match=dutch.match, name=name, until=START + 5 * HOUR)
        borrower = Seat(daemon, token, dutch.match, "AD")
        borrower.act(placements(ANGLO_DUTCH))
        daemon.move(START + 5 * HOUR - 1, french.client, french.match)
        assert "lent" in french.get()["seats"]["AD"]
        daemon.move(START + 5 * HOUR, french.client, french.match)
        borrower.client.push("match.changed", lambda p: p.get("unwatched") == "AD")
        assert french.get()["seats"]["AD"] == {"account": dutch.name}, french.get()["seats"]
        self.refused("forbidden", borrower.act, {"do": "confirm_setup"})
        dutch.act({"do": "confirm_setup"})
        assert [e["how"] for e in self.told(french, "seat_changed")] == ["lent", "back"]
        self.stop(daemon, seats)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="vedette-three-")
    daemon = Daemon(args.daemon, folder=folder, config="[limits]\nrates = off\n").start()
    passed, failed = run_tests(Suite(args, daemon), args.only)
    shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

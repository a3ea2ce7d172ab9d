"""Matches over the wire: seats, refusals, exactly once, watching, waiting, and what a kill leaves (PROTOCOL 2, 4, 7)."""
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading

import base
import vedette

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from wire import pick  # noqa: E402  an action from action forms


class Seat:
    """A signed-in connection that holds a seat and watches its match."""

    def __init__(self, client, match, token=None):
        self.client, self.match, self.token = client, match, token
        self.client.call("match.watch", match=match)
        self.view = self.client.push("match.view", lambda p: p["match"] == match)["view"]

    def newest(self):
        """The view after all that was sent before now."""
        self.client.call("server.hello")
        kept = []
        for push in self.client.pushes:
            if push["method"] == "match.view" and push["params"]["match"] == self.match:
                self.view = push["params"]["view"]
            else:
                kept.append(push)
        self.client.pushes = kept
        return self.view

    def act(self, action, **more):
        return self.client.call("match.act", match=self.match, seq=self.view["seq"], action=action, **more)


class WithMatch(base.WithDaemon):
    def match(self, **options):
        """Two seats of a running match."""
        first, first_name, first_token = self.account()
        second, second_name, second_token = self.account()
        made = first.call("match.create", game="waterloo", seat="FR", **options)
        code = made["seats"]["AL"].get("code")  # of a closed match
        second.call("match.join", match=made["match"], seat="AL", **({"code": code} if code else {}))
        seats = Seat(first, made["match"], first_token), Seat(second, made["match"], second_token)
        self.names = first_name, second_name
        return seats

    def play(self, seats, dice, until, steps=600):
        for _ in range(steps):
            for seat in seats:
                if until():
                    return
                if seat.newest().get("actions"):
                    seat.act(pick(seat.view["actions"], dice))
                    seat.newest()
        self.assertTrue(until(), "random play never came there")


class Playing(WithMatch):
    def test_the_seat_is_found_from_the_account(self):
        french, allied = self.match()
        self.assertEqual((french.view["as"], allied.view["as"]), ("FR", "AL"))
        actor, other = (french, allied) if french.view.get("actions") else (allied, french)
        answer = actor.act(pick(actor.view["actions"], random.Random(1)))
        self.assertEqual(answer["seq"], actor.view["seq"] + 1)
        self.assertEqual(actor.newest()["chain"], answer["chain"])
        self.refused("forbidden", other.client.call, "match.view", match=other.match, **{"as": actor.view["as"]})

    def test_the_answer_comes_before_the_push(self):
        french, allied = self.match()
        actor = french if french.view.get("actions") else allied
        actor.newest()
        request_id = actor.client.send("match.act", match=actor.match, seq=actor.view["seq"],
                                       action=pick(actor.view["actions"], random.Random(2)))
        aside = ("account.turn", "match.changed")
        first = actor.client.read()
        while first.get("method") in aside:
            first = actor.client.read()
        second = actor.client.read()
        while second.get("method") in aside:
            second = actor.client.read()
        self.assertEqual(first.get("id"), request_id)
        self.assertEqual(second["method"], "match.view")
        self.assertEqual(second["params"]["seq"], first["result"]["seq"])

    def test_refusals_say_what_they_rest_on(self):
        french, allied = self.match()
        actor, other = (french, allied) if french.view.get("actions") else (allied, french)
        action = pick(actor.view["actions"], random.Random(3))
        data = self.refused("stale_state", actor.client.call, "match.act", match=actor.match,
                            seq=actor.view["seq"] + 5, action=action)
        self.assertEqual(data["seq"], actor.view["seq"])
        data = self.refused("illegal_action", actor.act, {"do": "march", "marches": [
            {"unit": "FR-A", "path": ["brussels"]}]}) if actor is french else {"rule": "W"}
        self.assertRegex(data["rule"], r"^W")
        with self.assertRaises(vedette.Refused) as caught:
            actor.act({"do": "fly"})
        self.assertIn(caught.exception.kind, ("invalid_params", "illegal_action"))
        with self.assertRaises(vedette.Refused) as caught:
            actor.act({"do": "place", "unit": "FR-A", "town": "x", "colour": "red"})
        self.assertIn(caught.exception.kind, ("invalid_params", "illegal_action", "not_your_turn"))
        if not other.view.get("actions"):
            self.refused("not_your_turn", other.act, action)
        for missing in ("match", "seq", "action"):
            params = {"match": actor.match, "seq": actor.view["seq"], "action": action}
            del params[missing]
            self.assertEqual(self.refused("invalid_params", actor.client.call, "match.act", **params)["member"], missing)
        self.refused("invalid_params", actor.client.call, "match.act", match=actor.match, seq=-1, action=action)
        self.refused("invalid_params", actor.client.call, "match.act", match=actor.match, seq="1", action=action)
        self.refused("invalid_params", actor.client.call, "match.act", match=actor.match, seq=1, action=[action])
        self.refused("not_found", actor.client.call, "match.act", match="aaaaaaaaaa", seq=1, action=action)
        self.refused("not_found", actor.client.call, "match.view", match="' OR 1=1 --")
        self.assertEqual(actor.newest()["seq"], actor.view["seq"])

    def test_lists_of_actions_are_bounded(self):
        french, allied = self.match()
        actor = french if french.view.get("actions") else allied
        for count in (65, 1000):
            self.refused("too_large", actor.client.call, "match.act", match=actor.match, seq=actor.view["seq"],
                         actions=[{"do": "end_movement"}] * count)
        self.refused("invalid_params", actor.client.call, "match.act", match=actor.match, seq=actor.view["seq"],
                     actions=[])
        client = self.connect()
        client.text(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "match.act", "params": {
            "match": actor.match, "seq": 1, "actions": [{"do": "end_movement"}] * 10000}}))
        self.assertEqual(client.wait_closed(), 1009)

    def test_strangers_see_what_is_public_and_no_more(self):
        french, _ = self.match(spectators="public")
        stranger = self.connect()
        view = stranger.call("match.view", match=french.match)
        self.assertEqual(view["as"], "public")
        self.assertNotIn("actions", view)
        self.assertNotIn('"FR-', json.dumps(view["board"].get("units", {})))
        for seat in ("FR", "AL", "all"):
            with self.assertRaises(vedette.Refused) as caught:
                stranger.call("match.view", match=french.match, **{"as": seat})
            self.assertIn(caught.exception.kind, ("forbidden", "not_signed_in", "conflict"))
        self.refused("not_signed_in", stranger.call, "match.act", match=french.match, seq=1, action={"do": "x"})
        self.refused("not_signed_in", stranger.call, "match.create", game="waterloo")
        outsider, _, _ = self.account()
        self.refused("forbidden", outsider.call, "match.act", match=french.match, seq=1, action={"do": "end_movement"})
        hidden, _ = self.match(access="private", spectators="none")
        for who in (stranger, outsider):
            self.refused("not_found", who.call, "match.view", match=hidden.match)
            self.refused("not_found", who.call, "match.get", match=hidden.match)
            self.refused("not_found", who.call, "match.watch", match=hidden.match)
            self.refused("not_found", who.call, "match.unwatch", match=hidden.match)
            self.refused("invalid_params", who.call, "match.list", filter="running", before=hidden.match)
        self.assertEqual(hidden.client.call("match.list", filter="running", before=hidden.match)["matches"][0]["match"],
                         french.match)
        for seat in (hidden, french):
            seat.client.call("match.resign", match=seat.match)
        for who in (stranger, outsider):
            self.assertEqual(who.call("match.view", match=french.match, **{"as": "AL"})["as"], "AL")
            for method in ("match.get", "match.view", "match.history", "match.watch"):
                self.refused("not_found", who.call, method, match=hidden.match)
            self.refused("not_found", who.call, "match.talk", match=hidden.match, channel="table")
        self.assertEqual(hidden.client.call("match.view", match=hidden.match, **{"as": "AL"})["as"], "AL")

    def test_history_replay_and_talk(self):
        french, allied = self.match()
        self.play((french, allied), random.Random(4), lambda: french.view["seq"] >= 6)
        steps = french.client.call("match.history", match=french.match)["steps"]
        self.assertEqual([s["seq"] for s in steps], list(range(steps[0]["seq"], french.newest()["seq"] + 1)))
        self.assertEqual(steps[-1]["chain"], french.view["chain"])
        some = steps[-2]["seq"]
        self.assertEqual(french.client.call("match.replay", match=french.match, seq=some)["seq"], some)
        self.refused("not_found", french.client.call, "match.replay", match=french.match, seq=10 ** 6)
        said = french.client.call("match.say", match=french.match, channel="table", text="La garde meurt")
        heard = allied.client.push("match.said")
        self.assertEqual((heard["text"], heard["n"]), ("La garde meurt", said["n"]))
        talk = allied.client.call("match.talk", match=french.match, channel="table")["messages"]
        self.assertEqual(talk[-1]["text"], "La garde meurt")
        self.refused("too_large", french.client.call, "match.say", match=french.match, channel="table", text="x" * 2001)
        self.refused("invalid_params", french.client.call, "match.say", match=french.match, channel="nowhere", text="x")

    def test_resign_answers_with_the_summary(self):
        french, allied = self.match()
        summary = french.client.call("match.resign", match=french.match, action_id="enough")
        self.assertEqual((summary["match"], summary["state"]), (french.match, "over"))
        self.assertEqual(allied.newest()["to_act"], [])
        self.refused("match_over", allied.client.call, "match.act", match=french.match, seq=allied.view["seq"],
                     action={"do": "end_movement"})


class ExactlyOnce(WithMatch):
    def once(self, actor, action, action_id, client=None, seq=None):
        return (client or actor.client).call("match.act", match=actor.match, action=action, action_id=action_id,
                                             seq=actor.view["seq"] if seq is None else seq)

    def test_a_repeat_gets_the_first_answer_also_after_a_kill(self):
        french, allied = self.match()
        actor = french if french.view.get("actions") else allied
        action = pick(actor.view["actions"], random.Random(5))
        first = self.once(actor, action, "a1")
        self.assertEqual(self.once(actor, action, "a1"), first)
        elsewhere = self.connect()
        elsewhere.call("account.resume", token=actor.token)
        self.assertEqual(self.once(actor, action, "a1", elsewhere), first)
        self.assertEqual(self.daemon.call("match.act", actor.token, match=actor.match, seq=actor.view["seq"],
                                          action=action, action_id="a1"), first)
        data = self.refused("conflict", self.once, actor, {"do": "end_movement"}, "a1")
        self.assertEqual(data["reason"], "action_id")
        seq = actor.view["seq"]
        self.assertEqual(actor.newest()["seq"], first["seq"])
        self.daemon.kill()
        self.daemon.start()
        again = self.connect()
        again.call("account.resume", token=actor.token)
        self.assertEqual(self.once(actor, action, "a1", again, seq), first)
        self.refused("conflict", self.once, actor, action, "a1", again, seq + 1)
        self.assertEqual(again.call("match.view", match=actor.match)["seq"], first["seq"])

    def test_two_at_once_with_one_id_are_one(self):
        french, allied = self.match()
        actor = french if french.view.get("actions") else allied
        action = pick(actor.view["actions"], random.Random(6))
        ids = [actor.client.send("match.act", match=actor.match, seq=actor.view["seq"], action=action, action_id="b1")
               for _ in range(10)]
        answers = [actor.client.answer(i) for i in ids]
        self.assertEqual(answers, [answers[0]] * 10)
        self.assertEqual(actor.newest()["seq"], answers[0]["seq"])

    def test_a_refusal_is_not_remembered(self):
        french, allied = self.match()
        actor = french if french.view.get("actions") else allied
        with self.assertRaises(vedette.Refused):
            self.once(actor, {"do": "fly"}, "c1")
        self.once(actor, pick(actor.view["actions"], random.Random(7)), "c1")

    def test_ids_are_bounded_and_belong_to_the_account(self):
        french, allied = self.match()
        actor, other = (french, allied) if french.view.get("actions") else (allied, french)
        action = pick(actor.view["actions"], random.Random(8))
        for bad in ("", "x" * 65, 5, None):
            self.refused("invalid_params", self.once, actor, action, bad)
        answer = self.once(actor, action, "x" * 64)
        with self.assertRaises(vedette.Refused):
            self.once(other, action, "x" * 64)
        self.assertEqual(self.once(actor, action, "x" * 64), answer)

    def test_create_and_join_take_ids_too(self):
        client, _, _ = self.account()
        made = [client.call("match.create", game="waterloo", seat="FR", action_id="m1") for _ in range(3)]
        self.assertEqual(len({m["match"] for m in made}), 1)
        other, _, _ = self.account()
        joined = [other.call("match.join", match=made[0]["match"], action_id="j1") for _ in range(2)]
        self.assertEqual(joined[0]["match"], joined[1]["match"])
        self.assertEqual(self.refused("conflict", other.call, "match.join", match=made[0]["match"])["reason"],
                         "already_joined")

    def test_what_was_acknowledged_survives_kills(self):
        french, allied = self.match()
        dice = random.Random(9)
        seats = [french, allied]
        for _ in range(5):
            target = seats[0].view["seq"] + dice.randrange(1, 6)
            self.play(seats, dice, lambda: seats[0].view["seq"] >= target)
            acknowledged = [seat.newest() for seat in seats]
            self.daemon.kill()
            self.daemon.start()
            for at, seat in enumerate(seats):
                client = self.connect()
                client.call("account.resume", token=seat.token)
                answer = client.call("match.watch", match=seat.match, seq=acknowledged[at]["seq"])
                self.assertTrue(answer["unchanged"])
                self.assertEqual(answer["chain"], acknowledged[at]["chain"])
                self.assertEqual(client.call("match.view", match=seat.match), acknowledged[at])
                seats[at].client = client

    def test_sigterm_amid_actions_loses_nothing_acknowledged(self):
        french, allied = self.match()
        seats = [french, allied]
        dice = random.Random(10)
        self.play(seats, dice, lambda: french.view["seq"] >= 3)
        acknowledged = {}
        kinds = set()

        def run():
            try:
                while True:
                    for seat in seats:
                        if seat.newest().get("actions"):
                            answer = seat.act(pick(seat.view["actions"], dice))
                            acknowledged[seat.match, seat.view["as"]] = answer["seq"]
                            if len(acknowledged) == 2:
                                started.set()
            except vedette.Refused as refused:
                kinds.add(refused.kind)
            except vedette.Closed:
                pass
        started = threading.Event()
        thread = threading.Thread(target=run)
        thread.start()
        started.wait(60)
        self.daemon.signal(signal.SIGTERM)
        code = self.daemon.wait()
        thread.join()
        self.assertEqual(code, 0)
        self.assertLessEqual(kinds, {"closing", "match_over"})
        self.daemon.start()
        for seat in seats:
            client = self.connect()
            client.call("account.resume", token=seat.token)
            view = client.call("match.view", match=seat.match)
            self.assertGreaterEqual(view["seq"], acknowledged[seat.match, seat.view["as"]])


class Check(WithMatch):
    def test_check_replays_what_is_stored_and_finds_what_was_changed(self):
        seats = self.match()
        self.play(seats, random.Random(17), lambda: seats[0].view["seq"] >= 8)
        seq = seats[0].newest()["seq"]
        self.assertEqual(self.daemon.stop(), 0)

        def check():
            return subprocess.run([base.DAEMON, "--database", self.daemon.database, "check"], text=True,
                                  capture_output=True, timeout=60)
        good = check()
        self.assertEqual((good.returncode, good.stdout.splitlines()[-1]), (0, "1 matches, 0 faults"))
        database = sqlite3.connect(self.daemon.database)
        database.execute("UPDATE line SET at = at + 1, body = replace(body, '\"at\":', '\"at\":1') WHERE n = 2")
        database.commit()
        database.close()
        bad = check()
        self.assertEqual(bad.returncode, 1, bad.stdout)
        self.assertNotIn(" 0 faults", bad.stdout)
        self.assertGreater(seq, 7)


class Watching(WithMatch):
    server = "metrics = work"

    def test_watch_again_with_the_seq_one_has(self):
        french, allied = self.match()
        dice = random.Random(11)
        self.play((french, allied), dice, lambda: french.view["seq"] >= 4)
        view = french.newest()
        client = self.connect()
        client.call("account.resume", token=french.token)
        self.assertTrue(client.call("match.watch", match=french.match, seq=view["seq"])["unchanged"])
        data = self.refused("stale_state", client.call, "match.watch", match=french.match, seq=view["seq"] + 100)
        self.assertEqual(data["seq"], view["seq"])
        client.call("match.watch", match=french.match, seq=view["seq"] - 1, delta=True)
        push = client.read() if not client.pushes else client.pushes[-1]
        self.assertIn(push["method"], ("match.view", "match.delta"))
        self.assertEqual(push["params"]["seq"], view["seq"])

    def test_a_seat_given_back_is_watched_by_who_has_it_now(self):
        maker, _, _ = self.account()
        first, _, _ = self.account()
        second, _, _ = self.account()
        match = maker.call("match.create", game="waterloo", seat="FR", start="manual", spectators="public")["match"]
        first.call("match.join", match=match, seat="AL")
        self.assertEqual(first.call("match.watch", match=match)["as"], "AL")
        waiting = first.send("match.wait", match=match, after=0, timeout_s=60)
        first.call("match.leave", match=match)
        second.call("match.join", match=match, seat="AL")
        second.call("match.say", match=match, channel="table", text="he is gone")
        maker.call("match.start", match=match)
        second.call("match.act", match=match, seq=1,
                    action={"do": "place", "placements": [{"unit": "AD-A", "town": "brussels"}]})
        with self.assertRaises(vedette.Refused) as caught:
            first.answer(waiting)
        self.assertEqual(caught.exception.kind, "forbidden")
        first.call("server.hello")
        shown = ("match.view", "match.delta", "match.said")
        self.assertEqual([p for p in first.pushes if p["method"] in shown], [])

    def test_unwatch_ends_it(self):
        french, allied = self.match()
        self.assertEqual(allied.client.call("match.unwatch", match=allied.match), {})
        allied.newest()
        self.play((french,), random.Random(12), lambda: not french.newest().get("actions") or french.view["seq"] > 8,
                  steps=50)
        allied.client.call("server.hello")
        self.assertEqual([p for p in allied.client.pushes if p["method"] == "match.view"], [])

    def test_logout_ends_what_the_seat_was_shown(self):
        french, allied = self.match()
        self.play((french, allied), random.Random(13), lambda: french.view["seq"] >= 3)
        allied.client.call("account.logout")
        allied.client.pushes.clear()
        with self.assertRaises(vedette.Refused):
            allied.client.call("match.watch", match=allied.match, **{"as": "AL"})
        if french.newest().get("actions"):
            french.act(pick(french.view["actions"], random.Random(14)))
        allied.client.call("server.hello")
        self.assertEqual(allied.client.pushes, [])

    def test_a_long_poll_ends_with_its_token(self):
        _, allied = self.match()
        made = allied.client.call("account.token", label="poll", scope="read")
        got = []
        thread = threading.Thread(target=lambda: got.append(self.daemon.post(
            {"jsonrpc": "2.0", "id": 1, "method": "match.wait",
             "params": {"match": allied.match, "after": allied.view["seq"], "timeout_s": 60}}, made["token"])))
        thread.start()
        while b"vedette_waits 1" not in self.daemon.http("GET", "/metrics")[2]:
            pass
        allied.client.call("account.revoke", token_id=made["token_id"])
        thread.join()
        self.assertEqual(got[0][1]["error"]["data"]["kind"], "forbidden")

    def test_long_poll(self):
        french, allied = self.match()
        actor, other = (french, allied) if french.view.get("actions") else (allied, french)
        answer = self.daemon.call("match.wait", other.token, match=other.match, after=other.view["seq"], timeout_s=0)
        self.assertEqual((answer["seq"], answer["unchanged"]), (other.view["seq"], True))
        got = []
        thread = threading.Thread(target=lambda: got.append(self.daemon.call(
            "match.wait", actor.token, match=actor.match, after=actor.view["seq"], timeout_s=60)))
        thread.start()
        before = actor.view["seq"]
        actor.act(pick(actor.view["actions"], random.Random(15)))
        thread.join()
        self.assertGreater(got[0]["seq"], before)
        self.assertEqual(got[0], {**actor.newest()})

    def test_a_poller_that_goes_away_harms_nobody(self):
        french, _ = self.match()
        for _ in range(20):
            client = self.connect()
            client.call("account.resume", token=french.token)
            for _ in range(5):
                client.send("match.wait", match=french.match, after=french.view["seq"], timeout_s=60)
            client.close()
        self.alive()

    def test_an_open_match_is_watched_until_it_begins(self):
        first, _, _ = self.account()
        second, _, _ = self.account()
        match = first.call("match.create", game="waterloo", seat="FR")["match"]
        # Before line 0 the head is 32 zero bytes (FAIRNESS 5).
        self.assertEqual(first.call("match.watch", match=match),
                         {"match": match, "as": "FR", "seq": 0, "chain": "A" * 43})
        self.assertEqual(self.refused("conflict", first.call, "match.view", match=match)["reason"], "not_started")
        second.call("match.join", match=match)
        self.assertEqual(first.push("match.view")["seq"], 1)

    def test_watches_of_a_connection_are_bounded(self):
        client, _, _ = self.account()
        made = [client.call("match.create", game="waterloo", seat="FR")["match"] for _ in range(65)]
        for match in made[:64]:
            client.call("match.watch", match=match)
        self.refused("too_large", client.call, "match.watch", match=made[64])
        client.call("match.watch", match=made[0])  # again is not one more
        client.call("match.unwatch", match=made[1])
        client.call("match.watch", match=made[64])

    def test_a_slow_reader_skips_or_is_closed_and_holds_up_nobody(self):
        french, allied = self.match(spectators="public")
        slow = self.connect(receive_buffer=2048)
        for _ in range(1):
            slow.call("match.watch", match=french.match)
        before = self.daemon.resident_kib()
        ids = []
        try:
            for _ in range(400):  # answers it does not read
                ids.append(slow.send("match.view", match=french.match))
        except OSError:
            pass
        dice = random.Random(16)
        for _ in range(40):
            for seat in (french, allied):
                if seat.newest().get("actions"):
                    seat.act(pick(seat.view["actions"], dice))
        newest = self.connect().call("match.view", match=french.match)["seq"]
        self.assertLess(self.daemon.resident_kib() - before, 20000)
        seqs = []
        try:
            slow.call("server.hello")
            slow.push("match.view", lambda p: seqs.append(p["seq"]) or p["seq"] >= newest)
        except vedette.Closed as closed:
            self.assertIn(closed.code, (1006, 4008))
        else:
            self.assertEqual(seqs, sorted(seqs))
        self.alive()

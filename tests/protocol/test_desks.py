"""What lies on the desk of a seat, who is here, tables that are told of, rematches, bots that play (PROTOCOL 3, 4)."""
import json
import random
import sqlite3

import base
import test_matches


def changed(client):
    """What the client was told of matches by match.changed until now."""
    client.call("server.hello")
    found = [p["params"] for p in client.pushes if p["method"] == "match.changed"]
    client.pushes = [p for p in client.pushes if p["method"] != "match.changed"]
    return found


class Desks(test_matches.WithMatch):
    def test_a_notebook_is_its_writers_alone(self):
        french, allied = self.match(spectators="public")
        note = {"match": french.match}
        self.assertEqual(french.client.call("match.note", **note), {"text": ""})
        kept = french.client.call("match.note", text="Ligny on the 16th, with canary-4711", **note)
        self.assertEqual(kept["text"], "Ligny on the 16th, with canary-4711")
        self.assertEqual(french.client.call("match.note", **note), kept)
        self.assertEqual(french.client.call("match.note", **note, **{"as": "FR"}), kept)
        self.assertEqual(allied.client.call("match.note", **note), {"text": ""})
        self.refused("forbidden", allied.client.call, "match.note", **note, **{"as": "FR"})
        stranger, _, _ = self.account()
        self.refused("forbidden", stranger.call, "match.note", **note)
        self.refused("not_signed_in", self.connect().call, "match.note", **note)
        for other in (allied.client, stranger, self.connect()):
            for method in ("match.get", "match.view", "match.history"):
                self.assertNotIn("canary-4711", json.dumps(other.call(method, match=french.match)))
        self.assertIn("canary-4711", json.dumps(french.client.call("account.export")["notes"]))
        self.assertNotIn("canary-4711", json.dumps(allied.client.call("account.export")))

    def test_a_notebook_of_a_closed_match_is_of_no_match(self):
        french, _ = self.match(access="private")
        stranger, _, _ = self.account()
        self.refused("not_found", stranger.call, "match.note", match=french.match)
        self.refused("not_found", stranger.call, "match.draft", match=french.match)
        self.refused("not_found", stranger.call, "match.note", match="aaaaaaaaaa")

    def test_a_notebook_is_bounded(self):
        french, _ = self.match()
        longest = "é" * 8000  # 16,000 bytes
        self.assertEqual(french.client.call("match.note", match=french.match, text=longest)["text"], longest)
        self.refused("too_large", french.client.call, "match.note", match=french.match, text=longest + "e")
        self.assertEqual(french.client.call("match.note", match=french.match)["text"], longest)
        self.assertEqual(french.client.call("match.note", match=french.match, text="")["text"], "")

    def test_desks_exactly_once_across_a_kill(self):
        french, _ = self.match()
        first = french.client.call("match.note", match=french.match, text="one", action_id="n")
        draft = french.client.call("match.draft", match=french.match, version=0, actions=[{"do": "end"}], action_id="d")
        french.client.call("match.note", match=french.match, text="two")
        self.daemon.kill()
        self.daemon.start()
        client = self.connect()
        client.call("account.resume", token=french.token)
        self.assertEqual(client.call("match.note", match=french.match, text="one", action_id="n"), first)
        self.assertEqual(client.call("match.note", match=french.match)["text"], "two")
        self.assertEqual(client.call("match.draft", match=french.match, version=0, actions=[{"do": "end"}],
                                     action_id="d"), draft)
        for method, params in (("match.note", {"text": "three"}), ("match.draft", {"version": 1, "actions": []})):
            data = self.refused("conflict", client.call, method, match=french.match, action_id="n", **params)
            self.assertEqual(data["reason"], "action_id")

    def test_a_draft_has_versions(self):
        french, allied = self.match()
        call, match = french.client.call, french.match
        self.assertEqual(call("match.draft", match=match), {"version": 0, "actions": []})
        march = [{"do": "march", "units": ["FR-A"], "path": ["thuin"]}, {"do": "whatever"}]
        kept = call("match.draft", match=match, version=0, actions=march)
        self.assertEqual((kept["version"], kept["actions"], kept["seq"]), (1, march, french.newest()["seq"]))
        self.assertEqual(call("match.draft", match=match), kept)
        data = self.refused("conflict", call, "match.draft", match=match, version=0, actions=[])
        self.assertEqual(data["reason"], "version")
        self.assertEqual(call("match.draft", match=match), kept)
        self.assertEqual(call("match.draft", match=match, version=1, actions=[])["version"], 2)
        self.assertEqual(allied.client.call("match.draft", match=match), {"version": 0, "actions": []})
        self.refused("forbidden", allied.client.call, "match.draft", match=match, **{"as": "FR"})

    def test_a_draft_is_bounded(self):
        french, _ = self.match()
        call, match = french.client.call, french.match
        self.refused("too_large", call, "match.draft", match=match, version=0, actions=[{"do": "end"}] * 65)
        for wrong in ("end", {}, {"do": 1}, {"do": ""}):
            self.refused("invalid_params", call, "match.draft", match=match, version=0, actions=[wrong])
        self.refused("invalid_params", call, "match.draft", match=match, version=0)
        self.refused("invalid_params", call, "match.draft", match=match, actions=[])
        self.refused("too_large", call, "match.draft", match=match, version=0, actions=[{"do": "y" * 33000}])
        self.assertEqual(call("match.draft", match=match)["version"], 0)

    def test_desks_go_with_the_account(self):
        french, _ = self.match()
        french.client.call("match.note", match=french.match, text="gone")
        french.client.call("match.draft", match=french.match, version=0, actions=[])
        french.client.call("account.delete", password=base.PASSWORD)
        self.daemon.stop()
        rows = self.rows("SELECT (SELECT count(*) FROM note WHERE text = 'gone') + (SELECT count(*) FROM draft d "
                         "JOIN match m ON m.key = d.match WHERE m.id = '%s')" % french.match)
        self.daemon.start()
        self.assertEqual(rows, [(0,)])

    def rows(self, sql):
        with sqlite3.connect(self.daemon.database) as database:
            return database.execute(sql).fetchall()


class Presence(test_matches.WithMatch):
    def here(self, client, match):
        return client.call("match.get", match=match).get("presence")

    def test_who_looks_is_here(self):
        french, allied = self.match(spectators="public")
        nobody = self.connect()
        self.assertEqual(self.here(nobody, french.match), {"FR": "here", "AL": "here"})
        changed(french.client)
        allied.client.call("match.unwatch", match=french.match)
        told = french.client.push("match.changed", lambda p: "presence" in p)
        self.assertEqual(told, {"match": french.match, "presence": {"FR": "here", "AL": "away"}})
        self.assertEqual(self.here(nobody, french.match), {"FR": "here", "AL": "away"})
        allied.client.call("match.watch", match=french.match)
        told = french.client.push("match.changed", lambda p: "presence" in p)
        self.assertEqual(told["presence"], {"FR": "here", "AL": "here"})

    def test_nobody_is_here_for_another(self):
        first, _, _ = self.account()
        made = first.call("match.create", game="waterloo", seat="FR", spectators="public")
        second, _, _ = self.account()
        second.call("match.join", match=made["match"])
        stranger, _, _ = self.account()
        for client in (stranger, second):
            self.refused("forbidden", client.call, "match.watch", match=made["match"], **{"as": "FR"})
            client.call("match.watch", match=made["match"], **{"as": "public"})
        first.call("match.view", match=made["match"])
        self.assertEqual(self.here(stranger, made["match"]), {"FR": "away", "AL": "away"})

    def test_who_does_not_show_it_is_left_out(self):
        french, allied = self.match(spectators="public")
        changed(french.client)
        allied.client.call("account.set", presence=False)
        told = french.client.push("match.changed", lambda p: "presence" in p)
        self.assertEqual(told["presence"], {"FR": "here"})
        self.assertEqual(self.here(self.connect(), french.match), {"FR": "here"})
        allied.client.call("account.set", presence=True)
        told = french.client.push("match.changed", lambda p: "presence" in p)
        self.assertEqual(told["presence"], {"FR": "here", "AL": "here"})

    def crowd(self, client, wanted):
        """What the client is told of who is here and how many look on, up to that many."""
        found = []
        while not any(told.get("watching") == wanted for told in found):
            found.append(client.push("match.changed", lambda p: "presence" in p or "watching" in p))
        return [{k: v for k, v in told.items() if k != "match"} for told in found]

    def test_how_many_look_on_is_told(self):
        french, allied = self.match(spectators="public")
        for seat in (french, allied):
            seat.client.push("match.changed", lambda p: len(p.get("presence", ())) == 2)
        onlookers = [self.connect() for _ in range(2)]
        for onlooker in onlookers:
            onlooker.call("match.watch", match=french.match)
        for client in (french.client, allied.client, *onlookers):
            self.assertLessEqual([{"watching": 2}], self.crowd(client, 2)[-1:])
        onlookers[1].call("match.unwatch", match=french.match)
        self.assertEqual(self.crowd(french.client, 1), [{"watching": 1}])
        onlookers[0].close()
        self.assertEqual(self.crowd(allied.client, 0)[-1:], [{"watching": 0}])
        self.assertEqual(french.client.call("match.get", match=french.match)["watching"], 0)
        # An account that plays is no onlooker, as whatever it looks.
        french.client.call("match.watch", match=french.match, **{"as": "public"})
        onlookers[1].call("match.watch", match=french.match)
        self.assertEqual(self.crowd(allied.client, 1)[-1:], [{"watching": 1}])

    def test_who_comes_and_goes_unseen_makes_no_push(self):
        """Neither by hiding it nor in a match with pace: a push that says nothing new would say that somebody came."""
        for options in ({}, {"pace": 60}):
            with self.subTest(**options):
                french, allied = self.match(spectators="public", **options)
                onlooker = self.connect()
                if not options:
                    allied.client.call("account.set", presence=False)
                    french.client.push("match.changed", lambda p: p.get("presence") == {"FR": "here"})
                changed(french.client)
                for watching in (1, 0, 1, 0):
                    allied.client.call("match.unwatch" if watching else "match.watch", match=french.match)
                    onlooker.call("match.watch" if watching else "match.unwatch", match=french.match)
                    self.assertEqual(self.crowd(french.client, watching), [{"watching": watching}])
                self.assertEqual(changed(french.client), [])

    def test_strangers_learn_nothing_of_an_unwatched_match(self):
        french, _ = self.match(spectators="none")
        self.assertNotIn("presence", self.connect().call("match.get", match=french.match))

    def test_what_is_done_quietly_tells_nothing(self):
        french, allied = self.match()
        actor, other = (french, allied) if french.view.get("actions") else (allied, french)
        for seat in (french, allied):  # what is told of the beginning comes first
            seat.client.push("match.changed", lambda p: len(p.get("presence", ())) == 2)
        changed(other.client)
        form = next(f for f in actor.newest()["actions"] if f["do"] == "place")
        actor.act(test_matches.pick(form, random.Random(5)))
        actor.client.call("match.note", match=actor.match, text="quiet")
        actor.client.call("match.draft", match=actor.match, version=0, actions=[])
        self.assertEqual(changed(other.client), [])


class Tables(base.WithDaemon):
    def test_whom_a_table_concerns_is_told(self):
        host, _, _ = self.account()
        guest, name, _ = self.account()
        made = host.call("match.create", game="waterloo", seat="FR", access="invite", invite=[name])["match"]
        only = {"match": made}
        self.assertEqual(guest.push("match.changed"), only)
        self.assertEqual(host.push("match.changed"), only)
        guest.call("match.join", match=made, seat="AL")
        self.assertEqual(host.push("match.changed"), only)
        self.assertEqual(host.call("match.get", match=made)["state"], "running")

    def test_strangers_are_not_told(self):
        host, _, _ = self.account()
        stranger, _, _ = self.account()
        host.call("match.create", game="waterloo", seat="FR")
        host.push("match.changed")
        self.assertEqual(changed(stranger), [])

    def test_a_code_shows_its_table(self):
        host, _, _ = self.account()
        guest, _, _ = self.account()
        made = host.call("match.create", game="waterloo", access="private", options={"players": 3}, seat="FR")
        match, code = made["match"], made["seats"]["PR"]["code"]
        self.refused("not_found", guest.call, "match.get", match=match)
        self.refused("not_found", guest.call, "match.get", match=match, code="A" * 22)
        for client in (guest, self.connect()):
            seats = client.call("match.get", match=match, code=code)["seats"]
            self.assertEqual(seats, {"FR": made["seats"]["FR"], "AD": {}, "PR": {"code": code}})
        guest.call("match.join", match=match, code=code)
        other, _, _ = self.account()
        self.refused("not_found", other.call, "match.get", match=match, code=code)

    def test_what_a_table_may_be_is_said(self):
        offered = self.connect().call("server.hello")["matches"]
        host, _, _ = self.account()
        for name, words in offered.items():
            for word in words:
                more = {"delay": 2} if word == "delayed" else {}
                made = host.call("match.create", game="waterloo", seat="FR", **{name: word}, **more)
                if name != "start":
                    self.assertEqual(made[name], word)
        for name, word in (("access", "secret"), ("spectators", "some"), ("reveal", "round")):
            self.assertNotIn(word, offered[name])
            self.refused("invalid_params", host.call, "match.create", game="waterloo", **{name: word})

    def test_blocked_names_are_told_to_who_blocked(self):
        host, _, _ = self.account()
        _, name, _ = self.account()
        self.assertEqual(host.call("account.get")["blocked"], [])
        host.call("account.block", name=name, on=True)
        self.assertEqual(host.call("account.get")["blocked"], [name])


class Bots(base.WithDaemon):
    def bot(self, name):
        client = self.connect()
        client.call("account.register", name=name, password=base.PASSWORD, bot=True)
        return client

    def bots(self):
        return self.connect().call("account.bots")["bots"]

    def test_bots_that_play_and_are_here(self):
        first, _ = self.bot("Sentry_a"), self.bot("Sentry_b")
        self.assertEqual(self.bots(), [])
        told = first.call("account.set", plays=["waterloo"])
        self.assertEqual(told["plays"], ["waterloo"])
        self.assertEqual(self.bots(), [{"name": "Sentry_a", "games": ["waterloo"]}])
        first.call("account.set", plays=[])
        self.assertEqual(self.bots(), [])
        first.call("account.set", plays=["waterloo"])
        first.call("account.logout")
        self.assertEqual(self.bots(), [])

    def test_people_are_no_bots(self):
        person, _, _ = self.account()
        data = self.refused("invalid_params", person.call, "account.set", plays=["waterloo"])
        self.assertEqual(data["member"], "plays")
        bot = self.bot("Sentry_c")
        for wrong in ("waterloo", [1], [""], ["a b"]):
            self.refused("invalid_params", bot.call, "account.set", plays=wrong)
        self.refused("too_large", bot.call, "account.set", plays=["waterloo"] * 17)


class Rematches(test_matches.WithMatch):
    def over(self, **options):
        french, allied = self.match(**options)
        french.client.call("match.resign", match=french.match)
        return french, allied

    def test_seats_change_hands_and_the_other_is_asked(self):
        french, allied = self.over(options={"morale": True, "turns": 8}, title="Again", spectators="public")
        made = french.client.call("match.rematch", match=french.match)
        self.assertEqual((made["state"], made["you"], made["title"], made["access"], made["spectators"]),
                         ("open", ["AL"], "Again", "invite", "public"))
        self.assertEqual(made["options"], {"players": 2, "morale": True, "command_control": False, "turns": 8})
        asked = [m for m in allied.client.call("match.list", filter="mine")["matches"] if m.get("invited")]
        self.assertEqual([m["match"] for m in asked], [made["match"]])
        # Who asks second sits down in the first one's.
        self.assertEqual(french.client.call("match.rematch", match=french.match)["match"], made["match"])
        begun = allied.client.call("match.rematch", match=french.match)
        self.assertEqual((begun["match"], begun["state"], begun["you"]), (made["match"], "running", ["FR"]))
        self.assertEqual(french.client.call("match.rematch", match=french.match)["match"], made["match"])

    def test_refusals(self):
        french, allied = self.match(spectators="public")
        data = self.refused("conflict", french.client.call, "match.rematch", match=french.match)
        self.assertEqual(data["reason"], "not_over")
        french.client.call("match.resign", match=french.match)
        stranger, _, _ = self.account()
        self.refused("forbidden", stranger.call, "match.rematch", match=french.match)
        self.refused("not_signed_in", self.connect().call, "match.rematch", match=french.match)
        self.refused("not_found", stranger.call, "match.rematch", match="aaaaaaaaaa")
        allied.client.call("account.block", name=self.names[0], on=True)
        made = french.client.call("match.rematch", match=french.match)["match"]
        self.assertNotIn(made, [m["match"] for m in allied.client.call("match.list", filter="mine")["matches"]])

    def test_exactly_once(self):
        french, _ = self.over()
        first = french.client.call("match.rematch", match=french.match, action_id="again")
        self.assertEqual(french.client.call("match.rematch", match=french.match, action_id="again"), first)
        mine = french.client.call("match.list", filter="mine")["matches"]
        self.assertEqual(len([m for m in mine if m["state"] == "open"]), 1)

    def test_three_move_up_a_seat(self):
        clients = [self.account()[0] for _ in range(3)]
        made = clients[0].call("match.create", game="waterloo", options={"players": 3}, seat="FR")["match"]
        for client, seat in zip(clients[1:], ("AD", "PR")):
            client.call("match.join", match=made, seat=seat)
        for client in clients[1:] + clients[:1]:
            if clients[0].call("match.get", match=made)["state"] == "running":
                client.call("match.resign", match=made)
        self.assertEqual(clients[0].call("match.get", match=made)["state"], "over")
        again = [client.call("match.rematch", match=made) for client in clients]
        self.assertEqual(len({m["match"] for m in again}), 1)
        self.assertEqual([m["you"] for m in again], [["AD"], ["PR"], ["FR"]])
        self.assertEqual(again[2]["state"], "running")

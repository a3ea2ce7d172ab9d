"""The people of a match: seats that change hands, who is shut out, what a private match tells."""
import time

import base


class People(base.WithDaemon):
    def match(self, **how):
        """A running match for two: (creator = FR, AL, id)."""
        (fr, self.fr, _), (al, self.al, _) = self.account(), self.account()
        how = {"game": "waterloo", "seat": "FR", "access": "open", "spectators": "public", **how}
        match = fr.call("match.create", **how)["match"]
        al.call("match.join", match=match)
        return fr, al, match

    def seats(self, client, match):
        return client.call("match.get", match=match)["seats"]

    def later(self, days=1):
        return int(time.time() * 1000) + days * 86400000


class Substitutes(People):
    def test_an_offered_seat_is_listed_and_taken_W_08(self):
        fr, al, match = self.match()
        sub, name, _ = self.account()
        self.assertNotIn(match, [m["match"] for m in sub.call("match.list", filter="vacant")["matches"]])
        self.assertEqual(self.refused("conflict", sub.call, "match.substitute", match=match, seat="AL")["reason"],
                         "seat_taken")
        al.call("match.watch", match=match)
        fr.call("match.watch", match=match)
        self.assertIs(al.call("match.vacate", match=match)["seats"]["AL"]["vacant"], True)
        self.assertEqual(self.refused("conflict", al.call, "match.vacate", match=match)["reason"], "vacant")
        self.assertIn(match, [m["match"] for m in sub.call("match.list", filter="vacant")["matches"]])
        self.assertEqual(self.refused("conflict", fr.call, "match.substitute", match=match, seat="AL")["reason"],
                         "already_joined")
        taken = sub.call("match.substitute", match=match, seat="AL", action_id="take")
        self.assertEqual((taken["seats"]["AL"], taken["you"]), ({"account": name}, ["AL"]))
        self.assertEqual(sub.call("match.substitute", match=match, seat="AL", action_id="take"), taken)
        self.assertEqual(al.push("match.changed", lambda p: "unwatched" in p)["unwatched"], "AL")
        seen = fr.push("match.view", lambda p: {"ev": "seat_changed", "how": "substitute", "seat": "AL"}
                       in p["view"]["events"])
        self.assertEqual(seen["view"]["as"], "FR")
        # Who had it is a stranger, and never comes back: he knows what the seat knew.
        self.refused("forbidden", al.call, "match.view", match=match, **{"as": "AL"})
        sub.call("match.vacate", match=match)
        self.assertEqual(self.refused("conflict", al.call, "match.substitute", match=match, seat="AL")["reason"],
                         "knows")
        self.assertNotIn("vacant", sub.call("match.vacate", match=match, on=False)["seats"]["AL"])

    def test_a_seat_that_was_never_opened_its_nonce_counts_as_lost(self):
        fr, _, _ = self.account()
        al, _, _ = self.account()
        for client in (fr, al):
            client.call("account.nonces", commits=["A" * 42 + c for c in "AEIMQUYcgkosw048"][:4])
        match = fr.call("match.create", game="waterloo", seat="FR", access="open", spectators="public")["match"]
        self.assertEqual(al.call("match.join", match=match)["nonces"], {"FR": "awaited", "AL": "awaited"})
        self.assertEqual(self.refused("conflict", al.call, "match.lend", match=match, name=self.account()[1],
                                      until=self.later())["reason"], "nonce")
        al.call("match.vacate", match=match)
        sub, _, _ = self.account()
        self.assertEqual(sub.call("match.substitute", match=match, seat="AL")["nonces"],
                         {"FR": "awaited", "AL": "lost"})

    def test_before_the_begin_and_after_the_end_no_seat_is_offered(self):
        fr, _, _ = self.account()
        match = fr.call("match.create", game="waterloo", seat="FR", access="open")["match"]
        for method in ("match.vacate", "match.recall"):
            self.assertEqual(self.refused("conflict", fr.call, method, match=match)["reason"], "not_started")
        self.assertEqual(self.refused("conflict", self.account()[0].call, "match.substitute", match=match,
                                      seat="AL")["reason"], "not_started")
        fr, al, match = self.match()
        al.call("match.vacate", match=match)
        al.call("match.resign", match=match)
        self.assertNotIn("vacant", self.seats(fr, match)["AL"])
        self.assertEqual(self.refused("conflict", self.account()[0].call, "match.substitute", match=match,
                                      seat="AL")["reason"], "over")

    def test_params(self):
        fr, al, match = self.match()
        stranger = self.account()[0]
        self.assertEqual(self.refused("invalid_params", stranger.call, "match.substitute", match=match)["member"],
                         "seat")
        self.assertEqual(self.refused("invalid_params", stranger.call, "match.substitute", match=match,
                                      seat="AD")["member"], "seat")
        self.refused("forbidden", stranger.call, "match.vacate", match=match)
        self.refused("forbidden", al.call, "match.vacate", match=match, seat="FR")
        self.refused("not_found", fr.call, "match.vacate", match="aaaaaaaaaa")
        for method, more in (("match.substitute", {"seat": "AL"}), ("match.vacate", {}), ("match.recall", {}),
                             ("match.lend", {"name": "Ney", "until": 1}), ("match.kick", {"name": "Ney"})):
            self.refused("not_signed_in", self.connect().call, method, match=match, **more)


class Loans(People):
    def test_a_seat_is_lent_to_a_named_player_and_recalled_W_09(self):
        fr, al, match = self.match()
        friend, name, _ = self.account()
        until = self.later(7)
        fr.call("match.watch", match=match)
        self.assertEqual(al.call("match.lend", match=match, name=name, until=until)["seats"]["AL"],
                         {"account": name, "lent": {"by": self.al, "until": until}})
        fr.push("match.view", lambda p: {"ev": "seat_changed", "how": "lent", "seat": "AL"} in p["view"]["events"])
        # Both have the match among theirs and see the seat's view; the borrower alone acts.
        for client in (al, friend):
            self.assertIn(match, [m["match"] for m in client.call("match.list", filter="mine")["matches"]])
            self.assertEqual(client.call("match.view", match=match)["as"], "AL")
        seq = al.call("match.view", match=match)["seq"]
        place = {"do": "place", "placements": [{"unit": "AD-A", "town": "brussels"}]}
        self.assertEqual(self.refused("conflict", al.call, "match.act", match=match, seq=seq, action=place)["reason"],
                         "lent")
        friend.call("match.act", match=match, seq=seq, action=place)
        self.assertEqual(self.refused("conflict", al.call, "match.say", match=match, channel="table",
                                      text="not me")["reason"], "lent")
        # The note and the draft of each are his own.
        al.call("match.note", match=match, text="mine")
        self.assertEqual(friend.call("match.note", match=match)["text"], "")
        self.assertEqual(al.call("match.recall", match=match)["seats"]["AL"], {"account": self.al})
        self.refused("forbidden", friend.call, "match.view", match=match, **{"as": "AL"})
        self.assertEqual(self.refused("conflict", al.call, "match.recall", match=match)["reason"], "not_lent")
        # Once lent to is once known.
        self.assertEqual(self.refused("conflict", al.call, "match.lend", match=match, name=name,
                                      until=until)["reason"], "knows")

    def test_the_borrower_may_give_it_back_himself(self):
        _, al, match = self.match()
        friend, name, _ = self.account()
        al.call("match.lend", match=match, name=name, until=self.later())
        self.assertEqual(self.refused("conflict", friend.call, "match.lend", match=match, name=self.fr,
                                      until=self.later())["reason"], "lent")
        self.assertEqual(friend.call("match.recall", match=match, action_id="back")["seats"]["AL"],
                         {"account": self.al})

    def test_whom_and_till_when(self):
        fr, al, match = self.match()
        friend, name, _ = self.account()
        for until in (1, self.later(-1), self.later(91)):
            self.assertEqual(self.refused("invalid_params", al.call, "match.lend", match=match, name=name,
                                          until=until)["member"], "until")
        self.assertEqual(self.refused("conflict", al.call, "match.lend", match=match, name=self.fr,
                                      until=self.later())["reason"], "seat")
        self.assertEqual(self.refused("not_found", al.call, "match.lend", match=match, name="Nobodyz",
                                      until=self.later())["member"], "name")
        friend.call("account.block", name=self.al, on=True)
        self.assertEqual(self.refused("not_found", al.call, "match.lend", match=match, name=name,
                                      until=self.later())["member"], "name")
        self.refused("forbidden", friend.call, "match.lend", match=match, name=self.al, until=self.later())
        self.assertEqual(self.refused("invalid_params", al.call, "match.lend", match=match, name=name)["member"],
                         "until")

    def test_a_loan_outlives_a_restart(self):
        _, al, match = self.match()
        friend, name, token = self.account()
        until = self.later()
        al.call("match.lend", match=match, name=name, until=until)
        self.daemon.kill()
        self.daemon.start()
        again = self.connect()
        again.call("account.resume", token=token)
        self.assertEqual(self.seats(again, match)["AL"]["lent"]["until"], until)
        seq = again.call("match.view", match=match)["seq"]
        again.call("match.act", match=match, seq=seq,
                   action={"do": "place", "placements": [{"unit": "AD-A", "town": "brussels"}]})


class Doors(People):
    def test_a_spectator_is_shut_out_and_let_in_again(self):
        fr, al, match = self.match()
        guest, name, _ = self.account()
        guest.call("match.watch", match=match)
        guest.push("match.view")
        self.assertEqual(fr.call("match.get", match=match)["watching"], 1)
        self.refused("forbidden", al.call, "match.kick", match=match, name=name)
        self.refused("forbidden", guest.call, "match.kick", match=match, name=self.fr)
        self.assertEqual(fr.call("match.kick", match=match, name=name)["watching"], 0)
        self.assertEqual(guest.push("match.changed", lambda p: "unwatched" in p),
                         {"match": match, "unwatched": "public"})
        for method in ("match.view", "match.watch", "match.history"):
            self.refused("forbidden", guest.call, method, match=match)
        self.assertNotIn("seq", guest.call("match.get", match=match))
        self.refused("forbidden", guest.call, "match.talk", match=match, channel="table")
        # It holds over a restart, and for a lent and an offered seat too.
        al.call("match.vacate", match=match)
        self.refused("forbidden", guest.call, "match.substitute", match=match, seat="AL")
        self.assertNotIn(match, [m["match"] for m in guest.call("match.list", filter="vacant")["matches"]])
        al.call("match.vacate", match=match, on=False)
        self.assertEqual(self.refused("conflict", al.call, "match.lend", match=match, name=name,
                                      until=self.later())["reason"], "shut_out")
        fr.call("match.kick", match=match, name=name, on=False)
        guest.call("match.view", match=match)

    def test_a_seat_of_a_running_match_stays_and_one_of_an_open_table_goes(self):
        fr, _, match = self.match()
        self.assertEqual(self.refused("conflict", fr.call, "match.kick", match=match, name=self.al)["reason"], "seat")
        self.assertEqual(self.refused("invalid_params", fr.call, "match.kick", match=match, name=self.fr)["member"],
                         "name")
        self.assertEqual(self.refused("not_found", fr.call, "match.kick", match=match, name="Nobodyz")["member"],
                         "name")
        maker, _, _ = self.account()
        guest, name, _ = self.account()
        table = maker.call("match.create", game="waterloo", seat="FR", access="open", start="manual")["match"]
        guest.call("match.join", match=table)
        self.assertEqual(maker.call("match.kick", match=table, name=name)["seats"]["AL"], {})
        self.refused("forbidden", guest.call, "match.join", match=table)
        maker.call("match.kick", match=table, name=name, on=False)
        guest.call("match.join", match=table)

    def test_a_private_match_is_told_to_nobody_else_whatever_it_lets_watch(self):
        stranger, guest = self.connect(), self.account()
        for access, told in (("invite", True), ("private", False)):
            fr, _, _ = self.account()
            al, name, _ = self.account()
            made = fr.call("match.create", game="waterloo", seat="FR", access=access, spectators="public",
                           invite=[name, guest[1]])
            match = made["match"]
            al.call("match.join", match=match)
            for ended in (False, True):
                if ended:
                    al.call("match.resign", match=match)
                where = "finished" if ended else "running"
                listed = [m["match"] for m in stranger.call("match.list", filter=where)["matches"]]
                self.assertEqual(match in listed, told, access)
                # Who was asked to it may watch.
                self.assertEqual(guest[0].call("match.view", match=match)["as"], "public")
                self.assertIn(match, [m["match"] for m in guest[0].call("match.list", filter=where)["matches"]])
                for method, more in (("match.view", {}), ("match.get", {}), ("match.history", {}),
                                     ("match.talk", {"channel": "table"}), ("match.watch", {})):
                    if told:
                        stranger.call(method, match=match, **more)
                    else:
                        absent = self.error(stranger, method, match="aaaaaaaaaa", **more)
                        self.assertEqual(self.error(stranger, method, match=match, **more), absent)

    def error(self, client, method, **params):
        try:
            client.call(method, **params)
        except base.vedette.Refused as refused:
            return refused.error
        return None


class Room(People):
    limits = "rates = off\nmatches_per_account = 3"

    def at_once(self, token, calls):
        """So many calls in one request, all read before one of them is done: the kinds of the answers, sorted."""
        status, answers = self.daemon.post([{"jsonrpc": "2.0", "id": i, "method": method, "params": params}
                                            for i, (method, params) in enumerate(calls)], token)
        self.assertEqual(status, 200)
        return sorted(answer["error"]["data"]["kind"] if "error" in answer else "ok" for answer in answers)

    def test_nobody_gets_more_matches_than_there_is_room_for_by_asking_at_once(self):
        makers = [self.account() for _ in range(3)]
        made = [client.call("match.create", game="waterloo", seat="FR")["match"] for client, _, _ in makers for _ in range(2)]
        _, _, token = self.account()
        self.assertEqual(self.at_once(token, [("match.join", {"match": match}) for match in made]), ["ok"] * 3 + ["too_large"] * 3)
        self.assertEqual(self.at_once(token, [("match.create", {"game": "waterloo", "seat": "FR"})] * 2), ["too_large"] * 2)
        _, _, token = self.account()
        self.assertEqual(self.at_once(token, [("match.create", {"game": "waterloo", "seat": "FR"})] * 8), ["ok"] * 3 + ["too_large"] * 5)
        # Who made a match has room for it, though he sits in it later.
        client, _, _ = self.account()
        made = [client.call("match.create", game="waterloo")["match"] for _ in range(3)]
        for match in made:
            client.call("match.join", match=match, seat="AL")

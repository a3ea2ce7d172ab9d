"""Who may call what: every method of schema/openrpc.json as every kind of person, by one table. PROTOCOL sections 3 and 4."""
import json
import os
import subprocess
import time

import base
import vedette

SCHEMA = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "schema", "openrpc.json")
with open(SCHEMA, encoding="utf-8") as file:
    METHODS = {method["name"]: method for method in json.load(file)["methods"]}
OF_A_MATCH = {name for name, method in METHODS.items() if any(p["name"] == "match" for p in method["params"])}
WITH_AS = {name for name in OF_A_MATCH if any(p["name"] == "as" for p in METHODS[name]["params"])}

# What needs no account; all else does. Of that, what a token of a script may call by its scope: whatever plays needs "play",
# what changes the account or tells all of it a sign-in.
OPEN = {"server.hello", "game.list", "game.get", "account.register", "account.login", "account.resume", "account.confirm", "account.reset",
        "account.profile", "account.bots", "match.list"}
READ = {"account.get", "account.logout"}
PLAY = {"account.nonces", "match.create"}
FULL = {"account.set", "account.tokens", "account.revoke", "account.token", "account.block", "account.deliveries", "account.export", "account.delete",
        "account.calendar", "account.notify_test", "account.password", "account.totp", "account.audit"}

# Of a match, each with params that are good as far as form goes. Who may see it as the public may: those who may watch.
LOOK = {"match.view": {}, "match.history": {}, "match.replay": {"seq": 1}, "match.receipt": {}, "match.watch": {}, "match.record": {},
        "match.ask": {"question": {"ask": "capacity", "side": "FR"}}, "match.wait": {"after": 0, "timeout_s": 0}, "match.clock": {},
        "match.talk": {"channel": "table"}, "match.read": {"channel": "table", "n": 1}}
# Who has the seat, and while it is lent he to whom it was.
SEAT = {"match.act": {"seq": 0, "action": {"do": "confirm_setup"}}, "match.try": {"seq": 0, "action": {"do": "confirm_setup"}}, "match.plan": {"seq": 0},
        "match.undo": {"seq": 0}, "match.offer": {"what": "resume"}, "match.answer": {"offer": 999, "accept": True}, "match.claim": {"what": "win"},
        "match.seen": {"seq": 0}, "match.standing": {}, "match.held": {}, "match.nonce": {"lost": True}, "match.resign": {}}
# Those two both, each for himself.
DESK = {"match.note": {}, "match.draft": {}}
# Who sits in the match or made it; who has lent a seat and to whom have their reasons of the match why it cannot be now.
TABLE = {"match.recall": {}, "match.vacate": {}, "match.rematch": {}, "match.say": {"channel": "table", "text": "x"}, "match.bot": {}, "match.lend": {"name": "Nobody", "until": 4000000000000}}
CREATOR = {"match.start": {}, "match.kick": {"name": "Nobody"}}
# Anybody who may know of the match; what it answers him depends on the match, not on him.
ANYBODY = {"match.get": {}, "match.join": {}, "match.leave": {}, "match.substitute": {"seat": "FR"}, "match.mute": {"name": "Nobody"},
           "match.report": {"name": "Nobody", "text": "x"}, "match.notices": {}, "match.unwatch": {}}
WITHOUT_ACCOUNT = (set(LOOK) - {"match.read"}) | {"match.get", "match.unwatch"}
PARAMS = {**LOOK, **SEAT, **DESK, **TABLE, **CREATOR, **ANYBODY}
VIEWERS = ("FR", "AD", "all", "PR", "AL", "ad", "")
DENIED = ("not_signed_in", "forbidden", "not_found")
# What every method may answer beside its own x-errors.
ALWAYS = {"parse", "invalid_request", "unknown_method", "invalid_params", "internal", "rate_limited", "too_large", "storage_failed", "closing"}


class Table(base.WithDaemon):
    maxDiff = None

    """Two allied seats, one of them lent, one taken over by a substitute, and all who stand around."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.told = {}
        cls.tokens = {}
        for name in ("Francis", "Adele", "Paula", "Borrower", "Gone", "Kicked", "Blocked", "Invited", "Referee", "Stranger"):
            client = cls.daemon.client()
            cls.tokens[name] = client.call("account.register", name=name, password=base.PASSWORD)["token"]
            client.close()
        before = cls.signed_in("Referee")
        subprocess.run([base.DAEMON, "--database", cls.daemon.database, "account", "role", "Referee", "referee", "on"], check=True, timeout=60)
        before.wait_closed()
        cls.people = {"guest": cls.daemon.client(), **{name: cls.signed_in(name) for name in cls.tokens}}
        cls.people["Francis"].call("account.block", name="Blocked", on=True)
        cls.matches = {(access, spectators): cls.match(access, spectators) for access, spectators in
                       (("open", "public"), ("open", "none"), ("private", "public"), ("private", "none"))}

    @classmethod
    def tearDownClass(cls):
        for client in cls.people.values():
            client.close()
        super().tearDownClass()

    @classmethod
    def signed_in(cls, name):
        client = cls.daemon.client()
        client.call("account.resume", token=cls.tokens[name])
        return client

    @classmethod
    def match(cls, access, spectators):
        """FR Francis, AD Adele who has lent it to Borrower, PR Paula, in the place of Gone where a stranger may come in."""
        people = cls.people
        made = people["Francis"].call("match.create", game="waterloo", seat="FR", access=access, spectators=spectators,
                                      options={"players": 3}, invite=["Invited", "Paula", "Gone"])
        match = made["match"]

        def join(name, seat):
            code = made["seats"][seat].get("code")
            people[name].call("match.join", match=match, seat=seat, **({"code": code} if code else {}))
        join("Adele", "AD")
        join("Gone", "PR")
        people["Gone"].call("match.vacate", match=match)
        people["Paula"].call("match.substitute", match=match, seat="PR")
        people["Francis"].call("match.kick", match=match, name="Kicked")
        people["Adele"].call("match.lend", match=match, name="Borrower", until=int(time.time() * 1000) + 86400000)
        return match

    def kind(self, who, method, **params):
        """"ok", or the kind of the refusal, with the reason of a conflict."""
        try:
            self.people[who].call(method, **params)
            return "ok"
        except vedette.Refused as refused:
            self.told.setdefault(method, set()).add(refused.kind)
            reason = refused.data.get("reason")
            return "%s %s" % (refused.kind, reason) if refused.kind == "conflict" else refused.kind

    def test_every_method_stands_in_the_table(self):
        self.assertEqual(OF_A_MATCH, set(PARAMS))
        self.assertEqual(sum(map(len, (LOOK, SEAT, DESK, TABLE, CREATOR, ANYBODY))), len(PARAMS), "one stands in it twice")
        self.assertEqual(set(METHODS) - OF_A_MATCH, OPEN | READ | PLAY | FULL)
        for name, method in METHODS.items():
            self.assertEqual(method["x-need"] == "nothing", name in OPEN | WITHOUT_ACCOUNT, name)

    def test_without_an_account(self):
        for method in sorted(set(METHODS) - OPEN - WITHOUT_ACCOUNT):
            params = {"match": self.matches["open", "public"], **PARAMS[method]} if method in OF_A_MATCH else {}
            self.assertEqual(self.kind("guest", method, **params), "not_signed_in", method)

    def test_tokens_of_scripts(self):
        """Francis has the right to most things; what his scripts may is less."""
        match = self.matches["open", "public"]
        for scope, denied in (("read", set(METHODS) - OPEN - READ - WITHOUT_ACCOUNT - {"match.held"}), ("play", FULL), ("organise", FULL)):
            token = self.people["Francis"].call("account.token", label=scope, scope=scope)["token"]
            self.people["script"] = self.daemon.client()
            self.people["script"].call("account.resume", token=token)
            for method in sorted(denied):
                params = {"match": match, **PARAMS[method]} if method in OF_A_MATCH else {}
                self.assertEqual(self.kind("script", method, **params), "forbidden", (scope, method))
            self.people.pop("script").close()

    def allowed(self, who, method, access, spectators):
        """Whether this is his to call; else what he is told: forbidden, or that there is no such match."""
        seats = ("Francis", "Adele", "Borrower", "Paula")
        knows = who in seats + ("Invited", "Gone") or access == "open"
        if not knows and method != "match.unwatch":
            return "not_found"
        if who in seats:
            if method in SEAT:
                return "conflict lent" if who == "Adele" else "yes"
            if method in CREATOR:
                return "yes" if who == "Francis" else "forbidden"
            return "yes"
        if method in ANYBODY:
            return "yes"
        if method in LOOK and who != "Kicked" and spectators != "none":
            return "yes"
        # Of a match among friends that nobody watches not even those who know of it are told more.
        return "not_found" if (access, spectators) == ("private", "none") and (method in LOOK or method in SEAT or method == "match.say") else "forbidden"

    def test_every_method_as_every_kind_of_person(self):
        wrong = []
        ended = {"match.resign", "match.vacate", "match.recall", "match.lend"}  # they would change who is who
        for (access, spectators), match in self.matches.items():
            for who in self.people:
                for method in sorted(OF_A_MATCH - (set() if who != "guest" else OF_A_MATCH - WITHOUT_ACCOUNT)):
                    want = self.allowed(who, method, access, spectators)
                    if want == "yes" and method in ended:
                        continue
                    got = self.kind(who, method, match=match, **PARAMS[method])
                    fits = got.split()[0] not in DENIED or method in ANYBODY or got == "not_found" and method in (
                        "match.answer", "match.kick", "match.read") if want == "yes" else got == want
                    if not fits:
                        wrong.append((access, spectators, who, method, want, got))
        self.assertEqual(wrong, [])

    def test_no_seat_but_one_s_own(self):
        """`as` of a seat is for who has it; of all for nobody before the reveal; a code that is none is no way in."""
        holders = {"FR": ("Francis",), "AD": ("Adele", "Borrower"), "PR": ("Paula",)}
        for (access, spectators), match in self.matches.items():
            for who in self.people:
                for method in sorted(WITH_AS & (set(LOOK) | set(SEAT) | set(DESK))):
                    if who == "guest" and method not in WITHOUT_ACCOUNT:
                        continue
                    for viewer in VIEWERS if (access, spectators) == ("open", "public") else VIEWERS[:3]:
                        if who in holders.get(viewer, ()):
                            continue
                        got = self.kind(who, method, match=match, **{**PARAMS[method], "as": viewer})
                        self.assertIn(got.split()[0], DENIED + ("invalid_params", "conflict"), (access, spectators, who, method, viewer))
                        if viewer in holders:
                            self.assertIn(got, DENIED, (access, spectators, who, method, viewer))

    def test_zz_the_page_of_each_method_names_what_it_may_answer(self):
        """Last: of all the refusals above."""
        missing = {}
        for method, kinds in self.told.items():
            more = {"not_signed_in"} if METHODS[method]["x-need"] != "nothing" else set()
            absent = kinds - set(METHODS[method]["x-errors"]) - ALWAYS - more
            if absent:
                missing[method] = sorted(absent)
        self.assertEqual(missing, {})

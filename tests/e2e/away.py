#!/usr/bin/env python3
"""W-10 over the wire: the opponent of a live match walks out, and the other sits there. Who is asked and has no connection
left is gone; after the wait that the match agreed on who waits may claim, or the match goes on by correspondence; coming
back ends it, and so do a pause and an outage of the server. In a time of the test's making. Ends with "N passed, N failed".
"""
import contextlib
import os
import sqlite3
import subprocess
import sys

import clocks
from clocks import Suite
from fair import python_verifier
from simtime import DAY, HOUR, MINUTE, SECOND, ms, text
from wire import Client, deadline as guard_of

START = ms("2026-06-18T18:00:00Z")
LIVE = {"kind": "live", "bank_s": 3600, "increment_s": 0, "ladder": {"then": "claim"}}
AWAY = {**LIVE, "away": {"after_s": 120}}


class AwaySuite(Suite):
    """Seats are FR and AL; AL is asked first (the set-up)."""

    def table(self, clock=None, count=2, **params):
        """A running match whose seats all watch it."""
        daemon = self.daemon(START)
        seats = self.match(daemon, count, clock=clock or AWAY, **params)
        for seat in seats:
            seat.client.call("match.watch", match=seat.match, actions=False)
        return daemon, seats

    def leaves(self, seat):
        """The player shuts his client."""
        self.hold(seat)

    def comes(self, daemon, seat, watch=True):
        seat.client = Client(daemon.port, seat.token)
        if watch:
            seat.client.call("match.watch", match=seat.match, actions=False)

    @staticmethod
    def told(seat, of, gone):
        """Waits for the push that says whether the seat is gone; what it says."""
        def says(params):
            state = params.get("clock", {}).get("seats", {}).get(of)
            return state is not None and ("away" in state) == gone
        return seat.client.push("match.changed", says)["clock"]["seats"][of].get("away")

    def claims(self, seat, of):
        return self.state(seat, of)["claims"]

    def no_claim(self, seat, what="win"):
        assert self.refused("conflict", seat.client.call, "match.claim", match=seat.match, what=what)["reason"] == "claim"

    def checked(self, daemon, seat):
        """The match is open: its record holds, by the verifier in Python and by the product's own."""
        record = seat.client.call("match.record", match=seat.match)["record"]
        python_verifier.verify(record.encode())
        copy = os.path.join(daemon.folder, "copy.db")
        with contextlib.closing(sqlite3.connect(daemon.database)) as database, contextlib.closing(sqlite3.connect(copy)) as to:
            database.backup(to)
        checked = subprocess.run([self.binary, "--database", copy, "check"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0 and ", 0 faults" in checked.stdout + checked.stderr, checked
        return record

    def test_the_wait_then_the_win(self):
        daemon, (french, allied) = self.table()
        self.leaves(allied)
        assert self.told(french, "AL", True) == {"since": text(START), "until": text(START + 2 * MINUTE)}
        state = self.state(french, "AL")
        assert state["state"] == "runs" and state["claims"] == [], state
        assert state["next"][0] == {"if": "away", "at": text(START + 2 * MINUTE)}, state
        self.no_claim(french)
        daemon.move(START + 2 * MINUTE - 1)
        self.no_claim(french)
        daemon.move(START + 2 * MINUTE)
        french.client.push("match.changed", lambda params: "away" in params.get("clock", {}).get("seats", {}).get("AL", {}))
        assert self.claims(french, "AL") == ["win", "annul", "convert"]
        self.no_claim(french, "grant")  # his bank is not what is out
        done = french.client.call("match.claim", match=french.match, what="win")["events"]
        assert {k: done[-1][k] for k in ("ev", "how", "seat")} == {"ev": "match_ended", "how": "away", "seat": "AL"}, done
        assert french.client.call("match.get", match=french.match)["result"]["winner"] == "FR"
        daemon.move(START + 2 * DAY + HOUR)  # an end that may be taken back is open two days later
        french.client.push("match.changed", lambda params: params.get("revealed"))
        assert '"how":"away","seat":"AL"' in self.checked(daemon, french)
        self.finish()

    def test_who_comes_back_ends_it(self):
        daemon, (french, allied) = self.table()
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + 100 * SECOND)
        self.comes(daemon, allied)
        self.told(french, "AL", False)
        daemon.move(START + 3 * MINUTE)
        self.no_claim(french)
        self.leaves(allied)
        assert self.told(french, "AL", True) == {"since": text(START + 3 * MINUTE), "until": text(START + 5 * MINUTE)}
        daemon.move(START + 5 * MINUTE)
        self.until(lambda: self.claims(french, "AL") != [])
        # In the lobby alone he is back as well, and nothing may be claimed from that moment on.
        self.comes(daemon, allied, watch=False)
        self.no_claim(french)
        self.told(french, "AL", False)
        assert self.claims(french, "AL") == []
        # What he used is used: nothing stood while he was away.
        assert self.state(french, "AL")["used_s"] == 300
        self.finish()

    def until(self, right):
        guard = guard_of(20)
        while not right():
            assert guard(), "it never came"

    def test_by_his_choice_it_goes_on_by_correspondence(self):
        daemon, (french, allied) = self.table({**AWAY, "away": {"after_s": 60, "claims": ["convert"],
                                                                "becomes": {"bank_s": 86400, "per_move_s": 172800}}})
        daemon.move(START + 10 * MINUTE)
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + 11 * MINUTE)
        self.until(lambda: self.claims(french, "AL") == ["convert"])
        self.no_claim(french, "win")
        before = {code: self.state(french, code) for code in ("FR", "AL")}
        done = french.client.call("match.claim", match=french.match, what="convert", seat="AL")["events"]
        assert done == [{"ev": "converted", "how": "away", "seat": "AL", "by": ["FR"]}], done
        after = {code: self.state(french, code) for code in ("FR", "AL")}
        for code in after:
            # Nothing that was used comes back, and what was left of a bank is still there.
            assert after[code]["used_s"] == before[code]["used_s"], (before, after)
        assert after["FR"]["bank_s"] == 3600 + 86400, after
        # AL used 11 minutes of its bank: they are gone; the two days of a move begin now, and then the bank.
        assert after["AL"]["bank_s"] == 3600 - 660 + 86400 and after["AL"]["used_s"] == 660, after
        assert after["AL"]["span_end"] == text(START + 11 * MINUTE + 2 * DAY), after
        assert after["AL"]["deadline"] == text(START + 11 * MINUTE + 2 * DAY + (3600 - 660 + 86400) * SECOND), after
        assert "away" not in after["AL"] and after["AL"]["claims"] == [], after
        got = french.client.call("match.get", match=french.match)
        assert got["clock"]["kind"] == got["clock_spec"]["kind"] == "correspondence" and "away" not in got["clock_spec"], got
        # Over a restart it is what it became.
        daemon.beat()
        daemon.kill()
        daemon.set(daemon.now + HOUR)
        daemon.start()
        for seat in (french, allied):
            self.comes(daemon, seat)
        back = self.state(french, "AL")
        assert back["deadline"] == text(ms(after["AL"]["deadline"]) + HOUR) and back["used_s"] == 660, back
        self.refused("conflict", french.client.call, "match.claim", match=french.match, what="convert")
        allied.client.call("match.resign", match=allied.match)
        assert '"host":"convert","how":"away","seat":"AL","by":["FR"]' in self.checked(daemon, french)
        self.finish()

    def test_where_the_match_says_so_it_converts_by_itself(self):
        daemon, (french, allied) = self.table({**AWAY, "away": {"after_s": 60, "then": "convert"}})
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + MINUTE)
        told = french.client.push("match.view", lambda params: params["view"]["clock"]["kind"] == "correspondence")
        assert told["view"]["events"] == [{"ev": "converted", "how": "away", "seat": "AL"}], told["view"]["events"]
        state = self.state(french, "AL")
        assert state["span_end"] == text(START + MINUTE + 3 * DAY) and state["bank_s"] == 3540 + 864000, state
        self.comes(daemon, allied)
        assert self.state(allied, "FR")["bank_s"] == 3600 + 864000
        self.finish()

    def test_an_outage_is_nobodys_absence(self):
        """The server goes down with one gone and comes back: the wait begins anew, when who waits is there again."""
        daemon, (french, allied) = self.table()
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + 110 * SECOND)
        daemon.beat()
        daemon.kill()
        daemon.set(START + 10 * MINUTE)
        daemon.start()
        self.hold(french)
        self.comes(daemon, french)
        self.told(french, "AL", True)
        state = self.state(french, "AL")
        assert state["away"] == {"since": text(START + 10 * MINUTE), "until": text(START + 12 * MINUTE)}, state
        assert state["used_s"] == 110, state
        daemon.move(START + 11 * MINUTE)
        self.no_claim(french)
        self.comes(daemon, allied)
        self.told(french, "AL", False)
        self.finish()

    def test_a_restart_at_the_same_moment_clears_what_was_open(self):
        daemon, (french, allied) = self.table()
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + 2 * MINUTE)
        self.until(lambda: self.claims(french, "AL") != [])
        daemon.beat()
        daemon.kill()
        daemon.start()
        for seat in (allied, french):
            if seat is french:
                self.hold(seat)
            self.comes(daemon, seat)
        assert self.claims(french, "AL") == [] and "away" not in self.state(french, "AL")
        self.finish()

    def test_when_all_lines_are_down_nobody_is_gone(self):
        daemon, (french, allied) = self.table(spectators="public")
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + 100 * SECOND)
        self.leaves(french)
        watcher = Client(daemon.port)  # somebody who is not signed in looks on
        watcher.call("match.watch", match=french.match)
        watcher.push("match.changed", lambda p: "clock" in p and "away" not in p["clock"]["seats"]["AL"])
        daemon.move(START + 3 * MINUTE)
        self.comes(daemon, french)
        assert self.told(french, "AL", True)["since"] == text(START + 3 * MINUTE)
        self.no_claim(french)
        watcher.close()
        self.finish()

    def test_a_pause_ends_it_and_it_begins_anew(self):
        daemon, (french, allied) = self.table()
        offer = allied.client.call("match.offer", match=allied.match, what="pause")["offer"]
        self.leaves(allied)
        self.told(french, "AL", True)
        daemon.move(START + 90 * SECOND)
        french.client.call("match.answer", match=french.match, offer=offer, accept=True)
        assert "away" not in self.state(french, "AL")
        daemon.move(START + HOUR)
        self.no_claim(french)
        # French asks to go on; a day later it is so without a word of who is away.
        french.client.call("match.offer", match=french.match, what="resume")
        daemon.move(START + HOUR + DAY)
        assert self.told(french, "AL", True)["since"] == text(START + HOUR + DAY)
        self.finish()

    def test_who_is_not_asked_may_go_and_who_hides_is_shown_no_more_than_agreed(self):
        """FR is not asked: that it went is told by nobody's clock. And an account that hides its presence is shown as gone
        only while it is asked, where the match was made so."""
        daemon, (french, allied) = self.table()
        for seat in (french, allied):
            seat.client.call("account.set", presence=False)
        self.leaves(french)
        daemon.move(START + 5 * MINUTE)
        assert "away" not in self.state(allied, "FR") and self.state(allied, "FR")["claims"] == []
        self.comes(daemon, french)
        self.leaves(allied)
        assert self.told(french, "AL", True)["since"] == text(START + 5 * MINUTE)
        assert "AL" not in french.client.call("match.get", match=french.match)["presence"]
        # Another match, without `away`: nothing at all is told of it.
        self.comes(daemon, allied)
        self.told(french, "AL", False)
        other = self.match(daemon, clock=LIVE)
        for seat in other:
            seat.client.call("match.watch", match=seat.match, actions=False)
        for seat in other:
            seat.client.call("account.set", presence=False)
        self.leaves(other[1])
        self.leaves(allied)
        self.told(french, "AL", True)  # a sweep has passed since
        assert "away" not in self.state(other[0], "AL")
        self.finish()

    def test_with_three_seats_the_ally_may_only_convert(self):
        """AD and PR set up; PR is gone. FR may claim; AD, who is asked himself, waits for nobody, and may convert."""
        daemon, (french, austrian, prussian) = self.table(count=3)
        self.leaves(prussian)
        self.told(french, "PR", True)
        daemon.move(START + 2 * MINUTE)
        self.until(lambda: self.claims(french, "PR") != [])
        self.refused("conflict", austrian.client.call, "match.claim", match=austrian.match, what="win", seat="PR")
        done = austrian.client.call("match.claim", match=austrian.match, what="convert", seat="PR")["events"]
        assert done == [{"ev": "converted", "how": "away", "seat": "PR", "by": ["AD"]}], done
        self.finish()

    def test_what_the_grammar_refuses(self):
        daemon = self.daemon(START)
        seats = self.match(daemon)
        client = seats[0].client
        for clock, more, member in (
                ({**AWAY}, {"pace": 60}, "clock.away"),  # it shows nobody's presence
                ({"kind": "correspondence", "away": {"after_s": 60}}, {}, "clock.away"),
                ({**LIVE, "away": {}}, {}, "clock.away.after_s"),
                ({**LIVE, "away": {"after_s": 29}}, {}, "clock.away.after_s"),
                ({**LIVE, "away": {"after_s": 60, "claims": ["grant"]}}, {}, "clock.away.claims"),
                ({**LIVE, "away": {"after_s": 60, "then": "convert", "claims": ["win"]}}, {}, "clock.away.claims"),
                ({**LIVE, "away": {"after_s": 60, "then": "forfeit"}}, {}, "clock.away.then"),
                ({**LIVE, "away": {"after_s": 60, "claims": ["win"], "becomes": {}}}, {}, "clock.away.becomes"),
                ({**LIVE, "away": {"after_s": 60, "becomes": {"bank_s": 0, "per_move_s": 0}}}, {}, "clock.away.becomes.bank_s")):
            assert self.refused("invalid_params", client.call, "match.create", game="waterloo", clock=clock, **more)["member"] == member
        made = client.call("match.create", game="waterloo", clock={"kind": "live", "away": {"after_s": 90}})
        assert made["clock_spec"]["away"] == {"after_s": 90, "then": "claim", "claims": ["win", "annul", "convert"],
                                              "becomes": {"bank_s": 864000, "per_move_s": 259200}}, made
        self.finish()


if __name__ == "__main__":
    sys.exit(clocks.main(AwaySuite, __doc__))

#!/usr/bin/env python3
"""The daemon's own bots: seated from the lobby, played to the end, killed, restarted, gone with the daemon. Ends with
"N passed, N failed"."""
import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

from run import Player
from suite import run_tests
from wire import Client, Daemon, Refused, deadline, register

CONFIG = "[server]\nbots = waterloo:2 austerlitz:2 random:1 caretaker:2\n[limits]\nrates = off\n"


KINDS = 3  # that are shown: waterloo, austerlitz, random


def alive(pid):
    """Whether the process runs (a zombie of somebody else's does not)."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def open_files(pid):
    """What the process has open just now."""
    found = []
    for name in os.listdir("/proc/%d/fd" % pid):
        try:
            found.append(os.readlink("/proc/%d/fd/%s" % (pid, name)))
        except FileNotFoundError:
            pass  # closed meanwhile
    return found


class Suite:
    def __init__(self, daemon, seed):
        self.daemon = daemon
        self.rng = random.Random(seed)
        self.serial = 0

    def client(self):
        self.serial += 1
        client = Client(self.daemon.port, register(self.daemon.port, "person-%d" % self.serial))
        client.call("account.get")
        return client

    def token(self):
        self.serial += 1
        return register(self.daemon.port, "person-%d" % self.serial)

    def refused(self, kind, client, method, **params):
        try:
            client.call(method, **params)
        except Refused as refusal:
            assert refusal.kind == kind, refusal
            return refusal.error["data"]
        raise AssertionError("%s was not refused" % method)

    def pids(self, bot):
        """The processes that the log says the bot had, oldest first."""
        return [int(pid) for name, pid in re.findall(r"bot_started bot=([\w-]+) pid=(\d+)", self.daemon.log_text())
                if name == bot]

    def wait_for(self, what, condition, seconds=60):
        """Reads on until the condition holds: the daemon is asked each time, which is what paces it."""
        client, goes_on = Client(self.daemon.port), deadline(seconds)
        while goes_on():
            found = condition()
            if found:
                client.close()
                return found
            client.call("server.hello")
        raise AssertionError(what + "\n" + self.daemon.log_text()[-3000:])

    def seat_bot(self, client, match, **params):
        """match.bot, as soon as there is one: just after its start the daemon is still making their accounts."""
        def seated():
            try:
                return client.call("match.bot", match=match, **params)
            except Refused as refusal:
                assert refusal.error["data"].get("reason") == "no_bot", refusal
                return None
        return self.wait_for("no bot", seated)

    def human(self, token, match):
        return Player(self.daemon, token, match)

    def play_on(self, player, until, seconds=120):
        """The person's seat picks at random; the bots do what they do. Each wait is for the next view."""
        goes_on = deadline(seconds)
        while not until():
            assert goes_on(), "the match stands still in %s, waits for %s\n%s" % (
                player.view["state"], player.view["waits_for"], self.daemon.log_text()[-2000:])
            if player.refresh().get("actions"):
                player.turn(self.rng)
            elif not until():
                player.client.call("match.wait", match=player.match, after=player.view["seq"], timeout_s=1)
                player.refresh()

    # ---- tests ----

    def test_a_fresh_daemon_has_opponents(self):
        client = self.client()
        bots = self.wait_for("no bots", lambda: client.call("account.bots")["bots"])
        bots = self.wait_for("not all bots", lambda: len(client.call("account.bots")["bots"]) == KINDS
                             and client.call("account.bots")["bots"])
        assert [(bot["name"], bot["level"], sorted(bot["games"])) for bot in bots] == [
            ("Bot-Waterloo", "waterloo", ["waterloo"]), ("Bot-Austerlitz", "austerlitz", ["austerlitz"]),
            ("Bot-Random", "random", ["austerlitz", "waterloo"])], bots
        profile = client.call("account.profile", name="Bot-Waterloo")
        assert profile["bot"] is True, profile

    def test_nobody_signs_in_as_a_bot(self):
        client = Client(self.daemon.port)
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        for password in ("", "Bot-Waterloo", "password"):
            self.refused("bad_credentials", client, "account.login", name="Bot-Waterloo", password=password)

    def test_seated_from_the_lobby_a_bot_plays_to_the_end(self):
        token = self.token()
        client = Client(self.daemon.port, token)
        match = client.call("match.create", game="waterloo", seat="FR", access="private", options={"turns": 4})["match"]
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        summary = self.seat_bot(client, match, seat="AL", action_id="seat a bot")
        assert summary["state"] == "running", summary
        assert summary["seats"]["AL"]["account"] in ("Bot-Waterloo", "Bot-Waterloo-2"), summary["seats"]
        again = self.seat_bot(client, match, seat="AL", action_id="seat a bot")
        assert again["match"] == match and again["seats"] == summary["seats"]
        player = self.human(token, match)
        self.play_on(player, lambda: player.view["state"] == "GAME_OVER")
        record = client.call("match.record", match=match)["record"]
        lines = [json.loads(line) for line in record.splitlines()]
        opened = [line for line in lines if line.get("seat") == "AL" and "nonce" in line]
        assert opened, "the bot put no number into the dice"

    def austerlitz(self, token, seat="AL", **options):
        return Client(self.daemon.port, token).call("match.create", game="austerlitz", seat=seat, access="private",
                                                    options=options)["match"]

    def test_a_match_of_austerlitz_is_played_to_the_end_by_its_own_bot(self):
        for seat, bots_seat, options in (("AL", "FR", {}),
                                         ("FR", "AL", {"information": "semi-blind", "strengths": "dealt", "situation": "1809"})):
            token = self.token()
            match = self.austerlitz(token, seat, **options)
            self.wait_for("no bots", lambda: len(self.client().call("account.bots")["bots"]) == KINDS)
            client = Client(self.daemon.port, token)
            summary = self.seat_bot(client, match)
            assert summary["state"] == "running", summary
            assert summary["seats"][bots_seat]["account"] in ("Bot-Austerlitz", "Bot-Austerlitz-2"), summary["seats"]
            player = self.human(token, match)
            self.play_on(player, lambda: player.view["state"] == "OVER", seconds=240)
            lines = [json.loads(line) for line in client.call("match.record", match=match)["record"].splitlines()]
            did = [line["do"]["do"] for line in lines if line.get("seat") == bots_seat and "do" in line]
            assert did.count("end_move") >= 2 and did.count("move") > 20 and "declare" in did, did

    def test_a_bot_of_another_game_is_refused(self):
        token = self.token()
        client = Client(self.daemon.port, token)
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        match = self.austerlitz(token)
        refusal = self.refused("invalid_params", client, "match.bot", match=match, level="waterloo")
        assert refusal["member"] == "level", refusal
        other = client.call("match.create", game="waterloo", seat="FR")["match"]
        refusal = self.refused("invalid_params", client, "match.bot", match=other, level="austerlitz")
        assert refusal["member"] == "level", refusal
        assert self.seat_bot(client, match, level="random")["seats"]["FR"]["account"] == "Bot-Random"

    def test_a_kind_that_plays_another_game_says_so(self):
        """`vedette bot` itself: refused for the one match, and named what would play it; without a kind it takes the match's own."""
        client = os.path.join(os.path.dirname(self.daemon.binary), "../client-cli/vedette")
        token = self.token()
        match = self.austerlitz(token)
        environment = {**os.environ, "VEDETTE_TOKEN": token, "XDG_CONFIG_HOME": tempfile.mkdtemp(), "LC_ALL": "C.UTF-8"}

        def bot(*words):
            return subprocess.run([client, "--server", "http://127.0.0.1:%d" % self.daemon.port, "bot", *words], env=environment,
                                  capture_output=True, text=True, timeout=60, check=False)
        self.seat_bot(Client(self.daemon.port, token), match, level="random")
        wrong = bot("--policy", "waterloo", "--match", match)
        assert wrong.returncode == 1 and "austerlitz, random, caretaker" in wrong.stderr, wrong
        none = bot("--policy", "napoleon")
        assert none.returncode == 2 and "waterloo, austerlitz, random, caretaker" in none.stderr, none
        named = bot("--policy", "austerlitz", "--game", "waterloo")
        assert named.returncode == 2 and "waterloo, random, caretaker" in named.stderr, named
        plays = bot("--match", match)
        assert plays.returncode == 0, plays
        assert Client(self.daemon.port, token).call("match.view", match=match)["state"] == "OVER"

    def test_a_bot_that_is_asked_to_a_game_it_does_not_know_stays_away(self):
        token = self.token()
        client = Client(self.daemon.port, token)
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        wrong = client.call("match.create", game="austerlitz", seat="FR", access="invite", invite=["Bot-Waterloo"])["match"]
        right = client.call("match.create", game="waterloo", seat="FR", access="invite", invite=["Bot-Waterloo"],
                            options={"turns": 2})["match"]
        self.wait_for("the bot does not come", lambda: client.call("match.get", match=right)["state"] == "running")
        assert client.call("match.get", match=wrong)["state"] == "open"

    def test_a_caretaker_holds_a_seat_of_austerlitz(self):
        tokens = [self.token(), self.token()]
        clients = [Client(self.daemon.port, token) for token in tokens]
        match = clients[0].call("match.create", game="austerlitz", seat="FR")["match"]
        clients[1].call("match.join", match=match)
        clients[1].call("match.vacate", match=match)
        seats = self.seat_bot(clients[0], match)["seats"]
        assert seats["AL"]["account"].startswith("Bot-Caretaker"), seats
        player = self.human(tokens[0], match)
        self.play_on(player, lambda: player.view["state"] == "OVER", seconds=240)
        lines = [json.loads(line) for line in clients[0].call("match.record", match=match)["record"].splitlines()]
        did = [line["do"]["do"] for line in lines if line.get("seat") == "AL" and "do" in line]
        assert did.count("end_move") >= 2 and "move" not in did, did

    def test_an_invitation_is_taken(self):
        token = self.token()
        client = Client(self.daemon.port, token)
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        match = client.call("match.create", game="waterloo", seat="FR", access="invite", invite=["Bot-Random"],
                            options={"turns": 4}, spectators="delayed", delay=2)["match"]
        self.wait_for("the bot does not come", lambda: client.call("match.get", match=match)["state"] == "running")
        player = self.human(token, match)
        self.play_on(player, lambda: player.view["state"] == "GAME_OVER")

    def test_two_bots_and_a_person_are_three_players(self):
        token = self.token()
        client = Client(self.daemon.port, token)
        match = client.call("match.create", game="waterloo", seat="FR", access="private",
                            options={"turns": 3, "players": 3})["match"]
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        first = self.seat_bot(client, match)
        assert first["state"] == "open", first
        summary = self.seat_bot(client, match)
        assert {seat["account"] for code, seat in summary["seats"].items() if code != "FR"} == {
            "Bot-Waterloo", "Bot-Waterloo-2"}, summary["seats"]
        player = self.human(token, match)
        self.play_on(player, lambda: player.view["state"] == "GAME_OVER")

    def test_who_may_seat_a_bot_and_where(self):
        token = self.token()
        client, stranger = Client(self.daemon.port, token), self.client()
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        match = client.call("match.create", game="waterloo", seat="FR", options={"players": 3})["match"]
        self.refused("forbidden", stranger, "match.bot", match=match)
        self.refused("not_signed_in", Client(self.daemon.port), "match.bot", match=match)
        assert self.refused("conflict", client, "match.bot", match=match, seat="FR")["reason"] == "seat_taken"
        assert self.refused("invalid_params", client, "match.bot", match=match, seat="ZZ")["member"] == "seat"
        assert self.refused("invalid_params", client, "match.bot", match=match, level="napoleon")["member"] == "level"
        self.refused("not_found", client, "match.bot", match="abcdefghjk")
        private = client.call("match.create", game="waterloo", seat="FR", access="private")["match"]
        self.refused("not_found", stranger, "match.bot", match=private)
        # Who sits in it may, too; of one level there may be no bot left.
        stranger.call("match.join", match=match, seat="AD")
        self.seat_bot(stranger, match, seat="PR", level="random")
        third = client.call("match.create", game="waterloo", options={"players": 3})["match"]
        self.seat_bot(client, third, level="random")
        assert self.refused("conflict", client, "match.bot", match=third, level="random")["reason"] == "no_bot"
        client.call("match.leave", match=private)
        assert self.refused("conflict", client, "match.bot", match=private)["reason"] == "over"

    def seat_against_bot(self, turns=12):
        token = self.token()
        client = Client(self.daemon.port, token)
        match = client.call("match.create", game="waterloo", seat="FR", options={"turns": turns})["match"]
        self.wait_for("no bots", lambda: len(client.call("account.bots")["bots"]) == KINDS)
        summary = self.seat_bot(client, match, seat="AL")
        bot = summary["seats"]["AL"]["account"]
        pid = self.wait_for("no process", lambda: [p for p in self.pids(bot) if alive(p)])[-1]
        return token, match, bot, pid

    def test_a_killed_bot_comes_back_and_plays_on(self):
        token, match, bot, pid = self.seat_against_bot(turns=6)
        player = self.human(token, match)
        self.play_on(player, lambda: "FR" in player.view["to_act"])
        os.kill(pid, signal.SIGKILL)
        self.wait_for("it is still there", lambda: not alive(pid))
        fresh = self.wait_for("it does not come back", lambda: [p for p in self.pids(bot) if alive(p)])[-1]
        assert fresh != pid
        self.play_on(player, lambda: player.view["state"] == "GAME_OVER")
        assert self.daemon.process.poll() is None

    def test_the_token_is_no_argument_and_no_file_of_the_daemon_is_held(self):
        _, _, bot, pid = self.seat_against_bot()
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            words = file.read().split(b"\0")
        assert b"bot" in words and not [w for w in words if re.fullmatch(rb"[A-Za-z0-9_-]{43}", w)], words
        self.wait_for("it holds files", lambda: not [
            link for link in open_files(pid) if "vedette.db" in link and not "-bots/" in link])
        assert os.getpgid(pid) == os.getpgid(self.daemon.process.pid), bot

    def test_a_daemon_that_stops_takes_them_along_and_brings_them_back(self):
        token, match, bot, pid = self.seat_against_bot(turns=6)
        assert self.daemon.stop() == 0
        assert not alive(pid), "the bot outlives the daemon"
        self.daemon.start()
        self.wait_for("it does not come back", lambda: [p for p in self.pids(bot) if alive(p)])
        player = self.human(token, match)
        self.play_on(player, lambda: player.view["state"] == "GAME_OVER")

    def test_a_daemon_that_is_killed_takes_them_along(self):
        _, _, _, pid = self.seat_against_bot()
        self.daemon.kill()
        goes_on = deadline(30)
        while alive(pid):
            assert goes_on(), "the bot outlives the daemon"
        self.daemon.start()

    def test_a_caretaker_takes_an_offered_seat_and_marches_nowhere(self):
        tokens = [self.token(), self.token()]
        clients = [Client(self.daemon.port, token) for token in tokens]
        match = clients[0].call("match.create", game="waterloo", seat="FR", options={"turns": 5})["match"]
        clients[1].call("match.join", match=match)
        players = [self.human(token, match) for token in tokens]
        goes_on = deadline(60)
        while players[0].refresh()["state"] != "MOVE":
            assert goes_on()
            for player in players:
                player.turn(self.rng)
        clients[1].call("match.vacate", match=match)
        self.refused("conflict", clients[0], "match.bot", match=match, seat="FR")
        seats = self.seat_bot(clients[0], match)["seats"]
        assert seats["AL"]["account"] == "Bot-Caretaker" and seats["AL"]["bot"] is True, seats
        assert seats["AL"]["kept_for"] and "vacant" not in seats["AL"], seats
        # Whose it is looks on, does nothing in it, and takes it back when he comes.
        assert self.refused("conflict", clients[1], "match.act", match=match, seq=1, action={"do": "end_movement"})[
            "reason"] == "lent"
        assert clients[1].call("match.view", match=match)["as"] == "AL"
        back = clients[1].call("match.recall", match=match)["seats"]["AL"]
        assert back == {"account": seats["AL"]["kept_for"]}, back
        clients[1].call("match.vacate", match=match)
        kept = self.seat_bot(clients[0], match)["seats"]["AL"]
        assert kept["kept_for"] == seats["AL"]["kept_for"] and kept["account"] != seats["AL"]["account"], kept
        self.play_on(players[0], lambda: players[0].view["state"] == "GAME_OVER")
        lines = [json.loads(line) for line in clients[0].call("match.record", match=match)["record"].splitlines()]
        given = max(i for i, line in enumerate(lines) if line.get("host") == "seat" and line.get("how") == "caretaker")
        did = [line["do"]["do"] for line in lines[given:] if line.get("seat") == "AL" and "do" in line]
        assert "end_movement" in did and "march" not in did, did

    def test_the_ladder_gives_a_vanished_player_s_seat_to_a_caretaker(self):
        """One second a move, and the Allies never come: the seat is kept for them, the match goes on, they take it back."""
        tokens = [self.token(), self.token()]
        clients = [Client(self.daemon.port, token) for token in tokens]
        clock = {"kind": "live", "per_move_s": 1, "bank_s": 1,
                 "ladder": {"grace_s": 0, "misses": 0, "fresh_s": 3600, "then": [{"do": "caretaker"}]}}
        match = clients[0].call("match.create", game="waterloo", seat="FR", options={"turns": 3}, clock=clock)["match"]
        clients[1].call("match.join", match=match)
        clients[0].call("match.watch", match=match)
        clients[0].push("match.view", lambda params: any(
            e["ev"] == "seat_changed" and e["how"] == "caretaker" for e in params["view"]["events"]))
        seat = clients[0].call("match.get", match=match)["seats"]["AL"]
        assert seat["bot"] and seat["kept_for"], seat
        # The bot sets the Allies up, however late it is.
        clients[0].push("match.view", lambda params: "FR" in params["view"]["to_act"])
        clients[1].call("match.recall", match=match)
        seat = clients[0].call("match.get", match=match)["seats"]["AL"]
        assert "bot" not in seat and "kept_for" not in seat, seat

    def test_what_is_configured_wrong_is_named(self):
        for kinds in ("waterloo:0x", "napoleon", "waterloo waterloo", "waterloo:9", ""):
            daemon = Daemon(self.daemon.binary, config="[server]\nbots = %s\n" % kinds)
            try:
                daemon.start()
            except AssertionError as error:
                assert "bots =" in str(error), error
            else:
                daemon.stop()
                raise AssertionError("it starts with bots = %s" % kinds)

    def test_a_program_that_is_not_there_or_ends_at_once_harms_nobody(self):
        for program in ("/nonexistent/vedette", "/bin/false"):
            daemon = Daemon(self.daemon.binary, config="[server]\nbots = waterloo\nbots_program = %s\n[limits]\nrates = off\n" % program).start()
            client = Client(daemon.port, register(daemon.port, "somebody"))
            match = client.call("match.create", game="waterloo", seat="FR")["match"]
            if "false" in program:
                goes_on = deadline(30)
                while not client.call("account.bots")["bots"]:
                    assert goes_on()
                client.call("match.bot", match=match)
                goes_on = deadline(30)
                while daemon.log_text().count("bot_ended") < 2:
                    assert goes_on(), daemon.log_text()
                    client.call("server.hello")
            else:
                assert client.call("account.bots")["bots"] == []
                assert self.refused("conflict", client, "match.bot", match=match)["reason"] == "no_bot"
            assert daemon.stop() == 0, daemon.log_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    print("seed %d" % args.seed)
    passed, failed = run_tests(Suite(Daemon(args.daemon, config=CONFIG).start(), args.seed), args.only)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""What stands on a player's desk in the terminal: clocks, standing orders, notices, talk, seats that are lent, the account.

Ends with "N passed, N failed".
"""
import json
import os
import subprocess
import sys
import time

from offers import needs, run_stories


def clocks(players):
    match = json.loads(players.run("anna", "--json", "new", "waterloo", "--seat", "FR", "--clock", "correspondence", "--pace", "12h"))["match"]
    players.run("bert", "join", match)
    needs(players.run("anna", "matches"), r"^%s .*waits for AL  due 20\d\d-\d\d-\d\d \d\d:\d\d" % match)
    said = players.run("bert", "clock", match)
    needs(said, r"^The Allies: due .*the clock runs, 10 d in the bank", r"^The French: the clock stands", r"^    .* - .*: runs",
          r"the bank begins to run", r"time is over, a respite begins")
    needs(players.run("anna", "new", "waterloo", "--clock", '{"kind":"hourglass"}', status=1), r"clock.kind")
    needs(players.run("anna", "new", "waterloo", "--pace", "soon", status=2), r"no span of time")
    yield "deadlines in lists and explained"
    needs(players.run("anna", "offer", match, "time", "AL", "2d"), r"given more time: 2 days")
    needs(players.run("bert", "clock", match), r"The Allies: .*12 d in the bank")
    needs(players.run("anna", "offer", match, "pause"), r"a pause: all clocks stand")
    needs(players.run("bert", "answer", match, "1", "yes"), r"By agreement the clocks stand")
    needs(players.run("bert", "clock", match), r"^The Allies: paused")
    needs(players.run("anna", "claim", match, "win", status=1), r".")
    yield "time is given, a pause agreed on"
    said = players.run("anna", "play", "--plain", match, text="clock\noffer time AL 1d\nclaim\nquit\n")
    needs(said, r"The Allies: paused", r"given more time: (one|1) day", r"Claim what\?")
    yield "clocks in play --plain"


ORDERS = """# what holds while we sleep
attacked in ligny,quatre-bras by 6+ own -3 odds 2:1 : retreat to wavre PR-A via gembloux! else any
attacked : fight left PR-A centre PR-B,PR-C rest spread
pursued : losses PR-D,PR-E unsparing
routed in wavre : flee to gembloux else any
supply : remove AD-J else any
forced : only
"""


def orders(players):
    match = players.begin()
    path = os.path.join(players.folder, "orders.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(ORDERS)
    said = players.run("bert", "orders", match, "set", path)
    lines = [line[4:] for line in said.splitlines()]
    assert lines == ORDERS.splitlines()[1:], said
    # As they are printed they are read again.
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    assert players.run("bert", "orders", match, "set", path) == said
    kept = json.loads(players.run("bert", "--json", "orders", match))
    assert kept["version"] == 2 and kept["orders"][0] == {
        "when": {"is": "attacked", "in": ["ligny", "quatre-bras"], "by": {"min": 6}, "own": {"max": 3}, "ratio": [2, 1]},
        "do": {"do": "respond", "choice": "retreat", "to": ["wavre"],
               "routes": [{"unit": "PR-A", "path": ["gembloux"], "forced": True}], "else": "any"}}, kept
    needs(players.run("bert", "orders", match, "drop", "2"), r"^ 2  pursued : losses PR-D,PR-E unsparing")
    yield "standing orders are set, printed, dropped"
    for line, why in (("sometimes : fight", "begins with"), ("attacked in nowhere : fight", "no town"),
                      ("attacked by many : fight", "number of units"), ("attacked : charge", "behind the colon"),
                      ("attacked", "missing"), ("attacked : retreat PR-A wavre", "via"), ("forced : only now", "no place")):
        needs(players.run("bert", "orders", match, "add", *line.split(), status=2), why)
    needs(players.run("bert", "orders", match, "drop", "9", status=2), "no order")
    needs(players.run("anna", "orders", match, "add", *"attacked : fight left PR-A".split(), status=1), r".")
    yield "what is no order is said"
    said = players.run("anna", "play", "--plain", match, text="orders add routed : flee else any\norders\norders clear\nquit\n")
    needs(said, r"^ 1  routed : flee else any", r"You have no standing orders")
    yield "standing orders in play --plain"


def drafts(players):
    match = players.begin()
    before = json.loads(players.run("anna", "--json", "show", match))["seq"]
    players.run("anna", "draft", match, "march", "FR-B", "FR-D", "thuin")
    needs(players.run("anna", "draft", match, "end"), r'^ 1  .*"march".*thuin', r'^ 2  .*"end_movement"')
    assert json.loads(players.run("anna", "--json", "show", match))["seq"] == before
    needs(players.run("bert", "draft", match), r"empty")
    needs(players.run("anna", "draft", match, "commit"), r"Thuin", r"march orders are given")
    needs(players.run("anna", "draft", match), r"empty")
    players.run("anna", "draft", match, "end")
    needs(players.run("anna", "draft", match, "commit", status=1), r".")
    needs(players.run("anna", "draft", match, "clear"), r"empty")
    yield "a whole turn drafted and committed as one action"


def company(players):
    match = players.begin()
    players.run("carl", "register", "carl")
    players.run("anna", "say", match, "good", "evening")
    needs(players.run("bert", "talk", match), r"^ +1 .* FR: good evening")
    needs(players.run("anna", "say", "--channel", "side", match, "psst", status=1), r".")
    needs(players.run("anna", "lend", match, "carl", "3d"), r"lent")
    needs(players.run("carl", "show", match), r"FR")
    players.run("anna", "recall", match)
    needs(players.run("anna", "vacate", match), r"offered")
    assert match in players.run("carl", "matches", "--filter", "vacant")
    needs(players.run("anna", "vacate", match, "off"), r"no longer offered")
    needs(players.run("anna", "report", match, "bert", "rude", "words"), r"Reported")
    yield "talk, a seat lent, offered and kept, a report"
    three = json.loads(players.run("anna", "--json", "new", "waterloo", "--seat", "FR", "--option", "players=3"))["match"]
    players.run("bert", "join", "--seat", "AD", three)
    players.run("carl", "join", "--seat", "PR", three)
    players.run("bert", "say", "--channel", "side", three, "I take the west")
    needs(players.run("carl", "talk", three, "side"), r"AD: I take the west", r"may confer now")
    players.run("anna", "talk", three, "side", status=1)
    yield "the allies confer, nobody else reads it"


def account(players):
    year = time.gmtime().tm_year + 1
    first, last, other = "%d-12-24" % year, "%d-12-26" % year, "%d-01-02" % (year + 1)
    said = players.run("anna", "account", "sleep=22:00-07:00", "timezone=Europe/Paris", "vacation=%s..%s,%s" % (first, last, other))
    needs(said, r"^Night rest: 22:00-07:00", r"^Vacation: %s\.\.%s" % (first, last), r"^Vacation: %s\.\.%s" % (other, other))
    needs(players.run("anna", "account", "timezone=Europe/Atlantis", status=1), r"timezone")
    needs(players.run("anna", "account", "shoe=42", status=2), r"sets nothing")
    needs(players.run("anna", "notices", "mail=off", "quiet=23:00-08:00", "late=off"), r"^mail=off", r"^quiet=23:00-08:00", r"^late=off")
    token = players.run("anna", "token", "laptop", "read").strip()
    assert len(token) >= 43, token
    needs(players.run("anna", "tokens"), r"read .*laptop")
    ident = [row["token_id"] for row in map(json.loads, players.run("anna", "--json", "tokens").splitlines()) if row.get("label") == "laptop"][0]
    players.run("anna", "revoke", ident)
    assert "laptop" not in players.run("anna", "tokens")
    needs(players.run("anna", "audit"), r"token_revoked", r"registered")
    players.run("anna", "block", "bert")
    needs(players.run("anna", "account"), r"^Blocked: bert")
    players.run("anna", "block", "bert", "off")
    assert json.loads(players.run("anna", "export")) is not None
    needs(players.run("anna", "delete-account", "bert", status=2), r"anna")
    yield "settings, tokens, audit, blocks, export"
    players.run("dora", "register", "dora")
    env = players.env_of("dora")
    env["VEDETTE_NEW_PASSWORD"] = "another-fine-password"
    done = subprocess.run([players.client, "password"], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0 and "changed" in done.stdout, done.stderr
    needs(players.run("dora", "login", "dora", status=1), r".")
    env["VEDETTE_PASSWORD"] = "another-fine-password"
    done = subprocess.run([players.client, "login", "dora"], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    yield "a password is changed"


if __name__ == "__main__":
    sys.exit(run_stories(__doc__, "desk", clocks, orders, drafts, company, account))

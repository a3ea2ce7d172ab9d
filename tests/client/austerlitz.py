#!/usr/bin/env python3
"""A whole semi-blind match of Austerlitz at two terminals of 80 by 24, one on the full screen without colours, one in plain
mode, and a watcher on a wide one: maps, lists, orders, a draft of combats, questions, pushes, refusals; nothing hidden is on
any screen. Each step waits for what must appear. Ends with "N passed, N failed"."""
import json
import os
import re
import sys
import time

from two_terminals import PATIENCE_S, Client, Failure, tell

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(TOP, "schema", "games", "austerlitz", "oob.json"), encoding="utf-8") as oob:
    UNITS = json.load(oob)["units"]
IDS = {side: "|".join(u["id"] for u in UNITS if u["side"] == side) for side in ("french", "allied")}
# A counter of the other side on the map with its face up; one in a combat, which may be, has another mark behind it.
FACES = {"french": re.compile(r"\[(?:%s) ?[\]*x]" % IDS["french"]), "allied": re.compile(r"\((?:%s) [)*x]" % IDS["allied"])}
# One in a list.
LISTED = re.compile(r"\b(?:%s|%s) (?:inf|cav|art) \d" % (IDS["french"], IDS["allied"]))


class Match(Client):
    id = ""

    def look(self):
        """All three screens, none of which may show what its viewer does not know (15.3, 15.7)."""
        screens = {name: self.terminals.screen(name) for name in ("anna", "bert", "carl")}
        for name, sides in (("anna", ["allied"]), ("bert", ["french"]), ("carl", ["french", "allied"])):
            for side in sides:
                found = FACES[side].search(screens[name])
                if found and "match is over" not in screens[name]:
                    raise Failure(f"{name} sees {found.group()!r}:\n{screens[name]}")
        return screens

    def until_kept(self, wanted):
        """Until the server keeps these actions as anna's draft."""
        end = time.monotonic() + PATIENCE_S
        while (kept := json.loads(self.run("--json", "draft", self.id, "--account", "anna"))["actions"]) != wanted:
            if time.monotonic() > end:
                raise Failure(f"the server keeps another draft: {kept}")


def needs(text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text, re.M):
            raise Failure(f"{pattern!r} is missing in:\n{text}")


def story(daemon, client, terminals, folder):
    """Yields a name for each thing that held."""
    m = Match(daemon, client, terminals, folder)
    for name in ("anna", "bert", "carl"):
        m.run("register", name)
    needs(m.run("new", "--help"), r"austerlitz --seat FR --option information=semi-blind")
    needs(m.run("games", "austerlitz"), r"strengths \(default \"printed\"", r"guard_1805", r"situation", r"Semi-blind")
    old = json.loads(m.run("--json", "new", "austerlitz", "--account", "anna", "--option", "situation=1809", "--option",
                           "guard_1805=true"))
    if old["options"]["situation"] != "1809" or old["options"]["guard_1805"] is not True:
        raise Failure(f"options of another kind: {old['options']}")
    m.id = json.loads(m.run("--json", "new", "austerlitz", "--seat", "FR", "--account", "anna", "--spectators", "public",
                            "--option", "information=semi-blind", "--option", "strengths=dealt"))["match"]
    m.play(m.id, "anna", 80, 24, "--no-color")
    terminals.wait("anna", r"has not begun", "who sits there waits for the other")
    m.run("join", m.id, "--seat", "AL", "--account", "bert")
    m.play(m.id, "bert", 80, 24, "--plain")
    terminals.wait("bert", r"29 units have not moved", "both nonces are open, and the match has begun")
    terminals.wait("anna", r"Waiting for the Allies", "the French wait")
    m.play(m.id, "carl", 140, 45)
    screen = terminals.wait("carl", r"Waiting for the Allies", "a watcher is told who is waited for")
    needs(screen, r"\[inf\]", r"\(inf\)")
    needs(terminals.screen("anna"), r"^    \d\d    \d\d ", r"\[204\]", r"i\d+-6", r"\[FR 0/66\]  AL 0/66", r"fog|Turn 1")
    m.look()
    yield "a dealt match begins with the nonces of two terminals"

    terminals.type("bert", "move L1 2318")
    terminals.wait("bert", r"\(L1\) moves from 2521 to 2318", "the cheapest way is found")
    terminals.wait("anna", r"An Allied infantry unit moves from 2521 to 2318", "the French see type and path")
    terminals.type("bert", "move D1 sokolnitz")
    terminals.wait("bert", r"rule 4\.5\. The way costs more", "a refusal cites its rule and says it")
    terminals.type("bert", "move D2 atlantis")
    terminals.wait("bert", r"no hex or village called ‘atlantis’", "what is no hex is said")
    terminals.type("bert", "undo")
    terminals.wait("bert", r"take back one step", "a move is taken back")
    terminals.type("bert", "move L1 2420 2320 2319 2318")
    terminals.wait("bert", r"(?s)take back one step.*moves from 2521 to 2318.*28 units have not moved", "and made by its hexes")
    terminals.type("bert", "map pratzen")
    terminals.wait("bert", r"^17 .*Pratz", "plain mode draws the map in lines")
    terminals.type("bert", "map all")
    terminals.wait("bert", r"^34  [.\"]", "and the whole of it")
    terminals.type("bert", "armies")
    terminals.wait("bert", r"Infantry \(10\): 0324,", "the enemy by type and hex")
    terminals.type("bert", "reach K2")
    terminals.wait("bert", r"K2 reaches \d+ hexes", "reach")
    m.look()
    said = m.run("show", m.id, "--account", "carl")
    if LISTED.search(said):
        raise Failure("a watcher is told a name: " + said)
    terminals.type("bert", "end")
    terminals.wait("anna", r"Your movement: move UNIT HEX", "the French move")
    yield "moves, refusals, undo, plain maps and lists"

    terminals.keys("anna", "-l", "mov")
    terminals.keys("anna", "Tab")
    terminals.wait("anna", r"^> move\s*$", "tab completes a word")
    terminals.keys("anna", "-l", "104 221")
    terminals.keys("anna", "Enter")
    terminals.wait("anna", r"no hex or village called ‘221’", "half a number is none")
    terminals.type("anna", "reach 104")
    terminals.wait("anna", r"\(1\).*", "what is in reach stands on the map")
    terminals.type("anna", "move 104 2217")
    terminals.type("anna", "move 204 2317")
    terminals.wait("anna", r"21 units have not moved", "two orders, the second typed while the first is on its way")
    terminals.type("anna", "help")
    terminals.wait("anna", r"quit: leave", "the page of help, whole")
    terminals.type("anna", "help attack")
    terminals.wait("anna", r"mutual control with an enemy must fight \(6\.2\)", "help of one word, whole")
    terminals.type("anna", "legend")
    terminals.wait("anna", r"escarpment", "the legend")
    terminals.type("anna", "map 2217")
    before = terminals.wait("anna", r"\[104\*", "the map again, with who has moved")
    terminals.keys("anna", "S-Right")
    terminals.wait("anna", r"^ +" + str(int(re.search(r"^ +(\d\d)", before, re.M).group(1)) + 2), "the map is moved by a key")
    terminals.type("anna", "map 2217")
    terminals.wait("anna", r"\[104\*", "there again")
    terminals.type("anna", "map all")
    terminals.wait("anna", r"^ +05 +10", "the map from far")
    terminals.type("anna", "map near")
    terminals.wait("anna", r"\[104\*", "and from near where it was")
    terminals.type("anna", "say the sun breaks through")
    terminals.wait("bert", r"the sun breaks through", "talk")
    terminals.type("anna", "end")
    screen = terminals.wait("anna", r"Must still fight: .*104 \(2217\)", "who must fight is told")
    needs(screen, r"None is\s+drafted")
    m.look()
    yield "completion, reach, help, legend, scrolling"

    terminals.type("anna", "attack 104 on 2318")
    terminals.wait("anna", r"1 is\s+drafted\. Must still fight: 204", "a combat is drafted")
    terminals.type("anna", "attack 204 on 2318")
    screen = terminals.wait("anna", r"1 is\s+drafted\.\s*$", "another unit joins it")
    needs(screen, r"if they count \d")
    terminals.type("anna", "bombard A01 on 2318")
    terminals.wait("anna", r"rule 11\.3", "no bombardment in fog")
    terminals.type("anna", "combats")
    terminals.wait("anna", r"1\. 104 \(2217\), 204 \(2317\) on inf \(2318\)", "the draft as a list")
    if "Combat 1" in terminals.screen("bert"):
        raise Failure("the Allies are told of a draft")
    m.until_kept([{"do": "declare", "plan": [{"contact": ["104", "204"], "defenders": ["2318"]}]}])
    terminals.type("anna", "quit")
    terminals.gone("anna")
    m.play(m.id, "anna", 80, 24, "--no-color")
    terminals.wait("anna", r"(?s)drafted before stand again.*1 is\s+drafted\.\s*$", "it stands again in the next one")
    terminals.type("anna", "declare")
    terminals.wait_said("bert", r"One combat is declared", "the plan is told to all")
    terminals.wait("anna", r"resolve N", "it is to be rolled")
    m.until_kept([])
    terminals.type("anna", "resolve 1")
    # where the attackers are eliminated the next turn begins at once, and its position follows
    terminals.wait_said("bert", r"Faces up in combat 1: the 1st Division of IV Corps \(104\) at \d+", "the faces are turned up")
    terminals.wait_said("carl", r"Faces up in combat 1", "to watchers, too")
    yield "combats drafted, declared, rolled"

    needs(m.run("show", m.id, "--account", "carl"), r"^The French:", r"Infantry \(\d+\): ")
    for language, words in (("fr", "Les Français"), ("ja", "フランス軍"), ("ru", "французы|Французы"), ("zh", "法军")):
        said = m.run("--language", language, "show", m.id, "--account", "carl")
        needs(said, words)
        if "cli." in said or "austerlitz" in said:
            raise Failure(said)
    needs(m.run("history", m.id, "--account", "anna"), r"An Allied infantry unit moves from 2521 to 2318", r"Faces up")
    needs(m.run("ask", m.id, "--account", "anna", "reach", "IC"), r"IC reaches \d+ hexes", r"^  1: ")
    needs(m.run("ask", m.id, "--account", "anna", "control", "1822"), r"1822 is")
    needs(m.run("ask", m.id, "--account", "anna", "dance", "IC", status=2), r"do not know")
    needs(m.run("orders", m.id, "--account", "anna", status=1), r"no standing orders in this game")
    yield "show, history and ask in sentences"

    end = time.monotonic() + 2 * PATIENCE_S
    while time.monotonic() < end:
        screens = m.look()
        if all("match is over" in screens[name] for name in ("anna", "bert")):
            break
        for name in ("anna", "bert"):
            asked = screens[name].rstrip().splitlines()[-8:] if name == "bert" else screens[name].splitlines()
            text = "\n".join(asked)
            if not re.search(r"^> ?$", text, re.M) or "Waiting for" in text:
                continue
            if "Your movement" in text:
                terminals.type(name, "end")
            elif re.search(r"\d\) staff", text):
                terminals.type(name, "staff")
        time.sleep(0.03)
    terminals.wait("anna", r"The match is over\. .*: ", "twelve turns are played")
    terminals.wait("bert", r"The match is over\. .*: ", "both are told")
    yield "a whole match"
    terminals.quit("anna", "bert", "carl")
    yield "quit leaves"


if __name__ == "__main__":
    sys.exit(tell(story, __doc__))

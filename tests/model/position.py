"""tests/model/position.py: the position page: reading (short and long forms) and writing (full form)."""
from board import INF, NATIONS, START, TYPE, UNITS, board, nation, uside
from state import Battle, State, new_unit

TURN = ("RESPOND", "PURSUIT_LOSS", "DEPLOY_DEF", "DEPLOY_ATT", "COMBAT", "SUPPLY")
STATES = {
    "confirmed": ("SETUP_ALLIED", "SETUP_FRENCH"), "marches": ("MOVE",),
    "ended": ("MOVE", "RESPOND", "COMBAT"), "pursuit": ("MOVE", "RESPOND", "PURSUIT_LOSS"),
    "groups_used": TURN, "ledger_move": TURN, "marched": TURN,
    "ledger_retreat": ("RESPOND", "PURSUIT_LOSS", "DEPLOY_DEF", "DEPLOY_ATT", "COMBAT"),
    "attacks": ("RESPOND", "PURSUIT_LOSS"), "pursuit_loss": ("PURSUIT_LOSS",),
    "battles": ("DEPLOY_DEF", "DEPLOY_ATT", "COMBAT"), "ct": ("COMBAT",), "won_at": ("COMBAT",),
    "debt": ("SUPPLY",), "result": ("GAME_OVER",),
}
ALWAYS = ("base", "slot", "state", "units", "at", "gone", "others", "surrendered", "departed")


class Bad(Exception):
    """A position that is not one."""


def listing(text):
    """"FR-A FR-B:2@1" as [(unit, cv or None, ct or None)]."""
    out = []
    for word in text.split():
        word, _, ct = word.partition("@")
        unit, _, cv = word.partition(":")
        if unit not in TYPE:
            raise Bad(unit)
        out.append((unit, int(cv) if cv else None, int(ct) if ct else None))
    return out


def read(p, options=None):
    """A State from a position."""
    st = State(options)
    for k in p:
        if k not in ALWAYS and k not in STATES:
            raise Bad("unknown member " + k)
    st.board = board(p.get("base", "real"))
    st.state = p.get("state", "MOVE")
    for k in p:
        if k in STATES and st.state not in STATES[k]:
            raise Bad("%s has no place in %s" % (k, st.state))
    setup = st.state.startswith("SETUP")
    st.slot = p.get("slot", 0 if setup else 1)
    st.departed = set(p.get("departed", []))
    st.surrendered = set(p.get("surrendered", []))
    where, cvs = {}, {}
    battle_units = {}

    def put(u, town=None, cv=None):
        if town is not None:
            if where.get(u, town) != town:
                raise Bad("two towns for " + u)
            where[u] = town
        if cv is not None:
            if u in cvs and cvs[u] != cv:
                raise Bad("two values for " + u)
            cvs[u] = cv

    for t, text in p.get("at", {}).items():
        for u, cv, _ in listing(text):
            put(u, t, cv)
    for u, x in p.get("units", {}).items():
        if u not in TYPE:
            raise Bad(u)
        if "gone" in x:
            st.gone[u] = x["gone"]
        else:
            put(u, x.get("town"), x.get("cv"))
            st.mark[u] = x.get("marked_until", 0)
    for u, _, _ in listing(p.get("gone", "")):
        st.gone[u] = "before"
    for t, x in p.get("battles", {}).items():
        st.battles[t] = _battle(st, t, x, put, battle_units)
    others = dict(st.board.others, **p.get("others", {}))
    for u in UNITS:
        if u in st.gone:
            st.town[u] = None
            continue
        st.town[u] = where.get(u, None if setup else others[nation(u)])
        st.cv[u] = cvs.get(u, START[u])
    st.confirmed = set(p.get("confirmed", st.allied() if st.state == "SETUP_FRENCH" else []))
    st.marches = [{"unit": m["unit"], "path": list(m["path"]), "forced": m.get("forced", False)}
                  for m in p.get("marches", [])]
    st.ended = set(p.get("ended", []))
    for t, x in p.get("pursuit", {}).items():
        none = {s: "none" for s, v in x.items() if v == "none"}
        if none:
            st.pursuit[t] = none
    st.groups = {n: set(v) for n, v in p.get("groups_used", {}).items() if v}
    st.ledger = {r: n for r, n in p.get("ledger_move", {}).items() if n}
    st.marched = set(p.get("marched", []))
    for s, x in p.get("ledger_retreat", {}).items():
        st.rledger[s] = {r: n for r, n in x.items() if n}
    for t, x in p.get("attacks", {}).items():
        answers = []
        for y in x.get("answers", []):
            answers.append({
                "seat": y["seat"], "choice": y["choice"], "automatic": y.get("automatic", False),
                "stranded": list(y.get("stranded", [])),
                "routes": [{"unit": i["unit"], "from": t, "path": list(i["path"]),
                            "forced": i.get("forced", False)} for i in y.get("routes", [])]})
        st.attacks[t] = {"roads": set(x["attack_roads"]), "answers": answers, "held": []}
    if "pursuit_loss" in p:
        x = p["pursuit_loss"]
        st.loss = {"town": x["town"], "stage": x["stage"], "hits": dict(x["hits"])}
    if st.state == "COMBAT":
        ct = p.get("ct", {"side": "att", "n": 1})
        st.ct = {"side": ct["side"], "n": ct["n"], "round_over": ct.get("round_over", False)}
        st.won_at = {u: dict(x) for u, x in p.get("won_at", {}).items()}
    st.debt = dict(p.get("debt", {}))
    st.result = p.get("result")
    for t, b in st.battles.items():
        _finish_battle(st, b, p["battles"][t])
    return st


def _battle(st, t, x, put, seen):
    b = Battle(t, x.get("attack_roads", []))
    b.over = x.get("over", False)

    def place(u, **kw):
        put(u, t)
        b.units.setdefault(u, {}).update(kw)

    for k, lane in x.get("lanes", {}).items():
        for key in ("att", "def", "adv"):
            for u, cv, ct in listing(lane.get(key, "")):
                put(u, None, cv)
                if key == "adv":
                    place(u, place="adv", lane=int(k), advanced_ct=ct or 1)
                else:
                    place(u, place="col", lane=int(k))
    for u, cv, _ in listing(x.get("reserve", "")):
        put(u, None, cv)
        place(u, place="res")
    for u, y in x.get("units", {}).items():
        place(u, **y)
    return b


def _finish_battle(st, b, x):
    n = st.ct["n"] if st.ct else 0
    for k in ("attack_roads", "lanes", "reserve", "units", "fired_last_round", "fired_this_round",
              "attacker_acted", "idle_rounds", "test_due", "over", "rout"):
        pass
    if b.over:
        b.units = {}
    else:
        if st.state.startswith("DEPLOY"):
            for u in st.at(b.town):
                b.units.setdefault(u, {"place": "undeployed"})
        for u, y in b.units.items():
            full = new_unit(y.get("place", "undeployed"), y.get("lane", 0))
            full.update(y)
            b.units[u] = full
        b.flr = x.get("fired_last_round", st.state == "COMBAT" and n > 1)
        b.ftr = x.get("fired_this_round", False)
        b.acted = x.get("attacker_acted", False)
        b.idle = x.get("idle_rounds", 0)
        b.test_due = x.get("test_due", False)
        for k in (1, 2, 3):
            adv = st.advanced(b, k)
            if adv:
                b.eng[k] = (st.role(adv[0]), min(b.units[u]["advanced_ct"] for u in adv))
            lane = x.get("lanes", {}).get(str(k), {})
            by = lane.get("engaged_by")
            if by == "none":
                b.eng[k] = None
            elif by or "engaged_ct" in lane:
                b.eng[k] = (by or b.eng[k][0], lane.get("engaged_ct", b.eng[k][1] if b.eng[k] else 1))
    if "rout" in x:
        r = x["rout"]
        side = st.side_in(r["side"])
        closed = set(r["enemy_towns"]) if "enemy_towns" in r else (
            {st.town[u] for u in UNITS if u not in st.gone and uside(u) != side} | {b.town})
        b.rout = {"side": r["side"], "closed": closed,
                  "units": {u: y.get("revealed", True) for u, y in r["units"].items()}}


def write(st):
    """The full form: every member with a meaning in the state, sets in ascending order."""
    s = st.state
    setup = s.startswith("SETUP")
    p = {"base": st.board.name, "slot": st.slot, "state": s, "units": {}}
    for u in UNITS:
        if u in st.gone:
            p["units"][u] = {"gone": st.gone[u]}
        else:
            p["units"][u] = {"cv": st.cv[u], "marked_until": st.mark[u]}
            if st.town[u] is not None:
                p["units"][u]["town"] = st.town[u]
    if setup:
        p["confirmed"] = sorted(st.confirmed)
    else:
        p["surrendered"] = sorted(st.surrendered)
    p["departed"] = sorted(st.departed)
    for k, states in STATES.items():
        if s in states and k != "confirmed":
            p[k] = _WRITE[k](st)
    return p


def _items(items):
    return [{"unit": i["unit"], "path": list(i["path"]), "forced": i["forced"]} for i in items]


def _write_battle(st, b):
    if b.over:
        out = {"over": True}
        if b.rout:
            out["attack_roads"] = sorted(b.roads)
            out["rout"] = {"side": b.rout["side"], "enemy_towns": sorted(b.rout["closed"]),
                           "units": {u: {"revealed": r} for u, r in sorted(b.rout["units"].items())}}
        return out
    out = {"attack_roads": sorted(b.roads), "units": {}, "lanes": {}, "over": False, "test_due": b.test_due,
           "fired_last_round": b.flr, "fired_this_round": b.ftr, "attacker_acted": b.acted,
           "idle_rounds": b.idle}
    for u, x in sorted(b.units.items()):
        y = {"place": x["place"], "square": x["square"], "fired": x["fired"], "moves": x["moves"]}
        if x["place"] in ("col", "adv"):
            y["lane"] = x["lane"]
        if x["place"] == "adv":
            y["advanced_ct"] = x["advanced_ct"]
        out["units"][u] = y
    for k in (1, 2, 3):
        e = b.eng[k]
        out["lanes"][str(k)] = {"engaged_by": e[0], "engaged_ct": e[1]} if e else {"engaged_by": "none"}
    return out


_WRITE = {
    "marches": lambda st: _items(st.marches),
    "ended": lambda st: sorted(st.ended),
    "pursuit": lambda st: {t: dict(x) for t, x in sorted(st.pursuit.items()) if x},
    "groups_used": lambda st: {n: sorted(st.groups.get(n, ())) for n in NATIONS},
    "ledger_move": lambda st: dict(st.ledger),
    "marched": lambda st: sorted(st.marched),
    "ledger_retreat": lambda st: {s: dict(x) for s, x in st.rledger.items()},
    "attacks": lambda st: {t: {"attack_roads": sorted(x["roads"]), "answers": [
        {"seat": y["seat"], "choice": y["choice"], "automatic": y["automatic"],
         "stranded": sorted(y["stranded"]), "routes": _items(y["routes"])} for y in x["answers"]]}
        for t, x in st.attacks.items()},
    "pursuit_loss": lambda st: {"town": st.loss["town"], "stage": st.loss["stage"],
                                "hits": dict(st.loss["hits"])},
    "battles": lambda st: {t: _write_battle(st, b) for t, b in st.battles.items()},
    "ct": lambda st: dict(st.ct),
    "won_at": lambda st: {u: dict(x) for u, x in st.won_at.items()},
    "debt": lambda st: dict(st.debt),
    "result": lambda st: dict(st.result),
}


def shorten(full, rng):
    """The same position in short forms, here and there, and with defaults left out (sections 1 to 3)."""
    p = {}
    setup = full["state"].startswith("SETUP")
    bd = board(full["base"])
    some = lambda: rng.random() < 0.7
    units, at, gone = {}, {}, []
    battles = {t: dict(b) for t, b in full.get("battles", {}).items()}
    placed = set()
    for t, b in battles.items():
        if full["state"] == "COMBAT" and not b["over"] and some():
            placed |= _short_battle(b, full, rng)
    others = {}
    for n in NATIONS:
        towns = [x["town"] for u, x in full["units"].items() if nation(u) == n and "town" in x]
        if not setup and towns and rng.random() < 0.5:
            others[n] = rng.choice(towns)
    default = dict(bd.others, **others)
    routed = {u for b in battles.values() for u in b.get("rout", {}).get("units", ())}
    for u, x in full["units"].items():
        if "gone" in x:
            if x["gone"] == "before" and not setup and some():
                gone.append(u)
            else:
                units[u] = dict(x)
            continue
        y = {k: v for k, v in x.items() if not (k == "marked_until" and v == 0 and some())}
        if y["cv"] == START[u] and some() or u in placed:
            del y["cv"]
        if "town" in y:
            if u in placed:
                del y["town"]
            elif not setup and y["town"] == default[nation(u)] and u not in routed and some():
                del y["town"]
            elif some():
                t = y.pop("town")
                cv = y.pop("cv", None)
                at.setdefault(t, []).append(u if cv is None else "%s:%d" % (u, cv))
        if y or setup:
            units[u] = y
    for k, v in full.items():
        if k in ("units", "battles"):
            continue
        if k == "base" and v == "real" or k == "state" and v == "MOVE" or k == "slot" and v == (0 if setup else 1):
            if some():
                continue
        if v in ([], {}) and some():
            continue
        if k == "confirmed" and full["state"] == "SETUP_FRENCH":
            continue
        if k == "ct" and not v["round_over"]:
            v = {"side": v["side"], "n": v["n"]}
        if k in ("groups_used", "ledger_retreat"):
            v = {n: x for n, x in v.items() if x}
        if k == "marches":
            v = [{m: y for m, y in i.items() if m != "forced" or y} for i in v]
        p[k] = v
    for t, b in battles.items():
        for k in ("fired_this_round", "attacker_acted", "test_due", "over"):
            if b.get(k) is False and some():
                del b[k]
        if b.get("idle_rounds") == 0 and some():
            del b["idle_rounds"]
    if "battles" in full:
        p["battles"] = battles
    for k, v in (("units", units), ("at", {t: " ".join(w) for t, w in at.items()}), ("others", others),
                 ("gone", " ".join(gone))):
        if v:
            p[k] = v
    return p


def _short_battle(b, full, rng):
    """Writes the units of a battle as texts of lanes and reserve; the units that are in them."""
    lanes = {k: dict(x) for k, x in b["lanes"].items()}
    rest, res, done = {}, [], set()
    texts = {k: {"att": [], "def": [], "adv": []} for k in lanes}
    att = board(full["base"]).time[full["slot"] - 1][0]
    for u, x in b["units"].items():
        cv = full["units"][u]["cv"]
        word = u if cv == START[u] else "%s:%d" % (u, cv)
        done.add(u)
        if x["place"] == "res":
            res.append(word)
        elif x["place"] == "adv":
            ct = x["advanced_ct"]
            texts[str(x["lane"])]["adv"].append(word if ct == 1 and rng.random() < 0.5 else "%s@%d" % (word, ct))
        else:
            texts[str(x["lane"])]["att" if uside(u) == att else "def"].append(word)
        y = {k: v for k, v in x.items() if k in ("square", "fired", "moves") and v}
        if y:
            rest[u] = y
    for k, lane in lanes.items():
        lane.update({w: " ".join(t) for w, t in texts[k].items() if t})
        if lane["engaged_by"] == "none":
            del lane["engaged_by"]
    b["lanes"] = lanes
    b.pop("units")
    if rest:
        b["units"] = rest
    if res:
        b["reserve"] = " ".join(res)
    return done


__all__ = ["Bad", "INF", "NATIONS", "read", "shorten", "write"]

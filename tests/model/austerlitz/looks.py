"""tests/model/austerlitz/looks.py: what each viewer sees (15)."""
import fight
import land
import score
from land import ARMIES, ARMY, ARMY_OF, TYPE, TYPES


def shown(st):
    """15.4: units whose faces are turned up."""
    if not st.hand or st.hand["result"] == "no_die":
        return set()
    return {u for k in ("contact", "bombard", "defenders") for u in st.hand[k]}


def where(st, units):
    """Hexes of the units that are still on the map, in order."""
    return sorted(st.hex[u] for u in units if u in st.hex)


def view(st, viewer):
    """The members that the game writes into a view."""
    hour = land.TABLES["turns"][st.turn - 1]
    out = {"state": st.state, "to_act": st.to_act(), "waits_for": st.to_act(), "board": _board(st, viewer),
           "turn": {"turn": st.turn, "of": len(land.TABLES["turns"]), "hours": hour["hours"], "side": st.side, "fog": hour["fog"],
                    "night": hour["night"]}}
    if viewer in st.to_act():
        out["prompt"] = _prompt(st)
    return out


def _prompt(st):
    if st.state == "MOVE":
        return {"id": "move", "left": len(set(st.army(st.side)) - st.moved)}
    if st.state == "RESOLVE":
        return {"id": "resolve", "pending": sum(e["status"] == "pending" for e in st.plan)}
    if st.state == "EXCHANGE":
        return {"id": "exchange", "due": fight.exchange_due(st)}
    if st.state == "RETREAT":
        return {"id": "retreat", "units": where(st, st.hand["to_retreat"])}
    if st.state == "BATTERY":
        return {"id": "battery", "units": where(st, st.hand["to_choose"])}
    if st.state == "ADVANCE":
        return {"id": "advance", "hexes": sorted(set(st.hand["vacated"]))}
    return {"id": "declare"}


def _board(st, viewer):
    up = shown(st)
    units = {}
    for u, h in st.hex.items():
        x = {"side": ARMY[u], "type": TYPE[u], "movement": land.TABLES["unit_types"][TYPE[u]]["movement"]}
        if st.knows(viewer, u) or u in up:
            x.update(id=u, name=land.OOB[u]["name"], potential=st.power[u])
        if u in st.moved:
            x["moved"] = True
        if u in st.mark:
            x["destroyed_bridge"] = st.mark[u]
        units[h] = x
    out = {"options": st.options, "units": units, "boxes": {s: _boxes(st, viewer, s) for s in ARMIES},
           "tracks": {s: st.track(s) for s in ARMIES}, "broken_ice": sorted(st.broken), "destroyed_bridges": sorted(st.destroyed)}
    if st.demoralised:
        out["demoralised"] = st.demoralised
    if st.plan:
        out["plan"] = {str(n + 1): _entry(st, e) for n, e in enumerate(st.plan)}
    if st.hand:
        out["hand"] = {"index": st.hand["index"], "result": st.hand["result"], "vacated": sorted(set(st.hand["vacated"]))}
        for k in ("contact", "bombard", "defenders", "to_retreat", "to_choose"):
            if where(st, st.hand[k]):
                out["hand"][k] = where(st, st.hand[k])
    if st.state == "OVER":
        out["result"] = {k: v for k, v in score.result(st).items() if v not in ("none", [])}
    return out


def _entry(st, e):
    out = {"status": e["status"]}
    if e["status"] != "pending":
        return out
    if "artillery" in e:
        return dict(out, bombard=where(st, [e["artillery"]]), ice=e["hex"])
    return dict(out, **{k: where(st, e[k]) for k in ("contact", "bombard", "defenders") if where(st, e[k])})


def _boxes(st, viewer, side):
    out = {}
    for box in ("eliminated", "withdrawn", "vienna"):
        inside = sorted(u for u, b in st.box.items() if b == box and ARMY[u] == side)
        if not inside:
            continue
        out[box] = {t: sum(TYPE[u] == t for u in inside) for t in TYPES if any(TYPE[u] == t for u in inside)}
        if not st.blind() or viewer == "all" or ARMY_OF.get(viewer) == side:
            out[box]["units"] = inside
    return out

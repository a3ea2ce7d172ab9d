"""tests/model/waterloo.py: a second reading of the Waterloo rules, to hold the server's against.

Written from the rules text alone and sharing no code with common/rules. The modules:
board.py (map, units), state.py (the state and questions about it), moving.py (W2-W5, W15, W16),
fighting.py (W6-W14, W17, W18), position.py (the position page), gen.py (random legal actions),
cases.py (runs case files on the model), compare.py (plays matches on model and server side by side).

    st = position.read(position, options)
    refused, events, drawn = apply(st, "FR", {"do": "end_movement"}, dice)

refused is None or the set of rules that forbid the action; then nothing has changed. events maps each
viewer (seats, "public", "all") to what it is told.
"""
import fighting
import moving
from state import Refuse, State

_ITEM = {"unit": str, "path": [str], "forced?": bool, "roads?": [str]}
_SHAPES = {
    "place": {"placements": [{"unit": str, "town": str}]},
    "confirm_setup": {}, "end_response": {},
    "march": {"marches": [_ITEM]}, "unmarch": {"units": [str]},
    "end_movement": {"pursuit?": dict},
    "respond": {"town": str, "choice": str, "routes?": [_ITEM], "stranded?": [str]},
    "allot": {"town": str, "losses": [{"unit": str, "cv": int}]},
    "deploy": {"battle": str, "columns": {"1?": [str], "2?": [str], "3?": [str], "reserve?": [str]}},
    "fire": {"battle": str, "unit": str, "target": str},
    "move": {"battle": str, "unit": str, "kind": str, "to?": int},
    "retreat": {"battle": str, "routes": [_ITEM]},
    "rout_routes": {"battle": str, "routes?": [_ITEM], "lost?": [str]},
    "end_combat_turn": {"reinforcements?": [{"battle": str, "units": [str]}]},
    "remove": {"units": [str]},
}
_STATES = {
    "place": ("SETUP_ALLIED", "SETUP_FRENCH"), "confirm_setup": ("SETUP_ALLIED", "SETUP_FRENCH"),
    "march": ("MOVE",), "unmarch": ("MOVE",), "end_movement": ("MOVE",), "respond": ("RESPOND",),
    "end_response": ("RESPOND",), "allot": ("PURSUIT_LOSS",), "deploy": ("DEPLOY_DEF", "DEPLOY_ATT"),
    "fire": ("COMBAT",), "move": ("COMBAT",), "retreat": ("COMBAT",), "rout_routes": ("COMBAT",),
    "end_combat_turn": ("COMBAT",), "remove": ("SUPPLY",),
}
_SEALED = {"confirm_setup", "end_movement", "end_response", "end_combat_turn", "rout_routes", "remove"}


def _fits(value, shape):
    if shape is str:
        return isinstance(value, str)
    if shape is bool:
        return isinstance(value, bool)
    if shape is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if shape is dict:
        return isinstance(value, dict) and all(v in ("all", "none") for v in value.values())
    if isinstance(shape, list):
        return isinstance(value, list) and all(_fits(v, shape[0]) for v in value)
    if not isinstance(value, dict):
        return False
    names = {k.rstrip("?"): k for k in shape}
    if any(k not in names for k in value):
        return False
    return all(_fits(value[k], shape[s]) if k in value else s.endswith("?") for k, s in names.items())


def shape_ok(a):
    """The form of an action (position page, section 6)."""
    if not isinstance(a, dict) or not isinstance(a.get("do"), str) or a["do"] not in _SHAPES:
        return False
    rest = {k: v for k, v in a.items() if k != "do"}
    if not _fits(rest, _SHAPES[a["do"]]):
        return False
    if a["do"] == "respond":
        if a["choice"] == "fight":
            return "routes" not in a and "stranded" not in a
        return a["choice"] == "retreat"
    if a["do"] == "move" and "to" in a:
        return 1 <= a["to"] <= 3
    return True


def _module(do):
    return moving if hasattr(moving, "check_" + do) else fighting


def check(st, seat, a):
    """The rules that forbid the action, as a set: empty if it is allowed."""
    shape = set() if shape_ok(a) else {"shape", "*"}
    do = a.get("do") if isinstance(a, dict) and not shape else None
    if seat not in st.to_act():
        return shape | {"W2.6" if st.state.startswith("SETUP") else "W19", "W19"} | _late(st, do)
    if shape:
        return shape
    if st.state not in _STATES[do]:
        return {"W19", "W7.1", "W2.6"}
    if do != "rout_routes" and st.state == "COMBAT":
        own_rout = st.pending(seat=seat)
        if seat not in st.acting():
            return {"W7.1", "W13.6", "W13.2", "W19"}
        if own_rout:  # W19: first thing due
            return {"W13.6", "W13.2", "W19", "W7.1"}
    for k in ("placements", "marches", "units", "routes"):
        if do in ("place", "march", "unmarch", "retreat") and a.get(k) == []:
            return {"W19"}  # an order that orders nothing
    return getattr(_module(do), "check_" + do)(st, seat, a)


def _late(st, do):
    """Rules that may be named besides, when a seat acts out of its turn."""
    return {"deploy": {"W6.3", "W18.6"}, "end_combat_turn": {"W7.1"}, "fire": {"W7.1"},
            "move": {"W7.1"}, "retreat": {"W7.1", "W13.6"}}.get(do, set())


def settle(st):
    """The server's own steps (W19.2) until somebody has to act."""
    while moving.settle_moving(st) or fighting.settle_fighting(st):
        pass


def viewers(st):
    return (["FR", "AL"] if st.players == 2 else ["FR", "AD", "PR"]) + ["public", "all"]


def collect(st):
    out = {v: [] for v in viewers(st)}
    for who, ev in st.out:
        for v in who:
            out[v].append(ev)
    return out


def apply(st, seat, a, dice=()):
    """(refused, events, drawn): the state changes only when refused is None."""
    rules = check(st, seat, a)
    if rules:
        return rules, {}, 0
    st.out, st.dice, st.dice_at = [], dice, 0
    getattr(_module(a["do"]), "do_" + a["do"])(st, seat, a)
    settle(st)
    return None, collect(st), st.dice_at


def leave(st, seat):
    """W18.9: (events, drawn). What the ally who stays has to do again is for the caller to look at."""
    st.out, st.dice, st.dice_at = [], (), 0
    code = seat
    if st.players == 3 and seat == "AL":
        code = "PR" if "AD" in st.departed else "AD"
    st.departed.add(code)
    if seat in ("FR", "AL"):
        moving.game_over(st, "AL" if seat == "FR" else "FR", "departed")
    return collect(st), 0


def sealed(st_before, a, st_after, told):
    """W20.5: no undo past this action (besides those that drew a die). told: its events, in full. Where units
    retreat before combat their owner learns whether he is fired at, die or no die."""
    if a["do"] in _SEALED:
        return True
    if a["do"] == "respond":
        return any(e["ev"] == "retreated" for e in told)
    if a["do"] == "deploy":
        return st_before != st_after
    return a["do"] == "move" and a["kind"] == "from_reserve"


def create(options):
    return State(options)


__all__ = ["Refuse", "apply", "check", "create", "sealed", "settle", "viewers"]

"""tests/model/austerlitz/score.py: the end of a match (3.4, 13)."""
import march
from land import ARMIES, ARMY, FOE, TABLES

_V = TABLES["victory"]


def losses(st, side):
    """13.2, 13.3."""
    caught = sum(st.power[st.at[h]] for h in march.encircled(st, side))
    return st.losses(side) + st.total(side, "withdrawn") // 2 + caught


def points(st, side):
    """13.4."""
    enemy = losses(st, FOE[side])
    out = next((p for least, p in _V[side + "_points"] if enemy >= least), 0)
    if side == "allied":
        out += _V["allied_vienna_point_per_unit"] * sum(b == "vienna" and ARMY[u] == side for u, b in st.box.items())
    return out


def result(st):
    """Winner, degree and figures as the event `over` tells them."""
    out = {s: {"losses": losses(st, s), "points": points(st, s)} for s in ARMIES}
    ahead = out["french"]["points"] - out["allied"]["points"]
    out["winner"] = "french" if ahead > 0 else "allied" if ahead < 0 else "none"
    out["degree"] = _V["degrees"]["3+" if abs(ahead) >= 3 else str(abs(ahead))]
    out["encircled"] = sorted(h for s in ARMIES for h in march.encircled(st, s))
    if st.resigned:
        out.update(winner=FOE[st.resigned], degree="decisive victory", resigned=st.resigned)
    if st.agreed:
        out.update(winner="none", degree="draw", agreed=True)
    return out


def finish(st):
    """The match is over."""
    st.state, st.plan, st.hand, st.moved = "OVER", [], None, set()
    st.tell("over", **result(st))


__all__ = ["finish", "losses", "points", "result"]

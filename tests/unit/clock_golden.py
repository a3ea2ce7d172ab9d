#!/usr/bin/env python3
"""Writes tests/unit/clock_golden.h: what test_clock_zone and test_clock_days expect, worked out in another way than the
engine does it: by walking through the minutes of UTC and asking Python's zoneinfo what the wall shows at each.

Run it again (./clock_golden.py > clock_golden.h) only to add rows; the values are checked by hand against the zones' announced
changes and stay as they are when the zone database changes its mind about the past.
"""
import datetime as dt
import functools
import zoneinfo

UTC = dt.timezone.utc
MINUTE = dt.timedelta(minutes=1)
DAY = dt.timedelta(days=1)

# zone, and days around which its wall is set
CHANGES = [
    ("Europe/Brussels", ["2026-03-29", "2026-10-25", "2027-03-28"]),
    ("Europe/London", ["2026-03-29", "2026-10-25"]),
    ("America/New_York", ["2026-03-08", "2026-11-01"]),
    ("America/St_Johns", ["2026-03-08", "2026-11-01", "2006-04-02", "2006-10-29"]),
    ("Pacific/Auckland", ["2026-04-05", "2026-09-27"]),
    ("Pacific/Chatham", ["2026-04-05", "2026-09-27"]),
    ("Australia/Lord_Howe", ["2026-04-05", "2026-10-04"]),
    ("Asia/Kathmandu", ["2026-03-29"]),
    ("Africa/Casablanca", ["2026-02-15", "2026-03-22"]),
    ("Africa/Cairo", ["2026-04-24", "2026-10-30"]),
    ("Asia/Tehran", ["2022-03-22", "2022-09-22", "2026-03-22"]),
    ("Pacific/Apia", ["2011-12-30", "2021-04-04", "2026-04-05"]),
    ("America/Havana", ["2026-03-08", "2026-11-01"]),
    ("Asia/Beirut", ["2026-03-29", "2026-10-25"]),
    ("Antarctica/Troll", ["2026-03-29", "2026-10-25"]),
]


@functools.lru_cache(maxsize=None)
def zone(name):
    return zoneinfo.ZoneInfo(name)


def wall(name, at):
    return at.astimezone(zone(name)).replace(tzinfo=None)


@functools.lru_cache(maxsize=None)
def instants(name, date, minute):
    """The instants at which the wall shows that minute of the date; where there is none, the first one after."""
    want = dt.datetime.combine(date, dt.time()) + minute * MINUTE
    at = dt.datetime.combine(date, dt.time(), UTC) + minute * MINUTE - dt.timedelta(hours=16)
    found, after = [], None
    shown_before = wall(name, at - MINUTE) < want
    for _ in range(32 * 60 + 1):
        shown = wall(name, at)
        if shown == want:
            found.append(at)
        if shown > want and shown_before and after is None:
            after = at
        shown_before = shown < want
        at += MINUTE
    return found or [after]


def first(name, date, minute):
    return instants(name, date, minute)[0]


def last(name, date, minute):
    return instants(name, date, minute)[-1]


def text(at):
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def minute_of(hhmm):
    return int(hhmm[:2]) * 60 + int(hhmm[3:])


def wall_rows():
    for name, days in CHANGES:
        for day in days:
            date = dt.date.fromisoformat(day)
            minutes = {0, 1, 90, 135, 150, 165, 180, 720, 1425}
            for minute in sorted(minutes):
                a, b = first(name, date, minute), last(name, date, minute)
                yield '    {"%s", "%s", %d, "%s", "%s"},' % (name, day, minute, text(a), text(b))


def offset_rows():
    for name, days in CHANGES:
        for day in days:
            at = dt.datetime.combine(dt.date.fromisoformat(day), dt.time(), UTC)
            for hours in (-30, 30):
                when = at + dt.timedelta(hours=hours)
                offset = when.astimezone(zone(name)).utcoffset()
                yield '    {"%s", "%s", %d},' % (name, text(when), int(offset.total_seconds()))


# --- deadlines: minute by minute ---------------------------------------------------------------

def in_window(name, frm, to, at):
    """Whether at is between the first frm and the last to of some day."""
    today = wall(name, at).date()
    for date in (today - DAY, today, today + DAY):
        end = date + DAY if frm > to else date
        if first(name, date, frm) <= at < last(name, end, to):
            return True
    return False


DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def deadline(spec, player, asked):
    """When span and bank (in minutes) are used up."""
    span, bank = spec["span"], spec["bank"]
    at, spent = asked, None
    fixed = None
    while True:
        if span == 0 and "at" in spec and spent is None:
            spent = at
            fixed = fixed_time(spec, max(spent, asked + spec.get("gap", 0) * MINUTE))
        if span == 0 and "at" in spec and at < fixed:
            at += MINUTE
            continue
        if span == 0 and bank == 0:
            if "at" in spec or runs(spec, player, at - MINUTE):
                return at
        if runs(spec, player, at):
            if span > 0:
                span -= 1
            else:
                bank -= 1
        at += MINUTE


def fixed_time(spec, at):
    date = wall(spec["zone"], at).date() - DAY
    while True:
        if "days" not in spec or DAYS[date.weekday()] in spec["days"]:
            when = last(spec["zone"], date, minute_of(spec["at"]))
            if when >= at:
                return when
        date += DAY


def runs(spec, player, at):
    if "days" in spec and "at" not in spec and DAYS[wall(spec["zone"], at).weekday()] not in spec["days"]:
        return False
    if "vacation" in player:
        frm, to = player["vacation"]
        if frm <= wall(player["zone"], at).date().isoformat() <= to:
            return False
    if "hours" in spec:
        frm, to = spec["hours"]
        if not in_window(spec["zone"], minute_of(frm), minute_of(to), at):
            return False
    if "sleep" in player:
        frm, to = player["sleep"]
        if in_window(player["zone"], minute_of(frm), minute_of(to), at):
            return False
    return True


def spec_text(spec, player):
    json = '{"kind":"correspondence","bank_s":%d,"per_move_s":%d' % (spec["bank"] * 60, spec["span"] * 60)
    if "zone" in spec:
        json += ',"zone":"%s"' % spec["zone"]
    if "days" in spec:
        json += ',"days":["%s"]' % '","'.join(spec["days"])
    if "hours" in spec:
        json += ',"hours":["%s","%s"]' % tuple(spec["hours"])
    if "at" in spec:
        json += ',"at":"%s"' % spec["at"]
    if "gap" in spec:
        json += ',"min_gap_s":%d' % (spec["gap"] * 60)
    if "sleep" in player:
        json += ',"sleep":true'
    if "vacation" in player:
        json += ',"vacation_days":21'
    return json.replace('"', '\\"') + "}"


def player_text(player):
    return '"%s", "%s", "%s"' % (player["zone"], "-".join(player.get("sleep", [])),
                                 "/".join(player.get("vacation", [])))


WEEK = ["mon", "tue", "wed", "thu", "fri"]


def deadline_rows():
    """Over each change: nights, office hours, weekdays, fixed times, in the zone of the match and of the player."""
    for name, days in CHANGES:
        for day in days[:2]:
            asked = dt.datetime.fromisoformat(day + "T09:30:00+00:00") - 2 * DAY
            here = {"zone": name}
            rows = [
                ({"span": 0, "bank": 1500, "zone": name, "hours": ["08:00", "23:00"]}, {"zone": "UTC"}),
                ({"span": 2880, "bank": 1440}, {**here, "sleep": ["23:00", "07:00"]}),
                ({"span": 600, "bank": 600, "zone": "Europe/Paris", "hours": ["06:00", "22:00"]},
                 {**here, "sleep": ["22:30", "06:45"]}),
                ({"span": 1440, "bank": 0, "zone": name, "at": "23:55"}, {"zone": "UTC"}),
                ({"span": 60, "bank": 0, "zone": name, "at": "02:30", "gap": 2160}, {"zone": "UTC"}),
                ({"span": 1440, "bank": 720, "zone": name, "at": "23:55", "days": ["sun"]}, here),
                ({"span": 2000, "bank": 2000, "zone": name, "days": WEEK}, {"zone": "UTC"}),
                ({"span": 0, "bank": 1440}, {**here, "vacation": [day, day]}),
                ({"span": 0, "bank": 2160, "zone": name, "hours": ["22:30", "02:30"]}, {"zone": "UTC"}),
            ]
            for spec, player in rows:
                due = deadline(spec, player, asked)
                yield '    {"%s", %s, "%s", "%s"},' % (spec_text(spec, player), player_text(player), text(asked), text(due))


def main():
    print("/* tests/unit/clock_golden.h: made by clock_golden.py, which walks through the minutes with Python's zoneinfo. */")
    print("#ifndef VEDETTE_TESTS_UNIT_CLOCK_GOLDEN_H\n#define VEDETTE_TESTS_UNIT_CLOCK_GOLDEN_H\n\n/* clang-format off */")
    print("/* zone, local day, minute of it; the first and the last instant that is it (or the first after a gap). */")
    print("static const struct wall_row {\n    const char *zone, *day;\n    int minute;\n    const char *first, *last;\n} wall_rows[] = {")
    print("\n".join(wall_rows()))
    print("};\n\n/* zone, instant, seconds east. */")
    print("static const struct offset_row {\n    const char *zone, *at;\n    int offset_s;\n} offset_rows[] = {")
    print("\n".join(offset_rows()))
    print("};\n\n/* spec; the player's zone, night and vacation; asked at, out of time at. */")
    print("static const struct deadline_row {\n    const char *spec, *zone, *sleep, *vacation, *asked, *deadline;\n} deadline_rows[] = {")
    print("\n".join(deadline_rows()))
    print("};\n/* clang-format on */\n\n#endif")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Holds the message catalogues of schema/words to their README.

Fails on a key that is missing in a language, that no source uses, or that is malformed; on arguments that
differ between languages; on plural categories that are missing; on exclamation marks; and on words in
.tsx files that do not come from the catalogues. `check.py unused` prints the unused keys alone.
"""

import json
import pathlib
import re
import sys

import markup

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = ["en", "fr", "ja", "ru", "zh"]
PLURALS = {"en": {"one", "other"}, "fr": {"one", "other"}, "ja": {"other"}, "zh": {"other"},
           "ru": {"one", "few", "many", "other"}}
NAME = re.compile(r"=[0-9]+|[A-Za-z0-9_]+")
KEY = re.compile(r"^[a-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$|^way$")
# Grammar alone: a language that has one form does without.
GRAMMAR = {"form"}
DEPTH = 8


class Wrong(Exception):
    pass


class Message:
    """A message read by the grammar of schema/words/README.md; shown and choosing arguments kept apart."""

    def __init__(self, text, language):
        self.text, self.at, self.language = text, 0, language
        self.shown, self.choosing = set(), set()
        self.plain = ""
        self.body("", 0, None)

    def body(self, end, depth, counted):
        if depth > DEPTH:
            raise Wrong("nested too deeply")
        while not (end and self.text.startswith(end, self.at)):
            if self.at >= len(self.text):
                if end:
                    raise Wrong(f"{end} is missing")
                return
            self.piece(depth, counted)
        self.at += len(end)

    def piece(self, depth, counted):
        c = self.text[self.at]
        self.at += 1
        if c == "'":
            self.quotation()
        elif c == "{":
            self.argument(depth, counted)
        elif c == "<":
            if not self.text.startswith("b>", self.at):
                raise Wrong("the only tag is <b>")
            self.at += 2
            self.body("</b>", depth + 1, counted)
        elif c == "}":
            raise Wrong("a brace stands alone")
        elif c == "#" and counted:
            self.shown.add(counted)
        else:
            self.plain += c

    def quotation(self):
        if self.text.startswith("'", self.at):
            self.at += 1
        elif self.text[self.at:self.at + 1] in tuple("{}#<"):
            end = self.text.find("'", self.at)
            if end < 0:
                raise Wrong("a quotation has no end")
            self.at = end + 1

    def word(self):
        self.spaces()
        found = NAME.match(self.text, self.at)
        if not found:
            raise Wrong(f"a name is missing at {self.at}")
        self.at = found.end()
        self.spaces()
        return found.group()

    def spaces(self):
        while self.text[self.at:self.at + 1] in (" ", "\n"):
            self.at += 1

    def take(self, c):
        if self.text.startswith(c, self.at):
            self.at += len(c)
            return True
        return False

    def argument(self, depth, counted):
        name = self.word()
        if self.take("}"):
            self.shown.add(name)
            return
        if not self.take(","):
            raise Wrong("a comma is missing")
        kind = self.word()
        if kind in ("number", "spellout"):
            if kind == "spellout" and self.take(","):
                self.word()
            if not self.take("}"):
                raise Wrong("} is missing")
            self.shown.add(name)
        elif kind in ("plural", "select"):
            self.cases(kind, name, depth, counted)
        else:
            raise Wrong(f"{kind} is no kind of argument")

    def cases(self, kind, name, depth, counted):
        if not self.take(","):
            raise Wrong("a comma is missing")
        self.choosing.add(name)
        seen = set()
        self.spaces()
        while not self.take("}"):
            key = self.word()
            if key in seen:
                raise Wrong(f"{key} stands twice")
            if not self.take("{"):
                raise Wrong("{ is missing")
            seen.add(key)
            self.body("}", depth + 1, name if kind == "plural" else counted)
            self.spaces()
        if kind == "plural":
            lacking = PLURALS[self.language] - seen
            strange = {k for k in seen if not k.startswith("=")} - {"one", "few", "many", "other"}
            if lacking or strange:
                raise Wrong(f"plural of {name}: {', '.join(sorted(lacking or strange))}")
        elif "other" not in seen:
            raise Wrong(f"select of {name} has no other")


def no_twice(pairs):
    seen = dict(pairs)
    if len(seen) != len(pairs):
        keys = [k for k, _ in pairs]
        raise Wrong("key twice: " + ", ".join(sorted({k for k in keys if keys.count(k) > 1})))
    return seen


def read_catalogues(folder, complain):
    out = {}
    for language in LANGUAGES:
        path = folder / f"{language}.json"
        try:
            text = path.read_text()
            out[language] = json.loads(text, object_pairs_hook=no_twice)
        except (ValueError, Wrong) as error:
            complain(f"{language}.json: {error}")
            out[language] = {}
            continue
        if list(out[language]) != sorted(out[language]):
            complain(f"{language}.json is not sorted: node server/web/tools/words.mjs sort")
    return out


def check_messages(catalogues, complain):
    every = sorted(set().union(*catalogues.values()))
    for key in every:
        if not KEY.match(key):
            complain(f"{key}: no key")
        read = {}
        for language, messages in catalogues.items():
            if not isinstance(messages.get(key), str):
                complain(f"{key}: missing in {language}")
                continue
            try:
                read[language] = Message(messages[key], language)
            except Wrong as error:
                complain(f"{key} in {language}: {error}")
        for language, message in read.items():
            check_against(key, language, message, read.get("en"), complain)
            check_style(key, language, message.plain, complain)
    return every


def check_against(key, language, message, english, complain):
    if english is None:
        return
    shown, wanted = message.shown - GRAMMAR, english.shown - GRAMMAR
    if shown != wanted:
        complain(f"{key} in {language} shows {sorted(shown)}, in en {sorted(wanted)}")
    strange = message.choosing - english.choosing - english.shown - GRAMMAR
    if strange:
        complain(f"{key} in {language} chooses by {sorted(strange)}, which en does not know")


def check_style(key, language, text, complain):
    if ("!" in text or "！" in text) and key != "cli.board.battle_key":  # there it is a mark
        complain(f"{key} in {language}: an exclamation mark")
    if language == "fr" and re.search(r"[^\u202f\s][;:!?»](\s|$)| [;:!?»]|« ", text) and \
            re.search(r" [;:!?»]|« ", text):
        complain(f"{key} in fr: U+202F before ; : ? and inside « »")
    if language == "fr" and re.search(r"\w'\w", text):
        complain(f"{key} in fr: the apostrophe is ’")
    if language in ("ja", "zh") and re.search(r"[぀-ヿ一-鿿][,;:?](\s|$)", text):
        complain(f"{key} in {language}: punctuation is full-width")


# ---- what the sources use ----

LITERAL = re.compile(r'"([a-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_%-]+)+\.?|way)"')
TEMPLATE = re.compile(r"`([a-z][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]*)\$\{[^`]*\}([A-Za-z0-9_.-]*)`")
HALF = re.compile(r'"([a-z][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]*)"\s*\+')
FORMATTED = re.compile(r'"([a-z][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]*)%[%.0-9*sA-Za-z_]*s([A-Za-z0-9_.-]*)"')


def sources():
    for folder in ("server/web/src", "client-cli", "common/words", "server/match", "server/lobby"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".ts", ".tsx", ".c", ".h") and "gen" not in path.parts:
                yield path


def used_keys():
    exact, stems = set(), []
    for path in sources():
        text = path.read_text()
        exact.update(LITERAL.findall(text))
        exact.update(m.group(1) for m in re.finditer(r"'([a-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+)'", text))
        exact.update(re.findall(r"`([a-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+)`", text))
        stems += [(a, b) for a, b in TEMPLATE.findall(text)]
        stems += [(a, "") for a in HALF.findall(text)]
        stems += FORMATTED.findall(text)
    return exact, stems


def is_used(key, exact, stems):
    if key in exact:
        return True
    return any(key.startswith(a) and key.endswith(b) and len(key) > len(a) + len(b) for a, b in stems)


def unused(every):
    exact, stems = used_keys()
    return [key for key in every if not is_used(key, exact, stems)]


def check_used_exist(every, complain):
    """A key in a call of t, tt, <T k=…> or words_say that no catalogue has."""
    known = set(every)
    call = re.compile(r"""(?:\b(?:t|tt|ttHead)\(|\bk=|words_say\([^,"]+,)\s*\{?["']([a-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+)["']""")
    for path in sources():
        for key in call.findall(path.read_text()):
            if key not in known:
                complain(f"{path.relative_to(ROOT)}: {key} is in no catalogue")


# ---- words in markup ----

def check_markup(complain):
    for path in sorted((ROOT / "server/web/src").rglob("*.tsx")):
        for line, words in markup.words_in(path.read_text()):
            complain(f"{path.relative_to(ROOT)}:{line}: words that come from no catalogue: {words[:60]}")


# ---- the checks are proven by planted faults ----

PLANTED = [
    ({"en": "{n} units", "ru": "части"}, "shows"),
    ({"ru": "{n, plural, one {#} few {#} other {#}}"}, "many"),
    ({"fr": "{n, plural, other {#}}"}, "one"),
    ({"ja": "{n, select, a {x}}"}, "no other"),
    ({"zh": "{n} <i>x</i>"}, "only tag"),
    ({"en": "{n, date}"}, "no kind"),
    ({"fr": "Tirez ! {n}"}, "exclamation"),
    ({"fr": "Tirez : {n}"}, "U+202F"),
    ({"ja": "射撃,  {n}"}, "full-width"),
    ({"ru": "{n} }"}, "stands alone"),
    ({"zh": None}, "missing"),
    ({"fr": "{n, select, x {y} other {z}} {n} {side, select, other {}}"}, "chooses"),
]
MARKUP = [
    ("const A = () => <p>Some words</p>;", 1),
    ('const A = () => <p title="Say it">{t("a.b")}</p>;', 1),
    ('const A = () => <p class="a b">{x ? "Yes it is" : t("a.b")}</p>;', 1),
    ("const a = f<string>(1) < 2 && 3 > 4; const B = () => <b>{t('a.b', { n })}</b>;", 0),
    ("// <p>Some words</p>\nconst A = () => <kbd>Enter</kbd>;", 0),
]


def prove():
    """What the checks themselves miss of faults that are planted."""
    missed = []
    for change, expected in PLANTED:
        whole = {language: {"a.b": "{n}"} for language in LANGUAGES}
        for language, text in change.items():
            if text is None:
                del whole[language]["a.b"]
            else:
                whole[language]["a.b"] = text
        found = []
        check_messages(whole, found.append)
        if not any(expected in fault for fault in found):
            missed.append(f"planted {change} was not found: {found}")
    good = []
    check_messages({language: {"a.b": "{n, number}"} for language in LANGUAGES}, good.append)
    missed += [f"a good message is blamed: {fault}" for fault in good]
    for text, count in MARKUP:
        if len(markup.words_in(text)) != count:
            missed.append(f"planted markup {text}: {markup.words_in(text)}")
    exact, stems = {"x.y"}, [("place.", ""), ("prompt.", ".button")]
    for key, expected in (("x.y", True), ("place.ath", True), ("prompt.a.button", True), ("prompt.a.b", False)):
        if is_used(key, exact, stems) != expected:
            missed.append(f"use of {key} is judged wrong")
    return missed


def main():
    faults = prove()
    catalogues = read_catalogues(ROOT / "schema" / "words", faults.append)
    every = check_messages(catalogues, faults.append)
    idle = unused(every)
    if sys.argv[1:] == ["unused"]:
        print("\n".join(idle))
        return 0
    faults += [f"{key}: no source uses it" for key in idle]
    check_used_exist(every, faults.append)
    check_markup(faults.append)
    for fault in faults:
        print(fault)
    print(f"{len(every)} keys in {len(LANGUAGES)} languages")
    print(f"{max(0, len(every) - len(faults))} passed, {len(faults)} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

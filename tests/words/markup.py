"""Finds what a .tsx file would show of itself: text between tags, texts in attributes that people read, and
sentences in braces. A small reader of TypeScript with tags, enough to know markup from code."""

import re

# Attributes whose text reaches a person.
READ = {"title", "aria-label", "placeholder", "alt", "label", "aria-description", "aria-roledescription",
        "aria-valuetext", "summary", "heading"}
# What is written alike everywhere; what stands on keys.
ALIKE = {"Vedette"}
QUIET = {"kbd", "code", "style", "script"}
LETTERS = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ぀-ヿ一-鿿]{2,}")
SENTENCE = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}|^[A-Z][a-z]{2,}[.?…]?$")
BEFORE_TAG = set("(,=?:&|>{}[;") | {"return", "default", "=>", ""}


class Reader:
    def __init__(self, text):
        self.text, self.at, self.found = text, 0, []

    def note(self, at, words):
        words = re.sub(r"\s+", " ", words).strip()
        if LETTERS.search(words) and words not in ALIKE:
            self.found.append((self.text.count("\n", 0, at) + 1, words))

    def string(self, quote):
        """The text of a string, the reader standing at its first quote."""
        start = self.at + 1
        self.at = start
        while self.at < len(self.text) and self.text[self.at] != quote:
            if self.text[self.at] == "\\":
                self.at += 1
            elif quote == "`" and self.text.startswith("${", self.at):
                self.at += 2
                self.code("}", False)
                continue
            self.at += 1
        self.at += 1
        return self.text[start:self.at - 1]

    def code(self, end, shown):
        """Code up to its closing bracket. shown: its strings stand in the page."""
        last, depth = "", 0
        while self.at < len(self.text):
            c = self.text[self.at]
            if self.text.startswith("//", self.at):
                self.at = (self.text.find("\n", self.at) + 1) or len(self.text)
            elif self.text.startswith("/*", self.at):
                self.at = self.text.find("*/", self.at) + 2
            elif c in "\"'`":
                at = self.at
                words = self.string(c)
                if shown and depth == 0 and last not in ("=", "==", "===") and SENTENCE.search(words):
                    self.note(at, words)
                last = "string"
            elif c == "/" and last in BEFORE_TAG | {"(", ",", "!"}:
                self.regex()
                last = "regex"
            elif c == "<" and last in BEFORE_TAG and re.match(r"<(>|[A-Za-z])", self.text[self.at:]):
                self.element()
                last = "element"
            elif depth == 0 and c == end:
                self.at += 1
                return
            else:
                if c in "([{":
                    depth += 1
                elif c in ")]}":
                    depth -= 1
                last = self.token(last)
        return

    def token(self, last):
        word = re.match(r"[A-Za-z_$][\w$]*|\d[\w.]*|=>|[=!]==?|\s+|.", self.text[self.at:], re.S).group()
        self.at += len(word)
        return last if word.isspace() else word

    def regex(self):
        self.at += 1
        inside = False
        while self.at < len(self.text) and (inside or self.text[self.at] != "/"):
            c = self.text[self.at]
            if c == "\\":
                self.at += 1
            elif c == "\n":
                return
            inside = (inside or c == "[") and c != "]"
            self.at += 1
        self.at += 1

    def element(self):
        self.at += 1
        name = re.match(r"[\w.:-]*", self.text[self.at:]).group()
        self.at += len(name)
        if self.text[self.at:self.at + 1] == "<":
            self.generic()
        if not self.attributes():
            self.children(name)

    def generic(self):
        depth = 0
        while self.at < len(self.text):
            depth += {"<": 1, ">": -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0:
                return

    def attributes(self):
        """Whether the tag closes itself."""
        name = ""
        while self.at < len(self.text):
            c = self.text[self.at]
            if self.text.startswith("/>", self.at):
                self.at += 2
                return True
            if c == ">":
                self.at += 1
                return False
            if c == "{":
                self.at += 1
                self.code("}", name in READ)
                name = ""
            elif c in "\"'":
                at = self.at
                words = self.string(c)
                if name in READ:
                    self.note(at, words)
                name = ""
            else:
                word = re.match(r"[\w:.-]+|\s+|.", self.text[self.at:], re.S).group()
                self.at += len(word)
                if re.match(r"[\w:.-]+$", word):
                    name = word
        return True

    def children(self, tag):
        while self.at < len(self.text):
            if self.text.startswith("</", self.at):
                self.at = self.text.find(">", self.at) + 1
                return
            c = self.text[self.at]
            if c == "<":
                self.element()
            elif c == "{":
                self.at += 1
                self.code("}", tag not in QUIET)
            else:
                words = re.match(r"[^<{]+", self.text[self.at:]).group()
                if tag not in QUIET:
                    self.note(self.at, words)
                self.at += len(words)


def words_in(text):
    """(line, words) of each text of a .tsx file that comes from no catalogue."""
    reader = Reader(text)
    reader.code("", False)
    return reader.found

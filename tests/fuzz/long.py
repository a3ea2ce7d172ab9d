#!/usr/bin/env python3
"""long.py --target NAME --binary FUZZER --corpus FOLDER [--seconds N] [--traffic VEDETTED]: a libFuzzer target for hours.

The corpus begins with the target's own seeds and, for `rpc` and `client`, with what tests/protocol says to a daemon and
hears from it (--traffic); it grows in FOLDER from run to run. The dictionary is every name, word and id of schema/.
"""
import argparse
import json
import os
import re
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "tests", "protocol"), os.path.join(TOP, "tests", "e2e")]
IN_A_SEED = 8  # frames


def words_of(node, words):
    """Names of members, enumerated words and short texts of a JSON document."""
    if isinstance(node, dict):
        for name, value in node.items():
            words.add(name)
            words_of(value, words)
    elif isinstance(node, list):
        for value in node:
            words_of(value, words)
    elif isinstance(node, str) and 0 < len(node) <= 24 and " " not in node:
        words.add(node)


def write_dictionary(path):
    words = set()
    for folder, _, files in os.walk(os.path.join(TOP, "schema")):
        for name in files:
            if name.endswith(".json") and "words" not in folder:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    words_of(json.load(file), words)
    with open(path, "w", encoding="utf-8") as file:
        for word in sorted(words):
            text = json.dumps(word)
            file.write('"%s"\n' % "".join("\\x%02x" % b if b < 32 or b > 126 or b in b'"\\' else chr(b)
                                          for b in text.encode()))
    return len(words)


def write_traffic(daemon, folder, target):
    """Frames of the protocol tests as inputs of `rpc` (what clients said) or `client` (what they heard)."""
    import unittest

    import base
    import vedette
    said = []
    wanted = ">" if target == "rpc" else "<"
    base.DAEMON = os.path.abspath(daemon)
    vedette.on_message = lambda direction, connection, text: said.append(text) if direction == wanted else None
    tests = unittest.defaultTestLoader.discover(os.path.join(TOP, "tests", "protocol"), pattern="test_matches.py")
    unittest.TextTestRunner(stream=open(os.devnull, "w", encoding="utf-8")).run(tests)
    frames = [text for text in dict.fromkeys(t if isinstance(t, str) else t.decode(errors="replace") for t in said)
              if len(text) < 6000 and "\n" not in text][:4000]
    own = next((m.group(1) for name in sorted(os.listdir(folder)) for m in [re.search(
        r'"match":"([a-z0-9]{10})"', open(os.path.join(folder, name), encoding="utf-8").read())] if m), None)
    if own is not None:  # the match that the target plays
        frames = [re.sub(r'"match": ?"[a-z0-9]{10}"', '"match":"%s"' % own, frame) for frame in frames]
    for at in range(0, len(frames), IN_A_SEED):
        with open(os.path.join(folder, "traffic-%05d" % at), "w", encoding="utf-8") as file:
            part = frames[at:at + IN_A_SEED]
            if target == "rpc":
                file.write("".join("%d%s\n" % (i % 4, frame) for i, frame in enumerate(part)))
            else:
                file.write('{"pushes":[%s]}' % ",".join(part))
    return len(frames)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", required=True)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--traffic")
    args = parser.parse_args()
    corpus = os.path.join(os.path.abspath(args.corpus), args.target)
    os.makedirs(corpus, exist_ok=True)
    dictionary = os.path.join(os.path.abspath(args.corpus), "words.dict")
    print("%d words in the dictionary" % write_dictionary(dictionary))
    binary = os.path.abspath(args.binary)
    if not os.listdir(corpus):
        subprocess.run([binary], env={**os.environ, "VEDETTE_FUZZ_SEEDS": corpus}, check=True)
        if args.traffic and args.target in ("rpc", "client"):
            print("%d frames of traffic" % write_traffic(args.traffic, corpus, args.target))
    command = [binary, "-max_total_time=%d" % args.seconds, "-timeout=60", "-rss_limit_mb=4096", "-print_final_stats=1",
               "-dict=" + dictionary, corpus]
    return subprocess.run(command, cwd=os.path.abspath(args.corpus), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

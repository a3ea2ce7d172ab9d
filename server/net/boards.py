#!/usr/bin/env python3
"""Writes the C table of the static files of the games: boards.py FOLDER OUT.c OUT.d

FOLDER holds a folder a game. Each file is served under an address with a hash of its bytes, so that it may be
cached for ever. OUT.d names what was read, for the build.
"""
import gzip
import hashlib
import os
import sys

TYPES = {".json": "application/json", ".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8",
         ".svg": "image/svg+xml"}
# A compiler reads a string many times faster than a list of numbers.
ESCAPED = [chr(b) if 32 <= b < 127 and b not in b'"\\?' else "\\%03o" % b for b in range(256)]


def main():
    folder, out_c, out_d = sys.argv[1:4]
    files = []
    for game in sorted(os.listdir(folder)):
        for name in sorted(os.listdir(os.path.join(folder, game))):
            if os.path.splitext(name)[1] in TYPES:
                files.append((game, name))
    with open(out_c, "w", encoding="ascii") as out:
        out.write('/* Made by server/net/boards.py. */\n#include "server/net/boards.h"\n\n')
        rows = []
        for i, (game, name) in enumerate(files):
            with open(os.path.join(folder, game, name), "rb") as file:
                data = file.read()
            digest = hashlib.blake2b(data, digest_size=8).hexdigest()
            stem, ext = os.path.splitext(name)
            packed = gzip.compress(data, 9, mtime=0)
            for name_c, content in (("bytes", data), ("gzip", packed)):
                out.write("static const char %s_%d[] =" % (name_c, i))
                for at in range(0, len(content), 64):
                    out.write("\n    \"%s\"" % "".join(ESCAPED[b] for b in content[at:at + 64]))
                out.write(";\n\n")
            rows.append('    {"%s/%s", "/games/%s/%s.%s%s", "%s", "\\"%s\\"", "\\"%s-gz\\"", bytes_%d, %d, gzip_%d, %d},\n'
                        % (game, name, game, stem, digest, ext, TYPES[ext], digest, digest, i, len(data), i,
                           len(packed)))
        out.write("const struct board_file board_files[] = {\n%s};\n" % "".join(rows))
        out.write("const size_t board_files_count = sizeof board_files / sizeof board_files[0];\n")
    with open(out_d, "w", encoding="utf-8") as out:
        # The folders too: a file that is new changes them.
        folders = [os.path.join(folder, game) for game in sorted({game for game, _ in files})]
        out.write("%s: %s\n" % (out_c, " ".join([folder] + folders + [os.path.join(folder, g, n) for g, n in files])))


main()

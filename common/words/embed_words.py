"""embed_words.py OUT CATALOGUE...: the messages that C code says, as tables sorted by key."""
import json
import os
import sys

# The parts of the catalogues that the terminal client and the daemon say; the rest is the browser's.
PARTS = ("account_mail.", "arm.", "box.", "cli.", "clock.", "date.", "degree.", "edge.", "error.", "event.", "game.", "hexside.", "notice.", "list.", "number.", "option.", "pace.", "phase.austerlitz.", "place.", "prompt.austerlitz.", "result.austerlitz.", "rule.",
         "side.", "terrain.", "time.", "unit.", "units.", "way")


def quote(text):
    out = []
    for byte in text.encode():
        if byte in b'"\\?':
            out.append("\\" + chr(byte))
        elif 0x20 <= byte < 0x7f:
            out.append(chr(byte))
        else:
            out.append("\\%03o" % byte)
    return '"' + "".join(out) + '"'


def main(target, sources):
    with open(target, "w", encoding="ascii") as file:
        file.write('/* Made from schema/words by common/words/embed_words.py. */\n')
        file.write('#include "common/words/words.h"\n\n')
        names = []
        for source in sources:
            name = os.path.splitext(os.path.basename(source))[0]
            with open(source, encoding="utf-8") as catalogue:
                messages = json.load(catalogue)
            rows = sorted(key for key in messages if key.startswith(PARTS))
            file.write("static const struct word words_%s[] = {\n" % name)
            for key in rows:
                file.write("    {%s, %s},\n" % (quote(key), quote(messages[key])))
            file.write("};\n\n")
            names.append((name, len(rows)))
        file.write("const struct words_table words_tables[] = {\n")
        for name, count in names:
            file.write('    {"%s", words_%s, %d},\n' % (name, name, count))
        file.write("    {0, 0, 0},\n};\n")


main(sys.argv[1], sys.argv[2:])

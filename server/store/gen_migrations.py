#!/usr/bin/env python3
"""Turns schema/migrations/NNNN_name.sql into one C table: gen_migrations.py OUT FILE..."""
import os
import re
import sys


def main():
    out = sys.argv[1]
    files = sorted((f for f in sys.argv[2:] if f.endswith(".sql")), key=os.path.basename)
    rows, bodies = [], []
    last = 0
    for path in files:
        name = os.path.basename(path)
        found = re.fullmatch(r"(\d{4})_[a-z0-9_]+\.sql", name)
        if not found or int(found.group(1)) <= last:
            sys.exit(f"{name}: migrations are NNNN_name.sql, each number once")
        last = int(found.group(1))
        with open(path, "rb") as file:
            body = file.read()
        if not body.isascii():
            sys.exit(f"{name}: only ASCII here")
        # Bytes, not a literal: no limit on its length, no escapes to get wrong.
        numbers = "".join(f"{byte},\n" if byte == 10 else f"{byte}," for byte in body + b"\0")
        bodies.append(f"static const char sql_{last}[] = {{\n{numbers}}};\n")
        rows.append(f'    {{{last}, "{name}", sql_{last}}},\n')
    with open(out, "w", encoding="utf-8") as file:
        file.write("/* Made by gen_migrations.py from schema/migrations. */\n")
        file.write('#include "server/store/inside.h"\n\n')
        file.write("".join(bodies))
        file.write("\nconst struct migration migrations[] = {\n" + "".join(rows))
        file.write("    {0, NULL, NULL},\n};\n")


main()

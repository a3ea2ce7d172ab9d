"""embed.py NAME IN OUT: a text file as a C string of that name."""
import sys

name, source, target = sys.argv[1:]
with open(source, "rb") as file:
    data = file.read()
rows = [", ".join(str(b - 256 if b > 127 else b) for b in data[i:i + 24]) for i in range(0, len(data), 24)]
with open(target, "w", encoding="ascii") as file:
    file.write("extern const char %s[];\nconst char %s[] = {\n" % (name, name))
    file.write(",\n".join(rows) + ", 0\n};\n")

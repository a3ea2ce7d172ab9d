"""tests/model/pipe.py: what the comparisons of all games share: the server's rules behind a pipe, differences of JSON values."""
import json
import subprocess


class Step:
    """The server's rules (vedette-step) behind a pipe."""

    def __init__(self, path, *game):
        self.process = subprocess.Popen([path, *game], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, line):
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit("vedette-step ended (%s) after: %s" % (self.process.wait(), json.dumps(line)))
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def differences(a, b, at=""):
    """Paths at which two JSON values differ: [(path, server's, model's)]."""
    if isinstance(a, dict) and isinstance(b, dict):
        out = []
        for k in sorted(set(a) | set(b)):
            if k not in a or k not in b:
                out.append((at + "/" + k, a.get(k, "(none)"), b.get(k, "(none)")))
            else:
                out += differences(a[k], b[k], at + "/" + k)
        return out
    return [] if a == b and type(a) is type(b) else [(at, a, b)]


def pick(form, rng):
    """A random pick from an action form: whatever is picked is said to be legal."""
    if isinstance(form, list):
        return pick(rng.choice(form), rng)
    if not isinstance(form, dict):
        return form
    if "list" in form:
        return [pick(f, rng) for f in form["list"]]
    if "any_of" in form:
        most = form.get("max", len(form["any_of"]))
        return [pick(f, rng) for f in rng.sample(form["any_of"], rng.randint(form.get("min", 0), most))]
    if "split" in form:
        out = {name: [] for name in form["into"]}
        items = list(form["split"])
        rng.shuffle(items)
        for name, bound in form["into"].items():
            for _ in range(bound.get("min", 0)):
                out[name].append(items.pop())
        for x in items:
            room = [n for n, b in form["into"].items() if len(out[n]) < b.get("max", len(form["split"]))]
            out[rng.choice(room)].append(x)
        return {name: v for name, v in out.items() if v}
    if "tree" in form:
        path, here = [], form["tree"]
        for _ in range(rng.randint(form.get("min", 1), form.get("max", 9))):
            if not here and len(path) >= form.get("min", 1):
                break
            path.append(rng.choice(sorted(here)))
            here = here[path[-1]]
        return path
    if "range" in form:
        return rng.randint(*form["range"])
    return {k: pick(v, rng) for k, v in form.items()}

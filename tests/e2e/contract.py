"""Holds traffic against schema/: openrpc.json for every message, the game's schemas for views, forms and events."""
import json
import os

from jsonschema import Draft202012Validator, RefResolver

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMA = os.path.join(TOP, "schema")
HOST_EVENTS = ("undone", "left", "match_ended", "rewound", "nonce", "restored", "paused", "resumed", "granted", "converted", "late", "missed",
               "looked", "reopened", "seat_changed", "ordered")
GAME_MEMBERS = ("state", "turn", "to_act", "waits_for", "prompt", "board")


def load(*path):
    with open(os.path.join(SCHEMA, *path), encoding="utf-8") as file:
        return json.load(file)


def validator(document, pointer=""):
    """A validator for a part of a document; its own references resolve within it."""
    resolver = RefResolver("", document)
    return Draft202012Validator({"$ref": "#" + pointer}, resolver=resolver)


class Contract:
    def __init__(self, game="waterloo"):
        self.rpc = load("openrpc.json")
        self.results, self.params, self.pushes = {}, {}, {}
        for at, method in enumerate(self.rpc["methods"]):
            name = method["name"]
            self.results[name] = validator(self.rpc, "/methods/%d/result/schema" % at)
            wrapped = {"components": self.rpc["components"], "params": {
                "type": "object", "additionalProperties": False,
                "properties": {p["name"]: p["schema"] for p in method["params"]},
                "required": [p["name"] for p in method["params"] if p["required"]]}}
            self.params[name] = validator(wrapped, "/params")
        for at, push in enumerate(self.rpc["x-pushes"]):
            self.pushes[push["name"]] = validator(self.rpc, "/x-pushes/%d/params" % at)
        self.error = validator(self.rpc, "/components/schemas/error")
        self.host_event = validator(self.rpc, "/components/schemas/host_event")
        views = load("games", game, "view.schema.json")
        self.game_view = validator(views)
        positions = load("games", game, "position.schema.json")
        self.game_event = validator(positions, "/$defs/event")
        forms = load("games", game, "forms.schema.json")
        self.game_forms = validator(forms)
        self.seen = 0
        self.problems = []

    def note(self, what, problem, message):
        path = "/".join(str(p) for p in problem.absolute_path)
        self.problems.append("%s: at %s: %s; in %s" % (what, path or "top", problem.message[:300],
                                                       json.dumps(message)[:300]))

    def hold(self, check, what, message):
        for problem in check.iter_errors(message):
            self.note(what, problem, message)
            return

    def view(self, view, what):
        self.hold(self.game_view, what + " view", {k: view[k] for k in GAME_MEMBERS if k in view})
        if "actions" in view:
            self.hold(self.game_forms, what + " forms", view["actions"])
        self.events(view.get("events", []), what)

    def events(self, events, what):
        for event in events:
            if event.get("ev") in HOST_EVENTS:
                self.hold(self.host_event, what + " host event", event)
            else:
                self.hold(self.game_event, what + " event", event)

    def parts(self, value, what):
        """Views and events wherever they stand in a result or push."""
        if isinstance(value, dict):
            if "board" in value and "state" in value:
                self.view(value, what)
                return
            for name, inner in value.items():
                if name == "events" and isinstance(inner, list):
                    self.events(inner, what)
                else:
                    self.parts(inner, what)
        elif isinstance(value, list):
            for inner in value:
                self.parts(inner, what)

    def answer(self, method, params, message):
        self.seen += 1
        if "error" in message:
            self.hold(self.error, "error of " + method, message["error"])
            return
        self.hold(self.params[method], "params of " + method, params)
        self.hold(self.results[method], "result of " + method, message["result"])
        self.parts(message["result"], "result of " + method)

    def push(self, message):
        self.seen += 1
        name = message["method"]
        if name not in self.pushes:
            self.problems.append("unknown push " + name)
            return
        self.hold(self.pushes[name], "push " + name, message["params"])
        if name != "match.delta":
            self.parts(message["params"], "push " + name)

    def traffic(self, traffic, limit=None):
        """All of a client's traffic, [(">" or "<", text)], in order; limit: no more than so many messages."""
        asked = {}
        for direction, text in traffic:
            if limit is not None and self.seen >= limit:
                return
            try:
                messages = json.loads(text)
            except ValueError:
                continue
            for message in messages if isinstance(messages, list) else [messages]:
                if direction == ">":
                    if isinstance(message, dict) and "id" in message:
                        asked[json.dumps(message["id"])] = (message.get("method"), message.get("params", {}))
                elif "method" in message:
                    self.push(message)
                else:
                    method, params = asked.pop(json.dumps(message.get("id")), (None, {}))
                    if "error" in message:
                        self.answer(str(method), params, message)
                    elif method in self.results:
                        self.answer(method, params, message)
                    else:
                        self.problems.append("an answer to nothing: " + text[:200])

"""Carriage: PROTOCOL section 1, and the errors of JSON-RPC itself."""
import json
import select
import socket

import base
import vedette


def request(name, params=None, request_id=1, **more):
    message = {"jsonrpc": "2.0", "id": request_id, "method": name}
    if params is not None:
        message["params"] = params
    message.update(more)
    return message


class Handshake(base.WithDaemon):
    server = "origins = https://friend.example http://other.example:8080"

    def test_offered_sub_protocol_is_taken(self):
        self.assertIn("sec-websocket-protocol: vedette.v1", self.connect().head.lower())

    def test_ours_among_others_is_taken(self):
        client = self.connect(protocols=("chat", "vedette.v1"))
        self.assertIn("vedette.v1", client.head)
        self.assertEqual(client.call("server.hello")["protocol"], "vedette.v1")

    def test_no_sub_protocol_is_served_too(self):
        client = self.connect(protocols=())
        self.assertEqual(client.call("server.hello")["protocol"], "vedette.v1")
        self.assertNotIn("sec-websocket-protocol", client.head.lower())

    def test_only_other_sub_protocols_are_refused(self):
        with self.assertRaises(vedette.Closed):
            self.connect(protocols=("chat", "superchat"))

    def test_compression_is_never_accepted(self):
        client = self.connect(headers=["Sec-WebSocket-Extensions: permessage-deflate"])
        self.assertNotIn("permessage-deflate", client.head)
        client.call("server.hello")

    def test_other_paths_are_not_sockets(self):
        with self.assertRaises(vedette.Closed) as caught:
            self.connect(path="/other")
        self.assertEqual(caught.exception.code, 404)

    def test_foreign_origin_is_refused_with_403(self):
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "https://friend.example.evil",
                       "HTTP://127.0.0.1:%d" % self.daemon.port, "https://FRIEND.example",
                       "https://fri\u0435nd.example", "http://127.0.0.1:%d/" % self.daemon.port):
            with self.assertRaises(vedette.Closed) as caught:
                self.connect(headers=["Origin: " + origin])
            self.assertEqual(caught.exception.code, 403, origin)

    def test_own_and_listed_origins_are_served(self):
        for origin in ("http://127.0.0.1:%d" % self.daemon.port, "https://friend.example",
                       "http://other.example:8080"):
            self.connect(headers=["Origin: " + origin]).call("server.hello")

    def test_post_minds_the_origin_too(self):
        message = request("server.hello")
        self.assertEqual(self.daemon.post(message, headers={"Origin": "https://friend.example"})[0], 200)
        status, _, _ = self.daemon.http("POST", "/rpc", json.dumps(message),
                                        {"Origin": "https://evil.example"})
        self.assertEqual(status, 403)


class Frames(base.WithDaemon):
    def test_binary_is_closed_with_1003(self):
        client = self.connect()
        client.frame(2, b"\x00\x01\x02")
        self.assertEqual(client.wait_closed(), 1003)

    def test_invalid_utf8_is_closed_with_1007(self):
        for bad in (b"\xff\xfe", b"\xc0\x80", b"{\"a\":\"\xed\xa0\x80\"}"):
            client = self.connect()
            client.frame(1, bad)
            self.assertEqual(client.wait_closed(), 1007, bad)

    def test_64_KiB_passes_and_one_more_is_closed_with_1009(self):
        head, tail = '{"jsonrpc":"2.0","id":9,"method":"match.say","params":{"text":"', '"}}'
        text = head + "x" * (65536 - len(head) - len(tail)) + tail
        self.assertEqual(len(text), 65536)
        client = self.connect()
        client.text(text)
        self.refused("not_signed_in", client.answer, 9)
        client.text(text.replace("x", "xx", 1))
        self.assertEqual(client.wait_closed(), 1009)

    def test_a_huge_announced_length_is_closed_before_it_comes(self):
        client = self.connect()
        client.raw(b"\x81\xff" + (1 << 40).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * 1000)
        self.assertIn(client.wait_closed(), (1009, 1006, 1002))

    def test_fragments_are_joined_and_count_together(self):
        client = self.connect()
        text = json.dumps(request("server.hello", request_id=5)).encode()
        vedette.tell(">", client, text.decode())
        client.frame(1, text[:10], final=False)
        client.frame(9, b"amid")
        client.frame(0, text[10:20], final=False)
        client.frame(0, text[20:])
        self.assertEqual(client.answer(5)["name"], "Vedette")
        while not client.pongs:
            client.read_frame()
        self.assertEqual(client.pongs, [b"amid"])
        client.frame(1, b"x" * 40000, final=False)
        client.frame(0, b"x" * 40000)
        self.assertEqual(client.wait_closed(), 1009)

    def test_many_frames_in_one_packet_are_all_answered(self):
        client = self.connect()
        for _ in range(100):
            client.send("server.hello")
        for i in range(2, 102):
            self.assertEqual(client.answer(i)["name"], "Vedette")

    def test_half_a_frame_and_gone_harms_nobody(self):
        for cut in (1, 2, 5, 9, 40):
            client = self.connect()
            payload = json.dumps(request("server.hello")).encode()
            whole = b"\x81" + bytes([0x80 | len(payload)]) + b"\0\0\0\0" + payload
            client.raw(whole[:cut])
            client.close()
        self.alive()

    def test_empty_frame_is_bad_json(self):
        client = self.connect()
        client.frame(1, b"")
        self.assertEqual(client.loose_answer()["error"]["code"], -32700)


class KeepAlive(base.WithDaemon):
    server = "ping_s = 2"  # whoever is silent for five seconds is closed; a busy machine may be so for two

    def test_who_answers_pings_stays_and_who_is_silent_is_closed(self):
        lively, silent = self.connect(), self.connect()
        while lively.pings < 3:  # the payload of each pong is what the ping held
            lively.read_frame()
        lively.call("server.hello")
        with self.assertRaises(vedette.Closed):
            while True:  # one reads but never answers, the other goes on answering meanwhile
                ready = select.select([lively.socket, silent.socket], [], [], vedette.PATIENCE_S)[0]
                if lively.socket in ready:
                    lively.read_frame()
                if silent.socket in ready and not silent._recv():
                    raise vedette.Closed(1006)
        lively.call("server.hello")


class JsonRpc(base.WithDaemon):
    def error(self, text, client=None):
        client = client or self.connect()
        client.text(text if isinstance(text, str) else json.dumps(text))
        message = client.read()
        self.assertEqual(message["jsonrpc"], "2.0")
        self.assertIn("error", message)
        return message

    def test_bad_json_is_32700_with_id_null_and_the_connection_stays(self):
        client = self.connect()
        for bad in ("{", "nonsense", "{\"a\":1}x", "[1,]", "{\"a\":01}", "{'a':1}", "\x01", "{\"a\":\"\x02\"}",
                    "{\"a\":\"\\u0000\"}", "{\"a\":\"\\ud800\"}", "{\"a\":1e}", "1.", "tru", "\"x",
                    "[" * 40 + "]" * 40, "[" * 30000, "{\"a\":" * 5000, "-", "{\"a\" 1}", "NaN"):
            message = self.error(bad, client)
            self.assertEqual((message["error"]["code"], message["error"]["data"]["kind"],
                              message["id"]), (-32700, "parse", None), bad[:40])
        client.call("server.hello")

    def test_what_is_no_request_is_32600(self):
        client = self.connect()
        for bad in (1, "x", True, [], {}, [[]], {"jsonrpc": "1.0", "id": 1, "method": "server.hello"},
                    {"id": 1, "method": "server.hello"}, {"jsonrpc": "2.0", "id": 1},
                    {"jsonrpc": "2.0", "id": 1, "method": 5},
                    {"jsonrpc": "2.0", "id": {}, "method": "server.hello"},
                    {"jsonrpc": "2.0", "id": 1.5, "method": "server.hello"},
                    {"jsonrpc": "2.0", "id": 1, "method": "server.hello", "extra": 1}):
            client.text(json.dumps(bad))
            message = client.read()
            message = message[0] if isinstance(message, list) else message
            self.assertEqual(message["error"]["code"], -32600, bad)
            self.assertEqual(message["error"]["data"]["kind"], "invalid_request", bad)

    def test_repeated_member_of_a_request_is_32600(self):
        message = self.error('{"jsonrpc":"2.0","id":1,"method":"server.hello","method":"game.list"}')
        self.assertEqual(message["error"]["data"], {"kind": "invalid_request", "member": "method"})

    def test_unknown_method_is_32601(self):
        client = self.connect()
        for name in ("nope", "", "match.", "server.hello ", "Server.hello", "x" * 5000, "match.act\n"):
            self.refused("unknown_method", client.call, name)

    def test_unknown_params_are_32602_naming_the_member(self):
        client = self.connect()
        data = self.refused("invalid_params", client.call, "server.hello", clinet="x")
        self.assertEqual(data["member"], "clinet")
        data = self.refused("invalid_params", client.call, "game.get", game="waterloo", gmae=1)
        self.assertEqual(data["member"], "gmae")
        data = self.refused("invalid_params", client.call, "game.get")
        self.assertEqual(data["member"], "game")

    def test_repeated_params_are_32602_naming_the_member(self):
        message = self.error('{"jsonrpc":"2.0","id":1,"method":"game.get",'
                             '"params":{"game":"waterloo","game":"eylau"}}')
        self.assertEqual(message["error"]["code"], -32602)
        self.assertEqual(message["error"]["data"]["member"], "game")

    def test_params_by_position_are_32602(self):
        message = self.error(request("game.get", ["waterloo"]))
        self.assertEqual(message["error"]["code"], -32602)

    def test_numbers_that_are_no_integers_of_ours_are_32602(self):
        client = self.connect()
        for number in ("1e999", "1.5", "9007199254740993", "-1e300", "123456789012345678901234567890", "null"):
            message = self.error('{"jsonrpc":"2.0","id":1,"method":"match.view","params":{"match":"k7mq2xw4ta",'
                                 '"as":%s}}' % number, client)
            self.assertEqual(message["error"]["code"], -32602, number)
            self.assertEqual(message["error"]["data"]["member"], "as", number)

    def test_ids_come_back_as_they_were(self):
        client = self.connect()
        for request_id in ("abc", "", "ä\"\\\n", 0, -5, 9007199254740991, "x" * 120):
            client.text(json.dumps(request("server.hello", request_id=request_id)))
            self.assertEqual(client.read()["id"], request_id)

    def test_notifications_get_no_answer(self):
        client = self.connect()
        client.text(json.dumps({"jsonrpc": "2.0", "method": "server.hello"}))
        client.text(json.dumps({"jsonrpc": "2.0", "method": "nope"}))
        client.text(json.dumps({"jsonrpc": "2.0", "method": "game.get", "params": {"x": 1}}))
        client.text(json.dumps(request("server.hello", request_id="last")))
        self.assertEqual(client.read()["id"], "last")

    def test_batches_are_answered_as_arrays(self):
        client = self.connect()
        client.text(json.dumps([request("server.hello", request_id=1), request("nope", request_id=2),
                                {"jsonrpc": "2.0", "method": "game.list"}, 7,
                                request("game.list", request_id=3)]))
        answers = client.loose_answer()
        self.assertEqual(len(answers), 4)
        by_id = {a["id"]: a for a in answers}
        self.assertIn("result", by_id[1])
        self.assertEqual(by_id[2]["error"]["code"], -32601)
        self.assertEqual(by_id[None]["error"]["code"], -32600)
        self.assertIn("result", by_id[3])

    def test_a_batch_of_notifications_gets_nothing(self):
        client = self.connect()
        client.text(json.dumps([{"jsonrpc": "2.0", "method": "server.hello"}] * 3))
        client.text(json.dumps(request("server.hello", request_id="last")))
        self.assertEqual(client.read()["id"], "last")

    def test_16_in_a_batch_pass_and_17_are_too_large(self):
        client = self.connect()
        client.text(json.dumps([request("server.hello", request_id=i) for i in range(16)]))
        self.assertEqual(sorted(a["id"] for a in client.loose_answer()), list(range(16)))
        client.text(json.dumps([request("server.hello", request_id=i) for i in range(17)]))
        self.assertEqual(client.loose_answer()["error"]["data"]["kind"], "too_large")

    def test_a_small_method_takes_no_large_request(self):
        self.refused("too_large", self.connect().call, "server.hello", client="x" * 10000)

    def test_answers_may_come_out_of_order(self):
        client = self.connect()
        slow = client.send("account.login", name="Nobody", password="does not matter")
        fast = client.send("server.hello")
        other = self.connect()
        self.assertEqual(other.call("server.hello")["name"], "Vedette")  # nobody waits for the hashing
        client.answer(fast)
        self.refused("bad_credentials", client.answer, slow)


def to_the_end(plain):
    """What a connection still says until it is closed."""
    told = b""
    try:
        while True:
            more = plain.recv(65536)
            if not more:
                return told
            told += more
    except ConnectionResetError:  # with something unread behind it
        return told


class Post(base.WithDaemon):
    def test_one_message_a_request(self):
        status, answer = self.daemon.post(request("server.hello", request_id="a"))
        self.assertEqual((status, answer["id"]), (200, "a"))

    def test_batch_and_notification(self):
        status, answer = self.daemon.post([request("server.hello"), request("game.list", request_id=2)])
        self.assertEqual((status, [a["id"] for a in answer]), (200, [1, 2]))
        status, answer = self.daemon.post({"jsonrpc": "2.0", "method": "server.hello"})
        self.assertEqual((status, answer), (204, None))

    def test_bad_json(self):
        for bad in ("", "{", "\xff"):
            status, answer = self.daemon.post(bad)
            self.assertEqual((status, answer["error"]["code"]), (200, -32700), bad)

    def test_bearer_token_signs_the_request_in(self):
        _, name, token = self.account()
        self.assertEqual(self.daemon.call("account.get", token)["name"], name)
        self.assertEqual(self.daemon.call("account.get", token)["name"], name)
        self.refused("not_signed_in", self.daemon.call, "account.get")

    def test_wrong_token_is_401(self):
        for token in ("x" * 43, "", "x" * 200, "ä"):
            status, answer = self.daemon.post(request("server.hello"), token=token.encode("latin-1").decode("latin-1"))
            self.assertEqual((status, answer["error"]["data"]["kind"]), (401, "bad_credentials"), token)

    def test_watching_needs_a_socket(self):
        _, _, token = self.account()
        self.refused("forbidden", self.daemon.call, "match.watch", token, match="k7mq2xw4ta")

    def test_more_than_64_KiB_is_413_and_no_length_411(self):
        self.assertEqual(self.daemon.http("POST", "/rpc", b"x" * 65537)[0], 413)
        self.assertEqual(self.daemon.http("POST", "/rpc", iter([b"{}"]),
                                          {"Transfer-Encoding": "chunked"})[0], 411)
        self.alive()

    def test_chunks_are_refused_and_what_comes_behind_them_is_read_by_nobody(self):
        """Where chunks end a proxy knows and lws does not: one of them would take a body for a request of somebody else."""
        inner = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(inner), inner)
        for line in (b"POST /rpc", b"POST /nothing", b"GET /healthz", b"GET /nothing", b"HEAD /", b"OPTIONS /rpc"):
            for length in (b"", b"Content-Length: 4\r\n", b"Content-Length: %d\r\n" % len(chunks)):
                with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=60) as plain:
                    plain.sendall(line + b" HTTP/1.1\r\nHost: x\r\n" + length + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
                    told = to_the_end(plain)
                self.assertEqual((told.count(b"HTTP/1."), told[:12]), (1, b"HTTP/1.1 411"), (line, length, told))
        self.alive()

    def test_one_connection_takes_many_requests(self):
        import http.client
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=60)
        sockets = set()
        for i in range(20):
            connection.request("POST", "/rpc", json.dumps(request("server.hello", request_id=i)))
            sockets.add(connection.sock)
            answer = connection.getresponse()
            self.assertEqual(json.loads(answer.read())["id"], i)
        connection.close()
        self.assertEqual(len(sockets), 1)

    def test_who_sends_requests_ahead_is_closed(self):
        body = json.dumps(request("server.hello")).encode()
        one = b"POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=60) as plain:
            plain.sendall(one * 3)
            while plain.recv(65536):
                pass
        self.alive()

    def test_other_verbs_and_paths(self):
        self.assertEqual(self.daemon.http("GET", "/rpc")[0], 405)
        self.assertEqual(self.daemon.http("POST", "/other", "{}")[0], 404)
        self.assertIn(self.daemon.http("DELETE", "/rpc")[0], (404, 405))
        self.assertEqual(self.daemon.http("GET", "/../etc/passwd")[0], 404)


class Pages(base.WithDaemon):
    server = "web = none"

    def test_page_at_the_root(self):
        status, headers, body = self.daemon.http("GET", "/")
        self.assertEqual(status, 200)
        self.assertIn("text/html", headers["content-type"])
        self.assertIn(b"/ws", body)
        for name in ("content-security-policy", "x-content-type-options", "referrer-policy"):
            self.assertIn(name, headers)

    def test_a_head_has_no_body(self):
        """What stood behind it would be taken for the next answer of the connection."""
        secret = "a" * 43
        for path in ("/", "/healthz", "/metrics", "/games/", "/games/waterloo/board.json", "/nothing", "/rpc", "/ws",
                     "/calendar/%s.ics" % secret, "/unsubscribe/" + secret):
            with socket.create_connection(("127.0.0.1", self.daemon.port), timeout=60) as plain:
                plain.sendall(b"HEAD %s HTTP/1.1\r\nHost: x\r\n\r\n" % path.encode())
                told = b""
                while b"\r\n\r\n" not in told:
                    told += plain.recv(65536)
                plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                told += to_the_end(plain)
            first, second = told.split(b"\r\n\r\n", 1)
            self.assertEqual((first[:7], second[:15]), (b"HTTP/1.", b"HTTP/1.1 200 OK"), (path, told))

    def test_the_page_without_a_client_names_no_part_of_one(self):
        """A daemon that serves no browser client says so at / and has no such addresses."""
        self.assertEqual(self.daemon.http("GET", "/match/abc")[0], 404)
        self.assertEqual(self.daemon.http("GET", "/assets/main.js")[0], 404)

    def test_health(self):
        self.assertEqual(self.daemon.http("GET", "/healthz")[0::2], (200, b"ok\n"))

    def test_metrics_on_loopback_but_not_through_a_proxy(self):
        status, headers, body = self.daemon.http("GET", "/metrics")
        self.assertEqual(status, 200)
        self.assertIn("text/plain", headers["content-type"])
        for line in body.decode().splitlines():
            self.assertRegex(line, r"^(# (HELP|TYPE) vedette_\w+ .+"
                                   r"|vedette_\w+(\{(le|kind)=\"[^\"]+\"\})? [0-9.]+)$")
        for header in ("X-Forwarded-For", "Forwarded"):
            self.assertEqual(self.daemon.http("GET", "/metrics", headers={header: "10.0.0.1"})[0], 404)

    def test_metrics_do_not_move_when_somebody_acts(self):
        def page():
            return self.daemon.http("GET", "/metrics")[2]
        client, _, token = self.account()
        before = page()
        match = client.call("match.create", game="waterloo", seat="FR")["match"]
        self.daemon.call("match.say", token, match=match, channel="table", text="x")
        self.refused("conflict", client.call, "match.act", match=match, seq=1, action={"do": "confirm_setup"})
        client.call("account.set", language="fr")
        self.assertEqual(page(), before)

    def test_board_data_is_cached_for_ever_under_its_hash(self):
        board = self.daemon.call("game.get", game="waterloo")["board"]
        self.assertRegex(board, r"^/games/waterloo/board\.[0-9a-f]{16}\.json$")
        status, headers, body = self.daemon.http("GET", board)
        self.assertEqual(status, 200)
        self.assertIn("immutable", headers["cache-control"])
        self.assertIn("towns", json.loads(body))
        self.assertEqual(self.daemon.http("GET", board, headers={"If-None-Match": headers["etag"]})[0], 304)
        status, headers, plain = self.daemon.http("GET", "/games/waterloo/board.json")
        self.assertEqual((status, headers["cache-control"], plain), (200, "no-cache", body))
        self.assertEqual(self.daemon.http("GET", board.replace(".json", "0.json"))[0], 404)
        status, headers, empty = self.daemon.http("HEAD", board)
        self.assertEqual((status, empty, int(headers["content-length"])), (200, b"", len(body)))


class Work(base.WithDaemon):
    server = "metrics = work"

    def test_metrics_tell_of_the_work_where_the_host_wants_it(self):
        client, _, _ = self.account()
        client.call("match.create", game="waterloo", seat="FR")
        body = self.daemon.http("GET", "/metrics")[2].decode()
        self.assertRegex(body, r"(?m)^vedette_store_units_total [1-9]")
        self.assertRegex(body, r"(?m)^vedette_calls_total [1-9]")
        self.assertIn("vedette_lines_stored_total", body)


class Limits(base.WithDaemon):
    limits = "calls_per_connection = 20\ncalls_per_account = 30\nconnections = 8"

    def test_calls_over_the_rate_say_when_to_come_back(self):
        client = self.roomy()
        refusals = []
        while len(refusals) <= 20:  # eighty at once, however slow the machine is
            for asked in [client.send("server.hello") for _ in range(80)]:
                try:
                    client.answer(asked)
                except vedette.Refused as refused:
                    refusals.append(refused)
        for refused in refusals:
            self.assertEqual((refused.code, refused.kind), (8, "rate_limited"))
            self.assertGreater(refused.data["retry_after_ms"], 0)
            self.assertLess(refused.data["retry_after_ms"], 5000)
        self.assertEqual(self.roomy().call("server.hello")["name"], "Vedette")  # others are not hit

    def test_lists_of_actions_and_questions_count_as_the_calls_that_they_save(self):
        """Forty may come at once. A fourth of what stands in a list is added, here twenty: so many less of these."""
        client, name = self.roomy(), "Listz"
        client.call("account.register", name=name, password=base.PASSWORD)
        lists = {"actions": [{"do": "x"}] * 60, "questions": [{"ask": "x"}] * 20}
        kinds = []
        while "rate_limited" not in kinds:
            self.assertLess(len(kinds), 40)
            with self.assertRaises(vedette.Refused) as caught:
                client.call("match.plan", match="aaaaaaaaaa", seq=1, **lists)
            kinds.append(caught.exception.kind)
        self.assertEqual(kinds[0], "not_found")

    def roomy(self):
        """A connection as soon as the daemon has seen those of the other tests end."""
        for _ in range(1000):
            try:
                return self.connect()
            except vedette.Closed as full:
                self.assertEqual(full.code, 503)
        raise AssertionError("the connections of before never end")

    def test_connections_over_the_limit_are_refused_with_503(self):
        clients = [self.roomy()]
        with self.assertRaises(vedette.Closed) as caught:
            for _ in range(8):
                clients.append(self.connect())
        self.assertEqual(caught.exception.code, 503)
        clients[0].close()
        for client in clients[1:]:
            client.call("server.hello")


class Asking(base.WithDaemon):
    """What asks the store for a token, or for the secret of a page, counts as a call of its address does."""
    limits = "calls_per_address = 5"

    def first_refused(self, method, path, body=None, headers=None):
        """Asks until there is too much of it: the answers. Ten may come at once."""
        answers = []
        while not answers or answers[-1][0] != 429:
            self.assertLess(len(answers), 1000, path)
            answers.append(self.daemon.http(method, path, body, headers))
        return answers

    def test_tokens_and_secrets_are_not_tried_without_end(self):
        call, token = json.dumps(request("server.hello")), {"Authorization": "Bearer " + "x" * 43}
        answers = self.first_refused("POST", "/rpc", call, token)
        self.assertEqual({answer[0] for answer in answers}, {401, 429})
        self.assertGreater(len(answers), 10)
        self.assertEqual(answers[-1][1]["retry-after"], "1")
        for method, path in (("GET", "/calendar/%s.ics" % ("a" * 43)), ("HEAD", "/unsubscribe/" + "a" * 60), ("POST", "/unsubscribe/" + "a" * 60)):
            self.first_refused(method, path)
        self.assertEqual(self.daemon.http("GET", "/healthz")[0], 200)


class AskingWell(base.WithDaemon):
    limits = "calls_per_address = 50"

    def test_a_good_token_is_not_counted_beside_its_calls(self):
        _, _, token = self.account()
        for _ in range(90):
            self.assertIn("name", self.daemon.call("account.get", token))

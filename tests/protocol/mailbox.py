"""A mail server on the loopback (RFC 5321 as far as a client needs it): keeps what it is sent, parsed."""
import email
import email.policy
import socketserver
import threading


class Handler(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        sender, to = "", []
        self.say("220 test ESMTP")
        while True:
            line = self.rfile.readline().decode("utf-8", "replace")
            if not line:
                return
            verb = line[:4].upper()
            if verb in ("EHLO", "HELO"):
                self.wfile.write(b"250-test\r\n250 8BITMIME\r\n")
            elif verb == "MAIL":
                sender, to = line.split(":", 1)[1].strip(), []
                self.say("250 ok")
            elif verb == "RCPT":
                to.append(line.split("<", 1)[1].split(">", 1)[0])
                self.say("250 ok")
            elif verb == "DATA":
                self.say("354 go on")
                data = b""
                while True:
                    part = self.rfile.readline()
                    if part in (b".\r\n", b""):
                        break
                    data += part[1:] if part.startswith(b".") else part
                self.server.take(sender, to, data)
                self.say("250 taken")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 ok")


class Mailbox(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.mails, self.news = [], threading.Condition()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return "smtp://127.0.0.1:%d" % self.server_address[1]

    def take(self, sender, to, data):
        message = email.message_from_bytes(data, policy=email.policy.default)
        with self.news:
            self.mails.append((to, message))
            self.news.notify_all()

    def wait(self, to, fits=lambda subject, text: True, timeout=30):
        """The first mail to that address that fits, taken out: (subject, plain text)."""
        def found():
            for at, (addresses, message) in enumerate(self.mails):
                text = message.get_body(("plain",)).get_content()
                if addresses == [to] and fits(message["subject"], text):
                    del self.mails[at]
                    return message["subject"], text
            return None
        with self.news:
            taken = self.news.wait_for(found, timeout)
        if not taken:
            raise AssertionError("no such mail to %s in %s" % (to, [(a, m["subject"]) for a, m in self.mails]))
        return taken

    def none_to(self, to):
        with self.news:
            return not [1 for addresses, _ in self.mails if to in addresses]

    def close(self):
        self.shutdown()
        self.server_close()

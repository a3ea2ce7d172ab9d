// What stands outside the server for a test: a mailbox that speaks SMTP, a push service that opens what it gets.
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer as createHttp } from "node:http";
import { createServer } from "node:net";

/**
 * A port that is free now, for a server whose own address must be known before it starts: below those that the system gives out
 * by itself, so that nobody else gets it meanwhile.
 */
export async function freePort() {
    for (;;) {
        const port = 20000 + Math.floor(Math.random() * 10000);
        const server = createServer();
        const free = await new Promise((done) => {
            server.once("error", () => done(false));
            server.listen(port, "127.0.0.1", () => done(true));
        });
        if (!free) continue;
        await new Promise((done) => server.close(done));
        return port;
    }
}

/** Things that come one by one; take() waits for the first that fits and has not been taken. */
class Box {
    constructor() {
        this.kept = [];
        this.waiting = [];
    }

    put(one) {
        const at = this.waiting.findIndex(({ fits }) => fits(one));
        if (at < 0) this.kept.push(one);
        else this.waiting.splice(at, 1)[0].done(one);
    }

    take(fits = () => true, what = "nothing of that kind came") {
        const at = this.kept.findIndex(fits);
        if (at >= 0) return Promise.resolve(this.kept.splice(at, 1)[0]);
        return new Promise((done, fail) => {
            const limit = AbortSignal.timeout(60000);
            limit.addEventListener("abort", () => fail(new Error(what)), { once: true });
            this.waiting.push({ fits, done });
        });
    }
}

/** An SMTP server of RFC 5321 as far as one client needs it; box gets { to, subject, text }. */
export class MailServer {
    async start() {
        this.box = new Box();
        this.server = createServer((socket) => this.talk(socket)).listen(0, "127.0.0.1");
        await new Promise((done) => this.server.once("listening", done));
        this.port = this.server.address().port;
        return this;
    }

    talk(socket) {
        let rest = "";
        let letter = null;
        let to = [];
        const say = (line) => socket.write(`${line}\r\n`);
        socket.on("error", () => {});
        socket.on("data", (bytes) => {
            rest += bytes.toString("latin1");
            for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
                const line = rest.slice(0, end);
                rest = rest.slice(end + 2);
                if (letter !== null) {
                    if (line !== ".") {
                        letter.push(line.replace(/^\./, ""));
                        continue;
                    }
                    this.box.put(read(letter, to));
                    [letter, to] = [null, []];
                    say("250 kept");
                } else if (/^DATA/i.test(line)) {
                    letter = [];
                    say("354 go on");
                } else if (/^QUIT/i.test(line)) {
                    say("221 bye");
                    socket.end();
                } else {
                    const address = /^RCPT TO:<(.*)>/i.exec(line);
                    if (address !== null) to.push(address[1]);
                    say("250 yes");
                }
            }
        });
        say("220 mail.test");
    }

    /** The link in the next mail to that address whose path begins so. */
    async link(address, path) {
        const at = new RegExp(`http://127\\.0\\.0\\.1:\\d+${path}\\S*`);
        const mail = await this.box.take(({ to, text }) => to.includes(address) && at.test(text), `no mail to ${address} with ${path}`);
        return { url: at.exec(mail.text)[0], mail };
    }

    close() {
        return new Promise((done) => this.server.close(done));
    }
}

/** The plain part of a letter as text; whatever its encoding. */
function read(lines, to) {
    const whole = lines.join("\n");
    const parts = whole.split(/^--[^\n]+$/m);
    const plain = parts.find((part) => /^Content-Type: text\/plain/im.test(part)) ?? whole;
    const [head, ...body] = plain.replace(/^\n+/, "").split("\n\n");
    const raw = body.join("\n\n");
    const coding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1].toLowerCase();
    let text = raw;
    if (coding === "base64") text = Buffer.from(raw, "base64").toString();
    if (coding === "quoted-printable") {
        const bytes = raw.replaceAll("=\n", "").replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
        text = Buffer.from(bytes, "latin1").toString();
    }
    return { to, head: whole.split("\n\n")[0], text };
}

/** A push service (RFC 8030) and the browser's side of one subscription (RFC 8291): box gets what it opened. */
export class PushService {
    async start() {
        this.box = new Box();
        this.ecdh = createECDH("prime256v1");
        this.ecdh.generateKeys();
        this.auth = randomBytes(16);
        this.server = createHttp((request, response) => {
            const bytes = [];
            request.on("data", (part) => bytes.push(part));
            request.on("end", () => {
                response.writeHead(201).end();
                this.box.put({ headers: request.headers, data: this.open(Buffer.concat(bytes)) });
            });
        }).listen(0, "127.0.0.1");
        await new Promise((done) => this.server.once("listening", done));
        return this;
    }

    /** What PushSubscription.toJSON() gives. */
    get subscription() {
        const keys = { p256dh: this.ecdh.getPublicKey("base64url"), auth: this.auth.toString("base64url") };
        return { endpoint: `http://127.0.0.1:${this.server.address().port}/push/one`, keys };
    }

    open(body) {
        const salt = body.subarray(0, 16);
        const from = body.subarray(21, 21 + body[20]);
        const sealed = body.subarray(21 + body[20]);
        const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.ecdh.getPublicKey(), from]);
        const key = hkdfSync("sha256", this.ecdh.computeSecret(from), this.auth, info, 32);
        const derive = (label, n) => Buffer.from(hkdfSync("sha256", Buffer.from(key), salt, Buffer.from(`Content-Encoding: ${label}\0`), n));
        const cipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
        cipher.setAuthTag(sealed.subarray(-16));
        const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
        return plain.subarray(0, plain.lastIndexOf(2)).toString();
    }

    close() {
        return new Promise((done) => this.server.close(done));
    }
}

// What the browser tests share: a daemon of their own, accounts, pages in Debian's Chromium, seats
// played over POST /rpc, pictures, and the rules that hold on every page (no console error, axe).
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const webPackages = createRequire(join(here, "../../server/web/package.json"));
const { chromium } = webPackages("playwright-core");
const axeSource = readFileSync(webPackages.resolve("axe-core/axe.min.js"), "utf8");

const PATIENCE_MS = 60000; // against hanging alone
export const settings = { daemon: "", client: "", pictures: "" };
const PASSWORD = "correct horse";

/** Small seeded generator, so that a test that picks at random prints what it picked by. */
export function seeded(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

export class Failed extends Error {}

/** Throws with what was expected. */
export function expect(condition, what) {
    if (!condition) throw new Failed(what);
}

export function equal(have, want, what = "value") {
    const a = JSON.stringify(have);
    const b = JSON.stringify(want);
    if (a !== b) throw new Failed(`${what}: expected ${b}, have ${a}`);
}

/**
 * Asks until `holds()` does, for what reaches the daemon after the page has shown it. holds: a promise of a truth that the
 * daemon answers; the next question goes out when the answer is there. Fails when it never does.
 */
export async function eventually(holds, what) {
    const end = Date.now() + PATIENCE_MS;
    while (!(await holds())) expect(Date.now() < end, `never: ${what}`);
}

/** vedetted on a free port with a database of its own; serves the page built beside it. */
export class Daemon {
    /** more: further lines of the configuration, in sections of their own; port: 0 for any that is free. */
    constructor(more = "", port = 0) {
        this.folder = mkdtempSync(join(tmpdir(), "vedette-browser-"));
        const url = port === 0 ? "" : `url = http://127.0.0.1:${port}\n`;
        writeFileSync(join(this.folder, "vedetted.conf"), `[server]\nback_in_s = 1\nbots = off\n${url}[limits]\nrates = off\n${more}`);
        this.port = port;
        this.log = "";
    }

    async start() {
        const args = ["--config", join(this.folder, "vedetted.conf"), "--database", join(this.folder, "vedette.db")];
        this.process = spawn(settings.daemon, [...args, "--listen", `127.0.0.1:${this.port}`], {
            stdio: ["ignore", "pipe", "pipe"],
        });
        this.ended = new Promise((done) => this.process.on("exit", done));
        this.process.stderr.on("data", (text) => (this.log += text));
        const line = await new Promise((done, fail) => {
            let text = "";
            this.process.stdout.on("data", (more) => {
                text += more;
                if (text.includes("\n")) done(text.trim());
            });
            this.process.on("exit", () => fail(new Failed(`no daemon: ${this.log}`)));
            this.process.on("error", fail);
        });
        this.port = Number(line.split(":").pop());
        this.url = `http://127.0.0.1:${this.port}`;
        return this;
    }

    /** SIGTERM and a new start on the same port. */
    async restart() {
        await this.stop();
        await this.start();
    }

    async stop() {
        this.process.kill("SIGTERM");
        await this.ended;
    }

    async remove() {
        if (this.process !== undefined && this.process.exitCode === null) await this.stop();
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** One call by POST /rpc; throws with the error's kind in `kind`. */
    async call(method, params = {}, token) {
        const headers = { "Content-Type": "application/json" };
        if (token !== undefined) headers.Authorization = `Bearer ${token}`;
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
        const answer = await (await fetch(`${this.url}/rpc`, { method: "POST", headers, body })).json();
        if (answer.error !== undefined) {
            const error = new Failed(`${method}: ${answer.error.message}`);
            error.kind = answer.error.data?.kind;
            error.data = answer.error.data;
            throw error;
        }
        return answer.result;
    }

    /** A new account: { name, token, call }. */
    async account(name) {
        const { token } = await this.call("account.register", { name, password: PASSWORD });
        return { name, token, password: PASSWORD, call: (method, params) => this.call(method, params, token) };
    }

    /** A running match: the creator takes seats[0], the others join. Gives its id. */
    async match(accounts, seats = ["FR", "AL"], options = {}, more = {}) {
        const made = await accounts[0].call("match.create", { game: "waterloo", options, seat: seats[0], ...more });
        for (let i = 1; i < accounts.length; i++) {
            await accounts[i].call("match.join", { match: made.match, seat: seats[i] });
        }
        return made.match;
    }

    /** A client process in the background (a bot); ends with close(). */
    background(args) {
        const env = { ...process.env, XDG_CONFIG_HOME: join(this.folder, "config"), XDG_STATE_HOME: join(this.folder, "state") };
        const child = spawn(settings.client, ["--server", this.url, ...args], { stdio: ["ignore", "pipe", "pipe"], env });
        const ended = new Promise((done) => child.on("exit", done));
        return { child, close: () => (child.kill("SIGTERM"), ended) };
    }
}

/** The view of a seat now. */
export function viewOf(account, match, as) {
    return account.call("match.view", as === undefined ? { match } : { match, as });
}

/** Acts for a seat: fetches its seq first. */
export async function act(account, match, as, ...actions) {
    const { seq } = await viewOf(account, match, as);
    const what = actions.length === 1 ? { action: actions[0] } : { actions };
    return account.call("match.act", { match, as, seq, ...what });
}

/** Picks one action from an action form (PROTOCOL section 5). */
export function pick(form, random) {
    if (Array.isArray(form)) return pick(form[Math.floor(random() * form.length)], random);
    if (form === null || typeof form !== "object") return form;
    if (Array.isArray(form.list)) return form.list.map((part) => pick(part, random));
    if (Array.isArray(form.range)) return form.range[0] + Math.floor(random() * (form.range[1] - form.range[0] + 1));
    if (Array.isArray(form.any_of)) {
        const n = form.min + Math.floor(random() * (Math.min(form.max, form.any_of.length) - form.min + 1));
        return shuffled(form.any_of, random).slice(0, n).map((part) => pick(part, random));
    }
    if (Array.isArray(form.split)) return pickSplit(form, random);
    if (form.tree !== undefined) return pickTree(form, random);
    return Object.fromEntries(Object.entries(form).map(([name, part]) => [name, pick(part, random)]));
}

function shuffled(items, random) {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        [copy[i], copy[j]] = [copy[j], copy[i]];
    }
    return copy;
}

function pickSplit(form, random) {
    const names = Object.keys(form.into);
    const result = Object.fromEntries(names.map((name) => [name, []]));
    const rest = shuffled(form.split, random);
    for (const name of names) for (let i = 0; i < (form.into[name].min ?? 0); i++) result[name].push(rest.pop());
    for (const item of rest) {
        const open = names.filter((name) => result[name].length < (form.into[name].max ?? Infinity));
        result[open[Math.floor(random() * open.length)]].push(item);
    }
    return result;
}

function pickTree(form, random) {
    const path = [];
    const n = form.min + Math.floor(random() * (form.max - form.min + 1));
    for (let at = form.tree; path.length < n && Object.keys(at).length > 0; ) {
        const keys = Object.keys(at);
        const key = keys[Math.floor(random() * keys.length)];
        path.push(key);
        at = at[key];
    }
    return path;
}

/**
 * Plays a match on from its forms, all seats, until `until(view, seat)` holds for the view of the seat
 * that is to act; gives that seat and view. `players`: seat -> account. `prefer(actions, view)` may
 * choose the form.
 */
export async function playUntil(players, match, until, { seed = 1, prefer, steps = 3000 } = {}) {
    const random = seeded(seed);
    for (let i = 0; i < steps; i++) {
        const first = Object.keys(players)[0];
        const { waits_for: waits, to_act: may } = await viewOf(players[first], match, first);
        const seat = [...waits, ...may].find((code) => players[code] !== undefined);
        expect(seat !== undefined, `nobody to act in ${match}`);
        const view = await viewOf(players[seat], match, seat);
        if (until(view, seat)) return { seat, view };
        if (view.actions === undefined) continue;
        const form = prefer?.(view.actions, view, random) ?? view.actions[Math.floor(random() * view.actions.length)];
        await players[seat].call("match.act", { match, as: seat, seq: view.seq, action: pick(form, random) });
    }
    throw new Failed(`not there after ${steps} steps (seed ${seed})`);
}

let browser;

/** Chromium, started once for all tests. */
export async function launch() {
    browser ??= await chromium.launch({
        executablePath: process.env.VEDETTE_CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--font-render-hinting=none",
            // Pages live for seconds: what the optimiser of V8 costs is not earned back, a sixth of all the processor time.
            "--js-flags=--no-opt"],
    });
    return browser;
}

export async function shutdown() {
    await browser?.close();
}

const SIZES = {
    desktop: { viewport: { width: 1440, height: 900 } },
    phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    small: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
    large: { viewport: { width: 2560, height: 1440 } },
};

/**
 * A page of the browser client, signed in as `account` if given. `how.size`: a name of SIZES;
 * `how.language`, `how.dark`, `how.calm`, `how.stored`: entries for localStorage. Console errors and
 * uncaught exceptions are gathered in page.problems and fail the test at its end.
 */
export async function openPage(daemon, path = "/", how = {}) {
    const context = await (await launch()).newContext({
        ...SIZES[how.size ?? "desktop"],
        locale: how.language ?? "en-GB",
        timezoneId: "Europe/Brussels",
        colorScheme: how.dark ? "dark" : "light",
        reducedMotion: how.calm === false ? "no-preference" : "reduce",
        ...how.context,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const stored = { ...how.stored };
    if (how.account !== undefined) stored["vedette.token"] = how.account.token;
    await context.addInitScript((entries) => {
        if (sessionStorage.getItem("begun") !== null) return;
        sessionStorage.setItem("begun", "1");
        for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, stored);
    const page = await context.newPage();
    page.problems = [];
    page.on("console", (message) => {
        if (message.type() === "error" && !page.allowed?.test(message.text())) page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error.stack ?? error)));
    opened.push(page);
    await page.goto(daemon.url + path);
    return page;
}

const opened = [];

/** Closes the pages of a test and gives what went wrong on them. */
export async function closePages() {
    const problems = opened.flatMap((page) => page.problems);
    for (const page of opened.splice(0)) await page.context().close();
    return problems;
}

/** Keeps a picture of the page as NAME.png among the build's artefacts. */
export async function picture(page, name) {
    mkdirSync(settings.pictures, { recursive: true });
    await page.screenshot({ path: resolve(settings.pictures, `${name}.png`) });
}

/** Pictures of all open pages: for a test that failed. */
export async function pictureAll(name) {
    for (const [i, page] of opened.entries()) await picture(page, `failed-${name}-${i}`).catch(() => {});
}

/** axe-core finds nothing (WCAG 2.2 A and AA). */
export async function accessible(page, what) {
    if (!(await page.evaluate(() => globalThis.axe !== undefined))) await page.evaluate(axeSource);
    const found = await page.evaluate(() =>
        globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"] }),
    );
    const told = found.violations.map(
        (v) => `${v.id}: ${v.help}\n    ${v.nodes.slice(0, 4).map((n) => `${n.target} ${n.failureSummary?.split("\n")[1] ?? ""}`).join("\n    ")}`,
    );
    expect(told.length === 0, `axe on ${what}:\n  ${told.join("\n  ")}`);
}

/** Nothing sticks out to the side, and no text of a control is cut. */
export async function fits(page, what) {
    const out = await page.evaluate(() => {
        const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        const cut = [...document.querySelectorAll("button, .button, h1, h2, h3, label, .tab, a")]
            .filter((e) => {
                const style = getComputedStyle(e);
                const clips = style.overflowX !== "visible" && style.textOverflow !== "ellipsis";
                return e.offsetParent !== null && e.clientWidth > 2 && clips && e.scrollWidth > e.clientWidth + 1;
            })
            .map((e) => `${e.tagName} ${e.className} "${e.textContent?.slice(0, 40)}"`);
        return { wide, cut };
    });
    expect(out.wide <= 0, `${what}: the page is ${out.wide} px too wide`);
    expect(out.cut.length === 0, `${what}: text is cut in ${out.cut.join("; ")}`);
}

export const tests = [];

/** Registers a test; body(daemon) gets a daemon shared by the tests of its file. */
export function test(name, body) {
    tests.push({ name, body });
}

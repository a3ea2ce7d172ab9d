// Following a match: log, talk, notes, armies, what was missed, the end with its replay, and the proof of the record.
import { accessible, act, equal, expect, fits, openPage, picture, playUntil, test, viewOf } from "./harness.mjs";

const FOLLOW = "#panel";

/** A short match of the two, played from its forms to its end or to where `until` holds. */
async function played(daemon, name, until = (view) => view.state === "GAME_OVER") {
    const [french, allies] = await Promise.all([daemon.account(`Ney_${name}`), daemon.account(`Picton_${name}`)]);
    const players = { FR: french, AL: allies };
    const match = await daemon.match([french, allies], ["FR", "AL"], { turns: 4 }, { spectators: "public" });
    await playUntil(players, match, until, { seed: 11 }).catch((error) => {
        if (!/nobody to act/.test(error.message)) throw error;
    });
    return { match, players };
}

const begun = (view) => view.state === "MOVE" && view.turn.slot >= 2;

async function open(daemon, match, account, how = {}) {
    const page = await openPage(daemon, `/match/${match}`, { account, ...how });
    await page.locator("#board").waitFor();
    return page;
}

test("follow: what one says the other reads, and it waits to be read", async (daemon) => {
    const { match, players } = await played(daemon, "talk", begun);
    const french = await open(daemon, match, players.FR);
    const allies = await open(daemon, match, players.AL);
    await french.locator(".tab", { hasText: "Chat" }).click();
    await french.locator("#say").fill("Bonjour, <b>monsieur</b>");
    await french.keyboard.press("Enter");
    await french.locator(".chat-said.mine", { hasText: "Bonjour, <b>monsieur</b>" }).waitFor();
    const tab = allies.locator(".tab", { hasText: "Chat" });
    await tab.locator(".tab-count", { hasText: "1" }).waitFor();
    await tab.click();
    await allies.locator(".chat-text", { hasText: "Bonjour, <b>monsieur</b>" }).waitFor();
    await tab.locator(".tab-count").waitFor({ state: "detached" });
    await accessible(allies, "the talk");
});

test("follow: notes are kept for their seat alone", async (daemon) => {
    const { match, players } = await played(daemon, "notes", begun);
    const page = await open(daemon, match, players.FR);
    await page.locator(".tab", { hasText: "Notes" }).click();
    await page.locator("#notes:not([disabled])").fill("Grouchy to Wavre");
    await page.locator(".notes [role=status]", { hasText: "Saved" }).waitFor();
    await page.reload();
    await page.locator(".tab", { hasText: "Notes" }).click();
    await page.waitForFunction(() => document.querySelector("#notes")?.value === "Grouchy to Wavre");
    await accessible(page, "the notes");
    const other = await open(daemon, match, players.AL);
    await other.locator(".tab", { hasText: "Notes" }).click();
    await other.locator("#notes:not([disabled])").waitFor();
    equal(await other.locator("#notes").inputValue(), "", "the other seat's notes");
});

test("follow: the armies list own units by place, of the enemy the order of battle alone", async (daemon) => {
    const { match, players } = await played(daemon, "armies", begun);
    const page = await open(daemon, match, players.FR);
    await page.locator(".tab", { hasText: "Armies" }).click();
    const view = await viewOf(players.FR, match, "FR");
    const own = page.locator(`${FOLLOW} .armies section`).first();
    equal(await own.locator(".armies-list li:not(.armies-lost)").count(), Object.keys(view.board.units).length, "own units");
    // Of the Anglo-Dutch: infantry of 4 4 4 3 3 3, as the order of battle has them (W1.6), and no place of any unit.
    const dutch = page.locator(`${FOLLOW} .armies section`).nth(1);
    equal(await dutch.locator("tr").first().locator("td").textContent(), "4 4 4 3 3 3", "the Anglo-Dutch infantry");
    equal(await dutch.locator("button").count(), 0, "places of the enemy");
    await accessible(page, "the armies");
});

test("follow: what was missed is counted, played back and then known", async (daemon) => {
    const { match, players } = await played(daemon, "away", begun);
    const page = await open(daemon, match, players.FR);
    await page.locator(".log-line").first().waitFor();
    await page.waitForFunction((id) => Number(localStorage.getItem(`vedette.seen.${id}.FR`)) > 0, match);
    const before = await viewOf(players.FR, match, "FR");
    await page.goto(`${daemon.url}/rules`);
    await playUntil(players, match, (view) => view.turn.slot >= 4 && view.state === "MOVE", { seed: 12 });
    await page.goto(`${daemon.url}/match/${match}`);
    await page.locator(".away").waitFor();
    expect((await viewOf(players.FR, match, "FR")).seq > before.seq, "nothing went on");
    await page.locator(".away .button", { hasText: "Play" }).click();
    await page.locator(".replay").waitFor();
    await page.locator(".replay .button", { hasText: "Back to now" }).click();
    await page.locator(".replay").waitFor({ state: "detached" });
    await page.reload();
    await page.locator(".log-line").first().waitFor();
    equal(await page.locator(".away").count(), 0, "cards of what was missed");
});

test("follow: the end, its replay as each side knew it, and everything", async (daemon) => {
    const { match, players } = await played(daemon, "end");
    const page = await open(daemon, match, players.FR);
    await page.locator(".over-graph").waitFor();
    await page.locator(".replay-eyes").waitFor();
    await picture(page, "over");
    await accessible(page, "the end of a match");
    const shown = async () => page.locator("#board [data-unit]").evaluateAll((blocks) => new Set(blocks.map((b) => b.dataset.unit.slice(0, 2))).size);
    equal(await shown(), 1, "armies whose blocks lie open to the French");
    await page.locator(".replay-eyes .button", { hasText: "Everything" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#board [data-unit^=PR]").length > 0);
    expect((await shown()) === 3, "not all armies lie open");
    await page.locator(".replay-eyes .button", { hasText: "watchers" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#board [data-unit]").length === 0);
    await page.locator(".replay-eyes .button", { hasText: "French" }).click();
    const count = () => page.locator(".replay-count").textContent();
    const end = await count();
    await page.locator(".replay input[type=range]").focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((text) => document.querySelector(".replay-count")?.textContent !== text, end);
    await page.locator(".replay-buttons .button").first().click();
    await page.waitForFunction(() => /^step 1 of/.test(document.querySelector(".replay-count")?.textContent ?? ""));
});

test("follow: the record of a match that browsers began proves itself with their receipts", async (daemon) => {
    const [french, allies] = await Promise.all(["Soult_proof", "Uxbridge_proof"].map((name) => daemon.account(name)));
    // Both lobbies are open first: they put nonces in stock, so no seat waives.
    const pages = [await openPage(daemon, "/", { account: french }), await openPage(daemon, "/", { account: allies })];
    for (const account of [french, allies]) await stocked(account);
    const match = await daemon.match([french, allies], ["FR", "AL"], { turns: 4 });
    for (const page of pages) {
        await page.goto(`${daemon.url}/match/${match}`);
        await page.locator("#board").waitFor();
    }
    for (;;) {
        const { nonces } = await french.call("match.get", { match });
        if (Object.values(nonces).every((one) => one === "opened")) break;
        expect(Object.values(nonces).every((one) => one === "opened" || one === "awaited"), `nonces: ${JSON.stringify(nonces)}`);
        await french.call("match.wait", { match, after: (await viewOf(french, match, "FR")).seq, timeout_s: 2 });
    }
    const players = { FR: french, AL: allies };
    await playUntil(players, match, (view) => view.state === "GAME_OVER", { seed: 13 }).catch((error) => {
        if (!/nobody to act/.test(error.message)) throw error;
    });
    const [page] = pages;
    await page.locator(".over-graph").waitFor();
    await page.locator(".over-proof a").click();
    await page.locator(".notice.good").waitFor();
    equal(await page.locator(".verify-mark[data-said=bad]").count(), 0, "checks that fail");
    equal(await page.locator(".verify-mark[data-said=good]").count(), 6, "checks that hold, the receipts among them");
    expect(!/put nothing/.test((await page.locator("main").textContent()) ?? ""), "a seat waived");
    await picture(page, "verify");
    await accessible(page, "the proof");
    await fits(page, "the proof");
});

async function stocked(account) {
    for (;;) {
        const { stock } = await account.call("account.nonces");
        if (stock >= 16) return;
    }
}

test("follow: rules open at their number, in the page and over the board", async (daemon) => {
    const page = await openPage(daemon, "/rules/W5.2");
    await page.locator(".rules-rule.marked .rules-number", { hasText: "W5.2" }).waitFor();
    await accessible(page, "the rules");
    const phone = await openPage(daemon, "/rules", { size: "phone" });
    await phone.locator(".rules-guide h2").waitFor();
    await fits(phone, "how to play on a phone");
    await phone.locator(".rules-whole > summary").click();
    await phone.locator(".rules-rule").first().waitFor();
    await fits(phone, "the rules on a phone");
});

test("follow: two windows of a seat stay in step", async (daemon) => {
    const { match, players } = await played(daemon, "windows", begun);
    const { seat } = await playUntil(players, match, (view) => view.state === "MOVE", { seed: 14 });
    const [one, other] = [await open(daemon, match, players[seat]), await open(daemon, match, players[seat])];
    const lines = (page) => page.locator(".log-line").count();
    await Promise.all([one, other].map((page) => page.locator(".log-line").first().waitFor()));
    const before = await lines(other);
    await act(players[seat], match, seat, { do: "end_movement" });
    for (const page of [one, other]) {
        await page.waitForFunction((n) => document.querySelectorAll(".log-line").length > n, before);
    }
});

test("follow: who waits, and who watches, read a page that axe finds nothing on", async (daemon) => {
    const { match, players } = await played(daemon, "waits", begun);
    const { seat } = await playUntil(players, match, (view) => view.state === "MOVE", { seed: 15 });
    const waiting = await open(daemon, match, players[seat === "FR" ? "AL" : "FR"]);
    await waiting.locator(".log-line").first().waitFor();
    await accessible(waiting, "the waiting side");
    const watcher = await open(daemon, match);
    await watcher.locator(".log-line").first().waitFor();
    equal(await watcher.locator("#board [data-unit]").count(), 0, "blocks that lie open to a watcher");
    equal(await watcher.locator(".commit").count(), 0, "buttons that act");
    await accessible(watcher, "the watcher's page");
});

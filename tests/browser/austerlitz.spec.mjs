// Austerlitz in the browser: a turn by clicks in semi-blind play, what follows a combat, a phone, keys alone, a deal.
import { accessible, equal, expect, fits, openPage, picture, playUntil, test, viewOf } from "./harness.mjs";

const SEMI_BLIND = { information: "semi-blind" };
const FRENCH = ["IC", "CG", "AG", "101", "201", "C01", "A01", "203", "4D", "104", "204", "304", "C04", "A04", "105", "305", "103", "C05", "A05", "1C", "2C", "2D", "3D"];

async function table(daemon, name, options = SEMI_BLIND) {
    const players = { FR: await daemon.account(`${name}_fr`), AL: await daemon.account(`${name}_al`) };
    const { match } = await players.FR.call("match.create", { game: "austerlitz", options, seat: "FR" });
    await players.AL.call("match.join", { match, seat: "AL" });
    return { match, players };
}

/** Moves near the enemy rather than anywhere, so that combats come soon. */
function eager(forms, view, random) {
    const moves = forms.filter((form) => form.do === "move" && form.exit_edge === undefined);
    if (view.state !== "MOVE" || moves.length === 0 || random() < 0.06) return view.state === "MOVE" ? { do: "end_move" } : forms[Math.floor(random() * forms.length)];
    return moves[Math.floor(random() * moves.length)];
}

async function openSeat(daemon, match, account, how = {}) {
    const page = await openPage(daemon, `/match/${match}`, { account, ...how });
    await page.locator("#prompt").waitFor();
    await page.locator("[data-hex]").first().waitFor({ state: "attached" });
    return page;
}

/** Presses a hex of the map, or the counter in it. */
async function pressHex(page, hex) {
    const box = await page.locator(`[data-hex="${hex}"]`).first().boundingBox();
    expect(box !== null, `${hex} is not on the screen`);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (page.viewportSize().width < 600) await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y);
}

async function dragHex(page, from, to) {
    const middle = async (hex) => {
        const box = await page.locator(`[data-hex="${hex}"]`).first().boundingBox();
        return [box.x + box.width / 2, box.y + box.height / 2];
    };
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    const [x, y] = await middle(from);
    await page.mouse.move(x - 12, y - 12, { steps: 3 });
    // Its reach is shown once it is in the hand; the goal is a hex of it.
    await page.locator(`[data-hex="${to}"]`).first().waitFor({ state: "attached" });
    await page.mouse.move(...(await middle(to)), { steps: 8 });
    await page.mouse.up();
}

const commit = (page) => page.locator('.commit[aria-disabled="false"]').click();

/** Waits until the match stands where it is wanted: from one step to the next, as the server tells of them. */
async function until(account, match, as, wanted) {
    let view = await viewOf(account, match, as);
    while (!wanted(view)) {
        const { seq } = view;
        await account.call("match.wait", { match, as, after: seq, timeout_s: 30 });
        view = await viewOf(account, match, as);
        if (view.seq === seq && !wanted(view)) throw new Error(`the match does not get there: ${view.state}`);
    }
    return view;
}

/** Ids of French counters that stand in a text as words of their own. */
function named(text) {
    return FRENCH.filter((id) => new RegExp(`(^|[^\\w.-])${id}([^\\w.-]|$)`).test(text));
}

/** All that a page says of counters: text, names, titles, data of elements. */
const said = (page) =>
    page.evaluate(() => {
        const attributes = [...document.querySelectorAll("*")].flatMap((e) => [...e.attributes].filter((a) => /^(aria-|title|data-)/.test(a.name)).map((a) => a.value));
        return `${document.body.innerText}\n${attributes.join("\n")}`;
    });

test("austerlitz: a turn by clicks, semi-blind: moved, declared, rolled, and the enemy stays mute", async (daemon) => {
    const { match, players } = await table(daemon, "click");
    const frames = [];
    const page = await openPage(daemon, "/", { account: players.AL });
    page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
    await page.goto(`${daemon.url}/match/${match}`);
    await page.locator('[data-hex="2125"]').first().waitFor({ state: "attached" });
    // The cavalry of the advance guard rides for the nearest French: the draft is weighed before it is sent.
    await page.locator('.aus-left [data-counter="2125"]').click();
    await page.locator(".aus-taken", { hasText: "K2" }).waitFor();
    const { answer: reach } = (await players.AL.call("match.ask", { match, question: { ask: "reach", unit: "K2" } }));
    const goal = await besideEnemy(players.AL, match, Object.keys(reach.hexes));
    await page.locator(".link-button", { hasText: "Show me" }).click();
    await pressHex(page, goal);
    await page.locator(".aus-way .pill", { hasText: "of 8" }).waitFor();
    await page.locator(".aus-way", { hasText: "enemy control" }).waitFor();
    await picture(page, "austerlitz-move");
    await accessible(page, "a movement");
    await fits(page, "a movement");
    expect(named(await said(page)).length === 0, `the page names ${named(await said(page))}`);
    await commit(page);
    await page.locator(".aus-taken").waitFor({ state: "detached" });
    await until(players.AL, match, "AL", (now) => now.board.units[goal]?.id === "K2");
    // Taken back, and dragged there: it goes at once, for the ghost has said what it costs.
    await page.locator(".undo").click();
    await page.locator('.aus-left [data-counter="2125"]').waitFor();
    await dragHex(page, "2125", goal);
    await until(players.AL, match, "AL", (now) => now.board.units[goal]?.id === "K2");
    await page.locator('.aus-left [data-counter="2125"]').waitFor({ state: "detached" });
    expect(named(frames.join("\n")).length === 0, `the line names ${named(frames.join("\n"))}`);
    // Twice, for 28 counters stand still.
    await commit(page);
    await page.locator(".commit", { hasText: "28 units" }).click();
    await page.locator(".headline", { hasText: "Declare every combat" }).waitFor();
    await page.locator(".aus-owing li").first().waitFor();
    await page.locator('.commit[aria-disabled="true"]').waitFor();
    await picture(page, "austerlitz-must-fight");
    await page.locator(".aus-owing .button").first().click();
    await page.locator(".aus-combat .aus-counters .aus-counter").first().click();
    await page.locator(".aus-table", { hasText: "if it is" }).waitFor();
    // Kept for the seat as it is built: a reload shows it again.
    await page.locator(".draft-state[data-state=kept]").waitFor();
    await page.reload();
    await page.locator(".aus-table", { hasText: "if it is" }).waitFor();
    // Who has no enemy in reach opens no combat: the rule is told in its place.
    await page.locator(".link-button", { hasText: "Another combat" }).click();
    const combats = await page.locator(".aus-combat").count();
    await pressHex(page, "2224");
    await page.locator(".refused", { hasText: "6.3" }).waitFor();
    equal(await page.locator(".aus-combat").count(), combats, "combats");
    // Whoever else must fight is filled in.
    if (await page.locator(".aus-owing li").count() > 0) await page.locator(".link-button", { hasText: "Fill in" }).click();
    await picture(page, "austerlitz-declare");
    await accessible(page, "a declaration");
    expect(named(await said(page)).length === 0, `the page names ${named(await said(page))}`);
    await commit(page);
    await page.locator(".headline", { hasText: "resolve" }).waitFor();
    // Who waits sees what is declared, and knows no more of it.
    const other = await openSeat(daemon, match, players.FR);
    await other.locator(".waiting .aus-combat").first().waitFor();
    expect(!/\bK2\b/.test(await said(other)), "who waits is told who attacks");
    await commit(page);
    await page.locator(".log-line", { hasText: "Faces up in combat" }).waitFor();
    await other.locator(".log-line", { hasText: "Faces up in combat" }).waitFor();
    await picture(other, "austerlitz-waits");
});

/** A hex of those, not in a village, that a Frenchman controls who can be controlled from it: none in Telnitz or Sokolnitz. */
async function besideEnemy(account, match, hexes) {
    for (const hex of hexes.sort()) {
        const { answer } = await account.call("match.ask", { match, question: { ask: "control", hex, side: "french" } });
        if (answer.controlled && answer.by.some((at) => !["1725", "1822"].includes(at))) return hex;
    }
    throw new Error(`none of ${hexes.length} hexes is under French control`);
}

test("austerlitz: the beaten are pushed back and the victor advances, by clicks on the map", async (daemon) => {
    const { match, players } = await table(daemon, "after");
    const { seat, view } = await playUntil(players, match, (now) => now.state === "RETREAT" && now.actions.some((form) => form.to !== undefined), { seed: 3, prefer: eager });
    // On a phone, whose log is shut, the card of the combat in hand tells who fought and how the die fell.
    const small = await openSeat(daemon, match, players[seat], { size: "phone" });
    await small.locator(".aus-combat.edited .aus-rolled").waitFor();
    equal(await small.locator(".aus-combat.edited .hex-counter-picture").count() > 1, true, "who fought is on the card");
    await small.close();
    const page = await openSeat(daemon, match, players[seat]);
    const units = view.prompt.units.length;
    const to = page.locator(".aus-options button").first();
    await to.waitFor();
    const hex = await to.getAttribute("data-to");
    await page.locator(".link-button", { hasText: "Show me" }).click();
    await pressHex(page, hex);
    // A friend there makes room first, as often as it takes.
    for (let i = 0; i < 6 && (await page.locator('.commit[aria-disabled="true"]').count()) > 0; i++) await page.locator(".aus-options button").first().click();
    await picture(page, "austerlitz-retreat");
    await commit(page);
    await until(players[seat], match, seat, (now) => now.seq > view.seq && (now.state !== "RETREAT" || now.prompt.units.length < units || now.seq > view.seq));
    const next = await playUntil(players, match, (now) => now.state === "ADVANCE", { seed: 4, prefer: eager });
    const victor = next.seat === seat ? page : await openSeat(daemon, match, players[next.seat]);
    await victor.locator(".headline", { hasText: "Advance" }).waitFor();
    await victor.locator(".aus-advances .button").first().click();
    await victor.locator(".commit", { hasText: "Advance one unit" }).waitFor();
    await picture(victor, "austerlitz-advance");
    await commit(victor);
    const after = await until(players[next.seat], match, next.seat, (now) => now.seq > next.view.seq);
    expect(after.board.units[next.view.prompt.hexes[0]] !== undefined || after.seq > next.view.seq + 1, "somebody stands in the hex that was left");
});

test("austerlitz: on a phone the combats are declared by touch", async (daemon) => {
    const { match, players } = await table(daemon, "phone");
    const { seat } = await playUntil(players, match, (now) => now.state === "DECLARE" && now.actions[0].plan.list.length > 0, { seed: 5, prefer: eager });
    const page = await openSeat(daemon, match, players[seat], { size: "phone" });
    await page.locator(".aus-owing li").first().waitFor();
    await picture(page, "austerlitz-phone-owing");
    await page.locator(".aus-owing .word-rule", { hasText: "6.2" }).first().tap();
    await page.locator("[role=dialog]", { hasText: "Obligation" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".link-button", { hasText: "Fill in" }).tap();
    await page.locator(".aus-combat .aus-table, .aus-combat .aus-facts").first().waitFor();
    await fits(page, "the declaration on a phone");
    await picture(page, "austerlitz-phone-declare");
    await page.locator('.commit[aria-disabled="false"]').tap();
    await page.locator(".headline", { hasText: "resolve" }).waitFor();
    await accessible(page, "the resolution on a phone");
});

test("austerlitz: a turn by keys alone, and from the list", async (daemon) => {
    const { match, players } = await table(daemon, "keys", {});
    const page = await openSeat(daemon, match, players.AL);
    const keys = page.keyboard;
    await keys.press("g");
    await page.locator(".aus-taken").waitFor();
    const first = await page.locator(".aus-taken .small").first().textContent();
    await keys.press("g");
    await page.waitForFunction((was) => document.querySelector(".aus-taken .small")?.textContent !== was, first);
    // By name: a counter, then the hex where it goes.
    await keys.press("t");
    await page.locator("[role=dialog] input").fill("(GC)");
    await keys.press("Enter");
    await page.locator(".aus-taken", { hasText: "GC" }).waitFor();
    const { answer } = await players.AL.call("match.ask", { match, question: { ask: "reach", unit: "GC" } });
    const goal = Object.keys(answer.hexes).sort()[0];
    await keys.press("t");
    await page.locator("[role=dialog] input").fill(goal);
    await keys.press("Enter");
    await page.locator(".aus-way .pill").waitFor();
    await keys.press("Control+Enter");
    await page.locator(".aus-taken").waitFor({ state: "detached" });
    await until(players.AL, match, "AL", (now) => now.board.units[goal]?.id === "GC");
    // From the list: taken up, sent, all by what has the focus.
    await keys.press("l");
    const row = page.locator('[data-hex-row="2125"] .button').first();
    await row.focus();
    await keys.press("Enter");
    await page.locator(".aus-taken", { hasText: "K2" }).waitFor();
    const { answer: k2 } = await players.AL.call("match.ask", { match, question: { ask: "reach", unit: "K2" } });
    const near = Object.keys(k2.hexes).sort().find((hex) => k2.hexes[hex] === 1);
    await page.locator(`[data-hex-row="${near}"] .button`).first().focus();
    await keys.press("Enter");
    await page.locator(".aus-way .pill").waitFor();
    await picture(page, "austerlitz-list");
    await accessible(page, "the list");
    await keys.press("Control+Enter");
    await page.locator(".aus-taken").waitFor({ state: "detached" });
    await until(players.AL, match, "AL", (now) => now.board.units[near]?.id === "K2");
    await keys.press("l");
    await keys.press("Control+Enter");
    await page.locator(".commit", { hasText: "27 units" }).waitFor();
    await keys.press("Control+Enter");
    await until(players.AL, match, "AL", (now) => now.state !== "MOVE" || now.turn.side === "french");
    // What follows is answered by keys too: fill in, declare, roll, push, advance.
    const { seat } = await playUntil(players, match, (now) => now.state === "DECLARE" && now.actions[0].plan.list.length > 0, { seed: 6, prefer: eager });
    const fighter = seat === "AL" ? page : await openSeat(daemon, match, players[seat]);
    await fighter.locator(".headline", { hasText: "Declare" }).waitFor();
    await fighter.keyboard.press("p");
    await fighter.locator('.commit[aria-disabled="false"]').waitFor();
    await fighter.locator(".aus-table", { hasText: "die" }).first().waitFor();
    await picture(fighter, "austerlitz-informed");
    await fighter.keyboard.press("Control+Enter");
    await until(players[seat], match, seat, (now) => now.state !== "DECLARE");
});

test("austerlitz: a match that begins with a deal says whose share it waits for", async (daemon) => {
    const players = [await daemon.account("deal_fr"), await daemon.account("deal_al")];
    const pages = [];
    for (const account of players) pages.push(await openPage(daemon, "/", { account }));
    for (const page of pages) await stocked(page);
    for (const page of pages) page.allowed = /ERR_INTERNET_DISCONNECTED/;
    await pages[1].context().setOffline(true);
    const { match } = await players[0].call("match.create", { game: "austerlitz", options: { ...SEMI_BLIND, strengths: "dealt" }, seat: "FR" });
    await players[1].call("match.join", { match, seat: "AL" });
    await pages[0].goto(`${daemon.url}/match/${match}`);
    await pages[0].locator("[role=status]", { hasText: "deal_al" }).waitFor();
    await pages[1].context().setOffline(false);
    await pages[1].goto(`${daemon.url}/match/${match}`);
    for (const page of pages) await page.locator("[data-hex]").first().waitFor({ state: "attached" });
});

/** Waits until the page hears that its commitments are laid in. */
async function stocked(page) {
    const heard = new Promise((done) => {
        page.on("websocket", (socket) =>
            socket.on("framereceived", ({ payload }) => {
                if (Number(/"stock":(\d+)/.exec(String(payload))?.[1] ?? 0) >= 16) done();
            }),
        );
    });
    await page.reload();
    await heard;
}

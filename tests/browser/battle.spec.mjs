// Battles in the browser: columns are formed by drag, press and key; fire, retreat and rout are played.
import { accessible, act, equal, expect, fits, openPage, picture, playUntil, test, viewOf } from "./harness.mjs";

const put = (town, units) => units.split(" ").map((unit) => ({ unit, town }));
const anglo = ["ghent", "brussels", "ath", "mons", "hal"];
const allied = [
    ..."ABCDEFGHIJKLMN".split("").map((letter, i) => ({ unit: `AD-${letter}`, town: anglo[Math.floor(i / 3)] })),
    ...put("charleroi", "PR-A PR-C PR-I PR-M"),
    ...put("fosses", "PR-B PR-D PR-J"),
    ...put("liege", "PR-E PR-F PR-K PR-O"),
    ...put("ligny", "PR-G PR-H PR-L PR-P PR-N".split(" ").slice(0, 4).join(" ")),
    ...put("namur", "PR-N"),
];
const french = [
    ...put("laneffe", "FR-A FR-B FR-C FR-D FR-E FR-H FR-I FR-O FR-Q"),
    ...put("beaumont", "FR-F FR-G FR-J FR-K FR-L FR-M FR-N FR-P FR-R"),
];

let matches = 0;

/** A match in which the French attack Charleroi with four and Fosses with three; the Allies are to deploy. */
async function attacked(daemon) {
    const n = ++matches;
    const ney = await daemon.account(`Ney_${n}`);
    const thielmann = await daemon.account(`Thielmann_${n}`);
    const match = await daemon.match([ney, thielmann]);
    const confirm = { do: "confirm_setup" };
    await act(thielmann, match, "AL", { do: "place", placements: allied }, confirm);
    await act(ney, match, "FR", { do: "place", placements: french }, confirm);
    const march = (units, town) => ({ do: "march", marches: units.split(" ").map((unit) => ({ unit, path: [town] })) });
    await act(ney, match, "FR", march("FR-A FR-C FR-H FR-O", "charleroi"), march("FR-B FR-D FR-I", "fosses"), { do: "end_movement" });
    for (const town of ["charleroi", "fosses"]) await act(thielmann, match, "AL", { do: "respond", town, choice: "fight" });
    await act(thielmann, match, "AL", { do: "end_response" });
    return { match, ney, thielmann, players: { FR: ney, AL: thielmann } };
}

const columns = (one, two, three, reserve) => ({
    "1": one.split(" "),
    "2": two.split(" "),
    "3": three.split(" "),
    reserve: reserve === "" ? [] : reserve.split(" "),
});

/** The same with all columns formed: the attacker's first combat turn. */
async function formed(daemon) {
    const all = await attacked(daemon);
    const deploy = (account, seat, battle, where) => act(account, all.match, seat, { do: "deploy", battle, columns: where });
    await deploy(all.thielmann, "AL", "charleroi", columns("PR-A", "PR-C PR-M", "PR-I", ""));
    await deploy(all.thielmann, "AL", "fosses", columns("PR-B", "PR-D", "PR-J", ""));
    await deploy(all.ney, "FR", "charleroi", columns("FR-A", "FR-C FR-O", "FR-H", ""));
    await deploy(all.ney, "FR", "fosses", columns("FR-B", "FR-D", "FR-I", ""));
    return all;
}

const board = (page, town) => page.locator(`.battle[data-town=${town}]`);
const column = (page, lane) => page.locator(`.lane[data-lane="${lane}"] .column-own`);
const piece = (page, unit) => page.locator(`.battle [data-unit="${unit}"]`);

async function openBattle(page, town) {
    const name = { charleroi: "Charleroi", fosses: "Fosses" }[town];
    await page.locator(".battle-tab", { hasText: name }).click();
    await board(page, town).waitFor();
}

test("columns are formed by key, by press and by drag, in two battles", async (daemon) => {
    const { match, thielmann } = await attacked(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: thielmann });
    await openBattle(page, "charleroi");
    await page.locator(".battle-hand").waitFor();
    equal(await page.locator(".lane-number").allTextContents(), ["III", "II", "I"], "the defender sees the attacker's left at his right");
    await accessible(page, "a deployment");
    await picture(page, "battle-deploy");

    // By key: those in hand follow one after the other.
    for (const key of ["1", "2"]) await page.keyboard.press(key);
    await column(page, 1).locator("[data-unit]").waitFor();
    await column(page, 2).locator("[data-unit]").waitFor();
    // By press: the block, then the column.
    const hand = page.locator(".battle-hand [data-unit]");
    if ((await hand.first().getAttribute("aria-pressed")) !== "true") await hand.first().click();
    await column(page, 3).locator("button.place").click();
    // By drag: the last one into the reserve.
    const from = await hand.first().boundingBox();
    const to = await page.locator(".battle .reserve-own").boundingBox();
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width * 0.7, to.y + to.height / 2, { steps: 6 });
    await page.mouse.up();
    await page.locator(".battle .reserve-own [data-unit]").waitFor();
    equal(await hand.count(), 0, "in hand");
    const draft = Object.fromEntries(
        await Promise.all(
            ["1", "2", "3"].map(async (lane) => [lane, await column(page, lane).locator("[data-unit]").evaluateAll((all) => all.map((one) => one.dataset.unit))]),
        ),
    );
    await page.locator(".commit").click();
    await board(page, "fosses").waitFor();
    const lanes = (await viewOf(thielmann, match, "AL")).board.battles.charleroi.lanes;
    for (const lane of ["1", "2", "3"]) equal(Object.keys(lanes[lane].def.units).sort(), draft[lane].sort(), `lane ${lane}`);

    // The other battle by a suggested order.
    await page.locator(".order-use", { hasText: "Even line" }).click();
    await page.locator(".commit").click();
    await page.locator(".order-use").first().waitFor({ state: "detached" });
    equal((await viewOf(thielmann, match, "AL")).state, "DEPLOY_ATT", "state");
});

test("an order of battle is kept and fits another force", async (daemon) => {
    const { match, thielmann } = await attacked(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: thielmann });
    await openBattle(page, "charleroi");
    await page.locator(".order-use", { hasText: "Everything hidden" }).click();
    await page.locator("button", { hasText: "Save this one" }).click();
    await page.getByRole("dialog").locator("input").fill("Ambush");
    await page.getByRole("dialog").locator(".button.primary").click();
    await openBattle(page, "fosses");
    await page.locator(".order-use", { hasText: "Ambush" }).click();
    for (const lane of ["1", "2", "3"]) equal(await column(page, lane).locator("[data-unit]").count(), 1, `units in lane ${lane}`);
    await page.reload();
    await page.locator(".order-use", { hasText: "Ambush" }).waitFor();
});

test("fire: the aim tells its odds, the dice are the server's, the target is told", async (daemon) => {
    const { match, ney } = await formed(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: ney });
    await openBattle(page, "charleroi");
    await piece(page, "FR-O").click();
    await page.locator(".aim-label").waitFor();
    // Guns at strength 3 over open ground: three dice, sixes hit (W9.3); none hits in 125 of 216 throws.
    expect((await page.locator(".aim-label").textContent()).includes("3 dice, a 6 hits"), "the odds");
    expect((await page.locator(".aim-label").textContent()).includes("58 % none"), "the chance of none");
    equal(await page.locator("button.piece-enemy").count(), 2, "targets in the centre");
    await accessible(page, "an aim");
    await picture(page, "battle-aim");
    await piece(page, "PR-C").click();
    await page.locator('.lane[data-lane="2"] .die').first().waitFor();
    const { events } = await viewOf(ney, match, "FR");
    const fired = events.find((event) => event.ev === "fired");
    equal(fired.target, "PR-C", "the target");
    equal(await page.locator('.lane[data-lane="2"] .die').count(), fired.dice.length, "dice in the lane");
    equal(await page.locator('.lane[data-lane="2"] .die-hit').count(), fired.dice.filter((die) => die === 6).length, "dice that hit");
    await page.locator('.piece-own[data-unit="FR-O"] .blk-acted').waitFor();
    expect((await page.locator(".battle-panel").textContent()).includes("It has acted"), "the card says that it has acted");
});

test("dice roll until a key ends it, and the battle stands as before until they lie", async (daemon) => {
    const { match, ney } = await formed(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: ney, calm: false });
    await openBattle(page, "charleroi");
    await piece(page, "FR-O").click();
    await page.locator(".aim-label").waitFor();
    // Seen at the first moment that dice are on the board: they roll, and nothing has been told yet.
    await page.evaluate(() => {
        new MutationObserver((_all, watch) => {
            const dice = document.querySelector(".lane-dice");
            if (dice === null) return;
            watch.disconnect();
            window.seen = {
                rolling: dice.classList.contains("is-rolling") && dice.querySelectorAll(".die-rolling").length === 3,
                acted: document.querySelector('[data-unit="FR-O"] .blk-acted') !== null,
            };
            dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
        }).observe(document.body, { subtree: true, childList: true });
    });
    await piece(page, "PR-M").click();
    await page.waitForFunction(() => window.seen !== undefined);
    equal(await page.evaluate(() => window.seen), { rolling: true, acted: false }, "at the first moment");
    await page.locator(".lane-dice:not(.is-rolling)").waitFor();
    await page.locator('.piece-own[data-unit="FR-O"] .blk-acted').waitFor();
});

test("by keyboard alone: walk to a unit, advance, end the turn", async (daemon) => {
    const { match, ney } = await formed(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: ney });
    await openBattle(page, "charleroi");
    await piece(page, "FR-H").waitFor();
    for (let i = 0; i < 6 && (await piece(page, "FR-H").getAttribute("aria-pressed")) !== "true"; i++) await page.keyboard.press("]");
    equal(await piece(page, "FR-H").getAttribute("aria-pressed"), "true", "FR-H chosen");
    await page.keyboard.press("a");
    await page.locator('.lane[data-lane="3"] .ground [data-unit="FR-H"]').waitFor();
    expect((await page.locator('.lane[data-lane="3"] .lane-chip').textContent()).includes("You engage"), "the lane's chip");
    await page.locator(".commit").focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("dialog");
    await sheet.locator(".end-row").first().waitFor();
    equal(await sheet.locator(".end-row").count(), 2, "a row per battle");
    await accessible(page, "the end of a combat turn");
    await sheet.locator('.button.primary[aria-disabled="false"]').focus();
    await page.keyboard.press("Enter");
    await sheet.waitFor({ state: "detached" });
    equal((await viewOf(ney, match, "FR")).board.ct.side, "def", "whose combat turn");
});

test("a retreat is laid out and done, the last column warns", async (daemon) => {
    const { match, ney, thielmann } = await formed(daemon);
    await act(ney, match, "FR", { do: "end_combat_turn" });
    await act(thielmann, match, "AL", { do: "end_combat_turn" });
    const page = await openPage(daemon, `/match/${match}`, { account: ney });
    await openBattle(page, "fosses");
    await piece(page, "FR-B").click();
    await page.keyboard.press("r");
    await page.locator(".retreat").waitFor();
    await page.locator(".retreat .refused", { hasText: "the rest routs" }).waitFor();
    await accessible(page, "a retreat");
    for (const unit of ["FR-D", "FR-I"]) await piece(page, unit).click();
    await page.locator(".retreat .refused").waitFor({ state: "detached" });
    await page.locator(".retreat button", { hasText: "Choose their roads" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.locator(".button.primary[aria-disabled=false]").waitFor();
    await picture(page, "battle-retreat");
    await sheet.locator(".button.primary").click();
    await sheet.waitFor({ state: "detached" });
    const { board: now } = await viewOf(ney, match, "FR");
    equal(now.battles.fosses.phase, "over", "the battle of Fosses");
    equal(now.units["FR-B"].town, "laneffe", "where they went");
});

test("in the middle of a battle the server goes and comes back, and the fire is one fire", async (daemon) => {
    const { match, ney } = await formed(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: ney });
    page.allowed = /WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/;
    await openBattle(page, "charleroi");
    await piece(page, "FR-O").click();
    await daemon.stop();
    await page.locator(".link-strip:not([hidden])").waitFor();
    await daemon.start();
    await page.locator(".link-strip[data-state=open]").waitFor({ state: "attached" });
    const before = (await viewOf(ney, match, "FR")).seq;
    await piece(page, "PR-M").click();
    await page.locator('.lane[data-lane="2"] .die').first().waitFor();
    const after = await viewOf(ney, match, "FR");
    equal(after.seq, before + 1, "steps");
    equal(after.events.find((event) => event.ev === "fired").target, "PR-M", "the target");
});

test("a rout is told to both, and the enemy may go on", async (daemon) => {
    const { match, players, ney, thielmann } = await formed(daemon);
    const fight = (actions) => actions.find((form) => form.do === "fire") ?? actions.find((form) => form.do === "move" && form.kind === "advance");
    const routed = (view) => Object.entries(view.board.battles ?? {}).find(([, battle]) => battle.rout !== undefined);
    const prefer = (actions) => fight(actions) ?? actions.find((form) => form.do === "end_combat_turn");
    const { view } = await playUntil(players, match, (now) => routed(now) !== undefined, { prefer, steps: 1500 });
    const [town, battle] = routed(view);
    const loser = (battle.rout.side === "att") === (view.turn.side === "FR") ? "FR" : "AL";
    const [own, enemy] = loser === "FR" ? [ney, thielmann] : [thielmann, ney];
    const theirs = await openPage(daemon, `/match/${match}`, { account: enemy });
    await openBattle(theirs, town);
    await theirs.locator(".over-card h2", { hasText: "have routed" }).waitFor();
    await picture(theirs, "battle-rout");
    const ours = await openPage(daemon, `/match/${match}`, { account: own });
    await ours.locator(".panel .headline", { hasText: "routed" }).waitFor();
    await openBattle(ours, town);
    await ours.locator(".over-card h2", { hasText: "Your force" }).waitFor();
    await accessible(ours, "a rout");
});

test("a phone shows one lane, and a tap chooses the next", async (daemon) => {
    const { match, ney } = await formed(daemon);
    const page = await openPage(daemon, `/match/${match}`, { account: ney, size: "phone" });
    await page.locator(".bottom-nav button").nth(1).tap();
    await page.locator(".lane-tile").first().waitFor();
    equal(await page.locator(".battle .lane").count(), 1, "lanes in sight");
    await page.locator(".lane-tile").nth(1).tap();
    await page.locator('.lane[data-lane="2"]').waitFor();
    await fits(page, "a battle on a phone");
    await accessible(page, "a battle on a phone");
    const gun = piece(page, "FR-O");
    if ((await gun.count()) > 0) {
        await gun.tap();
        await page.locator(".aim-label").waitFor();
        await picture(page, "battle-phone");
    }
});

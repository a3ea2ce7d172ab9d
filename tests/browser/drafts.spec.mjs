// Drafts: kept for the seat, on every device, made in the enemy's turn and without a connection, given as one action.
import { accessible, act, equal, expect, fits, openPage, picture, test, viewOf } from "./harness.mjs";
import { campaign, placements } from "./tables.mjs";

async function press(page, selector) {
    const box = await page.locator(selector).first().boundingBox();
    expect(box !== null, `${selector} is not on the screen`);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

async function open(daemon, match, account, how = {}) {
    const page = await openPage(daemon, `/match/${match}`, { account, ...how });
    page.allowed = /WebSocket|ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED|Failed to load resource/;
    await page.locator("[data-town]").first().waitFor({ state: "attached" });
    return page;
}

const kept = (page) => page.locator('.draft-state[data-state="kept"]').waitFor();
const draft = (account, match, as) => account.call("match.draft", { match, as });

async function order(page, units, town, row) {
    for (const unit of units) await press(page, `[data-unit="${unit}"]`);
    await page.locator(".held .stack-block[aria-pressed=true]").nth(units.length - 1).waitFor();
    await press(page, `[data-town="${town}"]`);
    await page.locator(".rows .row", { hasText: row }).waitFor();
}

test("drafts: a march survives a reload, is on another device, and is given as one action that told nobody before", async (daemon) => {
    const { match, players } = await campaign(daemon, "reload");
    const before = await players.AL.call("match.view", { match, as: "AL" });
    const page = await open(daemon, match, players.FR);
    await order(page, ["FR-G", "FR-I"], "laneffe", "Philippeville to Laneffe");
    await kept(page);
    const said = await draft(players.FR, match, "FR");
    equal(said.actions.map((action) => action.do), ["march", "end_movement"], "the draft as it is kept");
    equal(Object.keys((await viewOf(players.FR, match, "FR")).board.marches ?? {}), [], "marches of the match");
    await page.reload();
    await page.locator(".rows .row", { hasText: "Philippeville to Laneffe" }).waitFor();
    const phone = await open(daemon, match, players.FR, { size: "phone" });
    await phone.locator(".rows .row", { hasText: "Philippeville to Laneffe" }).waitFor();
    await fits(phone, "a draft on a phone");
    await picture(phone, "draft-phone");
    equal(await players.AL.call("match.view", { match, as: "AL" }), before, "what the enemy sees of it");
    // Undo goes back within the draft, and what is taken out is thrown away at the server as well.
    await page.locator(".rows .row-x").click();
    await page.locator(".rows .row").waitFor({ state: "detached" });
    await page.locator(".undo").click();
    await page.locator(".rows .row").waitFor();
    await kept(page);
    const seq = (await viewOf(players.FR, match, "FR")).seq;
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator("[role=dialog] .primary").click();
    await page.locator(".commit").waitFor({ state: "detached" });
    const after = await viewOf(players.FR, match, "FR");
    equal([after.board.towns.laneffe.units, after.turn.slot], [{ FR: 2 }, 2], "Laneffe, and whose turn it is");
    // Two lines: the march and its end, in one action.
    equal(after.seq, seq + 2, "seq");
    equal((await draft(players.FR, match, "FR")).actions, [], "the draft is spent");
});

test("drafts: two devices at once show both drafts, and one is taken", async (daemon) => {
    const { match, players } = await campaign(daemon, "two");
    const here = await open(daemon, match, players.FR);
    await here.locator(".groups").waitFor();
    // Another device has kept a draft that this one has not looked at.
    const marches = ["FR-A", "FR-E"].map((unit) => ({ unit, path: ["maubeuge"], forced: false }));
    await players.FR.call("match.draft", { match, as: "FR", version: 0, actions: [{ do: "march", marches }, { do: "end_movement" }] });
    await order(here, ["FR-G"], "laneffe", "Philippeville to Laneffe");
    const card = here.locator(".draft-two");
    await card.waitFor();
    await card.locator("li", { hasText: "Solre-sur-Sambre to Maubeuge: 2 units" }).waitFor();
    await card.locator("li", { hasText: "Philippeville to Laneffe: one unit" }).waitFor();
    await picture(here, "draft-two");
    await accessible(here, "two drafts");
    await card.locator(".button", { hasText: "Take that one" }).click();
    await here.locator(".rows .row", { hasText: "Solre-sur-Sambre to Maubeuge" }).waitFor();
    await card.waitFor({ state: "detached" });
    // Nothing is lost: a step back brings the other.
    await here.locator(".undo").click();
    await here.locator(".rows .row", { hasText: "Philippeville to Laneffe" }).waitFor();
    await kept(here);
    equal((await draft(players.FR, match, "FR")).version, 2, "version");
    // What another device keeps while nothing is edited here is taken over when this one is looked at.
    await players.FR.call("match.draft", { match, as: "FR", version: 2, actions: [{ do: "march", marches }, { do: "end_movement" }] });
    await here.evaluate(() => dispatchEvent(new Event("focus")));
    await here.locator(".rows .row", { hasText: "Solre-sur-Sambre to Maubeuge" }).waitFor();
    equal(await here.locator(".rows .row").count(), 1, "rows");
});

test("drafts: a plan of the next march is made in the enemy's turn, checked when the own one comes, and given", async (daemon) => {
    const { match, players } = await campaign(daemon, "plan");
    const page = await open(daemon, match, players.AL);
    const enemy = await viewOf(players.FR, match, "FR");
    await page.locator(".waiting-plan .button").click();
    await page.locator(".plan-banner").waitFor();
    await order(page, ["PR-A", "PR-B"], "ligny", "Charleroi to Ligny");
    await kept(page);
    await picture(page, "draft-plan");
    equal(await viewOf(players.FR, match, "FR"), enemy, "what the enemy sees of it");
    await page.locator(".commit", { hasText: "Put the plan aside" }).click();
    await page.locator(".waiting-plan", { hasText: "is kept for you" }).waitFor();
    // The French take the ground: Thuin is full of them, Charleroi is attacked by nobody.
    await act(players.FR, match, "FR", { do: "march", marches: [{ unit: "FR-A", path: ["maubeuge"], forced: false }] });
    await act(players.FR, match, "FR", { do: "end_movement" });
    await page.locator(".draft-notice", { hasText: "All of it still fits" }).waitFor();
    await picture(page, "draft-plan-came");
    await page.locator(".draft-notice .button").click();
    await page.locator(".draft-notice").waitFor({ state: "detached" });
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator("[role=dialog] .primary").click();
    await page.locator(".commit").waitFor({ state: "detached" });
    equal((await viewOf(players.AL, match, "AL")).board.units["PR-A"].town, "ligny", "where the Prussians are");
});

test("drafts: what no longer fits is marked, not dropped", async (daemon) => {
    const { match, players } = await campaign(daemon, "unfit");
    // Three groups, one more than the French have (W4.2): kept by another client, which asks nobody.
    const march = (unit, town) => ({ do: "march", marches: [{ unit, path: [town], forced: false }] });
    await players.FR.call("match.draft", {
        match, as: "FR", version: 0,
        actions: [march("FR-A", "maubeuge"), march("FR-B", "thuin"), march("FR-G", "laneffe"), { do: "end_movement" }],
    });
    const page = await open(daemon, match, players.FR);
    const unfit = page.locator(".row[data-unfit]", { hasText: "Philippeville to Laneffe" });
    await unfit.locator(".word-rule", { hasText: "W4.2" }).waitFor();
    equal(await page.locator(".rows .row").count(), 3, "rows");
    await page.locator(".commit[aria-disabled=true]").waitFor();
    await page.locator(".foot-note .why", { hasText: "One order does not fit" }).waitFor();
    await accessible(page, "an order that does not fit");
    await picture(page, "draft-unfit");
    await page.locator(".rows .row", { hasText: "Beaumont to Thuin" }).locator(".row-x").click();
    await page.locator(".row[data-unfit]").waitFor({ state: "detached" });
    await page.locator(".commit[aria-disabled=false]").waitFor();
});

test("drafts: without a connection one drafts on, and it is sent once when that is back", async (daemon) => {
    const { match, players } = await campaign(daemon, "offline");
    const page = await open(daemon, match, players.FR);
    await order(page, ["FR-G"], "laneffe", "Philippeville to Laneffe");
    await kept(page);
    const { seq } = await viewOf(players.FR, match, "FR");
    await daemon.stop();
    await page.locator(".link-strip:not([hidden])").waitFor();
    await order(page, ["FR-B", "FR-C"], "thuin", "Beaumont to Thuin");
    await page.locator('.draft-state[data-state="here"]').waitFor();
    await page.locator(".commit", { hasText: "Send when back" }).click();
    await page.locator("[role=dialog] .primary", { hasText: "Send when back" }).click();
    await page.locator(".draft-notice", { hasText: "sent once when the connection is back" }).waitFor();
    await picture(page, "draft-offline");
    await daemon.start();
    await page.locator(".commit").waitFor({ state: "detached" });
    const after = await viewOf(players.FR, match, "FR");
    equal([after.board.towns.laneffe.units, after.board.towns.thuin.units], [{ FR: 1 }, { FR: 2 }], "who stands where");
    equal(after.seq, seq + 3, "seq: two marches and the end, once");
});

test("drafts: what was to be sent on a position that is gone is shown to be looked at again", async (daemon) => {
    const { match, players } = await campaign(daemon, "gone");
    const page = await open(daemon, match, players.FR);
    await page.locator(".groups").waitFor();
    // The line of this page is cut, and it is not let back before the match has gone on.
    await page.context().setOffline(true);
    await page.evaluate(() => dispatchEvent(new Event("offline")));
    await page.locator(".link-strip:not([hidden])").waitFor();
    await order(page, ["FR-G"], "laneffe", "Philippeville to Laneffe");
    await page.locator(".commit", { hasText: "Send when back" }).click();
    await page.locator("[role=dialog] .primary").click();
    await page.locator(".draft-notice").waitFor();
    await act(players.FR, match, "FR", { do: "march", marches: [{ unit: "FR-A", path: ["maubeuge"], forced: false }] });
    await page.context().setOffline(false);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.locator(".draft-notice", { hasText: "Not sent" }).waitFor();
    await page.locator(".rows .row", { hasText: "Philippeville to Laneffe" }).waitFor();
    await picture(page, "draft-not-sent");
    equal((await viewOf(players.FR, match, "FR")).state, "MOVE", "state");
    equal((await draft(players.FR, match, "FR")).actions.length, 2, "steps that are kept");
});

test("drafts: a set-up is a draft until it is confirmed", async (daemon) => {
    const french = await daemon.account("draftup_fr");
    const allied = await daemon.account("draftup_al");
    const match = await daemon.match([french, allied]);
    // Who sets up next thinks of it meanwhile: he sees nothing of the others, and what he draws up waits for him.
    const later = await open(daemon, match, french);
    await later.getByRole("button", { name: "Plan your set-up" }).click();
    await later.locator(".plan-banner").waitFor();
    await later.locator(".hand-blocks .stack-block").first().click();
    await press(later, '[data-town="maubeuge"]');
    await later.locator(".hand .small", { hasText: "1 of 18" }).waitFor();
    await kept(later);
    await picture(later, "draft-set-up-plan");
    await accessible(later, "a plan of the set-up");
    await later.locator(".commit", { hasText: "Put the plan aside" }).click();
    await later.locator(".waiting-plan", { hasText: "A plan of your set-up is kept for you" }).waitFor();
    const page = await open(daemon, match, allied);
    await page.locator(".hand-blocks .stack-block").first().click();
    await press(page, '[data-town="mons"]');
    await page.locator(".hand .small", { hasText: "1 of 30" }).waitFor();
    await kept(page);
    equal((await draft(allied, match, "AL")).actions.map((action) => action.do), ["place"], "the draft of a set-up");
    equal((await viewOf(allied, match, "AL")).board.units["AD-A"].town, undefined, "what the match knows of it");
    await page.reload();
    await page.locator(".hand .small", { hasText: "1 of 30" }).waitFor();
    // Another device has all of them placed.
    await allied.call("match.draft", { match, as: "AL", version: 1, actions: [{ do: "place", placements: placements("AL") }, { do: "confirm_setup" }] });
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.locator(".hand .small", { hasText: "30 of 30" }).waitFor();
    await picture(page, "draft-set-up");
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator(".commit").waitFor({ state: "detached" });
    equal((await viewOf(french, match, "FR")).state, "SETUP_FRENCH", "state");
    await later.locator(".hand .small", { hasText: "1 of 18" }).waitFor();
    await later.locator(".plan-banner").waitFor({ state: "detached" });
});

test("drafts: the plan by keyboard and from the list, on phones and in other languages", async (daemon) => {
    const { match, players } = await campaign(daemon, "planlist");
    for (const [language, size] of [["en", "desktop"], ["fr", "phone"], ["ru", "small"], ["ja", "tablet"], ["zh", "desktop"]]) {
        const page = await open(daemon, match, players.AL, { size, stored: { "vedette.language": language } });
        await page.locator(".waiting-plan .button").waitFor();
        if (language === "en") await page.keyboard.press("p");
        else await page.locator(".waiting-plan .button").click();
        await page.locator(".plan-banner").waitFor();
        if (language === "en") {
            await page.keyboard.press("g");
            await page.locator(".held").waitFor();
            await page.keyboard.press("Escape");
            await page.keyboard.press("l");
            const row = (name) => page.locator(".list-view tbody tr").filter({ has: page.locator("th", { hasText: name }) });
            await row("Charleroi").locator("button", { hasText: "Take all" }).click();
            await row("Ligny").locator("button", { hasText: "March here" }).click();
            await kept(page);
        }
        await page.locator(".rows .row").waitFor();
        await fits(page, `the plan in ${language}`);
        if (language === "ru") await accessible(page, `the plan in ${language}`);
        await picture(page, `draft-plan-${language}`);
        await page.context().close();
    }
});

test("drafts: where an ally marches too he sees each order, and a plan becomes orders when it is given", async (daemon) => {
    const names = { FR: "tri_fr", AD: "tri_ad", PR: "tri_pr" };
    const players = Object.fromEntries(await Promise.all(Object.entries(names).map(async ([seat, name]) => [seat, await daemon.account(name)])));
    const match = await daemon.match([players.FR, players.AD, players.PR], ["FR", "AD", "PR"], { players: 3 });
    for (const seat of ["AD", "PR", "FR"]) {
        const own = placements(seat === "FR" ? "FR" : "AL").filter(({ unit }) => unit.startsWith(seat));
        await act(players[seat], match, seat, { do: "place", placements: own });
        await act(players[seat], match, seat, { do: "confirm_setup" });
    }
    const page = await open(daemon, match, players.PR);
    await page.locator(".waiting-plan .button").click();
    await order(page, ["PR-A"], "ligny", "Charleroi to Ligny");
    await kept(page);
    await act(players.FR, match, "FR", { do: "end_movement" });
    await page.locator(".draft-notice", { hasText: "All of it still fits" }).waitFor();
    const seen = async () => Object.keys((await viewOf(players.AD, match, "AD")).board.marches ?? {});
    equal(await seen(), [], "what the ally sees of a plan");
    await page.locator(".rows .row-title").click();
    await press(page, '[data-unit="PR-B"]');
    await page.locator(".row.edited .stack-block[aria-pressed=true]").nth(1).waitFor();
    await page.locator(".hint", { hasText: "Your ally sees each order" }).waitFor();
    await page.locator(".word-rule", { hasText: "W18.4" }).waitFor();
    while ((await seen()).length < 2);
    equal((await seen()).sort(), ["PR-A", "PR-B"], "what the ally sees of orders");
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator("[role=dialog] .primary").click();
    await page.locator(".commit").waitFor({ state: "detached" });
    equal((await viewOf(players.PR, match, "PR")).to_act, ["AD"], "who is left to march");
});

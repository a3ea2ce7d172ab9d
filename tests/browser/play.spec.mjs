// Playing on the map: set-up, a march that attacks, the answer, losses, routes; by pointer, touch, keys and list.
import { accessible, act, equal, expect, fits, openPage, picture, playUntil, test, viewOf } from "./harness.mjs";
import { attacked, campaign, placements } from "./tables.mjs";

async function middle(page, selector) {
    const box = await page.locator(selector).first().boundingBox();
    expect(box !== null, `${selector} is not on the screen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function press(page, selector) {
    const { x, y } = await middle(page, selector);
    if (page.viewportSize().width < 600) await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y);
}

const pressBlock = (page, unit) => press(page, `[data-unit="${unit}"]`);
const pressTown = (page, town) => press(page, `[data-town="${town}"]`);

async function openMatch(daemon, match, account, how = {}) {
    const page = await openPage(daemon, `/match/${match}`, { account, ...how });
    await page.locator("#prompt").waitFor();
    await page.locator("[data-town]").first().waitFor({ state: "attached" });
    return page;
}

/**
 * A match that stands where `until` wants it, whatever the dice: a match that ends before is followed by
 * another. Forty matches without one do not happen.
 */
async function arriveAt(daemon, name, until, prefer) {
    for (let seed = 1; seed <= 40; seed++) {
        const { match, players } = await campaign(daemon, `${name}${seed}`);
        try {
            return { match, players, ...(await playUntil(players, match, until, { seed, prefer })) };
        } catch (error) {
            if (!/nobody to act/.test(error.message)) throw error;
        }
    }
    throw new Error(`${name}: not there in forty matches`);
}

test("play: a march that attacks, by clicking, and the answer", async (daemon) => {
    const { match, players } = await campaign(daemon, "click");
    const page = await openMatch(daemon, match, players.FR);
    for (const unit of ["FR-B", "FR-C"]) await pressBlock(page, unit);
    await page.locator(".held .stack-block[aria-pressed=true]").nth(1).waitFor();
    await pressTown(page, "charleroi");
    await page.locator(".row.edited").waitFor();
    // Two are too few: the row says so, and the button says why it cannot be pressed.
    await page.locator(".row-forced", { hasText: "Too few" }).waitFor();
    await page.locator(".commit[aria-disabled=true]").waitFor();
    // It is a draft: the match has not been told of it.
    equal(Object.keys((await viewOf(players.FR, match, "FR")).board.marches ?? {}), [], "marches of a draft");
    await pressBlock(page, "FR-D");
    await page.locator(".row.edited .stack-block[aria-pressed=true]").nth(2).waitFor();
    await page.locator(".commit[aria-disabled=false]").waitFor();
    equal(await page.locator(".row .pill").first().textContent(), "3/3", "road use");
    await picture(page, "play-march");
    await accessible(page, "the march");
    await page.locator(".commit").click();
    await page.locator("[role=dialog]").waitFor();
    await picture(page, "play-march-sheet");
    await page.locator("[role=dialog] .primary").click();
    await page.locator(".phases .now", { hasText: "Response" }).waitFor();
    equal((await viewOf(players.AL, match, "AL")).state, "RESPOND", "state");

    const other = await openMatch(daemon, match, players.AL);
    await other.locator(".answer .segmented button", { hasText: "Fight" }).click();
    await other.locator(".commit[aria-disabled=false]").click();
    await other.locator('.play[data-scene="battle"]').waitFor();
    equal((await viewOf(players.AL, match, "AL")).state, "DEPLOY_DEF", "state after the answer");
});

test("play: a third group and a full road are refused on the spot, with their rule", async (daemon) => {
    const { match, players } = await campaign(daemon, "refuse");
    const view = await viewOf(players.FR, match, "FR");
    await players.FR.call("match.act", {
        match, as: "FR", seq: view.seq,
        action: { do: "march", marches: [
            { unit: "FR-B", path: ["thuin"], forced: false },
            { unit: "FR-A", path: ["maubeuge"], forced: false },
        ] },
    });
    const page = await openMatch(daemon, match, players.FR);
    await page.locator(".rows .row").nth(1).waitFor();
    await pressBlock(page, "FR-G");
    await page.locator(".refused", { hasText: "W4.2" }).waitFor();
    await page.locator(".refused .word-rule", { hasText: "W4.2" }).click();
    await page.locator("[role=dialog]", { hasText: "W4.2" }).waitFor();
    await page.keyboard.press("Escape");
    // Undo takes the draft back.
    await page.locator(".undo").click();
    await page.locator(".rows .row").first().waitFor({ state: "detached" });
    equal(Object.keys((await viewOf(players.FR, match, "FR")).board.marches), [], "marches");
});

test("play: the set-up by click, by drag, by a deployment, saved and confirmed", async (daemon) => {
    const french = await daemon.account("setup_fr");
    const allied = await daemon.account("setup_al");
    const match = await daemon.match([french, allied]);
    const page = await openMatch(daemon, match, allied);
    const hand = page.locator(".hand-blocks .stack-block");
    equal(await hand.count(), 30, "blocks in hand");
    await hand.first().click();
    await pressTown(page, "mons");
    await page.locator(".hand .small", { hasText: "1 of 30" }).waitFor();
    const from = await hand.first().boundingBox();
    const to = await middle(page, '[data-town="soignies"]');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 10, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.locator(".ghost-note", { hasText: "Soignies 1 of 3" }).waitFor();
    await page.mouse.up();
    await page.locator(".hand .small", { hasText: "2 of 30" }).waitFor();
    await page.locator(".commit[aria-disabled=true]").waitFor();
    await page.locator(".deployment .button").first().click();
    await page.locator(".hand .small", { hasText: "30 of 30" }).waitFor();
    await picture(page, "play-set-up");
    await page.locator(".undo").click();
    await page.locator(".hand .small", { hasText: "2 of 30" }).waitFor();
    await page.locator(".deployment .button").nth(1).click();
    await page.locator(".deployments .link-button").click();
    await page.locator("[role=dialog] input").fill("By the frontier");
    await page.locator("[role=dialog] .primary").click();
    await page.locator(".deployment", { hasText: "By the frontier" }).waitFor();
    await accessible(page, "the set-up");
    await page.reload();
    await page.locator(".deployment", { hasText: "By the frontier" }).waitFor();
    await page.locator(".hand .small", { hasText: "30 of 30" }).waitFor();
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator(".commit").waitFor({ state: "detached" });
    equal((await viewOf(french, match, "FR")).state, "SETUP_FRENCH", "state");
});

/** Gives the hits to the blocks in their order, each as many as it has steps: one more press would give its share back. */
async function allot(page, hits) {
    const taken = () => page.locator(".losses .stack-block").evaluateAll((all) => all.map((one) => Number(one.querySelector(".blk-hit")?.textContent.replace(/\D/g, "") ?? 0)));
    const sum = (all) => all.reduce((total, n) => total + n, 0);
    for (let at = 0; sum(await taken()) < hits; ) {
        const before = await taken();
        await page.locator(".losses .stack-block").nth(at).click();
        const after = await taken();
        if (after[at] > before[at]) continue;
        for (let n = after[at]; n < before[at]; n++) await page.locator(".losses .stack-block").nth(at).click();
        at++;
    }
}

test("play: a retreat with routes, and its losses", async (daemon) => {
    const { match, players } = await attacked(daemon, "retreat");
    const page = await openMatch(daemon, match, players.AL);
    await page.locator(".answer .segmented button", { hasText: "Retreat" }).click();
    await page.locator(".route-row .route-to:not(.none)").nth(3).waitFor();
    await page.locator(".route-unit").first().click();
    await pressTown(page, "ligny");
    await page.locator(".route-to", { hasText: "Ligny" }).waitFor();
    await page.locator(".commit[aria-disabled=false]").waitFor();
    await picture(page, "play-response");
    await accessible(page, "the response");
    await page.locator(".commit").click();
    await page.waitForFunction(() => document.querySelector(".answer.active") === null);
    const view = await viewOf(players.AL, match, "AL");
    expect(view.state !== "RESPOND", `the answer is given, not ${view.state}`);
    if (view.state === "PURSUIT_LOSS") {
        await allot(page, view.prompt.hits);
        await picture(page, "play-losses");
        await accessible(page, "the pursuit losses");
        await page.locator(".commit[aria-disabled=false]").click();
        await page.locator(".losses").waitFor({ state: "detached" });
    }
    equal((await viewOf(players.AL, match, "AL")).board.towns.charleroi.units, { FR: 3 }, "Charleroi");
});

test("play: routes of a rout", async (daemon) => {
    const { match, players, seat } = await arriveAt(
        daemon,
        "rout",
        (view) => view.prompt?.id === "rout_routes",
        (forms) => forms.find((form) => form.do === "fire"),
    );
    const page = await openMatch(daemon, match, players[seat]);
    await page.locator(".route-rows, .losses, .rout").first().waitFor();
    await picture(page, "play-rout");
    await accessible(page, "the routes of a rout");
    await page.locator(".commit[aria-disabled=false]").click();
    await page.waitForFunction(() => document.querySelector(".answer.rout") === null);
});

test("play: supply losses are counted and named", async (daemon) => {
    const toward = ["brussels", "ghent", "liege", "waterloo", "nivelles", "namur", "huy"];
    const { match, players, view } = await arriveAt(
        daemon,
        "supply",
        (now) => now.prompt?.id === "remove_units",
        (forms, now, random) => {
            const march = forms.filter((form) => form.do === "march" && toward.some((town) => JSON.stringify(form).includes(`"${town}"`)));
            return now.as === "FR" && march.length > 0 ? march[Math.floor(random() * march.length)] : undefined;
        },
    );
    const page = await openMatch(daemon, match, players.AL);
    const debt = Object.values(view.prompt.debt).reduce((sum, n) => sum + n, 0);
    for (const nation of Object.keys(view.prompt.debt)) {
        const section = page.locator(".losses section").filter({ hasText: nation === "AD" ? "Anglo-Dutch" : "Prussians" });
        for (let i = 0; i < view.prompt.debt[nation]; i++) await section.locator(".stack-block[aria-pressed=false]").first().click();
    }
    await picture(page, "play-supply");
    await accessible(page, "the supply losses");
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator(".supply-rows").first().waitFor({ state: "detached" });
    const after = await viewOf(players.AL, match, "AL");
    const lost = Object.values(after.board.lost).filter((one) => one.why === "supply").length;
    expect(lost >= debt, `${lost} of ${debt} removed`);
});

test("play: a turn by keyboard alone", async (daemon) => {
    const { match, players } = await campaign(daemon, "keys");
    const page = await openMatch(daemon, match, players.FR);
    await page.keyboard.press("?");
    await page.locator(".keys-table").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".keys-table").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.locator(".held").waitFor();
    const town = (await page.locator(".held .row-title").textContent()) ?? "";
    expect(/units/.test(town), `the group is named: ${town}`);
    await page.keyboard.press("t");
    await page.locator("[role=dialog] input").fill("maub");
    await page.keyboard.press("Enter");
    await page.locator(".row.edited", { hasText: "Maubeuge" }).or(page.locator(".refused")).first().waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator("[role=dialog] .primary").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("[role=dialog]").waitFor({ state: "detached" });
    await page.locator(".commit").waitFor({ state: "detached" });
    equal((await viewOf(players.AL, match, "AL")).turn.side, "AL", "the Allies are to move");
});

test("play: a turn from the list", async (daemon) => {
    const { match, players } = await campaign(daemon, "list");
    const page = await openMatch(daemon, match, players.FR);
    await page.keyboard.press("l");
    const row = (name) => page.locator(".list-view tbody tr").filter({ has: page.locator("th", { hasText: name }) });
    await row("Philippeville").locator("button", { hasText: "Take all" }).click();
    await accessible(page, "the list");
    await row("Laneffe").locator("button", { hasText: "March here" }).click();
    await page.locator(".row.edited", { hasText: "Philippeville to Laneffe" }).waitFor();
    await page.locator('.draft-state[data-state="kept"]').waitFor();
    const { actions } = await players.FR.call("match.draft", { match, as: "FR" });
    equal(actions.flatMap((action) => action.marches ?? []).length, 7, "marches");
});

test("play: a turn by touch on a phone", async (daemon) => {
    const { match, players } = await campaign(daemon, "touch");
    const page = await openMatch(daemon, match, players.FR, { size: "phone" });
    await fits(page, "the march on a phone");
    await page.locator(".bottom-nav").waitFor();
    await pressBlock(page, "FR-C");
    await page.locator(".held-prompt").waitFor();
    await picture(page, "play-phone");
    await page.locator(".held-prompt .stack-block[aria-pressed=false]").first().tap();
    await page.locator(".held-prompt .stack-block[aria-pressed=true]").nth(1).waitFor();
    await pressTown(page, "thuin");
    await page.locator(".row", { hasText: "Beaumont to Thuin" }).waitFor();
    await page.locator(".commit").tap();
    await page.locator("[role=dialog] .primary").tap();
    await page.locator(".commit").waitFor({ state: "detached" });
    equal((await viewOf(players.FR, match, "FR")).board.towns.thuin.units, { FR: 2 }, "Thuin");
});

test("play: resigning takes two presses, three seconds apart", async (daemon) => {
    const { match, players } = await campaign(daemon, "resign");
    const page = await openMatch(daemon, match, players.FR);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60000);
    await page.locator(".bar-button").click();
    const button = page.locator("[role=dialog] .danger");
    await button.click();
    await page.clock.runFor(1000);
    await button.click({ force: true });
    equal((await viewOf(players.AL, match, "AL")).state, "MOVE", "one second is too soon");
    await page.clock.runFor(3000);
    await button.click();
    await page.locator("[role=dialog]").waitFor({ state: "detached" });
    equal((await viewOf(players.AL, match, "AL")).state, "GAME_OVER", "state");
});

test("play: an offer is a card for the other, and declined", async (daemon) => {
    const { match, players } = await campaign(daemon, "offer");
    const mine = await openMatch(daemon, match, players.FR);
    const theirs = await openMatch(daemon, match, players.AL);
    await mine.locator(".bar-button").click();
    await mine.locator("[role=dialog] .button", { hasText: "A draw" }).click();
    await mine.locator(".offer", { hasText: "You offer a draw" }).waitFor();
    await theirs.locator(".offer", { hasText: "offers a draw" }).waitFor();
    await theirs.locator(".offer .button", { hasText: "Decline" }).click();
    await mine.locator(".offer").waitFor({ state: "detached" });
});

test("play: at every width the board has its room", async (daemon) => {
    const { match, players } = await campaign(daemon, "widths");
    for (const [width, height, least] of [[1440, 900, 1060], [1000, 760, 660], [1920, 1080, 1500], [844, 390, 480], [360, 740, 356]]) {
        const page = await openMatch(daemon, match, players.AL, { context: { viewport: { width, height } } });
        const board = await page.locator(".play-board").boundingBox();
        expect(board.width >= least, `${board.width} px of board at ${width}`);
        expect(board.height >= height - 190, `${board.height} px of board at ${width} × ${height}`);
        expect((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `sideways scroll at ${width}`);
        expect((await page.evaluate(() => document.documentElement.scrollHeight)) <= height, `scroll at ${width} × ${height}`);
        await page.context().close();
    }
});

test("play: five languages and both themes fit on desk, tablet and phones", async (daemon) => {
    const { match, players } = await campaign(daemon, "fits");
    const marches = ["FR-B", "FR-C", "FR-D"].map((unit) => ({ unit, path: ["thuin", "charleroi"], forced: true }));
    await act(players.FR, match, "FR", { do: "march", marches });
    for (const [language, size, theme] of [
        ["fr", "desktop", "parchment"], ["ja", "phone", "bivouac"], ["ru", "small", "parchment"], ["ru", "desktop", "bivouac"],
        ["zh", "tablet", "parchment"], ["en", "large", "bivouac"],
    ]) {
        const stored = { "vedette.language": language, "vedette.settings": JSON.stringify({ theme, palette: "safe" }) };
        const page = await openMatch(daemon, match, players.FR, { size, stored });
        await page.locator(".rows .row").waitFor();
        await page.locator(".row-title").first().click();
        await page.locator(".row.edited").waitFor();
        await fits(page, `the march in ${language} at ${size}`);
        await accessible(page, `the march in ${language}, ${theme}`);
        await picture(page, `play-${language}-${size}`);
        await page.context().close();
    }
});

test("play: a step back is offered past quiet steps, accepted, and done", async (daemon) => {
    const { match, players } = await campaign(daemon, "rewind");
    await act(players.FR, match, "FR", { do: "march", marches: [{ unit: "FR-A", path: ["maubeuge"], forced: false }] });
    await act(players.FR, match, "FR", { do: "end_movement" });
    const { units } = (await viewOf(players.AL, match, "AL")).board;
    expect(units["PR-A"].town === "charleroi", "the Prussians are at Charleroi");
    await act(players.AL, match, "AL", { do: "march", marches: [{ unit: "PR-A", path: ["ligny"], forced: false }] });
    const theirs = await openMatch(daemon, match, players.AL);
    const mine = await openMatch(daemon, match, players.FR);
    await theirs.locator(".bar-button").click();
    await theirs.locator("[role=dialog] .button", { hasText: "Take back" }).click();
    await mine.locator(".offer", { hasText: "take back" }).waitFor();
    await mine.locator(".offer .button", { hasText: "Accept" }).click();
    await mine.locator(".phases .now", { hasText: "March" }).waitFor();
    await mine.locator(".commit").waitFor();
    equal((await viewOf(players.FR, match, "FR")).turn.slot, 1, "slot");
});

test("play: no key of the catalogue shows in the set-up, the log keeps its end, a replay begins at the beginning", async (daemon) => {
    const french = await daemon.account("fresh_fr");
    const allied = await daemon.account("fresh_al");
    const match = await daemon.match([french, allied]);
    await act(allied, match, "AL", { do: "place", placements: placements("AL") });
    await act(allied, match, "AL", { do: "confirm_setup" });
    const page = await openMatch(daemon, match, french);
    await page.locator(".deployment").nth(1).waitFor();
    const notes = await page.locator(".deployment .small").allTextContents();
    equal(notes.filter((note) => /^[a-z]+\.[a-z_.]+$/.test(note.trim())), [], "keys instead of words");
    await page.locator(".deployment .button").first().click();
    await page.locator(".commit[aria-disabled=false]").click();
    await page.locator(".phases .now", { hasText: "March" }).waitFor();
    await page.waitForFunction(() => {
        const box = document.querySelector(".follow-scroll");
        return box !== null && box.scrollHeight > box.clientHeight && box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    });
    equal(await page.locator(".panel-notice").count(), 0, "notices of another window");
    await page.locator(".replay-start").click();
    await page.getByText(/^step 1 of /).waitFor();
});

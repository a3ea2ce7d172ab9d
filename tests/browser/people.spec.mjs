// The people of a match: orders left for a time away, talk with its channels, seats lent and taken over, watchers that are late.
import { accessible, act, equal, expect, fits, openPage, picture, test, viewOf } from "./harness.mjs";
import { attacked, campaign, placements } from "./tables.mjs";

let numbers = 0;
const fresh = (base) => `${base}_${"abcdefghkmnpqrst"[numbers++]}`;

test("orders: left, put in order, refused at their place, kept for another device, and they answer", async (daemon) => {
    const { match, players } = await campaign(daemon, fresh("Orders"));
    const page = await openPage(daemon, `/match/${match}`, { account: players.AL });
    await page.getByRole("button", { name: "Leave standing orders" }).click();
    const sheet = page.getByRole("dialog", { name: "Standing orders" });
    await sheet.getByText("No order is left yet.").waitFor();
    await sheet.getByRole("button", { name: "Fight whatever comes" }).click();
    await sheet.getByRole("button", { name: "Retreat when outnumbered two to one" }).click();
    await sheet.getByText("Attacked, at odds of 2 to 1 or worse: retreat.").waitFor();
    await sheet.getByRole("button", { name: /^Earlier: Attacked, at odds/ }).click();
    equal((await sheet.locator(".orders-row .told").allInnerTexts())[0], "Attacked, at odds of 2 to 1 or worse: retreat.", "the first");
    await sheet.getByRole("button", { name: /^Change: Attacked: fight/ }).click();
    const editor = page.getByRole("dialog", { name: "Order 2" });
    await editor.getByLabel("In", { exact: true }).selectOption("charleroi");
    await editor.getByText("Attacked at Charleroi: fight; the rest spread evenly.").waitFor();
    await editor.getByRole("button", { name: "Pick on the map" }).click();
    await editor.locator(".board-map").waitFor();
    await accessible(page, "an order");
    await picture(page, "orders-edit");
    await editor.getByRole("button", { name: "Done" }).click();
    await sheet.getByRole("button", { name: "Keep the orders" }).click();
    await sheet.getByText("The orders are kept.").waitFor();
    const kept = await players.AL.call("match.standing", { match, as: "AL" });
    equal(kept.orders.map(({ when, do: act }) => [when.is, when.ratio ?? when.in, act.choice, act.rest ?? null]), [
        ["attacked", [2, 1], "retreat", null],
        ["attacked", ["charleroi"], "fight", "spread"],
    ], "on the server");
    // Another device edits them meanwhile: told, and either list may be taken.
    await players.AL.call("match.standing", { match, as: "AL", version: kept.version, orders: kept.orders.slice(1) });
    await sheet.getByRole("button", { name: "Take the only answer there is" }).click();
    await sheet.getByRole("button", { name: "Keep the orders" }).click();
    await sheet.getByText("The orders were changed on another device meanwhile.").waitFor();
    await accessible(page, "orders that were changed elsewhere");
    await sheet.getByRole("button", { name: "Take those" }).click();
    equal(await sheet.locator(".orders-row").count(), 1, "theirs");
    await picture(page, "orders-list");
    await page.keyboard.press("Escape");
    // The French come: the order answers by itself, and its owner reads that it did.
    const marches = ["FR-B", "FR-C", "FR-D"].map((unit) => ({ unit, path: ["thuin", "charleroi"], forced: true }));
    const { seq } = await viewOf(players.FR, match, "FR");
    await players.FR.call("match.act", { match, as: "FR", seq, actions: [{ do: "march", marches }, { do: "end_movement" }] });
    await page.getByText("Your standing orders have answered.").waitFor();
    expect((await viewOf(players.AL, match, "AL")).state !== "RESPOND", "the answer was not given");
    await page.getByRole("button", { name: "Match", exact: true }).click();
    await page.getByRole("button", { name: "Standing orders", exact: true }).click();
    await sheet.getByText("What they have answered").waitFor();
    await sheet.getByText("Order 1:").first().waitFor();
    for (const size of ["phone", "small"]) {
        const small = await openPage(daemon, `/match/${match}`, { account: players.AL, size, language: "ru-RU" });
        await small.locator(".bar-button.dots").click();
        await small.locator(".menu-list .button").nth(1).click();
        await small.locator(".orders-row").first().waitFor();
        await fits(small, `orders at ${size}`);
        await picture(small, `orders-${size}`);
    }
});

test("talk: of the table and of the Allies, what is unread, a closed channel, mute and report", async (daemon) => {
    const accounts = [];
    for (const name of ["Ney", "Wellington", "Blucher"]) accounts.push(await daemon.account(fresh(name)));
    const match = await daemon.match(accounts, ["FR", "AD", "PR"], { players: 3 });
    const [, wellington, blucher] = accounts;
    const page = await openPage(daemon, `/match/${match}`, { account: wellington });
    await page.getByRole("tab", { name: /Chat/ }).click();
    await page.getByRole("button", { name: "Allies", exact: true }).click();
    await page.getByText("You may confer until the Allies march.").waitFor();
    await page.getByLabel("Say something").fill("Mons first");
    await page.keyboard.press("Enter");
    await page.locator(".chat-said.mine").getByText("Mons first").waitFor();
    const other = await openPage(daemon, `/match/${match}`, { account: blucher });
    await other.getByRole("tab", { name: /Chat/ }).getByText("1").waitFor();
    await other.getByRole("tab", { name: /Chat/ }).click();
    await other.getByRole("button", { name: /^Allies/ }).click();
    await other.getByText("Mons first").waitFor();
    // Read here is read everywhere.
    await other.waitForFunction(() => document.querySelector(".tab-count") === null);
    equal((await blucher.call("match.get", { match })).talk.unread.side, 0, "unread after reading");
    await accessible(other, "talk");
    await picture(other, "talk-side");
    // The French neither read nor know of it.
    const french = await openPage(daemon, `/match/${match}`, { account: accounts[0] });
    await french.getByRole("tab", { name: /Chat/ }).click();
    equal(await french.getByRole("button", { name: "Allies", exact: true }).count(), 0, "the Allied channel for the French");
    await other.getByRole("button", { name: `About ${wellington.name}` }).click();
    await other.getByRole("button", { name: "Report", exact: true }).click();
    await other.getByRole("button", { name: "Send the report" }).click();
    await other.getByText("Say what is wrong.").waitFor();
    await other.getByLabel("What is wrong with it?").fill("Not Mons");
    await other.getByRole("button", { name: "Send the report" }).click();
    await other.getByText("The report is with the host.").waitFor();
    await other.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await other.getByRole("button", { name: "Mute", exact: true }).click();
    await other.getByText(`${wellington.name} is muted`).waitFor();
    await other.locator(".chat-said").first().waitFor({ state: "detached" });
    await other.getByRole("button", { name: `Hear ${wellington.name} again` }).click();
    await other.getByText("Mons first").waitFor();
});

test("seats: lent for a time and called back, offered, and taken over from the lobby", async (daemon) => {
    const { match, players } = await attacked(daemon, fresh("Seats"));
    const friend = await daemon.account(fresh("Friend"));
    for (const account of [players.AL, players.FR]) await account.call("match.nonce", { match, lost: true }).catch(() => {});
    const page = await openPage(daemon, `/match/${match}`, { account: players.AL });
    await page.getByRole("button", { name: "Match", exact: true }).click();
    await page.getByRole("button", { name: "Who leads for me" }).click();
    const sheet = page.getByRole("dialog", { name: "Who leads for me" });
    await sheet.getByRole("button", { name: "Lend it" }).click();
    await sheet.getByText("Name a player.").waitFor();
    await sheet.getByLabel("To whom").fill(friend.name);
    await sheet.getByRole("button", { name: "Lend it" }).click();
    await sheet.getByText(`${friend.name} leads it for you until`).waitFor();
    await accessible(page, "a seat that is lent");
    await picture(page, "seats-lent");
    const theirs = await openPage(daemon, `/match/${match}`, { account: friend });
    await theirs.getByText("Fight or retreat at Charleroi").waitFor();
    await sheet.getByRole("button", { name: "Call it back now" }).click();
    await sheet.getByText("The seat is back.").waitFor();
    equal((await players.AL.call("match.get", { match })).seats.AL.account, players.AL.name, "who has it");
    await sheet.getByRole("button", { name: "Offer the seat" }).click();
    await sheet.getByText("The seat is offered.").waitFor();
    const stranger = await daemon.account(fresh("Stranger"));
    const lobby = await openPage(daemon, "/", { account: stranger });
    await lobby.getByRole("tab", { name: /Seats to take over/ }).click();
    await lobby.getByRole("button", { name: /Step in/ }).first().click();
    await lobby.getByRole("dialog").getByText(`${players.AL.name} gives the seat up`).waitFor();
    await accessible(lobby, "stepping in");
    await lobby.getByRole("button", { name: "Lead the Allies" }).click();
    await lobby.getByText("Fight or retreat at Charleroi").waitFor();
    equal((await stranger.call("match.get", { match })).seats.AL.account, stranger.name, "who has it now");
});

test("watchers: delayed ones see everything late, and whoever sits down agrees to it first", async (daemon) => {
    const [ney, blucher, watcher] = [await daemon.account(fresh("Ney")), await daemon.account(fresh("Blucher")), await daemon.account(fresh("Gleig"))];
    const made = await ney.call("match.create", { game: "waterloo", seat: "FR", spectators: "delayed", delay: 2 });
    const page = await openPage(daemon, "/", { account: blucher });
    await page.getByRole("row", { name: new RegExp(ney.name) }).getByRole("button", { name: /Join/ }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("Watchers see everything of this match, hidden blocks too, two turns late.").waitFor();
    expect(await sheet.getByRole("button", { name: "Sit down for the Allies" }).isDisabled(), "without consent nobody sits down");
    await accessible(page, "the consent");
    await picture(page, "watchers-consent");
    await sheet.getByLabel("I know that and agree.").check();
    await sheet.getByRole("button", { name: "Sit down for the Allies" }).click();
    await page.locator(".play").waitFor();
    const looking = await openPage(daemon, `/match/${made.match}`, { account: watcher });
    await looking.getByText("You see everything, two turns late").waitFor();
    await looking.getByText("Nothing is shown yet").waitFor();
    await accessible(looking, "a match that is not shown yet");
    await picture(looking, "watchers-late");
});

test("absent: of three one does not come; the ladder offers his seat, a stranger steps in, and all read it", async (daemon) => {
    const accounts = [];
    for (const name of ["Ney", "Wellington", "Blucher"]) accounts.push(await daemon.account(fresh(name)));
    const [, wellington, blucher] = accounts;
    const clock = { kind: "live", bank_s: 12, increment_s: 0, ladder: { then: "substitute", fresh_s: 3600 } };
    const match = await daemon.match(accounts, ["FR", "AD", "PR"], { players: 3 }, { clock });
    // Wellington sets up in time; Blucher is not there, and his clock runs down.
    const anglo = placements("AL").filter(({ unit }) => unit.startsWith("AD"));
    await act(wellington, match, "AD", { do: "place", placements: anglo });
    await act(wellington, match, "AD", { do: "confirm_setup" });
    const page = await openPage(daemon, `/match/${match}`, { account: wellington });
    const french = await openPage(daemon, `/match/${match}`, { account: accounts[0], size: "phone" });
    const stranger = await daemon.account(fresh("Gneisenau"));
    const lobby = await openPage(daemon, "/", { account: stranger });
    await page.getByText(`${blucher.name} is out of time`).waitFor();
    await french.getByText(`${blucher.name} is out of time`).waitFor();
    await page.locator(".log, [role=tabpanel]").getByText("The command of the Prussians is offered to a substitute.").first().waitFor();
    await page.getByText("It is offered: whoever takes it leads from then on.").waitFor();
    await picture(page, "absent-offered");
    await accessible(page, "a seat that is offered by the ladder");
    await lobby.reload();
    await lobby.getByRole("tab", { name: /Seats to take over/ }).click();
    await lobby.getByRole("button", { name: /Step in.*Prussians/ }).click();
    await lobby.getByRole("button", { name: "Lead the Prussians" }).click();
    await lobby.getByText("Place your army").first().waitFor();
    equal(await lobby.locator(".clock-face").count(), 3, "three clocks");
    await page.locator(".log, [role=tabpanel]").getByText("A substitute takes over the command of the Prussians.").first().waitFor();
    await page.locator(".seat").getByText(stranger.name).first().waitFor();
    await picture(page, "absent-taken");
    // With a bank of his own he plays on where the seat stands; the match waits for him alone.
    const { seats, clock: now } = await stranger.call("match.get", { match });
    equal([seats.PR.account, now.seats.PR.state], [stranger.name, "runs"], "the seat");
    const prussian = placements("AL").filter(({ unit }) => unit.startsWith("PR"));
    await act(stranger, match, "PR", { do: "place", placements: prussian });
    await act(stranger, match, "PR", { do: "confirm_setup" });
    // He who vanished comes back: the match has no spectators, and he is told who leads now.
    const back = await openPage(daemon, `/match/${match}`, { account: blucher });
    await back.getByText("Only those who play this match see it.").waitFor();
    await back.getByRole("listitem").filter({ hasText: "Prussians" }).getByText(stranger.name).waitFor();
    await accessible(back, "a match that somebody else leads in now");
    equal(await back.getByText("Place your army").count(), 0, "a question to him who lost the seat");
    equal((await blucher.call("match.get", { match })).seats.PR.account, stranger.name, "his former seat");
});

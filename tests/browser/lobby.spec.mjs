// The lobby: registering, laying tables, links, three seats, the bot, what waits, settings; five languages, sizes, axe.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, equal, eventually, expect, fits, openPage, picture, test } from "./harness.mjs";

const LANGUAGES = ["en", "fr", "ja", "ru", "zh"];
let numbers = 0;

/** A name that no other test takes, nor one that looks like it. */
function fresh(base) {
    return `${base}_${"abcdefghkm"[Math.floor(numbers / 10)]}${"abcdefghkm"[numbers++ % 10]}`;
}

async function fill(page, name, value) {
    await page.getByLabel(name, { exact: true }).fill(value);
}

test("lobby: a newcomer registers, and errors stand beside their fields", async (daemon) => {
    const taken = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/");
    await page.getByRole("link", { name: "Register and play" }).click();
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByText("Enter a name.").waitFor();
    await fill(page, "Name", "Ney the brave");
    await fill(page, "Password", "short");
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByText("A name has no blanks").waitFor();
    await page.getByText("A password has 8 characters at least.").waitFor();
    equal(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid"), "true", "the field is marked");
    await fill(page, "Name", taken.name.toUpperCase());
    await fill(page, "Password", "correct horse");
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByText("That name, or one that looks like it, is taken.").waitFor();
    const name = fresh("Soult");
    await fill(page, "Name", name);
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByRole("heading", { name: "No match waits for you" }).waitFor();
    // Signed in it stays, also after a reload; language and zone were sent.
    await page.reload();
    await page.getByRole("heading", { name: "No match waits for you" }).waitFor();
    const token = await page.evaluate(() => localStorage.getItem("vedette.token"));
    const account = await daemon.call("account.get", {}, token);
    equal([account.name, account.language, account.timezone], [name, "en", "Europe/Brussels"], "what was sent");
});

test("lobby: signing in with a wrong password says so and keeps the name", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/sign-in");
    await fill(page, "Name", ney.name);
    await fill(page, "Password", "wrong horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Name or password is wrong.").waitFor();
    equal(await page.getByLabel("Name", { exact: true }).inputValue(), ney.name, "the name");
    await fill(page, "Password", ney.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".bar-me").waitFor();
    equal(new URL(page.url()).pathname, "/", "where it goes");
});

test("lobby: a table with every option, and its prose follows", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/new", { account: ney });
    const prose = page.locator(".new-table .told");
    await prose.getByText("against one player who leads both Allied armies").waitFor();
    await page.getByRole("switch", { name: "Morale" }).check();
    await page.getByRole("switch", { name: "Command Control" }).check();
    await prose.getByText("Morale and Command Control are in force").waitFor();
    await page.getByLabel("Length").selectOption("8");
    await prose.getByText("8 turns").waitFor();
    await page.getByText("The Allies", { exact: true }).click();
    await prose.getByText("both Allied armies").waitFor();
    await page.getByLabel("Watchers").selectOption("none");
    await page.getByLabel("Afterwards").selectOption("seats");
    await fill(page, "What the match is called (may be left out)", "Ligny or bust");
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByRole("heading", { name: "Ligny or bust" }).waitFor();
    const id = page.url().split("/").pop();
    const made = await ney.call("match.get", { match: id });
    equal(made.options, { command_control: true, morale: true, players: 2, turns: 8 }, "options");
    equal([made.access, made.spectators, made.reveal, made.you], ["open", "none", "seats", ["AL"]], "the table");
    // What this daemon does not offer is not asked: no rating.
    equal(await page.getByText(/rated/i).count(), 0, "what is not offered");
});

test("lobby: an invitation by link, taken from a second browser", async (daemon) => {
    const host = await daemon.account(fresh("Host"));
    const page = await openPage(daemon, "/new", { account: host });
    await page.getByText("Only those you name, or who have the link.").click();
    await page.getByRole("button", { name: "Open the table and invite" }).click();
    const link = await page.getByLabel("Link for The Allies").inputValue();
    expect(link.includes("#code="), `the code stands behind the #: ${link}`);
    const guest = await openPage(daemon, link.slice(daemon.url.length));
    await guest.getByRole("heading", { name: "Waterloo" }).waitFor();
    await guest.getByRole("link", { name: "Make an account to sit down" }).click();
    await fill(guest, "Name", fresh("Guest"));
    await fill(guest, "Password", "correct horse");
    await guest.getByRole("button", { name: "Make the account" }).click();
    await guest.getByRole("button", { name: "Sit down for the Allies" }).click();
    // Both boards open by themselves.
    await guest.locator(".play").waitFor();
    await page.locator(".play").waitFor();
    equal((await host.call("match.get", { match: link.split("/match/")[1].split("#")[0] })).state, "running", "state");
});

test("lobby: an invitation by name shows as a card, and is answered", async (daemon) => {
    const host = await daemon.account(fresh("Host"));
    const guest = await daemon.account(fresh("Guest"));
    const lobby = await openPage(daemon, "/", { account: guest });
    await lobby.getByRole("heading", { name: "No match waits for you" }).waitFor();
    const page = await openPage(daemon, "/new", { account: host });
    await page.getByText("Only those you name, or who have the link.").click();
    await page.getByLabel("Whom do you ask?").fill("nobody_of_that_name");
    await page.getByRole("button", { name: "Open the table and invite" }).click();
    await page.getByText("There is no player of that name.").waitFor();
    await page.getByLabel("Whom do you ask?").fill(guest.name);
    await page.keyboard.press("Enter");
    await page.locator(".new-table .told").getByText(`${guest.name} is asked`).waitFor();
    await page.getByRole("button", { name: "Open the table and invite" }).click();
    // The lobby of the guest hears of it without being asked.
    await lobby.getByRole("heading", { name: "One match waits for you" }).waitFor();
    await lobby.getByText(`${host.name} asks you to play`).waitFor();
    await lobby.getByRole("button", { name: /Look at the table/ }).click();
    await lobby.getByRole("dialog").getByText("the French against both Allied armies").waitFor();
    await accessible(lobby, "the sheet before joining");
    await lobby.getByRole("button", { name: "Sit down for the Allies" }).click();
    await lobby.locator(".play").waitFor();
    await page.locator(".play").waitFor();
});

test("lobby: three seats, joined from the list of open tables", async (daemon) => {
    const accounts = [];
    for (const name of ["One", "Two", "Three"]) accounts.push(await daemon.account(fresh(name)));
    const host = await openPage(daemon, "/new?players=3", { account: accounts[0] });
    await host.getByText("The Anglo-Dutch", { exact: true }).click();
    await host.getByRole("button", { name: "Open the table" }).click();
    await host.getByText("Two seats are still free.").waitFor();
    const second = await openPage(daemon, "/", { account: accounts[1] });
    const row = second.getByRole("row", { name: new RegExp(accounts[0].name) });
    await row.getByText("the French or the Prussians").waitFor();
    await row.getByRole("button", { name: /Join/ }).click();
    await second.getByRole("dialog").getByText("The Prussians", { exact: true }).click();
    await second.getByRole("button", { name: "Sit down for the Prussians" }).click();
    await host.getByText("One seat is still free.").waitFor();
    const third = await openPage(daemon, "/", { account: accounts[2] });
    await third.getByRole("row", { name: new RegExp(accounts[0].name) }).getByRole("button", { name: /Join/ }).click();
    await third.getByRole("button", { name: "Sit down for the French" }).click();
    for (const page of [host, second, third]) await page.locator(".play").waitFor();
});

test("lobby: a table is taken away, a seat given back", async (daemon) => {
    const host = await daemon.account(fresh("Host"));
    const guest = await daemon.account(fresh("Guest"));
    const page = await openPage(daemon, "/new?players=3", { account: host });
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByText("Two seats are still free.").waitFor();
    const id = new URL(page.url()).pathname.split("/").pop();
    const other = await openPage(daemon, `/match/${id}`, { account: guest });
    await other.getByRole("button", { name: "Sit down for the Prussians" }).click();
    await page.getByText("One seat is still free.").waitFor();
    await other.getByRole("button", { name: "Leave the table" }).click();
    await page.getByText("Two seats are still free.").waitFor();
    await page.getByRole("button", { name: "Take the table away" }).click();
    await page.getByRole("heading", { name: "No match waits for you" }).waitFor();
    equal((await host.call("match.get", { match: id })).state, "aborted", "state");
});

test("lobby: the bot is offered by name and sits down at once", async (daemon) => {
    const sentry = fresh("Sentry");
    const { token } = await daemon.call("account.register", { name: sentry, password: "correct horse", bot: true });
    await daemon.call("account.set", { plays: ["waterloo"] }, token);
    const page = await openPage(daemon, "/", { account: await daemon.account(fresh("Ney")) });
    await page.getByRole("button", { name: /Against the bot/ }).click();
    await page.getByText("No bot takes invitations on this server just now.").waitFor();
    await page.keyboard.press("Escape");
    // A program that is here: its own page holds the connection.
    const here = await openPage(daemon, "/", { account: { token } });
    await here.locator(".bar-me").waitFor();
    await page.reload();
    await page.getByText(`${sentry} is here; begins at once`).waitFor();
    await page.getByRole("button", { name: /Against the bot/ }).click();
    await page.getByText("the first 8 turns").click();
    await accessible(page, "the bot's sheet");
    await page.getByRole("button", { name: "Begin the match" }).click();
    await here.getByRole("heading", { name: "One match waits for you" }).waitFor();
    const { matches } = await daemon.call("match.list", { filter: "mine" }, token);
    equal(matches.map((match) => [match.invited, match.options.turns]), [[true, 8]], "what the bot is asked");
    await daemon.call("match.join", { match: matches[0].match }, token);
    await page.locator(".play").waitFor();
});

test("lobby: from the start page to a match against the real bot", async (daemon) => {
    const password = join(daemon.folder, "bot.password");
    writeFileSync(password, "correct horse\n");
    const name = fresh("Wellington");
    const made = daemon.background(["register", name, "--bot", "--password-file", password]);
    equal(await new Promise((done) => made.child.on("exit", done)), 0, "the bot's account");
    const bot = daemon.background(["--account", name, "bot", "--policy", "waterloo", "--invited", "--seed", "1815"]);
    const page = await openPage(daemon, "/");
    await page.getByText(`${name} is here and begins at once.`).waitFor();
    await page.getByRole("link", { name: "Play the bot" }).click();
    await fill(page, "Name", fresh("Ney"));
    await fill(page, "Password", "correct horse");
    await page.getByRole("button", { name: "Make the account" }).click();
    await page.getByRole("dialog").getByText("cross the border").waitFor();
    await page.getByRole("button", { name: "Begin the match" }).click();
    await page.locator(".play").waitFor();
    // The Allies set up within seconds; then it is for the newcomer to act.
    await page.waitForFunction(() => document.title.startsWith("●"));
    await bot.close();
});

test("lobby: what waits comes first, with its board and its verb", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const other = await daemon.account(fresh("Other"));
    await daemon.match([other, ney], ["FR", "AL"], {}, { title: "Older" });
    await daemon.match([other, ney], ["FR", "AL"], {}, { title: "Newer" });
    await daemon.match([ney, other], ["FR", "AL"], {}, { title: "Not mine to move" });
    const page = await openPage(daemon, "/", { account: ney });
    await page.getByRole("heading", { name: "Two matches wait for you" }).waitFor();
    equal(await page.locator(".match-card h2").allTextContents(), ["Older", "Newer"], "cards, longest waiting first");
    await page.locator(".match-card svg").first().waitFor();
    equal(await page.locator(".bar-count").textContent(), "2", "the count in the bar");
    expect((await page.title()).startsWith("●"), "the tab's title tells of it");
    await page.getByRole("tab", { name: /Waiting for others/ }).click();
    await page.getByRole("row", { name: /Not mine to move/ }).waitFor();
    await page.locator(".match-card").first().getByRole("link", { name: /Set up/ }).click();
    await page.locator(".play").waitFor();
});

test("lobby: watching needs no account", async (daemon) => {
    const a = await daemon.account(fresh("Ann"));
    const b = await daemon.account(fresh("Bob"));
    await daemon.match([a, b], ["FR", "AL"], {}, { title: "In public", spectators: "public" });
    await daemon.match([a, b], ["FR", "AL"], {}, { title: "In private" });
    const page = await openPage(daemon, "/");
    await page.getByRole("row", { name: /In public/ }).getByRole("link", { name: /Watch/ }).click();
    await page.locator(".play").waitFor();
    await page.goBack();
    await page.getByRole("row", { name: /In public/ }).waitFor();
    equal(await page.getByText("In private").count(), 0, "matches that nobody may watch");
});

test("lobby: finished matches, older ones on demand", async (daemon) => {
    const [a, b] = [await daemon.account(fresh("Ann")), await daemon.account(fresh("Bob"))];
    for (let i = 0; i < 42; i++) {
        const match = await daemon.match([a, b], ["FR", "AL"], {}, { title: `Number ${i}` });
        await a.call("match.resign", { match });
    }
    const page = await openPage(daemon, "/", { account: b });
    await page.getByRole("tab", { name: /Finished/ }).click();
    await page.getByRole("row", { name: /Number 41/ }).getByText("you won").waitFor();
    await page.getByRole("button", { name: "Show older ones" }).click();
    await page.getByRole("row", { name: /Number 0/ }).waitFor();
    equal(await page.locator(".rows tbody tr").count(), 42, "rows");
});

test("lobby: a match that is closed to its reader says so, and offers to sign in", async (daemon) => {
    const [a, b] = [await daemon.account(fresh("Ann")), await daemon.account(fresh("Bob"))];
    const match = await daemon.match([a, b]);
    const page = await openPage(daemon, `/match/${match}`);
    await page.getByRole("heading", { name: "No such match, or none you may see." }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await fill(page, "Name", a.name);
    await fill(page, "Password", a.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.locator(".play").waitFor();
});

test("lobby: settings are kept, devices end, the account goes", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const other = await daemon.call("account.login", { name: ney.name, password: ney.password });
    const page = await openPage(daemon, "/settings", { account: ney });
    await page.getByLabel("Theme").selectOption("bivouac");
    equal(await page.evaluate(() => document.documentElement.dataset.theme), "bivouac", "theme");
    await page.getByText("Colour-safe").click();
    equal(await page.evaluate(() => document.documentElement.dataset.palette), "safe", "palette");
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await page.getByLabel("E-mail address (may be left out)").fill("not an address");
    await page.getByRole("region", { name: /^Account of/ }).getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("That is not an e-mail address.").waitFor();
    await page.getByLabel("E-mail address (may be left out)").fill("ney@example.org");
    await page.getByRole("region", { name: /^Account of/ }).getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved.").first().waitFor();
    await page.getByText("ney@example.org is not confirmed yet").waitFor();
    await page.getByLabel("Show others at my tables when I am there").uncheck();
    await page.getByText("Saved.").nth(1).waitFor();
    await page.getByLabel("What it is for").fill("my bot");
    await page.getByRole("button", { name: "Make the token" }).click();
    const token = await page.locator(".token").textContent();
    equal((await daemon.call("account.get", {}, token)).name, ney.name, "the new token signs in");
    const account = await daemon.call("account.get", {}, ney.token);
    equal([account.email, account.timezone, account.presence], ["ney@example.org", "Asia/Tokyo", false], "account");
    const rows = page.locator(".devices li");
    await rows.nth(2).waitFor();
    while ((await page.getByRole("button", { name: "Sign it out" }).count()) > 0) {
        const before = await rows.count();
        await page.getByRole("button", { name: "Sign it out" }).first().click();
        await page.waitForFunction((n) => document.querySelectorAll(".devices li").length < n, before);
    }
    for (const gone of [token, other.token]) {
        const kind = await daemon.call("account.get", {}, gone).then(() => "", (error) => error.kind);
        expect(["not_signed_in", "bad_credentials"].includes(kind), `a device that was ended: ${kind}`);
    }
    await page.getByLabel("Language").selectOption("fr");
    await page.getByRole("heading", { name: "Réglages" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Réglages" }).waitFor();
    await eventually(async () => (await daemon.call("account.get", {}, ney.token)).language === "fr", "the account's language");
    await page.getByRole("button", { name: "Supprimer mon compte" }).click();
    await page.getByRole("region", { name: "Vos données" }).getByLabel("Mot de passe").fill("wrong horse");
    await page.getByRole("button", { name: "Le supprimer" }).click();
    await page.getByText("Ce n’est pas votre mot de passe.").waitFor();
    await page.getByRole("region", { name: "Vos données" }).getByLabel("Mot de passe").fill(ney.password);
    await page.getByRole("button", { name: "Le supprimer" }).click();
    await page.getByRole("link", { name: "S’inscrire et jouer" }).waitFor();
});

test("lobby: a player's page, blocking, inviting", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const other = await daemon.account(fresh("Other"));
    await daemon.match([ney, other]);
    const page = await openPage(daemon, `/player/${other.name}`, { account: ney });
    await page.getByRole("heading", { name: other.name }).waitFor();
    // One's own match is not watched, and the day is written as everywhere else.
    await page.getByRole("link", { name: /^Look/ }).waitFor();
    expect(/since \d{1,2} [A-Z][a-z]+ \d{4}/.test(await page.locator(".player-head .small").textContent()), "since when");
    await page.getByRole("button", { name: "Block" }).click();
    await page.getByRole("button", { name: "Unblock" }).waitFor();
    equal((await ney.call("account.get")).blocked, [other.name], "blocked");
    await page.getByRole("button", { name: "Unblock" }).click();
    await page.getByRole("button", { name: "Block", exact: true }).waitFor();
    await page.getByRole("link", { name: `Invite ${other.name}` }).click();
    await page.locator(".new-table .told").getByText(`${other.name} is asked`).waitFor();
    await accessible(page, "new match");
});

async function lobbyScene(daemon) {
    const ney = await daemon.account(fresh("Ney"));
    const other = await daemon.account(fresh("Maximilian_Oberst"));
    await daemon.match([other, ney]);
    await daemon.match([ney, other], ["FR", "AL"], {}, { spectators: "public" });
    await other.call("match.create", { game: "waterloo", seat: "PR", options: { players: 3, morale: true, command_control: true, turns: 15 } });
    await other.call("match.create", { game: "waterloo", seat: "AL", access: "invite", invite: [ney.name] });
    return ney;
}

const PAGES = [["start", "/", false], ["register", "/sign-in?new=1", false], ["lobby", "/", true], ["new", "/new", true],
    ["settings", "/settings", true], ["player", "/player/", true]];

/**
 * All pages of the lobby on a desk and in the hand: nothing sticks out, pictures are kept. The narrower phone is the other one
 * drawn in. What axe holds a page to does not hang on the language (tests/words holds that every word is there): it looks at one.
 */
async function everyPage(daemon, ney, language, size) {
    const how = { size, stored: { "vedette.language": language }, dark: size === "phone" };
    const stranger = await openPage(daemon, "/", how);
    const signedIn = await openPage(daemon, "/", { ...how, account: ney });
    for (const [name, path, needs] of PAGES) {
        const page = needs ? signedIn : stranger;
        if (path !== "/") await page.goto(daemon.url + (name === "player" ? path + ney.name : path));
        await page.locator("h1").first().waitFor();
        if (name === "lobby") await page.locator(".match-card").nth(1).waitFor();
        await fits(page, `${name} in ${language}, ${size}`);
        if (language === "en") await accessible(page, `${name}, ${size}`);
        await picture(page, `${name}-${language}-${size}`);
        if (size === "phone") await fitsNarrower(page, `${name} in ${language}`);
    }
    await stranger.close();
    await signedIn.close();
}

/** The same page at the width of a small phone. */
async function fitsNarrower(page, what) {
    const was = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.waitForFunction(() => innerWidth === 360);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await fits(page, `${what}, small`);
    await page.setViewportSize(was);
    await page.waitForFunction((width) => innerWidth === width, was.width);
}

for (const language of LANGUAGES) {
    test(`lobby: every page of it in ${language} fits and is accessible`, async (daemon) => {
        const ney = await lobbyScene(daemon);
        for (const size of ["desktop", "phone"]) await everyPage(daemon, ney, language, size);
    });
}

test("lobby: twice the text size loses nothing", async (daemon) => {
    const ney = await lobbyScene(daemon);
    for (const path of ["/", "/new", "/settings"]) {
        const page = await openPage(daemon, path, { account: ney, context: { viewport: { width: 720, height: 450 } }, stored: { "vedette.language": "ru" } });
        await page.locator("h1").first().waitFor();
        await page.waitForLoadState("networkidle");
        await fits(page, `${path} at half the width`);
    }
});

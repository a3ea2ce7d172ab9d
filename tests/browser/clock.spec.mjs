// Clocks: the table's, both of them in play, why a deadline is what it is, claims, pauses, time given, pace.
import { accessible, equal, expect, fits, openPage, picture, test, viewOf } from "./harness.mjs";
import { attacked } from "./tables.mjs";

let numbers = 0;
const fresh = (base) => `${base}_${"abcdefghkmnpqrst"[numbers++]}`;
const DAY = 86400;

async function pair(daemon) {
    return [await daemon.account(fresh("Ney")), await daemon.account(fresh("Blucher"))];
}

test("clock: a new table's clock, from a ready-made one to every setting, in sentences", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/new", { account: ney });
    const prose = page.locator(".new-table .told");
    await prose.getByText("Each move may take three days; what it takes longer comes out of a bank of four days.").waitFor();
    await page.getByText(/If it began now, your first move would be due \w{3} \d+ \w+/).waitFor();
    await page.getByLabel("Pace of play").selectOption("evenings");
    await prose.getByText("The clock runs Monday to Friday between 18:00 and 23:00 alone (Europe/Brussels).").waitFor();
    await page.getByText("Every setting of the clock").click();
    await page.getByLabel("Monday").uncheck();
    await prose.getByText("The clock runs Tuesday to Friday between").waitFor();
    await page.getByLabel("Hours", { exact: true }).selectOption("at");
    await page.getByLabel("At", { exact: true }).fill("21:30");
    await prose.getByText("The time of a move ends at 21:30 (Europe/Brussels), at the earliest 12 hours after it was asked for.").waitFor();
    await page.getByLabel("Answer to an attack").selectOption(String(DAY));
    await prose.getByText("Answer to an attack: one day.").waitFor();
    await page.getByLabel("Pauses by consent").selectOption("capped");
    await page.getByLabel("Misses forgiven").selectOption("1");
    await page.getByLabel("After a forgiven miss").selectOption(String(2 * DAY));
    await prose.getByText("One miss is forgiven, each with two days more.").waitFor();
    await page.getByLabel("More time means").selectOption(String(7 * DAY));
    await prose.getByText("More time is seven days.").waitFor();
    await page.getByLabel("Each move adds").selectOption("3600");
    await page.getByLabel("Holds at most").selectOption(String(DAY));
    await prose.getByText("Each move adds one hour, up to one day.").waitFor();
    await page.getByLabel("Then", { exact: true }).selectOption("substitute");
    await page.getByLabel("And later").selectOption("caretaker");
    await page.getByLabel("Who takes over has at least").selectOption(String(3 * DAY));
    await prose.getByText("Then anybody may take the seat. If it stands so for two days, a bot takes the seat. Who takes over the seat has a bank of three days at least.").waitFor();
    await page.getByLabel("Pace", { exact: true }).selectOption(String(4 * 3600));
    await prose.getByText("Answers in the enemy’s turn show four hours after they were asked for.").waitFor();
    await accessible(page, "every setting of the clock");
    await picture(page, "clock-create");
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.locator(".table-time").getByText("ends at 21:30").waitFor();
    const id = page.url().split("/").pop();
    const made = await ney.call("match.get", { match: id });
    equal(made.pace, 4 * 3600, "pace");
    const { days, at, zone, phases, min_gap_s, pauses, ladder } = made.clock_spec;
    equal([days, at, zone, min_gap_s, pauses.policy], [["tue", "wed", "thu", "fri"], "21:30", "Europe/Brussels", 12 * 3600, "capped"], "the clock");
    equal(phases, { respond: DAY }, "steps with a time of their own");
    equal([ladder.again_s, ladder.fresh_s, made.clock_spec.bank_max_s], [2 * DAY, 3 * DAY, DAY], "what the ladder gives");
    equal([ladder.misses, ladder.then], [1, [{ do: "substitute", for_s: 2 * DAY }, { do: "caretaker" }]], "the ladder");
    // The same is read by whoever thinks of sitting down, in the list and before joining.
    const other = await openPage(daemon, "/", { account: await daemon.account(fresh("Soult")) });
    const row = other.getByRole("row", { name: new RegExp(ney.name) });
    await row.getByText("two hours a move, nights or days off").waitFor();
    await row.getByRole("button", { name: /Join/ }).click();
    await other.getByRole("dialog").getByText("If it stands so for two days, a bot takes the seat.").waitFor();
    for (const size of ["phone", "small"]) {
        const small = await openPage(daemon, "/new", { account: ney, size, language: "ru-RU" });
        await small.locator(".clock-more summary").click();
        await fits(small, `/new at ${size}`);
        await picture(small, `clock-create-${size}`);
    }
});

test("clock: a clock that cannot be is refused in words beside it", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/new", { account: ney });
    await page.getByText("Every setting of the clock").click();
    await page.getByLabel("Hours", { exact: true }).selectOption("hours");
    await page.getByLabel("From", { exact: true }).fill("08:00");
    await page.getByLabel("To", { exact: true }).fill("08:10");
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.locator(".clock-fields").getByText("The hours: the server does not take that.").waitFor();
});

test("clock: both clocks are there, the deadline in the reader's zone, and why", async (daemon) => {
    const [ney, blucher] = await pair(daemon);
    // The day that is none of this match is the third from now in Tokyo, whatever day it is: the clock runs now, and stands then.
    const week = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    const off = (new Date(Date.now() + 9 * 3600000).getUTCDay() + 3) % 7;
    const clock = { kind: "correspondence", per_move_s: 2 * DAY, bank_s: 4 * DAY, zone: "Asia/Tokyo", days: week.filter((_, i) => i !== off), sleep: false };
    const match = await daemon.match([ney, blucher], ["FR", "AL"], {}, { clock });
    const page = await openPage(daemon, `/match/${match}`, { account: blucher });
    const faces = page.locator(".clock-face");
    await faces.first().waitFor();
    equal(await faces.count(), 2, "clocks in the bar");
    const told = await faces.allInnerTexts();
    expect(told.some((text) => /^bank 4 d 0 h$/.test(text)), `the bank of who waits: ${told}`);
    expect(told.some((text) => /^\d+ d \d+ h left$/.test(text)), `what is left to who is asked: ${told}`);
    const due = page.locator(".deadline");
    expect(/^Due \w{3} \d+ \w+( at)?,? \d\d:\d\d (CES?T|GMT\+[12])/.test(await due.locator("p").first().innerText()), `a deadline with weekday and zone: ${await due.innerText()}`);
    const { clock: state } = await blucher.call("match.get", { match });
    const here = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Brussels", hour: "2-digit", minute: "2-digit" }).format(Date.parse(state.seats.AL.deadline));
    expect((await due.innerText()).includes(here), `the reader's own hour ${here} in ${await due.innerText()}`);
    await due.getByRole("button", { name: "Why this deadline" }).click();
    const sheet = page.getByRole("dialog", { name: "Why this deadline" });
    await sheet.getByText("stands: not a day of this match").first().waitFor();
    await sheet.getByText("Asia/Tokyo").first().waitFor();
    await sheet.getByText("What comes next if nothing is done").waitFor();
    await sheet.getByText("time is over, a respite begins").waitFor();
    equal(await sheet.locator(".why-next").first().locator("li").count(), 3, "the next three");
    await sheet.getByText("Each move may take two days").waitFor();
    await accessible(page, "why this deadline");
    await picture(page, "clock-why");
    await page.keyboard.press("Escape");
    // The waiting side reads whose time runs; its own clock stands at the bank.
    const other = await openPage(daemon, `/match/${match}`, { account: ney, size: "phone" });
    await other.locator(".deadline").getByText(`${blucher.name}: due`).waitFor();
    await fits(other, "the match page with clocks on a phone");
    await picture(other, "clock-phone");
    // The lobby has the deadline on the card.
    const lobby = await openPage(daemon, "/", { account: blucher });
    const card = lobby.locator(".match-card").first();
    expect(/^\d+ d \d+ h/.test(await card.locator(".match-card-when").innerText()), `on the card: ${await card.locator(".match-card-when").innerText()}`);
    await accessible(lobby, "the lobby with deadlines");
    // Without a line the clocks go grey; how often the page tries again meanwhile is nobody's business.
    page.allowed = /WebSocket|ERR_INTERNET_DISCONNECTED/;
    await page.context().setOffline(true);
    await page.locator('.clock-face[data-online="false"]').first().waitFor();
    await page.locator('.deadline[data-online="false"]').waitFor();
    await page.context().setOffline(false);
    await page.locator('.clock-face[data-online="true"]').first().waitFor();
});

test("clock: time runs out, the win is claimed by two presses, and the match is reopened by both", async (daemon) => {
    const [ney, blucher] = await pair(daemon);
    const match = await daemon.match([ney, blucher], ["FR", "AL"], {}, { clock: { kind: "live", bank_s: 2, increment_s: 0 } });
    const loser = await openPage(daemon, `/match/${match}`, { account: blucher });
    const page = await openPage(daemon, `/match/${match}`, { account: ney });
    await loser.locator("#live-assertive").getByText(/left on your clock|Your time is out/).waitFor({ state: "attached" });
    await page.getByText(`${blucher.name} is out of time`).waitFor();
    await loser.getByText("Your time is out. Move, or the others may decide.").waitFor();
    equal(await page.locator('.clock-face[data-state="out"]').innerText(), "time out", "the face");
    await accessible(page, "a claim");
    await picture(page, "clock-claim");
    await page.getByRole("button", { name: "Claim the win" }).click();
    equal((await ney.call("match.get", { match })).state, "running", "after one press");
    await page.getByRole("button", { name: "Press again: Claim the win" }).click();
    await page.getByText("It ended on time alone.").waitFor();
    equal((await ney.call("match.get", { match })).state, "over", "after two");
    await page.getByRole("button", { name: "Offer to go on" }).click();
    await loser.getByText(`${ney.name} offers to go on as if time had not run out.`).waitFor();
    await loser.getByRole("button", { name: "Accept" }).click();
    await page.locator(".seat.due .clock-face").waitFor();
    equal((await ney.call("match.get", { match })).state, "running", "reopened");
});

test("clock: a pause by consent, its end, and time given", async (daemon) => {
    const [ney, blucher] = await pair(daemon);
    const match = await daemon.match([ney, blucher], ["FR", "AL"], {}, { clock: { kind: "correspondence" } });
    const page = await openPage(daemon, `/match/${match}`, { account: ney });
    const other = await openPage(daemon, `/match/${match}`, { account: blucher });
    await page.getByRole("button", { name: "Match", exact: true }).click();
    await page.getByRole("button", { name: "Ask for a pause" }).click();
    await page.getByText("You ask for a pause.").waitFor();
    await other.getByText(`${ney.name} asks for a pause.`).waitFor();
    await other.getByRole("button", { name: "Accept" }).click();
    await page.locator('.clock-face[data-state="paused"]').waitFor();
    await other.locator(".deadline").getByText("The clocks stand: a pause.").waitFor();
    await other.getByRole("button", { name: "Match", exact: true }).click();
    await other.getByRole("button", { name: "Ask to go on" }).click();
    await page.getByText(`${blucher.name} asks for the clocks to go on.`).waitFor();
    equal(await page.getByRole("button", { name: "Decline" }).count(), 0, "the end of a pause cannot be declined");
    await page.getByRole("button", { name: "Accept" }).click();
    await page.locator('.clock-face[data-state="runs"]').waitFor();
    const before = (await ney.call("match.get", { match })).clock.seats.AL.bank_s;
    await page.getByRole("button", { name: "Match", exact: true }).click();
    await page.getByLabel("More time for").selectOption("AL");
    await page.getByLabel("How much").selectOption(String(2 * DAY));
    await page.getByRole("button", { name: "Give it" }).click();
    await other.getByText("given more time").first().waitFor();
    equal((await ney.call("match.get", { match })).clock.seats.AL.bank_s - before, 2 * DAY, "the bank");
    await accessible(page, "offers of time");
});

test("clock: with a pace an answer is held, is told as held, and the sitting goes on from it", async (daemon) => {
    const { match, players } = await attacked(daemon, fresh("Pace"), { clock: { kind: "correspondence" }, pace: 3600 });
    const page = await openPage(daemon, `/match/${match}`, { account: players.AL });
    await page.locator(".held-notice").getByText(/What you answer shows at/).waitFor();
    equal(await page.locator(".seat .here").count(), 0, "presence in a match with a pace");
    const choice = page.getByRole("button", { name: "Fight", exact: true }).first();
    await choice.click();
    await page.locator(".commit").click();
    await page.locator(".held-notice").getByText(/held until/).waitFor();
    await picture(page, "pace-held");
    await accessible(page, "an answer that is held");
    const seen = await viewOf(players.FR, match, "FR");
    expect(seen.state === "RESPOND", `the enemy still waits: ${seen.state}`);
});

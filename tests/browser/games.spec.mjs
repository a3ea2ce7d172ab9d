// The second game where people meet: its create page, its table, what waits, its rules by number; in several languages.
import { accessible, equal, expect, fits, openPage, picture, test } from "./harness.mjs";

let numbers = 0;

/** A name that no other test takes. */
function fresh(base) {
    return `${base}_g${"abcdefghkm"[numbers++]}`;
}

test("games: a table of Austerlitz, every option with its help", async (daemon) => {
    const ney = await daemon.account(fresh("Soult"));
    const page = await openPage(daemon, "/", { account: ney });
    // The lobby offers it beside the first game.
    await page.getByRole("link", { name: /^Napoléon à Austerlitz, two players/ }).click();
    await page.getByRole("heading", { name: "New match of Napoléon à Austerlitz" }).waitFor();
    expect(await page.getByText("Three players").count() === 0, "three players are Waterloo's");
    expect(await page.getByRole("switch", { name: "Morale" }).count() === 0, "options of another game");
    const prose = page.locator(".new-table .told");
    await prose.getByText("All counters lie open, the situation is that of 1805, strengths are as printed.").waitFor();
    // What hides nothing says so.
    await page.getByText("can still tell every counter from its first hex").waitFor();
    await page.getByText("Semi-blind", { exact: true }).click();
    equal(await page.getByRole("switch", { name: "Guard of 1805" }).count(), 0, "a Guard of 1805 in 1805");
    await page.getByText("1813", { exact: true }).click();
    await page.getByRole("switch", { name: "Guard of 1805" }).check();
    await page.getByText("Dealt", { exact: true }).click();
    await prose.getByText("Enemy counters show their type alone, the situation is that of 1813, the French Guard as in 1805, strengths are dealt secretly.").waitFor();
    await page.getByText("The Allies", { exact: true }).click();
    await prose.getByText("You lead the Allies against the French.").waitFor();
    await page.locator(".new-table canvas").waitFor();
    await accessible(page);
    await fits(page);
    await picture(page, "games-create");
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByRole("heading", { name: "Napoléon à Austerlitz" }).waitFor();
    await page.getByText("Two play on hexes, enemy counters mute, situation of 1813 with the Guard of 1805, strengths dealt, twelve turns;").waitFor();
    await page.locator(".table-map canvas").waitFor();
    await picture(page, "games-table");
    const made = await ney.call("match.get", { match: page.url().split("/").pop() });
    equal([made.game, made.you, made.options], ["austerlitz", ["AL"], { guard_1805: true, information: "semi-blind", situation: "1813", strengths: "dealt" }], "the table");
    // What was kept as usual for one game does not spoil the next.
    await page.goto(`${daemon.url}/new?game=austerlitz`);
    await page.getByRole("button", { name: "Save as my usual options" }).click();
    await page.getByRole("radio", { name: /^Waterloo/ }).check();
    await page.getByRole("heading", { name: "New match of Waterloo" }).waitFor();
    await prose.getByText("against one player who leads both Allied armies").waitFor();
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByRole("heading", { name: "Waterloo" }).waitFor();
});

test("games: a match of Austerlitz that waits, told in the reader's language, on a phone too", async (daemon) => {
    const soult = await daemon.account(fresh("Soult"));
    const kutuzov = await daemon.account(fresh("Kutuzov"));
    const made = await soult.call("match.create", { game: "austerlitz", options: {}, seat: "FR" });
    const { match } = made;
    await kutuzov.call("match.join", { match, seat: "AL" });
    const { seq } = await kutuzov.call("match.view", { match, as: "AL" });
    await kutuzov.call("match.act", { match, as: "AL", seq, action: { do: "move", unit: "D1", path: ["2322"] } });
    const page = await openPage(daemon, "/", { account: kutuzov, language: "fr-FR" });
    const card = page.locator(".match-card");
    await card.getByText("Tour 1, de 7 h à 8 h. Déplacez votre armée. Votre première ligne de la 1re colonne (D1) va de 2422 en 2322.").waitFor();
    await card.getByRole("link", { name: /^Marcher/ }).waitFor();
    await card.locator("canvas").waitFor();
    await accessible(page);
    await picture(page, "games-lobby");
    const phone = await openPage(daemon, "/", { account: kutuzov, language: "ja-JP", size: "phone" });
    await phone.locator(".match-card").getByText("第1ターン、7時〜8時。").waitFor();
    await phone.locator(".match-card canvas").waitFor();
    const [card_px, picture_px] = await Promise.all([".match-card", ".match-card canvas"].map(async (one) => (await phone.locator(one).boundingBox()).width));
    expect(picture_px > card_px - 4, `the picture fills its card: ${picture_px} of ${card_px}`);
    await fits(phone);
    await picture(phone, "games-lobby-phone");
});

test("games: the rules of each game, one press apart, and a rule by its number", async (daemon) => {
    const page = await openPage(daemon, "/rules");
    // How to play comes first; a number in it opens the rule over the page, all rules are folded below.
    await page.locator(".rules-guide").getByRole("link", { name: "W5.2" }).first().click();
    await page.getByRole("dialog").getByText("With fewer than 3 units there").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".rules-whole > summary").click();
    await page.locator("#rule-W5\\.2").waitFor();
    await page.getByRole("link", { name: "Napoléon à Austerlitz" }).click();
    await page.locator(".rules-guide").getByText("seven in the morning").waitFor();
    await accessible(page);
    await page.locator(".rules-whole > summary").click();
    await page.locator("#rule-6\\.2").getByText("Every unit of either side that is in mutual control").waitFor();
    equal(new URL(page.url()).pathname, "/rules/austerlitz", "its address");
    // A number in the text leads to its rule.
    await page.locator("#rule-4\\.2").getByRole("link", { name: "11.2" }).click();
    await page.locator("#rule-11\\.2.marked").waitFor();
    equal(new URL(page.url()).pathname, "/rules/austerlitz/11.2", "the rule's address");
    await page.getByRole("link", { name: "8. Artillery" }).click();
    expect(await page.locator("#rule-8").isVisible(), "the section");
    await accessible(page);
    await fits(page);
    await picture(page, "games-rules");
});

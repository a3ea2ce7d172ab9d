// Words: in each language every page says what its catalogue says: no key shows, no English strays into
// another language, the log reads as sentences; the choice follows browser, device and account.
import { readFileSync } from "node:fs";
import { act, equal, expect, openPage, picture, test, viewOf } from "./harness.mjs";

const LANGUAGES = ["en", "fr", "ja", "ru", "zh"];
const root = new URL("../../schema/words/", import.meta.url);
const catalogues = Object.fromEntries(LANGUAGES.map((code) => [code, JSON.parse(readFileSync(new URL(`${code}.json`, root)))]));
const firsts = [...new Set(Object.keys(catalogues.en).map((key) => key.split(".")[0]))].filter((first) => first !== "way");
const KEY = new RegExp(`(^|[\\s>"(])(${firsts.join("|")})\\.[a-z][A-Za-z0-9_.-]*[a-z0-9]`);
// Words that English sentences cannot do without and no other of the five languages has.
const ENGLISH = /(^|[\s(])(the|of|and|with|which|your|you|is|are|they|from|by)(?=[\s.,;:)]|$)/;

const put = (town, units) => units.split(" ").map((unit) => ({ unit, town }));
const allied = [
    ...put("ghent", "AD-A AD-B AD-C"), ...put("brussels", "AD-D AD-E AD-F"), ...put("ath", "AD-G AD-H AD-I"),
    ...put("mons", "AD-J AD-K AD-L"), ...put("hal", "AD-M AD-N"), ...put("charleroi", "PR-A PR-C PR-I PR-M"),
    ...put("fosses", "PR-B PR-D PR-J"), ...put("liege", "PR-E PR-F PR-K PR-O"), ...put("ligny", "PR-G PR-H PR-L PR-P"),
    ...put("namur", "PR-N"),
];
const french = [
    ...put("laneffe", "FR-A FR-B FR-C FR-D FR-E FR-H FR-I FR-O FR-Q"),
    ...put("beaumont", "FR-F FR-G FR-J FR-K FR-L FR-M FR-N FR-P FR-R"),
];
const columns = (one, two, three) => ({ "1": one.split(" "), "2": two.split(" "), "3": three.split(" "), reserve: [] });

let tables = 0;

/** Both armies in their towns, the French to march. */
async function campaign(daemon) {
    const n = ++tables;
    const players = { FR: await daemon.account(`Words_fr_${n}`), AL: await daemon.account(`Words_al_${n}`) };
    const match = await daemon.match([players.FR, players.AL]);
    const confirm = { do: "confirm_setup" };
    await act(players.AL, match, "AL", { do: "place", placements: allied }, confirm);
    await act(players.FR, match, "FR", { do: "place", placements: french }, confirm);
    return { match, players };
}

/** Acts; once more when a page has opened its nonce meanwhile, which is a step of its own. */
async function go(account, match, seat, ...actions) {
    for (let left = 20; ; left--) {
        try {
            return await act(account, match, seat, ...actions);
        } catch (error) {
            if (left === 0 || (error.kind !== "stale_state" && error.data?.reason !== "nonce")) throw error;
        }
    }
}

/** The French attack Charleroi with four. */
async function attack({ match, players }) {
    const marches = ["FR-A", "FR-C", "FR-H", "FR-O"].map((unit) => ({ unit, path: ["charleroi"] }));
    await go(players.FR, match, "FR", { do: "march", marches }, { do: "end_movement" });
}

/** The columns at Charleroi are formed; shots fall. */
async function battle({ match, players }) {
    await go(players.AL, match, "AL", { do: "respond", town: "charleroi", choice: "fight" });
    // The page of the Allies may end the step by itself: nothing else is left to do in it.
    await go(players.AL, match, "AL", { do: "end_response" }).catch((error) => {
        if (error.kind !== "illegal_action") throw error;
    });
    await go(players.AL, match, "AL", { do: "deploy", battle: "charleroi", columns: columns("PR-A", "PR-C PR-M", "PR-I") });
    await go(players.FR, match, "FR", { do: "deploy", battle: "charleroi", columns: columns("FR-A", "FR-C FR-O", "FR-H") });
    await go(players.FR, match, "FR", { do: "fire", battle: "charleroi", unit: "FR-O", target: "PR-C" });
    await go(players.FR, match, "FR", { do: "move", battle: "charleroi", unit: "FR-H", kind: "advance" });
}

/** All that a page says: texts, names for screen readers, placeholders, titles. */
function saidOn(page) {
    return page.evaluate(() => {
        const out = [document.title, document.body.innerText];
        for (const e of document.querySelectorAll("[aria-label], [title], [placeholder], [aria-valuetext]")) {
            for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"]) out.push(e.getAttribute(name) ?? "");
        }
        return out.flatMap((text) => text.split("\n")).map((text) => text.trim()).filter((text) => text !== "");
    });
}

async function reads(page, language, what) {
    const said = await saidOn(page);
    const keys = said.filter((text) => KEY.test(text));
    equal(keys, [], `${what} in ${language}: keys on the page`);
    const holes = said.filter((text) => /\{[a-z_]+[},]|undefined|NaN|\[object/.test(text));
    equal(holes, [], `${what} in ${language}: holes`);
    if (language === "en") return;
    const stray = said.filter((text) => ENGLISH.test(` ${text}`));
    equal(stray, [], `${what} in ${language}: English`);
}

for (const language of LANGUAGES) {
    test(`words: every page says what the catalogue says, in ${language}`, async (daemon) => {
        const { match, players } = await campaign(daemon);
        const stored = { "vedette.language": language };
        const stranger = await openPage(daemon, "/", { stored });
        for (const path of ["/", "/sign-in", "/sign-in?new=1"]) {
            await stranger.goto(daemon.url + path);
            await stranger.locator("h1").first().waitFor();
            equal(await stranger.evaluate(() => document.documentElement.lang.slice(0, 2)), language, "lang of the page");
            await reads(stranger, language, path);
        }
        const page = await openPage(daemon, "/", { stored, account: players.FR });
        for (const path of ["/", "/new", "/settings", `/player/${players.AL.name}`]) {
            await page.goto(daemon.url + path);
            await page.locator("h1").first().waitFor();
            await reads(page, language, path);
        }
        await page.goto(`${daemon.url}/match/${match}`);
        await page.locator("h1, h2").first().waitFor();
        await page.locator('[role="log"]').first().waitFor();
        await reads(page, language, "a march");
    });

    test(`words: attack, battle and end of a match, in ${language}`, async (daemon) => {
        const table = await campaign(daemon);
        const { match, players } = table;
        const stored = { "vedette.language": language };
        const pages = {};
        const seen = async (what) => {
            for (const seat of ["FR", "AL"]) {
                const { seq } = await viewOf(players[seat], match, seat);
                if (pages[seat] === undefined) pages[seat] = await openPage(daemon, `/match/${match}`, { stored, account: players[seat] });
                else await pages[seat].goto(`${daemon.url}/match/${match}`);
                await pages[seat].locator('[role="log"] .word-town, [role="log"] .word-unit').first().waitFor();
                await reads(pages[seat], language, `${what}, seat ${seat}, step ${seq}`);
            }
        };
        await attack(table);
        await seen("an attack");
        await battle(table);
        await seen("a battle");
        await picture(pages.FR, `words-battle-${language}`);
        await players.AL.call("match.resign", { match });
        await seen("a match that is over");
        await pages.AL.goto(`${daemon.url}/verify/${match}`);
        await pages.AL.locator("h1").first().waitFor();
        await reads(pages.AL, language, "the proof");
    });
}

test("words: the language follows the browser, then the account, then the choice on the device", async (daemon) => {
    const ney = await daemon.account("Words_ney");
    const lang = (page) => page.waitForFunction(() => document.documentElement.lang !== "" && document.querySelector("h1") !== null)
        .then(() => page.evaluate(() => document.documentElement.lang));
    equal(await lang(await openPage(daemon, "/", { language: "fr-FR" })), "fr", "the browser's");
    equal(await lang(await openPage(daemon, "/", { language: "de-DE" })), "en", "of a browser that speaks none of ours");
    await ney.call("account.set", { language: "ru" });
    const page = await openPage(daemon, "/settings", { language: "fr-FR", account: ney });
    await page.waitForFunction(() => document.documentElement.lang === "ru");
    const chosen = await openPage(daemon, "/settings", { language: "fr-FR", account: ney, stored: { "vedette.language": "ja" } });
    expect((await lang(chosen)) === "ja", "the choice on the device comes first");
});

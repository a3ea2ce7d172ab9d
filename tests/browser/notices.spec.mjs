// Notices: the channels of an account, when and of what, of one match otherwise; nights and vacations; what a person has seen.
import { accessible, equal, eventually, expect, fits, openPage, picture, test } from "./harness.mjs";

let numbers = 0;
const fresh = (base) => `${base}_${"abcdefghkm"[numbers++]}`;

test("notices: a webhook with its secret, quiet hours, kinds, the calendar's address, how they fared", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/settings", { account: ney });
    const part = page.getByRole("region", { name: "Notices" });
    await part.getByText("This server sends no mail.").waitFor();
    await part.getByLabel("Address", { exact: true }).fill("https://example.org/hook");
    await part.getByRole("button", { name: "Save" }).click();
    await part.getByText("With it the receiver checks the signature.").waitFor();
    expect(/^whsec_[A-Za-z0-9+/]+=*$/.test(await part.locator(".token").innerText()), "a secret of Standard Webhooks");
    // After a reload the address is there, and the secret again at a press.
    const secret = await part.locator(".token").innerText();
    await page.reload();
    await page.waitForFunction(() => [...document.querySelectorAll("input[type=url]")].some((field) => field.value === "https://example.org/hook"));
    await part.getByRole("button", { name: "Show the secret" }).click();
    equal(await part.locator(".token").innerText(), secret, "the secret, shown again");
    await part.getByLabel("Quiet hours").check();
    await part.getByLabel("From", { exact: true }).fill("21:30");
    // Each is kept by itself, and shows once it is.
    const kept = (what) => eventually(async () => what((await ney.call("account.get")).notices), `what is kept: ${what}`);
    await kept((now) => now.quiet?.from === "21:30");
    await part.getByLabel("somebody offers something").click();
    await kept((now) => now.kinds?.offer === false);
    await part.getByLabel("a match begins").click();
    await kept((now) => now.kinds?.begun === false);
    await part.getByLabel("Mails gathered").selectOption("24");
    await kept((now) => now.digest === 24);
    await part.getByRole("button", { name: "Make the address" }).click();
    await part.getByText("Copy it now: it is not shown again.").waitFor();
    expect(/\/calendar\/\S+\.ics$/.test(await part.locator(".token").last().innerText()), "the calendar's address");
    await part.getByText("How they fared").click();
    await part.getByText("Nothing was sent yet.").waitFor();
    await accessible(page, "the notices");
    await picture(page, "notices");
    await page.waitForFunction(() => document.querySelector('.notice-field select')?.value === "24");
    const { notices } = await ney.call("account.get");
    equal([notices.webhook.url, notices.webhook.kind, notices.quiet, notices.digest], ["https://example.org/hook", "standard", { from: "21:30", to: "08:00" }, 24], "what is kept");
    equal([notices.kinds.offer, notices.kinds.begun], [false, false], "of what");
    for (const size of ["phone", "small"]) {
        const small = await openPage(daemon, "/settings", { account: ney, size, language: "fr-FR" });
        await small.locator("#set-notices").waitFor();
        await fits(small, `/settings at ${size}`);
    }
});

test("notices: the night and days of vacation are kept, and said no to at their place", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/settings", { account: ney });
    const part = page.getByRole("region", { name: "When you do not play" });
    await part.getByLabel("My night does not count").check();
    await part.getByLabel("To", { exact: true }).fill("06:30");
    const year = new Date().getUTCFullYear() + 1;
    const [first, last] = [`${year}-02-01`, `${year}-02-07`];
    const said = (day) => `${new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" }).format(Date.parse(day))} ${Number(day.slice(8))} February`;
    await part.getByLabel("First day").fill(first);
    await part.getByLabel("Last day").fill(last);
    await part.getByRole("button", { name: "Add", exact: true }).click();
    await part.getByText(`${said(first)} to ${said(last)}`).waitFor();
    const { sleep, vacation } = await ney.call("account.get");
    equal([sleep, vacation], [{ from: "23:00", to: "06:30" }, [{ from: first, to: last }]], "what is kept");
    await part.getByRole("button", { name: /Take back the vacation/ }).click();
    await part.getByText(said(first)).waitFor({ state: "detached" });
});

test("notices: of one match otherwise; a person who looks and touches has seen it, a tab left open has not", async (daemon) => {
    const [ney, blucher] = [await daemon.account(fresh("Ney")), await daemon.account(fresh("Blucher"))];
    const match = await daemon.match([ney, blucher]);
    const page = await openPage(daemon, `/match/${match}`, { account: blucher });
    const seen = [];
    const told = new Promise((done) => {
        page.on("websocket", (socket) =>
            socket.on("framesent", ({ payload }) => {
                if (!String(payload).includes('"match.seen"')) return;
                seen.push(JSON.parse(payload).params);
                done();
            }),
        );
    });
    await page.reload();
    await page.locator(".clock-face, .seat").first().waitFor();
    await page.getByRole("button", { name: "Match", exact: true }).waitFor();
    equal(seen.length, 0, "seen before anybody touched the page");
    await page.mouse.move(300, 300);
    await page.mouse.move(320, 320);
    await page.getByRole("button", { name: "Match", exact: true }).click();
    await page.getByRole("button", { name: "Notices of this match" }).click();
    const sheet = page.getByRole("dialog", { name: "Notices of this match" });
    await sheet.getByText("As of all your matches.").waitFor();
    await sheet.getByLabel("a match waits for me").uncheck();
    await sheet.getByText("Of this match otherwise than of all.").waitFor();
    equal((await blucher.call("match.notices", { match })).notices, { kinds: { turn: false } }, "of this match");
    await accessible(page, "notices of a match");
    await sheet.getByRole("button", { name: "As of all again" }).click();
    await sheet.getByText("As of all your matches.").waitFor();
    await told;
    expect(seen[0].as === "AL", `seen after a touch: ${JSON.stringify(seen)}`);
});

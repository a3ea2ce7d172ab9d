// The account: second factor, password, what happened to it, links that came by mail, nights and vacations.
import { createHmac } from "node:crypto";
import { accessible, equal, expect, fits, openPage, picture, test } from "./harness.mjs";

let numbers = 0;
const fresh = (base) => `${base}_${"abcdefghkm"[numbers++]}`;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code of RFC 6238 for that secret: SHA-1, 30 s, six figures. `ahead`: steps after now. */
function code(secret, ahead = 0) {
    const bits = [...secret.replace(/\s/g, "")].map((c) => BASE32.indexOf(c).toString(2).padStart(5, "0")).join("");
    const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000) + ahead));
    const hash = createHmac("sha1", key).update(counter).digest();
    const at = hash[19] & 15;
    return String((hash.readUInt32BE(at) & 0x7fffffff) % 1000000).padStart(6, "0");
}

test("account: a second factor is set up, asked for, and replaced by a recovery code once", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const page = await openPage(daemon, "/settings", { account: ney });
    const part = page.locator("section", { has: page.getByRole("heading", { name: "Safety" }) });
    await part.getByLabel("Password", { exact: true }).fill("wrong horse");
    await part.getByRole("button", { name: "Set it up" }).click();
    await part.getByText("That is not your password.").waitFor();
    await part.getByLabel("Password", { exact: true }).fill(ney.password);
    await part.getByRole("button", { name: "Set it up" }).click();
    const secret = await part.getByLabel("The secret", { exact: true }).innerText();
    expect(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/.test(secret), `a secret of RFC 4648: ${secret}`);
    await part.getByRole("img", { name: "QR code of the secret" }).scrollIntoViewIfNeeded();
    await picture(page, "account-totp");
    await accessible(page, "the second factor");
    await part.getByLabel("Code", { exact: true }).fill("000000");
    await part.getByRole("button", { name: "Switch it on" }).click();
    await part.getByText("That code is wrong, or was used already.").waitFor();
    await part.getByLabel("Code", { exact: true }).fill(code(secret));
    await part.getByRole("button", { name: "Switch it on" }).click();
    await part.getByText("The second factor is on.").waitFor();
    const recovery = await part.locator(".recovery code").allInnerTexts();
    expect(recovery.length >= 8 && new Set(recovery).size === recovery.length, `recovery codes: ${recovery}`);
    // Signing in elsewhere asks for a code, and a recovery code counts once.
    const other = await openPage(daemon, "/sign-in");
    await other.getByLabel("Name", { exact: true }).fill(ney.name);
    await other.getByLabel("Password", { exact: true }).fill(ney.password);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByLabel("Code", { exact: true }).fill("AAAA-AAAA-AAAA-AAAA");
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByText("That code is wrong, or was used already.").waitFor();
    await accessible(other, "signing in with a code");
    await other.getByLabel("Code", { exact: true }).fill(recovery[0]);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.locator(".bar-me").waitFor();
    equal((await ney.call("account.get")).recovery_left, recovery.length - 1, "recovery codes left");
    await page.reload();
    await part.getByText("recovery codes are left").waitFor();
});

test("account: a new password signs out the others, and the account says what happened", async (daemon) => {
    const ney = await daemon.account(fresh("Ney"));
    const { token } = await daemon.call("account.login", { name: ney.name, password: ney.password });
    const page = await openPage(daemon, "/settings", { account: ney });
    const part = page.locator("section", { has: page.getByRole("heading", { name: "Safety" }) });
    await part.getByLabel("Present password").fill("wrong horse");
    await part.getByLabel("New password").fill("battery staple");
    await part.getByRole("button", { name: "Change the password" }).click();
    await part.getByText("That is not your password.").waitFor();
    await part.getByLabel("Present password").fill(ney.password);
    await part.getByRole("button", { name: "Change the password" }).click();
    await part.getByText("The password is changed; all other devices were signed out.").waitFor();
    const gone = await daemon.call("account.get", {}, token).catch((error) => error.kind);
    equal(gone, "bad_credentials", "the other sign-in");
    await part.getByText("What happened to the account").click();
    await part.getByText("Password changed").waitFor();
    await part.getByText("by yourself").first().waitFor();
    await accessible(page, "the account's story");
    await picture(page, "account-safety");
    await daemon.call("account.login", { name: ney.name, password: "battery staple" });
});

test("account: links of mails are read behind the # and leave the address", async (daemon) => {
    const page = await openPage(daemon, "/confirm#token=nothing_known_of_that_token_0000000000000000");
    await page.getByRole("button", { name: "Confirm the address" }).click();
    await page.getByText("That link is used up or too old.").waitFor();
    equal(new URL(page.url()).hash, "", "the token in the address");
    await accessible(page, "confirming");
    await page.goto(`${daemon.url}/sign-in`);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "A new password" }).waitFor();
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("Enter a name.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Nobody");
    await page.getByRole("button", { name: "Send the link" }).click();
    // This daemon sends no mail, and says so rather than to let somebody wait for it.
    await page.getByText("This server sends no mail.").waitFor();
    await page.goto(`${daemon.url}/reset#token=nothing_known_of_that_token_0000000000000000`);
    await page.reload();
    await page.goto(`${daemon.url}/rules`);
    await page.goto(`${daemon.url}/reset#token=nothing_known_of_that_token_0000000000000000`);
    await page.getByLabel("New password").fill("battery staple");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("That link is used up or too old.").waitFor();
    for (const size of ["phone", "small"]) {
        const small = await openPage(daemon, "/reset", { size });
        await small.getByRole("heading", { name: "A new password" }).waitFor();
        await fits(small, `/reset at ${size}`);
    }
});

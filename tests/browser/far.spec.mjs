// What leaves the server and comes back to the page: mailed links, notices that the browser shows.
import { accessible, Daemon, equal, expect, openPage, picture, test } from "./harness.mjs";
import { freePort, MailServer, PushService } from "./far.mjs";
import { campaign } from "./tables.mjs";

/** Runs with a daemon of its own that sends: body(daemon, mail, service). */
async function sending(body) {
    const mail = await new MailServer().start();
    const service = await new PushService().start();
    const notify = `[notify]\nsmtp_url = smtp://127.0.0.1:${mail.port}\nsmtp_tls = none\nfrom = Vedette <post@vedette.example>\n` + "private_hosts = on\ndelay_s = 0\n";
    const daemon = await new Daemon(notify, await freePort()).start();
    try {
        await body(daemon, mail, service);
    } finally {
        await daemon.remove();
        await mail.close();
        await service.close();
    }
}

test("mail: an address is confirmed by the link in a mail, once, by a press and not by looking", () =>
    sending(async (daemon, mail) => {
        const ney = await daemon.account("Ney");
        const page = await openPage(daemon, "/settings", { account: ney });
        const part = page.locator(".mail-state").locator("..");
        await part.getByLabel("E-mail").fill("ney@example.org");
        await part.getByRole("button", { name: "Save" }).first().click();
        await page.locator('.mail-state[data-state="waits"]').waitFor();
        const { url } = await mail.link("ney@example.org", "/confirm#token=");
        // On a device that nobody has signed in on; the token is gone from the address at once.
        const phone = await openPage(daemon, url.slice(daemon.url.length), { size: "phone" });
        await phone.getByRole("heading", { name: "Confirm an address" }).waitFor();
        expect(!phone.url().includes("token"), `the token stays in the address: ${phone.url()}`);
        equal((await ney.call("account.get")).email_confirmed ?? false, false, "before the press");
        await accessible(phone, "confirming");
        await phone.getByRole("button", { name: "Confirm the address" }).click();
        await phone.getByText("ney@example.org is confirmed for Ney.").waitFor();
        await picture(phone, "mail-confirmed");
        equal((await ney.call("account.get")).email_confirmed, true, "after the press");
        const again = await openPage(daemon, url.slice(daemon.url.length));
        again.allowed = /400|404/;
        await again.getByRole("button", { name: "Confirm the address" }).click();
        await again.getByText("That link is used up or too old.").waitFor();
    }));

test("mail: a forgotten password is set anew by a mailed link, and ends every other sign-in", () =>
    sending(async (daemon, mail) => {
        const ney = await daemon.account("Ney");
        await ney.call("account.set", { email: "ney@example.org" });
        const { url: first } = await mail.link("ney@example.org", "/confirm#token=");
        await daemon.call("account.confirm", { token: first.split("token=")[1] });
        const before = await openPage(daemon, "/settings", { account: ney });
        await before.locator('.mail-state[data-state="confirmed"]').waitFor();
        const page = await openPage(daemon, "/sign-in");
        await page.getByRole("link", { name: "Forgot your password?" }).click();
        await page.getByLabel("Name").fill("Ney");
        await page.getByRole("button", { name: "Send the link" }).click();
        await page.getByText("If there is such an account with a confirmed address, the link is on its way.").waitFor();
        await accessible(page, "asking for a new password");
        const { url } = await mail.link("ney@example.org", "/reset#token=");
        const reset = await openPage(daemon, url.slice(daemon.url.length));
        await reset.getByLabel("New password").fill("short");
        await reset.getByRole("button", { name: "Set the password" }).click();
        await reset.getByText(/at least 8|8 characters|8 bytes/i).first().waitFor();
        await reset.getByLabel("New password").fill("nine old guards");
        await reset.getByRole("button", { name: "Set the password" }).click();
        await reset.getByText("The password is set.").waitFor();
        await picture(reset, "mail-reset");
        await reset.getByRole("button", { name: "Sign in" }).click();
        await reset.getByLabel("Name").fill("Ney");
        await reset.getByLabel("Password", { exact: true }).fill("nine old guards");
        await reset.getByRole("button", { name: "Sign in", exact: true }).last().click();
        await reset.waitForURL(`${daemon.url}/`);
        // The device that was signed in is told so, in words.
        before.allowed = /./;
        await before.reload();
        await before.getByRole("link", { name: "Sign in" }).first().waitFor();
    }));

test("push: asked for by a press, sent sealed, shown by the service worker, and a press leads to the match", () =>
    sending(async (daemon, _, service) => {
        const { match, players } = await campaign(daemon, "Push");
        const page = await openPage(daemon, "/", { account: players.AL });
        const context = page.context();
        await context.grantPermissions(["notifications"], { origin: daemon.url });
        // Chromium's own push service is out of reach here: its place is taken by one that answers as it does.
        await context.addInitScript((json) => {
            let made = null;
            const make = () => ({ endpoint: json.endpoint, toJSON: () => json, unsubscribe: async () => ((made = null), true) });
            PushManager.prototype.getSubscription = async () => made;
            PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey: key }) => {
                if (!userVisibleOnly || new Uint8Array(key).length !== 65) throw new TypeError("no key of P-256");
                made = make();
                return made;
            };
        }, service.subscription);
        await page.goto(`${daemon.url}/settings`);
        const part = page.getByRole("region", { name: "Notices" });
        await part.getByRole("button", { name: "Show them in this browser" }).click();
        await part.getByText("This browser shows them, also when this page is closed.").waitFor();
        const { notices } = await players.AL.call("account.get");
        equal(notices.push.map(({ endpoint }) => endpoint), [service.subscription.endpoint], "what the account keeps");
        await page.goto(`${daemon.url}/`);
        // The French march up: the Allies are asked.
        const { FR } = players;
        const { seq } = await FR.call("match.view", { match });
        const marches = ["FR-B", "FR-C", "FR-D"].map((unit) => ({ unit, path: ["thuin", "charleroi"], forced: true }));
        await FR.call("match.act", { match, seq, actions: [{ do: "march", marches }, { do: "end_movement" }] });
        const { headers, data } = await service.box.take(({ data: text }) => JSON.parse(text).match === match, "no push of the match");
        expect(/^vapid t=/.test(headers.authorization) && headers["content-encoding"] === "aes128gcm", `headers: ${JSON.stringify(headers)}`);
        for (const unit of ["FR-B", "FR-C", "FR-D"]) expect(!data.includes(unit), `a block in a notice: ${data}`);
        // What came is handed to the service worker, as the browser does it.
        const session = await context.newCDPSession(page);
        const found = new Promise((done) => session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations[0] !== undefined && done(registrations[0])));
        await session.send("ServiceWorker.enable");
        const { registrationId } = await found;
        await session.send("ServiceWorker.deliverPushMessage", { origin: daemon.url, registrationId, data });
        const shown = await page.evaluate(async () => {
            const at = await navigator.serviceWorker.ready;
            for (let i = 0; i < 2000; i++) {
                const [one] = await at.getNotifications();
                if (one !== undefined) return { title: one.title, body: one.body, tag: one.tag, url: one.data.url };
                await new Promise((next) => requestAnimationFrame(next));
            }
            return null;
        });
        expect(shown !== null, "the service worker showed nothing");
        equal([shown.tag, new URL(shown.url).pathname], [match, `/match/${match}`], "what it is of");
        expect(shown.title.length > 0 && shown.body.includes("Charleroi"), `what it says: ${JSON.stringify(shown)}`);
        // Pressed, it takes the window that is open to the match.
        const worker = context.serviceWorkers()[0];
        await worker.evaluate(async () => {
            const [notification] = await self.registration.getNotifications();
            self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
        });
        await page.waitForURL(`${daemon.url}/match/${match}`);
        await page.getByText("Fight or retreat at Charleroi").waitFor();
    }));

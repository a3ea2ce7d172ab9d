/**
 * What a person chooses here for the account too: the language and the time zone that mails and clocks go by. The choice
 * holds in this browser at once. Whether the account is known just then, and whether the line holds, is chance: so it is
 * kept as unsent until the account has it, and is sent as soon as there is an account to send it to, by the next page if
 * this one is gone. Who is not signed in chooses for the browser alone (a registration takes it along).
 */
import { signal, type Signal } from "@preact/signals";
import { change } from "@/app/settings";
import { Refusal } from "@/net/rpc";
import { account, entering, rpc } from "@/net/session";
import type { Account } from "@/types";
import { setLanguage, type Language } from "@/words";

interface Choices {
    language?: string;
    timezone?: string;
}

const KEY = "vedette.unsent";
const AGAIN_MS = 1000;

/** Why the last choice did not come about or did not reach the account; null: nothing went wrong. */
export const choiceFailed: Signal<unknown> = signal(null);

function unsent(): Choices {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Choices;
    } catch {
        return {};
    }
}

function keep(choices: Choices): void {
    if (Object.keys(choices).length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(choices));
}

/** The account has it, or will not have it: what was chosen since then stays unsent. */
function settle(name: keyof Choices, value: string): void {
    const { [name]: now, ...rest } = unsent();
    if (now === value) keep(rest);
}

let sending = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends what is unsent, one after the other; what the line breaks under waits for the next sign-in of this page. */
async function send(): Promise<void> {
    if (sending) return;
    sending = true;
    clearTimeout(timer);
    try {
        for (let next = first(); next !== undefined && account.peek(); next = first()) await sendOne(...next);
    } catch (error) {
        if (error instanceof Refusal) timer = setTimeout(() => void send(), error.data.retry_after_ms ?? AGAIN_MS);
    } finally {
        sending = false;
    }
}

function first(): [keyof Choices, string] | undefined {
    return (Object.entries(unsent()) as [keyof Choices, string][])[0];
}

/** Throws only what a later try may mend. */
async function sendOne(name: keyof Choices, value: string): Promise<void> {
    const who = account.peek()?.name;
    try {
        const now = await rpc.call<Account>("account.set", { [name]: value }, { once: true });
        settle(name, value);
        if (account.peek()?.name === who) account.value = now;
    } catch (error) {
        if (!(error instanceof Refusal) || error.kind === "rate_limited") throw error;
        settle(name, value);
        choiceFailed.value = error;
    }
}

function choose(part: Choices): void {
    choiceFailed.value = null;
    if (account.peek() === null && !entering.peek()) return;
    keep({ ...unsent(), ...part });
    void send();
}

/** Shows a language, and keeps it in this browser and with the account. */
export async function chooseLanguage(code: Language): Promise<void> {
    try {
        await setLanguage(code);
    } catch (error) {
        choiceFailed.value = error;
        return;
    }
    change({ language: code });
    choose({ language: code });
}

/** Takes a time zone ("": the browser's) for what this browser shows and for the account. */
export function chooseZone(zone: string): void {
    change({ timezone: zone });
    choose({ timezone: zone === "" ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone });
}

/** Sends what is unsent whenever the account is there (anew with each connection); gives what ends it. */
export function followChoices(): () => void {
    const end = account.subscribe((who) => {
        if (who === null && !entering.peek()) keep({});
        else if (who) void send();
    });
    return () => {
        end();
        clearTimeout(timer);
    };
}

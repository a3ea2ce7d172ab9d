/** Who is signed in at this browser, and the one connection that everything uses. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { Refusal, Rpc } from "@/net/rpc";
import type { Account } from "@/types";

export interface Hello {
    name: string;
    version: string;
    protocol: string;
    games: string[];
    limits: Record<string, number>;
    time: number;
    receipt_key?: string;
}

const TOKEN = "vedette.token";

/** The account signed in, null: nobody, undefined: not known yet. */
export const account: Signal<Account | null | undefined> = signal(undefined);
/** What the daemon said of itself. */
export const hello: Signal<Hello | null> = signal(null);
/** The daemon was replaced by another version since this page was loaded. */
export const newerServer: Signal<boolean> = signal(false);
/** Daemon's clock minus this machine's, in milliseconds. */
export const clockSkew: Signal<number> = signal(0);

const heardAgain = new Set<() => void>();

function socketUrl(): string {
    return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}

async function greet(to: Rpc, again: boolean): Promise<void> {
    const said = await to.call<Hello>("server.hello", { client: "web" }, { first: true });
    if (hello.value !== null && hello.value.version !== said.version) newerServer.value = true;
    hello.value = said;
    clockSkew.value = said.time - Date.now();
    const token = localStorage.getItem(TOKEN);
    if (token === null) {
        account.value = null;
    } else {
        await resume(to, token);
    }
    if (again) for (const told of heardAgain) told();
}

async function resume(to: Rpc, token: string): Promise<void> {
    try {
        const result = await to.call<{ account: Account }>("account.resume", { token }, { first: true });
        account.value = result.account;
    } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.kind === "not_signed_in" || error.kind === "bad_credentials" || error.kind === "forbidden") {
            localStorage.removeItem(TOKEN);
            account.value = null;
        } else {
            throw error;
        }
    }
}

/** The connection. */
export const rpc = new Rpc(socketUrl(), greet);
export const online: ReadonlySignal<boolean> = computed(() => rpc.link.value.state === "open");

/** Runs after each reconnect, when the account is signed in again: watchers take up their matches. */
export function onReconnect(told: () => void): () => void {
    heardAgain.add(told);
    return () => heardAgain.delete(told);
}

interface SignedIn {
    account: Account;
    token: string;
}

/** A sign-in or a registration is under way. */
export const entering: Signal<boolean> = signal(false);

async function enter(answer: Promise<SignedIn>): Promise<Account> {
    entering.value = true;
    try {
        const result = await answer;
        localStorage.setItem(TOKEN, result.token);
        account.value = result.account;
        return result.account;
    } finally {
        entering.value = false;
    }
}

export interface Registration {
    name: string;
    password: string;
    email?: string;
    language?: string;
    timezone?: string;
}

/** Makes an account and signs it in; a Refusal says what is wrong with name or password. */
export function register(who: Registration): Promise<Account> {
    return enter(rpc.call<SignedIn>("account.register", { ...who }, { once: true }));
}

/** code: of the second factor; a Refusal with the reason "code" asks for it. */
export function login(name: string, password: string, code = ""): Promise<Account> {
    const factor = code === "" ? {} : { code };
    return enter(rpc.call<SignedIn>("account.login", { name, password, ...factor }, { once: true }));
}

/** Signs out. A line that breaks under it is waited for; who is not signed in any more by then is signed out. */
export async function logout(all = false): Promise<void> {
    try {
        await rpc.call("account.logout", all ? { all } : {});
    } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== "not_signed_in") throw error;
    }
    forget();
}

/** Drops the sign-in of this browser without asking the daemon. */
export function forget(): void {
    localStorage.removeItem(TOKEN);
    account.value = null;
}

/** Another tab signed in or out: this one follows. */
addEventListener("storage", (event) => {
    if (event.key === TOKEN) location.reload();
});

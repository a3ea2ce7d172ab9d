/** Web Push in this browser: asked for only by a press, kept with the account as a subscription. */
import { hello } from "@/net/session";
import type { Subscription } from "@/notices/types";
import { go } from "@/app/router";

/** no: the browser or the server cannot; denied: the reader said no to the browser. */
export type PushState = "no" | "denied" | "off" | "on";

export function pushKey(): string | undefined {
    return (hello.value as { notices?: { push_key?: string } } | null)?.notices?.push_key;
}

function able(): boolean {
    return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && pushKey() !== undefined;
}

/** Listens to the service worker: a pressed notice goes to its match in this window. */
export function followPresses(): void {
    if (!("serviceWorker" in navigator)) return;
    navigator.serviceWorker.addEventListener("message", (event: MessageEvent<{ go?: string }>) => {
        if (typeof event.data?.go === "string") go(event.data.go);
    });
}

async function registration(): Promise<ServiceWorkerRegistration> {
    await navigator.serviceWorker.register("/sw.js");
    return navigator.serviceWorker.ready;
}

/** The subscription of this browser, null: there is none. */
export async function present(): Promise<PushSubscription | null> {
    if (!able()) return null;
    const known = await navigator.serviceWorker.getRegistration("/");
    return known === undefined ? null : known.pushManager.getSubscription();
}

export async function pushState(subscribed: readonly Subscription[]): Promise<PushState> {
    if (!able()) return "no";
    if (Notification.permission === "denied") return "denied";
    const own = await present();
    return own !== null && subscribed.some((one) => one.endpoint === own.endpoint) ? "on" : "off";
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
    const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** Subscribes this browser; null: the reader did not allow it. */
export async function subscribe(): Promise<Subscription | null> {
    if ((await Notification.requestPermission()) !== "granted") return null;
    const at = await registration();
    const made = await at.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(pushKey() ?? "") });
    const { endpoint = "", keys = {} } = made.toJSON();
    return { endpoint, keys: { p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "" }, label: browserName() };
}

export async function unsubscribe(): Promise<string | null> {
    const own = await present();
    await own?.unsubscribe();
    return own?.endpoint ?? null;
}

/** What this browser calls itself, for the list of subscriptions. */
function browserName(): string {
    const brands = (navigator as { userAgentData?: { brands?: { brand: string }[]; platform?: string } }).userAgentData;
    const brand = brands?.brands?.find((one) => !/not.?a.?brand|chromium/i.test(one.brand))?.brand;
    const known = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent)?.[1];
    return [brand ?? known ?? "", brands?.platform ?? ""].filter((part) => part !== "").join(", ").slice(0, 60);
}

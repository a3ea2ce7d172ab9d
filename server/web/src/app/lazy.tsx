/** Parts of the page that are fetched when they are first needed. */
import { lazy as later, Suspense } from "preact/compat";
import type { ComponentType } from "preact";
import { rpc } from "@/net/session";

export { Suspense };

type Part<P> = { default: ComponentType<P> };

/**
 * Like compat's, but a part that cannot be fetched is no end: without a server it is asked for again when
 * the connection is back; one that a newer build no longer has reloads the page, once.
 */
export function lazy<P extends object>(load: () => Promise<Part<P>>): ComponentType<P> {
    return later(() => load().catch((error: unknown) => again(load, error))) as unknown as ComponentType<P>;
}

async function again<P>(load: () => Promise<Part<P>>, error: unknown): Promise<Part<P>> {
    if (!(await serverAnswers())) {
        await connection();
        return load().catch((second: unknown) => reload(second));
    }
    return reload(error);
}

/** A page is reloaded only from a server that is there: else the browser's own error would stand in its place. */
async function serverAnswers(): Promise<boolean> {
    try {
        return (await fetch("/healthz", { cache: "no-store" })).ok;
    } catch {
        return false;
    }
}

/** The next time that the connection is made. */
function connection(): Promise<void> {
    return new Promise((made) => {
        let was = rpc.link.peek();
        const end = rpc.link.subscribe((link) => {
            if (link === was || link.state !== "open") return;
            was = link;
            queueMicrotask(() => end());
            made();
        });
    });
}

function reload(error: unknown): never {
    if (sessionStorage.getItem("vedette.reloaded") === null) {
        sessionStorage.setItem("vedette.reloaded", "1");
        location.reload();
    }
    throw error;
}

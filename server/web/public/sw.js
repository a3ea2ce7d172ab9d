// The service worker: shows the notices that the server pushes, and opens their match when one is pressed. It keeps
// nothing and answers no requests: the page is always the server's own.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** What was pushed: {title, body, url, match?, kind}; never anything hidden. */
function read(data) {
    try {
        return data === null ? {} : data.json();
    } catch {
        return {};
    }
}

self.addEventListener("push", (event) => {
    const { title = "Vedette", body = "", url = "/", match, kind } = read(event.data);
    const shown = self.registration.showNotification(title, {
        body,
        // A newer one of the same match takes the place of the older.
        tag: match ?? kind ?? "vedette",
        icon: "/favicon-waiting.svg",
        badge: "/favicon.svg",
        data: { url },
    });
    event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    const there = new URL(event.notification.data?.url ?? "/", self.location.origin);
    const path = there.origin === self.location.origin ? there.pathname + there.search : "/";
    event.waitUntil(open(path));
});

/** A window that is open goes there; without one a window is opened. */
async function open(path) {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const same = windows.find((one) => new URL(one.url).pathname === path) ?? windows[0];
    if (same === undefined) return self.clients.openWindow(path);
    // A browser may refuse to bring it to the front; it goes there all the same.
    await same.focus().catch(() => {});
    if (new URL(same.url).pathname !== path) same.postMessage({ go: path });
    return undefined;
}

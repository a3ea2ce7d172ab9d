/** Parts of the page that are fetched when they are first needed. */
import { lazy as later, Suspense } from "preact/compat";
import type { ComponentType } from "preact";

export { Suspense };

/** Like compat's, but a part that a newer build no longer has reloads the page once instead of failing. */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
    return later(() =>
        load().catch((error: unknown) => {
            if (sessionStorage.getItem("vedette.reloaded") === null) {
                sessionStorage.setItem("vedette.reloaded", "1");
                location.reload();
            }
            throw error;
        }),
    ) as unknown as ComponentType<P>;
}

/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The words that only the terminal client says stay out of the page. */
const words: Plugin = {
    name: "vedette-words",
    enforce: "pre",
    transform(code, id) {
        if (!/\/schema\/words\/[a-z]+\.json$/.test(id)) return null;
        const all = Object.entries(JSON.parse(code) as Record<string, string>);
        const kept = all.filter(([key]) => !key.startsWith("cli."));
        return { code: JSON.stringify(Object.fromEntries(kept)), map: null };
    },
};

/** Where the figures of a game come from is for those who read its files. */
const figures: Plugin = {
    name: "vedette-figures",
    enforce: "pre",
    transform(code, id) {
        if (!/\/schema\/games\/[a-z]+\/(oob|tables)\.json$/.test(id)) return null;
        const bare = JSON.parse(code, (key, value: unknown) => (/^provenance/.test(key) ? undefined : value)) as unknown;
        return { code: JSON.stringify(bare), map: null };
    },
};

/**
 * The page is built into dist/ (or --outDir) with hashed names under assets/, so that the daemon can
 * have them cached for ever. `npm run dev` proxies to a daemon on VEDETTE_SERVER (default
 * http://127.0.0.1:1815), which must list the address of the page among its allowed origins.
 */
export default defineConfig({
    root: here("."),
    plugins: [words, figures, preact({ devToolsEnabled: false, prefreshEnabled: false, reactAliasesEnabled: false })],
    resolve: {
        alias: { "@": here("./src"), "@words": here("../../schema/words") },
    },
    build: {
        target: "es2022",
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 300,
    },
    server: {
        fs: { allow: [here("../..")] },
        proxy: {
            "/ws": { target: process.env.VEDETTE_SERVER ?? "http://127.0.0.1:1815", ws: true },
            "/games": process.env.VEDETTE_SERVER ?? "http://127.0.0.1:1815",
        },
    },
    // The limit is against hanging, not against a busy machine.
    test: { include: ["test/**/*.test.ts", "test/**/*.test.tsx"], environment: "node", testTimeout: 120000 },
});

/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import preact from "@preact/preset-vite";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The page is built into dist/ (or --outDir) with hashed names under assets/, so that the daemon can
 * have them cached for ever. `npm run dev` proxies to a daemon on VEDETTE_SERVER (default
 * http://127.0.0.1:1815), which must list the address of the page among its allowed origins.
 */
export default defineConfig({
    root: here("."),
    plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false, reactAliasesEnabled: false })],
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
    test: { include: ["test/**/*.test.ts", "test/**/*.test.tsx"], environment: "node" },
});

/**
 * Keeps the message catalogues of schema/words: one flat object a language, sorted by key.
 *
 *   node tools/words.mjs add FILE...     merges { "key": {"en": "…", "fr": "…", "ja": "…", "ru": "…", "zh": "…"}, … };
 *                                        - reads standard input. Languages left out keep what they have.
 *   node tools/words.mjs get KEY...      what stands there, in the same form
 *   node tools/words.mjs remove KEY...
 *   node tools/words.mjs rename OLD NEW
 *   node tools/words.mjs sort            writes all five sorted
 *   node tools/words.mjs check [unused]  what the test of the catalogues finds
 *
 * Each edit holds a lock, so that several may be made at the same time.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const languages = ["en", "fr", "ja", "ru", "zh"];
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = `${root}schema/words/`;

function read(code) {
    try {
        return JSON.parse(readFileSync(`${folder}${code}.json`, "utf8"));
    } catch (error) {
        if (error.code === "ENOENT") return {};
        throw error;
    }
}

function write(code, messages) {
    const sorted = {};
    for (const key of Object.keys(messages).sort()) sorted[key] = messages[key];
    const path = `${folder}${code}.json`;
    writeFileSync(`${path}.new`, `${JSON.stringify(sorted, null, 2)}\n`);
    renameSync(`${path}.new`, path);
}

/** Runs the edit with nobody else editing; edit gets the five catalogues by code. */
function locked(edit) {
    const lock = `${folder}.lock`;
    for (let tries = 0; ; tries++) {
        try {
            mkdirSync(lock);
            break;
        } catch (error) {
            if (error.code !== "EEXIST" || tries > 100) throw error;
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        }
    }
    try {
        const all = Object.fromEntries(languages.map((code) => [code, read(code)]));
        edit(all);
        for (const code of languages) write(code, all[code]);
    } finally {
        rmdirSync(lock);
    }
}

function add(all, more) {
    for (const [key, by] of Object.entries(more)) {
        if (!/^[a-z][A-Za-z0-9_.-]*$/.test(key)) throw new Error(`${key} is no key`);
        for (const [code, message] of Object.entries(by)) {
            if (!languages.includes(code)) throw new Error(`${key}: no language ${code}`);
            all[code][key] = message;
        }
        const missing = languages.filter((code) => all[code][key] === undefined);
        if (missing.length > 0) console.error(`${key}: not yet in ${missing.join(", ")}`);
    }
}

function main([what, ...rest]) {
    if (what === "add") {
        const files = rest.map((path) => JSON.parse(readFileSync(path === "-" ? 0 : path, "utf8")));
        locked((all) => files.forEach((more) => add(all, more)));
    } else if (what === "get") {
        const all = Object.fromEntries(languages.map((code) => [code, read(code)]));
        const found = rest.map((key) => [key, Object.fromEntries(languages.map((code) => [code, all[code][key]]))]);
        console.log(JSON.stringify(Object.fromEntries(found), null, 2));
    } else if (what === "remove") {
        locked((all) => languages.forEach((code) => rest.forEach((key) => delete all[code][key])));
    } else if (what === "rename") {
        const [from, to] = rest;
        locked((all) => languages.forEach((code) => {
            if (all[code][from] !== undefined) all[code][to] = all[code][from];
            delete all[code][from];
        }));
    } else if (what === "sort") {
        locked(() => undefined);
    } else if (what === "check") {
        process.exitCode = spawnSync("python3", [`${root}tests/words/check.py`, ...rest], { stdio: "inherit" }).status ?? 1;
    } else {
        console.error(readFileSync(fileURLToPath(import.meta.url), "utf8").split("*/")[0]);
        process.exitCode = 2;
    }
}

main(process.argv.slice(2));

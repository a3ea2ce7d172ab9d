// run.mjs --daemon VEDETTED --client VEDETTE [--pictures DIR] [NAME...]: the tests in a real browser.
// NAME: only tests whose name contains it. The last line is `N passed, N failed`.
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { closePages, Daemon, pictureAll, settings, shutdown, tests } from "./harness.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const wanted = [];
for (let i = 0; i < args.length; i++) {
    if (args[i].startsWith("--")) settings[args[i].slice(2)] = resolve(args[++i]);
    else wanted.push(args[i]);
}
settings.pictures ||= join(dirname(settings.daemon), "..", "pictures");

let passed = 0;
let failed = 0;

async function runOne({ name, body }, daemon) {
    const began = performance.now();
    let error;
    try {
        await body(daemon);
    } catch (thrown) {
        error = thrown;
        await pictureAll(name.replaceAll(/[^\w]+/g, "-"));
    }
    const problems = await closePages();
    if (error === undefined && problems.length > 0) error = new Error(`on the console: ${problems.join("\n")}`);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (error === undefined) passed++;
    else failed++;
    console.log(`${error === undefined ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
    if (error !== undefined) console.log(String(error.stack ?? error).replaceAll(/^/gm, "    "));
    for (const problem of error === undefined ? [] : problems) console.log(`    console: ${problem}`);
}

for (const file of readdirSync(here).filter((name) => name.endsWith(".spec.mjs")).sort()) {
    const first = tests.length;
    await import(pathToFileURL(join(here, file)).href);
    const chosen = tests.slice(first).filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
    if (chosen.length === 0) continue;
    const daemon = await new Daemon().start();
    for (const one of chosen) await runOne(one, daemon);
    await daemon.remove();
}
await shutdown();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

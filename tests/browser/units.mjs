// Runs the unit tests of the browser client (vitest) and says "N passed, N failed" as every suite does.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../server/web");
const report = join(tmpdir(), `vedette-units-${process.pid}.json`);
const vitest = join(web, "node_modules/vitest/vitest.mjs");
const done = spawnSync(process.execPath, [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], {
    cwd: web,
    stdio: "inherit",
});
const told = JSON.parse(readFileSync(report, "utf8"));
const failedFiles = told.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
console.log(`${told.numPassedTests} passed, ${told.numFailedTests + failedFiles} failed`);
process.exitCode = done.status ?? 1;

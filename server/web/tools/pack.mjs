// pack.mjs DIR: writes FILE.gz and FILE.br beside each text file of a built page where that is smaller.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXT = /\.(html|js|css|svg|json|txt|webmanifest)$/;
const LEAST_BYTES = 512;

function pack(folder) {
    for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) {
            pack(path);
            continue;
        }
        const bytes = readFileSync(path);
        if (!TEXT.test(name) || bytes.length < LEAST_BYTES) continue;
        const gzip = gzipSync(bytes, { level: 9 });
        const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        if (gzip.length < bytes.length) writeFileSync(`${path}.gz`, gzip);
        if (brotli.length < bytes.length) writeFileSync(`${path}.br`, brotli);
    }
}

pack(process.argv[2]);

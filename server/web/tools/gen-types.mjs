// Writes src/types/gen/: TypeScript types made from schema/, so that the page and the daemon cannot
// drift apart unseen. Run by `npm run build` and `npm run types`; the result is not kept in git.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const schemas = here("../../../schema/");
const out = here("../src/types/gen/");

/** A copy of the JSON value with $refs into OpenRPC components turned into local definitions. */
function localRefs(value) {
    if (Array.isArray(value)) return value.map(localRefs);
    if (value === null || typeof value !== "object") return value;
    const copy = {};
    for (const [key, item] of Object.entries(value)) {
        if (key.startsWith("x-")) continue;
        if (key === "$ref") copy.$ref = item.replace(/^#\/(components\/schemas|\$defs)\//, "#/definitions/");
        else copy[key === "$defs" ? "definitions" : key] = localRefs(item);
    }
    return copy;
}

/** Drops what a type cannot say and what would make thousands of union members. */
function simplify(value) {
    if (Array.isArray(value)) return value.map(simplify);
    if (value === null || typeof value !== "object") return value;
    const copy = {};
    for (const [key, item] of Object.entries(value)) {
        if (["minItems", "maxItems", "uniqueItems", "propertyNames", "pattern", "$id"].includes(key)) continue;
        copy[key] = simplify(item);
    }
    // TypeScript has no "all other members": an index signature would bind the named ones too.
    if (copy.properties !== undefined && typeof copy.additionalProperties === "object") copy.additionalProperties = true;
    return copy;
}

const options = {
    bannerComment: "/* Made from schema/ by tools/gen-types.mjs. */",
    additionalProperties: false,
    unreachableDefinitions: true,
    format: false,
    strictIndexSignatures: false,
};

async function write(name, schema) {
    const text = await compile(simplify(schema), name, options);
    writeFileSync(`${out}${name}.ts`, text);
}

const read = (path) => JSON.parse(readFileSync(schemas + path, "utf8"));
mkdirSync(out, { recursive: true });
const rpc = read("openrpc.json");
await write("wire", {
    title: "Wire",
    type: "object",
    definitions: localRefs(rpc.components.schemas),
});
for (const [game, title] of [["waterloo", "Waterloo"], ["austerlitz", "Austerlitz"]]) {
    for (const name of ["view", "position", "forms", "ask"]) {
        const schema = read(`games/${game}/${name}.schema.json`);
        delete schema.$ref; // the root of a page of definitions: they are what is wanted
        const local = localRefs(schema);
        local.title = `${title} ${name} page`;
        local.type ??= "object";
        await write(`${game}-${name}`, local);
    }
}
const methods = rpc.methods.map((method) => JSON.stringify(method.name)).sort();
writeFileSync(
    `${out}methods.ts`,
    `${options.bannerComment}\nexport const methods = [\n    ${methods.join(",\n    ")},\n] as const;\nexport type Method = (typeof methods)[number];\n`,
);

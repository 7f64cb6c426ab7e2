// Completes the static site after `vite build --mode site`: the module and its data, the service worker, the headers.
// Fails if the first load or the whole is larger than it may be.

import { createHash } from "node:crypto";
import { cpSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const site = process.argv[2];
if (!site) throw new Error("usage: finish.mjs FOLDER");
const FIRST_LOAD = 2 << 20;
const WHOLE = 30 << 20;

cpSync("../npm/data", join(site, "core"), { recursive: true });
cpSync("site/_headers", join(site, "_headers"));

const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(site, "/").length))
  .filter((name) => !["_headers", "sw.js", ".gitkeep"].includes(name))
  .sort();
const data = files.filter((name) => /^core\/(network|book|tables|puzzles)-/.test(name));
const shell = files.filter((name) => !data.includes(name));
const content = new Map(files.map((name) => [name, readFileSync(join(site, name))]));
const build = createHash("sha256");
for (const name of shell) build.update(name).update(content.get(name));
const constants = {
  __SHELL__: { build: build.digest("hex").slice(0, 12), files: ["./", ...shell] },
  __DATA__: data,
};
let worker = readFileSync("site/sw.js", "utf8");
for (const [name, value] of Object.entries(constants))
  worker = worker.replace(`"${name}"`, JSON.stringify(value));
writeFileSync(join(site, "sw.js"), worker);

const compressed = (names) => names.reduce((sum, name) => sum + gzipSync(content.get(name)).length, 0);
const [first, rest] = [compressed(shell), compressed(data)];
const megabytes = (bytes) => `${(bytes / (1 << 20)).toFixed(2)} MB`;
console.log(`first load ${megabytes(first)}, on demand ${megabytes(rest)}, compressed`);
if (first > FIRST_LOAD || first + rest > WHOLE) throw new Error("the site is too large");

// Runs iconv-lite's own tests against placemat/iconv-lite: `node web/tests/iconv-lite.suite.mjs FOLDER`, where FOLDER is the source of
// iconv-lite 0.6.3 as Debian has it (.ci/web fetches it; it is never committed). Compares the tests that fail with the list in
// iconv-lite.md, and fails if they differ.
import { describe, it, before, after } from "node:test";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { init } from "../package/src/index.js";
import iconv from "../package/src/iconv-lite.js";

await init({ all: true });
const folder = resolve(process.argv[2] ?? process.env.PLACEMAT_ICONV_LITE);
// The tests ask for `../`, and for its streams: they get ours.
globalThis.placematIconvLite = iconv;
writeFileSync(join(folder, "lib/index.js"), "module.exports = globalThis.placematIconvLite;\n");

const expected = new Map();
for (const [, name, reason] of readFileSync(new URL("iconv-lite.md", import.meta.url), "utf8").matchAll(/^\| `(.*?)` \| (.*?) \|$/gm)) {
  expected.set(name, reason);
}
const failed = [];
const passed = [];

const path = [];
function wrapped(name, body) {
  if (!body) return;
  const full = [...path, name].join(": ");
  it(full, { timeout: 20_000 }, async () => {
    const context = { timeout() {}, slow() {}, skip() {} };
    try {
      await (body.length > 0
        ? new Promise((go, fail) => body.call(context, (error) => (error ? fail(error) : go())))
        : body.call(context));
    } catch (error) {
      failed.push(full);
      if (!expected.has(full)) throw error;
      return;
    }
    passed.push(full);
    assert.ok(!expected.has(full), `${full} passes now: take it from iconv-lite.md`);
  });
}
wrapped.skip = () => {};
globalThis.it = wrapped;
globalThis.before = before;
globalThis.after = after;
globalThis.describe = (name, body) => {
  path.push(name);
  body.call({ timeout() {}, slow() {} });
  path.pop();
};
globalThis.describe.skip = () => {};

const require = createRequire(join(folder, "test/"));
describe("iconv-lite's own tests", () => {
  const left = [];
  for (const file of readdirSync(join(folder, "test")).filter((name) => name.endsWith("-test.js")).sort()) {
    const before = path.length;
    try {
      require(join(folder, "test", file));
    } catch (error) {
      if (error.code !== "MODULE_NOT_FOUND") throw error;
      path.length = before;
      left.push(`${file} needs ${/'(.*?)'/.exec(error.message)?.[1]}`);
    }
  }
  if (left.length > 0) console.error(`not run: ${left.join("; ")}`);
  after(() => console.error(`iconv-lite's own tests: ${passed.length} pass, ${failed.length} fail, ${[...failed].filter((name) => !expected.has(name)).length} of them unlisted`));
});

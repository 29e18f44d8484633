// Runs iconv-lite's own tests against placemat/iconv-lite: `node bindings/web/tests/iconv-lite.suite.mjs FOLDER`, where FOLDER is the source of
// iconv-lite 0.6.3 as Debian has it (.ci/web fetches it; it is never committed). Compares the tests that fail with the list in
// iconv-lite.md, and fails if they differ.
import { describe, it, before, after } from "node:test";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { init } from "../package/src/node.js";
import iconv from "../package/src/iconv-lite-node.js";

await init({ all: true });
const folder = resolve(process.argv[2] ?? process.env.PLACEMAT_ICONV_LITE);
// The tests require `../` and its streams: they get ours. Tests of whole charsets use the table of
// iconv-lite's encodings, which its package has.
const theirs = createRequire(import.meta.url)("iconv-lite");
theirs.encodingExists("utf8");
globalThis.placematIconvLite = Object.assign(Object.create(iconv), { encodings: theirs.encodings });
writeFileSync(join(folder, "lib/index.js"), "module.exports = globalThis.placematIconvLite;\n");

/** The rows of the list; `*` in a name matches anything, and `?` one character. */
const rows = [...readFileSync(new URL("iconv-lite.md", import.meta.url), "utf8").matchAll(/^\| `(.*?)` \| (.*?) \|$/gm)].map(([, name]) => {
  const parts = name.split("*").map((part) => part.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace("?", "."));
  return { pattern: new RegExp(`^${parts.join(".*")}$`), one: parts.length === 1 };
});
/** Returns the rows that match a test. */
const listed = (name) => rows.filter(({ pattern }) => pattern.test(name));
class Skipped extends Error {}
const failed = [];
const passed = [];
const skipped = [];

const path = [];
function wrapped(name, body) {
  if (!body) return;
  const full = [...path, name].join(": ");
  it(full, { timeout: 20_000 }, async () => {
    const context = {
      timeout() {},
      slow() {},
      skip() {
        throw new Skipped();
      },
    };
    try {
      await (body.length > 0
        ? new Promise((go, fail) => body.call(context, (error) => (error ? fail(error) : go())))
        : body.call(context));
    } catch (error) {
      // These tests compare with the package `iconv`, which does not build everywhere, and does not
      // know every encoding.
      if (error instanceof Skipped || (error.code === "MODULE_NOT_FOUND" && /'iconv'/.test(error.message))) return skipped.push(full);
      failed.push(full);
      if (listed(full).length === 0) throw error;
      return;
    }
    passed.push(full);
    assert.ok(!listed(full).some(({ one }) => one), `${full} passes now: take it from iconv-lite.md`);
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
  after(() => console.error(`iconv-lite's own tests: ${passed.length} pass, ${skipped.length} skipped, ${failed.length} fail, ${[...failed].filter((name) => listed(name).length === 0).length} of them unlisted`));
});

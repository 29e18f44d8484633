// The examples in JavaScript of the book and of the package's README.
import test from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";

const source = (name) => new URL(`../package/src/${name}.js`, import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), "placemat-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

const docs = new URL("../../../docs/", import.meta.url);
const pages = readdirSync(docs, { recursive: true }).filter((name) => name.endsWith(".md"));
const files = [...pages.map((name) => new URL(name, docs)), new URL("../package/README.md", import.meta.url)];
let all = 0;
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)];
  all += examples.length;
  examples.forEach(([, example], i) => {
    test(`${file.pathname.split("/").slice(-2).join("/")}, example ${i + 1}`, () => {
      const program = example.replaceAll('"placemat"', `"${source("node")}"`).replaceAll('"placemat/iconv-lite"', `"${source("iconv-lite-node")}"`).replaceAll('"placemat/utf8"', `"${source("utf8")}"`);
      const path = join(folder, "example.mjs");
      writeFileSync(path, program);
      const { status, stderr } = spawnSync(process.execPath, [path], { encoding: "utf8" });
      assert.equal(status, 0, stderr);
    });
  });
}
assert.ok(all >= 9, String(all));

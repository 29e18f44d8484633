// The examples of docs/guides/javascript.md and of the package's README.
import test from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";

const source = (name) => new URL(`../package/src/${name}.js`, import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), "placemat-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

for (const file of ["../../../docs/guides/javascript.md", "../package/README.md"]) {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)];
  assert.ok(examples.length > 0);
  examples.forEach(([, example], i) => {
    test(`${file}, example ${i + 1}`, () => {
      const program = example.replaceAll('"placemat"', `"${source("index")}"`).replaceAll('"placemat/iconv-lite"', `"${source("iconv-lite")}"`);
      const path = join(folder, "example.mjs");
      writeFileSync(path, program);
      const { status, stderr } = spawnSync(process.execPath, [path], { encoding: "utf8" });
      assert.equal(status, 0, stderr);
    });
  });
}

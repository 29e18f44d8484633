// Loading: explicit, once, with clear errors; and the behavior if WebAssembly fails.
import test from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** Runs a module in a separate Node process. */
function run(source, ...flags) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, "--input-type=module", "--eval", source], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}
const url = (name) => JSON.stringify(new URL(`../package/${name}`, import.meta.url).href);
const message = "const message = async (call) => { try { await call(); return 'no error'; } catch (error) { return error.message; } };";
const head = `import * as placemat from ${url("src/node.js")}; ${message}`;
// The entry for browsers, whose first module needs no fetch.
const web = `import * as placemat from ${url("src/index.js")}; ${message}`;

test("in Node, each call loads what it needs", () => {
  const source = `${head} const found = [placemat.loaded(), placemat.decode(Uint8Array.of(200), "koi8-r"), placemat.loaded()];
    found.push(placemat.decode(Uint8Array.of(0x82, 0xa0), "shift_jis"), placemat.loaded(), placemat.repair("cafÃ©").text, placemat.loaded());
    await placemat.init({ all: true }); await placemat.load("big5"); console.log(...found);`;
  assert.equal(run(source), "undefined х base あ all café detect");
});

test("require gives the same, at once", () => {
  const source = `import { createRequire } from "node:module"; const require = createRequire(${url("package.json")});
    console.log(require("placemat").decode(Uint8Array.of(0xc3, 0xa9)), require("placemat/iconv-lite").encode("é", "latin1").toString("hex"), require("placemat/utf8").isValid(Uint8Array.of(0xff)));`;
  assert.equal(run(source), "é e9 false");
});

test("in browsers nothing works before init, and the error says so", () => {
  assert.match(run(`${web} console.log(await message(() => placemat.decode(new Uint8Array(1))))`), /await init\(\)/);
  assert.match(run(`${web} console.log(await message(() => new placemat.TextDecoder("koi8-r").decode(Uint8Array.of(200))))`), /await init\(\)/);
});

test("labels of the second module say what to load, and a module may be passed", () => {
  const source = `${web} import { readFileSync } from "node:fs"; await placemat.init();
    console.log(placemat.loaded(), await message(() => placemat.decode(Uint8Array.of(0x82, 0xa0), "shift_jis")));
    await placemat.load("koi8-r"); console.log(placemat.loaded());
    await placemat.load("shift_jis", { module: readFileSync(new URL(${url("dist/all.bin")})) }); console.log(placemat.loaded(), placemat.decode(Uint8Array.of(0x82, 0xa0), "shift_jis"));`;
  assert.match(run(source), /^base shift_jis is in another module: call and await load\('shift_jis'\).*\nbase\nall あ$/);
});

test("the first module tells errors in the words of the library", () => {
  const error = (label, bytes) => `console.log(await message(() => placemat.decode(Uint8Array.of(${bytes}), "${label}", { errors: "fatal" })));`;
  const source = `${head} await placemat.init(); ${error("utf-8", "0x61, 0xe0, 0x80")} ${error("utf-16le", "0x3d, 0xd8, 0x61, 0")} ${error("ucs-4be", "0xff, 0, 0, 1")}`;
  assert.deepEqual(run(source).split("\n"), [
    "overlong sequence 0xe0 0x80 at offset 1",
    "unpaired leading surrogate 0x3d 0xd8 at offset 0",
    "value out of range 0xff 0x00 0x00 0x01 at offset 0",
  ]);
});

test("a decoder goes on when another module comes", () => {
  const source = `${head} await placemat.init(); const decoder = new placemat.TextDecoder("utf-8");
    let text = decoder.decode(Uint8Array.of(0xe3, 0x81), { stream: true }); await placemat.init({ all: true });
    console.log(text + decoder.decode(Uint8Array.of(0x82)));`;
  assert.equal(run(source), "あ");
});

test("init is called twice, and at once", () => {
  assert.equal(run(`${head} await Promise.all([placemat.init(), placemat.init({ all: true }), placemat.init()]); console.log(placemat.loaded())`), "all");
});

test("without a fetch and a file, the first module is there", () => {
  assert.equal(run(`globalThis.fetch = () => { throw new Error("fetched") }; ${web} await placemat.init(); console.log(placemat.decode(Uint8Array.of(0x80), "windows-1252"))`), "€");
});

test("without WebAssembly, and where a policy forbids it, the error says so", () => {
  assert.match(run(`delete globalThis.WebAssembly; ${head} console.log(await message(() => placemat.init()))`), /needs WebAssembly/);
  assert.match(run(`WebAssembly.validate = () => false; ${head} console.log(await message(() => placemat.decode(Uint8Array.of(200), "koi8-r")))`), /needs WebAssembly with simd128/);
  assert.match(
    run(`const { compile } = WebAssembly; WebAssembly.compile = async (bytes) => { if (bytes.byteLength < 200_000) return compile(bytes); throw new WebAssembly.CompileError("WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script in the following Content Security Policy directive") }; ${web} console.log(await message(() => placemat.init()))`),
    /wasm-unsafe-eval/,
  );
});

test("a failed load can be tried again", () => {
  const source = `${head} const failed = await message(() => placemat.init({ all: true, from: new URL("file:///nowhere/") })); await placemat.init({ all: true }); console.log(/ENOENT/.test(failed), placemat.loaded())`;
  assert.equal(run(source), "true all");
});

test("an instance that fails is replaced; its converters say so", () => {
  const source = `${head} import { moduleOf } from ${JSON.stringify(new URL("../package/src/load.js", import.meta.url).href)};
    await placemat.init(); const decoder = new placemat.TextDecoder("utf-16be"); decoder.decode(Uint8Array.of(0xe3), { stream: true });
    const failed = await message(() => moduleOf().run((calls) => calls.convert_piece(0xfffffff0, 0, 1, 0, 1, 0)));
    console.log(failed.split(";")[0] + "|" + await message(() => decoder.decode(Uint8Array.of(0x81), { stream: true })) + "|" + placemat.decode(Uint8Array.of(0x80), "windows-1252"));
    console.log(new placemat.TextDecoder().decode(Uint8Array.of(0xc3, 0xa9)), decoder.decode(), decoder.decode(Uint8Array.of(0xc3, 0xa9)));`;
  const lines = run(source).split("\n");
  assert.match(lines[0], /^the WebAssembly module failed\|the conversion is over: its WebAssembly instance failed\|€$/);
});

test("detection", () => {
  const source = `${web} import { readFileSync } from "node:fs"; await placemat.init(); console.log(await message(() => placemat.detect(new Uint8Array(1))));
    await placemat.init({ detect: true, module: readFileSync(new URL(${url("dist/detect.bin")})) }); const found = placemat.detect(placemat.encode("毎朝、年老いた郵便配達は川に沿って歩く。", "shift_jis")); console.log(found.verdict, found.encoding, found.language);
    console.log((await placemat.detect(new Blob([new TextEncoder().encode("naïve café")]))).encoding);`;
  const lines = run(source).split("\n");
  assert.match(lines[0], /init\(\{ detect: true \}\)/);
  assert.equal(lines[1], "text shift_jis ja");
  assert.equal(lines[2], "utf-8");
});

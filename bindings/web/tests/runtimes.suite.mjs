// The package as npm packs it, installed and used in Node, Deno and Bun, and in Chromium through
// each bundler, in a separate folder, whose programs `tests/runtimes/package.json` names. Programs
// that are not available are named and not tested.
import test from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { browse } from "./browser.mjs";

const tests = new URL("runtimes/", import.meta.url);
const folder = new URL("../target/runtimes/", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, folder));
const bin = (name) => path(`node_modules/.bin/${name}`);
const FOUND = "café €日本 1 overlong-2 你";
const MAX_INSTALLED_BYTES = 4_000_000;
const MAX_VALIDATOR_BYTES = 60_000;

function run(program, ...args) {
  const { stdout, stderr, status, error } = spawnSync(program, args, { cwd: path("."), encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0, `${program} ${args.join(" ")}: ${error ?? ""} ${stderr}`);
  return stdout.trim();
}

mkdirSync(folder, { recursive: true });
cpSync(new URL("package.json", tests), new URL("package.json", folder));
const packed = (name) => `./${[JSON.parse(run("npm", "pack", "--json", "--silent", fileURLToPath(new URL(`../${name}`, import.meta.url))))].flat()[0].filename}`;
const programs = spawnSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund"], { cwd: path("."), encoding: "utf8", timeout: 180_000 });
if (programs.status !== 0) console.error(`\n**** DENO, BUN AND THE BUNDLERS CANNOT BE HAD, so the package is NOT tested in them ****\n${programs.stderr}`);
run("npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--offline", packed("package"), `iconv-lite@${packed("iconv-lite")}`);
writeFileSync(new URL("use.mjs", folder), readFileSync(new URL("use.mjs", tests)));
writeFileSync(new URL("hello.mjs", folder), `import { decode, init } from "placemat";\nglobalThis.found = init().then(() => decode(Uint8Array.of(0x35, 0x20, 0x80), "windows-1252"));\n`);
writeFileSync(new URL("valid.mjs", folder), `import { isValid } from "placemat/utf8";\nglobalThis.found = [isValid(Uint8Array.of(0xc3, 0xa9)), isValid(Uint8Array.of(0xc3))];\n`);

test("the installed package is small, and has each module once", () => {
  const at = path("node_modules/placemat");
  const files = readdirSync(at, { recursive: true }).filter((name) => statSync(`${at}/${name}`).isFile());
  const size = files.reduce((sum, name) => sum + statSync(`${at}/${name}`).size, 0);
  console.error(`installed: ${size} bytes`);
  assert.ok(size <= MAX_INSTALLED_BYTES, `${size} bytes`);
  assert.deepEqual(files.filter((name) => name.startsWith("dist")).sort(), ["dist/all.bin", "dist/base.js", "dist/detect.bin", "dist/names.js"]);
});

test("npx placemat", () => {
  writeFileSync(new URL("menu.txt", folder), Buffer.from("Ñåãîäíÿ â ìåíþ: áîðù, ïåëüìåíè.\n", "latin1"));
  writeFileSync(new URL("broken.txt", folder), Buffer.concat([Buffer.from("é\nab "), Buffer.of(0xc0, 0xaf)]));
  const placemat = (...args) => {
    const { stdout, stderr, status } = spawnSync("npx", ["--offline", "placemat", ...args], { cwd: path("."), encoding: "utf8" });
    return [status, stdout, stderr];
  };
  assert.deepEqual(placemat("convert", "-f", "windows-1251", "menu.txt"), [0, "Сегодня в меню: борщ, пельмени.\n", ""]);
  assert.deepEqual(placemat("convert", "-f", "windows-1251", "-t", "koi8-r", "-o", "koi.txt", "menu.txt"), [0, "", ""]);
  assert.equal(new TextDecoder("koi8-r").decode(readFileSync(new URL("koi.txt", folder))), "Сегодня в меню: борщ, пельмени.\n");
  assert.match(placemat("detect", "menu.txt")[1], /^menu\.txt: windows-1251 {2}\d\.\d\d {2}ru\n$/);
  const [status, found] = placemat("check", "broken.txt", "use.mjs");
  assert.equal(status, 1);
  assert.match(found, /^broken\.txt:2:4: overlong sequence 0xc0 0xaf at byte 6: two bytes.*\nbroken\.txt:2:5: /);
  assert.equal(placemat("convert", "-f", "utf-8", "broken.txt")[0], 1);
  writeFileSync(new URL("twice.txt", folder), "cafÃ©");
  assert.deepEqual(placemat("repair", "twice.txt"), [0, "café", "placemat: twice.txt: 1 change\n"]);
  assert.equal(placemat("convert", "-f", "utf9", "menu.txt")[0], 2);
  assert.equal(placemat("check", "no\u202efile")[2].includes("\u202e"), false);
  assert.deepEqual(placemat("--nonsense")[0], 2);
});

test("placemat-iconv-lite takes the place of iconv-lite", () => {
  const source = `const iconv = require("iconv-lite"); iconv.skipDecodeWarning = true; console.log(iconv.decode(Buffer.from([0xef, 0xf0]), "win1251"), iconv.encodingExists("utf9"));`;
  assert.equal(run(process.execPath, "--input-type=commonjs", "--eval", source), "пр false");
});

const runtimes = { node: [process.execPath], deno: [bin("deno"), "run", "--allow-read", "--no-lock"], bun: [bin("bun")] };
for (const [runtime, [program, ...args]] of Object.entries(runtimes)) {
  test(`in ${runtime}`, { skip: existsSync(program) ? false : `there is no ${runtime}` }, () => {
    assert.equal(run(program, ...args, "use.mjs"), FOUND);
  });
}

/** Bundles a program into a folder, as `out.js`. */
const bundlers = {
  async esbuild(entry, outdir) {
    const { build } = await load("esbuild");
    await build({ entryPoints: { out: entry }, outdir, bundle: true, format: "esm", splitting: true, external: ["node:*"], logLevel: "error" });
    return "beside";
  },
  async rollup(entry, dir) {
    const [{ rollup }, { nodeResolve }] = [await load("rollup"), await load("@rollup/plugin-node-resolve")];
    const bundle = await rollup({ input: entry, plugins: [nodeResolve({ browser: true })], external: [/^node:/] });
    await bundle.write({ dir, format: "es", entryFileNames: "out.js" });
    await bundle.close();
    return "beside";
  },
  async webpack(entry, dir) {
    const { default: webpack } = await load("webpack");
    const options = { mode: "production", entry, experiments: { outputModule: true }, output: { path: dir, filename: "out.js", module: true } };
    const stats = await new Promise((go, fail) => webpack(options, (error, stats) => (error ? fail(error) : go(stats))));
    assert.ok(!stats.hasErrors(), stats.toString({ all: false, errors: true }));
  },
  async vite(entry, outDir) {
    const { build } = await load("vite");
    await build({
      root: path("."), base: "./", logLevel: "error", configFile: false,
      build: { outDir, emptyOutDir: true, target: "esnext", rollupOptions: { input: entry, output: { entryFileNames: "out.js" } } },
    });
  },
};

/** A package that is installed in the folder. */
async function load(name) {
  const { createRequire } = await import("node:module");
  const { exports, module, main } = JSON.parse(readFileSync(path(`node_modules/${name}/package.json`), "utf8"));
  const pick = (at) => (typeof at === "object" && at !== null ? pick(at.import ?? at.default ?? at["."] ?? at.node) : at);
  const file = pick(exports?.["."] ?? exports) ?? module ?? main ?? createRequire(path("x.js")).resolve(name);
  return import(new URL(`node_modules/${name}/${file.replace(/^\.\//, "")}`, folder).href);
}

const site = programs.status === 0 ? await browse(folder) : undefined;
test.after(() => site?.close());
const skip = site ? false : "there is no Chromium, or no bundler";

/** Loads a script into a page, and returns what it found. */
async function foundBy(url, type = "module") {
  const page = await site.page("/strict");
  await page.addScriptTag({ url, type });
  const found = await page.evaluate(() => globalThis.found);
  await page.close();
  return found;
}

for (const [bundler, bundle] of Object.entries(bundlers)) {
  test(`${bundler}, in Chromium`, { skip }, async () => {
    const to = `bundled/${bundler}`;
    const modules = await bundle(path("use.mjs"), path(to));
    // esbuild and rollup leave the addresses of files unchanged, so the files are copied to those
    // addresses.
    if (modules === "beside") cpSync(path("node_modules/placemat/dist"), path("bundled/dist"), { recursive: true });
    assert.equal(await foundBy(`/${to}/out.js`), FOUND);
  });
}

/** Bundles a program as the bundler does without any option; returns the path of the script. */
const plainly = {
  async esbuild(name) {
    const outfile = `bundled/plain-esbuild/${name}.js`;
    await (await load("esbuild")).build({ entryPoints: [path(`${name}.mjs`)], outfile: path(outfile), bundle: true, minify: true, logLevel: "error" });
    return outfile;
  },
  async webpack(name) {
    const { default: webpack } = await load("webpack");
    const options = { mode: "production", entry: path(`${name}.mjs`), output: { path: path(`bundled/plain-webpack-${name}`) } };
    const stats = await new Promise((go, fail) => webpack(options, (error, stats) => (error ? fail(error) : go(stats))));
    assert.ok(!stats.hasErrors(), stats.toString({ all: false, errors: true }));
    return `bundled/plain-webpack-${name}/main.js`;
  },
  async vite(name) {
    const root = path(`vite-${name}`);
    mkdirSync(root, { recursive: true });
    writeFileSync(`${root}/index.html`, `<!doctype html><script type="module" src="/main.js"></script>\n`);
    cpSync(path(`${name}.mjs`), `${root}/main.js`);
    const { build } = await load("vite");
    await build({ root, base: `/vite-${name}/dist/`, logLevel: "error", configFile: false });
    const main = readdirSync(`${root}/dist/assets`).find((file) => file.startsWith("index-"));
    return `vite-${name}/dist/assets/${main}`;
  },
};
for (const [bundler, bundle] of Object.entries(plainly)) {
  const type = bundler === "vite" ? "module" : "";
  test(`${bundler} without options, in Chromium`, { skip }, async () => {
    assert.equal(await foundBy(`/${await bundle("hello")}`, type), "5 €");
    const valid = await bundle("valid");
    assert.deepEqual(await foundBy(`/${valid}`, type), [true, false]);
    const { size } = statSync(new URL(valid, folder));
    console.error(`${bundler}: isValid takes ${size} bytes`);
    assert.ok(size <= MAX_VALIDATOR_BYTES, `${size} bytes`);
  });
}

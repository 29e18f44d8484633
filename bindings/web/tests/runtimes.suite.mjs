// The package as npm packs it, installed and used in Node, Deno and Bun, and in Chromium through
// each bundler, in a separate folder, whose programs `tests/runtimes/package.json` names. Programs
// that are not available are named and not tested.
import test from "node:test";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { browse } from "./browser.mjs";

const tests = new URL("runtimes/", import.meta.url);
const folder = new URL("../target/runtimes/", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, folder));
const bin = (name) => path(`node_modules/.bin/${name}`);
const FOUND = "café €日本 1 overlong-2 你";
const NAMES = ["placemat", "placemat/inline"];
const fileOf = (name) => `use-${name.replace("/", "-")}.mjs`;

function run(program, ...args) {
  const { stdout, stderr, status, error } = spawnSync(program, args, { cwd: path("."), encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0, `${program} ${args.join(" ")}: ${error ?? ""} ${stderr}`);
  return stdout.trim();
}

mkdirSync(folder, { recursive: true });
cpSync(new URL("package.json", tests), new URL("package.json", folder));
const pack = JSON.parse(run("npm", "pack", "--json", "--silent", fileURLToPath(new URL("../package", import.meta.url))));
const programs = spawnSync("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund"], { cwd: path("."), encoding: "utf8", timeout: 180_000 });
if (programs.status !== 0) console.error(`\n**** DENO, BUN AND THE BUNDLERS CANNOT BE HAD, so the package is NOT tested in them ****\n${programs.stderr}`);
run("npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--offline", `./${[pack].flat()[0].filename}`);
for (const name of NAMES) {
  writeFileSync(new URL(fileOf(name), folder), readFileSync(new URL("use.mjs", tests), "utf8").replace('"FROM"', JSON.stringify(name)));
}

const runtimes = { node: [process.execPath], deno: [bin("deno"), "run", "--allow-read", "--no-lock"], bun: [bin("bun")] };
for (const [runtime, [program, ...args]] of Object.entries(runtimes)) {
  for (const name of NAMES) {
    test(`${runtime}: ${name}`, { skip: existsSync(program) ? false : `there is no ${runtime}` }, () => {
      assert.equal(run(program, ...args, fileOf(name)), FOUND);
    });
  }
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
for (const [bundler, bundle] of Object.entries(bundlers)) {
  for (const name of NAMES) {
    test(`${bundler}, in Chromium: ${name}`, { skip: site ? false : "there is no Chromium, or no bundler" }, async () => {
      const to = `bundled/${bundler}-${name.replace("/", "-")}`;
      const modules = await bundle(path(fileOf(name)), path(to));
      // esbuild and rollup leave the addresses of files unchanged, so the files are copied to those
      // addresses.
      if (modules === "beside") cpSync(path("node_modules/placemat/dist"), path("bundled/dist"), { recursive: true });
      const page = await site.page("/strict");
      const found = await page.evaluate(async (at) => (await import(at), globalThis.found), `/${to}/out.js`);
      assert.equal(found, FOUND);
      await page.close();
    });
  }
}

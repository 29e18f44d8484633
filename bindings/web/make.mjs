// Makes the files of package/dist from the modules in target/modules: the facts about the encodings, the first module as text in
// JavaScript, which every bundler takes, and the others compressed (zlib). Copies the licenses into the package. Prints the
// sizes; with `--brotli`, also those after compression by brotli.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, deflateSync } from "node:zlib";

const modules = new URL("target/modules/", import.meta.url);
const dist = new URL("package/dist/", import.meta.url);
const read = (name) => readFileSync(new URL(`${name}.wasm`, modules));
const exportsOf = (name) => new WebAssembly.Instance(new WebAssembly.Module(read(name))).exports;

// The numbers of the first module are the first of the others.
const base = exportsOf("base").encodings();
const all = exportsOf("all");
const report = (length) => JSON.parse(new TextDecoder().decode(new Uint8Array(all.memory.buffer, all.report(), length)));
const facts = report(all.facts());
const others = report(all.no_encodings());
const rows = facts.map(([name, labels, web, ...rest]) => JSON.stringify([name, labels.join("\n"), web.join("\n"), ...rest]));
writeFileSync(
  new URL("names.js", dist),
  `// The facts about each encoding: name, labels, labels of the web, description, documents, repertoire, longest code point in
// bytes, whether ASCII is ASCII, signature. Made by bindings/web/make.mjs.
export const BASE = ${base};
export const FACTS = [
${rows.join(",\n")},
];
// Names that are not encodings: what each is, and what to use.
export const NO_ENCODINGS = [
${others.map((pair) => JSON.stringify(pair)).join(",\n")},
];
`,
);

for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  for (const folder of ["package", "iconv-lite"]) {
    copyFileSync(new URL(`../../${name}`, import.meta.url), new URL(`${folder}/${name}`, import.meta.url));
  }
}

/** Compresses by brotli, which takes seconds, so only with `--brotli`. */
function brotli(bytes) {
  if (!process.argv.includes("--brotli")) return "";
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return `, brotli ${brotliCompressSync(bytes, { params }).length}`;
}

for (const name of ["base", "all", "detect"]) {
  if (!existsSync(new URL(`${name}.wasm`, modules))) continue;
  const bytes = read(name);
  const small = deflateSync(bytes, { level: 9 });
  if (name === "base") {
    const text = `// The first module, compressed (zlib) and in base64. Made by bindings/web/make.mjs.\nexport default "${small.toString("base64")}";\n`;
    writeFileSync(new URL("base.js", dist), text);
  } else {
    writeFileSync(new URL(`${name}.bin`, dist), small);
  }
  console.log(`${name}: ${bytes.length} bytes, compressed ${small.length}${brotli(bytes)}`);
}

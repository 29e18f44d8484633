// Makes the JavaScript in dist from the modules there: the facts about the encodings, and the modules as text for
// `placemat/inline`. Copies the licenses there. Prints the sizes; with `--brotli`, also those after compression by brotli.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";

const dist = new URL("package/dist/", import.meta.url);
const read = (name) => readFileSync(new URL(name, dist));
const first = (...names) => names.find((name) => existsSync(new URL(name, dist)));
const exportsOf = (name) => new WebAssembly.Instance(new WebAssembly.Module(read(name))).exports;

// The numbers of the first module are the first of the others.
const base = exportsOf(first("base.simd.wasm", "base.wasm")).encodings();
const all = exportsOf(first("all.simd.wasm", "all.wasm"));
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
  copyFileSync(new URL(`../../${name}`, import.meta.url), new URL(`package/${name}`, import.meta.url));
}

/** Compresses by brotli, which takes seconds, so only with `--brotli`. */
function brotli(bytes) {
  if (!process.argv.includes("--brotli")) return "";
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return `, brotli ${brotliCompressSync(bytes, { params }).length}`;
}

for (const file of readdirSync(dist).filter((file) => file.endsWith(".wasm")).sort()) {
  const bytes = read(file);
  const small = deflateSync(bytes, { level: 9 });
  writeFileSync(
    new URL(file.replace(/wasm$/, "js"), dist),
    `// ${file}, compressed (zlib) and in base64. Made by bindings/web/make.mjs.\nexport default "${small.toString("base64")}";\n`,
  );
  console.log(`${file}: ${bytes.length} bytes, gzip ${gzipSync(bytes, { level: 9 }).length}${brotli(bytes)}`);
}

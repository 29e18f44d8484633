// Packs the engine for the book: book.mjs FOLDER writes FOLDER/engine.js.
//
// A page that is opened from a disk may load scripts and nothing else, so the module is text in a
// script. The script is UTF-16, which its byte order mark declares wherever it is served from: a
// code unit carries 15 bits, where one of base64 in UTF-8 carries 6 of 8.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';

const folder = process.argv[2];
const source = (path) => readFileSync(new URL(`source/${path}`, import.meta.url), 'utf8');

/** The first of the 32,768 code units that carry bits, all of which are below the surrogates. */
const FIRST = 0x3400;

function units(bytes) {
  const out = [];
  let [held, count] = [0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    count += 8;
    if (count >= 15) {
      count -= 15;
      out.push(String.fromCharCode(FIRST + (held >> count)));
      held &= (1 << count) - 1;
    }
  }
  if (count) out.push(String.fromCharCode(FIRST + (held << (15 - count))));
  return out.join('');
}

const packed = gzipSync(readFileSync(new URL('dist/engine.wasm', import.meta.url)), { level: 9 });
const parts = ['app/glyphs.js', 'app/roles.js', 'worker/engine.js'].map(source).join('\n');
const script = `globalThis.placematEngine = (() => {
${parts}
return { ROLES, roleOf, glyph, startEngine };
})();
globalThis.placematEngine.bytes = ${packed.length};
globalThis.placematEngine.units = "${units(packed)}";
`;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'engine.js'), `\uFEFF${script}`, 'utf16le');

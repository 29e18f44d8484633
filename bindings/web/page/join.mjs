// Joins the sources and the engine into dist/placemat.html: one file that needs nothing else.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const here = (path) => new URL(path, import.meta.url);
const source = (path) => readFileSync(here(`source/${path}`), 'utf8');
const all = (folder, names) => names.map((name) => source(`${folder}/${name}`)).join('\n');

const style = all('style', ['colours.css', 'base.css', 'layout.css', 'grid.css', 'parts.css']);
// The worker reads long texts in the same forms as the page.
const worker = [all('app', ['dom.js', 'glyphs.js', 'forms.js']), all('worker', ['engine.js', 'source.js', 'jobs.js', 'main.js'])].join('\n');
const app = all('app', [
  'dom.js', 'glyphs.js', 'forms.js', 'client.js', 'cases.js', 'state.js', 'roles.js', 'pages.js', 'grid.js', 'details.js',
  'decoded.js', 'fix.js', 'findings.js', 'encodings.js', 'convert.js', 'enter.js', 'main.js',
]);
// The worker is made from the source of a function, so that the page can run the same code itself.
const script = `"use strict";(() => {\nfunction engineRoom(scope) {\n${worker}\nserve(scope);\n}\n${app}\n})();\n`;
if (/<\/script|<!--/i.test(script)) throw new Error('the script must not contain the end of its element');
const engine = gzipSync(readFileSync(here('dist/engine.wasm')), { level: 9 }).toString('base64');

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  'img-src data:',
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Two bytes of one character, in the colors of the page.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#fbfaf6"/><rect x="2" y="3" width="3" height="10" rx="1" fill="#d08a1d"/>${[6, 9, 12].map((x) => `<rect x="${x}" y="3" width="2" height="10" rx="1" fill="#3f7dc0"/>`).join('')}</svg>`;
const parts = { ICON: `data:image/svg+xml,${encodeURIComponent(icon)}`, POLICY: policy, STYLE: style, SCRIPT: script, ENGINE: engine };
const page = source('page.html').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(here('dist/placemat.html'), page);
console.log(`dist/placemat.html: ${(page.length / 1e6).toFixed(2)} MB, of which the engine ${(engine.length / 1e6).toFixed(2)}`);

// Speed of the package beside the platform's and iconv-lite's, in one run over the same bytes: the
// shortest time of many rounds, in turns. `node bindings/web/bench/run.mjs [MS]`: milliseconds for
// each row and peer. iconv-lite must be installed (see .ci/web); its column is empty without it.
// Prints a table in Markdown.
import { createRequire } from "node:module";
import buffer from "node:buffer";
import * as placemat from "../package/src/node.js";
import { SAMPLES, fill } from "./texts.mjs";

const require = createRequire(new URL("../node_modules/", import.meta.url));
let iconv;
try {
  iconv = require("iconv-lite");
} catch {
  console.error("iconv-lite is not installed: its columns stay empty");
}
await placemat.init({ all: true });

const BUDGET = Number(process.argv[2] ?? 150);
let sink = 0;

/** Returns the shortest time of a call in seconds, for each peer; they run in turns. */
export function least(peers, budget = BUDGET) {
  const best = peers.map(() => Infinity);
  const end = performance.now() + budget * peers.length;
  let rounds = 0;
  // A sample is long enough for the clock.
  const times = peers.map((peer) => {
    if (!peer) return 0;
    for (let i = 0; i < 3; i++) sink += peer().length;
    const start = performance.now();
    let n = 0;
    while (performance.now() - start < 2) (sink += peer().length), n++;
    return Math.max(1, n >> 2);
  });
  while (performance.now() < end || rounds < 5) {
    peers.forEach((peer, i) => {
      if (!peer) return;
      const start = performance.now();
      for (let n = times[i]; n > 0; n--) sink += peer().length;
      best[i] = Math.min(best[i], (performance.now() - start) / times[i] / 1000);
    });
    rounds++;
  }
  return best;
}

const speed = (bytes, seconds) => (seconds === Infinity ? "" : Math.round(bytes / seconds / 1e6).toLocaleString("en-US"));
const ratio = (ours, theirs) => (theirs === Infinity ? "" : (theirs / ours).toFixed(2));

function table(title, heads, rows) {
  console.log(`\n${title}\n\n| ${heads.join(" | ")} |\n|${heads.map((_, i) => (i ? " ---: |" : " --- |")).join("")}`);
  for (const row of rows()) console.log(`| ${row.join(" | ")} |`);
}

const SIZE = 80_000;

table("UTF-8 to a string, 80 KB, MB/s", ["text", "placemat", "TextDecoder", "ratio"], function* () {
  const ours = new placemat.TextDecoder();
  const theirs = new TextDecoder();
  for (const name of Object.keys(SAMPLES)) {
    const bytes = fill(placemat, name, SIZE, "utf-8");
    const [a, b] = least([() => ours.decode(bytes), () => theirs.decode(bytes)]);
    yield [name, speed(bytes.length, a), speed(bytes.length, b), ratio(a, b)];
  }
});

const LEGACY = [
  ["windows-1252", "french"], ["windows-1251", "russian"], ["koi8-r", "russian"], ["iso-8859-7", "greek"], ["windows-1252", "ascii"],
  ["shift_jis", "japanese"], ["euc-jp", "japanese"], ["iso-2022-jp", "japanese"], ["gbk", "chinese"], ["gb18030", "chinese"],
  ["big5", "taiwanese"], ["euc-kr", "korean"], ["utf-16le", "japanese"], ["utf-16be", "japanese"], ["utf-32le", "japanese"], ["utf-7", "japanese"],
];

table("bytes to a string, 80 KB, MB/s of bytes", ["encoding, text", "placemat", "TextDecoder", "ratio", "iconv-lite", "ratio"], function* () {
  for (const [label, name] of LEGACY) {
    const bytes = fill(placemat, name, SIZE, label);
    const ours = new placemat.TextDecoder(label);
    let theirs;
    try {
      theirs = new TextDecoder(label);
    } catch {}
    const node = Buffer.from(bytes);
    const peers = [
      () => ours.decode(bytes),
      theirs && (() => theirs.decode(bytes)),
      iconv?.encodingExists(label) && (() => iconv.decode(node, label)),
    ];
    const [a, b, c] = least(peers);
    yield [`${label}, ${name}`, speed(bytes.length, a), speed(bytes.length, b), ratio(a, b), speed(bytes.length, c), ratio(a, c)];
  }
});

table("a string to bytes, 80 KB, MB/s of bytes", ["encoding, text", "placemat", "iconv-lite", "ratio", "TextEncoder", "ratio"], function* () {
  for (const [label, name] of [["utf-8", "russian"], ["utf-8", "japanese"], ["utf-8", "ascii"], ...LEGACY]) {
    const bytes = fill(placemat, name, SIZE, label);
    const text = placemat.decode(bytes, label);
    const ours = new placemat.TextEncoder(label);
    const theirs = new TextEncoder();
    const peers = [
      () => ours.encode(text),
      iconv?.encodingExists(label) && (() => iconv.encode(text, label)),
      label === "utf-8" && (() => theirs.encode(text)),
    ];
    const [a, c, b] = least(peers);
    yield [`${label}, ${name}`, speed(bytes.length, a), speed(bytes.length, c), ratio(a, c), speed(bytes.length, b), ratio(a, b)];
  }
});

table("validation of UTF-8, MB/s", ["text, size", "placemat", "buffer.isUtf8", "ratio"], function* () {
  for (const name of ["ascii", "russian", "japanese", "emoji"]) {
    for (const size of [SIZE, 4_000_000]) {
      const bytes = fill(placemat, name, size, "utf-8");
      const [a, b] = least([() => (placemat.isValid(bytes), ""), () => (buffer.isUtf8(bytes), "")]);
      yield [`${name}, ${size / 1000} KB`, speed(bytes.length, a), speed(bytes.length, b), ratio(a, b)];
    }
  }
});

table("32 bytes, nanoseconds a call", ["call", "placemat", "platform", "times"], function* () {
  for (const [label, name] of [["utf-8", "ascii"], ["utf-8", "russian"], ["utf-8", "japanese"], ["windows-1251", "russian"], ["shift_jis", "japanese"], ["utf-16le", "japanese"]]) {
    const bytes = fill(placemat, name, 32, label);
    const ours = new placemat.TextDecoder(label);
    const theirs = new TextDecoder(label);
    const [a, b] = least([() => ours.decode(bytes), () => theirs.decode(bytes)]);
    yield [`decode ${label}, ${name}`, (a * 1e9).toFixed(0), (b * 1e9).toFixed(0), (a / b).toFixed(2)];
  }
  for (const [label, name] of [["utf-8", "ascii"], ["utf-8", "russian"]]) {
    const text = placemat.decode(fill(placemat, name, 32, label), label);
    const ours = new placemat.TextEncoder(label);
    const theirs = new TextEncoder();
    const [a, b] = least([() => ours.encode(text), () => theirs.encode(text)]);
    yield [`encode ${label}, ${name}`, (a * 1e9).toFixed(0), (b * 1e9).toFixed(0), (a / b).toFixed(2)];
  }
  const short = fill(placemat, "russian", 32, "utf-8");
  const [a, b] = least([() => (placemat.isValid(short), ""), () => (buffer.isUtf8(short), "")]);
  yield ["isValid, russian", (a * 1e9).toFixed(0), (b * 1e9).toFixed(0), (a / b).toFixed(2)];
});
if (sink === -1) console.log(sink);

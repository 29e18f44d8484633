// Speed of the package in Chromium beside the platform's, in one run over the same bytes: the
// shortest time of many rounds, in turns. `node bindings/web/bench/chromium.mjs [MS]`. Prints
// tables in Markdown.
import { browse } from "../tests/browser.mjs";

const site = await browse();
if (!site) process.exit(1);
const page = await site.page("/strict");
const tables = await page.evaluate(async (budget) => {
  const placemat = await import("/package/src/index.js");
  const start = performance.now();
  await placemat.init();
  const ready = performance.now() - start;
  const second = performance.now();
  await placemat.init({ all: true });
  const all = performance.now() - second;
  const { fill } = await import("/bench/texts.mjs");
  let sink = 0;
  const least = (peers) => {
    const best = peers.map(() => Infinity);
    const times = peers.map((peer) => {
      if (!peer) return 0;
      for (let i = 0; i < 5; i++) sink += peer().length;
      const begin = performance.now();
      let n = 0;
      // The clock of a page has steps of 0.1 ms.
      while (performance.now() - begin < 15) (sink += peer().length), n++;
      return Math.max(1, n);
    });
    const end = performance.now() + budget * peers.length;
    for (let rounds = 0; performance.now() < end || rounds < 5; rounds++) {
      peers.forEach((peer, i) => {
        if (!peer) return;
        const begin = performance.now();
        for (let n = times[i]; n > 0; n--) sink += peer().length;
        best[i] = Math.min(best[i], (performance.now() - begin) / times[i] / 1000);
      });
    }
    return best;
  };
  const rows = [];
  const speed = (bytes, seconds) => Math.round(bytes / seconds / 1e6);
  for (const [label, name] of [
    ["utf-8", "russian"], ["utf-8", "japanese"], ["utf-8", "ascii"], ["windows-1252", "french"], ["windows-1251", "russian"], ["koi8-r", "russian"],
    ["shift_jis", "japanese"], ["euc-jp", "japanese"], ["iso-2022-jp", "japanese"], ["gbk", "chinese"], ["gb18030", "chinese"], ["big5", "taiwanese"], ["euc-kr", "korean"], ["utf-16le", "japanese"], ["utf-16be", "japanese"],
  ]) {
    const bytes = fill(placemat, name, 80_000, label);
    const text = placemat.decode(bytes, label);
    const [ours, theirs, encoder] = [new placemat.TextDecoder(label), new TextDecoder(label), new placemat.TextEncoder(label)];
    const [a, b, c] = least([() => ours.decode(bytes), () => theirs.decode(bytes), () => encoder.encode(text)]);
    rows.push([`${label}, ${name}`, speed(bytes.length, a), speed(bytes.length, b), (b / a).toFixed(2), speed(bytes.length, c)]);
  }
  const short = [];
  for (const [label, name] of [["utf-8", "russian"], ["windows-1251", "russian"], ["shift_jis", "japanese"]]) {
    const bytes = fill(placemat, name, 32, label);
    const [ours, theirs] = [new placemat.TextDecoder(label), new TextDecoder(label)];
    const [a, b] = least([() => ours.decode(bytes), () => theirs.decode(bytes)]);
    short.push([`decode ${label}, ${name}`, Math.round(a * 1e9), Math.round(b * 1e9), (a / b).toFixed(2)]);
  }
  return { ready, all, rows, short, sink };
}, Number(process.argv[2] ?? 150));
const print = (heads, rows) => {
  console.log(`\n| ${heads.join(" | ")} |\n|${heads.map((_, i) => (i ? " ---: |" : " --- |")).join("")}`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
};
console.log(`ready: first module ${tables.ready.toFixed(0)} ms, second ${tables.all.toFixed(0)} ms`);
print(["Chromium, 80 KB, MB/s of bytes", "placemat", "TextDecoder", "ratio", "placemat, encoding"], tables.rows);
print(["Chromium, 32 bytes, ns", "placemat", "TextDecoder", "times"], tables.short);
await site.close();

// The engine alone: pieces make no difference, and a part of a text has the same tokens as in the
// whole.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync(new URL('../dist/engine.wasm', import.meta.url)), {});
const wasm = instance.exports;
const give = (bytes) => {
  const at = wasm.input(bytes.length);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
};
const answer = () => {
  const [at, length] = [wasm.answer_at(), wasm.answer_len()];
  return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(new Uint8Array(wasm.memory.buffer, at, length)));
};
wasm.encodings();
const names = answer().map((one) => one.name);
const number = (name) => {
  assert.ok(names.includes(name), name);
  return names.indexOf(name);
};

function scan(name, bytes, lengths) {
  wasm.scan_begin(number(name));
  const found = [];
  let last;
  for (let at = 0, i = 0; ; i++) {
    const end = Math.min(bytes.length, at + lengths[i % lengths.length]);
    give(bytes.subarray(at, end));
    wasm.scan_feed(+(end === bytes.length));
    last = answer();
    found.push(...last.found);
    if (end === bytes.length) break;
    at = end;
  }
  return { ...last, found };
}

function tokens(bytes, from, to) {
  const mark = wasm.scan_mark(from);
  const begin = Math.max(0, mark - 64);
  const end = Math.min(bytes.length, to + 1024);
  give(bytes.subarray(begin, end));
  wasm.window(mark, mark - begin, from, to, +(end === bytes.length));
  return answer();
}

/** Yields letters of many scripts with errors between them, in UTF-8, and shift sequences. */
function some(length, seed) {
  let state = seed;
  const next = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24);
  const pieces = ['plain text, ', 'Grüße\n', '日本語', '😀', '\x1b$B0!0"\x1b(B', '+AOk-', '\0a\0b', '\r\n', '~{0!~}'].map((text) => Buffer.from(text));
  pieces.push(Buffer.from([0xc0, 0xaf]), Buffer.from([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]), Buffer.from([0xe2, 0x82]), Buffer.from([0xff]));
  const out = [];
  // Trouble is rare, so that there are not too many findings.
  for (let sum = 0; sum < length; sum += out.at(-1).length) out.push(pieces[next() < 20 ? next() % pieces.length : next() % 4]);
  return Buffer.concat(out);
}

const ENCODINGS = ['UTF-8', 'UTF-16', 'UTF-16BE', 'UTF-32LE', 'UCS-2', 'CESU-8', 'UTF-7', 'ISO-2022-JP', 'HZ-GB-2312', 'GB18030', 'Shift_JIS', 'windows-1252', 'SCSU', 'BOCU-1', 'MARC-8', 'IBM930', 'US-ASCII'].filter((name) => names.includes(name));

test('pieces make no difference', () => {
  const bytes = some(150_000, 3);
  assert.ok(ENCODINGS.length >= 14, String(ENCODINGS));
  for (const name of ENCODINGS) {
    const whole = scan(name, bytes, [bytes.length]);
    for (const lengths of [[997], [1, 70_000, 513], [65_536]]) {
      const { found, ...counts } = scan(name, bytes, lengths);
      const { found: wanted, ...all } = whole;
      assert.deepEqual(counts, all, `${name} ${lengths}`);
      assert.deepEqual(found, wanted, `${name} ${lengths}`);
    }
  }
});

test('read again from a finding, the rest of them are the same', () => {
  const bytes = some(300_000, 9);
  for (const name of ENCODINGS) {
    const { found } = scan(name, bytes, [1 << 16]);
    if (found.length < 2) continue;
    for (const at of [0, found.length >> 2, found.length >> 1, found.length - 2]) {
      const after = found[at].offset;
      const mark = wasm.scan_mark(after);
      give(bytes.subarray(Math.max(0, mark - 64), mark));
      wasm.again_begin(after);
      const rest = [];
      for (let from = mark; ; from += 70_000) {
        const to = Math.min(bytes.length, from + 70_000);
        give(bytes.subarray(from, to));
        wasm.again_feed(+(to === bytes.length));
        const told = answer();
        rest.push(...told.found);
        if (told.more || to === bytes.length) break;
      }
      assert.deepEqual(rest.slice(0, found.length - at - 1), found.slice(at + 1), `${name} behind ${after}`);
      if (found.length < 10_000) assert.equal(rest.length, found.length - at - 1, name);
    }
  }
});

test('a part is taken apart as the whole is', () => {
  const bytes = some(150_000, 4);
  let compared = 0;
  for (const name of ENCODINGS) {
    // If a text has too many findings, the rest is counted without inspecting each.
    if (scan(name, bytes, [50_000]).more) continue;
    compared++;
    // From the start, without a mark between.
    give(bytes);
    wasm.window(0, 0, 0, bytes.length, 1);
    const all = answer();
    assert.ok(all.length > 1000, name);
    for (const from of [0, 1, 32_767, 32_768, 33_001, 70_000, 99_999, 131_072, bytes.length - 300]) {
      const to = from + 200;
      const part = tokens(bytes, from, to);
      const wanted = all.filter((token) => token.o + token.n > from && token.o < to);
      const brief = (list) => list.map(({ o, n, l, c, k, v, e }) => JSON.stringify([o, n, l, c, k, v, e]));
      // A shift before a mark belongs to the part before it.
      const same = brief(part).filter((one) => brief(wanted).includes(one));
      assert.ok(same.length >= wanted.length - 1 && part.length <= wanted.length + 1, `${name} ${from}: ${brief(part).find((one) => !brief(wanted).includes(one))} ${brief(wanted)[0]}`);
    }
  }
  assert.ok(compared > 8, String(compared));
});

test('the places and counts of errors agree with the tokens', () => {
  const bytes = some(60_000, 5);
  for (const name of ENCODINGS) {
    const { errors, found } = scan(name, bytes, [7000]);
    give(bytes);
    wasm.window(0, 0, 0, bytes.length, 1);
    const ill = answer().filter((token) => token.k === 'ill');
    assert.equal(ill.length, errors, name);
    const places = new Map(ill.map((token) => [token.o, token]));
    for (const one of found) {
      const token = places.get(one.offset);
      assert.deepEqual([token.l, token.c, token.m, token.e], [one.line, one.column, one.message, one.kind], `${name} ${one.offset}`);
    }
  }
});

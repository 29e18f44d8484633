// The package in Chromium, under a strict Content-Security-Policy.
import test, { after } from "node:test";
import assert from "node:assert/strict";
import { browse } from "./browser.mjs";

const site = await browse();
const skip = site ? false : "there is no Chromium";
after(() => site?.close());

test("loads the first module alone, then what a label needs", { skip }, async () => {
  const page = await site.page("/strict");
  const found = await page.evaluate(async () => {
    const placemat = await import("/package/src/index.js");
    const start = performance.now();
    await placemat.init();
    const ready = performance.now() - start;
    const euro = placemat.decode(Uint8Array.of(0x80), "windows-1252");
    await placemat.load("big5");
    const big5 = new placemat.TextDecoder("big5").decode(Uint8Array.of(0x88, 0x62, 0x88, 0xa5));
    return { ready, euro, big5, loaded: placemat.loaded() };
  });
  assert.deepEqual([found.euro, found.big5, found.loaded], ["€", "\u00CA\u0304\u00EA\u030C", "all"]);
  assert.deepEqual(site.asked.filter((path) => /dist\/(base|all|detect)/.test(path)), ["/package/dist/base.js", "/package/dist/all.bin"]);
  await page.close();
});

test("strings of every kind, by the platform's ways", { skip }, async () => {
  const page = await site.page("/strict");
  const wrong = await page.evaluate(async () => {
    const placemat = await import("/package/src/index.js");
    await placemat.init({ all: true });
    const wrong = [];
    const parts = ["a", "é", "日", "😀", "\uFEFF", "\u0000", "ß", "я"];
    for (const label of ["utf-8", "utf-16le", "utf-16be", "gb18030", "utf-7", "scsu", "utf-32be"]) {
      for (const length of [0, 1, 2, 11, 12, 13, 100, 5000, 140_000]) {
        let text = "";
        for (let i = 0; i < length; i++) text += parts[(i * 7 + (i >> 3)) % parts.length];
        if (placemat.decode(placemat.encode(text, label), label) !== text) wrong.push(`${label} ${length}`);
      }
    }
    const lone = "a\uD800b\uDC00" + "x".repeat(100);
    if (placemat.decode(placemat.encode(lone, "wtf-8"), "wtf-8") !== lone) wrong.push("lone surrogates");
    if (placemat.decode(placemat.encode(lone, "ucs-2le", { web: false }), "ucs-2le") !== lone) wrong.push("lone surrogates in UCS-2");
    return wrong;
  });
  assert.deepEqual(wrong, []);
  await page.close();
});

test("errors, shared memory, streams", { skip }, async () => {
  const page = await site.page("/strict");
  const found = await page.evaluate(async () => {
    const placemat = await import("/package/src/index.js");
    await placemat.init();
    let error;
    try {
      new placemat.TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.of(0x61, 0xc0, 0xaf));
    } catch (caught) {
      error = { type: caught instanceof TypeError, offset: caught.offset, code: caught.code };
    }
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    new Uint8Array(memory.buffer).set([0xc3, 0xa9, 0xff]);
    const shared = new placemat.TextDecoder().decode(new Uint8Array(memory.buffer, 0, 3));
    const stream = new Blob(["日本"]).stream().pipeThrough(placemat.transcodeStream("utf-8", "utf-16be")).pipeThrough(new placemat.TextDecoderStream("utf-16be"));
    return { error, shared, streamed: await new Response(stream.pipeThrough(new TextEncoderStream())).text() };
  });
  assert.deepEqual(found, { error: { type: true, offset: 1, code: "overlong-2" }, shared: "é\uFFFD", streamed: "日本" });
  await page.close();
});

test("in a worker", { skip }, async () => {
  const page = await site.page("/strict");
  const text = await page.evaluate(() => new Promise((go, fail) => {
    const worker = new Worker("/tests/worker.mjs", { type: "module" });
    worker.onmessage = ({ data }) => go(data);
    worker.onerror = ({ message }) => fail(new Error(message));
  }));
  assert.equal(text, "あ");
  await page.close();
});

test("UTF-8 alone needs no module", { skip }, async () => {
  const page = await site.page("/closed");
  const found = await page.evaluate(async () => {
    const { isValid, lengths, truncate } = await import("/package/src/utf8.js");
    const shared = new Uint8Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer, 0, 3);
    shared.set([0xe3, 0x81, 0x82]);
    const long = new Uint8Array(200_001).fill(0xc3);
    for (let i = 1; i < long.length; i += 2) long[i] = 0xa9;
    const found = [isValid(shared), isValid(shared.slice(0, 2)), isValid(long), isValid(long.subarray(1)), isValid(long.subarray(0, 200_000))];
    return [...found, await isValid(new Blob([long, long.subarray(1)])), await isValid(new Blob([long])), lengths("é").utf8, truncate("é€", { bytes: 3 })];
  });
  assert.deepEqual(found, [true, false, false, false, true, false, false, 2, "é"]);
  await page.close();
});

test("where the policy forbids WebAssembly, the error says what allows it", { skip }, async () => {
  const page = await site.page("/closed");
  const message = await page.evaluate(async () => {
    const placemat = await import("/package/src/index.js");
    return placemat.init().then(() => "no error", (error) => error.message);
  });
  assert.match(message, /Content-Security-Policy forbids WebAssembly: allow it with script-src 'wasm-unsafe-eval'/);
  await page.close();
});

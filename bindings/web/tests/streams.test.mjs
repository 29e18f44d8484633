// TransformStreams: pieces, back-pressure, aborts, errors.
import test from "node:test";
import assert from "node:assert/strict";
import { bytes, hex, placemat } from "./common.mjs";

const { TextDecoderStream, TextEncoderStream, transcodeStream } = placemat;

const from = (chunks) => new ReadableStream({
  start(controller) {
    for (const chunk of chunks) controller.enqueue(chunk);
    controller.close();
  },
});
const all = async (stream) => {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
};

test("decodes pieces, each border within a character", async () => {
  const source = placemat.encode("日本a語", "shift_jis");
  const chunks = Array.from(source, (byte) => Uint8Array.of(byte));
  const stream = new TextDecoderStream("shift_jis");
  assert.deepEqual([stream.encoding, stream.fatal, stream.ignoreBOM], ["shift_jis", false, false]);
  assert.equal((await all(from(chunks).pipeThrough(stream))).join(""), "日本a語");
});

test("drops the mark once, unless told to keep it", async () => {
  const chunks = [bytes("ef"), bytes("bb"), bytes("bf 61"), bytes("ef bb bf")];
  assert.equal((await all(from(chunks).pipeThrough(new TextDecoderStream()))).join(""), "a\uFEFF");
  assert.equal((await all(from(chunks).pipeThrough(new TextDecoderStream("utf-8", { ignoreBOM: true })))).join(""), "\uFEFFa\uFEFF");
});

test("encodes pieces, pairs across their borders", async () => {
  const chunks = ["a\uD83D", "\uDE00", "", "\uD83D"];
  const joined = Buffer.concat(await all(from(chunks).pipeThrough(new TextEncoderStream())));
  assert.equal(hex(joined), "61 f0 9f 98 80 ef bf bd");
  const jis = Buffer.concat(await all(from(["日", "本"]).pipeThrough(new TextEncoderStream("iso-2022-jp"))));
  assert.equal(hex(jis), hex(placemat.encode("日本", "iso-2022-jp")));
});

test("a chunk that is no bytes errors both sides", async () => {
  for (const chunk of ["text", 5, null, {}, undefined, []]) {
    const stream = new TextDecoderStream();
    const writer = stream.writable.getWriter();
    const read = stream.readable.getReader().read();
    const wrote = writer.write(chunk);
    await assert.rejects(read, TypeError);
    await assert.rejects(wrote, TypeError);
    await assert.rejects(writer.closed, TypeError);
  }
});

test("an error says where, from the start of the stream", async () => {
  const chunks = [bytes("61 62"), bytes("63 e3"), bytes("64")];
  await assert.rejects(all(from(chunks).pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))), (error) => error.offset === 3 && error.code === "truncated");
  await assert.rejects(all(from([bytes("e3")]).pipeThrough(transcodeStream("utf-8", "koi8-r"))), (error) => error.code === "incomplete");
  await assert.rejects(all(from([bytes("61"), bytes("e3 81 82")]).pipeThrough(transcodeStream("utf-8", "koi8-r"))), (error) => error.codePoint === 0x3042 && error.offset === 1);
});

test("what came before an error has been read", async () => {
  const reader = from([bytes("61 62"), bytes("ff")]).pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
  assert.equal((await reader.read()).value, "ab");
  await assert.rejects(reader.read(), TypeError);
});

test("transcodes by all policies", async () => {
  const source = [bytes("61 ff e2 82"), bytes("ac")];
  const run = async (options) => Buffer.concat(await all(from(source).pipeThrough(transcodeStream("utf-8", "iso-8859-2", options)))).toString("latin1");
  assert.equal(await run({ errors: "cp1252", unmappable: "xmlref" }), "a&#255;&#8364;");
  assert.equal(await run({ errors: () => "!", unmappable: ({ codePoint }) => `{${codePoint}}` }), "a!{8364}");
});

test("a huge chunk goes in pieces, in little memory, and others run meanwhile", async () => {
  const size = 64 << 20;
  const chunk = new Uint8Array(size).fill(0x61);
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  let [units, largest] = [0, 0];
  for await (const text of from([chunk]).pipeThrough(new TextDecoderStream("windows-1251"))) {
    units += text.length;
    largest = Math.max(largest, text.length);
  }
  clearInterval(timer);
  assert.equal(units, size);
  assert.ok(largest <= 1 << 17, `${largest}`);
  assert.ok(ticks > 3, `${ticks} ticks`);
});

test("back-pressure: a slow reader holds the source back", async () => {
  let made = 0;
  const source = new ReadableStream({
    pull(controller) {
      made++;
      controller.enqueue(new Uint8Array(1000).fill(0x61));
      if (made === 1000) controller.close();
    },
  });
  const reader = source.pipeThrough(transcodeStream("windows-1252", "utf-16be")).getReader();
  await reader.read();
  await new Promise((go) => setTimeout(go, 20));
  assert.ok(made < 10, `${made} chunks were made for one read`);
  await reader.cancel();
});

test("many streams at once do not meet", async () => {
  const labels = ["utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "utf-16le", "gb18030", "utf-7", "windows-1252"];
  await Promise.all(labels.map(async (label, i) => {
    const text = (label === "windows-1252" ? "é€" : "日本語").repeat(2000 + i);
    const source = placemat.encode(text, label);
    const chunks = [];
    for (let at = 0; at < source.length; at += 13 + i) chunks.push(source.subarray(at, at + 13 + i));
    assert.equal((await all(from(chunks).pipeThrough(new TextDecoderStream(label)))).join(""), text, label);
  }));
});

test("an AbortSignal stops a stream, before, between and within chunks", async () => {
  const aborted = AbortSignal.abort(new Error("stop"));
  assert.throws(() => new TextDecoderStream("utf-8", { signal: aborted }), /stop/);
  for (const make of [(signal) => new TextDecoderStream("utf-16le", { signal }), (signal) => transcodeStream("utf-8", "utf-16le", { signal })]) {
    const control = new AbortController();
    const chunk = new Uint8Array(32 << 20).fill(0x61);
    setTimeout(() => control.abort(new Error("enough")), 2);
    await assert.rejects(all(from([chunk, chunk, chunk, chunk]).pipeThrough(make(control.signal))), /enough/);
  }
  const control = new AbortController();
  const open = new ReadableStream({ start: (controller) => controller.enqueue(bytes("61")) });
  const piped = open.pipeThrough(new TextDecoderStream(), { signal: control.signal });
  control.abort(new Error("from outside"));
  await assert.rejects(all(piped), /from outside/);
});

test("a reader that leaves early, and a writer that aborts", async () => {
  for (let i = 0; i < 50; i++) {
    const stream = from([bytes("61"), bytes("62")]).pipeThrough(new TextDecoderStream("big5"));
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    const { writable } = new TextEncoderStream("big5");
    await writable.getWriter().abort(new Error("no more"));
  }
});

test("empty chunks and empty streams write nothing", async () => {
  assert.deepEqual(await all(from([new Uint8Array(0), new Uint8Array(0)]).pipeThrough(new TextDecoderStream())), []);
  assert.deepEqual(await all(from([]).pipeThrough(new TextEncoderStream())), []);
  assert.deepEqual(await all(from(["", ""]).pipeThrough(new TextEncoderStream())), []);
});

// The work that the page asks for. Long jobs run slice by slice and let other messages in between;
// a job stops when its text is no longer the one on the page.

/** The number of bytes that are read at a time, which is small because they stay in memory until the next garbage collection. */
const SLICE = 1 << 20;
/** The number of bytes of a file that detection and the table of encodings read. */
const SAMPLE = 1 << 18;
/** The greatest size in bytes of a text that is repaired unasked. */
const MAX_FIX = 64 << 20;
/** The number of bytes that are shown before and from the first change on. */
const CONTEXT = 120;
const EXCERPT = 900;
/** The number of bytes before and after a window on which its messages may depend. */
const BYTES_BEFORE = 64;
const BYTES_AFTER = 1024;
/** The greatest length of converted text that is returned for display. */
const PREVIEW = 4096;

/** Returns the encoding of a byte order mark of UTF-16 or UTF-32. A mark in UTF-8 is a code point of the text. */
function signatureOf(head) {
  const starts = (...bytes) => bytes.every((byte, i) => head[i] === byte);
  if (starts(0xff, 0xfe, 0, 0) || starts(0, 0, 0xfe, 0xff)) return 'UTF-32';
  return starts(0xff, 0xfe) || starts(0xfe, 0xff) ? 'UTF-16' : '';
}

/** Pauses so that messages arrive; a timer would wait longer. */
function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (port1.close(), resolve());
    port2.postMessage(0);
  });
}

function makeJobs(engine, tell) {
  let source = new Source(new Uint8Array());
  // The number of the text, and that of its reading in some encoding.
  let opened = 0;
  let generation = 0;
  let scan = { number: 0, done: false, reached: 0, waiting: [] };
  const current = (mine) => mine === generation;

  /** Opens other bytes. Jobs for the previous ones stop. */
  async function open({ bytes }) {
    opened++;
    generation++;
    source = new Source(bytes);
    wake(Infinity);
    const head = await source.read(0, 4);
    return { size: source.size, signature: signatureOf(head) };
  }

  function wake(reached) {
    scan.reached = reached;
    const ready = scan.waiting.filter((one) => one.to <= reached);
    scan.waiting = scan.waiting.filter((one) => one.to > reached);
    for (const one of ready) one.resolve();
  }

  /** Reads all bytes in an encoding, and reports its findings meanwhile. */
  async function read({ number, tag }) {
    const mine = ++generation;
    wake(Infinity);
    scan = { number, done: false, reached: 0, waiting: [] };
    engine.scanBegin(number);
    let offset = 0;
    let held = [];
    let told = -Infinity;
    let paused = performance.now();
    const feed = (piece) => {
      offset += piece.length;
      const last = offset >= source.size;
      const answer = engine.scanFeed(piece, last);
      wake(last ? Infinity : answer.offset);
      held.push(...answer.found);
      // A few times a second is enough for the eye.
      if (last || performance.now() - told > 100) {
        tell({ event: 'scan', tag, ...answer, found: held, offset, size: source.size, last });
        held = [];
        told = performance.now();
      }
    };
    if (!source.size) feed(new Uint8Array());
    for await (const piece of source.pieces(SLICE)) {
      if (!current(mine)) return { stopped: true };
      feed(piece);
      if (performance.now() - paused > 20) {
        await breath();
        paused = performance.now();
      }
      if (!current(mine)) return { stopped: true };
    }
    engine.forget();
    scan.done = true;
    return { memory: engine.memory() };
  }

  /** Returns the findings past one, up to the limit of a call; `more` is true if others follow. */
  async function again({ after }) {
    const mine = generation;
    const mark = engine.scanMark(after);
    engine.againBegin(await source.read(Math.max(0, mark - BYTES_BEFORE), mark), after);
    const found = [];
    let more = false;
    let offset = mark;
    for await (const piece of source.pieces(SLICE, mark)) {
      if (!current(mine)) return { stopped: true };
      offset += piece.length;
      const answer = engine.againFeed(piece, offset >= source.size);
      found.push(...answer.found);
      more = answer.more;
      if (more) break;
      await breath();
    }
    engine.forget();
    return current(mine) ? { found, more } : { stopped: true };
  }

  /** Returns the bytes and tokens of a part of the text. Waits until the scan has passed it. */
  async function window({ from, to }) {
    const mine = generation;
    const end = Math.min(to, source.size);
    if (scan.reached < end) await new Promise((resolve) => scan.waiting.push({ to: end, resolve }));
    if (!current(mine)) return { stopped: true };
    const mark = engine.scanMark(from);
    const begin = Math.max(0, mark - BYTES_BEFORE);
    const bytes = await source.read(begin, end + BYTES_AFTER);
    if (!current(mine)) return { stopped: true };
    const whole = begin + bytes.length >= source.size;
    const tokens = engine.window(bytes, mark, mark - begin, from, end, whole);
    return { from, to: end, tokens, bytes: bytes.slice(from - begin, end - begin) };
  }

  async function sample(most = SAMPLE) {
    const bytes = await source.read(0, most);
    return { bytes, whole: bytes.length === source.size };
  }

  async function detect() {
    const { bytes, whole } = await sample();
    engine.detectBegin();
    engine.detectFeed(bytes);
    return { ...engine.detectEnd(), whole, looked: bytes.length };
  }

  /** Repairs the text: answers with the changes, the repaired text, and what surrounds the first change before and after. */
  async function fix() {
    const mine = opened;
    if (source.size > MAX_FIX) return { tooLong: true, changes: 0 };
    engine.fixBegin();
    const pass = async (work) => {
      for await (const piece of source.pieces(SLICE)) {
        if (mine !== opened) return false;
        work(piece);
        await breath();
      }
      return mine === opened;
    };
    const parts = [];
    if (!(await pass((piece) => engine.fixLearn(piece)))) return { stopped: true };
    // A Blob keeps its bytes outside the memory of this worker.
    if (!(await pass((piece) => parts.push(new Blob([engine.fixPush(piece, false)]))))) return { stopped: true };
    parts.push(new Blob([engine.fixPush(new Uint8Array(), true)]));
    const report = engine.fixReport();
    engine.forget();
    if (!report.changes) return report;
    const blob = new Blob(parts);
    const [first] = report.list;
    const from = Math.max(0, first.offset - CONTEXT);
    const at = Math.max(0, first.at - CONTEXT);
    const before = (await source.read(from, first.offset + EXCERPT)).slice();
    const after = new Uint8Array(await blob.slice(at, first.at + EXCERPT).arrayBuffer());
    return mine === opened ? { ...report, blob, before: { from, bytes: before }, after: { from: at, bytes: after } } : { stopped: true };
  }

  /** Reads the bytes in every encoding, and reports some at a time. */
  async function trials({ count, tag }) {
    const mine = opened;
    const { bytes, whole } = await sample();
    let found = [];
    let began = performance.now();
    for (let number = 0; number < count; number++) {
      if (mine !== opened) return { stopped: true };
      found.push({ number, ...engine.tryEncoding(bytes, number, whole) });
      if (performance.now() - began > 40) {
        tell({ event: 'trials', tag, found });
        found = [];
        await breath();
        began = performance.now();
      }
    }
    tell({ event: 'trials', tag, found, last: true, looked: bytes.length, whole });
    return {};
  }

  // The engine has one conversion at a time.
  let turn = Promise.resolve();
  const inTurn = (work) => (given) => (turn = turn.catch(() => {}).then(() => work(given)));

  /** Converts the text: its start to be shown, or all of it as the parts of a file. */
  async function convert({ from, to, errors, unmappable, save }) {
    const mine = opened;
    engine.convertBegin(from, to, errors, unmappable);
    const parts = [];
    let [offset, kept] = [0, 0];
    const finish = (last) => {
      const report = engine.convertReport();
      engine.forget();
      const whole = last && !report.stopped;
      if (save) return { ...report, whole, blob: new Blob(parts) };
      const all = new Uint8Array(kept);
      parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
      return { ...report, whole, bytes: all };
    };
    const feed = (piece, last) => {
      const out = engine.convertFeed(piece, last);
      // A Blob keeps its bytes outside the memory of this worker.
      if (out.length) parts.push(save && source.blob ? new Blob([out]) : out);
      kept += out.length;
      offset += piece.length;
    };
    if (!save) {
      const most = 16 * PREVIEW;
      const last = source.size <= most;
      feed(await source.read(0, most), last);
      return finish(last);
    }
    if (!source.size) feed(new Uint8Array(), true);
    for await (const piece of source.pieces(SLICE)) {
      if (mine !== opened) return { stopped: true };
      feed(piece, offset + piece.length >= source.size);
      if (engine.convertReport().stopped) break;
      tell({ event: 'saving', offset, size: source.size });
      await breath();
    }
    return finish(offset >= source.size);
  }

  /** Encodes a typed text, which comes as WTF-8, because that represents every string. */
  function encode({ bytes, wtf8, to }) {
    engine.convertBegin(wtf8, to, 'strict', 'replace');
    const out = engine.convertFeed(bytes, true);
    return { bytes: out, ...engine.convertReport() };
  }

  /** Returns the bytes of a long text in one of the forms, or the position of a fault. */
  function parse({ input, form }) {
    try {
      return { bytes: FORMS[form].read(input) };
    } catch (error) {
      if (error instanceof Unreadable) return { fault: error.message };
      throw error;
    }
  }

  return {
    open,
    parse,
    read,
    again: inTurn(again),
    window,
    detect,
    fix: inTurn(fix),
    trials,
    convert: inTurn(convert),
    encode: inTurn(encode),
    encodings: () => engine.encodings(),
    lookup: ({ label }) => engine.lookup(label),
    properties: ({ values }) => engine.properties(values),
  };
}

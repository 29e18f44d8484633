// Strings to bytes, whole and in pieces.

import { concat } from "./bytes.js";
import { UnmappableError } from "./errors.js";
import { UTF_16LE, UTF_8 } from "./labels.js";
import { moduleFor } from "./load.js";
import { Converter, DONE, ILL_FORMED, NEED_OUTPUT, NOTES_FULL, PIECE, UNMAPPABLE, unmappable } from "./module.js";
import { Notes, notedUnmappable, thrown } from "./notes.js";
import { REPLACE } from "./policies.js";
import { isWellFormed, join, putNarrow, putUnits } from "./strings.js";

const UTF_16LE_NUMBER = UTF_16LE.number;

/** Reads surrogates in strings as code points: a target without them applies its policy for unmappable text. */
const SURROGATES_PASS = { number: 8 };
const STOP = { number: 0 };
/** The number of answers of a policy that are remembered in bytes. */
const MOST_ANSWERS = 1000;

/** Whether the bytes of a code point do not depend on those before it. */
const hasNoState = ({ maxBytes, name }) => maxBytes === 1 || /^(gbk|big5|euc-jp|euc-kr|shift_jis)$/.test(name);

/**
 * Encodes strings, piece by piece. Their units come into memory as UTF-16; for encodings with shifts as UTF-8, in which surrogates
 * take three bytes, since the engine reads that quicker for them.
 */
export class FromString {
  constructor(encoding, unmappables) {
    this.encoding = encoding;
    this.unmappables = unmappables;
    this.module = moduleFor(encoding);
    this.narrow = encoding.shifts;
    // The engine is faster if it need not look for surrogates.
    this.converter = this.narrow
      ? new Converter(this.module, UTF_8, encoding, STOP, unmappables)
      : new Converter(this.module, UTF_16LE, encoding, SURROGATES_PASS, unmappables);
    this.passes = !this.narrow;
    this.answers = new Map();
    this.begin();
  }

  begin() {
    /** The number of code units of the text, and of bytes of the converter, before the present piece. */
    this.unitsBefore = 0;
    this.bytesBefore = 0;
    /** The first half of a pair, whose second half may come with the next part. */
    this.held = "";
    this.busy = false;
  }

  /** Returns the bytes of the next part of a text. */
  push(text, last) {
    const parts = [];
    this.each(text, last, (part) => parts.push(part));
    return concat(parts);
  }

  each(text, last, emit) {
    for (const _ of this.parts(text, last, emit));
  }

  *parts(text, last, emit) {
    if (this.busy) throw new Error("the encoder is at work: a policy must not call it");
    this.busy = true;
    try {
      if (this.held) text = join(this.held, text);
      this.held = "";
      let end = text.length;
      if (!last && end > 0 && isLead(text.charCodeAt(end - 1))) {
        end -= 1;
        this.held = text[end];
      }
      let at = 0;
      do {
        const to = this.pieceEnd(text, at, end);
        this.piece(text, at, to, last && to === end, emit);
        at = to;
        yield;
      } while (at < end);
    } finally {
      this.busy = false;
    }
  }

  /** Returns the end of a piece, which splits no surrogate pair. */
  pieceEnd(text, at, end) {
    const to = at + (this.narrow ? PIECE / 4 : PIECE / 2);
    if (to >= end) return end;
    return isLead(text.charCodeAt(to - 1)) ? to - 1 : to;
  }

  /** Writes code units into memory; returns the number of bytes. */
  put(text, start, end) {
    const { module } = this;
    if (this.narrow) {
      const part = text.slice(start, end);
      const well = isWellFormed(part);
      if (!well && !this.passes) {
        this.converter.passSurrogates();
        this.passes = true;
      }
      return putNarrow(module, part, well, module.inAt);
    }
    putUnits(module, text, start, end, module.inAt);
    return 2 * (end - start);
  }

  piece(text, start, end, last, emit) {
    const { module, converter, unmappables } = this;
    if (unmappables.call && hasNoState(this.encoding)) return this.pieceByCalls(text, start, end, last, emit);
    const length = this.put(text, start, end);
    let [at, foreign] = [0, 0];
    for (;;) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
      if (status === UNMAPPABLE || status === ILL_FORMED) {
        const error = this.error(text, start, foreign);
        if (!unmappables.call) throw error;
        const answer = unmappables.call(error);
        if (answer === undefined || answer === null) throw error;
        if (typeof answer === "string") foreign += this.substitute(answer, error, emit);
        else emit(Uint8Array.from(answer));
        // The policy may have used the module.
        this.put(text, start, end);
        continue;
      }
      if (status !== NEED_OUTPUT) break;
      if (read === 0 && written === 0) module.grow(converter.leastRoom);
    }
    this.unitsBefore += end - start;
    this.bytesBefore += length + foreign;
  }

  /** Converts a piece with a function as the policy. The module goes on past errors, and the function hears of many of them at once. */
  pieceByCalls(text, start, end, last, emit) {
    const { module, converter } = this;
    for (let at = start; ; ) {
      // The function may have used the module.
      const length = this.put(text, at, end);
      const status = converter.runNoting(module.inAt, length, module.outAt, module.outSize, last);
      const { read, written, notes: count } = module;
      const bytes = module.u8.slice(module.outAt, module.outAt + written);
      if (count > 0) this.answered(new Notes(module, this.encoding, count), bytes, emit);
      else if (written > 0) emit(bytes);
      at += read / 2;
      if (status !== NEED_OUTPUT && status !== NOTES_FULL) break;
      if (read === 0 && written === 0 && count === 0) module.grow(converter.leastRoom);
    }
    this.unitsBefore += end - start;
    this.bytesBefore += 2 * (end - start);
  }

  /** Passes on bytes with the answers of the policy to the code points that the target lacks. */
  answered(notes, bytes, emit) {
    const parts = [];
    let from = 0;
    try {
      for (let i = 0; i < notes.count; i++) {
        const to = notes.written(i);
        if (to > from) parts.push(bytes.subarray(from, to));
        from = to;
        const error = notedUnmappable(notes, i, notes.offset(i) / 2);
        const answer = this.unmappables.call(error);
        if (answer === undefined || answer === null) throw thrown(error);
        parts.push(typeof answer === "string" ? this.answer(answer, error) : Uint8Array.from(answer));
      }
      if (from < bytes.length) parts.push(bytes.subarray(from));
    } finally {
      if (parts.length > 0) emit(concat(parts));
    }
  }

  /** Encodes an answer of the policy, mostly one that was given before. */
  answer(text, error) {
    let bytes = this.answers.get(text);
    if (bytes === undefined) {
      try {
        bytes = encodeWhole(text, this.encoding, STOP);
      } catch (cause) {
        throw cause instanceof UnmappableError ? thrown(error) : cause;
      }
      if (this.answers.size < MOST_ANSWERS) this.answers.set(text, bytes);
    }
    return bytes;
  }

  /** Returns the error of the last call, in the piece that begins at `start` of a string. `foreign` bytes do not belong to the text. */
  error(text, start, foreign) {
    const facts = this.module.error();
    const bytes = facts.offset - this.bytesBefore - foreign;
    const units = this.narrow ? unitsOf(text, start, bytes) : bytes / 2;
    return unmappable(facts, this.encoding, this.unitsBefore + units);
  }

  /** Encodes a policy's substitute for a code point. Returns the number of bytes that the converter read. */
  substitute(text, error, emit) {
    const { module, converter } = this;
    let foreign = 0;
    for (let start = 0; start < text.length; ) {
      const end = this.pieceEnd(text, start, text.length);
      const length = this.put(text, start, end);
      for (let at = 0; ; ) {
        const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, false);
        const { read, written } = module;
        at += read;
        if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
        if (status === UNMAPPABLE || status === ILL_FORMED) throw error;
        if (status !== NEED_OUTPUT) break;
        if (read === 0 && written === 0) module.grow(converter.leastRoom);
      }
      foreign += length;
      start = end;
    }
    return foreign;
  }

  /** Encodes a whole text into `dst` until it is full; returns the code units read and the bytes written. */
  into(text, dst) {
    const { module, converter, unmappables } = this;
    if (unmappables.call) throw new TypeError("encodeInto takes no function as a policy: use encode");
    let [units, filled] = [0, 0];
    do {
      const end = this.pieceEnd(text, units, text.length);
      const length = this.put(text, units, end);
      let [at, full] = [0, false];
      for (;;) {
        const room = Math.min(dst.length - filled, module.outSize);
        const status = converter.run(module.inAt + at, length - at, module.outAt, room, end === text.length);
        const { read, written } = module;
        dst.set(module.u8.subarray(module.outAt, module.outAt + written), filled);
        at += read;
        filled += written;
        if (status === UNMAPPABLE || status === ILL_FORMED) throw this.error(text, units, 0);
        if (status !== NEED_OUTPUT) break;
        if (read > 0 || written > 0) continue;
        full = room === dst.length - filled;
        if (full) break;
        module.grow(converter.leastRoom);
      }
      const whole = this.narrow ? unitsOf(text, units, at) : at / 2;
      units += whole;
      this.unitsBefore += whole;
      this.bytesBefore += at;
      if (full) break;
    } while (units < text.length);
    return { read: units, written: filled };
  }

  get alive() {
    return this.converter.alive;
  }

  reset() {
    this.converter.reset();
    this.begin();
  }

  free() {
    this.converter.free();
  }
}

/** Returns the number of code units of a string, from `start` on, that take `bytes` bytes of UTF-8. */
function unitsOf(text, start, bytes) {
  let at = start;
  while (bytes > 0) {
    const c = text.codePointAt(at);
    bytes -= c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    at += c < 0x10000 ? 1 : 2;
  }
  return at - start;
}

const isLead = (unit) => (unit & 0xfc00) === 0xd800;
const platformEncoder = new globalThis.TextEncoder();

/** Encodes a text that is short enough in one call, into memory; returns the status, or undefined. At most `most` bytes. */
function encodeAtOnce(module, text, encoding, unmappables, most) {
  if (2 * text.length > PIECE || encoding.shifts || unmappables.call || unmappables.text) return undefined;
  putUnits(module, text, 0, text.length, module.inAt);
  const { inAt, outAt, calls } = module;
  let status;
  try {
    status = calls.convert(UTF_16LE_NUMBER, encoding.number, 8, unmappables.number, inAt, 2 * text.length, outAt, most);
  } catch (cause) {
    throw module.failed(cause);
  }
  if (module.u8.length === 0) module.look();
  return status;
}

/** Encodes a string that is a whole text. */
export function encodeWhole(text, encoding, unmappables) {
  const module = moduleFor(encoding);
  if (encoding === UTF_8 && unmappables.number < 9 && (replacesBy(unmappables, REPLACE) || isWellFormed(text))) {
    return platformEncoder.encode(text);
  }
  const status = encodeAtOnce(module, text, encoding, unmappables, module.outSize);
  if (status === DONE) return module.u8.slice(module.outAt, module.outAt + module.written);
  if (status === UNMAPPABLE) {
    const facts = module.error();
    throw unmappable(facts, encoding, facts.offset / 2);
  }
  const encoder = new FromString(encoding, unmappables);
  try {
    return encoder.push(text, true);
  } finally {
    encoder.free();
  }
}

const replacesBy = (policy, number) => policy.number === number && !policy.call && !policy.text;

/** Encodes into an array; see {@link FromString#into}. */
export function encodeInto(text, dst, encoding, unmappables) {
  const module = moduleFor(encoding);
  if (encoding === UTF_8 && replacesBy(unmappables, REPLACE)) return platformEncoder.encodeInto(text, dst);
  const status = encodeAtOnce(module, text, encoding, unmappables, Math.min(module.outSize, dst.length));
  if (status === DONE) {
    const { outAt, written } = module;
    dst.set(module.u8.subarray(outAt, outAt + written));
    return { read: text.length, written };
  }
  const encoder = new FromString(encoding, unmappables);
  try {
    return encoder.into(text, dst);
  } finally {
    encoder.free();
  }
}

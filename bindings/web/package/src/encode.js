// Strings to bytes, whole and in pieces.

import { concat } from "./bytes.js";
import { UnmappableError } from "./errors.js";
import { UTF_16LE, UTF_8 } from "./labels.js";
import { moduleFor } from "./load.js";
import { Converter, DONE, ILL_FORMED, NEED_OUTPUT, NOTES_FULL, PIECE, UNMAPPABLE, unmappable } from "./module.js";
import { Notes, notedUnmappable, thrown } from "./notes.js";
import { FATAL, REPLACE } from "./policies.js";
import { isWellFormed, join, putNarrow, putUnits } from "./strings.js";

const UTF_16LE_NUMBER = UTF_16LE.number;

/** Reads surrogates in strings as code points: a target without them applies its policy for unmappable text. */
const SURROGATES_PASS = { number: 8 };
const STOP = { number: 0 };
/** The number of answers of a policy that are remembered in bytes. */
const MOST_ANSWERS = 1000;

/** Whether a policy may have to replace code points that an encoding lacks. */
const mayLack = (encoding, { number, call }) => !encoding.unicode && (number !== FATAL || call !== undefined);

/** Whether the bytes of a code point do not depend on those before it. */
const hasNoState = ({ maxBytes, name }) => maxBytes === 1 || /^(gbk|big5|euc-jp|euc-kr|shift_jis)$/.test(name);

/**
 * Encodes strings, piece by piece. Their units come into memory as UTF-16, or as UTF-8, in which surrogates take three bytes: the engine
 * reads that quicker for encodings with shifts, and gets past code points that the target lacks much quicker.
 */
export class FromString {
  constructor(encoding, unmappables) {
    this.encoding = encoding;
    this.unmappables = unmappables;
    this.module = moduleFor(encoding);
    const lacks = mayLack(encoding, unmappables);
    /** Whether the target has had all code points so far, and the policy is asked only when it lacks one. */
    this.hopes = lacks && !unmappables.call && hasNoState(encoding);
    this.narrow = encoding.shifts || (lacks && !this.hopes);
    this.start(this.hopes ? STOP : unmappables);
    this.answers = new Map();
    this.begin();
  }

  start(unmappables) {
    const { module, encoding } = this;
    // The engine is faster if it need not look for surrogates.
    this.converter = this.narrow
      ? new Converter(module, UTF_8, encoding, STOP, unmappables)
      : new Converter(module, UTF_16LE, encoding, SURROGATES_PASS, unmappables);
    this.passes = !this.narrow;
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
    if (this.table) return this.pieceByTable(text, start, end, emit);
    if (unmappables.call && hasNoState(this.encoding)) return this.pieceByCalls(text, start, end, last, emit);
    const length = this.put(text, start, end);
    let [at, foreign] = [0, 0];
    for (;;) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
      if (status === UNMAPPABLE && this.hopes) return this.lacking(text, start, end, last, emit);
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

  /** Goes on where the target lacks a code point, from now on with the policy. */
  lacking(text, start, end, last, emit) {
    const { module, encoding, unmappables } = this;
    const unit = start + (module.error().offset - this.bytesBefore) / 2;
    this.unitsBefore += unit - start;
    this.bytesBefore = 0;
    this.converter.free();
    this.hopes = false;
    this.narrow = true;
    this.start(unmappables);
    this.table = replacesBy(unmappables, REPLACE) ? tableOf(module, encoding) : undefined;
    for (let at = unit; at < end; ) {
      const to = this.pieceEnd(text, at, end);
      this.piece(text, at, to, last && to === end, emit);
      at = to;
    }
  }

  /** Converts a piece into single bytes, of which a table has one for each code unit. */
  pieceByTable(text, start, end, emit) {
    const bytes = new Uint8Array(end - start);
    const length = byTable(this.table, text, start, end, bytes);
    this.unitsBefore += end - start;
    emit(length < bytes.length ? bytes.subarray(0, length) : bytes);
  }

  /** Converts a piece with a function as the policy. The module goes on past errors, and the function hears of many of them at once. */
  pieceByCalls(text, start, end, last, emit) {
    const { module, converter } = this;
    const place = { unit: start, byte: this.bytesBefore };
    for (;;) {
      // The function may have used the module.
      const length = this.put(text, place.unit, end);
      const status = converter.runNoting(module.inAt, length, module.outAt, module.outSize, last);
      const { read, written, notes: count } = module;
      const bytes = module.u8.slice(module.outAt, module.outAt + written);
      const next = place.byte + read;
      if (count > 0) this.answered(new Notes(module, this.encoding, count), bytes, text, start, place, emit);
      else if (written > 0) emit(bytes);
      advance(place, text, next);
      if (status !== NEED_OUTPUT && status !== NOTES_FULL) break;
      if (read === 0 && written === 0 && count === 0) module.grow(converter.leastRoom);
    }
    this.unitsBefore += end - start;
    this.bytesBefore = place.byte;
  }

  /** Passes on bytes with the answers of the policy to the code points that the target lacks. */
  answered(notes, bytes, text, start, place, emit) {
    const parts = [];
    let from = 0;
    try {
      for (let i = 0; i < notes.count; i++) {
        const to = notes.written(i);
        if (to > from) parts.push(bytes.subarray(from, to));
        from = to;
        advance(place, text, notes.offset(i));
        const error = notedUnmappable(notes, i, this.unitsBefore + place.unit - start);
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

const tables = new Map();
const SURROGATES = 0xd800;
const PAST_SURROGATES = 0xe000;
/** The number of code units that are encoded at a time for a table: all of them surrogates, or none. */
const TABLE_BLOCK = 0x800;

/** Returns the byte of each code unit in an encoding that has single bytes, with the encoding's substitute for what it lacks; undefined for other encodings. */
function tableOf(module, encoding) {
  if (encoding.maxBytes !== 1) return undefined;
  let table = tables.get(encoding);
  if (table === undefined) tables.set(encoding, (table = makeTable(module, encoding)));
  return table ?? undefined;
}

/** Writes the byte of each code point of a part of a string; returns the number of bytes. */
function byTable(table, text, start, end, bytes) {
  let length = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    bytes[length] = table[unit];
    length += 1;
    // A pair has one byte.
    if (unit >= SURROGATES && isLead(unit) && i + 1 < end && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i += 1;
  }
  return length;
}

function makeTable(module, encoding) {
  const table = new Uint8Array(0x10000);
  const converter = new Converter(module, UTF_8, encoding, STOP, { number: REPLACE });
  try {
    for (let at = 0; at < table.length; at += TABLE_BLOCK) {
      if (at >= SURROGATES && at < PAST_SURROGATES) continue;
      const text = String.fromCharCode(...Array.from({ length: TABLE_BLOCK }, (_, i) => at + i));
      const status = converter.run(module.inAt, putNarrow(module, text, true, module.inAt), module.outAt, module.outSize, true);
      if (status !== DONE || module.written !== TABLE_BLOCK) return null;
      table.set(module.u8.subarray(module.outAt, module.outAt + TABLE_BLOCK), at);
      converter.reset();
    }
  } finally {
    converter.free();
  }
  // The last code point of the plane is none that an encoding has.
  return table.fill(table[0xffff], SURROGATES, PAST_SURROGATES);
}

/** Moves a place in a string to a byte of its UTF-8. */
function advance(place, text, byte) {
  place.unit += unitsOf(text, place.unit, byte - place.byte);
  place.byte = byte;
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
  // If the encoding lacks something, another converter takes over, which gets past it quicker.
  const number = mayLack(encoding, unmappables) ? FATAL : unmappables.number;
  putUnits(module, text, 0, text.length, module.inAt);
  const { inAt, outAt, calls } = module;
  let status;
  try {
    status = calls.convert(UTF_16LE_NUMBER, encoding.number, SURROGATES_PASS.number, number, inAt, 2 * text.length, outAt, most);
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
  if (status === UNMAPPABLE && unmappables.number === FATAL) {
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

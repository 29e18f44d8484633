// Conversion of strings and bytes, whole and in pieces.

import { mayChange } from "./bytes.js";
import { UTF_16LE, UTF_8 } from "./labels.js";
import { moduleFor } from "./load.js";
import {
  Converter, DONE, ILL_FORMED, NEED_OUTPUT, PIECE, UNMAPPABLE, illFormed, unmappable,
} from "./module.js";
import { REPLACE, STRING, STRING_REPLACING } from "./policies.js";
import { PLATFORM_UTF8, asciiString, isAscii, join, putUnits, stringOf } from "./strings.js";

/** Bytes around an error that its explanation looks at. */
const BEHIND = 64;
const AHEAD = 512;
const NO_BYTES = new Uint8Array(0);

/** In strings, surrogates are code points: a target without them decides by its policy for unmappable text. */
const SURROGATES_PASS = { number: 8 };

/** The policy of a string as the target: it holds lone surrogates, but no values above U+10FFFF. */
const intoString = (errors) => ({ number: errors.number === REPLACE ? STRING_REPLACING : STRING });

/** Whether the result of a policy, or of an encoding, may have lone surrogates. */
const anySurrogate = (encoding, errors) => (errors.number & 15) >= 7 || encoding.surrogates;

const strictUtf8 = PLATFORM_UTF8 ? new globalThis.TextDecoder("utf-8", { fatal: true, ignoreBOM: true }) : undefined;
const replacingUtf8 = PLATFORM_UTF8 ? new globalThis.TextDecoder("utf-8", { ignoreBOM: true }) : undefined;

/** A value above U+10FFFF, which a string does not hold, is an error of the bytes. */
function notInString(module, facts, encoding) {
  return illFormed(module, { ...facts, length: 1, width: 1, bytes: NO_BYTES, words: "value above U+10FFFF" }, encoding);
}

/** Decodes bytes, piece by piece. */
export class FromBytes {
  constructor(encoding, errors) {
    this.encoding = encoding;
    this.errors = errors;
    this.module = moduleFor(encoding);
    this.converter = new Converter(this.module, encoding, UTF_16LE, errors, intoString(errors));
    this.any = anySurrogate(encoding, errors);
    /** The offset of the next piece in the text. */
    this.offset = 0;
    this.busy = false;
  }

  /** The text of the next bytes. */
  push(bytes, last) {
    let text = "";
    this.each(bytes, last, (part) => (text = join(text, part)));
    return text;
  }

  /** Gives the text of the next bytes to `emit`, in parts. */
  each(bytes, last, emit) {
    const parts = this.parts(bytes, last);
    while (!parts.next(emit).done);
  }

  /** As `each`, and stops between pieces: a generator, so that a long conversion can let others run. */
  *parts(bytes, last, emit) {
    if (this.busy) throw new Error("the decoder is at work: a policy must not call it");
    this.busy = true;
    try {
      emit ??= yield;
      let at = 0;
      do {
        const to = Math.min(bytes.length, at + PIECE);
        this.piece(bytes.subarray(at, to), last && to === bytes.length, emit);
        at = to;
        yield;
      } while (at < bytes.length);
    } finally {
      this.busy = false;
    }
  }

  piece(bytes, last, emit) {
    const { module, converter, errors, encoding } = this;
    const { length } = bytes;
    if (errors.call && length > 0) bytes = bytes.slice();
    module.u8.set(bytes, module.inAt);
    let at = 0;
    for (;;) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (status === ILL_FORMED || status === UNMAPPABLE) {
        const facts = module.error();
        const text = stringOf(module, module.outAt, written >> 1, this.any);
        const error =
          status === ILL_FORMED
            ? illFormed(module, facts, encoding, (facts) => this.around(module.u8.subarray(module.inAt, module.inAt + length), facts))
            : notInString(module, facts, encoding);
        if (!errors.call) {
          this.offset += length;
          throw error;
        }
        if (text) emit(text);
        const answer = errors.call(error);
        if (answer === undefined || answer === null) throw error;
        emit(String(answer));
        // The policy may have used the module.
        module.u8.set(bytes, module.inAt);
        continue;
      }
      if (written > 0) emit(stringOf(module, module.outAt, written >> 1, this.any));
      if (status !== NEED_OUTPUT) break;
      if (read === 0 && written === 0) module.grow(converter.leastRoom);
    }
    this.offset += length;
  }

  /** Bytes before and after an error, from the piece that it is in. */
  around(piece, { offset, bytes }) {
    const at = offset - this.offset;
    if (at < 0) return { before: NO_BYTES, following: bytes };
    return { before: piece.slice(Math.max(0, at - BEHIND), at), following: piece.slice(at, at + AHEAD) };
  }

  get alive() {
    return this.converter.alive;
  }

  reset() {
    this.converter.reset();
    this.offset = 0;
  }

  free() {
    this.converter.free();
  }
}

/** The text of bytes that are a whole text. */
export function decodeWhole(bytes, encoding, errors) {
  const { length } = bytes;
  const steady = !mayChange(bytes);
  if (steady && encoding.asciiCompatible) {
    if (isAscii !== undefined && errors.number < 9) {
      if (isAscii(bytes)) return (moduleFor(encoding), asciiString(bytes));
    } else if (encoding === UTF_8 && strictUtf8 && errors.number < 9) {
      const text = byPlatform(bytes, errors);
      if (text !== undefined) return (moduleFor(encoding), text);
    }
  }
  const module = moduleFor(encoding);
  if (length <= PIECE && !errors.call && !errors.text) {
    module.u8.set(bytes, module.inAt);
    const { inAt, outAt, outSize, calls } = module;
    const into = errors.number === REPLACE ? STRING_REPLACING : STRING;
    const status = module.run(() =>
      calls.convert(encoding.number, UTF_16LE.number, errors.number, into, inAt, length, outAt, outSize),
    );
    if (status === DONE) return stringOf(module, outAt, module.written >> 1, anySurrogate(encoding, errors));
    if (status === ILL_FORMED) {
      const piece = module.u8.slice(inAt, inAt + length);
      throw illFormed(module, module.error(), encoding, (facts) => ({
        before: piece.subarray(Math.max(0, facts.offset - BEHIND), facts.offset),
        following: piece.subarray(facts.offset, facts.offset + AHEAD),
      }));
    }
  }
  const decoding = new FromBytes(encoding, errors);
  try {
    return decoding.push(bytes, true);
  } finally {
    decoding.free();
  }
}

function byPlatform(bytes, errors) {
  try {
    if (errors.number === REPLACE) return replacingUtf8.decode(bytes);
    return strictUtf8.decode(bytes);
  } catch {
    // Ill-formed, or too long: the module says which.
    return undefined;
  }
}

/** Encodes strings, piece by piece. */
export class FromString {
  constructor(encoding, unmappables) {
    this.encoding = encoding;
    this.unmappables = unmappables;
    this.module = moduleFor(encoding);
    this.converter = new Converter(this.module, UTF_16LE, encoding, SURROGATES_PASS, unmappables);
    /** Units of replacements that the converter has read, and which are not of the text. */
    this.foreign = 0;
    this.busy = false;
  }

  /** The bytes of the next part of a text. */
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
      let at = 0;
      do {
        const to = Math.min(text.length, at + PIECE / 2);
        this.piece(text, at, to, last && to === text.length, emit);
        at = to;
        yield;
      } while (at < text.length);
    } finally {
      this.busy = false;
    }
  }

  piece(text, start, end, last, emit) {
    const { module, converter, unmappables, encoding } = this;
    putUnits(module, text, start, end, module.inAt);
    const length = 2 * (end - start);
    let at = 0;
    for (;;) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
      if (status === UNMAPPABLE || status === ILL_FORMED) {
        const facts = module.error();
        const error = unmappable(facts, encoding, facts.offset / 2 - this.foreign);
        if (!unmappables.call) throw error;
        const answer = unmappables.call(error);
        if (answer === undefined || answer === null) throw error;
        if (typeof answer === "string") this.put(answer, error, emit);
        else emit(Uint8Array.from(answer));
        putUnits(module, text, start, end, module.inAt);
        continue;
      }
      if (status !== NEED_OUTPUT) break;
      if (read === 0 && written === 0) module.grow(converter.leastRoom);
    }
  }

  /** Encodes into `dst` as long as there is room; tells the units read and the bytes written. */
  into(text, dst) {
    const { module, converter, unmappables, encoding } = this;
    if (unmappables.call) throw new TypeError("encodeInto takes no function as a policy: use encode");
    let [units, filled] = [0, 0];
    do {
      let end = Math.min(text.length, units + PIECE / 2);
      // A pair is not cut, so that what was read was also written.
      if (end < text.length && isLead(text.charCodeAt(end - 1))) end -= 1;
      putUnits(module, text, units, end, module.inAt);
      const length = 2 * (end - units);
      let [at, full] = [0, false];
      for (;;) {
        const room = Math.min(dst.length - filled, module.outSize);
        const status = converter.run(module.inAt + at, length - at, module.outAt, room, end === text.length);
        const { read, written } = module;
        dst.set(module.u8.subarray(module.outAt, module.outAt + written), filled);
        at += read;
        filled += written;
        if (status === UNMAPPABLE || status === ILL_FORMED) {
          const facts = module.error();
          throw unmappable(facts, encoding, facts.offset / 2);
        }
        if (status !== NEED_OUTPUT) break;
        full = read === 0 && written === 0;
        if (full && room < dst.length - filled) {
          module.grow(converter.leastRoom);
          full = false;
        }
        if (full) break;
      }
      units += at / 2;
      if (full) break;
    } while (units < text.length);
    return { read: units, written: filled };
  }

  /** Encodes what a policy puts in place of a code point. */
  put(text, error, emit) {
    const { module, converter } = this;
    for (let start = 0; start < text.length; start += PIECE / 2) {
      const end = Math.min(text.length, start + PIECE / 2);
      putUnits(module, text, start, end, module.inAt);
      const length = 2 * (end - start);
      for (let at = 0; ; ) {
        const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, false);
        const { read, written } = module;
        at += read;
        if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
        if (status === UNMAPPABLE || status === ILL_FORMED) throw error;
        if (status !== NEED_OUTPUT) break;
        if (read === 0 && written === 0) module.grow(converter.leastRoom);
      }
      this.foreign += end - start;
    }
  }

  get alive() {
    return this.converter.alive;
  }

  reset() {
    this.converter.reset();
    this.foreign = 0;
  }

  free() {
    this.converter.free();
  }
}

const isLead = (unit) => (unit & 0xfc00) === 0xd800;
const platformEncoder = new globalThis.TextEncoder();
const isWellFormed =
  typeof String.prototype.isWellFormed === "function" ? (text) => text.isWellFormed() : (text) => !/\p{Surrogate}/u.test(text);

/** The bytes of a string that is a whole text. */
export function encodeWhole(text, encoding, unmappables) {
  const module = moduleFor(encoding);
  if (encoding === UTF_8 && unmappables.number < 9 && (replacesBy(unmappables, REPLACE) || isWellFormed(text))) {
    return platformEncoder.encode(text);
  }
  if (2 * text.length <= PIECE && !unmappables.call && !unmappables.text) {
    putUnits(module, text, 0, text.length, module.inAt);
    const { inAt, outAt, outSize, calls } = module;
    const status = module.run(() =>
      calls.convert(UTF_16LE.number, encoding.number, SURROGATES_PASS.number, unmappables.number, inAt, 2 * text.length, outAt, outSize),
    );
    if (status === DONE) return module.u8.slice(outAt, outAt + module.written);
    if (status === UNMAPPABLE) {
      const facts = module.error();
      throw unmappable(facts, encoding, facts.offset / 2);
    }
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
  moduleFor(encoding);
  if (encoding === UTF_8 && replacesBy(unmappables, REPLACE)) return platformEncoder.encodeInto(text, dst);
  const encoder = new FromString(encoding, unmappables);
  try {
    return encoder.into(text, dst);
  } finally {
    encoder.free();
  }
}

/** Converts bytes from one encoding to another, piece by piece. */
export class Between {
  constructor(from, to, errors, unmappables) {
    this.from = from;
    this.to = to;
    this.errors = errors;
    this.unmappables = unmappables;
    if (errors.call || unmappables.call) {
      // Policies that are functions put strings, so a string is between the two.
      this.decoding = new FromBytes(from, errors);
      this.encoding = new FromString(to, unmappables);
      this.module = this.decoding.module;
      return;
    }
    this.module = moduleFor(from, to);
    this.converter = new Converter(this.module, from, to, errors, unmappables);
    this.offset = 0;
  }

  push(bytes, last) {
    const parts = [];
    for (const _ of this.parts(bytes, last, (part) => parts.push(part)));
    return concat(parts);
  }

  *parts(bytes, last, emit) {
    let at = 0;
    do {
      const to = Math.min(bytes.length, at + PIECE);
      this.piece(bytes.subarray(at, to), last && to === bytes.length, emit);
      at = to;
      yield;
    } while (at < bytes.length);
  }

  piece(bytes, last, emit) {
    if (this.decoding) {
      this.decoding.each(bytes, last, (text) => this.encoding.each(text, false, emit));
      if (last) this.encoding.each("", true, emit);
      return;
    }
    const { module, converter } = this;
    const { length } = bytes;
    module.u8.set(bytes, module.inAt);
    for (let at = 0; ; ) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (written > 0) emit(module.u8.slice(module.outAt, module.outAt + written));
      if (status === ILL_FORMED) {
        throw illFormed(module, module.error(), this.from, (facts) =>
          FromBytes.prototype.around.call(this, module.u8.subarray(module.inAt, module.inAt + length), facts),
        );
      }
      if (status === UNMAPPABLE) {
        const facts = module.error();
        throw unmappable(facts, this.to, facts.offset);
      }
      if (status !== NEED_OUTPUT) break;
      if (read === 0 && written === 0) module.grow(converter.leastRoom);
    }
    this.offset += length;
  }

  free() {
    this.converter?.free();
    this.decoding?.free();
    this.encoding?.free();
  }
}

/** One array of several. */
export function concat(parts) {
  if (parts.length === 1) return parts[0];
  let length = 0;
  for (const part of parts) length += part.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

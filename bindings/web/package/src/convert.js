// Conversion of strings and bytes, whole and in pieces.

import { mayChange } from "./bytes.js";
import { ISO_8859_1, UTF_16LE, UTF_8 } from "./labels.js";
import { moduleFor } from "./load.js";
import {
  Converter, DONE, ILL_FORMED, NEED_OUTPUT, PIECE, UNMAPPABLE, illFormed, unmappable,
} from "./module.js";
import { FATAL, REPLACE, STRING, STRING_REPLACING } from "./policies.js";
import {
  ASCII_IS_QUICK, LATIN1_IS_QUICK, PLATFORM_DECODES_BYTES, PLATFORM_DECODES_UTF_8, asciiString, isAscii, isWellFormed, join, latin1String,
  putNarrow, putUnits, stringOf,
} from "./strings.js";

/** The number of bytes before and after an error that its explanation may need. */
const BYTES_BEFORE = 64;
const BYTES_AFTER = 512;
const NO_BYTES = new Uint8Array(0);
const UTF_16LE_NUMBER = UTF_16LE.number;

/** Reads surrogates in strings as code points: a target without them applies its policy for unmappable text. */
const SURROGATES_PASS = { number: 8 };
const STOP = { number: 0 };

/** Returns the policy of a string as the target: it represents lone surrogates, but no values above U+10FFFF. */
const intoString = (errors) => ({ number: errors.number === REPLACE ? STRING_REPLACING : STRING });

/** Whether the result of a policy, or of an encoding, may have lone surrogates. */
const anySurrogate = (encoding, errors) => (errors.number & 15) >= 7 || encoding.surrogates;


/** Returns the error for a value above U+10FFFF, which a string cannot represent. */
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

  /** Returns the text of the next bytes. */
  push(bytes, last) {
    let text = "";
    this.each(bytes, last, (part) => (text = join(text, part)));
    return text;
  }

  /** Passes the text of the next bytes to `emit`, in parts. */
  each(bytes, last, emit) {
    const parts = this.parts(bytes, last);
    while (!parts.next(emit).done);
  }

  /** Converts like `each`, and yields between pieces, so that a long conversion can let others run. */
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

  /** Returns the bytes before and after an error, from its piece. */
  around(piece, { offset, bytes }) {
    const at = offset - this.offset;
    if (at < 0) return { before: NO_BYTES, following: bytes };
    return { before: piece.slice(Math.max(0, at - BYTES_BEFORE), at), following: piece.slice(at, at + BYTES_AFTER) };
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

/** Decodes bytes that are a whole text. */
export function decodeWhole(bytes, encoding, errors) {
  const { length } = bytes;
  // Only the platform reads bytes in place, and only if they do not change.
  if (ASCII_IS_QUICK && encoding.asciiAlike && (bytes[0] < 0x80 || length === 0) && errors.number < 9 && !mayChange(bytes)) {
    if (isAscii(bytes)) return (moduleFor(encoding), asciiString(bytes));
  }
  const module = moduleFor(encoding);
  if (LATIN1_IS_QUICK && encoding === UTF_8 && length >= MIN_LATIN1_BYTES && length <= PIECE) {
    const text = asLatin1(module, bytes);
    if (text !== undefined) return text;
  }
  if (PLATFORM_DECODES_UTF_8 && length > MIN_PLATFORM_BYTES && errors.number < 9 && !mayChange(bytes)) {
    const text = byPlatform(bytes, encoding, errors);
    if (text !== undefined) return text;
  }
  return byModule(module, bytes, encoding, errors);
}

/** From this many bytes on, it pays to try whether all code points of a text are below U+0100. */
const MIN_LATIN1_BYTES = 256;

/** Returns the text of UTF-8 that is well-formed and within Latin-1, one byte for each code unit; otherwise undefined. */
function asLatin1(module, bytes) {
  module.u8.set(bytes, module.inAt);
  const { inAt, outAt, outSize } = module;
  const status = module.run((calls) =>
    calls.convert(UTF_8.number, ISO_8859_1.number, FATAL, FATAL, inAt, bytes.length, outAt, outSize),
  );
  return status === DONE ? latin1String(module, outAt, module.written) : undefined;
}

function byModule(module, bytes, encoding, errors) {
  const { length } = bytes;
  if (length <= PIECE && !errors.call && !errors.text && !errors.kinds) {
    module.u8.set(bytes, module.inAt);
    const { inAt, outAt, outSize, calls } = module;
    const into = errors.number === REPLACE ? STRING_REPLACING : STRING;
    let status;
    try {
      status = calls.convert(encoding.number, UTF_16LE_NUMBER, errors.number, into, inAt, length, outAt, outSize);
    } catch (cause) {
      throw module.failed(cause);
    }
    if (module.u8.length === 0) module.look();
    if (status === DONE) return stringOf(module, outAt, module.written >> 1, anySurrogate(encoding, errors));
    if (status === ILL_FORMED) {
      const piece = module.u8.slice(inAt, inAt + length);
      throw illFormed(module, module.error(), encoding, (facts) => ({
        before: piece.subarray(Math.max(0, facts.offset - BYTES_BEFORE), facts.offset),
        following: piece.subarray(facts.offset, facts.offset + BYTES_AFTER),
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

/** For texts shorter than this, in bytes, the module is as fast as the platform. */
const MIN_PLATFORM_BYTES = 16;
/** The decoders of the platform, for the encodings in which it is faster and right; null for others. */
const platforms = new Map();

/** Decodes by the platform; returns undefined if the text is ill-formed, too long, or better decoded by the module. */
function byPlatform(bytes, encoding, errors) {
  let decoder = platforms.get(encoding);
  if (decoder === undefined) platforms.set(encoding, (decoder = platformDecoder(encoding)));
  let text;
  try {
    text = decoder?.decode(bytes);
  } catch {
    return undefined;
  }
  // Strict decoders are slow on some platforms: testing for U+FFFD, which may be text, is faster.
  return errors.number === REPLACE || !text?.includes("\uFFFD") ? text : undefined;
}

/** Returns the platform's decoder. Browsers decode UTF-8 and single bytes as fast as memory allows. All 256 bytes are compared to see whether a decoder is right. */
function platformDecoder(encoding) {
  const isBytes = PLATFORM_DECODES_BYTES && encoding.maxBytes === 1 && encoding.webLabels.length > 0;
  if (encoding !== UTF_8 && !isBytes) return null;
  try {
    const decoder = new globalThis.TextDecoder(encoding.name, { ignoreBOM: true });
    if (encoding !== UTF_8) {
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      if (decoder.decode(bytes) !== byModule(moduleFor(encoding), bytes, encoding, { number: REPLACE })) return null;
    }
    return decoder;
  } catch {
    return null;
  }
}

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

/** Converts bytes from one encoding to another, piece by piece. */
export class Between {
  constructor(from, to, errors, unmappables) {
    this.from = from;
    this.to = to;
    this.errors = errors;
    this.unmappables = unmappables;
    if (errors.call || unmappables.call) {
      // Policies that are functions write strings, so a string is between the two.
      this.decoding = new FromBytes(from, errors);
      this.encoding = new FromString(to, unmappables);
      this.module = this.decoding.module;
      return;
    }
    moduleFor(from);
    this.module = moduleFor(to);
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

/** Joins several arrays into one. */
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

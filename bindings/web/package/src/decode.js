// Bytes to strings, whole and in pieces.

import { mayChange } from "./bytes.js";
import { ISO_8859_1, UTF_16LE, UTF_8 } from "./labels.js";
import { moduleFor } from "./load.js";
import { Converter, DONE, ILL_FORMED, NEED_INPUT, NEED_OUTPUT, NOTES_FULL, PIECE, UNMAPPABLE, illFormed } from "./module.js";
import { Nearby, within } from "./nearby.js";
import { Notes, notedIllFormed, thrown } from "./notes.js";
import { FATAL, REPLACE, STRING, STRING_REPLACING } from "./policies.js";
import {
  ASCII_IS_QUICK, LATIN1_IS_QUICK, MAX_PLATFORM_UTF_8_BYTES, MAX_VALIDATED_LEAD, MAX_WELL_FORMED_BYTES, PLATFORM_DECODES_BYTES, UTF16_IS_QUICK,
  asciiString, isAscii, isUtf8, isWellFormed, join, latin1String, stringOf, utf16String,
} from "./strings.js";

const NO_BYTES = new Uint8Array(0);
const UTF_16LE_NUMBER = UTF_16LE.number;

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
  #nearby = new Nearby();

  constructor(encoding, errors) {
    this.encoding = encoding;
    this.errors = errors;
    this.module = moduleFor(encoding);
    this.converter = new Converter(this.module, encoding, UTF_16LE, errors, intoString(errors));
    this.any = anySurrogate(encoding, errors);
    this.busy = false;
    /** Whether the part ended within a sequence. */
    this.holds = false;
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
    this.#nearby.take(bytes, last);
    try {
      emit ??= yield;
      let at = 0;
      do {
        const to = Math.min(bytes.length, at + PIECE);
        const ends = last && to === bytes.length;
        if (this.errors.call) this.#pieceByCalls(bytes.subarray(at, to), ends, emit);
        else this.#piece(bytes.subarray(at, to), ends, emit);
        at = to;
        yield;
      } while (at < bytes.length);
    } finally {
      this.busy = false;
      this.#nearby.leave(this.holds);
    }
  }

  #piece(bytes, last, emit) {
    const { module, converter, encoding } = this;
    const { length } = bytes;
    module.u8.set(bytes, module.inAt);
    for (let at = 0; ; ) {
      const status = converter.run(module.inAt + at, length - at, module.outAt, module.outSize, last);
      const { read, written } = module;
      at += read;
      if (status === ILL_FORMED) {
        const facts = module.error();
        throw illFormed(module, facts, encoding, this.#nearby.copy(facts.offset));
      }
      if (status === UNMAPPABLE) throw notInString(module, module.error(), encoding);
      if (written > 0) emit(stringOf(module, module.outAt, written >> 1, this.any));
      this.holds = status === NEED_INPUT;
      if (status !== NEED_OUTPUT) return;
      if (read === 0 && written === 0) module.grow(converter.leastRoom);
    }
  }

  /** Converts a piece with a function as the policy. The module goes on past errors, and the function hears of many of them at once. */
  #pieceByCalls(bytes, last, emit) {
    const { module, converter, encoding } = this;
    const { length } = bytes;
    // The function may change the bytes.
    if (length > 0) bytes = bytes.slice();
    for (let at = 0; ; ) {
      // The function may have used the module.
      module.u8.set(at === 0 ? bytes : bytes.subarray(at), module.inAt);
      const status = converter.runNoting(module.inAt, length - at, module.outAt, module.outSize, last);
      const { read, written, notes: count } = module;
      at += read;
      this.holds = status === NEED_INPUT;
      const text = stringOf(module, module.outAt, written >> 1, this.any);
      if (count > 0) this.#answered(new Notes(module, encoding, count), text, emit);
      else if (text) emit(text);
      if (status !== NEED_OUTPUT && status !== NOTES_FULL) return;
      if (read === 0 && written === 0 && count === 0) module.grow(converter.leastRoom);
    }
  }

  /** Passes on a text with the answers of the policy to the errors in it. */
  #answered(notes, text, emit) {
    const { count } = notes;
    notes.region = this.#nearby.copy(notes.offset(0), notes.offset(count - 1));
    let [from, made] = [0, ""];
    try {
      for (let i = 0; i < count; i++) {
        const to = notes.written(i) >> 1;
        if (to > from) made = join(made, text.slice(from, to));
        from = to;
        const error = notes.isUnmappable(i) ? notInString(this.module, notes.facts(i), this.encoding) : notedIllFormed(notes, i);
        const answer = this.errors.call(error);
        if (answer === undefined || answer === null) throw notes.isUnmappable(i) ? error : thrown(error);
        // Nothing is missing in a text that ends in a shifted state.
        if (error.code !== "unclosed-shift") made = join(made, String(answer));
      }
      if (from < text.length) made = join(made, text.slice(from));
    } finally {
      if (made) emit(made);
    }
  }

  get alive() {
    return this.converter.alive;
  }

  reset() {
    this.converter.reset();
    this.#nearby.reset();
    this.holds = false;
  }

  free() {
    this.converter.free();
  }
}

/** Decodes bytes that are a whole text. */
export function decodeWhole(bytes, encoding, errors) {
  const { length } = bytes;
  if (encoding === UTF_8 && length <= MAX_PLATFORM_UTF_8_BYTES && length > MIN_PLATFORM_BYTES && errors.number < 9 && !mayChange(bytes)) {
    const text = byPlatform(bytes, encoding, errors);
    if (text !== undefined) return text;
  }
  // Only the platform reads bytes in place, and only if they do not change.
  if (ASCII_IS_QUICK && encoding.asciiAlike && (bytes[0] < 0x80 || length === 0) && errors.number < 9 && !mayChange(bytes)) {
    if (isAscii(bytes)) return (moduleFor(encoding), asciiString(bytes));
  }
  const module = moduleFor(encoding);
  if (UTF16_IS_QUICK && encoding === UTF_16LE && length % 2 === 0 && errors.number < 9 && !mayChange(bytes)) {
    if (length <= MAX_WELL_FORMED_BYTES) {
      const text = utf16String(bytes);
      if (isWellFormed(text)) return text;
    } else if (length > PIECE && isUtf16(module, bytes)) return utf16String(bytes);
  }
  if (LATIN1_IS_QUICK && encoding === UTF_8 && length >= MIN_LATIN1_BYTES && length <= PIECE) {
    const text = asLatin1(module, bytes);
    if (text !== undefined) return text;
  }
  if (PLATFORM_DECODES_BYTES && encoding !== UTF_8 && length > MIN_PLATFORM_BYTES && errors.number < 9 && !mayChange(bytes)) {
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

/** Whether bytes are well-formed UTF-16LE. */
function isUtf16(module, bytes) {
  const { inAt, outAt, outSize } = module;
  for (let at = 0, end; at < bytes.length; at = end) {
    end = Math.min(bytes.length, at + PIECE);
    // A piece does not end between the units of a pair.
    if (end < bytes.length && (bytes[end - 1] & 0xfc) === 0xd8) end -= 2;
    module.u8.set(bytes.subarray(at, end), inAt);
    const status = module.run((calls) => calls.convert(UTF_16LE_NUMBER, UTF_16LE_NUMBER, FATAL, FATAL, inAt, end - at, outAt, outSize));
    if (status !== DONE) return false;
  }
  return true;
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
      const facts = module.error();
      throw illFormed(module, facts, encoding, within(module.u8.subarray(inAt, inAt + length), facts.offset));
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
  const replaces = errors.number === REPLACE;
  if (!replaces && encoding === UTF_8 && isUtf8) return byStrictPlatform(bytes, decoder);
  let text;
  try {
    text = decoder?.decode(bytes);
  } catch {
    return undefined;
  }
  // Strict decoders are slow on some platforms: testing for U+FFFD, which may be text, is faster.
  return replaces || !text?.includes("\uFFFD") ? text : undefined;
}

/** In bytes of UTF-8: outside of these lengths, one call of the platform's strict decoder is fastest. */
const MAX_STRICT_BYTES = 512;
const MIN_STRICT_BYTES = PIECE;
const strict = new globalThis.TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Whether one call of the platform's strict decoder is the fastest method for bytes of UTF-8. It is fast with ASCII, and slower with
 * sequences of two bytes than to validate them first.
 */
export function strictIsQuick(bytes) {
  const length = bytes?.length;
  if (length > MAX_STRICT_BYTES && length < MIN_STRICT_BYTES) {
    // A look at a few letters. It finds nothing where an input is not an array of bytes.
    const lead = Math.max(bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10], bytes[11]);
    return lead < 0x80 || lead > MAX_VALIDATED_LEAD;
  }
  return length >= 0;
}

/** Decodes UTF-8 by the platform; returns undefined if it is ill-formed. */
function byStrictPlatform(bytes, lenient) {
  if (!strictIsQuick(bytes)) return isUtf8(bytes) ? lenient.decode(bytes) : undefined;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
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

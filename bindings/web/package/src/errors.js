// The errors, each an object with its offset.

import { advice } from "./advice.js";

const hex = (byte) => byte.toString(16).padStart(2, "0");
// Each unit after a space: ` 0xc0 0xaf`, ` 0xd83d`.
const units = (bytes, width) => Array.from(bytes, (byte, i) => (i % width ? "" : " 0x") + hex(byte)).join("");
const codePointName = (c) => `U+${c.toString(16).toUpperCase().padStart(4, "0")}`;

/** Returns the message about an ill-formed sequence from the kind of the error in words. */
export const illFormedWords = (words, seen, width, offset) =>
  words ? `${words}${units(seen, width)} at offset ${offset}` : `ill-formed sequence at offset ${offset}`;

/** Returns the message about a code point that an encoding cannot represent. */
export function unmappableWords({ offset, code, codePoint, encoding }) {
  const name = codePointName(codePoint);
  const what = {
    surrogate: `${encoding} cannot represent the lone surrogate ${name}`,
    "out-of-range": `${encoding} cannot represent ${name}, which is above its last code point`,
    "forged-sequence": `${name} is an escaped byte that would complete a well-formed sequence with those before it`,
  }[code] ?? `${encoding} cannot represent ${name}`;
  return `${what}, at offset ${offset}`;
}

/** Bytes, or code units, that are not text in their encoding. */
export class IllFormedError extends TypeError {
  constructor({ offset, length, code, bytes, seen = bytes, width = 1, words, encoding, message, help }) {
    super(message ?? illFormedWords(words, seen, width, offset));
    this.offset = offset;
    this.length = length;
    this.code = code;
    this.bytes = bytes;
    this.encoding = encoding;
    define(this, help);
  }
}
IllFormedError.prototype.name = "IllFormedError";

/** A code point that the target encoding cannot represent. */
export class UnmappableError extends TypeError {
  constructor(facts) {
    super(unmappableWords(facts));
    const { offset, length, code, codePoint, bytes, encoding } = facts;
    this.offset = offset;
    this.length = length;
    this.code = code;
    this.codePoint = codePoint;
    this.bytes = bytes;
    this.encoding = encoding;
    define(this);
  }
}
UnmappableError.prototype.name = "UnmappableError";

/** An edit that would make a byte without text a part of a character. */
export class EditError extends Error {}
EditError.prototype.name = "EditError";

// `help` is not enumerated: a log shows the message, and who wants advice asks for it. The words of the module come when asked for.
function define(error, help) {
  let known;
  Object.defineProperty(error, "help", {
    configurable: true,
    get: () => (known ??= help?.() || advice(error.code)),
  });
}

/** A text that is longer than a string can be. */
export function tooLong() {
  return new RangeError(
    "the text is longer than a string can be here (536,870,888 UTF-16 units in V8): decode it in pieces, with a TextDecoderStream",
  );
}

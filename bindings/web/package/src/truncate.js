// The beginning of a text that fits and splits no character.

import { mayChange, mustBeBytes } from "./bytes.js";

const isLead = (unit) => (unit & 0xfc00) === 0xd800;
const isTrail = (unit) => (unit & 0xfc00) === 0xdc00;

/** Returns the number of code units of the code point at `at` of a string, and of its bytes in UTF-8; a lone surrogate has three bytes, like U+FFFD. */
function pointAt(text, at) {
  const unit = text.charCodeAt(at);
  if (isLead(unit) && isTrail(text.charCodeAt(at + 1))) return { units: 2, bytes: 4 };
  return { units: 1, bytes: unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3 };
}

/** Returns the end of the longest start of a string with at most `max` bytes in UTF-8, or code points. */
function endInString(text, unit, max) {
  let at = 0;
  for (let used = 0; at < text.length; ) {
    const { units, bytes } = pointAt(text, at);
    used += unit === "bytes" ? bytes : 1;
    if (used > max) break;
    at += units;
  }
  return at;
}

const isContinuation = (byte) => (byte & 0xc0) === 0x80;

/** Returns the end of the longest start of UTF-8 bytes within the limit, at most three bytes before `max` if they are ill-formed. */
function endInBytes(bytes, unit, max) {
  if (unit === "bytes") {
    if (bytes.length <= max) return bytes.length;
    let at = max;
    while (at > 0 && at > max - 3 && isContinuation(bytes[at])) at -= 1;
    return at;
  }
  for (let at = 0, points = 0; at < bytes.length; at++) {
    if (!isContinuation(bytes[at]) && points++ === max) return at;
  }
  return bytes.length;
}

let segmenter;

/** Returns the end of the first `max` grapheme clusters in a string. */
function endOfGraphemes(text, max) {
  segmenter ??= new Intl.Segmenter("und", { granularity: "grapheme" });
  let clusters = 0;
  for (const { index } of segmenter.segment(text)) if (clusters++ === max) return index;
  return text.length;
}

/** Returns the end of the first `max` grapheme clusters in UTF-8. A signature is text, and ill-formed sequences are U+FFFD. */
function endOfGraphemesInBytes(bytes, max) {
  if (mayChange(bytes)) bytes = bytes.slice();
  // Ill-formed bytes are longer or shorter than the U+FFFD that replaces them, so each is located
  // in the bytes.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const end = endOfGraphemes(text, max);
  if (end === text.length) return bytes.length;
  const encoder = new TextEncoder();
  let at = 0;
  for (let i = 0; i < end; ) {
    const { units } = pointAt(text, i);
    const own = encoder.encode(text.slice(i, i + units));
    const isOwn = own.every((byte, k) => bytes[at + k] === byte);
    at += isOwn ? own.length : illFormedLength(bytes, at);
    i += units;
  }
  return at;
}

/** Returns the length of the ill-formed sequence at `at`: a maximal subpart, which a decoder replaces by one U+FFFD. */
function illFormedLength(bytes, at) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (let length = 1; length < 3 && at + length < bytes.length; length++) {
    // The result is one U+FFFD so far, whatever comes next: if the next byte belongs to the
    // sequence there is still one.
    if (decoder.decode(bytes.subarray(at, at + length + 1)) !== "\ufffd") return length;
  }
  return Math.min(3, bytes.length - at);
}

/**
 * The longest start of a string, or of bytes in UTF-8, within a limit of bytes of UTF-8, code points or grapheme
 * clusters that splits none of them: `{ bytes: 255 }`, `{ chars: 20 }`, `{ graphemes: 20 }`. Bytes give a view of the same buffer.
 */
export function truncate(input, limit) {
  const given = Object.keys(limit ?? {}).filter((unit) => limit[unit] !== undefined);
  const [unit] = given;
  if (given.length !== 1 || !["bytes", "chars", "graphemes"].includes(unit)) {
    throw new TypeError("truncate takes one limit: { bytes }, { chars } or { graphemes }");
  }
  const max = limit[unit];
  if (!(Number.isInteger(max) || max === Infinity) || max < 0) {
    throw new RangeError(`truncate: ${unit} is a whole number from 0 on, and not ${String(max)}`);
  }
  if (typeof input === "string") {
    return input.slice(0, unit === "graphemes" ? endOfGraphemes(input, max) : endInString(input, unit, max));
  }
  const bytes = mustBeBytes(input);
  return bytes.subarray(0, unit === "graphemes" ? endOfGraphemesInBytes(bytes, max) : endInBytes(bytes, unit, max));
}

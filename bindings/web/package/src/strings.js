// Copies strings to and from memory. The fastest method depends on the platform.

import { tooLong } from "./errors.js";

const NODE = typeof globalThis.Buffer?.prototype?.ucs2Slice === "function" ? globalThis.Buffer.prototype : undefined;
const platform16 = new globalThis.TextDecoder("utf-16le", { ignoreBOM: true });
const fromUnits = String.fromCharCode;

/** Strings of up to this many code units are built one by one. */
const MAX_SINGLE_UNITS = 12;

/** Returns the string of UTF-16 code units in memory. Pass `any` if there may be lone surrogates, which TextDecoder would replace. */
export function stringOf(module, at, units, any) {
  if (units === 0) return "";
  if (NODE) {
    if (units <= MAX_SINGLE_UNITS) return short(module, at >> 1, units);
    return module.node.ucs2Slice(at, at + 2 * units);
  }
  if (units <= MAX_SINGLE_UNITS) return short(module, at >> 1, units);
  if (any) return bySteps(module, at >> 1, units);
  return platform16.decode(module.u8.subarray(at, at + 2 * units));
}

function short({ u16 }, at, units) {
  switch (units) {
    case 1: return fromUnits(u16[at]);
    case 2: return fromUnits(u16[at], u16[at + 1]);
    case 3: return fromUnits(u16[at], u16[at + 1], u16[at + 2]);
    case 4: return fromUnits(u16[at], u16[at + 1], u16[at + 2], u16[at + 3]);
    default: return fromUnits.apply(null, u16.subarray(at, at + units));
  }
}

function bySteps({ u16 }, at, units) {
  let text = "";
  for (let i = 0; i < units; i += 4096) {
    text += fromUnits.apply(null, u16.subarray(at + i, at + Math.min(units, i + 4096)));
  }
  return text;
}

/** Joins two strings, unless the result is too long for one. */
export function join(a, b) {
  try {
    return a + b;
  } catch {
    throw tooLong();
  }
}

/** Writes units of a string into memory. */
export function putUnits(module, text, start, end, at) {
  if (NODE) {
    module.node.ucs2Write(start === 0 && end === text.length ? text : text.slice(start, end), at, 2 * (end - start));
    return;
  }
  const { u16 } = module;
  for (let i = start, to = at >> 1; i < end; i++, to++) u16[to] = text.charCodeAt(i);
}

const platformEncoder = new globalThis.TextEncoder();
export const isWellFormed =
  typeof String.prototype.isWellFormed === "function" ? (text) => text.isWellFormed() : (text) => !/\p{Surrogate}/u.test(text);

/** Writes a string into memory as UTF-8, with three bytes for a lone surrogate. Returns the number of bytes. */
export function putNarrow({ u8 }, part, well, at) {
  if (well) return platformEncoder.encodeInto(part, u8.subarray(at)).written;
  const begin = at;
  for (const character of part) {
    const c = character.codePointAt(0);
    if (c < 0x80) u8[at++] = c;
    else {
      if (c < 0x800) u8[at++] = 0xc0 | (c >> 6);
      else {
        if (c < 0x10000) u8[at++] = 0xe0 | (c >> 12);
        else {
          u8[at++] = 0xf0 | (c >> 18);
          u8[at++] = 0x80 | ((c >> 12) & 0x3f);
        }
        u8[at++] = 0x80 | ((c >> 6) & 0x3f);
      }
      u8[at++] = 0x80 | (c & 0x3f);
    }
  }
  return at - begin;
}

/** Whether a string is made quickly from UTF-16 in the byte order of the machine, wherever its bytes are. */
export const UTF16_IS_QUICK = NODE !== undefined && new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Returns the string of UTF-16LE, made by the platform. */
export function utf16String(bytes) {
  try {
    return NODE.ucs2Slice.call(bytes, 0, bytes.length);
  } catch {
    throw tooLong();
  }
}

/** Whether bytes are ASCII, if the platform has a fast test; otherwise undefined. */
export const isAscii = NODE && globalThis.process?.getBuiltinModule?.("node:buffer")?.isAscii;

/** Whether bytes are UTF-8, if the platform has a fast test; otherwise undefined. */
export const isUtf8 = NODE && globalThis.process?.getBuiltinModule?.("node:buffer")?.isUtf8;

export const ASCII_IS_QUICK = Boolean(isAscii);

/** Returns the string of ASCII bytes, made by the platform. */
export function asciiString(bytes) {
  try {
    return NODE.latin1Slice.call(bytes, 0, bytes.length);
  } catch {
    throw tooLong();
  }
}

/** Deno and Bun have the strings of Node. They, and Node from version 24 on, decode UTF-8 with vector instructions. */
const NODE_VERSION = parseInt(globalThis.process?.versions?.node);
const FAST_UTF8 = globalThis.Deno !== undefined || globalThis.Bun !== undefined || NODE_VERSION >= 24;

/** Up to this length, in bytes of UTF-16, the platform tells well-formed strings faster than the module. From Node 26 on, it has vectors for this. */
export const MAX_WELL_FORMED_BYTES = NODE_VERSION >= 26 ? Infinity : 512;

/** The highest lead byte of UTF-8 with which the platform decodes faster after a validation of its own. From Node 26 on, that is of two bytes. */
export const MAX_VALIDATED_LEAD = NODE_VERSION >= 26 ? 0xdf : 0xf4;

/** Whether the platform decodes UTF-8 and single bytes faster than the module: browsers do. */
export const PLATFORM_DECODES_UTF_8 = !NODE || FAST_UTF8;
export const PLATFORM_DECODES_BYTES = !NODE;

/** Up to this length, in bytes, the platform decodes UTF-8 faster than the module: in Node before version 24 only what takes less than a call of the module. */
export const MAX_PLATFORM_UTF_8_BYTES = PLATFORM_DECODES_UTF_8 ? Infinity : 96;

/** Whether strings are made faster from bytes in memory, one for each code unit, than from code units. */
export const LATIN1_IS_QUICK = !PLATFORM_DECODES_UTF_8;
export const latin1String = ({ node }, at, length) => node.latin1Slice(at, at + length);

// The forms in which bytes are written: hex, escapes, base64, percent. Each reads what people
// paste, and reports where it cannot.

/** Bytes that grow. */
class Bytes {
  #bytes = new Uint8Array(256);
  length = 0;
  push(...values) {
    for (const value of values) {
      if (this.length === this.#bytes.length) {
        const grown = new Uint8Array(2 * this.length);
        grown.set(this.#bytes);
        this.#bytes = grown;
      }
      this.#bytes[this.length++] = value;
    }
  }
  done() {
    return this.#bytes.slice(0, this.length);
  }
}

/** A fault in typed text, with its position. */
class Unreadable extends Error {
  constructor(at, text, words) {
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    super(`${words} at line ${line}, column ${column}`);
    this.at = at;
  }
}

/** Returns the bytes of a string in UTF-8, with three bytes for a lone surrogate (WTF-8), so that no code point is replaced unasked. */
function wtf8(text) {
  if (text.isWellFormed?.() ?? !/\p{Cs}/u.test(text)) return new TextEncoder().encode(text);
  const out = new Bytes();
  for (const c of text) putUtf8(out, c.codePointAt(0));
  return out.done();
}

function putUtf8(out, value) {
  if (value < 0x80) out.push(value);
  else if (value < 0x800) out.push(0xc0 | (value >> 6), 0x80 | (value & 63));
  else if (value < 0x10000) out.push(0xe0 | (value >> 12), 0x80 | ((value >> 6) & 63), 0x80 | (value & 63));
  else out.push(0xf0 | (value >> 18), 0x80 | ((value >> 12) & 63), 0x80 | ((value >> 6) & 63), 0x80 | (value & 63));
}

const shownChar = (c) => {
  const { text } = glyph(c.codePointAt(0));
  return `“${text}”`;
};

/** Returns the bytes of a dump: lines of an offset, pairs of digits, and perhaps their text, as xxd, hexdump -C and od -tx1 print. */
function dump(text) {
  const out = new Bytes();
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const line1 = /^\s*(?:0x)?([0-9a-f]{4,16})(:?)(?:\s{1,3}((?:[0-9a-f]{2} {0,2}){0,16})(?:\s*\|.*|\s.*|[^0-9a-f].*)?)?$/i;
  let first = null;
  for (const line of lines) {
    const found = line.length < 400 && line1.exec(line);
    if (!found) return null;
    const [, offset, colon, digits = ''] = found;
    const pairs = digits.match(/[0-9a-f]{2}/gi) ?? [];
    // Eight digits without a colon can be bytes: an offset begins with zeros, and offsets must
    // increase.
    first ??= parseInt(offset, 16);
    const here = out.length + first;
    if (!colon && (!/^000/.test(lines[0].trim().replace(/^0x/, '')) || (parseInt(offset, 16) !== here && parseInt(offset, 8) !== here))) return null;
    out.push(...pairs.map((pair) => parseInt(pair, 16)));
  }
  return out.length ? out.done() : null;
}

function readHex(text) {
  const dumped = dump(text);
  if (dumped) return dumped;
  const out = new Bytes();
  const token = /\s+|[,;:_|{}[\]()<>"'-]+|(?:0x|\\x|%|#|&#x|=|\$)?((?:[0-9a-f]{2})+)(?:h\b)?|(?:0x|\\x)([0-9a-f])(?![0-9a-f])|(?:U\+)([0-9a-f]{4,6})/giy;
  for (let at = 0; at < text.length; ) {
    if (/^u\+/i.test(text.slice(at, at + 2))) throw new Unreadable(at, text, `${shownChar(text[at])}: a code point is not bytes; use the form Escapes`);
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found || !found[0]) {
      const c = String.fromCodePoint(text.codePointAt(at));
      const odd = /[0-9a-f]/i.test(c);
      throw new Unreadable(at, text, odd ? `a single digit ${shownChar(c)}: a byte has two` : `${shownChar(c)} is not a hex digit,`);
    }
    if (found[1]) for (let i = 0; i < found[1].length; i += 2) out.push(parseInt(found[1].slice(i, i + 2), 16));
    if (found[2]) out.push(parseInt(found[2], 16));
    at = token.lastIndex;
  }
  return out.done();
}

const SIMPLE = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: 27, '\\': 92, '"': 34, "'": 39, '/': 47, '`': 96, '?': 63, $: 36 };

/** Reads escapes: `\x` and octal are bytes; `\u` and `\N` name code points, which become UTF-8 like all other text. */
function readEscapes(text) {
  // The whole text may be in quotes, with a prefix of Python, Rust or shell.
  const quoted = /^\s*(?:[bru]{0,2}|\$)(["'])([\s\S]*)\1\s*[;,]?\s*$/i.exec(text);
  const start = quoted ? text.indexOf(quoted[1]) + 1 : 0;
  const body = quoted ? quoted[2] : text;
  const out = new Bytes();
  // The case of the letter counts: \u and \U differ.
  const escape =
    /\\(?:x([0-9a-fA-F]{1,2})|x\{([0-9a-fA-F]{1,2})\}|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})(?:\\u([0-9a-fA-F]{4}))?|U([0-9a-fA-F]{8})|([0-7]{1,3})|\r?\n|([nrtbfvae\\"'/`?$]))|U\+([0-9a-fA-F]{4,6})\s?/y;
  for (let at = 0; at < body.length; ) {
    escape.lastIndex = at;
    const found = escape.exec(body);
    if (!found) {
      if (body[at] === '\\') throw new Unreadable(start + at, text, `${JSON.stringify(body.slice(at, at + 2)).slice(1, -1)}: not an escape known here,`);
      const value = body.codePointAt(at);
      putUtf8(out, value);
      at += value > 0xffff ? 2 : 1;
      continue;
    }
    const [whole, x, braced, u, u4, low, U8, octal, simple, plus] = found;
    const byte = x ?? braced;
    if (byte !== undefined) out.push(parseInt(byte, 16));
    else if (octal !== undefined) {
      const value = parseInt(octal, 8);
      if (value > 255) throw new Unreadable(start + at, text, `\\${octal} is above \\377,`);
      out.push(value);
    } else if (simple !== undefined) out.push(SIMPLE[simple]);
    else if (plus ?? u ?? u4 ?? U8) {
      let value = parseInt(plus ?? u ?? u4 ?? U8, 16);
      const trail = low && parseInt(low, 16);
      if (low && value >= 0xd800 && value < 0xdc00 && trail >= 0xdc00 && trail < 0xe000) {
        value = 0x10000 + ((value - 0xd800) << 10) + (trail - 0xdc00);
      } else if (low) escape.lastIndex = at + 6;
      if (value > 0x10ffff) throw new Unreadable(start + at, text, `${whole.trim()} is above the last code point U+10FFFF,`);
      putUtf8(out, value);
    }
    at = escape.lastIndex;
  }
  return out.done();
}

function readBase64(text) {
  const data = /^\s*data:[^,]*;base64,/i.exec(text);
  const out = new Bytes();
  let [bits, held, ended] = [0, 0, false];
  for (let at = data ? data[0].length : 0; at < text.length; at++) {
    const c = text[at];
    if (/\s/.test(c)) continue;
    if (c === '=') {
      ended = true;
      continue;
    }
    const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'.indexOf(c);
    if (value < 0) throw new Unreadable(at, text, `${shownChar(String.fromCodePoint(text.codePointAt(at)))} is not a character of base64,`);
    if (ended) throw new Unreadable(at, text, `${shownChar(c)} after the padding`);
    bits = ((bits << 6) | (value > 63 ? value - 2 : value)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.push((bits >> held) & 255);
    }
  }
  if (held >= 6) throw new Unreadable(text.length, text, 'one character too many: a byte has at least two');
  return out.done();
}

function readPercent(text) {
  const out = new Bytes();
  for (let at = 0; at < text.length; ) {
    const value = text.codePointAt(at);
    if (text[at] === '%') {
      const pair = /^%([0-9a-f]{2})/i.exec(text.slice(at, at + 3));
      if (!pair) throw new Unreadable(at, text, `“%” without two hex digits`);
      out.push(parseInt(pair[1], 16));
      at += 3;
    } else {
      putUtf8(out, value);
      at += value > 0xffff ? 2 : 1;
    }
  }
  return out.done();
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes, { url = false } = {}) {
  const alphabet = url ? ALPHABET.slice(0, 62) + '-_' : ALPHABET;
  const parts = [];
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    parts.push(alphabet[a >> 2] + alphabet[((a & 3) << 4) | ((b ?? 0) >> 4)]);
    if (b !== undefined) parts.push(alphabet[((b & 15) << 2) | ((c ?? 0) >> 6)]);
    else if (!url) parts.push('=');
    if (c !== undefined) parts.push(alphabet[c & 63]);
    else if (!url) parts.push('=');
  }
  return parts.join('');
}

/** The forms in which bytes are written; as text only if they are well-formed UTF-8. */
const FORMS = {
  text: {
    name: 'Text',
    hint: 'Type or paste any text.',
    read: wtf8,
    write: (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
  },
  hex: {
    name: 'Hex',
    hint: 'C3 A9, 0xC3, c3a9, or a dump of xxd or hexdump -C.',
    read: readHex,
    write: (bytes) => hexOf(bytes),
  },
  escapes: {
    name: 'Escapes',
    hint: '\\xC3\\xA9 and \\303\\251 are bytes; \\u00E9, \\u{E9} and U+00E9 are code points, written in UTF-8.',
    read: readEscapes,
    write: (bytes) =>
      Array.from(bytes, (byte) =>
        byte === 0x5c ? '\\\\' : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${hex2(byte).toLowerCase()}`,
      ).join(''),
  },
  base64: { name: 'Base64', hint: 'Either alphabet, with padding or without, or a data: URL.', read: readBase64, write: (bytes) => base64(bytes) },
  percent: {
    name: 'Percent',
    hint: '%C3%A9, as in URLs. A plus sign stays a plus sign.',
    read: readPercent,
    write: (bytes) =>
      Array.from(bytes, (byte) => (/[A-Za-z0-9\-._~]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${hex2(byte)}`)).join(''),
  },
};

/** Returns the form in which a pasted text seems to be, unless it is plain text. */
function looksLike(text) {
  const t = text.trim();
  if (t.length < 5 || t.length > 100_000) return null;
  if (dump(t)?.length) return 'hex';
  if (/^(?:(?:0x|\\x)?[0-9a-f]{2}[\s,:;]+)+(?:0x|\\x)?[0-9a-f]{2}[,;]?$/i.test(t) && !/\\x/i.test(t)) return 'hex';
  if (/^(?:(?:0x(?:[0-9a-f]{2})+)[\s,;]*)+$/i.test(t) || /^(?:=[0-9a-f]{2}){2,}$/i.test(t)) return 'hex';
  if (/^(?:U\+[0-9a-f]{4,6}\s*)+$/i.test(t)) return 'escapes';
  if (/\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\u\{[0-9a-f]+\}|\\[0-3][0-7]{2}/i.test(t)) return 'escapes';
  if (/%[0-9a-f]{2}/i.test(t) && !/%(?![0-9a-f]{2})/i.test(t) && !/\s/.test(t)) return 'percent';
  if (t.length >= 12 && t.length % 4 === 0 && /^[A-Za-z0-9+/\s]+={1,2}$/.test(t)) return 'base64';
  return null;
}

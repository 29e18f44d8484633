// Labels: the encoding that a name means.

import { FACTS, BASE, NO_ENCODINGS } from "../dist/names.js";

/** An encoding, with the facts about it. */
export class Encoding {
  constructor(number, [name, labels, webLabels, about, documents, repertoire, maxBytes, asciiCompatible, signature]) {
    this.name = name.toLowerCase();
    this.canonicalName = name;
    this.labels = Object.freeze(labels ? labels.split("\n") : []);
    this.webLabels = Object.freeze(webLabels ? webLabels.split("\n") : []);
    this.about = about;
    this.documents = documents;
    this.repertoire = repertoire;
    this.maxBytes = maxBytes;
    this.asciiCompatible = asciiCompatible;
    this.signature = Object.freeze(signature);
    /** 'base' if it is in the first module, 'all' if it needs the second. */
    this.module = number < BASE ? "base" : "all";
    hide(this, "number", number);
    /** Whether well-formed text may have lone surrogates. */
    hide(this, "surrogates", /surrogate(s| code points) included/.test(repertoire));
    /** Whether it represents all scalar values. */
    hide(this, "unicode", /10FFFF|31 bits/.test(repertoire) || name === "GB18030");
    /** Whether it has shifts, and no kernels: encoding from UTF-8 is then faster. */
    hide(this, "shifts", number >= BASE && /^(iso-2022|hz|ibm(9[34][0357]|1)|marc)/.test(this.name) && this.name !== "ibm943");
    /** Whether bytes that are all ASCII mean ASCII. (In Modified UTF-8 and its like, 00 is ill-formed.) */
    hide(this, "asciiAlike", /^(gbk|gb18030|big5|euc-kr|shift_jis)$/.test(this.name) || (asciiCompatible && !/^(modified|java|tcl)/.test(this.name)));
    /** Whether a decoder drops U+FEFF at the start of a text. Some encodings read it themselves. */
    hide(this, "dropsMark", signature.length > 0 && !/^(utf-16|utf-32|ucs-[24]|utf-8-bom|gb18030)$/.test(this.name));
    Object.freeze(this);
  }
  toString() {
    return this.name;
  }
}

function hide(encoding, name, value) {
  Object.defineProperty(encoding, name, { value });
}

/** All encodings, by number. */
export const ENCODINGS = FACTS.map((facts, number) => new Encoding(number, facts));

const WEB = new Map();
const ANY = new Map();
for (const encoding of ENCODINGS) {
  for (const label of encoding.webLabels) WEB.set(label, encoding);
  for (const label of [encoding.canonicalName, ...encoding.labels]) ANY.set(significant(label), encoding);
}

export const UTF_8 = WEB.get("utf-8");
export const UTF_16LE = WEB.get("utf-16le");
export const ISO_8859_1 = ANY.get("iso88591");
export const US_ASCII = ANY.get("usascii");
export const UTF_32LE = ANY.get("utf32le");
export const X_USER_DEFINED = WEB.get("x-user-defined");

/** The labels that the standard replaces: pages misuse these encodings to hide markup. */
const REPLACED = new Set(["replacement", "csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"]);

/** Returns the letters and digits by which labels compare, without leading zeros of numbers (UTS #22, section 1.4). */
function significant(label) {
  return label.toLowerCase().replace(/[^a-z0-9]+/g, "").replace(/(^|[^0-9])0+/g, "$1");
}

const LONGEST = 200;
const isSpace = (unit) => unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d;

/** Removes ASCII white space at both ends. (A regular expression would take quadratic time.) */
function trimmed(label) {
  let [start, end] = [0, label.length];
  while (start < end && isSpace(label.charCodeAt(start))) start += 1;
  while (start < end && isSpace(label.charCodeAt(end - 1))) end -= 1;
  return label.slice(start, end);
}

/** The part of a locale before the dot: a language of two or three letters and a territory, `C`, `POSIX`. */
const LANGUAGE = /^(?:[A-Za-z]{2,3}(?:_[A-Za-z0-9_]*)?|C|POSIX)$/;
const PARAMETER = /;[ ]*([^=;]*)(?:=(?:"([^"]*)"?[^;]*|([^;]*)))?/g;

/** Returns the label in a text: the codeset of a locale, the charset of a `Content-Type`, otherwise the text itself. */
function bare(text) {
  const [locale] = text.split("@", 1);
  const dot = locale.indexOf(".");
  if (dot > 0 && LANGUAGE.test(locale.slice(0, dot))) return locale.slice(dot + 1);
  const value = text.replace(/^content-type:/i, "");
  const end = value.indexOf(";");
  if (end < 0 || !value.slice(0, end).includes("/")) return text;
  for (const [, name, quoted, plain] of value.slice(end).matchAll(PARAMETER)) {
    if (name.trim().toLowerCase() === "charset" && (quoted ?? plain) !== undefined) return (quoted ?? plain).trim();
  }
  return text;
}

/** Whether only the labels of the standard count. */
const isStrict = (web) => {
  if (typeof web === "string" && web !== "strict") {
    throw new TypeError(`web: ${JSON.stringify(web.slice(0, 60))} is neither true nor false nor "strict"`);
  }
  return web === "strict";
};

/** Returns the encoding of a bare label. */
function named(text, web) {
  const lower = text.toLowerCase();
  if (web) {
    if (REPLACED.has(lower)) return undefined;
    const encoding = WEB.get(lower);
    // No label contains a quotation mark: a text with one was extracted wrongly from a header or a
    // page.
    if (encoding || web === "strict" || /["'`]/.test(text)) return encoding;
  }
  const windows = /^win[-_ ]?([0-9]+)$/.exec(lower);
  return ANY.get(significant(text)) ?? (windows ? ANY.get(`windows${windows[1]}`) : undefined);
}

/** Returns the encoding that a label names, or undefined. An encoding names itself. */
export function find(label, web = true) {
  const strict = isStrict(web);
  if (web) {
    const encoding = WEB.get(label);
    if (encoding && !REPLACED.has(label)) return encoding;
  }
  if (label instanceof Encoding) {
    return strict && (label.webLabels.length === 0 || REPLACED.has(label.name)) ? undefined : label;
  }
  const text = trimmed(String(label));
  // Do not process a label of a megabyte any further.
  if (text.length > LONGEST || /[^\x20-\x7E]/.test(text)) return undefined;
  return named(text, web) ?? (strict ? undefined : named(bare(text), web));
}

/** Returns an explanation of a name that is no encoding. A name without its hyphen is a typing error for utf8: 9 is beside 8. */
function about(label) {
  const name = bare(trimmed(String(label)));
  if (name.length > LONGEST || name.toLowerCase() === "utf9") return undefined;
  return NO_ENCODINGS.find(([known]) => significant(known) === significant(name))?.[1];
}

/** Returns the encoding that a label names, or throws a RangeError. */
export function mustFind(label, web = true) {
  const encoding = find(label, web);
  if (encoding) return encoding;
  const text = String(label);
  const shown = JSON.stringify(text.slice(0, 60));
  if (web && text.length < LONGEST && REPLACED.has(trimmed(text).toLowerCase())) {
    throw new RangeError(
      `${shown}: the web's standard refuses this label, since pages hide markup by it; with the option web: false it is read`,
    );
  }
  if (web === "strict") {
    const other = find(label);
    const hint = other ? `; without the option web: "strict" it is ${other}` : "";
    throw new RangeError(`${shown} is no label of the web's standard${hint}`);
  }
  const known = about(label);
  throw new RangeError(`unknown encoding: ${shown}; ${known ? `this is ${known}` : "encodings() lists those that are known"}`);
}

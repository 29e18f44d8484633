// Policies by name, and the numbers by which the module knows them (web/module/src/policy.rs).

const ERRORS = {
  fatal: 0,
  replace: 1,
  ignore: 3,
  hex: 4,
  latin1: 5,
  cp1252: 6,
  surrogateescape: 7,
  surrogatepass: 8,
  optu: 9,
  optu16: 10,
};
const UNMAPPABLE = {
  fatal: 0,
  replace: 1,
  ignore: 3,
  hex: 4,
  xmlref: 5,
  translit: 6,
  surrogateescape: 7,
  surrogatepass: 8,
  optu: 9,
  optu16: 10,
  "surrogateescape-unchecked": 11,
  "optu-unchecked": 12,
};
// The names that Python, iconv and the command have for the same.
const ALIASES = {
  strict: "fatal",
  stop: "fatal",
  skip: "ignore",
  backslashreplace: "hex",
  "windows-1252": "cp1252",
  html: "xmlref",
  xmlcharrefreplace: "xmlref",
  transliterate: "translit",
};
const SPANS = { maximal: 0, unit: 1, structural: 2, lead: 3 };

export const FATAL = 0;
export const REPLACE = 1;
export const TEXT = 2;
/** Of decoding to a string: lone surrogates pass, since strings hold them. */
export const STRING = 13;
export const STRING_REPLACING = 14;

const MOST = 1024;
const encoder = new globalThis.TextEncoder();

function choose(option, names, what) {
  if (typeof option === "function") return { number: FATAL, call: option };
  if (option !== null && typeof option === "object" && typeof option.with === "string") {
    if (!option.with.isWellFormed?.() && /\p{Surrogate}/u.test(option.with)) {
      throw new TypeError(`${what}: the replacement has a lone surrogate`);
    }
    const text = encoder.encode(option.with);
    if (text.length > MOST) {
      throw new RangeError(`${what}: a replacement has at most ${MOST} bytes of UTF-8, and this one has ${text.length}`);
    }
    return { number: TEXT, text };
  }
  const name = String(option);
  const number = Object.hasOwn(names, name) ? names[name] : names[Object.hasOwn(ALIASES, name) ? ALIASES[name] : ""];
  if (number === undefined) {
    const all = Object.keys(names).join("', '");
    throw new RangeError(
      `${what}: unknown policy '${name.slice(0, 40)}'; there are '${all}', { with: text }, and functions`,
    );
  }
  return { number };
}

/** The policy for ill-formed input. */
export function errorPolicy(option, span) {
  const policy = choose(option, ERRORS, "errors");
  if (span !== undefined) {
    if (!Object.hasOwn(SPANS, span)) {
      throw new RangeError(`span: '${String(span).slice(0, 40)}' is none of '${Object.keys(SPANS).join("', '")}'`);
    }
    policy.number |= SPANS[span] << 4;
  }
  return policy;
}

/** The policy for text that the target cannot represent. */
export const unmappablePolicy = (option) => choose(option, UNMAPPABLE, "unmappable");

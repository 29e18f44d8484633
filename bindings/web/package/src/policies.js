// Policies by name, and the numbers by which the module knows them (bindings/web/module/src/policy.rs).

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
// Other names that Python, iconv and the command use for the same policies.
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
/** For decoding to a string: lone surrogates pass, since strings may contain them. */
export const STRING = 13;
export const STRING_REPLACING = 14;

/** Policies by kind. */
const BY_KIND = 11;
const SURROGATES_PASS = ERRORS.surrogatepass;

const MAX_REPLACEMENT_BYTES = 1024;
const encoder = new globalThis.TextEncoder();

function choose(option, names, what) {
  if (typeof option === "function") return { number: FATAL, call: option };
  if (option !== null && typeof option === "object" && typeof option.with === "string") {
    if (!option.with.isWellFormed?.() && /\p{Surrogate}/u.test(option.with)) {
      throw new TypeError(`${what}: the replacement has a lone surrogate`);
    }
    const text = encoder.encode(option.with);
    if (text.length > MAX_REPLACEMENT_BYTES) {
      throw new RangeError(`${what}: a replacement has at most ${MAX_REPLACEMENT_BYTES} bytes of UTF-8, and this one has ${text.length}`);
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

/** Returns the policy of each kind of ill-formed input: `{ overlong: "strict", default: "replace" }`. */
function byKind(option) {
  let all = FATAL;
  const some = [];
  for (const [kind, policy] of Object.entries(option)) {
    const shown = kind.slice(0, 40);
    if (typeof policy !== "string") throw new TypeError(`errors: the policy for '${shown}' is no name`);
    const { number } = choose(policy, ERRORS, `errors.${shown}`);
    if (kind === "default") {
      all = number;
      continue;
    }
    if (number === SURROGATES_PASS && !/^(surrogate|unpaired-)/.test(kind)) {
      throw new RangeError(`errors: only surrogates can pass: '${shown}' needs another policy`);
    }
    some.push([kind, encoder.encode(kind), number]);
  }
  return { number: BY_KIND, kinds: { all, some } };
}

/** Returns the policy for ill-formed input. */
export function errorPolicy(option, span) {
  const isByKind = option !== null && typeof option === "object" && !("with" in option);
  if (isByKind && span !== undefined && span !== "structural") {
    throw new RangeError("span: with policies by kind, one error is a whole broken sequence");
  }
  const policy = isByKind ? byKind(option) : choose(option, ERRORS, "errors");
  if (span !== undefined) {
    if (!Object.hasOwn(SPANS, span)) {
      throw new RangeError(`span: '${String(span).slice(0, 40)}' is none of '${Object.keys(SPANS).join("', '")}'`);
    }
    policy.number |= SPANS[span] << 4;
  }
  return policy;
}

/** For texts that may end in a shifted state. */
const ENDS_SHIFTED = 64;

/** Returns the policy for ill-formed input of a decoder that the Encoding Standard specifies, whose texts may end in a shifted state. */
export const endingShifted = (policy, { shifts, name }) =>
  shifts || name === "iso-2022-jp" ? { ...policy, number: policy.number | ENDS_SHIFTED } : policy;

/** Returns the policy for text that the target cannot represent. */
export const unmappablePolicy = (option) => choose(option, UNMAPPABLE, "unmappable");

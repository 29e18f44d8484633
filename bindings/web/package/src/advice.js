// Advice on each kind of error, until the second module, which looks at the bytes, is loaded.

const ADVICE = {
  incomplete: "the text was cut: get the rest, or put U+FFFD in its place (errors: 'replace')",
  "overlong-2": "refuse it, or put U+FFFD in its place; never decode it: overlong forms are used to slip characters past checks",
  surrogate: "the text comes from UTF-16 converted unit by unit: decode it as cesu-8 or wtf-8, or put U+FFFD in its place",
  "unpaired-lead": "half of a pair: get the text before it was cut, or put U+FFFD in its place",
  undefined: "the encoding assigns no character to these bytes: try another encoding, or put U+FFFD in their place",
  "not-held": "choose an encoding that has the character, such as utf-8, or a policy: unmappable: 'replace', 'xmlref' or 'translit'",
  "forged-sequence": "the text does not come from errors: 'surrogateescape'; refuse it",
  "unclosed-shift": "the text was cut: get the rest; if nothing else is missing, add the shift back at its end",
  "unknown-escape": "the text is in another variant of the encoding, such as iso-2022-jp-3, or damaged",
};
ADVICE["overlong-3"] = ADVICE["overlong-4"] = ADVICE["overlong-5"] = ADVICE["overlong-6"] = ADVICE["overlong-2"];
ADVICE["unpaired-surrogate"] = ADVICE["unpaired-trail"] = ADVICE["unpaired-lead"];
ADVICE["out-of-range"] = ADVICE["not-held"];

/** Returns the advice for an error, by its code. */
export const advice = (code) =>
  ADVICE[code] ?? "try another encoding (the bytes may be windows-1252), or put U+FFFD in their place (errors: 'replace')";

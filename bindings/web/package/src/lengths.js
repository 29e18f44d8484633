// The lengths of a string in the Unicode encoding forms.

const isLead = (unit) => (unit & 0xfc00) === 0xd800;
const isTrail = (unit) => (unit & 0xfc00) === 0xdc00;

/** The lengths of a string in the Unicode encoding forms; a lone surrogate counts as U+FFFD, which is as long. */
export function lengths(text) {
  text = String(text);
  let [pairs, lone, two, three, last] = [0, 0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    last |= unit;
    if (unit < 0x80) continue;
    if (unit < 0x800) two += 1;
    else if (isLead(unit) && isTrail(text.charCodeAt(i + 1))) {
      pairs += 1;
      i += 1;
      last |= 0x100;
    } else {
      three += 1;
      if ((unit & 0xf800) === 0xd800) lone += 1;
    }
  }
  const codePoints = text.length - pairs;
  return {
    codePoints,
    utf8: codePoints + two + 2 * three + 3 * pairs,
    utf16: 2 * text.length,
    utf32: 4 * codePoints,
    /** Undefined if Latin-1 cannot represent the text. */
    latin1: last < 0x100 ? text.length : undefined,
    loneSurrogates: lone,
  };
}

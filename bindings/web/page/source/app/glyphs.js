// The display of a code point on the page. A visible character is shown; a control, an invisible
// character and one that would change the direction of the text get a label, so that no text in a
// file can hide or move its neighbors.

const LABELS = new Map([
  [0xa0, 'NBSP'], [0xad, 'SHY'], [0x34f, 'CGJ'], [0x61c, 'ALM'], [0x180e, 'MVS'], [0x200b, 'ZWSP'], [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'], [0x200e, 'LRM'], [0x200f, 'RLM'], [0x2028, 'LS'], [0x2029, 'PS'], [0x202a, 'LRE'], [0x202b, 'RLE'],
  [0x202c, 'PDF'], [0x202d, 'LRO'], [0x202e, 'RLO'], [0x202f, 'NNBSP'], [0x2060, 'WJ'], [0x2066, 'LRI'], [0x2067, 'RLI'],
  [0x2068, 'FSI'], [0x2069, 'PDI'], [0x3000, 'IDSP'], [0xfeff, 'BOM'], [0xfff9, 'IAA'], [0xfffa, 'IAS'], [0xfffb, 'IAT'],
  [0xfffc, 'OBJ'], [0x85, 'NEL'],
]);

const BIDI = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;

/** Returns `{ text, tag, kind }` for a value: its text, whether that is a label, and its kind for colors and words. */
function glyph(value) {
  if (value > 0x10ffff) return { text: value.toString(16).toUpperCase(), tag: true, kind: 'beyond' };
  if (value === 0x20) return { text: '␣', kind: 'space' };
  if (value < 0x20) return { text: String.fromCharCode(0x2400 + value), kind: 'control' };
  if (value === 0x7f) return { text: '␡', kind: 'control' };
  const hex = value.toString(16).toUpperCase().padStart(4, '0');
  if (value >= 0xd800 && value < 0xe000) return { text: hex, tag: true, kind: 'surrogate' };
  const c = String.fromCodePoint(value);
  if (value >= 0xfe00 && value <= 0xfe0f) return { text: `VS${value - 0xfdff}`, tag: true, kind: 'invisible' };
  if (value >= 0xe0000 && value <= 0xe007f) return { text: `TAG`, tag: true, kind: 'invisible' };
  if (BIDI.test(c)) return { text: LABELS.get(value) ?? hex, tag: true, kind: 'bidi' };
  if (INVISIBLE.test(c)) {
    const kind = /\p{Cc}/u.test(c) ? 'control' : /\p{Zs}/u.test(c) ? 'space' : /\p{Co}/u.test(c) ? 'private' : /\p{Cn}/u.test(c) ? 'unassigned' : 'invisible';
    return { text: LABELS.get(value) ?? (kind === 'control' ? hex.slice(2) : hex), tag: true, kind };
  }
  if (/\p{M}/u.test(c)) return { text: `\u25CC${c}`, kind: 'mark' };
  return { text: c, kind: 'plain' };
}

const KINDS = {
  control: 'control character', bidi: 'bidi control', invisible: 'invisible character', private: 'private-use character',
  unassigned: 'unassigned code point', surrogate: 'surrogate', beyond: 'value beyond Unicode', space: 'space', mark: 'combining mark',
};

/** Returns text of unknown origin as one line of nodes, with labels for invisible characters. */
function shownText(text, { spaces = false } = {}) {
  const out = document.createDocumentFragment();
  let plain = '';
  const flush = () => {
    if (plain) out.append(plain);
    plain = '';
  };
  for (const c of text) {
    const value = c.codePointAt(0);
    const { text: shown, tag, kind } = glyph(value);
    if (kind === 'plain' || (kind === 'space' && value === 0x20 && !spaces)) plain += c;
    else if (kind === 'mark') plain += c;
    else {
      flush();
      out.append(el('span', { class: `tag ${kind}${tag ? '' : ' picture'}` }, shown));
    }
  }
  flush();
  return out;
}

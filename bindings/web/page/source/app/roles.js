// The role of each byte, by its token and the encoding, for its color and its description.

const ROLES = {
  ascii: ['ASCII', 'ASCII byte'],
  lead: ['lead byte', 'lead byte'],
  cont: ['continuation byte', 'continuation byte'],
  single: ['other single byte', 'single byte'],
  unit: ['code unit', 'part of a code unit'],
  control: ['control', 'control'],
  shift: ['shift sequence', 'shift sequence'],
  signature: ['byte order mark', 'byte order mark'],
  ill: ['ill-formed', 'ill-formed'],
};

const isUnits16 = (encoding) => /^(UTF-16|UCS-2|ISO-10646-UCS-2)/i.test(encoding);
const isUnits32 = (encoding) => /^(UTF-32|UCS-4|ISO-10646-UCS-4)/i.test(encoding);
const isUtf8 = (encoding) => /^UTF-8/i.test(encoding);

function roleOf(token, index, byte, encoding) {
  if (token.k === 'ill') return 'ill';
  if (token.k === 'signature') return 'signature';
  if (token.k === 'shift') return 'shift';
  if (token.o === 0 && token.v[0] === 0xfeff) return 'signature';
  const at = index - (token.s ?? 0);
  const length = token.n - (token.s ?? 0);
  if (at < 0) return 'shift';
  if (isUnits16(encoding)) return length < 4 ? 'unit' : at < 2 ? 'lead' : 'cont';
  if (isUnits32(encoding)) return 'unit';
  if (length === 1) {
    const value = token.v[0];
    if (glyph(value).kind === 'control') return 'control';
    return byte < 0x80 && value === byte ? 'ascii' : 'single';
  }
  return at === 0 ? 'lead' : 'cont';
}

/** Returns the number of marker bits of a byte, the same as in the command's `inspect`; the other bits carry the code point. */
function markerBits(byte, index, encoding) {
  if (isUtf8(encoding)) {
    if (byte < 0x80) return 1;
    if (byte < 0xc0) return 2;
    return byte < 0xfe ? Math.clz32(~(byte << 24)) + 1 : 8;
  }
  const high = /LE$/i.test(encoding) ? index % 2 === 1 : index % 2 === 0;
  if (/^UTF-16/i.test(encoding)) return high && byte >= 0xd8 && byte <= 0xdf ? 6 : 0;
  return encoding === 'US-ASCII' ? 1 : 0;
}

// The pane about the selected sequence: its meaning, bit by bit, and other ways to write it.

function makeDetails(root, { properties, go }) {
  let shown = 0;

  const row = (name, ...value) => [el('dt', {}, name), el('dd', {}, ...value)];
  const pieces = (parts) => parts.flatMap((part, i) => (i ? [' ', part] : [part]));

  /** Draws each byte above its bits; the marker bits are set apart from those of the code point. */
  function bits(token, bytes, encoding) {
    const list = el('div', { class: 'bits', role: 'img', 'aria-label': `Bits: ${Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join(' ')}` });
    Array.from(bytes.subarray(0, 16)).forEach((byte, i) => {
      const role = roleOf(token, i, byte, encoding);
      const marked = token.k === 'text' && i < (token.s ?? 0) ? 0 : markerBits(byte, i - (token.s ?? 0), encoding);
      const digits = byte.toString(2).padStart(8, '0');
      list.append(
        el('span', { class: `octet ${role}` },
          el('b', {}, hex2(byte)),
          el('span', { class: 'digits' }, marked ? el('i', {}, digits.slice(0, marked)) : '', digits.slice(marked)),
          el('small', {}, ROLES[role][0])),
      );
    });
    if (bytes.length > 16) list.append('…');
    return list;
  }

  /** Draws the bits of the code point, gathered from the bytes. */
  function gathered(token, bytes, encoding) {
    if (token.k !== 'text' || token.v.length !== 1 || !isUtf8(encoding) || token.n < 2) return null;
    const parts = Array.from(bytes, (byte, i) => byte.toString(2).padStart(8, '0').slice(markerBits(byte, i, encoding)));
    return el('p', { class: 'gathered' }, ...pieces(parts.map((part) => el('span', {}, part))), ` = ${codePoint(token.v[0])}`);
  }

  function others(value) {
    if (value > 0x10ffff) return [];
    const utf8 = new Bytes();
    putUtf8(utf8, value);
    const units = value > 0xffff ? [0xd800 + ((value - 0x10000) >> 10), 0xdc00 + ((value - 0x10000) & 1023)] : [value];
    const hex4 = (unit) => unit.toString(16).toUpperCase().padStart(4, '0');
    const lone = value >= 0xd800 && value < 0xe000;
    return [
      ...(lone ? [] : row('UTF-8', el('code', {}, hexOf(utf8.done())))),
      ...row('UTF-16', el('code', {}, units.map(hex4).join(' '))),
      ...row('Escapes', el('code', {}, units.map((unit) => `\\u${hex4(unit).toLowerCase()}`).join('')), ...(lone ? [] : [' ', el('code', {}, `&#x${value.toString(16).toUpperCase()};`)])),
    ];
  }

  async function characters(token) {
    const found = await properties(token.v);
    return found.map((of) => {
      const { text, tag, kind } = glyph(of.value);
      return el('div', { class: 'character' },
        el('span', { class: `sample ${tag ? 'tagged' : ''} ${kind}`, 'aria-hidden': 'true' }, el('bdi', {}, text)),
        el('div', {},
          el('p', { class: 'point' }, codePoint(of.value)),
          el('p', { class: 'name' }, of.name),
          el('p', { class: 'hint' }, [KINDS[kind], of.category && `category ${of.category}`, of.script !== 'Unknown' && of.script].filter(Boolean).join(' · '))));
    });
  }

  async function show(token, bytes, encoding, at) {
    const mine = ++shown;
    const out = [];
    let words;
    const place = row('Place', `offset ${grouped.format(token.o)}`, ` (0x${token.o.toString(16).toUpperCase()}), line ${grouped.format(token.l)}, column ${grouped.format(token.c)}`);
    const byteRow = row(token.n === 1 ? 'Byte' : 'Bytes', el('code', {}, hexOf(bytes, 16)));
    if (token.k === 'ill') {
      out.push(
        el('h3', { class: 'ill' }, 'Ill-formed'),
        el('p', { class: 'message' }, ...prose(token.m)),
        token.h ? el('p', { class: 'help' }, el('b', {}, 'Help: '), ...prose(token.h)) : null,
        bits(token, bytes, encoding),
        el('dl', {}, ...byteRow, ...place, ...row('Kind', el('code', {}, token.e)), ...row('Replaced', `by U+FFFD ${token.times === 1 ? 'once' : count(token.times, 'time')}, where a decoder replaces`)),
      );
      words = `ill-formed: ${token.m}`;
    } else if (token.k === 'text') {
      const made = await characters(token);
      if (mine !== shown) return;
      const first = token.v.length === 1 ? others(token.v[0]) : [];
      out.push(...made, bits(token, bytes, encoding), gathered(token, bytes, encoding), el('dl', {}, ...byteRow, ...place, ...first));
      words = made.map((one) => `${one.querySelector('.point').textContent} ${one.querySelector('.name').textContent}`).join(', ');
    } else {
      const text = token.k === 'signature' ? 'U+FEFF, part of the encoding and not of the text' : 'Not text: defines how to read the following bytes';
      out.push(el('h3', {}, token.k === 'signature' ? 'Byte order mark' : 'Shift sequence'), el('p', {}, text), bits(token, bytes, encoding), el('dl', {}, ...byteRow, ...place));
      words = text;
    }
    root.replaceChildren(
      ...out.filter(Boolean),
      el('div', { class: 'actions' },
        el('button', { type: 'button', id: 'previous-ill', onclick: () => go(-1) }, '‹ Previous ill-formed'),
        el('button', { type: 'button', id: 'next-ill', onclick: () => go(1) }, 'Next ill-formed ›')),
    );
    announce(`Offset ${at}: ${words}; ${count(token.n, 'byte')} ${hexOf(bytes, 8)}`);
  }

  return {
    show,
    empty() {
      shown++;
      root.replaceChildren(el('p', { class: 'hint' }, 'Select a byte, and this says what it is.'));
    },
  };
}

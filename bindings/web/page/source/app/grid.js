// The grid of bytes: rows of bytes in hex, and below them their text. Only the rows in view exist,
// so a file of any size is as fast as a short text.

/** The greatest height of an element that browsers draw right, in pixels, with a reserve. */
const TALLEST = 8_000_000;

function makeGrid(root, pages, onSelect, goIll) {
  let columns = 16;
  let rowHeight = 54;
  let encoding = 'UTF-8';
  let selected = 0;
  let drawn = '';
  // Whether the selected byte gets the focus once it is loaded.
  let wantsFocus = false;
  // The position in the text in pixels, as if the grid had its full height; the element that the
  // browser scrolls may be less tall.
  let top = 0;
  let lastScroll = 0;

  const port = el('div', { class: 'port', role: 'presentation' });
  const space = el('div', { class: 'space', role: 'presentation' });
  const rows = el('div', { class: 'rows', role: 'presentation' });
  space.append(rows);
  port.append(space);
  root.append(port);

  const rowCount = () => Math.max(1, Math.ceil(pages.size / columns));
  const fullHeight = () => rowCount() * rowHeight;
  const viewHeight = () => port.clientHeight;

  function measure() {
    const width = root.clientWidth;
    const style = getComputedStyle(root);
    const cell = parseFloat(style.getPropertyValue('--cell')) || 34;
    const offset = parseFloat(style.getPropertyValue('--offset')) || 84;
    columns = width >= offset + 16 * cell + 12 ? 16 : width >= offset + 8 * cell + 4 ? 8 : 4;
    root.style.setProperty('--columns', columns);
    rowHeight = parseFloat(style.getPropertyValue('--row')) || 54;
    root.setAttribute('aria-colcount', columns + 1);
    root.setAttribute('aria-rowcount', rowCount());
    space.style.height = `${Math.min(fullHeight(), TALLEST)}px`;
    port.style.height = `${Math.min(fullHeight(), rowHeight * 9.5) + 2}px`;
  }

  function scrolled() {
    const scroll = port.scrollTop;
    const most = port.scrollHeight - viewHeight();
    const full = Math.max(0, fullHeight() - viewHeight());
    const moved = scroll - lastScroll;
    if (fullHeight() <= TALLEST) top = scroll;
    else if (scroll <= 0) top = 0;
    else if (scroll >= most - 1) top = full;
    else if (Math.abs(moved) < 3 * viewHeight()) top = Math.min(full, Math.max(0, top + moved));
    else top = (scroll / most) * full;
    lastScroll = scroll;
    draw();
  }

  /** Scrolls to a position in the text. */
  function goTo(place) {
    const full = Math.max(0, fullHeight() - viewHeight());
    top = Math.min(full, Math.max(0, place));
    const most = port.scrollHeight - viewHeight();
    port.scrollTop = fullHeight() <= TALLEST ? top : full ? (top / full) * most : 0;
    lastScroll = port.scrollTop;
    draw();
  }

  function draw(force = false) {
    const first = Math.max(0, Math.floor(top / rowHeight) - 2);
    const last = Math.min(rowCount(), Math.ceil((top + viewHeight()) / rowHeight) + 2);
    rows.style.transform = `translateY(${port.scrollTop - (top - first * rowHeight)}px)`;
    const key = `${first} ${last}`;
    if (key === drawn && !force) return;
    drawn = key;
    const hadFocus = root.contains(document.activeElement);
    const fragment = document.createDocumentFragment();
    for (let row = first; row < last; row++) fragment.append(drawRow(row));
    rows.replaceChildren(fragment);
    const here = rows.querySelector(`[data-o="${selected}"]`);
    // One byte can be reached by the keyboard, from there the arrows go on.
    const entry = here ?? rows.querySelector('[data-o]');
    entry?.setAttribute('tabindex', '0');
    if (hadFocus || wantsFocus) (here ?? root).focus({ preventScroll: true });
    if (here) wantsFocus = false;
  }

  function drawRow(row) {
    const from = row * columns;
    const to = Math.min(pages.size, from + columns);
    const line = el('div', { class: 'row', role: 'row', 'aria-rowindex': row + 1 });
    const digits = Math.max(4, (pages.size - 1).toString(16).length);
    line.append(el('span', { class: 'offset', role: 'rowheader' }, from.toString(16).toUpperCase().padStart(digits, '0')));
    const chosen = pages.token(selected);
    for (let offset = from; offset < to; ) {
      const page = pages.page(offset);
      if (!page) {
        line.append(waits(offset, from));
        offset++;
        continue;
      }
      const token = page.tokens[page.owner[offset - page.from]];
      const byte = page.bytes[offset - page.from];
      if (!token) {
        line.append(cell(offset, byte, 'waits', 'not read yet', from, false));
        offset++;
        continue;
      }
      const end = Math.min(to, token.o + token.n);
      const isChosen = chosen && chosen.o === token.o && chosen.n === token.n;
      const begin = offset;
      for (; offset < end; offset++) {
        const value = offset - page.from < page.bytes.length ? page.bytes[offset - page.from] : pages.byte(offset);
        if (value === undefined) {
          line.append(waits(offset, from));
          continue;
        }
        const role = roleOf(token, offset - token.o, value, encoding);
        const of = token.k === 'text' ? token.v.map(codePoint).join(' ') : token.k === 'ill' ? token.e : '';
        const made = cell(offset, value, role, `${ROLES[role][1]}${of ? `, ${of}` : ''}`, from, isChosen);
        if (offset === token.o) made.classList.add('first');
        if (offset === token.o + token.n - 1) made.classList.add('last');
        line.append(made);
      }
      line.append(under(token, begin, end, from, isChosen));
    }
    return line;
  }

  /** Makes a placeholder for a byte that is not loaded yet. */
  function waits(offset, from) {
    const made = el('span', { class: 'byte waits', role: 'gridcell', 'aria-label': 'not read yet' }, '··');
    made.style.gridColumn = String(offset - from + 2);
    return made;
  }

  function cell(offset, byte, role, words, from, isChosen) {
    const made = el(
      'span',
      {
        class: `byte ${role}${isChosen ? ' chosen' : ''}${offset === selected ? ' here' : ''}`,
        role: 'gridcell',
        tabindex: '-1',
        'data-o': offset,
        'aria-colindex': offset - from + 2,
        'aria-label': `${hex2(byte)} ${words}`,
        'aria-selected': offset === selected ? 'true' : 'false',
      },
      hex2(byte),
    );
    made.style.gridColumn = String(offset - from + 2);
    return made;
  }

  /** Makes the text under the bytes of a token. */
  function under(token, begin, end, from, isChosen) {
    const wide = end - begin > 1 || token.n > 1;
    const classes = ['glyph', wide ? 'wide' : '', token.o === begin ? 'first' : '', token.o + token.n === end ? 'last' : '', isChosen ? 'chosen' : ''];
    const made = el('span', { class: classes.filter(Boolean).join(' '), 'aria-hidden': 'true' });
    made.style.gridColumn = `${begin - from + 2} / ${end - from + 2}`;
    if (token.o !== begin) made.append('⋯');
    else if (token.k === 'ill') {
      made.classList.add('ill');
      made.append('✕');
    } else if (token.k === 'signature') made.append(el('span', { class: 'tag' }, 'BOM'));
    else if (token.k === 'shift') made.append(el('span', { class: 'tag' }, end - begin > 1 ? 'shift' : '⇧'));
    else {
      for (const value of token.v.slice(0, 4)) {
        const { text, tag, kind } = glyph(value);
        made.append(tag ? el('span', { class: `tag ${kind}` }, text) : kind === 'plain' ? el('bdi', {}, text) : el('bdi', { class: kind }, text));
      }
    }
    return made;
  }

  /** Selects the byte at `offset` and brings it into view. */
  function select(offset, { focus = false, centre = false } = {}) {
    selected = Math.max(0, Math.min(pages.size - 1, offset));
    const at = Math.floor(selected / columns) * rowHeight;
    if (at < top || at + rowHeight > top + viewHeight()) {
      goTo(centre ? at - viewHeight() / 2 + rowHeight : at < top ? at : at + rowHeight - viewHeight());
    }
    wantsFocus = focus;
    draw(true);
    if (pages.size) onSelect(selected);
  }

  function moves(event) {
    const line = Math.floor(selected / columns) * columns;
    const page = Math.max(1, Math.floor(viewHeight() / rowHeight) - 1) * columns;
    const ctrl = event.ctrlKey || event.metaKey;
    switch (event.key) {
      case 'ArrowLeft': return selected - 1;
      case 'ArrowRight': return selected + 1;
      case 'ArrowUp': return selected - columns >= 0 ? selected - columns : selected;
      case 'ArrowDown': return selected + columns < pages.size ? selected + columns : selected;
      case 'Home': return ctrl ? 0 : line;
      case 'End': return ctrl ? pages.size - 1 : line + columns - 1;
      case 'PageUp': return Math.max(selected % columns, selected - page);
      case 'PageDown': return selected + page < pages.size ? selected + page : pages.size - 1;
      default: return null;
    }
  }

  root.addEventListener('keydown', (event) => {
    if (event.altKey) return;
    // Letters are keys here alone, where no one types.
    const step = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (step && !event.ctrlKey && !event.metaKey) return goIll(step);
    const to = moves(event);
    if (to === null) return;
    event.preventDefault();
    select(to, { focus: true });
  });
  rows.addEventListener('click', (event) => {
    const byte = event.target.closest('[data-o]');
    if (byte) return select(Number(byte.dataset.o), { focus: true });
    const under = event.target.closest('.glyph');
    const start = under && under.style.gridColumn.split('/')[0];
    const line = under?.closest('.row');
    if (line) select((line.getAttribute('aria-rowindex') - 1) * columns + Number(start) - 2, { focus: true });
  });
  port.addEventListener('scroll', scrolled, { passive: true });
  new ResizeObserver(() => {
    const place = Math.floor(top / rowHeight) * columns;
    const before = columns;
    measure();
    if (before !== columns) goTo(Math.floor(place / columns) * rowHeight);
    draw(true);
  }).observe(root);

  return {
    select,
    redraw: () => draw(true),
    /** Resets the grid for another text, or another encoding of it. */
    reset(named) {
      encoding = named;
      measure();
      drawn = '';
      draw(true);
    },
    named: (name) => (encoding = name),
    toTop: () => goTo(0),
    get selected() {
      return selected;
    },
  };
}

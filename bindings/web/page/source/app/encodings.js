// The same bytes in every encoding: the readings, most probable first, and the encodings that the bytes rule out.

function makeEncodings(root, summary, find, { names, onRead }) {
  let rows = [];
  let detection = null;
  let state = {};
  let timer;

  function rank(one) {
    const at = detection?.candidates.findIndex((candidate) => candidate.name === one.name) ?? -1;
    if (at >= 0) return at;
    // Sort readings without odd controls first, then the encodings of the web.
    return 1000 + Math.min(one.controls, 400) * 10 + (names[one.number].unicode || names[one.number].web ? 0 : 5);
  }

  const matches = (one, words) => {
    const { name, labels, about } = names[one.number];
    const text = `${name} ${labels} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };

  const readButton = (one, text = one.name) =>
    el('button', { type: 'button', class: 'link', title: names[one.number].about, 'data-read': one.name, onclick: () => onRead(one.name) }, text);

  function reading(group) {
    const [one, ...others] = group;
    const candidate = detection?.candidates.find((candidate) => candidate.name === one.name);
    const sure = candidate?.confidence ?? 0;
    const meter = el('span', { class: 'sure' });
    if (sure >= 0.005) meter.append(`${Math.min(99, Math.floor(sure * 100))} %`, candidate.language ? el('small', {}, candidate.language) : '');
    return el('tr', {},
      el('th', { scope: 'row' }, readButton(one)),
      el('td', { class: 'likely' }, meter),
      el('td', { class: 'text' },
        el('bdi', { class: 'sample-text' }, one.from ? '…' : '', shownText(one.text), one.cut ? '…' : ''),
        others.length
          ? el('details', { class: 'alike' },
              el('summary', {}, `${count(others.length, 'other')} read it alike`),
              el('p', {}, ...others.flatMap((other, i) => [i ? ', ' : '', readButton(other)])))
          : null));
  }

  function ruledOut(one) {
    return el('tr', {},
      el('th', { scope: 'row' }, readButton(one)),
      el('td', { class: 'proof' }, el('code', {}, one.bytes.match(/../g).slice(0, 8).join(' ').toUpperCase()), ` at ${grouped.format(one.offset)}`),
      el('td', {}, shownText(one.message.replace(/^.*? at byte \d+: /, ''))));
  }

  function draw() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = rows.filter((one) => matches(one, words));
    const fits = chosen.filter((one) => one.kind === undefined).sort((a, b) => rank(a) - rank(b) || a.number - b.number);
    const out = chosen.filter((one) => one.kind !== undefined).sort((a, b) => b.offset - a.offset || a.number - b.number);
    const groups = new Map();
    for (const one of fits) groups.set(one.same, [...(groups.get(one.same) ?? []), one]);
    const sample = state.whole === false ? ` in the first ${sized(state.looked)}` : '';
    summary.textContent = state.last
      ? `${count(groups.size, 'reading')} in ${count(fits.length, 'encoding')}; ${count(out.length, 'encoding')} ruled out by a byte${sample}.`
      : 'Reading …';
    const open = [...root.querySelectorAll('details.section')].map((one) => one.open);
    const table = (label, heads, body) =>
      el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label },
        el('table', {}, el('caption', { class: 'hidden' }, label), el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))), el('tbody', {}, ...body)));
    const readings = [...groups.values()];
    const parts = [];
    if (readings.length) parts.push(table('Readings', ['Encoding', 'Probability', 'Text'], readings.slice(0, 12).map(reading)));
    if (readings.length > 12) {
      parts.push(el('details', { class: 'section', open: open[0] ?? false }, el('summary', {}, `${count(readings.length - 12, 'less likely reading')}`), table('Less likely readings', ['Encoding', 'Probability', 'Text'], readings.slice(12).map(reading))));
    }
    if (out.length) {
      parts.push(el('details', { class: 'section ruled-out', open: open.at(-1) ?? false }, el('summary', {}, `${count(out.length, 'encoding')} ruled out, by the bytes that prove it`), table('Ruled out', ['Encoding', 'Proof', 'Reason'], out.map(ruledOut))));
    }
    root.replaceChildren(...parts);
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(draw, 60);
  };
  find.addEventListener('input', soon);

  return {
    reset() {
      [rows, detection, state] = [[], null, {}];
      clearTimeout(timer);
      summary.textContent = 'Reading …';
    },
    clear() {
      this.reset();
      summary.textContent = '';
      root.replaceChildren();
    },
    add(answer) {
      rows.push(...answer.found);
      state = answer;
      if (answer.last) draw();
      else soon();
    },
    detected(found) {
      detection = found;
      if (state.last) draw();
    },
    get rows() {
      return rows;
    },
  };
}

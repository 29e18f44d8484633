// The start of the text, decoded: controls and invisible characters as labels, ill-formed sequences as their bytes.

const DECODED = 4096;

function makeDecoded(root, pages, onSelect) {
  let drawn = 0;

  async function draw() {
    const mine = ++drawn;
    const end = Math.min(pages.size, DECODED);
    const line = () => el('div', { class: 'line' });
    const lines = [line()];
    let [plain, from] = ['', 0];
    const flush = () => {
      if (plain) lines.at(-1).append(el('bdi', { 'data-o': from }, plain));
      plain = '';
    };
    for (let offset = 0; offset < end; offset = (Math.floor(offset / PAGE) + 1) * PAGE) {
      const page = await pages.need(offset);
      if (mine !== drawn || !page) return;
      for (const token of page.tokens) {
        if (token.o < offset || token.o >= end) continue;
        const special = (text, kind) => (flush(), lines.at(-1).append(el('span', { class: `tag ${kind}`, 'data-o': token.o }, text)));
        if (token.k === 'ill') special(hexOf(page.bytes.subarray(token.o - page.from, token.o - page.from + token.n)), 'ill');
        else if (token.k === 'signature') special('BOM', 'signature');
        else if (token.k === 'text') {
          for (const value of token.v) {
            const { text, kind } = glyph(value);
            if (kind === 'plain' || value === 0x20 || kind === 'mark') {
              if (!plain) from = token.o;
              plain += String.fromCodePoint(value);
            } else special(text, `${kind}${value < 0x80 ? ' picture' : ''}`);
            if (value === 0x0a) (flush(), lines.push(line()));
          }
        }
      }
    }
    flush();
    if (mine === drawn) root.replaceChildren(...lines);
  }

  root.addEventListener('click', (event) => {
    const on = event.target.closest('[data-o]');
    if (on && !String(getSelection())) onSelect(Number(on.dataset.o));
  });

  return { draw, clear: () => (drawn++, root.replaceChildren()) };
}

// The first card: the text before and after its repair, the changes, and what to do with the result.

const LISTED = 20;
/** The greatest size in bytes of a text that is copied, or put into the field. */
const MAX_COPY = 16 << 20;
const STEP_WORDS = {
  wide: 'UTF-16 or UTF-32 without a label',
  pairs: 'surrogate pairs in UTF-8',
  bytes: 'bytes of another encoding',
  lost: 'bytes that no encoding explains',
  mojibake: 'mojibake',
  legacy: 'an encoding of another part',
  controls: 'controls that were letters',
};

/** Decodes bytes as a browser would, for display; without a character at the end that is `cut`. */
function decodedAs(bytes, encoding, cut) {
  try {
    return new TextDecoder(encoding).decode(bytes, { stream: cut });
  } catch {
    return new TextDecoder().decode(bytes, { stream: cut });
  }
}

function makeFix({ ask, fileName, onTake, onUndo }) {
  const [card, head, list, regions] = ['fix', 'fix-head', 'fix-list', 'fix-regions'].map($);
  let found = null;

  /** Returns an excerpt in which the changes are marked. `place` gives the offset and the length of a change there. */
  function excerpt({ from, bytes }, encoding, place) {
    const out = document.createDocumentFragment();
    const end = bytes.length;
    // Both ends may be within a character.
    let at = from > 0 && encoding === 'utf-8' ? bytes.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    const text = (to) => shownText(decodedAs(bytes.subarray(at, to), encoding, to === end));
    if (from > 0) out.append('…');
    for (const change of found.list) {
      const [offset, length] = place(change);
      const start = offset - from;
      if (start < at) continue;
      if (start >= end) break;
      out.append(text(start));
      at = start;
      const past = Math.min(end, start + length);
      out.append(el('mark', {}, text(past)));
      at = past;
    }
    out.append(text(end));
    return el('bdi', {}, out);
  }

  function item(change) {
    const by = change.by.length ? `, ${change.by.join(', then ')}` : '';
    const bytes = Uint8Array.from(change.before.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    return el('li', {},
      el('code', {}, hexOf(bytes, 12)), ' becomes ', el('bdi', { class: 'sample-text' }, shownText(change.after.slice(0, 60)) , change.after.length > 60 ? '…' : ''),
      el('span', { class: 'hint' }, ` at byte ${grouped.format(change.offset)}: ${STEP_WORDS[change.step] ?? change.step}${by}${change.lossy ? '; some of it is guessed' : ''}`));
  }

  function showRegions() {
    regions.replaceChildren(...found.regions.map((region) => {
      const last = region.line + region.lines - 1;
      const where = region.lines > 1 ? `Lines ${grouped.format(region.line)} to ${grouped.format(last)}` : `Line ${grouped.format(region.line)}`;
      return el('li', {}, `${where}: `, el('b', {}, region.encoding), el('span', { class: 'hint' }, ` (${sized(region.length)} from byte ${grouped.format(region.offset)})`));
    }));
    $('fix-mixed').hidden = found.regions.length === 0;
  }

  function show(answer) {
    found = answer;
    card.hidden = !answer.changes;
    if (!answer.changes) return;
    const by = [...new Set(answer.list.map((change) => STEP_WORDS[change.step] ?? change.step))].slice(0, 3).join(', ');
    head.textContent = `${count(answer.changes, 'change')}: ${by}${answer.lossy ? '. Some bytes are lost for good' : ''}.`;
    // Before, the text is as a program shows it that expects UTF-8.
    const source = /^utf-(16|32)/i.test(answer.encoding) ? answer.encoding.toLowerCase() : 'utf-8';
    $('fix-before').replaceChildren(excerpt(answer.before, source, (change) => [change.offset, change.length]));
    $('fix-after').replaceChildren(excerpt(answer.after, 'utf-8', (change) => [change.at, change.written]));
    list.replaceChildren(...answer.list.slice(0, LISTED).map(item));
    const more = answer.changes - Math.min(LISTED, answer.list.length);
    $('fix-more').textContent = more > 0 ? `and ${grouped.format(more)} more` : '';
    showRegions();
    $('fix-said').textContent = '';
  }

  const say = (words) => {
    $('fix-said').textContent = words;
    announce(words);
  };

  $('fix-copy').addEventListener('click', async () => {
    if (found.blob.size > MAX_COPY) return say('Too much to copy: save it instead');
    await copyText(await found.blob.text());
    say('The repaired text is copied');
  });
  $('fix-save').addEventListener('click', () => {
    const name = fileName() || 'repaired.txt';
    const link = el('a', { href: URL.createObjectURL(found.blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    say(`Saved ${sized(found.blob.size)} of UTF-8`);
  });
  $('fix-take').addEventListener('click', () => onTake(found.blob, found.changes));
  $('fix-undo').addEventListener('click', onUndo);

  return {
    show,
    clear() {
      found = null;
      card.hidden = true;
    },
  };
}

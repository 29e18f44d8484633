// The list of ill-formed sequences, in the words of the command.

const PORTION = 100;

function makeFindings(root, summary, more, onSelect, onMore) {
  let all = [];
  let drawn = 0;
  let state = {};

  function item(one) {
    return el('li', {},
      el('button', { type: 'button', class: 'finding', 'data-offset': one.offset, onclick: () => onSelect(one.offset) },
        el('span', { class: 'where' }, `${grouped.format(one.line)}:${grouped.format(one.column)}`),
        el('code', { class: 'what' }, one.bytes.match(/../g)?.slice(0, 8).join(' ').toUpperCase() ?? ''),
        el('span', { class: 'why' }, ...prose(one.message), one.suggestion ? el('span', { class: 'help' }, ...prose(one.suggestion)) : null)));
  }

  function draw() {
    const end = Math.min(all.length, Math.max(drawn, PORTION));
    for (; drawn < end; drawn++) root.append(item(all[drawn]));
    const left = all.length - drawn;
    more.hidden = left === 0 && !(state.more && state.last);
    more.textContent = left > 0 ? `Show ${Math.min(PORTION, left)} more of ${grouped.format(left)}` : 'Find more';
    say();
  }

  function say() {
    const { findings = 0, errors = 0, more: capped, last, offset = 0, size = 0, encoding = '' } = state;
    const far = last ? '' : ` Read so far: ${sized(offset)} of ${sized(size)}.`;
    summary.textContent =
      (findings === 0
        ? last ? (size ? `None: this is well-formed ${encoding}.` : 'Nothing to read.') : 'None so far.'
        : capped
          ? `More than ${count(all.length - 1, 'sequence')}; a decoder would put U+FFFD ${count(errors, 'time')}. The first ${grouped.format(all.length)} are listed.`
          : `${count(findings, 'sequence')}; a decoder would put U+FFFD ${count(errors, 'time')}.`) + far;
  }

  /** Asks for the findings past the last one. */
  async function find() {
    const asked = state;
    const answer = await onMore(all.at(-1).offset);
    // The text may have changed meanwhile, or another request was faster.
    if (answer.stopped || state !== asked) return;
    all.push(...answer.found);
    state = { ...state, more: answer.more, findings: all.length };
    draw();
  }

  more.addEventListener('click', async () => {
    if (drawn === all.length) await find();
    const next = root.children[drawn - 1];
    const end = Math.min(all.length, drawn + PORTION);
    for (; drawn < end; drawn++) root.append(item(all[drawn]));
    draw();
    next?.nextElementSibling?.querySelector('button')?.focus();
  });

  return {
    reset() {
      [all, drawn, state] = [[], 0, {}];
      root.replaceChildren();
      more.hidden = true;
      summary.textContent = '';
    },
    add(answer) {
      all.push(...answer.found);
      state = answer;
      draw();
    },
    /** Returns the next finding after an offset, or the last one before it. */
    async next(offset) {
      const found = () => all.find((one) => one.offset > offset);
      while (!found() && state.more && state.last) {
        const known = all.length;
        await find();
        if (all.length === known) break;
      }
      return found();
    },
    previous: (offset) => all.findLast((one) => one.offset < offset),
    get all() {
      return all;
    },
  };
}

// Conversion of the bytes into another encoding: shown, copied, saved, or explained in turn.

function makeConvert({ ask, number, reading, fileName, onTake }) {
  const [to, errors, unmappable, shown] = ['to', 'errors', 'unmappable', 'shown'].map($);
  let asked = 0;
  let result = null;

  const wish = () => ({ from: reading().number, to: number(to.value), errors: errors.value, unmappable: unmappable.value });

  function words({ read, written, replaced, unmappable: lacked, stopped, offset, whole }) {
    const before = stopped ? offset : read;
    const made = `${sized(before)} ${before === 1 ? 'becomes' : 'become'} ${sized(written)}`;
    const notes = [
      replaced ? `${count(replaced, 'ill-formed sequence')} replaced` : '',
      lacked ? `${count(lacked, 'code point')} replaced that the target lacks` : '',
      whole || stopped ? '' : 'only the start is shown here; Save converts all of it',
    ].filter(Boolean);
    return stopped ? `Stopped: ${stopped}. ${made} before it.` : `${made}${notes.length ? `; ${notes.join('; ')}` : ''}.`;
  }

  function show() {
    if (!result) return;
    const most = result.bytes.subarray(0, 4096);
    let text;
    try {
      text = FORMS[shown.value].write(most);
    } catch {
      text = FORMS.hex.write(most);
    }
    $('converted').replaceChildren(shown.value === 'text' ? shownLines(text) : text, result.bytes.length > most.length ? ' …' : '');
  }

  function shownLines(text) {
    const out = document.createDocumentFragment();
    text.split('\n').forEach((line, i) => out.append(i ? '\n' : '', shownText(line)));
    return out;
  }

  async function run() {
    const mine = ++asked;
    const target = number(to.value);
    to.setAttribute('aria-invalid', String(target < 0));
    const tell = $('convert-summary');
    if (target < 0) {
      tell.textContent = 'No encoding has this name.';
      return;
    }
    const answer = await ask('convert', wish());
    if (mine !== asked || answer.stopped === true) return;
    result = answer;
    tell.classList.toggle('bad', Boolean(answer.stopped));
    tell.replaceChildren(shownText(words(answer)));
    show();
    const flags = [errors.value === 'strict' ? '' : ` --errors ${errors.value}`, unmappable.value === 'strict' ? '' : ` --unmappable ${unmappable.value}`];
    $('command').textContent = `placemat convert -f ${reading().name.toLowerCase()} -t ${to.value.trim().toLowerCase()}${flags.join('')} FILE`;
  }

  async function all() {
    const answer = await ask('convert', { ...wish(), save: true });
    if (answer.stopped) $('convert-summary').replaceChildren(shownText(words(answer)));
    return answer;
  }

  async function save() {
    const { blob, stopped } = await all();
    if (!blob) return;
    const stem = fileName().replace(/\.[^.]*$/, '') || 'bytes';
    const link = el('a', { href: URL.createObjectURL(blob), download: `${stem}-${to.value.trim().toLowerCase().replace(/[^a-z0-9.-]+/g, '-')}.txt` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    announce(stopped ? `Saved the part before the error: ${sized(blob.size)}` : `Saved ${sized(blob.size)}`);
  }

  async function copy() {
    const { blob, stopped } = await all();
    if (!blob) return;
    if (blob.size > 16 << 20) return announce('Too much to copy: save it instead');
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text;
    try {
      text = FORMS[shown.value].write(bytes);
    } catch {
      text = FORMS.hex.write(bytes);
    }
    await copyText(text);
    announce(`Copied ${sized(bytes.length)}${stopped ? ', the part before the error' : ''}`);
  }

  async function take() {
    const { blob } = await all();
    if (blob) onTake(blob.size <= INPUT ? new Uint8Array(await blob.arrayBuffer()) : blob, to.value);
  }

  for (const part of [to, errors, unmappable]) part.addEventListener('input', run);
  shown.addEventListener('input', show);
  $('save').addEventListener('click', save);
  $('copy').addEventListener('click', copy);
  $('take').addEventListener('click', take);

  return { run };
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page from a file may have no access to the clipboard.
    const box = el('textarea', { 'aria-hidden': 'true', class: 'hidden' });
    box.value = text;
    document.body.append(box);
    box.select();
    document.execCommand('copy');
    box.remove();
  }
}

// The page: joins its parts.

const names = [];
const known = new Map();
let bytes = new Uint8Array();
let size = 0;
let tag = 0;
let reading = { name: 'UTF-8', number: 0, automatic: true };
let detection = null;
let scanned = {};
let loads = 0;

const client = makeClient((event) => {
  if (event.event === 'scan' && event.tag === tag) onScan(event);
  if (event.event === 'trials' && event.tag === loads) table.add(event);
  if (event.event === 'saving') $('convert-summary').textContent = `Converting: ${sized(event.offset)} of ${sized(event.size)}`;
});
const ask = client.ask;

/** Returns the number of an encoding of any name, or -1. */
const number = (label) => known.get(label.trim().toLowerCase()) ?? -1;

const cache = new Map();
async function properties(values) {
  const missing = values.filter((value) => !cache.has(value));
  if (missing.length) for (const of of await ask('properties', { values: missing })) cache.set(of.value, of);
  return values.map((value) => cache.get(value));
}

const pages = makePages(ask, () => {
  grid.redraw();
  showDetails();
});
const details = makeDetails($('details'), { properties, go: goIll });
const grid = makeGrid($('grid'), pages, (at) => {
  history_.note({ at });
  showDetails();
  address();
}, goIll);
const findings = makeFindings($('findings'), $('findings-summary'), $('findings-more'), (at) => grid.select(at, { focus: true, centre: true }),
  (after) => ask('again', { after }));
const decoded = makeDecoded($('decoded'), pages, (at) => grid.select(at, { focus: true, centre: true }));
const table = makeEncodings($('encodings'), $('encodings-summary'), $('encodings-find'), {
  names,
  onRead: (name) => {
    history_.change({ read: name });
    $('bytes-heading').focus();
  },
});
const convert = makeConvert({
  ask,
  number,
  reading: () => reading,
  fileName: () => history_.now.name,
  onTake: (made, as) => {
    if (made instanceof Blob) history_.change({ file: made, name: `Converted to ${as}`, read: as, at: 0, shows: null });
    else history_.change({ form: 'hex', input: FORMS.hex.write(made), file: null, name: '', read: as, at: 0, shows: null });
    $('bytes-heading').focus();
  },
});
const fix = makeFix({
  ask,
  fileName: () => history_.now.fileName ?? '',
  onTake: async (blob, changes) => {
    const { name, fileName } = history_.now;
    const fixed = `Repaired: ${count(changes, 'change')}.`;
    // Long text stays outside of the field.
    if (blob.size > INPUT || fileName) history_.change({ file: blob, name: name || 'Repaired text', fileName, read: '', at: 0, shows: null, fixed });
    else history_.change({ form: 'text', input: await blob.text(), write: 'UTF-8', read: '', file: null, name: '', at: 0, shows: null, fixed });
    $('fix-undo').focus();
  },
  onUndo: () => history_.undo(),
});
const enter = makeEnter({
  onInput: (input) => history_.change({ input, file: null, name: '', shows: null }, `typing ${history_.now.form}`),
  onForm: (form) => {
    // Convert the input to the other form, if it can represent the bytes; a file is closed.
    const now = history_.now;
    let input = '';
    let note = '';
    if (!now.file) {
      let made;
      try {
        made = number(now.write) === number('UTF-8') ? FORMS[now.form].read(now.input) : bytes;
      } catch {
        // What cannot be read in this form may be in that one.
      }
      try {
        input = made ? FORMS[form].write(made) : now.input;
      } catch {
        note = 'The bytes were not well-formed UTF-8, so no text gives them again. Undo brings them back.';
      }
    }
    history_.change({ form, input, write: form === 'text' ? 'UTF-8' : now.write, file: null, name: '' });
    $('note').textContent = note;
  },
  onFile: (file, name) => history_.change({ file, name, fileName: file.name ?? '', read: '', at: 0, shows: null }),
  onWrite: (write) => history_.change({ write }),
  // The worker reads it, so that the page stays responsive.
  onLong: async (input, form) => {
    const mine = loads;
    const { bytes, fault } = await ask('parse', { input, form });
    if (mine !== loads) return;
    if (fault) return $('fault').replaceChildren(shownText(`What was pasted cannot be read: ${fault}.`));
    history_.change({ file: new Blob([bytes]), name: `Pasted ${FORMS[form].name.toLowerCase()}`, read: '', at: 0, shows: null });
  },
});

const history_ = makeHistory((state) => load(state));

/** Loads a state: its bytes, and then how they are read. */
async function load(state) {
  const mine = ++loads;
  // The tests of this page wait for this attribute.
  document.documentElement.dataset.load = String(mine);
  $('undo').disabled = !history_.canUndo;
  $('redo').disabled = !history_.canRedo;
  $('fault').textContent = '';
  $('note').textContent = '';
  $('guess').hidden = true;
  enter.show(state, state.file?.size ?? 0);
  $('fixed').hidden = !state.fixed;
  $('fixed-said').textContent = state.fixed ?? '';
  showCase(state.shows);
  let made;
  try {
    made = state.file ?? (await read(state));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    $('fault').replaceChildren(shownText(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`));
    document.documentElement.dataset.read = String(mine);
    return;
  }
  if (mine !== loads) return;
  bytes = made;
  guess(state);
  const opened = await ask('open', { bytes });
  if (mine !== loads) return;
  size = opened.size;
  await choose(state, opened.signature);
  if (mine !== loads) return;
  begin(state);
}

/** Returns the bytes of the typed text. */
async function read(state) {
  const made = FORMS[state.form].read(state.input);
  if (state.form !== 'text' || number(state.write) === number('UTF-8')) return made;
  const to = number(state.write);
  if (to < 0) throw new Unreadable(0, '', `No encoding is named “${state.write}”; the text is not read`);
  const encoded = await ask('encode', { bytes: made, wtf8: number('WTF-8'), to });
  if (encoded.unmappable) {
    $('note').textContent = `${names[to].name} lacks ${count(encoded.unmappable, 'code point')} of this text; a substitute stands for each.`;
  }
  return encoded.bytes;
}

/** Decides in which encoding the bytes are read: the one that was chosen, or that of the text, or of a signature, or UTF-8. */
async function choose(state, signature) {
  const note = $('read-note');
  note.textContent = '';
  const label = state.read || (state.form === 'text' && !state.file ? state.write : '');
  let at = label ? number(label) : -1;
  if (label && at < 0) at = await ask('lookup', { label });
  if (label && at < 0) note.textContent = `No encoding is named “${label}”; read as UTF-8.`;
  const automatic = at < 0;
  if (at < 0) at = number(signature || 'UTF-8');
  reading = { name: names[at].name, number: at, automatic };
  const field = $('read');
  field.value = state.read ? names[at].name : '';
  field.placeholder = `automatic: ${reading.name}`;
}

/** Starts all work on the bytes. */
function begin(state) {
  tag++;
  scanned = {};
  detection = null;
  ask('read', { number: reading.number, tag });
  pages.reset(size);
  grid.reset(reading.name);
  findings.reset();
  decoded.clear();
  details.empty();
  $('verdict').hidden = true;
  fix.clear();
  $('summary').textContent = size ? `${sized(size)}, read as ${reading.name}` : 'No bytes yet';
  if (size) grid.select(Math.min(state.at, size - 1), { centre: true });
  address();
  if (!size) {
    document.documentElement.dataset.read = String(loads);
    return table.clear();
  }
  const mine = loads;
  table.reset();
  ask('detect').then((found) => {
    if (mine !== loads || found.stopped) return;
    detection = found;
    showVerdict();
    table.detected(found);
  });
  ask('fix').then((found) => {
    if (mine !== loads || found.stopped) return;
    fix.show(found);
    document.documentElement.dataset.fixed = String(mine);
  });
  ask('trials', { count: names.length, tag: loads });
  convert.run();
}

function onScan(event) {
  scanned = event;
  const first = findings.all.length === 0 && event.found.length > 0;
  findings.add(event);
  if (event.encoding !== reading.name) {
    reading.name = event.encoding;
    grid.named(event.encoding);
    grid.redraw();
    showDetails();
  }
  const parts = [sized(size), count(event.codePoints, 'code point'), event.line > 1 ? count(event.line, 'line') : ''];
  const ill = event.more ? `over ${count(event.findings - 1, 'ill-formed sequence')}` : event.findings ? count(event.findings, 'ill-formed sequence') : event.last ? 'well-formed' : '';
  const head = $('summary');
  head.replaceChildren(parts.filter(Boolean).join(' · '), ill ? ' · ' : '', el('b', { class: event.findings ? 'bad' : 'good' }, ill), ` ${reading.name}`);
  if (!event.last) head.append(`, ${Math.floor((100 * event.offset) / event.size)} % read`);
  if (first) document.documentElement.dataset.firstError = String(Math.round(performance.now()));
  if (event.last) {
    document.documentElement.dataset.read = String(loads);
    decoded.draw();
    $('decoded-summary').textContent = size > DECODED ? `The first ${sized(DECODED)} of ${sized(size)}.` : '';
    showVerdict();
  }
}

/** Shows the result of detection if it differs from the encoding in which the bytes are read. */
function showVerdict() {
  const box = $('verdict');
  const found = detection;
  box.hidden = true;
  if (!found || !size) return;
  const same = (name) => name === reading.name || (name === 'US-ASCII' && reading.name.startsWith('UTF-8'));
  if (found.verdict === 'binary') {
    box.replaceChildren('These bytes look like no text at all, but like a picture, a program or an archive.');
    box.hidden = false;
  } else if (found.encoding && !same(found.encoding) && (scanned.findings || found.confidence > 0.6)) {
    const language = found.language ? `, ${found.language}` : '';
    const sure = found.confidence >= 0.9 ? 'Probably' : 'Perhaps';
    box.replaceChildren(
      `${sure} ${found.encoding}${language} (${found.because}). `,
      el('button', { type: 'button', id: 'read-found', onclick: () => history_.change({ read: found.encoding }) }, `Read it as ${found.encoding}`));
    box.hidden = false;
  }
}

/** Shows a hint if a pasted text is written in another form. */
function guess(state) {
  const box = $('guess');
  const form = state.form === 'text' && !state.file ? looksLike(state.input) : null;
  const lost = state.form === 'text' && !state.file ? enter.lost(state.input) : null;
  box.hidden = !form && lost === null;
  if (lost !== null) {
    const input = FORMS.escapes.write(wtf8(lost));
    return box.replaceChildren(
      'The pasted text has carriage returns, which a field turns into line feeds. ',
      el('button', { type: 'button', id: 'keep-returns', onclick: () => history_.change({ form: 'escapes', input, write: 'UTF-8' }) }, 'Keep them, as escapes'));
  }
  if (!form) return;
  box.replaceChildren(
    `This looks like ${FORMS[form].name.toLowerCase()}. `,
    el('button', { type: 'button', id: 'take-guess', onclick: () => history_.change({ form, read: '', at: 0, write: 'UTF-8' }) }, `Read it as ${FORMS[form].name.toLowerCase()}`));
}

function showDetails() {
  if (!size) return details.empty();
  const at = grid.selected;
  const token = pages.token(at);
  if (!token) return;
  const taken = [];
  for (let i = 0; i < Math.min(token.n, 64); i++) taken.push(pages.byte(token.o + i) ?? 0);
  details.show(token, Uint8Array.from(taken), reading.name, at);
}

async function goIll(step) {
  const one = step > 0 ? await findings.next(grid.selected) : findings.previous(grid.selected);
  if (one) grid.select(one.offset, { focus: true, centre: true });
  else announce(step > 0 ? 'No ill-formed sequence after this' : 'No ill-formed sequence before this');
}

/** Writes the state into the address. */
function address() {
  const fragment = toFragment(history_.now, bytes);
  try {
    history.replaceState(null, '', fragment ?? location.href.split('#')[0]);
  } catch {
    // Some browsers refuse it to pages from files, or when it happens too often.
  }
  $('link').disabled = !fragment || !size;
  $('link').title = fragment ? '' : `${sized(size)} are too many for a link`;
}

function showCase(id) {
  const one = CASES.find((one) => one.id === id);
  const box = $('case');
  box.hidden = !one || !$('cases-fold').open;
  if (one) box.replaceChildren(el('strong', {}, one.title), el('p', {}, one.text));
  for (const chip of $('cases').querySelectorAll('button')) chip.setAttribute('aria-pressed', String(chip.dataset.case === id));
}

function openCase(one) {
  const made = caseBytes(one);
  history_.change({ form: 'hex', input: FORMS.hex.write(made), write: 'UTF-8', read: one.read ?? '', at: one.at ?? 0, file: null, name: '', shows: one.id });
}

// Sets the colors: those of the system, light, or dark.
function makeScheme() {
  const schemes = ['system', 'light', 'dark'];
  const signs = { system: '◐', light: '○', dark: '●' };
  let now = 'system';
  try {
    now = schemes.find((one) => one === localStorage.getItem('placemat-scheme')) ?? 'system';
  } catch {
    // A page from a file may have no storage.
  }
  const show = () => {
    if (now === 'system') delete document.documentElement.dataset.scheme;
    else document.documentElement.dataset.scheme = now;
    const button = $('scheme');
    button.textContent = signs[now];
    const words = { system: 'as the system', light: 'light', dark: 'dark' };
    button.setAttribute('aria-label', `Colours: ${words[now]}`);
    button.title = `Colours: ${words[now]}`;
  };
  $('scheme').addEventListener('click', () => {
    now = schemes[(schemes.indexOf(now) + 1) % 3];
    try {
      localStorage.setItem('placemat-scheme', now);
    } catch {
      // Then the choice lasts as long as the page.
    }
    show();
    announce($('scheme').getAttribute('aria-label'));
  });
  show();
}

function makeKeys() {
  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches?.('input:not([type=radio]):not([type=file]), textarea, select');
    const command = event.ctrlKey || event.metaKey;
    if (command && !event.altKey && !typing && event.key.toLowerCase() === 'z') {
      event.preventDefault();
      if (event.shiftKey) history_.redo();
      else history_.undo();
    }
  });
}

/** Shows unexpected errors instead of swallowing them. */
function makeAlarm() {
  addEventListener('unhandledrejection', (event) => {
    $('broken').hidden = false;
    $('broken').textContent = `Something in this page went wrong: ${event.reason?.message ?? event.reason}. Reload it to go on.`;
  });
}

async function start() {
  makeAlarm();
  makeScheme();
  makeKeys();
  for (const [role, [name]] of Object.entries(ROLES)) $('legend').append(el('li', {}, el('span', { class: `swatch ${role}`, 'aria-hidden': 'true' }), name));
  for (const one of CASES) {
    const button = el('button', { type: 'button', 'data-case': one.id, 'aria-pressed': 'false', onclick: () => openCase(one) }, one.title);
    $('cases').append(el('span', { class: 'one' }, button, one === CASES.at(-1) ? '' : el('span', { class: 'dot', 'aria-hidden': 'true' }, '·')), ' ');
  }
  $('undo').addEventListener('click', () => history_.undo());
  $('redo').addEventListener('click', () => history_.redo());
  $('link').addEventListener('click', async () => {
    await copyText(location.href);
    announce('The link is copied');
    $('link').textContent = 'Copied';
    setTimeout(() => ($('link').textContent = 'Copy link'), 2000);
  });
  $('skip').addEventListener('click', (event) => {
    event.preventDefault();
    $('bytes-heading').focus();
  });
  $('read').addEventListener('change', () => history_.change({ read: $('read').value.trim() }));
  $('go').addEventListener('submit', (event) => {
    event.preventDefault();
    const to = Number($('go-to').value.trim().replace(/_/g, ''));
    const fits = Number.isInteger(to) && to >= 0 && to < size;
    $('go-to').setAttribute('aria-invalid', String(!fits));
    if (fits) grid.select(to, { focus: true, centre: true });
    else announce(size ? `An offset is a number from 0 to ${size - 1}` : 'There are no bytes');
  });
  addEventListener('hashchange', () => {
    const state = fromFragment(location.hash);
    if (state) history_.change({ file: null, name: '', ...state });
  });
  $('cases-fold').addEventListener('toggle', () => ($('case').hidden = !$('cases-fold').open || !history_.now.shows));
  details.empty();
  try {
    await client.begin();
    names.push(...(await ask('encodings')));
  } catch (error) {
    $('broken').hidden = false;
    $('broken').textContent = `This browser cannot run the page: it needs WebAssembly with SIMD and DecompressionStream, which browsers have since 2023. (${error.message})`;
    return;
  }
  names.forEach((one, i) => {
    for (const label of [...one.labels.split(' '), one.name.toLowerCase()]) known.set(label, i);
    $('encoding-names').append(el('option', { value: one.name }));
  });
  names.forEach((one, i) => known.set(one.name.toLowerCase(), i));
  const first = CASES[0];
  const linked = fromFragment(location.hash);
  if (linked?.shows) $('cases-fold').open = true;
  history_.start(linked ?? { form: 'text', input: new TextDecoder().decode(caseBytes(first)), at: 4, shows: first.id });
  document.documentElement.dataset.started = 'true';
}

start();

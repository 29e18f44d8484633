// The state of the page: the input, how it is read, the position of the selection. It can be
// undone, and it is kept in the address after the `#`, which no browser sends to a server.

/** The greatest number of bytes in a link: mails and chats truncate longer addresses. */
const LINK = 6000;
const STEPS = 100;

const INITIAL = { form: 'text', input: '', write: 'UTF-8', read: '', at: 0, file: null, name: '', fileName: '', shows: null, fixed: '' };

function makeHistory(onChange) {
  const done = [];
  const undone = [];
  let now = { ...INITIAL };
  let [lastKind, lastTime] = ['', 0];

  return {
    get now() {
      return now;
    },
    /** Changes the state. Changes of one kind that follow each other quickly are one step. */
    change(part, kind = '') {
      const time = performance.now();
      if (!kind || kind !== lastKind || time - lastTime > 1000) {
        done.push(now);
        if (done.length > STEPS) done.shift();
      }
      [lastKind, lastTime] = [kind, time];
      undone.length = 0;
      // Another text has neither the name of this file nor its repair.
      const over = 'input' in part || 'file' in part ? { fileName: '', fixed: '' } : {};
      now = { ...now, ...over, ...part };
      onChange(now);
    },
    /** Changes a part that is no separate step, such as the selection. */
    note(part) {
      now = { ...now, ...part };
    },
    /** Sets the state at the start, with no step before it. */
    start(part) {
      now = { ...INITIAL, ...part };
      onChange(now);
    },
    undo() {
      if (!done.length) return false;
      undone.push(now);
      now = done.pop();
      lastKind = '';
      onChange(now);
      return true;
    },
    redo() {
      if (!undone.length) return false;
      done.push(now);
      now = undone.pop();
      lastKind = '';
      onChange(now);
      return true;
    },
    get canUndo() {
      return done.length > 0;
    },
    get canRedo() {
      return undone.length > 0;
    },
  };
}

/** Returns the state as the text after the `#`; `null` if there are too many bytes. */
function toFragment(state, bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length > LINK) return null;
  const words = new URLSearchParams({ bytes: base64(bytes, { url: true }), as: state.form });
  if (state.read) words.set('read', state.read);
  if (state.at) words.set('at', state.at);
  if (state.form === 'text' && state.write !== 'UTF-8') words.set('write', state.write);
  if (state.shows) words.set('case', state.shows);
  return `#${words}`;
}

/** Returns the state of a fragment, as far as it can be parsed; `null` if it contains no bytes. */
function fromFragment(fragment) {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  if (!words.has('bytes')) return null;
  let bytes;
  try {
    bytes = readBase64(words.get('bytes'));
  } catch {
    return null;
  }
  let form = Object.hasOwn(FORMS, words.get('as')) ? words.get('as') : 'hex';
  const write = (words.get('write') ?? 'UTF-8').slice(0, 60);
  let input;
  try {
    if (form === 'text' && write !== 'UTF-8') throw new Error('read below, as bytes');
    input = FORMS[form].write(bytes);
  } catch {
    form = 'hex';
    input = FORMS.hex.write(bytes);
  }
  // A case whose bytes were changed is no longer that case.
  const told = CASES.find((one) => one.id === words.get('case'));
  const shows = told && hexOf(bytes) === told.bytes ? told.id : null;
  return {
    form,
    input,
    write: form === 'text' ? write : 'UTF-8',
    read: (words.get('read') ?? '').slice(0, 60),
    at: Math.max(0, Math.min(bytes.length, Math.trunc(Number(words.get('at'))) || 0)),
    shows,
  };
}

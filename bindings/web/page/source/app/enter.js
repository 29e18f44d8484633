// The input: typed, pasted, dropped, or a file.

/** The number of code units that the field accepts. Longer text is read like a file. */
const INPUT = 200_000;

function makeEnter({ onInput, onForm, onFile, onWrite, onLong }) {
  const text = $('text');
  // The last pasted text, if it had carriage returns, which a field turns into line feeds.
  let returns = null;
  const forms = $('forms');

  for (const [id, form] of Object.entries(FORMS)) {
    forms.append(
      el('label', {}, el('input', { type: 'radio', name: 'form', value: id, onchange: () => onForm(id) }), el('span', {}, form.name)),
    );
  }

  text.addEventListener('input', () => onInput(text.value));
  $('write').addEventListener('change', () => onWrite($('write').value));
  $('file').addEventListener('change', () => {
    const [file] = $('file').files;
    if (file) onFile(file, file.name);
    // Allow the same file to be chosen again.
    $('file').value = '';
  });

  // A text of a hundred megabytes would freeze the field, so it bypasses the field.
  text.addEventListener('paste', (event) => {
    const [file] = event.clipboardData?.files ?? [];
    const pasted = event.clipboardData?.getData('text/plain') ?? '';
    if (file && !pasted) {
      event.preventDefault();
      onFile(file, file.name);
    } else if (checked() === 'text' && pasted.includes('\r')) returns = pasted;
    if (!(file && !pasted) && pasted.length > INPUT) {
      event.preventDefault();
      if (checked() === 'text') onFile(new Blob([wtf8(pasted)]), 'Pasted text');
      else onLong(pasted, checked());
    }
  });

  const drop = document.body;
  let inside = 0;
  const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  drop.addEventListener('dragenter', (event) => {
    if (!carries(event)) return;
    inside++;
    document.body.classList.add('dropping');
  });
  drop.addEventListener('dragleave', () => {
    inside = Math.max(0, inside - 1);
    if (!inside) document.body.classList.remove('dropping');
  });
  drop.addEventListener('dragover', (event) => carries(event) && event.preventDefault());
  drop.addEventListener('drop', (event) => {
    inside = 0;
    document.body.classList.remove('dropping');
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    onFile(file, file.name);
  });

  const checked = () => forms.querySelector('input:checked')?.value ?? 'text';

  return {
    /** Returns the pasted text, if the field contains exactly that text without its carriage returns. */
    lost: (input) => (returns !== null && returns !== input && returns.replace(/\r\n?/g, '\n') === input ? returns : null),
    show(state, size) {
      for (const input of forms.querySelectorAll('input')) input.checked = !state.file && input.value === state.form;
      text.hidden = Boolean(state.file);
      $('open-file').hidden = !state.file;
      if (state.file) {
        $('open-file').replaceChildren(
          el('strong', {}, el('bdi', {}, shownText(state.name))), ` ${sized(size)}, read here by pieces and not uploaded. `,
          el('button', { type: 'button', id: 'close-file', onclick: () => onForm('text') }, 'Close'));
      } else if (text.value !== state.input.replace(/\r\n?/g, '\n')) text.value = state.input;
      text.rows = Math.min(8, Math.max(2, state.input.split('\n', 9).length));
      $('hint').textContent = state.file ? '' : FORMS[state.form].hint;
      $('write-label').hidden = Boolean(state.file) || state.form !== 'text';
      if (document.activeElement !== $('write')) $('write').value = state.write;
    },
  };
}

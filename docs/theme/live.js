// Makes the examples of the book live: bytes that a reader can change, and a command that runs on them in the page.
//
// In the sources, an example is a block of code of the kind `live`: an input, a command, and what the command prints. That stays
// as it is where there is no script, or no engine.
(() => {
  'use strict';

  const here = document.currentScript.src;
  /** The first code unit that carries bits of the engine; `bindings/web/page/book.mjs` writes them. */
  const FIRST = 0x3400;
  /** The most bytes of an example. */
  const MAX_EXAMPLE_BYTES = 400;
  const ESCAPES = { n: '\n', r: '\r', t: '\t' };

  const node = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, '0');

  /** The bytes of an input as it is written, or null. */
  function read(kind, written) {
    if (kind === 'bytes') {
      const digits = written.replace(/[\s,]|0x/gi, '');
      if (!/^([0-9a-f]{2})*$/i.test(digits)) return null;
      return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    }
    let right = true;
    const text = written.replace(/\\(u\{([0-9a-f]{1,6})\}|.|$)/gi, (all, escape, digits) => {
      if (digits && parseInt(digits, 16) <= 0x10ffff) return String.fromCodePoint(parseInt(digits, 16));
      right &&= escape in ESCAPES;
      return ESCAPES[escape] ?? all;
    });
    return right ? new TextEncoder().encode(text) : null;
  }

  /** The engine, from its script, which is loaded once. */
  function load() {
    return new Promise((resolve, reject) => {
      const script = node('script', { src: new URL('engine.js', here).href });
      script.onload = () => resolve(start());
      script.onerror = () => reject(new Error('there is no engine'));
      document.head.append(script);
    });
  }

  async function start() {
    const { units, bytes, startEngine } = globalThis.placematEngine;
    const packed = new Uint8Array(bytes);
    let [held, count, at] = [0, 0, 0];
    for (let i = 0; i < units.length; i++) {
      held = (held << 15) | (units.charCodeAt(i) - FIRST);
      count += 15;
      while (count >= 8 && at < bytes) {
        count -= 8;
        packed[at++] = held >> count;
        held &= (1 << count) - 1;
      }
    }
    globalThis.placematEngine.units = '';
    const unzipped = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    const engine = await startEngine(await new Response(unzipped).arrayBuffer());
    return engine;
  }

  /** The tokens of the bytes in the encoding that the command reads. */
  function tokens(engine, command, bytes) {
    const label = /^placemat \w+(?: [^|]*?)? -f (\S+)/.exec(command)?.[1] ?? 'utf-8';
    const known = engine.lookup(label);
    engine.scanBegin(known < 0 ? engine.lookup('utf-8') : known);
    const { encoding } = engine.scanFeed(bytes, true);
    const found = bytes.length ? engine.window(bytes, 0, 0, 0, bytes.length, true) : [];
    return { encoding, found };
  }

  class Example {
    constructor(engine, pre, number) {
      const [input, command, ...result] = pre.querySelector('code').textContent.replace(/\n$/, '').split('\n');
      const [, kind, written] = /^(bytes|text) (.*)$/.exec(input);
      this.engine = engine;
      this.first = { kind, written, command: command.replace(/^\$ /, '') };
      this.recorded = result.join('\n');
      this.chosen = -1;
      this.make(pre, number);
      this.again();
    }

    make(pre, number) {
      const field = (name, label) =>
        node('input', { id: `live-${number}-${name}`, className: 'live-field', type: 'text', spellcheck: false, autocomplete: 'off', ariaLabel: label });
      this.input = field('input', 'Input');
      this.command = field('command', 'Command');
      this.kind = node('label', { className: 'live-label', htmlFor: this.input.id });
      this.strip = node('div', { className: 'live-strip', role: 'group', ariaLabel: 'Bytes of the input' });
      this.bits = node('div', { className: 'live-bits', role: 'group', hidden: true });
      this.output = node('pre', { className: 'live-output', tabIndex: 0, role: 'status', ariaLabel: 'Output' });
      this.reset = node('button', { className: 'live-button', type: 'button', textContent: 'Reset', hidden: true });
      const prompt = node('label', { className: 'live-label', htmlFor: this.command.id, textContent: '$' });
      this.box = node(
        'div',
        { className: 'live', role: 'group', ariaLabel: 'Example that you can change' },
        node('div', { className: 'live-row' }, this.kind, this.input, this.reset),
        this.strip,
        this.bits,
        node('div', { className: 'live-row' }, prompt, this.command),
        this.output,
      );
      this.input.addEventListener('input', () => this.changed());
      this.command.addEventListener('input', () => this.show());
      this.reset.addEventListener('click', () => (this.again(), this.input.focus()));
      this.strip.addEventListener('click', ({ target }) => this.choose(target.closest('.live-byte')));
      this.strip.addEventListener('keydown', (event) => this.key(event));
      this.bits.addEventListener('click', ({ target }) => this.pressed(target.closest('button')));
      pre.replaceWith(this.box);
    }

    /** Puts the example as it was. */
    again() {
      const { kind, written, command } = this.first;
      this.setKind(kind);
      this.input.value = written;
      this.command.value = command;
      this.chosen = -1;
      this.changed();
    }

    setKind(kind) {
      this.mode = kind;
      this.kind.textContent = kind;
    }

    changed() {
      const bytes = read(this.mode, this.input.value);
      const fits = bytes !== null && bytes.length <= MAX_EXAMPLE_BYTES;
      this.input.setAttribute('aria-invalid', String(!fits));
      if (!fits) {
        this.output.textContent = bytes ? `at most ${MAX_EXAMPLE_BYTES} bytes` : this.mode === 'bytes' ? 'pairs of hex digits, such as C3 A9' : 'escapes are \\n, \\r, \\t and \\u{E9}';
        return;
      }
      this.bytes = bytes;
      this.show();
    }

    /** Shows the bytes, and what the command prints. */
    show() {
      const { kind, written, command } = this.first;
      this.reset.hidden = this.mode === kind && this.input.value === written && this.command.value === command;
      this.output.textContent = this.engine.command(this.command.value, this.bytes) || '(no output, exit status 0)';
      if (this.chosen >= this.bytes.length) this.chosen = -1;
      this.showStrip();
      this.showBits();
    }

    showStrip() {
      const { ROLES, roleOf, glyph } = globalThis.placematEngine;
      const { encoding, found } = tokens(this.engine, this.command.value, this.bytes);
      const groups = found.map((token) => {
        const ill = token.k === 'ill';
        const shown = ill ? '\u2716' : (token.v ?? []).map((value) => glyph(value).text ?? String.fromCodePoint(value)).join('');
        const cells = Array.from(this.bytes.subarray(token.o, token.o + token.n), (byte, i) => {
          const role = roleOf(token, i, byte, encoding);
          const offset = token.o + i;
          const one = node('button', { type: 'button', className: `live-byte live-${role}`, textContent: hex(byte) });
          one.dataset.offset = offset;
          one.ariaLabel = `byte ${offset}: ${hex(byte)}, ${ROLES[role][1]}`;
          one.ariaPressed = String(offset === this.chosen);
          one.tabIndex = offset === Math.max(0, this.chosen) ? 0 : -1;
          return one;
        });
        const label = node('span', { className: 'live-glyph', textContent: shown || '\u00a0', title: ill ? token.m ?? 'ill-formed' : '' });
        label.ariaHidden = 'true';
        return node('span', { className: 'live-group' }, label, node('span', { className: 'live-cells' }, ...cells));
      });
      this.strip.replaceChildren(...groups);
    }

    showBits() {
      const byte = this.bytes[this.chosen];
      this.bits.hidden = byte === undefined;
      if (byte === undefined) return;
      this.bits.ariaLabel = `Bits of byte ${this.chosen}`;
      const bits = Array.from({ length: 8 }, (_, i) => {
        const value = 128 >> i;
        const one = node('button', { type: 'button', className: 'live-bit', textContent: byte & value ? '1' : '0' });
        one.dataset.bit = value;
        one.ariaLabel = `bit ${7 - i}: ${one.textContent}`;
        one.ariaPressed = String(Boolean(byte & value));
        return one;
      });
      const button = (name, label) => {
        const one = node('button', { type: 'button', className: 'live-button', textContent: label });
        one.dataset.act = name;
        return one;
      };
      this.bits.replaceChildren(...bits, button('insert', 'Insert before'), button('remove', 'Remove'));
    }

    choose(button) {
      if (!button) return;
      const offset = Number(button.dataset.offset);
      this.chosen = this.chosen === offset ? -1 : offset;
      this.show();
      this.focus(offset);
    }

    focus(offset) {
      this.strip.querySelector(`[data-offset="${offset}"]`)?.focus();
    }

    /** Puts other bytes; from now on the input is bytes. */
    put(bytes, chosen) {
      this.setKind('bytes');
      this.chosen = chosen;
      this.input.value = Array.from(bytes, hex).join(' ');
      this.changed();
    }

    key(event) {
      const offset = Number(event.target.dataset?.offset ?? NaN);
      if (Number.isNaN(offset) || event.ctrlKey || event.altKey || event.metaKey) return;
      const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (move) {
        const next = Math.min(Math.max(offset + move, 0), this.bytes.length - 1);
        this.strip.querySelectorAll('.live-byte').forEach((one) => (one.tabIndex = Number(one.dataset.offset) === next ? 0 : -1));
        this.focus(next);
      } else if (step) {
        const bytes = this.bytes.slice();
        bytes[offset] += step;
        this.put(bytes, offset);
        this.focus(offset);
      } else if (event.key === 'Delete') {
        this.put(this.bytes.filter((_, i) => i !== offset), -1);
        this.focus(Math.min(offset, this.bytes.length - 1));
      } else {
        return;
      }
      event.preventDefault();
    }

    pressed(button) {
      if (!button) return;
      const { bit, act } = button.dataset;
      const bytes = Array.from(this.bytes);
      if (bit) bytes[this.chosen] ^= Number(bit);
      else bytes.splice(this.chosen, act === 'remove' ? 1 : 0, ...(act === 'insert' ? [0x20] : []));
      this.put(bytes, Math.min(this.chosen, bytes.length - 1));
      const again = bit ? `[data-bit="${bit}"]` : `[data-act="${act}"]`;
      this.bits.querySelector(again)?.focus();
    }
  }

  async function enhance() {
    const blocks = [...document.querySelectorAll('pre > code.language-live')].map((code) => code.parentElement);
    if (!blocks.length) return;
    try {
      const engine = await load();
      globalThis.placematExamples = blocks.map((pre, number) => new Example(engine, pre, number));
      document.documentElement.dataset.live = 'yes';
    } catch (error) {
      // The blocks stay as they are: text with its recorded result.
      document.documentElement.dataset.live = 'no';
      console.info(`The examples do not run: ${error.message}`);
    }
  }

  // mdBook's button for the table of contents is a label, which no key reaches by itself.
  document.getElementById('mdbook-sidebar-toggle')?.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.currentTarget.click();
  });

  enhance();
})();

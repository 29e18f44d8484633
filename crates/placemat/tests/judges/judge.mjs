// `TextDecoder` of Node or Chromium as a judge: node judge.mjs lossy|read node|chromium ENCODING, with the lines of judge.py.
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Chromium runs this function in a page, from its source.
function judge(task, name, lines) {
  // A new one each time: after ESC at the end of one text, Chromium calls ESC at the start of the next one ill-formed.
  const decoder = () => new TextDecoder(name, { fatal: task === 'read', ignoreBOM: true });
  const encoder = new TextEncoder();
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return lines.map((line) => {
    const bytes = Uint8Array.from({ length: line.length / 2 }, (_, i) => parseInt(line.slice(2 * i, 2 * i + 2), 16));
    try {
      return hex(encoder.encode(decoder().decode(bytes)));
    } catch {
      return '-';
    }
  });
}

const [task, program, name = 'utf-8'] = process.argv.slice(2);
const lines = readFileSync(0, 'latin1').split('\n').slice(0, -1);
if (program === 'node') {
  process.stdout.write(judge(task, name, lines).map((answer) => answer + '\n').join(''));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'));
  const page = join(folder, 'page.html');
  const given = [task, name, lines].map((value) => JSON.stringify(value)).join(',');
  writeFileSync(page, `<!doctype html><pre></pre><script>document.querySelector('pre').textContent = 'answers:'
    + (${judge})(${given}).join(' ') + ':';</script>`);
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=100000', '--dump-dom', `file://${page}`];
  const said = execFileSync('chromium', options, { maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
  const answers = /answers:([^:]*):<\/pre>/.exec(said)[1];
  process.stdout.write(lines.length ? answers.split(' ').join('\n') + '\n' : '');
  rmSync(folder, { recursive: true });
}

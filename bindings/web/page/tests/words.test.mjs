// The page shows the same messages as the command for the same bytes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytes, change, findings, launch, open, put, text } from './page.mjs';

const COMMAND = process.env.PLACEMAT_COMMAND ?? new URL('../../../../target/release/placemat', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'page-words-'));

/** Returns the lines of JSON that the command prints. */
function command(...args) {
  const run = spawnSync(COMMAND, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.ok(run.status === 0 || run.status === 1, `${args.join(' ')}: ${run.status} ${run.stderr} ${run.error}`);
  return run.stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** Returns the output of a command for each of some names, several at a time, because starting one takes longer than its work. */
async function each(names, args) {
  const outputs = new Map();
  const queue = [...names];
  const next = async () => {
    for (let name; (name = queue.pop()) !== undefined; ) {
      const output = await new Promise((go, fail) =>
        execFile(COMMAND, args(name), { encoding: 'buffer' }, (error, stdout) => (error && error.code !== 1 ? fail(error) : go(stdout))));
      outputs.set(name, output);
    }
  };
  await Promise.all([next(), next(), next(), next()]);
  return outputs;
}

function file(name, contents) {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
}

/** Makes a generator that yields the same numbers in each run. */
function noise(seed) {
  let state = seed;
  return () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24);
}

const random = (length, seed) => Uint8Array.from({ length }, noise(seed));

/** Returns bytes with many kinds of errors, between letters and lines. */
function trouble(length, seed) {
  const next = noise(seed);
  const pieces = ['C0 AF', 'ED A0 BD ED B8 80', 'ED A0 80', 'E2 82', 'F0 9F 98', 'F4 90 80 80', 'FF FE', 'E9', '93', '80 80 80', 'F8 88 80 80 80', 'C3 83 C2 A9', 'E2 82 AC', 'F0 9F 98 80', '0A', '0D 0A', '61', '62 20', '00', 'EF BB BF', 'C3 A9 C3'];
  const out = [];
  while (out.length < length) out.push(...pieces[next() % pieces.length].split(' ').map((pair) => parseInt(pair, 16)));
  return Uint8Array.from(out);
}

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function readAs(page, name) {
  await change(page, async () => {
    await page.locator('#read').fill(name);
    await page.locator('#read').blur();
  });
}

test('errors have the places and the words of `placemat check`', async () => {
  const page = await open(browser);
  const texts = [
    ['utf-8', trouble(900, 1)],
    ['utf-8', trouble(900, 2)],
    ['utf-8', random(600, 3)],
    ['utf-8', Buffer.from('caf\xe9 d\xe9j\xe0 vu \x93quoted\x94', 'latin1')],
    ['us-ascii', trouble(200, 4)],
    ['cesu-8', trouble(400, 5)],
    ['utf-16le', random(500, 6)],
    ['utf-16be', random(501, 7)],
    ['utf-32le', random(402, 8)],
    ['shift_jis', random(500, 9)],
    ['gb18030', random(500, 10)],
    ['iso-2022-jp', random(500, 11)],
    ['utf-7', random(300, 12)],
    ['windows-1253', random(400, 13)],
  ];
  let compared = 0;
  for (const [name, some] of texts) {
    await put(page, some);
    await readAs(page, name);
    while (await page.locator('#findings-more').isVisible()) await page.locator('#findings-more').click();
    const wanted = command('check', '-a', '--all', '-f', name, '--format', 'jsonl', file('some', some)).filter((line) => line.message);
    const found = await findings(page);
    assert.deepEqual(
      found,
      wanted.map((line) => ({ offset: line.byte_offset, where: `${line.line}:${line.column}`, message: line.message, suggestion: line.suggestion?.replaceAll('`', '') ?? null })),
      name,
    );
    compared += found.length;
  }
  assert.ok(compared > 500, String(compared));
  await page.finish();
});

test('code points are those of `placemat inspect`, byte by byte', async () => {
  const page = await open(browser);
  for (const [name, some] of [['utf-8', trouble(300, 21)], ['utf-16le', random(200, 22)], ['gb18030', random(200, 23)], ['ibm037', random(120, 24)], ['utf-32be', random(120, 25)], ['big5', random(200, 26)]]) {
    await put(page, some);
    await readAs(page, name);
    const labels = new Map((await bytes(page)).map((one) => [one.offset, one]));
    let seen = 0;
    for (const line of command('inspect', '-f', name, '--format', 'jsonl', file('some', some))) {
      // The grid contains only the rows in view.
      if (!labels.has(line.byte_offset) || line.length === 0) continue;
      seen++;
      const { label, hex, role } = labels.get(line.byte_offset);
      assert.equal(hex.toLowerCase(), line.bytes.slice(0, 2));
      if (line.code_point) assert.ok(label.includes(line.code_point), `${name} ${line.byte_offset}: ${label}, ${line.code_point}`);
      else assert.equal(role, 'ill', `${name} ${line.byte_offset}: ${label}`);
    }
    assert.ok(seen > 20, `${name} ${seen}`);
  }
  await page.finish();
});

test('the table of encodings says what the command says of each', async () => {
  const page = await open(browser);
  for (const some of [random(24, 31), Buffer.from('Grüße, 5 €\r\n'), Buffer.from('ab\x1b$B0!\x1b(Bc', 'latin1'), random(9, 32)]) {
    await put(page, some);
    await page.evaluate(() => document.querySelectorAll('#encodings details').forEach((one) => (one.open = true)));
    const rows = await page.$$eval('#encodings tbody tr', (all) =>
      all.map((row) => ({
        names: [...row.querySelectorAll('[data-read]')].map((one) => one.dataset.read),
        proof: row.querySelector('.proof')?.textContent ?? null,
        text: row.querySelector('.sample-text')?.textContent ?? null,
      })));
    const path = file('some', some);
    const all = command('encodings', '--format', 'jsonl').map((line) => line.name);
    const table = new Map(rows.flatMap((row) => row.names.map((name) => [name, row])));
    assert.deepEqual([...table.keys()].sort(), [...all].sort());
    const checks = await each(all, (name) => ['check', '-a', '-f', name, '--format', 'jsonl', path]);
    for (const name of all) {
      const first = checks.get(name).toString().split('\n').filter(Boolean).map((line) => JSON.parse(line)).find((line) => line.message);
      const { proof } = table.get(name);
      if (!first) {
        assert.equal(proof, null, `${name} is well-formed`);
        continue;
      }
      const hex = first.bytes.match(/../g).slice(0, 8).join(' ').toUpperCase();
      assert.equal(proof, `${hex} at ${first.byte_offset}`, name);
    }
    // Encodings that are reported to read alike do.
    const alike = rows.filter((row) => row.names.length > 1 && !row.proof).map((row) => row.names.slice(0, 4));
    const texts = await each(alike.flat(), (name) => ['convert', '-f', name, '-t', 'utf-8', '--unmappable', 'replace', path]);
    for (const names of alike) assert.equal(new Set(names.map((name) => texts.get(name).toString('hex'))).size, 1, names.join(' '));
  }
  await page.finish();
});

test('detection is that of `placemat detect`', async () => {
  const page = await open(browser);
  for (const some of [
    Buffer.from('Le caf\xe9 est tr\xe8s chaud, voil\xe0', 'latin1'),
    Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xc2\xf1\xb8 \xf5\xee\xf0\xee\xf8\xee, \xf1\xef\xe0\xf1\xe8\xe1\xee.', 'latin1'),
    Buffer.from('Plain and simple, in two lines\nof ASCII.'),
    Buffer.from('C\0a\0f\0\xe9\0 \0a\0u\0 \0l\0a\0i\0t\0', 'latin1'),
    Buffer.from('\x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\x81A\x90\xa2\x8aE', 'latin1'),
  ]) {
    await put(page, some);
    const [found] = command('detect', '--format', 'jsonl', file('some', some));
    const first = await page.locator('#encodings [data-read]').first().getAttribute('data-read');
    assert.equal(first, found.encoding ?? found.candidates[0].encoding);
    const sure = Math.min(99, Math.floor(found.candidates[0].confidence * 100));
    assert.match(await text(page, '#encodings .likely'), new RegExp(`^${sure} %`));
  }
  await page.finish();
});

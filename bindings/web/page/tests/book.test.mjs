// The book in Chromium: its examples run in the page, show the output that the sources record, and
// follow a change. `cargo xtask book --live` builds it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from './page.mjs';

const BOOK = fileURLToPath(new URL('../../../../target/book', import.meta.url));
const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

const files = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]));

/** The examples of each page, from the sources: input, command, and output. */
const examples = new Map(
  files(DOCS)
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const blocks = readFileSync(file, 'utf8').matchAll(/^```live\n(.*)\n\$ (.*)\n([^]*?)^```$/gm);
      return [relative(DOCS, file).replace(/README\.md$/, 'index.md').replace(/md$/, 'html'), [...blocks].map(([, input, command, result]) => ({ input, command, result }))];
    })
    .filter(([, blocks]) => blocks.length),
);

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** Opens a page of the book from the disk. `finish` asserts that nothing went wrong in it and that nothing was asked of anyone. */
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const [requests, faults] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(pathToFileURL(join(BOOK, name)).href);
  if (examples.has(name)) await page.waitForSelector('html[data-live=yes]', { timeout: 20_000 });
  page.finish = async () => {
    assert.deepEqual(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')), [], 'requests');
    assert.deepEqual(faults, [], 'faults');
    await context.close();
  };
  return page;
}

const outputs = (page) => page.$$eval('.live-output', (all) => all.map((one) => one.textContent));

test('the book has at least forty live examples, and each says what is on record', async () => {
  let count = 0;
  for (const [name, blocks] of examples) {
    const page = await open(name);
    const found = await outputs(page);
    assert.deepEqual(
      found,
      blocks.map(({ result }) => result || '(no output, exit status 0)'),
      name,
    );
    count += found.length;
    await page.finish();
  }
  assert.ok(count >= 40, String(count));
});

test('a byte that is changed changes what each example shows', async () => {
  for (const [name, blocks] of examples) {
    const page = await open(name);
    const changed = await page.evaluate(() =>
      globalThis.placematExamples.map((example) => {
        const shown = () => example.output.textContent + example.strip.textContent;
        const first = shown();
        const bytes = example.bytes.slice();
        bytes[bytes.length - 1] ^= 0x81;
        example.put(bytes, -1);
        const second = shown();
        const isOffered = !example.reset.hidden;
        example.reset.click();
        return [first !== second, isOffered, shown() === first && example.reset.hidden];
      }));
    assert.equal(changed.length, blocks.length);
    for (const [i, one] of changed.entries()) assert.deepEqual(one, [true, true, true], `${name}, example ${i + 1}`);
    await page.finish();
  }
});

test('bytes are changed by hand: a field, a key, a bit, and a command', async () => {
  const page = await open('utf-8/errors.html');
  const first = page.locator('.live').first();
  const output = first.locator('.live-output');
  const input = first.getByRole('textbox', { name: 'Input' });
  assert.match(await output.textContent(), /overlong sequence 0xc0 0xaf/);
  await input.fill('2F');
  assert.equal(await output.textContent(), '(no output, exit status 0)');
  await input.fill('2');
  assert.equal(await input.getAttribute('aria-invalid'), 'true');
  await input.fill('E2 82 AC');
  // A key makes it another byte: no continuation byte any more.
  await first.locator('[data-offset="1"]').focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  assert.match(await output.textContent(), /lead byte 0xe2 at byte 0: needs 2 more continuation bytes, found 0x7f/);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.offset), '1');
  // A bit makes it one again.
  await first.getByRole('button', { name: 'bit 7' }).click();
  assert.equal(await input.inputValue(), 'E2 FF AC');
  await first.getByRole('button', { name: 'bit 6' }).click();
  assert.equal(await output.textContent(), '(no output, exit status 0)');
  await first.getByRole('textbox', { name: 'Command' }).fill('placemat convert -t utf-16be | od -An -tx1');
  assert.equal(await output.textContent(), ' 2f ec\n');
  await first.getByRole('button', { name: 'Remove' }).click();
  assert.equal(await input.inputValue(), 'E2 AC');
  await first.getByRole('button', { name: 'Reset' }).click();
  assert.match(await output.textContent(), /overlong sequence 0xc0 0xaf/);
  await page.finish();
});

test('text is changed by hand, with escapes', async () => {
  const page = await open('how/mojibake.html');
  const first = page.locator('.live').first();
  const output = first.locator('.live-output');
  await first.getByRole('textbox', { name: 'Input' }).fill('na\\u{C3}\\u{AF}ve');
  assert.equal(await output.textContent(), 'naïve\n');
  await first.getByRole('textbox', { name: 'Input' }).fill('\\x');
  assert.match(await output.textContent(), /escapes are/);
  await first.getByRole('textbox', { name: 'Command' }).fill('rm -r /');
  await first.getByRole('textbox', { name: 'Input' }).fill('<b onclick=1>');
  assert.match(await output.textContent(), /a part of the command/);
  assert.equal(await first.locator('b').count(), 0);
  await page.finish();
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 400]) {
    test(`axe finds nothing, and nothing is wider than the page: ${colorScheme}, ${width} px`, async () => {
      for (const name of ['index.html', 'how/mojibake.html', 'utf-8/errors.html', 'reference/policies.html', 'speed/index.html']) {
        const page = await open(name, { colorScheme, viewport: { width, height: 900 } });
        await page.evaluate(axe);
        const look = async () => {
          const { violations } = await page.evaluate(() =>
            globalThis.axe.run(document, { preload: false, resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }));
          assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((one) => one.html.slice(0, 200))]), [], name);
        };
        await look();
        if (examples.has(name)) {
          await page.locator('.live-byte').first().click();
          await look();
        }
        const [page_, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(page_ <= screen, `${name}: ${page_} of ${screen}`);
        await page.finish();
      }
    });
  }
}

test('without a script, an example is text with its result', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const plain = await context.newPage();
  await plain.goto(pathToFileURL(join(BOOK, 'how/what-encoding.html')).href);
  const { input, command, result } = examples.get('how/what-encoding.html')[0];
  assert.equal(await plain.locator('code.language-live').first().textContent(), `${input}\n$ ${command}\n${result}`);
  await context.close();
});

test('all of the book has at most 6 MB', () => {
  const bytes = files(BOOK).reduce((sum, file) => sum + statSync(file).size, 0);
  assert.ok(bytes <= 6_000_000, String(bytes));
});

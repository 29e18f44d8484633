// No text becomes markup, reverses the page, or freezes it; large files stay outside the memory.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADDRESS, change, form, launch, open, put, settled, text } from './page.mjs';
import { createServer } from 'node:http';

const folder = mkdtempSync(join(tmpdir(), 'page-hostile-'));
let browser;
before(async () => (browser = await launch()));
after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const HOSTILE = [
  '<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '"><svg onload=alert(1)>', "';alert(1)//", '{{7*7}}', '</textarea><iframe src=javascript:alert(1)>',
  '\u202E\u2066\u2067\u202A'.repeat(50), '\0'.repeat(200), '\x1b[31m\x07\x9b', '<a href="javascript:alert(1)">x</a>', '&lt;b&gt;', '\u2028\u2029', '\uFFFE\uFFFF', 'e\u0301\u0301'.repeat(300), '__proto__', '</script><!--',
];

test('HTML, controls and bidi controls are text and nothing else', async () => {
  const page = await open(browser);
  // Elements that a text could inject: none of them may ever exist.
  const foreign = () => page.evaluate(() => ({
    elements: document.querySelectorAll('img, iframe, svg, object, embed, video, audio, form:not(#go), base, body link, main a, main b b').length,
    scripts: document.scripts.length,
    links: document.querySelectorAll('a').length,
    bidi: /[\u202A-\u202E\u2066-\u2069]/.test(document.body.innerText),
    controls: /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]/.test(document.body.innerText),
  }));
  const clean = { elements: 0, scripts: 2, links: 1, bidi: false, controls: false };
  for (const some of HOSTILE) {
    for (const name of ['text', 'hex']) {
      if (name === 'hex') await put(page, Buffer.from(some));
      else {
        await form(page, 'text');
        await change(page, () => page.locator('#text').evaluate((field, value) => {
          field.value = value;
          field.dispatchEvent(new Event('input'));
        }, some));
      }
      assert.deepEqual(await foreign(), clean, JSON.stringify(some.slice(0, 20)));
    }
    await change(page, () => page.locator('#file').setInputFiles({ name: `${some.replace(/[/\0]/g, '').slice(0, 40)}.txt`, mimeType: 'text/html', buffer: Buffer.from(some) }));
    assert.deepEqual(await foreign(), clean, `file ${JSON.stringify(some.slice(0, 20))}`);
  }
  // Names of encodings and faults repeat the typed text.
  for (const id of ['read', 'write', 'to', 'encodings-find', 'go-to']) {
    await form(page, 'text');
    await page.locator(`#${id}`).fill('<img src=x onerror=alert(1)>');
    await page.locator(`#${id}`).blur();
    await page.waitForTimeout(60);
    assert.deepEqual(await foreign(), clean, id);
  }
  await page.finish();
});

test('random bytes in random encodings, and what a fragment may hold', async () => {
  const page = await open(browser);
  let state = 7;
  const next = () => ((state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24);
  for (let round = 0; round < 25; round++) {
    const some = Uint8Array.from({ length: next() * 3 + 1 }, next);
    const names = ['UTF-8', 'UTF-16', 'UTF-32', 'UTF-7', 'SCSU', 'BOCU-1', 'MARC-8', 'HZ-GB-2312', 'ISO-2022-KR', 'Big5-HKSCS', 'IBM930', 'UCS-4', 'UTF-EBCDIC', 'UTF-1'];
    const words = new URLSearchParams({ bytes: Buffer.from(some).toString('base64url'), as: 'hex', read: names[round % names.length], at: String(next()) });
    await change(page, () => page.evaluate((hash) => (location.hash = hash), `#${words}`));
    assert.equal(await page.locator('#broken').isVisible(), false, String(words));
    assert.equal(await page.locator('.byte.waits').count(), 0);
  }
  await page.finish();
});

test('one line of 100 MB, pasted and from a file', async () => {
  const page = await open(browser);
  const path = join(folder, 'line');
  writeFileSync(path, Buffer.alloc(100_000_000, 'abcdefghi\u00e9'));
  await change(page, () => page.locator('#file').setInputFiles(path));
  assert.match(await text(page, '#summary'), /100 MB · 90,909,09\d code points · .*UTF-8$/);
  await page.locator('#go-to').fill('99999990');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.dataset.o === '99999990');
  await settled(page);
  await change(page, () => page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'x'.repeat(100_000_000));
    document.getElementById('text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }));
  assert.match(await text(page, '#summary'), /100 MB · 100,000,000 code points · well-formed UTF-8$/);
  await page.finish();
});

test('where a policy forbids WebAssembly, and without JavaScript, the page says so', async () => {
  const html = readFileSync(new URL(ADDRESS));
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "script-src 'unsafe-inline'; worker-src blob:" });
    response.end(html);
  });
  await new Promise((go) => server.listen(0, '127.0.0.1', go));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => /needs WebAssembly.*Content Security Policy/s.test(document.getElementById('broken').textContent));
  assert.equal(await page.locator('#broken').isVisible(), true);
  await page.close();
  server.close();
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(ADDRESS);
  assert.match(await plain.locator('noscript').innerText(), /needs JavaScript/);
  await plain.close();
});

test('a long text in hex is read by the worker, and its fault is told', async () => {
  const page = await open(browser);
  await form(page, 'hex');
  const paste = (input) => page.evaluate((input) => {
    const data = new DataTransfer();
    data.setData('text/plain', input);
    document.getElementById('text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, input);
  await watchFrames(page);
  await change(page, () => paste('C3 A9 '.repeat(1_000_000)));
  assert.match(await text(page, '#summary'), /2.0 MB · 1,000,000 code points · well-formed UTF-8$/);
  assert.match(await text(page, '#open-file'), /Pasted hex/);
  assert.ok((await longestFrame(page)) < 1500);
  await change(page, () => page.locator('#close-file').click());
  await form(page, 'hex');
  await settled(page);
  // Without a space between the bytes.
  await change(page, () => paste('c3a9'.repeat(2_000_000)));
  assert.match(await text(page, '#summary'), /4.0 MB · 2,000,000 code points · well-formed UTF-8$/);
  await change(page, () => page.locator('#close-file').click());
  await form(page, 'hex');
  await settled(page);
  await paste(`${'C3 A9\n'.repeat(50_000)}x`);
  await page.waitForFunction(() => /cannot be read.*“x”.*line 50001, column 1/.test(document.getElementById('fault').textContent));
  await page.finish();
});

/** Notes from now on how long the page draws no frame. */
const watchFrames = (page) => page.evaluate(() => {
  globalThis.longest = 0;
  let last = performance.now();
  const frame = () => {
    const now = performance.now();
    globalThis.longest = Math.max(globalThis.longest, now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
});

/** Returns the longest time without a frame since then, in milliseconds. */
const longestFrame = (page) => page.evaluate(() => globalThis.longest);

/** Returns whether a process is a descendant of this one. */
function isOurs(pid) {
  while (pid > 1 && pid !== process.pid) pid = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  return pid > 1;
}

/** Returns the anonymous memory of the processes that show pages of this browser, in bytes. */
function memory() {
  let most = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer') || !isOurs(Number(pid))) continue;
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      most = Math.max(most, 1024 * Number(/RssAnon:\s+(\d+)/.exec(status)[1]));
    } catch {
      // It has ended.
    }
  }
  return most;
}

const LARGE = process.env.PLACEMAT_LONG ? 1_000_000_000 : 200_000_000;

test(`a file of ${LARGE / 1e6} MB: its first error at once, little memory, a page that answers`, async () => {
  const path = join(folder, 'large');
  const handle = openSync(path, 'w');
  ftruncateSync(handle, LARGE);
  // One error near the start, one near the end.
  writeSync(handle, Buffer.from([0xc0, 0xaf]), 0, 2, 1_000_000);
  writeSync(handle, Buffer.from([0xff]), 0, 1, LARGE - 10);
  closeSync(handle);
  const page = await open(browser);
  await watchFrames(page);
  const before = memory();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, memory())), 20);
  const began = Date.now();
  await page.locator('#file').setInputFiles(path);
  await page.waitForSelector('.finding');
  const first = Date.now() - began;
  await settled(page, 60_000);
  const whole = Date.now() - began;
  clearInterval(watch);
  const found = await page.$$eval('.finding', (all) => all.map((one) => Number(one.dataset.offset)));
  assert.deepEqual(found, [1_000_000, LARGE - 10]);
  await page.locator('.finding').nth(1).click();
  await page.waitForFunction((at) => document.activeElement.dataset.o === String(at), LARGE - 10);
  await settled(page);
  assert.equal(await page.locator('.byte.here').innerText(), 'FF');
  const longest = await longestFrame(page);
  console.log(`first error ${first} ms, whole file ${whole} ms, memory ${Math.round(most / 1e6)} MB (before ${Math.round(before / 1e6)}), longest frame ${Math.round(longest)} ms`);
  assert.ok(most - before < 200e6, `${most} bytes, ${before} before`);
  await page.finish();
});

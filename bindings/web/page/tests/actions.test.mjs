// A test for each action of the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytes, change, findings, form, launch, open, put, settled, text, unfold } from './page.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const hex = (page) => bytes(page).then((all) => all.map((one) => one.hex).join(' '));

test('each form is read', async () => {
  const page = await open(browser);
  const cases = [
    ['text', 'é\u{1F600}', 'C3 A9 F0 9F 98 80'],
    ['hex', '0xC3, 0xA9; c3A9\nC3:A9', 'C3 A9 C3 A9 C3 A9'],
    ['hex', '00000000: 6261 720a                                bar.', '62 61 72 0A'],
    ['hex', '00000000  c3 a9 0a                                          |...|\n00000003', 'C3 A9 0A'],
    ['escapes', String.raw`b'a\xc3\xa9\303\251\n\u00e9\u{1f600}\ud83d\ude00U+20AC'`, '61 C3 A9 C3 A9 0A C3 A9 F0 9F 98 80 F0 9F 98 80 E2 82 AC'],
    ['escapes', String.raw`\U0001F600\\`, 'F0 9F 98 80 5C'],
    ['base64', 'w6n_\n-w==', 'C3 A9 FF FB'],
    ['base64', 'data:text/plain;base64,w6k', 'C3 A9'],
    ['percent', 'a%20%C3%a9+', '61 20 C3 A9 2B'],
  ];
  for (const [name, input, wanted] of cases) {
    await form(page, name);
    await change(page, () => page.locator('#text').fill(input));
    assert.equal(await hex(page), wanted, `${name} ${input}`);
  }
  await page.finish();
});

test('a fault in what is typed is told with its place, and nothing is lost', async () => {
  const page = await open(browser);
  for (const [name, input, words] of [
    ['hex', 'C3 A9\nC', /single digit “C”: a byte has two at line 2, column 1/],
    ['hex', 'C3 zz', /“z” is not a hex digit, at line 1, column 4/],
    ['escapes', 'a\\q', /not an escape known here, at line 1, column 2/],
    ['base64', 'w6*', /“\*” is not a character of base64, at line 1, column 3/],
    ['percent', 'a%C', /“%” without two hex digits at line 1, column 2/],
  ]) {
    await form(page, name);
    await page.locator('#text').fill(input);
    await page.waitForFunction(() => document.getElementById('fault').textContent);
    assert.match(await text(page, '#fault'), words);
    assert.equal(await page.locator('#text').inputValue(), input);
    await page.locator('#text').fill('');
  }
  await page.finish();
});

test('the same bytes move from form to form', async () => {
  const page = await open(browser);
  await put(page, [0xc3, 0xa9, 0x25, 0x5c]);
  for (const [name, input] of [['escapes', String.raw`\xc3\xa9%\\`], ['base64', 'w6klXA=='], ['percent', '%C3%A9%25%5C'], ['text', 'é%\\'], ['hex', 'C3 A9 25 5C']]) {
    await change(page, () => form(page, name));
    assert.equal(await page.locator('#text').inputValue(), input);
    assert.equal(await hex(page), 'C3 A9 25 5C');
  }
  await put(page, [0xff]);
  await change(page, () => form(page, 'text'));
  assert.match(await text(page, '#note'), /not well-formed UTF-8/);
  await page.locator('#undo').click();
  await settled(page);
  assert.equal(await hex(page), 'FF');
  await page.finish();
});

test('text is written in another encoding, and lone surrogates stay', async () => {
  const page = await open(browser);
  await form(page, 'text');
  await change(page, () => page.locator('#text').fill('5 €'));
  await change(page, async () => {
    await page.locator('#write').fill('latin1');
    await page.locator('#write').blur();
  });
  assert.equal(await hex(page), '35 20 3F');
  assert.match(await text(page, '#note'), /lacks 1 code point/);
  await change(page, async () => {
    await page.locator('#write').fill('utf-8');
    await page.locator('#write').blur();
  });
  await change(page, () => page.locator('#text').evaluate((field) => {
    field.value = 'a\uD800b';
    field.dispatchEvent(new Event('input'));
  }));
  assert.equal(await hex(page), '61 ED A0 80 62');
  assert.equal((await findings(page)).length, 1);
  await page.finish();
});

test('roles, bits and names', async () => {
  const page = await open(browser);
  await put(page, [0x41, 0xc3, 0xa9, 0x0a, 0xff]);
  assert.deepEqual((await bytes(page)).map((one) => one.role), ['ascii', 'lead', 'cont', 'control', 'ill']);
  await page.locator('.byte[data-o="2"]').click();
  await page.waitForFunction(() => /SMALL LETTER E WITH ACUTE/.test(document.getElementById('details').textContent));
  const details = await text(page, '#details');
  for (const words of ['U+00E9', 'LATIN SMALL LETTER E WITH ACUTE', 'offset 1', 'line 1, column 2', '00011 101001 = U+00E9', 'category Ll', '&#xE9;']) {
    assert.ok(details.includes(words), `${words} in ${details}`);
  }
  await page.finish();
});

test('the grid by the keyboard', async () => {
  const page = await open(browser);
  const some = Array.from({ length: 4000 }, (_, i) => 0x41 + (i % 26));
  some[20] = 0xff;
  some[3000] = 0xfe;
  await put(page, some);
  await page.locator('.byte[data-o="0"]').click();
  const at = () => page.evaluate(() => Number(document.activeElement.dataset.o));
  for (const [key, wanted] of [
    ['ArrowRight', 1], ['ArrowDown', 17], ['ArrowLeft', 16], ['ArrowUp', 0], ['ArrowLeft', 0], ['End', 15], ['Home', 0], ['Control+End', 3999], ['Control+Home', 0],
    ['n', 20], ['n', 3000], ['p', 20],
  ]) {
    await page.keyboard.press(key);
    await page.waitForFunction((wanted) => Number(document.activeElement.dataset.o) === wanted, wanted, { timeout: 3000 }).catch(() => {});
    assert.equal(await at(), wanted, key);
  }
  await page.keyboard.press('PageDown');
  assert.ok((await at()) > 20 + 64);
  assert.equal(await page.locator('#grid [tabindex="0"]').count(), 1);
  await page.waitForFunction(() => /Offset \d+: U\+/.test(document.getElementById('live').textContent));
  await page.finish();
});

test('go to an offset', async () => {
  const page = await open(browser);
  await put(page, Array.from({ length: 4000 }, () => 0x61));
  await page.locator('#go-to').fill('0xF9F');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.dataset.o === '3999');
  await page.locator('#go-to').fill('4000');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('#go-to').getAttribute('aria-invalid'), 'true');
  await page.finish();
});

test('findings lead to their bytes', async () => {
  const page = await open(browser);
  await put(page, [0x61, 0x0a, 0xc0, 0xaf, 0x62, 0xe2, 0x82]);
  const all = await findings(page);
  assert.deepEqual(all.map((one) => [one.offset, one.where]), [[2, '2:1'], [5, '2:4']]);
  await page.locator('.finding').nth(1).click();
  await page.waitForFunction(() => document.activeElement.dataset.o === '5');
  await page.locator('#previous-ill').click();
  await page.waitForFunction(() => document.activeElement.dataset.o === '2');
  await page.waitForFunction(() => /overlong sequence 0xc0 0xaf/.test(document.getElementById('details').textContent));
  await page.locator('#next-ill').click();
  await page.waitForFunction(() => document.activeElement.dataset.o === '5');
  await page.finish();
});

test('findings beyond the first ten thousand are found when they are asked for', async () => {
  const page = await open(browser);
  // In UTF-8, which is checked where it stands, and in an encoding with a state.
  for (const [name, piece] of [['', Buffer.from('\xC3\xA9\xFF\n', 'latin1')], ['shift_jis', Buffer.from('\x82\xA0\xFF\n', 'latin1')]]) {
    const path = join(mkdtempSync(join(tmpdir(), 'page-')), 'many');
    writeFileSync(path, Buffer.alloc(4 * 25_000, piece));
    await change(page, () => page.locator('#file').setInputFiles(path));
    if (name) {
      await change(page, async () => {
        await page.locator('#read').fill(name);
        await page.locator('#read').blur();
      });
    }
    assert.match(await text(page, '#findings-summary'), /^More than 9,999 sequences; .* 25,000 times\. The first 10,000 are listed\.$/);
    await page.locator('#go-to').fill(String(4 * 10_000 - 1));
    await page.keyboard.press('Enter');
    await page.waitForFunction((at) => document.activeElement.dataset.o === String(at), 4 * 10_000 - 1);
    await page.keyboard.press('n');
    await page.waitForFunction((at) => document.activeElement.dataset.o === String(at), 4 * 10_000 + 2);
    assert.match(await text(page, '#findings-summary'), /^More than 19,999 sequences;/);
    await page.locator('#go-to').fill(String(4 * 20_000 - 1));
    await page.keyboard.press('Enter');
    await page.waitForFunction((at) => document.activeElement.dataset.o === String(at), 4 * 20_000 - 1);
    await page.keyboard.press('n');
    await page.waitForFunction(() => /^25,000 sequences;/.test(document.getElementById('findings-summary').textContent));
    const all = await page.evaluate(() => document.getElementById('findings-more').textContent);
    assert.equal(all, 'Show 100 more of 24,900');
  }
  await page.finish();
});

test('read as another encoding, from the field, the table and the suggestion', async () => {
  const page = await open(browser);
  await put(page, Buffer.from('Le caf\xe9 est tr\xe8s chaud, voil\xe0', 'latin1'));
  await change(page, async () => {
    await page.locator('#read').fill('cp1251');
    await page.locator('#read').blur();
  });
  assert.match(await text(page, '#summary'), /well-formed windows-1251/);
  await change(page, () => page.locator('#encodings button[data-read="windows-1252"]').first().click());
  assert.match(await text(page, '#decoded'), /café est très/);
  await page.locator('#undo').click();
  await settled(page);
  await page.locator('#undo').click();
  await settled(page);
  assert.match(await text(page, '#summary'), /UTF-8$/);
  await page.waitForSelector('#read-found');
  await change(page, () => page.locator('#read-found').click());
  assert.match(await text(page, '#summary'), /well-formed (windows-1252|ISO-8859-1)/);
  await page.locator('#read').fill('no such thing');
  await page.locator('#read').blur();
  await page.waitForFunction(() => /No encoding is named/.test(document.getElementById('read-note').textContent));
  await page.finish();
});

test('the text shows controls and ill-formed bytes as labels', async () => {
  const page = await open(browser);
  await put(page, Buffer.concat([Buffer.from('a\u202Eb\0\n'), Buffer.from([0xff])]));
  assert.equal((await text(page, '#decoded')).replace(/\s+/g, ' ').trim(), 'aRLOb␀␊ FF');
  await page.locator('#decoded .ill').click();
  await page.waitForFunction(() => document.activeElement.dataset.o === '7');
  await page.finish();
});

test('encodings are found by words', async () => {
  const page = await open(browser);
  await page.locator('#encodings-find').fill('japan');
  await page.waitForFunction(() => document.querySelectorAll('#encodings tbody tr').length < 60);
  const named = await page.$$eval('#encodings [data-read]', (all) => all.map((one) => one.dataset.read));
  assert.ok(named.includes('Shift_JIS') && !named.includes('UTF-8'), String(named));
  await page.finish();
});

test('convert, copy, save, and explain the result', async () => {
  const page = await open(browser, '', { permissions: ['clipboard-read', 'clipboard-write'] });
  await put(page, Buffer.from('5 € \u{1F600}'));
  await page.locator('#to').fill('iso-8859-1');
  await page.waitForFunction(() => /Stopped: ISO-8859-1 cannot represent U\+20AC/.test(document.getElementById('convert-summary').textContent));
  await page.locator('#unmappable').selectOption('xmlcharrefreplace');
  await page.locator('#shown').selectOption('text');
  await page.waitForFunction(() => document.getElementById('converted').textContent === '5 &#8364; &#128512;');
  assert.match(await text(page, '#convert-summary'), /2 code points replaced/);
  assert.equal(await text(page, '#command'), 'placemat convert -f utf-8 -t iso-8859-1 --unmappable xmlcharrefreplace FILE');
  await page.locator('#copy').click();
  await page.waitForFunction(() => /Copied 19 bytes/.test(document.getElementById('live').textContent));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), '5 &#8364; &#128512;');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
  assert.equal(readFileSync(await download.path(), 'latin1'), '5 &#8364; &#128512;');
  await page.locator('#to').fill('utf-16be');
  await change(page, () => page.locator('#take').click());
  assert.equal(await hex(page), '00 35 00 20 20 AC 00 20 D8 3D DE 00');
  assert.match(await text(page, '#summary'), /well-formed UTF-16BE/);
  await page.finish();
});

test('each policy for ill-formed bytes', async () => {
  const page = await open(browser);
  await put(page, [0x61, 0x93, 0x62]);
  await page.locator('#to').fill('utf-8');
  await page.locator('#shown').selectOption('hex');
  for (const [policy, wanted] of [['replace', '61 EF BF BD 62'], ['cp1252', '61 E2 80 9C 62'], ['backslashreplace', '61 5C 78 39 33 62'], ['ignore', '61 62'], ['strict', '61']]) {
    await page.locator('#errors').selectOption(policy);
    await page.waitForFunction((wanted) => document.getElementById('converted').textContent === wanted, wanted);
  }
  assert.match(await text(page, '#convert-summary'), /Stopped: continuation byte 0x93 at byte 1/);
  await page.finish();
});

test('undo and redo, by buttons and keys', async () => {
  const page = await open(browser);
  await put(page, [1, 2, 3]);
  await unfold(page);
  await change(page, () => page.locator('[data-case=overlong]').click());
  await page.locator('#undo').click();
  await settled(page);
  assert.equal(await hex(page), '01 02 03');
  await page.locator('#redo').click();
  await settled(page);
  assert.equal(await hex(page), '2E 2E C0 AF 65 74 63');
  await page.locator('.byte[data-o="0"]').click();
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelectorAll('#grid [data-o]').length === 3);
  await page.keyboard.press('Control+Shift+Z');
  await page.waitForFunction(() => document.querySelectorAll('#grid [data-o]').length === 7);
  assert.equal(await page.locator('#redo').isDisabled(), true);
  await page.finish();
});

test('the state stands in the fragment, and comes back from it', async () => {
  const page = await open(browser);
  await put(page, [0x93, 0x61, 0x94]);
  await change(page, async () => {
    await page.locator('#read').fill('windows-1252');
    await page.locator('#read').blur();
  });
  await page.locator('.byte[data-o="2"]').click();
  await page.waitForFunction(() => /at=2/.test(location.hash));
  const hash = await page.evaluate(() => location.hash);
  const again = await open(browser, hash);
  assert.equal(await hex(again), '93 61 94');
  assert.match(await text(again, '#summary'), /windows-1252/);
  assert.equal(await again.locator('.byte.here').getAttribute('data-o'), '2');
  // Another fragment in the same page.
  await change(again, () => again.evaluate(() => (location.hash = '#bytes=4pyT&as=text')));
  assert.equal(await again.locator('#text').inputValue(), '✓');
  for (const odd of ['#bytes=%%%', '#bytes=*', '#as=hex', '#bytes=AA&as=__proto__&read=%00&at=-5e999&case=<b>', `#bytes=AA&read=${'x'.repeat(10_000)}`]) {
    const page = await open(browser, odd);
    await page.finish();
  }
  await put(again, new Uint8Array(7000));
  assert.equal(await again.locator('#link').isDisabled(), true);
  assert.equal(await again.evaluate(() => location.hash), '');
  await again.finish();
  await page.finish();
});

test('a file is chosen, and dropped, and closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const path = join(folder, 'some\u202Efile<b>.txt');
  writeFileSync(path, Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9]), Buffer.alloc(300_000, 'x')]));
  const page = await open(browser);
  await change(page, () => page.locator('#file').setInputFiles(path));
  assert.match(await text(page, '#open-file'), /RLO/);
  await page.locator('#errors').selectOption('replace');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
  const saved = readFileSync(await download.path());
  assert.equal(saved.toString('utf8'), `caf\uFFFD${'x'.repeat(300_000)}`);
  assert.match(await text(page, '#summary'), /300 KB.*1 ill-formed sequence/);
  assert.equal(await page.evaluate(() => location.hash), '');
  await change(page, () => page.locator('#close-file').click().then(() => page.locator('#text').fill('x')));
  const transfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['dropped \u00e9'], 'd.txt'));
    return transfer;
  });
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
  assert.equal(await page.locator('.drop-here').isVisible(), true);
  await change(page, () => page.dispatchEvent('body', 'drop', { dataTransfer: transfer }));
  assert.match(await text(page, '#decoded'), /dropped é/);
  assert.equal(await page.locator('.drop-here').isVisible(), false);
  await page.finish();
});

test('carriage returns of a pasted text can be kept', async () => {
  const page = await open(browser, '', { permissions: ['clipboard-read', 'clipboard-write'] });
  await form(page, 'text');
  await page.locator('#text').fill('');
  await page.evaluate(() => navigator.clipboard.writeText('a\r\nb'));
  await page.locator('#text').focus();
  await change(page, () => page.keyboard.press('Control+v'));
  if ((await hex(page)) !== '61 0A 62') assert.fail(await hex(page));
  await change(page, () => page.locator('#keep-returns').click());
  assert.equal(await hex(page), '61 0D 0A 62');
  await page.finish();
});

test('a form is suggested where a text looks like it', async () => {
  const page = await open(browser);
  await form(page, 'text');
  for (const [input, name] of [['C3 A9 20 41', 'hex'], ['0xDEADBEEF', 'hex'], ['=E2=82=AC', 'hex'], ['U+0041 U+1F600', 'escapes'], ['caf\\xc3\\xa9', 'escapes'], ['caf%C3%A9', 'percent'], ['Y2Fmw6kgYXU=', 'base64']]) {
    await form(page, 'text');
    await change(page, () => page.locator('#text').fill(input));
    assert.match(await text(page, '#guess'), new RegExp(`looks like ${name}`));
    await change(page, () => page.locator('#take-guess').click());
    assert.equal(await page.locator('#forms input:checked').inputValue(), name);
  }
  await page.finish();
});

test('mojibake is repaired', async () => {
  const page = await open(browser);
  await unfold(page);
  await change(page, () => page.locator('[data-case=double]').click());
  await page.waitForSelector('#fix-take');
  await change(page, () => page.locator('#fix-take').click());
  assert.equal(await page.locator('#text').inputValue(), 'naïve');
  await page.finish();
});

test('colours: as the system, light, dark', async () => {
  const page = await open(browser, '', { colorScheme: 'dark' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), 'rgb(21, 22, 26)');
  await page.locator('#scheme').click();
  assert.equal(await paper(), 'rgb(251, 250, 246)');
  await page.locator('#scheme').click();
  assert.equal(await paper(), 'rgb(21, 22, 26)');
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await paper(), 'rgb(21, 22, 26)');
  await page.locator('#scheme').click();
  assert.equal(await paper(), 'rgb(251, 250, 246)');
  await page.finish();
});

test('every control can be reached and has a visible focus', async () => {
  const page = await open(browser);
  await page.evaluate(() => document.activeElement.blur());
  const seen = new Set();
  for (let i = 0; i < 140; i++) {
    await page.keyboard.press('Tab');
    const one = await page.evaluate(() => {
      const on = document.activeElement;
      if (on === document.body) return null;
      const shown = [on, on.nextElementSibling].some((element) => element && getComputedStyle(element).outlineStyle !== 'none');
      return { id: on.id || on.className || on.tagName, shown };
    });
    if (!one) break;
    assert.ok(one.shown, `focus of ${one.id}`);
    seen.add(one.id);
  }
  for (const id of ['skip', 'link', 'scheme', 'file', 'text', 'write', 'read', 'go-to', 'encodings-find', 'to', 'errors', 'unmappable', 'shown', 'copy', 'save', 'take', 'decoded']) {
    assert.ok(seen.has(id), `${id} among ${[...seen]}`);
  }
  await page.finish();
});

test('without a worker the page does the work itself', async () => {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.Worker = class {
      constructor() {
        throw new Error('refused');
      }
    };
  });
  await page.goto(new URL('../dist/placemat.html', import.meta.url).href);
  await page.waitForSelector('html[data-started]');
  await settled(page);
  assert.match(await text(page, '#summary'), /well-formed UTF-8/);
  await context.close();
});

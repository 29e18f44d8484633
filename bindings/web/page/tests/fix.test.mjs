// The first card: broken text, repaired.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { change, form, launch, open, settled, text } from './page.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());
const folder = mkdtempSync(join(tmpdir(), 'page-fix-'));

const paste = async (page, words) => {
  await form(page, 'text');
  await change(page, () => page.locator('#text').fill(words));
};
const card = (page) => page.waitForSelector('#fix:not([hidden])', { timeout: 20_000 });
const marks = (page, where) => page.$$eval(`${where} mark`, (all) => all.map((one) => one.textContent));
const saved = async (page) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#fix-save').click()]);
  return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
};
const file = (name, contents) => {
  writeFileSync(join(folder, name), contents);
  return join(folder, name);
};

test('pasted text comes back with every change shown', async () => {
  const page = await open(browser);
  assert.equal(await page.title(), 'Fix broken text – Placemat');
  await paste(page, 'Un cafÃ© au lait, naÃ¯ve');
  await card(page);
  assert.equal(await text(page, '#fix-before'), 'Un cafÃ© au lait, naÃ¯ve');
  assert.equal(await text(page, '#fix-after'), 'Un café au lait, naïve');
  assert.deepEqual(await marks(page, '#fix-before'), ['Ã©', 'Ã¯']);
  assert.deepEqual(await marks(page, '#fix-after'), ['é', 'ï']);
  assert.match(await text(page, '#fix-head'), /^2 changes: mojibake\.$/);
  await page.locator('#fix-changes summary').click();
  assert.match(await text(page, '#fix-list'), /C3 83 C2 A9 becomes é at byte 6: mojibake, windows-1252/i);
  assert.deepEqual(await saved(page), ['repaired.txt', 'Un café au lait, naïve']);
  // The card is above the bytes.
  const [above, below] = await Promise.all(['#fix', '#grid'].map((id) => page.locator(id).boundingBox()));
  assert.ok(above.y + above.height <= below.y);
  await page.finish();
});

test('copy, put in place, undo', async () => {
  const page = await open(browser, '', { permissions: ['clipboard-read', 'clipboard-write'] });
  await paste(page, 'cafÃ©');
  await card(page);
  await page.locator('#fix-copy').click();
  await page.waitForFunction(() => /copied/.test(document.getElementById('fix-said').textContent));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'café');
  await change(page, () => page.locator('#fix-take').click());
  assert.equal(await page.locator('#text').inputValue(), 'café');
  assert.equal(await page.locator('#fix').isHidden(), true);
  assert.match(await text(page, '#fixed'), /Repaired: 1 change\./);
  await change(page, () => page.locator('#fix-undo').click());
  assert.equal(await page.locator('#text').inputValue(), 'cafÃ©');
  assert.equal(await page.locator('#fixed').isHidden(), true);
  await card(page);
  await page.finish();
});

test('a file above 64 KiB keeps its name, and the text is whole', async () => {
  const page = await open(browser);
  const line = 'Il était une fois, à côté du château, un garçon naïf. ';
  const words = `${line.repeat(20_000)}\n`;
  const twice = Buffer.from(new TextDecoder('windows-1252').decode(Buffer.from(words)));
  await change(page, () => page.locator('#file').setInputFiles(file('conte.txt', twice)));
  await card(page);
  const [name, contents] = await saved(page);
  assert.equal(name, 'conte.txt');
  assert.ok(contents === words, `${contents.length} of ${words.length}`);
  await page.locator('#fix-changes summary').click();
  assert.match(await text(page, '#fix-more'), /and [\d,]+ more/);
  await change(page, () => page.locator('#fix-take').click());
  await page.waitForFunction(() => document.getElementById('summary').textContent.includes('well-formed'));
  await page.locator('#undo').click();
  await settled(page);
  await card(page);
  await page.finish();
});

test('a file in two encodings is shown as regions, and repaired', async () => {
  const page = await open(browser);
  const old = Buffer.from('Ñåãîäíÿ â ìåíþ: áîðù, ïåëüìåíè.\n', 'latin1');
  const source = Buffer.concat([Buffer.from('Это первая строка, в UTF-8.\nИ вторая строка.\n'), old]);
  await change(page, () => page.locator('#file').setInputFiles(file('mixed.txt', source)));
  await card(page);
  const regions = await page.$$eval('#fix-regions li', (all) => all.map((one) => one.textContent));
  assert.equal(regions.length, 2);
  assert.match(regions[0], /^Lines 1 to 2: UTF-8/);
  assert.match(regions[1], /^Line 3: windows-1251/);
  assert.deepEqual(await saved(page), ['mixed.txt', 'Это первая строка, в UTF-8.\nИ вторая строка.\nСегодня в меню: борщ, пельмени.\n']);
  await page.finish();
});

test('sound text shows no card; great cases are folded; conversion is to UTF-8 at first', async () => {
  const page = await open(browser);
  await paste(page, 'naïve café, 日本語');
  await page.waitForFunction(() => document.documentElement.dataset.fixed === document.documentElement.dataset.load);
  assert.equal(await page.locator('#fix').isHidden(), true);
  assert.equal(await page.locator('[data-case=overlong]').isHidden(), true);
  await page.locator('#cases-fold summary').click();
  assert.equal(await page.locator('[data-case=overlong]').isVisible(), true);
  assert.equal(await page.locator('#to').inputValue(), 'UTF-8');
  const icon = await page.evaluate(() => new Promise((go) => {
    const image = new Image();
    image.onload = () => go(image.width > 0);
    image.onerror = () => go(false);
    image.src = document.querySelector('link[rel=icon]').href;
  }));
  assert.equal(icon, true);
  assert.match(await page.locator('meta[property="og:image"]').getAttribute('content'), /^https:.*\.png$/);
  await page.finish();
});

test('nothing of a broken text becomes markup, and controls have labels', async () => {
  const page = await open(browser);
  await paste(page, '<img src=x onerror=alert(1)> cafÃ© \u202Eabc');
  await card(page);
  assert.equal(await page.locator('#fix img').count(), 0);
  assert.match(await text(page, '#fix-after'), /<img src=x onerror=alert\(1\)> café RLO/);
  await page.finish();
});

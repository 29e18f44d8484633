// The great cases: each says what is there, and nothing on the page hinders anyone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { change, findings, launch, open, text, unfold } from './page.mjs';

const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** The expected result of each case: words of its selected sequence, the number of findings, and words of the whole. */
const WANTED = {
  widths: ['LATIN CAPITAL LETTER A', 0, 'well-formed UTF-8'],
  overlong: ['overlong sequence 0xc0 0xaf', 1, 'UTF-8'],
  cesu: ['CESU-8 for U.1F600', 1, 'UTF-8'],
  surrogate: ['surrogate', 1, 'UTF-8'],
  mojibake: ['LATIN CAPITAL LETTER A WITH TILDE', 0, 'well-formed UTF-8'],
  double: ['LATIN CAPITAL LETTER A WITH TILDE', 0, 'well-formed UTF-8'],
  latin1: ['e9', 1, 'UTF-8'],
  quotes: ['windows-1252', 4, 'UTF-8'],
  bom: ['ZERO WIDTH NO-BREAK SPACE', 0, 'well-formed UTF-8'],
  utf16: ['GRINNING FACE', 0, 'well-formed UTF-16LE'],
  'utf16-bare': ['LATIN CAPITAL LETTER C', 1, 'UTF-8'],
  utf32: ['SPORTS MEDAL|GRINNING FACE|U\\+1F600', 0, 'well-formed UTF-32LE'],
  'emoji-cut': ['f0 9f 98', 1, 'UTF-8'],
  family: ['ZERO WIDTH JOINER', 0, 'well-formed UTF-8'],
  accents: ['LATIN SMALL LETTER E', 0, 'well-formed UTF-8'],
  utf7: ['LESS-THAN SIGN', 0, 'well-formed UTF-7'],
  sjis: ['CJK UNIFIED IDEOGRAPH-8868', 0, 'well-formed Shift_JIS'],
  gb18030: ['GRINNING FACE', 0, 'well-formed GB18030'],
  iso2022: ['CJK UNIFIED IDEOGRAPH-65E5', 0, 'well-formed ISO-2022-JP'],
  trojan: ['RIGHT-TO-LEFT OVERRIDE', 0, 'well-formed UTF-8'],
  lookalike: ['CYRILLIC SMALL LETTER A', 0, 'well-formed UTF-8'],
  invisible: ['ZERO WIDTH SPACE', 0, 'well-formed UTF-8'],
  nul: ['overlong', 1, 'UTF-8'],
  beyond: ['f4 90 80 80', 2, 'UTF-8'],
  lost: ['REPLACEMENT CHARACTER', 0, 'well-formed UTF-8'],
  ebcdic: ['LATIN CAPITAL LETTER H', 0, 'well-formed IBM037'],
  big5: ['COMBINING MACRON', 0, 'well-formed Big5'],
};

test('each case shows what it is about', async () => {
  const page = await open(browser);
  await unfold(page);
  const ids = await page.$$eval('[data-case]', (all) => all.map((one) => one.dataset.case));
  assert.deepEqual([...ids].sort(), Object.keys(WANTED).sort());
  for (const id of [...ids.slice(1), ids[0]]) {
    await change(page, () => page.locator(`[data-case=${id}]`).click());
    const [selected, ill, whole] = WANTED[id];
    await page.waitForFunction((words) => new RegExp(words, 'i').test(document.getElementById('details').textContent), selected, { timeout: 5000 }).catch(async () => assert.fail(`${id}: ${await text(page, '#details')}`));
    assert.equal((await findings(page)).length, ill, id);
    assert.match(await text(page, '#summary'), new RegExp(`${whole}$`), id);
    assert.equal(await page.locator(`[data-case=${id}]`).getAttribute('aria-pressed'), 'true');
    assert.ok((await text(page, '#case p')).length > 40);
  }
  await page.finish();
});

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing, ${colorScheme}`, async () => {
    const page = await open(browser, '', { colorScheme, bypassCSP: true });
    await page.evaluate(axe);
    await unfold(page);
    for (const id of ['overlong', 'trojan', 'iso2022', 'utf16-bare', 'double', 'quotes']) {
      await change(page, () => page.locator(`[data-case=${id}]`).click());
      await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
      const told = violations.flatMap((one) => one.nodes.slice(0, 3).map((node) => `${one.id}: ${node.target} ${node.any[0]?.message ?? ''}`));
      assert.deepEqual(told, [], id);
    }
    await page.finish();
  });
}

test('400 pixels are enough: no horizontal scrolling', async () => {
  const page = await open(browser, '', { viewport: { width: 400, height: 800 } });
  await unfold(page);
  for (const id of ['widths', 'cesu', 'utf16-bare', 'trojan', 'beyond', 'ebcdic']) {
    await change(page, () => page.locator(`[data-case=${id}]`).click());
    await page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
    assert.deepEqual(await page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollWidth]), [400, 400], id);
    const cut = await page.$$eval('#grid .row', (all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
    assert.equal(cut, 0, `${id}: rows that do not fit`);
  }
  assert.equal(await page.locator('#grid .row').first().locator('.byte').count(), 8);
  await page.finish();
});

test('whoever wants less motion gets none', async () => {
  const page = await open(browser, '', { reducedMotion: 'reduce' });
  const moving = await page.$$eval('body *', (all) => {
    // Elements that are redrawn meanwhile have no style.
    const styles = all.filter((one) => one.isConnected).map((one) => getComputedStyle(one)).map((style) => `${style.transitionDuration} ${style.animationName}`);
    return [...new Set(styles)];
  });
  assert.deepEqual(moving, ['0s none']);
  await page.finish();
});

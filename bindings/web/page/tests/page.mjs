// Opens the page in Chromium, from a file and offline, and records every request that it makes.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const ADDRESS = new URL('../dist/placemat.html', import.meta.url).href;

/** Starts the browser; tests share it. */
export function launch(more = []) {
  return chromium.launch({
    executablePath: process.env.PLACEMAT_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', ...more],
  });
}

/** Opens the page. `close` asserts that nothing went wrong in it and that nothing was asked of anyone. */
export async function open(browser, fragment = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  const [requests, faults] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('dialog', (dialog) => (faults.push(`dialog ${dialog.message()}`), dialog.dismiss()));
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => globalThis.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(ADDRESS + fragment);
  await page.waitForSelector('html[data-started]', { timeout: 20_000 });
  await settled(page);
  page.close_ = page.close;
  page.finish = async () => {
    const foreign = requests.filter((url) => url.split('#')[0] !== ADDRESS && !/^(blob|data):/.test(url));
    assert.deepEqual(foreign, [], 'requests');
    assert.deepEqual(faults, [], 'faults');
    assert.deepEqual(await page.evaluate(() => globalThis.violations), [], 'violations of the policy');
    await context.close();
  };
  return page;
}

/** Waits until the bytes are read to their end, the table of encodings is drawn, and the grid shows bytes. */
export async function settled(page, timeout = 20_000) {
  await page.waitForFunction(
    () => {
      const { load, read } = document.documentElement.dataset;
      return load === read && !/Reading/.test(document.getElementById('encodings-summary').textContent) && !document.querySelector('.byte.waits');
    },
    null,
    { timeout },
  );
}

/** Changes the page and waits until it shows the result. */
export async function change(page, work) {
  const before = await page.evaluate(() => document.documentElement.dataset.load);
  await work();
  await page.waitForFunction((before) => document.documentElement.dataset.load !== before, before);
  await settled(page);
}

export const form = (page, name) => page.locator(`#forms input[value=${name}]`).check({ force: true });

/** Opens the great cases, which are folded at first. */
export const unfold = (page) => page.locator('#cases-fold').evaluate((fold) => (fold.open = true));

/** Puts bytes in, as hex. */
export async function put(page, bytes) {
  await page.locator('#forms input[value=hex]').check({ force: true });
  await change(page, () => page.locator('#text').fill(Buffer.from(bytes).toString('hex')));
}

export const text = (page, selector) => page.locator(selector).first().innerText();

/** The bytes in the grid, with their roles and labels. */
export const bytes = (page) =>
  page.$$eval('#grid [data-o]', (all) =>
    all.map((one) => ({
      offset: Number(one.dataset.o),
      hex: one.textContent,
      role: ['ascii', 'lead', 'cont', 'single', 'unit', 'control', 'shift', 'signature', 'ill'].find((role) => one.classList.contains(role)),
      label: one.getAttribute('aria-label'),
    })));

/** The list of ill-formed sequences. */
export const findings = (page) =>
  page.$$eval('#findings .finding', (all) =>
    all.map((one) => ({
      offset: Number(one.dataset.offset),
      where: one.querySelector('.where').textContent,
      message: [...one.querySelector('.why').childNodes].filter((node) => !node.classList?.contains('help')).map((node) => node.textContent).join(''),
      suggestion: one.querySelector('.help')?.textContent ?? null,
    })));

// Takes the picture of the page: docs/img/inspector.png. `pngquant --quality 70-95` makes it a third as large.
import { launch, open, settled, unfold } from './page.mjs';

const browser = await launch(['--force-color-profile=srgb']);
const page = await open(browser, '', { viewport: { width: 1280, height: 860 } });
await unfold(page);
await page.locator('[data-case=cesu]').click();
await settled(page);
await page.locator('#text').fill('63 61 66 C3 A9 20 E2 82 AC 20 F0 9F 98 80 20 2E 2E C0 AF 20 ED A0 BD ED B8 80 20 E2 80 AE 31 E2 80 AC 20 F0 9F 98');
await settled(page);
await page.locator('.byte[data-o="17"]').click();
await page.waitForFunction(() => /overlong/.test(document.getElementById('details').textContent));
await page.evaluate(() => document.activeElement.blur());
await page.screenshot({ path: new URL('../../../../docs/img/inspector.png', import.meta.url).pathname });
await page.finish();
await browser.close();

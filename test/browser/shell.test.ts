import { getCoverage } from '@healthd/contract';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { loggedIn, overflow } from './console-page.js';
import { consoleTests } from './console-tests.js';

describe('the header and menus of the console', () => {
  let daemon: Daemon;

  const tests = consoleTests(async () => {
    daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    return daemon;
  });

  const openLoggedIn = tests.open;

  it('closes the phone menu on Escape or after a selection', async () => {
    const page = await openLoggedIn('/users', { width: 390 });
    const menu = page.getByRole('button', { name: 'Menu' });
    await menu.click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    expect(await drawer.getByRole('link').allTextContents()).toEqual([
      'healthd',
      'Home',
      'Users',
      'Connections',
      'Runs',
      'Coverage',
      'Providers',
      'Priorities',
      'API keys',
      'Applications',
      'Developers',
      'Audit trail',
      'Settings',
      'API',
    ]);
    expect(await complaints(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => menu.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
    await menu.click();
    await drawer.getByRole('link', { name: 'Coverage' }).click();
    await page.getByRole('heading', { name: /^Coverage/ }).waitFor();
    expect(await drawer.count()).toBe(0);
    await menu.click();
    await drawer.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
  });

  it('keeps the selected theme after a reload until System is selected', async () => {
    const page = await openLoggedIn('/users', { colorScheme: 'light' });
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Dark' }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await loggedIn(page);
    expect(await ground()).toBe(dark);
    await page.getByRole('button', { name: 'System' }).click();
    expect(await ground()).toBe(light);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('supports keyboard shortcuts without disturbing typed text', async () => {
    const page = await openLoggedIn('/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.type('gu');
    await page.getByRole('heading', { name: /^Users/ }).waitFor();
    await page.keyboard.press('/');
    const search = page.getByLabel('Search by name, email or id');
    await page.keyboard.type('gr/?');
    expect(await search.inputValue()).toBe('gr/?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { name: /^Users/ }).click();
    await search.blur();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard' });
    await help.getByText('Runs').waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await help.count()).toBe(0);
    await page.keyboard.type('gr');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  it('shows an unknown URL as not found, with a link to users', async () => {
    const page = await openLoggedIn('/users');
    await page.evaluate(`history.pushState({}, '', '/no/such/page')`);
    await page.evaluate(`dispatchEvent(new PopStateEvent('popstate', { state: {} }))`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'find a user' }).click();
    await page.getByRole('heading', { name: /^Users/ }).waitFor();
  });

  describe('an open page whose files are missing', () => {
    const NOTICE = 'A new version of the console is available.';

    /**
     * Simulates an update of the service: the open page's files are missing, and the index page loads another script.
     */
    async function update(page: Page) {
      await page.route('**/assets/*', (route) => route.continue({ url: `${daemon.url}/assets/no-longer-there.js` }));
      await page.route(`${daemon.url}/`, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace(/index-[^.]+\.js/, 'index-newer.js') });
      });
    }

    /** Clears the error that React logs even if an error boundary shows it. */
    const forgetTheFault = () => tests.takeFaults();

    it('reloads for a new version only on request', async () => {
      const page = await openLoggedIn('/users');
      await page.getByRole('heading', { name: /^Users/ }).waitFor();
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      await update(page);
      await page.getByRole('link', { name: 'Coverage' }).click();
      const alert = page.getByRole('alert').filter({ hasText: NOTICE });
      await alert.waitFor();
      expect(await complaints(page)).toEqual([]);
      // Loaded pages keep working. The notice replaces only the page whose file is missing.
      await page.getByRole('link', { name: 'Users', exact: true }).click();
      await page.getByRole('heading', { name: /^Users/ }).waitFor();
      await page.getByRole('link', { name: 'Coverage' }).click();
      await alert.waitFor();
      expect(loads).toBe(0);
      await page.unrouteAll();
      await alert.getByRole('button', { name: 'Reload' }).click();
      await page.getByRole('heading', { name: /^Coverage/ }).waitFor();
      expect(loads).toBe(1);
      forgetTheFault();
    });

    it('announces a new version, without reloading, if a dialog is missing', async () => {
      const page = await openLoggedIn('/users');
      await page.getByRole('heading', { name: /^Users/ }).waitFor();
      await update(page);
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(NOTICE).waitFor();
      expect(await complaints(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect(await dialog.count()).toBe(0);
      await page.getByRole('heading', { name: /^Users/ }).waitFor();
      forgetTheFault();
    });

    it('suggests checking the service if a page is missing without an update', async () => {
      const page = await openLoggedIn('/users', { isNew: true });
      await page.getByRole('heading', { name: /^Users/ }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Coverage' }).click();
      await page.getByText('Check that the service is running.').waitFor();
      expect(await page.getByText(NOTICE).count()).toBe(0);
      forgetTheFault();
    });
  });

  it('saves the coverage filtered by the URL as CSV', async () => {
    const page = await openLoggedIn('/coverage');
    const metrics = page.getByRole('region', { name: 'Coverage' }).locator('tbody th[scope=row]');
    await metrics.first().waitFor();
    const all = await metrics.count();
    expect(all).toBeGreaterThan(50);
    await page.getByLabel('Search by metric or unit').fill('resting heart');
    await expect.poll(() => metrics.allTextContents()).toEqual(['Resting heart rate']);
    await page.getByLabel('Search by metric or unit').fill('');
    await expect.poll(() => metrics.count()).toBe(all);
    await page.getByLabel('Whoop').check();
    await expect.poll(() => metrics.count()).toBeLessThan(all);
    expect(new URL(page.url()).search).toBe('?provider=whoop');
    const shown = await metrics.count();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('coverage.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n');
    const { providers } = await daemon.client.call(getCoverage, {});
    expect(lines[0]).toBe(['group', 'metric', 'unit', ...providers].join());
    expect(lines.length - 1).toBe(shown);
    await page.reload();
    await expect.poll(() => metrics.count()).toBe(shown);
  });

  it('keeps the first filter when a second filter is selected immediately', async () => {
    const page = await openLoggedIn('/coverage');
    await page.getByLabel('Whoop').waitFor();
    const ticked = await page.evaluate<boolean[]>(`(() => {
      const boxes = ['Whoop', 'Oura'].map((name) =>
        [...document.querySelectorAll('label')].find((label) => label.textContent.trim() === name).querySelector('input'));
      return boxes.map((box) => {
        box.click();
        return box.checked;
      });
    })()`);
    expect(ticked).toEqual([true, true]);
    await expect.poll(() => new URL(page.url()).search).toBe('?provider=whoop&provider=oura');
    expect(
      await page.getByRole('group', { name: 'Delivered by' }).getByRole('checkbox', { checked: true }).count(),
    ).toBe(2);
  });

  it('shows on Home that an empty service has no connections', async () => {
    const page = await openLoggedIn('/');
    await page.getByRole('heading', { name: 'No problems found' }).waitFor();
    await page.getByText('No connections yet.').waitFor();
  });
});

import { listProviders } from '@healthd/contract';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterEach, describe, expect, it } from 'vitest';
import { heartRates, payload } from '../api/push-payloads.js';
import { AMPLE_QUOTA } from '../support/simulated-vendor.js';
import { complaints } from './accessibility.js';
import { consoleTests } from './console-tests.js';
import { startWithGoogle } from './google-service.js';
import { GoogleUsers } from './google-users.js';
import { push } from './push.js';

describe('the console in step with the service', () => {
  let vendor: GoogleSimulator;
  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      return startWithGoogle(vendor, {
        HISTORICAL_SYNC_ON_CONNECT: 'false',
        WHOOP_CLIENT_ID: 'id',
        WHOOP_CLIENT_SECRET: 'secret',
      });
    },
    async () => {
      await vendor?.close();
    },
  );
  const users = new GoogleUsers(tests, () => vendor);
  afterEach(() => vendor?.control.clearFaults());

  const settingOf = async (provider: string) =>
    (await tests.daemon.client.call(listProviders, { query: { include_unconfigured: true } })).find(
      (one) => one.provider === provider,
    );

  it('confirms with the number of affected users before disabling a provider', async () => {
    const user = await users.add();
    await users.connect(user);
    const page = await tests.open('/providers/google');
    await page.getByRole('checkbox', { name: 'Google Health is enabled' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable Google Health?' });
    await dialog.getByText(/^\d+ (user is|users are) connected\.$/).waitFor();
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await settingOf('google')).toMatchObject({ is_enabled: true });
    await page.getByRole('checkbox', { name: 'Google Health is enabled' }).click();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await expect.poll(() => settingOf('google')).toMatchObject({ is_enabled: false });
    await page.getByRole('checkbox', { name: 'Google Health is enabled' }).click();
    await page.getByRole('button', { name: 'Enable' }).click();
    await expect.poll(() => settingOf('google')).toMatchObject({ is_enabled: true });
  }, 120_000);

  it('resets the granularity to the service default', async () => {
    const page = await tests.open('/providers/google');
    const chooser = page.getByRole('combobox', { name: 'Granularity of Google Health' });
    await chooser.selectOption('raw');
    await expect.poll(() => settingOf('google')).toMatchObject({ data_granularity: 'raw' });
    await expect.poll(() => chooser.isEnabled()).toBe(true);
    await chooser.selectOption({ label: 'service default' });
    await expect.poll(() => settingOf('google')).toMatchObject({ data_granularity: null });
  }, 120_000);

  it("shows data that arrives while the user's page is open", async () => {
    const user = await users.add();
    const page = await tests.open(`/users/${user.id}/data`);
    await page.getByText('No data received yet').waitFor();
    await push(tests.daemon, user.id, payload('apple', { records: heartRates(3) }));
    await page.getByText('Latest sample').waitFor();
  }, 120_000);

  it("shows the problems of a provider on the provider's page", async () => {
    const user = await users.add();
    await users.connect(user);
    await vendor.control.addFault({
      kind: 'error',
      status: 503,
      match: { account: user.account, dataType: 'steps' },
      times: null,
    });
    await users.sync(user.id);
    await users.causeIs(user.id, 'vendor_failing');
    const page = await tests.open('/providers/google');
    const problems = page.getByRole('region', { name: 'Problems' });
    await problems.getByText('Vendor failing').waitFor();
    await problems.getByText('unavailable 503').waitFor();
    expect(await complaints(page)).toEqual([]);
  }, 120_000);

  it('shows no error for a vendor without subscriptions', async () => {
    const page = await tests.open('/providers/whoop');
    await page.getByText('WHOOP has no subscriptions to manage here.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }, 120_000);

  it('clears every tab after a logout in one tab', async () => {
    const page = await tests.open('/users');
    const other = await page.context().newPage();
    await other.goto(`${tests.daemon.url}/users`);
    await other.locator('#page').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await other.getByRole('button', { name: 'Log in' }).waitFor({ timeout: 5_000 });
    expect(await other.locator('#page').count()).toBe(0);
  }, 120_000);

  it('keeps the session through a reload while the service is down', async () => {
    const page = await tests.open('/users');
    await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: { detail: 'starting' } }));
    await page.reload();
    await page.getByText('Service unreachable, retrying').waitFor();
    expect(await page.getByRole('button', { name: 'Log in' }).count()).toBe(0);
    await page.unroute('**/api/**');
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  }, 120_000);

  it('keeps all keys typed after Ctrl-K', async () => {
    const page = await tests.open('/');
    await page.reload();
    await page.locator('#page').waitFor();
    await page.keyboard.press('Control+k');
    for (const key of 'ghfailed') await page.keyboard.press(key);
    expect(await page.getByRole('combobox', { name: 'User, page or action' }).inputValue()).toBe('ghfailed');
    expect(new URL(page.url()).pathname).toBe('/');
  }, 120_000);

  it('keeps keys typed after a slash on a page without search', async () => {
    const page = await tests.open('/settings');
    // Delays the next page's file until after the typing.
    await page.route('**/assets/users-page*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    // The key presses arrive as soon as the page exists, before the browser has displayed it.
    await page.addInitScript(PRESS_AT_ONCE);
    await page.reload();
    const search = page.getByRole('searchbox', { name: 'Search by name, email or id' });
    await expect.poll(() => search.inputValue(), { timeout: 20_000 }).toBe('ghanna');
    await expect.poll(() => new URL(page.url()).search).toBe('?search=ghanna');
  }, 120_000);

  it('keeps all keys typed after a slash while a search page loads', async () => {
    const page = await tests.open('/settings');
    await page.route('**/api/v1/meta/coverage*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await page.addInitScript(PRESS_AT_ONCE);
    await page.goto(`${tests.daemon.url}/coverage`);
    const search = page.getByRole('searchbox', { name: 'Search by metric or unit' });
    await expect.poll(() => search.inputValue(), { timeout: 20_000 }).toBe('ghanna');
    await expect.poll(() => page.url()).toBe(`${tests.daemon.url}/coverage?search=ghanna`);
  }, 120_000);
});

/** Presses keys when the page first exists, like a fast typist on a busy machine. */
const PRESS_AT_ONCE = `
  const watcher = new MutationObserver(() => {
    if (!document.querySelector('#page')) return;
    watcher.disconnect();
    for (const key of '/ghanna') {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    }
  });
  watcher.observe(document, { childList: true, subtree: true });
`;

import type { HealthdClient } from '@healthd/client';
import {
  createApiKey,
  createUser,
  currentDeveloper,
  getArchivalSettings,
  listApiKeys,
  listProviderPriorities,
} from '@healthd/contract';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import type { Daemon } from '../support/daemon.js';
import { AMPLE_QUOTA } from '../support/simulated-vendor.js';
import { rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { startWithGoogle } from './google-service.js';
import { VARIANTS, expectAccessible } from './looks.js';

describe('pages of the service', () => {
  let vendor: GoogleSimulator;
  let daemon: Daemon;
  let developer: HealthdClient;

  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      daemon = await startWithGoogle(vendor);
      developer = await developerClient(daemon);
      return daemon;
    },
    async () => {
      await vendor?.close();
    },
  );

  const openLoggedIn = tests.open;

  const looksRightEverywhere = async (page: Page) => {
    for (const look of VARIANTS) await expectAccessible(page, look);
  };
  /** Returns the status of a request with this key. */
  const statusWith = async (key: string) =>
    (await fetch(`${daemon.url}/api/v1/users`, { headers: { 'X-Service-API-Key': key } })).status;

  it('manages an API key from creation to revocation', async () => {
    const page = await openLoggedIn('/api-keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Reports');
    await dialog.getByRole('checkbox', { name: /^write/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /^push/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /^read/ }).uncheck();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Select at least one permission').waitFor();
    await dialog.getByRole('checkbox', { name: /^read/ }).check();
    await looksRightEverywhere(page);
    await dialog.getByRole('button', { name: 'Create' }).click();
    const key = (await dialog.locator('.command code').textContent()) ?? '';
    expect(await statusWith(key)).toBe(200);
    // A one-time key stays visible until the user has copied it.
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
    expect(await dialog.locator('.command code').textContent()).toBe(key);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = async () => (await rowsOf(page, 'API keys')).find(([name]) => name === 'Reports');
    expect((await row())?.slice(1, 3)).toEqual([`sk-…${key.slice(-4)}`, 'read']);
    expect(await page.getByText(key).count()).toBe(0);
    await page.getByRole('button', { name: 'Rotate Reports' }).click();
    await dialog.getByLabel('The old key').selectOption('expires now');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const rotated = (await dialog.locator('.command code').textContent()) ?? '';
    expect(rotated).not.toBe(key);
    await expect.poll(() => statusWith(key)).toBe(401);
    expect(await statusWith(rotated)).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await looksRightEverywhere(page);
    await page.reload();
    await page.getByRole('button', { name: 'Revoke Reports' }).click();
    await dialog.getByText(/Last used at|Never used/).waitFor();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => statusWith(rotated)).toBe(401);
    const names = (await developer.call(listApiKeys, {})).map(({ name }) => name);
    expect(names).not.toContain('Reports');
  });

  it('manages an application from creation to deletion', async () => {
    const page = await openLoggedIn('/applications');
    await page.getByText('No applications yet.').waitFor();
    await page.getByRole('button', { name: 'New application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Phone app');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = await dialog.locator('.command code').textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Rotate secret of Phone app' }).click();
    await dialog.getByText('The old secret stops working immediately').waitFor();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    expect(await dialog.locator('.command code').textContent()).not.toBe(secret);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await looksRightEverywhere(page);
    await page.getByRole('button', { name: 'Delete Phone app' }).click();
    await dialog.getByText('Phones with these tokens are rejected').waitFor();
    await dialog.getByRole('button', { name: 'Delete application' }).click();
    await page.getByText('No applications yet.').waitFor();
  });

  it('manages an invitation from its token to withdrawal', async () => {
    const page = await openLoggedIn('/developers');
    const self = await developer.call(currentDeveloper, {});
    expect((await rowsOf(page, 'Developers')).map((row) => row.slice(1))).toEqual([
      [self.email, expect.any(String), 'you'],
    ]);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('new@example.org');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const token = await dialog.locator('.command code').textContent();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect((await rowsOf(page, 'Invitations'))[0]?.slice(0, 2)).toEqual(['new@example.org', 'pending']);
    await looksRightEverywhere(page);
    await page.getByRole('button', { name: 'New token for new@example.org' }).click();
    await dialog.getByText('The previous token stops working immediately.').waitFor();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    expect(await dialog.locator('.command code').textContent()).not.toBe(token);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Withdraw the invitation for new@example.org' }).click();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('region', { name: 'Invitations' }).waitFor({ state: 'detached' });
  });

  it('reads the filters of the audit trail from the URL', async () => {
    const { id } = await daemon.client.call(createUser, { body: { first_name: 'Ada' } });
    const { key } = await developer.call(createApiKey, { body: { name: 'Nightly report' } });
    await fetch(`${daemon.url}/api/v1/users/${id}`, { headers: { 'X-Service-API-Key': key } });
    const page = await openLoggedIn(`/audit?user=${id}&actor=api_key&action=read`);
    await expect
      .poll(async () => (await rowsOf(page, 'Audit trail'))[0]?.slice(1, 5))
      .toEqual(['Nightly report api key', 'read user', id.slice(0, 8), 'success']);
    await page.getByText(`healthctl audit list --user ${id} --actor-type api_key --action read`).waitFor();
    await page.getByLabel('Outcome', { exact: true }).selectOption('denied');
    await page.getByText('No records match these filters.').waitFor();
    await page.getByLabel('Outcome', { exact: true }).selectOption('');
    await rowsOf(page, 'Audit trail');
    await looksRightEverywhere(page);
  });

  it('stores reordered priorities only when the user saves them', async () => {
    const page = await openLoggedIn('/priorities');
    const stored = async () => (await developer.call(listProviderPriorities, {})).items.map(({ provider }) => provider);
    const before = await stored();
    const card = page.getByRole('region', { name: 'Providers', exact: true });
    const names = () => card.locator('li b').allTextContents();
    await card.getByRole('listitem').first().waitFor();
    const [first, second, third] = await names();
    await card.getByRole('button', { name: `Move ${second} up` }).press('Enter');
    await card.getByText(`${second} counts instead of ${first}`).waitFor();
    await card.getByText(/No day or night changes|change their source\./).waitFor();
    await looksRightEverywhere(page);
    expect(await stored()).toEqual(before);
    await card.getByRole('button', { name: 'Discard' }).click();
    expect((await names()).slice(0, 2)).toEqual([first, second]);
    await card.getByRole('listitem', { name: third }).dragTo(card.getByRole('listitem', { name: first }));
    expect((await names()).slice(0, 3)).toEqual([third, first, second]);
    await card.getByRole('button', { name: 'Save order' }).click();
    await card.getByRole('button', { name: 'Save order' }).waitFor({ state: 'detached' });
    expect((await stored()).slice(0, 3)).toEqual([before[2], before[0], before[1]]);
  });

  it("manages a provider's subscriptions", async () => {
    const page = await openLoggedIn('/providers');
    await page.getByRole('link', { name: 'Google Health' }).click();
    await page.getByRole('heading', { name: 'Google Health', exact: true }).waitFor();
    await page.getByText('No subscriptions yet.').waitFor();
    await page.getByRole('region', { name: 'Quota' }).getByText('Requests in 24 h').waitFor();
    await page.getByRole('button', { name: 'Register…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('URL').inputValue()).toBe(`${daemon.url}/api/v1/providers/google/webhooks`);
    await dialog.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('region', { name: 'Subscriptions' }).waitFor();
    expect((await rowsOf(page, 'Subscriptions'))[0]?.[1]).toContain(`${daemon.url}/api/v1/providers/google/webhooks`);
    await looksRightEverywhere(page);
    await page
      .getByRole('region', { name: 'Subscriptions' })
      .getByRole('button', { name: /^Delete/ })
      .click();
    await dialog.getByRole('button', { name: 'Delete subscription' }).click();
    await page.getByText('No subscriptions yet.').waitFor();
    await page.goto(`${daemon.url}/providers/none-such`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  it('changes retention after a dry run and a confirmation', async () => {
    const page = await openLoggedIn('/settings');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Database ok').waitFor();
    await health.getByText('Jobs ok').waitFor();
    await health.getByText('Disk ok').waitFor();
    await health.getByText(/version \d+\.\d+\.\d+/).waitFor();
    const card = page.getByRole('region', { name: 'Archival', exact: true });
    await card.getByText('All data is kept forever.').waitFor();
    await card.getByLabel('Archive samples after').fill('90');
    await card.getByText('Would be archived now').waitFor();
    await looksRightEverywhere(page);
    const stored = async () => (await developer.call(getArchivalSettings, {})).settings;
    expect(await stored()).toEqual({ archive_after_days: null, delete_after_days: null });
    await card.getByRole('button', { name: 'Save…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the retention of samples?' });
    await dialog.getByText('Samples older than 90 days are archived. Nothing is deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored()).toEqual({ archive_after_days: 90, delete_after_days: null });
    await card.getByRole('button', { name: 'Archive now…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive now' }).click();
    await card.getByText('Archiving started.').waitFor();
  });

  it('supports the palette with the keyboard alone', async () => {
    const { id } = await daemon.client.call(createUser, { body: { first_name: 'Zoraida' } });
    const page = await openLoggedIn('/api-keys');
    const before = page.getByRole('button', { name: 'New key' });
    await before.focus();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to' });
    await palette.getByRole('option', { name: 'Coverage' }).waitFor();
    await looksRightEverywhere(page);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await expect.poll(() => before.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true);
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('failing');
    await expect.poll(() => palette.getByRole('option').allTextContents()).toEqual(['Failing connections list']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Connections' }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=failing');
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('zorai');
    await palette.getByRole('option', { name: /^Zoraida/ }).waitFor();
    // Enter must not open a user that was found for an earlier search text.
    await palette.getByRole('combobox').fill('zoraix');
    await page.keyboard.press('Enter');
    await palette.getByText('No matches.').waitFor();
    await palette.getByRole('combobox').fill('zorai');
    await palette.getByRole('option', { name: /^Zoraida/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Zoraida' }).waitFor();
    expect(new URL(page.url()).pathname).toContain(`/users/${id}`);
  });

  it('shows that the browser is offline', async () => {
    const page = await openLoggedIn('/api-keys');
    await rowsOf(page, 'API keys');
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
  });
});

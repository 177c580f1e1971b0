import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createConnectLink, diagnoseUser, listConnectLinks, listUserSyncRuns } from '@healthd/contract';
import { MS_PER_DAY } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterEach, describe, expect, it } from 'vitest';
import { inDatabase } from '../support/daemon.js';
import { AMPLE_QUOTA } from '../support/simulated-vendor.js';
import { complaints } from './accessibility.js';
import { overflow, rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { startWithGoogle } from './google-service.js';
import { type GoogleUser, GoogleUsers, twoClicksFromHome, verdictOf } from './google-users.js';

const LONG = 120_000;

describe('diagnoses, connect links and backfills in the console', () => {
  let vendor: GoogleSimulator;
  /** Server of another application, whose page opens connect links in a window. */
  let app: Server;
  let appOrigin = '';
  const tests = consoleTests(
    async () => {
      app = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<h1>App</h1>'));
      await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
      appOrigin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      return startWithGoogle(vendor, {
        HISTORICAL_SYNC_ON_CONNECT: 'false',
        OAUTH_REDIRECT_ALLOWLIST: `${appOrigin}/done`,
        CONNECT_PAGE_NAME: 'North Clinic',
      });
    },
    async () => {
      await vendor?.close();
      app?.close();
    },
  );
  const users = new GoogleUsers(tests, () => vendor);
  afterEach(() => vendor?.control.clearFaults());

  async function endConsent({ id, account }: GoogleUser): Promise<void> {
    await vendor.control.revokeGrants(account);
    await vendor.control.expireAccessTokens(account);
    await users.sync(id).catch(() => undefined);
    await users.causeIs(id, 'consent_ended');
  }

  it('lead from a revoked consent to a link that restores access', async () => {
    const user = await users.add();
    await users.connect(user);
    await endConsent(user);
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Consent ended', user.name);
    const diagnosis = verdictOf(page);
    expect(await diagnosis.textContent()).toMatch(
      /Google Health: the consent ended on .+ Last data .+ Send the person a new connect link/,
    );
    expect(await complaints(page)).toEqual([]);
    await diagnosis.getByRole('button', { name: 'Send link' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Google Health').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const address = (await dialog.locator('code').textContent()) ?? '';
    expect(address).toMatch(/\/connect\/cl-[\w-]{43}$/);
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await consentByLink(address, user.account);
    await expect.poll(() => diagnosis.textContent(), { timeout: LONG }).toContain('data arrives as expected');
    await expect
      .poll(() => rowsOf(page, 'Connect links'), { timeout: LONG })
      .toEqual([['used', '–', 'Google Health: connected', '']]);
  }, 240_000);

  /** Uses a link as the user's phone does: the link's page, the vendor's page, and back. */
  async function consentByLink(address: string, account: string): Promise<void> {
    const page = await openPhone(address);
    expect(await complaints(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('heading', { name: 'Share your health data with North Clinic' }).waitFor();
    await page.getByRole('button', { name: 'Connect: Google Health' }).click();
    await page.getByLabel('Account').selectOption(account);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('status').getByText('Google Health is connected').waitFor();
    expect(await complaints(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
  }

  const openPhone = (address: string) => tests.openAddress(address, { width: 320 });

  it('show a missing consent within two clicks', async () => {
    const user = await users.add();
    await users.connect(user, 'sleep');
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Data not shared', user.name);
    await verdictOf(page).getByRole('button', { name: 'Send link' }).waitFor();
  }, 120_000);

  it('lead from a vendor failure to a bulk sync', async () => {
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
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Vendor failing', user.name);
    expect(await verdictOf(page).textContent()).toMatch(/the vendor has been failing since .+steps: unavailable 503/);
    await verdictOf(page).getByRole('button', { name: 'Sync now: Google Health' }).click();
    await verdictOf(page).getByRole('link', { name: 'Follow the run' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Sync all…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sync 1 user now?' });
    await dialog.getByText(`Starts a sync from Google Health of ${user.name}`).waitFor();
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sync all' }).click();
    await dialog.getByText('1 sync started').waitFor();
  }, 120_000);

  it('show a used-up quota and its waiting run within two clicks', async () => {
    const user = await users.add();
    await users.connect(user);
    await vendor.control.addFault({
      kind: 'rate_limited',
      retryAfterSeconds: 900,
      retryAfterForm: 'seconds',
      match: { account: user.account },
      times: null,
    });
    const { run_id: runId } = await users.sync(user.id);
    await users.causeIs(user.id, 'quota_spent');
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Quota used up', user.name);
    expect(await verdictOf(page).textContent()).toMatch(/the vendor accepts no more requests until /);
    await verdictOf(page).getByRole('link', { name: 'View run' }).click();
    await page.getByRole('heading', { name: runId }).waitFor();
  }, 120_000);

  it('show connectable providers for an unconnected user on a phone', async () => {
    const user = await users.add();
    const page = await tests.open(`/users/${user.id}`, { width: 390, colorScheme: 'dark' });
    const diagnosis = page.getByRole('region', { name: 'Diagnosis' });
    await diagnosis.getByText('never connected').first().click();
    await verdictOf(page).last().getByText('was never connected').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    await diagnosis.getByRole('button', { name: 'Send link', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await expect.poll(async () => (await rowsOf(page, 'Connect links'))[0]?.[0]).toBe('revoked');
  }, 120_000);

  it('expand to the reasons and to equivalent commands', async () => {
    const user = await users.add();
    await users.connect(user);
    await users.sync(user.id);
    await users.untilNoRunIsOpen(user.id);
    await endConsent(user);
    const page = await tests.open(`/users/${user.id}`, { width: 390 });
    await verdictOf(page).getByText('the consent ended on').waitFor();
    expect(await verdictOf(page).locator('.command').count()).toBe(0);
    await verdictOf(page).getByText('Why', { exact: true }).click();
    await verdictOf(page).getByText('The vendor revoked the consent').waitFor();
    await expect
      .poll(() => verdictOf(page).locator('.command code').allTextContents())
      .toEqual([
        `healthctl why ${user.id} --provider google`,
        `curl -H "X-Service-API-Key: $KEY" '${tests.daemon.url}/api/v1/users/${user.id}/diagnosis?provider=google'`,
        `healthctl connect-links create --user ${user.id} --providers google`,
      ]);
    expect(await overflow(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    const { providers } = await tests.daemon.client.call(diagnoseUser, {
      params: { user_id: user.id },
      query: { provider: 'google' },
    });
    expect(providers.map(({ provider, cause }) => [provider, cause])).toEqual([['google', 'consent_ended']]);
  }, 120_000);

  it('renew an expired link from the connections page and the diagnosis', async () => {
    const user = await users.add();
    const { client, home } = tests.daemon;
    const params = { user_id: user.id };
    await client.call(createConnectLink, { params, body: { providers: ['google'], language: 'de' } });
    const age = () =>
      inDatabase(home, (pool) =>
        pool.query(`update connect_link set created_at = created_at - interval '2 days',
          expires_at = expires_at - interval '2 days' where revoked_at is null`),
      );
    await age();
    const page = await tests.open(`/users/${user.id}/connections`, { width: 390 });
    await page.getByRole('button', { name: 'Renew' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect
      .poll(async () => (await rowsOf(page, 'Connect links')).map(([state]) => state))
      .toEqual(['open', 'revoked']);
    // A link that is valid for most of a day needs no renewal.
    expect(await page.getByRole('button', { name: 'Renew' }).count()).toBe(0);

    await age();
    await page.goto(`${tests.daemon.url}/users/${user.id}`);
    await verdictOf(page).getByRole('button', { name: 'Send link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The last link (Google Health) has expired.').waitFor();
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Renew link' }).click();
    await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const { items } = await client.call(listConnectLinks, { params });
    expect(items.map(({ status, language }) => [status, language])).toEqual([
      ['open', 'de'],
      ['revoked', 'de'],
      ['revoked', 'de'],
    ]);
  }, 120_000);

  it('replace a displayed link only if its renewal succeeds', async () => {
    const user = await users.add();
    const { client } = tests.daemon;
    const params = { user_id: user.id };
    const page = await tests.open(`/users/${user.id}`);
    // Makes each link appear to be near its expiry.
    await page.route(/\/connect-links(\/[^/]+\/renew)?$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      if (!response.ok()) return route.fulfill({ response });
      const created_at = new Date(Date.now() - 30 * MS_PER_DAY).toISOString();
      return route.fulfill({ response, json: { ...(await response.json()), created_at } });
    });
    await verdictOf(page).getByRole('button', { name: 'Send link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const address = dialog.locator('.command code');
    const first = await address.textContent();
    const renew = dialog.getByRole('button', { name: 'Renew' });
    await renew.dblclick();
    await expect.poll(() => address.textContent()).not.toBe(first);
    await expect.poll(() => renew.isEnabled()).toBe(true);
    const second = (await address.textContent()) ?? '';
    expect((await fetch(second)).status).toBe(200);
    const { items } = await client.call(listConnectLinks, { params });
    expect(items.map(({ status }) => status)).toEqual(['open', 'revoked']);

    await page.route('**/renew', (route) => route.fulfill({ status: 503, json: {} }));
    await renew.click();
    await dialog.getByRole('alert').waitFor();
    expect(await address.textContent()).toBe(second);
    expect(await complaints(page)).toEqual([]);
    await page.unroute('**/renew');
    await renew.click();
    await expect.poll(() => address.textContent()).not.toBe(second);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    expect((await fetch((await address.textContent()) ?? '')).status).toBe(200);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
  }, 120_000);

  it('lead from a started backfill to its run', async () => {
    const user = await users.add();
    await users.connect(user);
    const page = await tests.open(`/users/${user.id}/connections`);
    await page.getByRole('button', { name: 'Backfill Google Health' }).click();
    const dialog = page.getByRole('dialog', { name: 'Backfill Google Health' });
    await dialog.getByLabel(/Days back/).fill('7');
    await dialog.getByRole('button', { name: 'Start backfill' }).click();
    await dialog.getByRole('link', { name: 'Follow the run' }).click();
    await page.getByRole('heading', { name: /^backfill_|^pull_/ }).waitFor();
    const runs = await tests.daemon.client.call(listUserSyncRuns, { params: { user_id: user.id }, query: {} });
    expect(runs.some(({ source }) => source === 'backfill')).toBe(true);
  }, 120_000);

  it('return the outcome to the opener page and application', async () => {
    const user = await users.add();
    const { url } = await tests.daemon.client.call(createConnectLink, {
      params: { user_id: user.id },
      body: { opener_origin: appOrigin, redirect_uri: `${appOrigin}/done` },
    });
    const page = await openPhone(`${appOrigin}/`);
    await page.evaluate(
      'window.heard = []; addEventListener("message", ({ data, origin }) => heard.push([origin, data]))',
    );
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void window.open(${JSON.stringify(url)})`),
    ]);
    await popup.getByRole('button', { name: 'Connect: Google Health' }).click();
    await popup.getByLabel('Account').selectOption(user.account);
    await popup.getByRole('button', { name: 'Deny' }).click();
    await popup.getByRole('alert').getByText('You did not agree').waitFor();
    await popup.getByRole('button', { name: 'Try again: Google Health' }).click();
    await popup.getByLabel('Account').selectOption(user.account);
    await popup.getByRole('button', { name: 'Allow' }).click();
    await popup.getByRole('status').waitFor();
    const message = (outcome: string) => [
      new URL(url).origin,
      { type: 'healthd.connect', provider: 'google', outcome },
    ];
    expect(await page.evaluate('heard')).toEqual([message('failed'), message('connected')]);
    await popup.getByRole('link', { name: 'Continue' }).click();
    await popup.getByRole('heading', { name: 'App' }).waitFor();
    expect(popup.url()).toBe(`${appOrigin}/done`);
  }, 120_000);
});

import {
  createUser,
  getDataGaps,
  getProvider,
  getSyncRun,
  listUserSyncRuns,
  requestProviderSync,
} from '@healthd/contract';
import { INTEGRATED_PROVIDER_IDS, MS_PER_DAY, PROVIDER_NAMES } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { AMPLE_QUOTA, ampleVendorSettings } from '../support/simulated-vendor.js';
import { complaints } from './accessibility.js';
import { overflow, rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';

describe('connections in the console', () => {
  let vendor: GoogleSimulator;
  let daemon: Daemon;
  let user: string;

  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      for (const id of ['ada', 'bo', 'cy']) await vendor.control.addAccount({ id });
      daemon = await startDaemon({
        env: {
          ...ampleVendorSettings(vendor),
          ADMIN_PASSWORD: 'correct horse battery',
          // The vendor redirects to this port, so it must be known before the service starts.
          PORT: String(await freePort()),
        },
      });
      return daemon;
    },
    async () => {
      await vendor?.close();
    },
  );
  beforeEach(async () => {
    user = (await daemon.client.call(createUser, { body: { first_name: 'Ada' } })).id;
  });

  const openLoggedIn = tests.open;

  /** Completes the consent page in another window. */
  async function consentAt(
    page: Page,
    decision: 'Allow' | 'Deny',
    { account = 'ada', unticked = [] as string[] } = {},
  ): Promise<string> {
    const address = await page.getByLabel('Consent URL').inputValue();
    const user = await page.context().newPage();
    await user.goto(address);
    await user.getByLabel('Account').selectOption(account);
    for (const scope of unticked) await user.getByLabel(scope).uncheck();
    await user.getByRole('button', { name: decision }).click();
    const text = await user.getByRole('heading', { level: 1 }).textContent();
    await user.close();
    return text ?? '';
  }

  it('appear automatically after a consent', async () => {
    const page = await openLoggedIn(`/users/${user}/connections`);
    await page.getByText('This user is not connected to any provider.').waitFor();
    await page.getByRole('button', { name: 'Connect Google Health' }).click();
    expect(await consentAt(page, 'Allow', { unticked: ['googlehealth.sleep.readonly'] })).toBe(
      'Connected to Google Health',
    );
    const [row] = await rowsOf(page, 'Connections');
    expect(row?.[0]).toMatch(/^Google Healthpolled since \d{4}-\d\d-\d\d$/);
    expect(row?.slice(1, 4)).toEqual(['active', 'ada@example.org', 'sleep']);
    expect(await overflow(page)).toBe(0);
  });

  it('offer a backfill that covers a gap in the calendar', async () => {
    const hole = new Date(Date.now() - 5 * MS_PER_DAY).toISOString().slice(0, 10);
    await vendor.control.addAccount({ id: 'dot', timeZone: 'UTC' });
    await vendor.control.seedHistory('dot', { seed: 4, days: 12, dataTypes: ['heart-rate'] });
    const dataType = 'heart-rate';
    const removed = await vendor.control.deletePoints('dot', {
      dataType,
      from: `${hole}T00:00:00Z`,
      to: `${hole}T23:59:59Z`,
    });
    expect(removed).toBeGreaterThan(0);
    const page = await openLoggedIn(`/users/${user}/connections`);
    await page.getByRole('button', { name: 'Connect Google Health' }).click();
    await consentAt(page, 'Allow', { account: 'dot' });
    const runs = () => daemon.client.call(listUserSyncRuns, { params: { user_id: user }, query: {} });
    const gaps = () => daemon.client.call(getDataGaps, { params: { user_id: user }, query: {} });
    await expect.poll(async () => (await gaps()).items[0]?.days_missing, { interval: 500 }).toBe(1);
    await page.goto(`${daemon.url}/users/${user}/days`);
    await page.getByRole('button', { name: `1 day… missing: Heart rate, ${hole}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Backfill Google Health' });
    expect(await dialog.getByLabel(/Days back/).inputValue()).toBe('7');
    await dialog.getByText(/^Reads \d{4}-\d\d-\d\d \d\d:\d\d to now on your clock/).waitFor();
    await dialog.getByRole('button', { name: 'Start backfill' }).click();
    const run = await dialog.getByRole('link', { name: 'Follow the run' }).getAttribute('href');
    expect((await runs()).map(({ run_id }) => `/runs/${run_id}`)).toContain(run);
  });

  it('are reported as not connected when the user declines', async () => {
    const page = await openLoggedIn(`/users/${user}/connections`);
    await page.getByRole('button', { name: 'Connect Google Health' }).click();
    expect(await consentAt(page, 'Deny')).toBe('Not connected');
  });

  it('end only after a confirmation', async () => {
    const page = await openLoggedIn(`/users/${user}/connections`);
    await page.getByRole('button', { name: 'Connect Google Health' }).click();
    await consentAt(page, 'Allow', { account: 'bo' });
    await page.getByRole('button', { name: 'Disconnect Google Health' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disconnect Google Health?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Disconnect Google Health' }).click();
    await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page.getByText('disconnected here').waitFor();
    // The button's accessible name is its current action.
    await page.getByRole('button', { name: 'Delete data from Google Health' }).waitFor();
    expect(await page.getByRole('button', { name: 'Disconnect Google Health' }).count()).toBe(0);
    expect(await vendor.control.grantedScopes('bo')).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  it('can be switched to webhooks and disabled for each provider', async () => {
    const page = await openLoggedIn('/providers');
    const rows = await rowsOf(page, 'Providers');
    expect(await page.title()).toBe('Providers · healthd');
    expect(rows.map(([name]) => name)).toEqual(INTEGRATED_PROVIDER_IDS.map((id) => PROVIDER_NAMES[id]));
    await page.getByLabel('Granularity of Google Health').selectOption('hourly');
    await page.getByLabel('Syncing of Google Health').selectOption('webhook');
    const question = page.getByRole('dialog', { name: 'Enable webhooks from Google Health?' });
    await question.getByText('Polling continues until the registration is active').waitFor();
    await question.getByRole('button', { name: 'Switch' }).click();
    await page.getByText('unmanaged').waitFor();
    await page.getByLabel('Google Health is enabled').click();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('disabled').waitFor();
    await page.reload();
    await rowsOf(page, 'Providers');
    expect(await page.getByLabel('Granularity of Google Health').inputValue()).toBe('hourly');
    await page.getByLabel('Syncing of Google Health').selectOption('pull');
    await page.getByRole('button', { name: 'Switch' }).click();
    await page.getByLabel('Google Health is enabled').click();
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await expect.poll(() => page.getByText('unmanaged').count()).toBe(0);
  });

  it("show the provider's quota as reported by the service", async () => {
    const page = await openLoggedIn(`/users/${user}/connections`);
    await page.getByRole('button', { name: 'Connect Google Health' }).click();
    await consentAt(page, 'Allow');
    await page.getByRole('region', { name: 'Connections' }).getByText('active').waitFor();
    const quota = async () => (await daemon.client.call(getProvider, { params: { provider: 'google' } })).request_quota;
    await expect.poll(async () => (await quota())?.requests_last_day).toBeGreaterThan(0);
    for (const look of VARIANTS) {
      await page.emulateMedia({ colorScheme: look.colorScheme });
      await page.setViewportSize({ width: look.width, height: 900 });
      await page.goto(`${daemon.url}/providers`);
      await page.getByRole('button', { name: 'Quota of Google Health' }).click();
      const dialog = page.getByRole('dialog', { name: 'Quota of Google Health' });
      await dialog.getByText('Enough for').waitFor();
      const reported = await quota();
      const windows = dialog.getByRole('region', { name: /^Requests in / });
      expect(await windows.count()).toBe(reported?.windows.length);
      const [window] = reported?.windows ?? [];
      await windows
        .first()
        .getByText(`of ${window?.limit.toLocaleString('en-US')} requests left`)
        .waitFor();
      await dialog.getByText(String(reported?.active_connections), { exact: true }).first().waitFor();
      expect(await complaints(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    // A provider without a cloud has no quota.
    expect(await page.getByRole('button', { name: 'Quota of Apple Health' }).count()).toBe(0);
  });

  it("show a failing run's error and next attempt on three pages", async () => {
    const page = await openLoggedIn(`/users/${user}/connections`);
    await page.getByRole('button', { name: 'Connect Google Health' }).click();
    await consentAt(page, 'Allow', { account: 'cy' });
    await page.getByRole('region', { name: 'Connections' }).getByText('active').waitFor();
    const runsOfUser = () => daemon.client.call(listUserSyncRuns, { params: { user_id: user }, query: {} });
    await expect
      .poll(async () => (await runsOfUser()).every(({ ended_at }) => ended_at !== null), {
        timeout: 60_000,
      })
      .toBe(true);
    await vendor.control.addFault({
      kind: 'rate_limited',
      retryAfterSeconds: 900,
      retryAfterForm: 'seconds',
      match: { dataType: 'steps' },
      times: null,
    });
    const params = { provider: 'google', user_id: user } as const;
    const { run_id: runId } = await daemon.client.call(requestProviderSync, { params, query: {} });
    const run = () => daemon.client.call(getSyncRun, { params: { run_id: runId } });
    await expect.poll(async () => (await run()).retrying?.attempt, { timeout: 30_000 }).toBe(2);
    await page.goto(`${daemon.url}/runs`);
    await page.getByLabel('Status').selectOption('retrying');
    await expect.poll(() => new URL(page.url()).search).toBe('?status=retrying');
    await expect.poll(() => rowsOf(page, 'Runs').then((rows) => rows.length)).toBe(1);
    const [[id, state, , , , , why] = []] = await rowsOf(page, 'Runs');
    expect([id, state]).toEqual([runId, 'retrying']);
    expect(why).toMatch(/^Attempt 2 of 25 · next \d\d:\d\d \(in \d+ min\)The vendor's rate limit is reached\.$/);
    await page.getByText('healthctl runs list --retrying').waitFor();
    for (const look of VARIANTS) await expectAccessible(page, look, '/runs?status=retrying', 'Runs');

    await page.getByRole('link', { name: runId }).click();
    const kinds = await rowsOf(page, 'Data types');
    expect(kinds[0]?.slice(0, 2)).toEqual(['steps', 'retrying']);
    expect(kinds[0]?.at(-1)).toContain('rate_limited 429');
    await page.locator('.message').getByText('Attempt 2 of 25').waitFor();
    for (const look of VARIANTS) await expectAccessible(page, look, `/runs/${runId}`, 'Data types');

    await page.goto(`${daemon.url}/users/${user}/connections`);
    const [row] = await rowsOf(page, 'Connections');
    expect(row?.[1]).toMatch(/^failing The vendor's rate limit is reached\.since .* · next try \d\d:\d\d \(in/);
    for (const look of VARIANTS) await expectAccessible(page, look, `/users/${user}/connections`, 'Connections');
    await vendor.control.clearFaults();
  }, 120_000);

  const VARIANTS = [
    { width: 1280, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
    { width: 390, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ] as const;

  /** Checks that the page is accessible and fits the screen. */
  async function expectAccessible(
    page: Page,
    look: (typeof VARIANTS)[number],
    path: string,
    table: string,
  ): Promise<void> {
    await page.setViewportSize({ width: look.width, height: 900 });
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.getByRole('region', { name: table, exact: true }).waitFor();
    expect([path, look, await complaints(page), await overflow(page)]).toEqual([path, look, [], 0]);
    const folder = process.env.SCREENSHOTS;
    if (folder) {
      const name = `${path.split('/').at(-1)?.replaceAll(/\W/g, '_')}-${look.width}-${look.colorScheme}.png`;
      await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
    }
  }

  it('fit a narrow screen', async () => {
    for (const [path, words] of [
      ['/providers', 'Device push'],
      [`/users/${user}/connections`, 'This user is not connected to any provider.'],
    ] as const) {
      const page = await openLoggedIn(path, { width: 360, colorScheme: 'dark' });
      await page.getByText(words).first().waitFor();
      expect(await overflow(page)).toBe(0);
    }
  });
});

import { createUser, listSyncRuns } from '@healthd/contract';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { type Daemon, inDatabase, startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { expectAccessible, VARIANTS } from './looks.js';

describe('lists over all users', () => {
  let daemon: Daemon;
  const ids: Record<string, string> = {};

  const tests = consoleTests(async () => {
    daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    for (const name of ['Ada', 'Bo', 'Cy']) {
      ids[name] = (await daemon.client.call(createUser, { body: { first_name: name } })).id;
    }
    await inDatabase(daemon.home, async (pool) => {
      await pool.query(
        `insert into connection (user_key, provider, status, status_reason, failing_since, last_error, created_at)
         select u.user_key, c.provider, c.status, c.status_reason, c.failing_since::timestamptz, c.last_error, c.created_at::timestamptz
         from (values
           ('Ada', 'apple', 'active', null, null, null, '2026-03-03T08:00:00Z'),
           ('Bo', 'garmin', 'active', null, '2026-03-05T08:00:00Z', 'The vendor was away.', '2026-03-02T08:00:00Z'),
           ('Cy', 'garmin', 'revoked', 'refresh_failed', null, null, '2026-03-01T08:00:00Z')
         ) c (name, provider, status, status_reason, failing_since, last_error, created_at)
         join health_user u on u.first_name = c.name`,
      );
      // Each pull has an item, because the service deletes pulls without items after a week.
      await pool.query(
        `insert into sync_run (run_id, user_key, provider, source, stage, status, error, created_at, started_at, ended_at, items_processed)
         select 'pull_' || n, user_key, 'garmin', 'pull', 'completed', 'success', null, at, at, at, 1
         from health_user, lateral (select n, now() - interval '20 days' + n * interval '1 second' as at from generate_series(1, 120) n) r
         where first_name = 'Ada'
         union all select 'backfill_1', user_key, 'garmin', 'backfill', 'failed', 'failed', 'The vendor was away.', now(), now(), now(), 1
         from health_user where first_name = 'Bo'
         union all select 'xml_1', user_key, 'apple', 'xml_import', 'completed', 'partial', null, now(), now(), now(), 1
         from health_user where first_name = 'Cy'`,
      );
      await pool.query(
        `insert into trouble_snapshot (at, connections) values
           (now() - interval '25 hours', '{"garmin vendor_failing": 3}'), (now() - interval '8 hours', '{"garmin vendor_failing": 2}')`,
      );
      await pool.query(
        `insert into notification_count (provider, day, outcome, notifications)
         values ('garmin', (now() at time zone 'UTC')::date, 'accepted', 41), ('garmin', (now() at time zone 'UTC')::date, 'refused', 7)`,
      );
    });
    return daemon;
  });

  const openLoggedIn = tests.open;

  const namesIn = async (page: Page, table: string) => (await rowsOf(page, table)).map(([first]) => first);
  const query = (page: Page) => new URL(page.url()).search;

  /** Returns the lines of the CSV that a button of the page saves. */
  async function csvOf(page: Page): Promise<string[]> {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString().trimEnd().split('\r\n');
  }

  it('shows problem trends, activity and vendor notifications on the home page', async () => {
    const page = await openLoggedIn('/');
    const problems = page.getByRole('region', { name: 'Problems', exact: true });
    await problems.getByText('2 fewer than a day ago').waitFor();
    await page.getByRole('img', { name: /^samples by day/ }).waitFor();
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByText('runs today (UTC)').waitFor();
    // Today's runs are the failed backfill and the imported file.
    expect(await activity.locator('.tile', { hasText: 'runs today (UTC)' }).locator('b').textContent()).toBe('2');
    expect(await activity.locator('.tile', { hasText: 'of them failed' }).locator('b').textContent()).toBe('1');
    await activity.getByText('seconds the oldest job has waited').waitFor();
    expect(await rowsOf(page, 'Vendor notifications, 14 days')).toEqual([['Garmin', '41', '7', '0', '0', '0']]);
    for (const look of VARIANTS) await expectAccessible(page, look);
  });

  it('filters connections and their CSV by the URL', async () => {
    const page = await openLoggedIn('/connections');
    expect(await namesIn(page, 'Connections')).toEqual(['Ada', 'Bo', 'Cy']);
    await page.getByLabel('Provider', { exact: true }).selectOption('garmin');
    await expect.poll(() => namesIn(page, 'Connections')).toEqual(['Bo', 'Cy']);
    await page.getByLabel('State', { exact: true }).selectOption('failing');
    await expect.poll(() => rowsOf(page, 'Connections')).toHaveLength(1);
    expect((await rowsOf(page, 'Connections'))[0]).toEqual([
      'Bo',
      'Garmin',
      'failing',
      '2026-03-02 17:00',
      '–',
      '2026-03-05 17:00',
      'The vendor was away.',
    ]);
    expect(query(page)).toBe('?provider=garmin&state=failing');
    await page.getByText('healthctl connections list --provider garmin --state failing').waitFor();
    const lines = await csvOf(page);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${ids.Bo},Bo,`);
    await page.getByLabel('State', { exact: true }).selectOption('');
    await page.getByLabel('Provider', { exact: true }).selectOption('');
    await page.getByLabel('User', { exact: true }).pressSequentially('Cy');
    await page.locator(`datalist option[value^="Cy"]`).waitFor({ state: 'attached' });
    await page.getByLabel('User', { exact: true }).fill(`Cy · ${ids.Cy?.slice(0, 8)}`);
    await expect.poll(() => namesIn(page, 'Connections')).toEqual(['Cy']);
    expect(query(page)).toBe(`?user=${ids.Cy}`);
    await page.getByRole('button', { name: 'Remove the filter: Cy' }).click();
    await expect.poll(() => namesIn(page, 'Connections')).toEqual(['Ada', 'Bo', 'Cy']);
  });

  it('loads runs in pages of 100', async () => {
    const page = await openLoggedIn('/runs');
    await expect.poll(() => rowsOf(page, 'Runs')).toHaveLength(100);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rowsOf(page, 'Runs')).toHaveLength(122);
    expect(new Set(await namesIn(page, 'Runs')).size).toBe(122);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('applies the selected filters to runs', async () => {
    const page = await openLoggedIn('/runs');
    await page.getByLabel('Time', { exact: true }).selectOption('7');
    await expect.poll(() => rowsOf(page, 'Runs')).toHaveLength(2);
    await page.getByLabel('Type', { exact: true }).selectOption('backfill');
    await expect.poll(() => namesIn(page, 'Runs')).toEqual(['backfill_1']);
    expect(query(page)).toBe('?days=7&kind=backfill');
    await page.getByText('healthctl runs list --source backfill --from 7d').waitFor();
    expect(await csvOf(page)).toHaveLength(2);
    await page.goto(`${daemon.url}/runs?user=${ids.Ada}&status=failed`);
    await page.getByText('No runs match these filters.').waitFor();
  });

  it('retries a failed list page with the same button', async () => {
    const page = await openLoggedIn('/runs');
    await expect.poll(() => rowsOf(page, 'Runs')).toHaveLength(100);
    await page.route(/sync\/runs\?.*before=/, (route) => route.abort());
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('[role="alert"] + .row').getByRole('button', { name: 'Show more' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await rowsOf(page, 'Runs')).toHaveLength(100);
    expect(await complaints(page)).toEqual([]);
    await page.unroute(/sync\/runs\?.*before=/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rowsOf(page, 'Runs')).toHaveLength(122);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('saves a complete list as CSV, each row once', async () => {
    await inDatabase(daemon.home, (pool) =>
      pool.query(
        `with made as (
           insert into health_user (id, first_name, created_at)
           select gen_random_uuid(), 'Many ' || n, now() - interval '1 year' from generate_series(1, 250) n returning user_key
         )
         insert into sync_run (run_id, user_key, provider, source, stage, status, created_at)
         select 'many_' || user_key || '_' || n, user_key, 'polar', 'pull', 'completed', 'success', now() - interval '1 year'
         from made cross join generate_series(1, 9) n`,
      ),
    );
    const page = await openLoggedIn('/users?search=many&sort=last_synced_at:asc');
    await page.getByText('Page 1 of 5').waitFor();
    const users = (await csvOf(page)).slice(1).map((line) => line.split(',')[0]);
    expect([users.length, new Set(users).size]).toEqual([250, 250]);
    expect(users.slice(0, 50)).toEqual((await rowsOf(page, 'Users')).map((cells) => cells[2]));
    await page.goto(`${daemon.url}/runs?provider=polar`);
    await rowsOf(page, 'Runs');
    const runs = (await csvOf(page)).slice(1).map((line) => line.split(',')[0]);
    expect([runs.length, new Set(runs).size]).toEqual([2_250, 2_250]);
    await inDatabase(daemon.home, (pool) => pool.query(`delete from health_user where first_name like 'Many %'`));
  });

  it('saves all pages of users with problems as CSV', async () => {
    await inDatabase(daemon.home, (pool) =>
      pool.query(
        `with made as (
           insert into health_user (id, first_name) select gen_random_uuid(), 'Many ' || n from generate_series(1, 1200) n
           returning user_key
         )
         insert into connection (user_key, provider, status, status_reason, consented_at)
         select user_key, 'whoop', 'revoked', 'refresh_failed', now() from made`,
      ),
    );
    const page = await openLoggedIn('/trouble?provider=whoop&cause=consent_ended');
    expect(await rowsOf(page, 'Users')).toHaveLength(500);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('1,000 shown').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(async () => new Set(await namesIn(page, 'Users')).size).toBe(1200);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    const saved = (await csvOf(page)).slice(1).map((line) => line.split(',')[0]);
    expect([saved.length, new Set(saved).size]).toEqual([1200, 1200]);
    await inDatabase(daemon.home, (pool) => pool.query(`delete from health_user where first_name like 'Many %'`));
  });

  it('reports rejections after a preview of several retries', async () => {
    const page = await openLoggedIn('/runs?days=7');
    await page.getByLabel('Select backfill_1').check();
    await page.getByLabel('Select xml_1').check();
    await page.getByRole('button', { name: 'Retry 2…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry 2 runs?' });
    await dialog.getByText('1 Backfill · Garmin').waitFor();
    await dialog.getByText('1 Import · Apple Health').waitFor();
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Retry runs' }).click();
    // Both runs lack the data that a retry needs.
    await dialog.getByText('0 runs are being retried.').waitFor();
    expect(await dialog.getByText('rejected:').count()).toBeGreaterThan(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Retry/ }).count()).toBe(0);
    expect(await daemon.client.call(listSyncRuns, { query: { limit: 200 } })).toHaveLength(122);
  });

  it('shows the sort order of a clicked column', async () => {
    const page = await openLoggedIn('/users');
    const heading = (name: string) => page.getByRole('columnheader', { name });
    const sort = (name: string) => heading(name).getByRole('button').click();
    const order = (name: string) => heading(name).getAttribute('aria-sort');
    await heading('Created').waitFor();
    expect(await order('Created')).toBe('descending');
    expect(await heading('Id').getByRole('button').count()).toBe(0);
    await sort('Name');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Ada', 'Bo', 'Cy']);
    expect(await order('Name')).toBe('ascending');
    await sort('Name');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Cy', 'Bo', 'Ada']);
    expect(await order('Name')).toBe('descending');
    expect(query(page)).toBe('?sort=first_name%3Adesc');
    expect(await page.getByLabel('Order', { exact: true }).inputValue()).toBe('first_name:desc');
    expect(await order('Created')).toBeNull();
    expect(await complaints(page)).toEqual([]);
    // A URL without an order shows the newest users first.
    await sort('Created');
    await expect.poll(() => query(page)).toBe('');
    await page.goBack();
    await expect.poll(() => order('Name')).toBe('descending');
  });

  it('filters and sorts users and their CSV by the URL', async () => {
    const page = await openLoggedIn('/users?sort=first_name:asc');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Ada', 'Bo', 'Cy']);
    await page.getByLabel('Order', { exact: true }).selectOption('first_name:desc');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Cy', 'Bo', 'Ada']);
    await page.getByLabel('Provider', { exact: true }).selectOption('garmin');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Cy', 'Bo']);
    await page.getByLabel('Connection', { exact: true }).selectOption('ended');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Cy']);
    await page
      .getByText('healthctl users list --provider garmin --connection ended --sort first_name --order desc')
      .waitFor();
    expect(await csvOf(page)).toHaveLength(2);
    await page.getByLabel('Connection', { exact: true }).selectOption('none');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Ada']);
    await page.getByLabel('Provider', { exact: true }).selectOption('apple');
    await expect.poll(() => namesIn(page, 'Users')).toEqual(['Cy', 'Bo']);
  });

  it('fit every width and color scheme', async () => {
    const page = await openLoggedIn('/connections');
    for (const [path, table] of [
      ['/connections', 'Connections'],
      ['/runs?days=7', 'Runs'],
      ['/users?provider=garmin', 'Users'],
    ] as const) {
      await page.goto(`${daemon.url}${path}`);
      await rowsOf(page, table);
      for (const look of VARIANTS) await expectAccessible(page, look);
    }
  });
});

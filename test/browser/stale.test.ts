import { setTimeout as delay } from 'node:timers/promises';
import { createConnectLink, createUser, deleteUser } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';

const NOTICE = 'Some requests fail.';

describe('a page whose service stops responding', () => {
  const tests = consoleTests(async () => {
    const daemon = await startDaemon({ env: { OURA_CLIENT_ID: 'test-client', OURA_CLIENT_SECRET: 'test-secret' } });
    await daemon.client.call(createUser, { body: { first_name: 'Wanda' } });
    return daemon;
  });

  it('marks displayed content as outdated until it is refreshed', async () => {
    const page = await tests.open('/settings');
    const health = page.getByRole('region', { name: 'Health', exact: true });
    await health.getByText('Database ok').waitFor();
    await page.route('**/health/ready', (route) => route.abort());
    await page.getByText(NOTICE).waitFor();
    expect(await health.getByText('Database ok').isVisible()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await complaints(page)).toEqual([]);
    await page.unroute('**/health/ready');
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
    expect(await health.getByText('Database ok').isVisible()).toBe(true);
  });

  it('shows the notice only while the outdated content is visible', async () => {
    const page = await tests.open('/settings');
    await page.getByText('Database ok').waitFor();
    await page.route('**/health/ready', (route) => route.abort());
    await page.getByText(NOTICE).waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByText('Wanda').waitFor();
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText(NOTICE).waitFor();
    expect(await page.getByText('Database ok').isVisible()).toBe(true);
  });

  it('waits for a response slower than the retry interval', async () => {
    const page = await tests.open('/settings');
    await page.getByText('Database ok').waitFor();
    await page.route('**/health/ready', (route) => route.abort());
    await page.getByText(NOTICE).waitFor();
    let cancelled = 0;
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'net::ERR_ABORTED') cancelled++;
    });
    await page.route('**/health/ready', async (route) => {
      await delay(8_000);
      await route.continue().catch(() => undefined);
    });
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
    expect(cancelled).toBe(0);
  });

  it('ends the notice when the service reports that the content was deleted', async () => {
    const { client } = tests.daemon;
    const { id } = await client.call(createUser, { body: { first_name: 'Xenia' } });
    await client.call(createConnectLink, { params: { user_id: id }, body: { providers: ['oura'] } });
    const page = await tests.open(`/users/${id}/connections`);
    await page.getByRole('button', { name: 'Revoke link' }).waitFor();
    await page.route('**/connect-links', (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByText(NOTICE).waitFor();
    const developer = await developerClient(tests.daemon);
    await developer.call(deleteUser, { params: { user_id: id } });
    await page.unroute('**/connect-links');
    await page.getByRole('alert').first().waitFor();
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
  });

  it('ends a hanging request with an error and a retry button', async () => {
    const page = await tests.open('/users');
    await page.getByText('Wanda').waitFor();
    await page.clock.install();
    await page.route('**/api/v1/audit*', () => undefined);
    const sent = page.waitForRequest('**/api/v1/audit*');
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await sent;
    await page.clock.fastForward(61_000);
    const alert = page.getByRole('alert');
    await alert.getByText('did not respond in time').waitFor();
    await page.unroute('**/api/v1/audit*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Audit trail' }).waitFor();
  });

  it('shows an error with a retry button for content never loaded', async () => {
    const page = await tests.open('/users');
    await page.getByText('Wanda').waitFor();
    await page.route('**/api/v1/audit*', (route) => route.abort());
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText(NOTICE).count()).toBe(0);
  });

  it('keeps the notice when only the next page of a list loads', async () => {
    for (let count = 0; count < 101; count++) await tests.daemon.client.call(createUser, { body: {} });
    const page = await tests.open('/audit');
    await page.getByText('100 shown').waitFor();
    await page.route(/\/api\/v1\/audit\?(?!.*cursor=)/, (route) => route.abort());
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    // The console refetches content that is older than ten seconds.
    await delay(10_500);
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByText(NOTICE).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('100 shown').waitFor({ state: 'detached' });
    expect(await page.getByText(NOTICE).isVisible()).toBe(true);
    await page.unroute(/\/api\/v1\/audit\?(?!.*cursor=)/);
    await page.getByText(NOTICE).waitFor({ state: 'detached' });
  });
});

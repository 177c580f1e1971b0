import { createUser } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { consoleTests } from './console-tests.js';

const NOTICE = 'The service does not answer all requests.';

describe('a page whose service does not answer any more', () => {
  const tests = consoleTests(async () => {
    const daemon = await startDaemon();
    await daemon.client.call(createUser, { body: { first_name: 'Wanda' } });
    return daemon;
  });

  it('it keeps what was shown and says that it is from before, until it has been read again', async () => {
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

  it('what was never read is an error with a button to try again', async () => {
    const page = await tests.open('/users');
    await page.getByText('Wanda').waitFor();
    await page.route('**/api/v1/audit*', (route) => route.abort());
    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText(NOTICE).count()).toBe(0);
  });
});

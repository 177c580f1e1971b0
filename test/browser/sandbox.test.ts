import { getConfig } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { startDaemon } from '../support/daemon.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { VARIANTS, expectAccessible } from './looks.js';

describe('the console of a service with the sandbox', () => {
  const tests = consoleTests(() => startDaemon({ env: { SANDBOX: 'true' } }));

  it("links from each page's sandbox notice to the settings", async () => {
    const { sandbox } = await (await developerClient(tests.daemon)).call(getConfig, {});
    expect(sandbox?.providers).toEqual(expect.arrayContaining(['garmin', 'google', 'strava', 'whoop']));
    const page = await tests.open('/users');
    const banner = page.getByRole('complementary', { name: 'Sandbox' });
    for (const path of ['/', '/users', '/providers', '/audit', '/coverage']) {
      await page.goto(`${tests.daemon.url}${path}`);
      await banner.getByText('vendors and their users are simulated').waitFor();
    }
    await banner.getByRole('link', { name: 'Details' }).click();
    const card = page.getByRole('region', { name: 'Sandbox', exact: true });
    await card.getByText('Garmin, Google Health').waitFor();
    await card.getByText('running').waitFor();
    for (const look of VARIANTS) await expectAccessible(page, look);
  });

  it("never covers a page's end with the sandbox notice", async () => {
    const page = await tests.open('/settings', { width: 390 });
    await page.getByRole('region', { name: 'Storage', exact: true }).waitFor();
    const banner = page.getByRole('complementary', { name: 'Sandbox' });
    await banner.waitFor();
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    const [top, end] = [
      (await banner.boundingBox())?.y ?? 0,
      await page.evaluate<number>('document.querySelector("#page").lastElementChild.getBoundingClientRect().bottom'),
    ];
    expect(end).toBeLessThanOrEqual(top);
  });
});

describe('the console of a service without the sandbox', () => {
  const tests = consoleTests(() => startDaemon());

  it('explains the sandbox only in the settings', async () => {
    const { sandbox } = await (await developerClient(tests.daemon)).call(getConfig, {});
    expect(sandbox).toBeNull();
    const page = await tests.open('/settings');
    const card = page.getByRole('region', { name: 'Sandbox', exact: true });
    await card.getByText('SANDBOX=true', { exact: false }).first().waitFor();
    expect(await page.getByRole('complementary', { name: 'Sandbox' }).count()).toBe(0);
    for (const look of VARIANTS) await expectAccessible(page, look);
  });
});

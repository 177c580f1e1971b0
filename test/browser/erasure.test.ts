import { readFile } from 'node:fs/promises';
import { listAuditEvents } from '@healthd/contract';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { describe, expect, it } from 'vitest';
import { inDatabase } from '../support/daemon.js';
import { AMPLE_QUOTA } from '../support/simulated-vendor.js';
import { rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { startWithGoogle } from './google-service.js';
import { GoogleUsers } from './google-users.js';
import { expectAccessible, VARIANTS } from './looks.js';

const NOTHING_SAID = /Person person1|person1/;

describe('erasure receipts in the console', () => {
  let vendor: GoogleSimulator;
  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      return startWithGoogle(vendor, { HISTORICAL_SYNC_ON_CONNECT: 'false' });
    },
    () => vendor?.close(),
  );
  const users = new GoogleUsers(tests, () => vendor);

  it('can be saved as text after a user is deleted', async () => {
    const user = await users.add();
    await users.connect(user);
    await users.sync(user.id);
    await users.untilNoRunIsOpen(user.id);
    const page = await tests.open(`/users/${user.id}/data`);
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByLabel(`Type ${user.name} to confirm`).fill(user.name);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('heading', { name: 'Erasure receipt' }).waitFor();
    await page.getByText(`Deleted ${user.name} and all their data.`).waitFor();
    const address = page.url();
    expect(address).toMatch(/\/erasures\/[0-9a-f-]{36}$/);
    const erased = Object.fromEntries(await rowsOf(page, 'Erased data'));
    expect(erased).toMatchObject({ Samples: '1', 'Days with samples': '1', Sources: '1', Files: '0' });
    expect(await rowsOf(page, 'Consents at vendors')).toEqual([
      ['Google Health', expect.stringContaining('The vendor revoked the consent.')],
    ]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`erasure-${address.split('/').at(-1)}.txt`);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('Samples: 1\n');
    expect(text).not.toMatch(NOTHING_SAID);
    for (const look of VARIANTS) await expectAccessible(page, look);

    // When the URL is opened later, the page shows figures but no name.
    const later = await tests.open(new URL(address).pathname);
    await later.getByRole('heading', { name: 'Erasure receipt' }).waitFor();
    expect(await rowsOf(later, 'Erased data')).toEqual(Object.entries(erased));
    expect(await later.locator('#page').textContent()).not.toMatch(NOTHING_SAID);
  });

  it('are linked in the audit trail', async () => {
    const user = await users.add();
    const page = await tests.open(`/users/${user.id}/data`);
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByLabel(`Type ${user.name} to confirm`).fill(user.name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Erasure receipt' }).waitFor();
    const path = new URL(page.url()).pathname;
    await page.goto(`${tests.daemon.url}/audit?action=delete&user=${user.id}`);
    await page.getByRole('link', { name: 'receipt' }).click();
    await page.getByText('The user was not connected to any provider.').waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.goto(`${tests.daemon.url}/erasures/11111111-2222-4333-8444-555555555555`);
    await page.getByRole('heading', { name: 'Erasure not found' }).waitFor();
  });

  it('are replaced by an explanation for a failed erasure', async () => {
    const user = await users.add();
    const sql = (text: string) => inDatabase(tests.daemon.home, (pool) => pool.query(text));
    await sql(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse before delete on health_user for each row execute function refuse()`);
    const page = await tests.open(`/users/${user.id}/data`);
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByLabel(`Type ${user.name} to confirm`).fill(user.name);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await sql('drop trigger refuse on health_user; drop function refuse');
    await page.goto(`${tests.daemon.url}/audit?action=delete&user=${user.id}`);
    await page.getByRole('cell', { name: 'failure' }).waitFor();
    expect(await page.getByRole('link', { name: 'receipt' }).count()).toBe(0);
    const query = { user_id: user.id, action: 'delete' } as const;
    const trail = await (await developerClient(tests.daemon)).call(listAuditEvents, { query });
    await page.goto(`${tests.daemon.url}/erasures/${trail.data[0]?.resource_id}`);
    await page.getByRole('heading', { name: 'This erasure failed' }).waitFor();
    await page.getByText('Nothing was erased.').waitFor();
    for (const look of VARIANTS) await expectAccessible(page, look);
    await page.getByRole('link', { name: 'Delete the user again' }).click();
    await page.getByRole('button', { name: 'Delete user' }).waitFor();
  });
});

import { createUser, getProvider, setArchivalSettings, updateProvider } from '@healthd/contract';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterEach, describe, expect, it } from 'vitest';
import { heartRates, payload } from '../api/push-payloads.js';
import { inDatabase } from '../support/daemon.js';
import { AMPLE_QUOTA } from '../support/simulated-vendor.js';
import { complaints } from './accessibility.js';
import { consoleTests } from './console-tests.js';
import { developerClient } from './developer-client.js';
import { startWithGoogle } from './google-service.js';
import { GoogleUsers, twoClicksBySearch, twoClicksFromHome, verdictOf } from './google-users.js';
import { push } from './push.js';

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('finding a cause within two clicks', () => {
  let vendor: GoogleSimulator;
  const tests = consoleTests(
    async () => {
      vendor = await startGoogleSimulator({ quota: AMPLE_QUOTA });
      return startWithGoogle(vendor, { HISTORICAL_SYNC_ON_CONNECT: 'false', WEBHOOK_SILENCE_SECONDS: '1' });
    },
    () => vendor?.close(),
  );
  const users = new GoogleUsers(tests, () => vendor);
  afterEach(() => vendor?.control.clearFaults());

  /** Creates a user whose iPhone sent heart rates of this age. */
  async function withPhone(name: string, measuredMs: number): Promise<string> {
    const { id } = await tests.daemon.client.call(createUser, { body: { first_name: name } });
    await push(tests.daemon, id, payload('apple', { records: heartRates(3, ago(measuredMs)) }));
    return id;
  }

  /** Changes the user's rows in a table to simulate elapsed time. */
  function age(userId: string, change: string): Promise<unknown> {
    return inDatabase(tests.daemon.home, (pool) =>
      pool.query(`${change} where user_key = (select user_key from health_user where id = $1)`, [userId]),
    );
  }

  it('leads from Home to a silent phone and the remedy', async () => {
    const id = await withPhone('Silent', MS_PER_HOUR);
    await age(id, `update connection set last_synced_at = now() - interval '3 days'`);
    await users.causeIs(id, 'phone_silent', 'apple');
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Device pushes stopped', 'Silent');
    const diagnosis = verdictOf(page, 'Apple Health');
    expect(await diagnosis.textContent()).toMatch(
      /the phone has sent nothing since .+ Last data .+ Ask the person to open the app on the phone\./,
    );
    expect(await diagnosis.getByRole('button').count()).toBe(0);
    expect(await complaints(page)).toEqual([]);
  });

  it('leads from Home to a run that waits for a slow vendor', async () => {
    const user = await users.add();
    await users.connect(user);
    await vendor.control.addFault({
      kind: 'slow',
      // Less than the service's response timeout.
      delayMs: 20_000,
      match: { account: user.account },
      times: null,
    });
    const { run_id: runId } = await users.sync(user.id);
    await age(user.id, `update sync_run set created_at = now() - interval '11 minutes'`);
    await users.causeIs(user.id, 'run_waiting');
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Runs waiting', user.name);
    expect(await verdictOf(page).textContent()).toMatch(/a run has been waiting since .+ Last data /);
    await verdictOf(page).getByRole('link', { name: 'View run' }).click();
    await page.getByRole('heading', { name: runId }).waitFor();
  });

  it("finds an idle device by the user's name", async () => {
    const user = await users.add(100);
    await users.connect(user);
    await users.sync(user.id);
    await users.causeIs(user.id, 'nothing_recorded');
    const page = await tests.open('/');
    await twoClicksBySearch(page, user.name);
    expect(await verdictOf(page).textContent()).toMatch(
      /the vendor responds, but the device has recorded nothing since .+ Ask the person whether the device is worn, charged/,
    );
    expect(await complaints(page)).toEqual([]);
  });

  it('sets the missing time zone of a user found by search', async () => {
    const id = await withPhone('Zoneless', MS_PER_HOUR);
    await users.causeIs(id, 'zone_unknown', 'apple');
    const page = await tests.open('/');
    await twoClicksBySearch(page, 'Zoneless');
    const diagnosis = verdictOf(page, 'Apple Health');
    await diagnosis.getByRole('button', { name: 'Set time zone' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Time zone').fill('Pacific/Auckland');
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Set time zone' }).click();
    await expect.poll(() => diagnosis.textContent()).toContain('data arrives as expected');
    await page.getByText('Times in these sentences are on the person’s clock (Pacific/Auckland)').waitFor();
  });

  it('explains that all samples of a user found by search are archived', async () => {
    const id = await withPhone('Archived', 60 * MS_PER_DAY);
    const developer = await developerClient(tests.daemon);
    await developer.call(setArchivalSettings, { body: { archive_after_days: 30 } });
    await users.causeIs(id, 'archived', 'apple');
    const page = await tests.open('/');
    await twoClicksBySearch(page, 'Archived');
    expect(await verdictOf(page, 'Apple Health').textContent()).toMatch(
      /all samples are older than \d{4}-\d\d-\d\d and were archived; daily totals remain\. Last data /,
    );
    await page.getByRole('link', { name: 'Days', exact: true }).click();
    await page.getByRole('region', { name: 'Apple Health' }).waitFor();
  });

  it('leads from Home to a silent webhook vendor and its sync button', async () => {
    const developer = await developerClient(tests.daemon);
    const params = { provider: 'google' } as const;
    const user = await users.add();
    await users.connect(user);
    await developer.call(updateProvider, { params, body: { live_sync_mode: 'webhook' } });
    const state = async () => (await developer.call(getProvider, { params })).subscriber_state;
    await expect.poll(state).toBe('active');
    await users.causeIs(user.id, 'webhook_silent');
    const page = await tests.open('/');
    await twoClicksFromHome(page, 'Notifications stopped', user.name);
    expect(await verdictOf(page).textContent()).toMatch(/the vendor has sent no notification since .+ Next try .+/);
    await verdictOf(page).getByRole('button', { name: 'Sync now: Google Health' }).click();
    await verdictOf(page).getByRole('link', { name: 'Follow the run' }).waitFor();
    expect(await complaints(page)).toEqual([]);
  });
});

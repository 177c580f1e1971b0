import { authorizeProvider, createUser, requestHistoricalSync } from '@healthd/contract';
import { seriesTypeByCode } from '@healthd/model';
import { type GarminSimulator, startGarminSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Daemon, inDatabase, newHome, startDaemon } from '../support/daemon.js';
import { garminSettings } from '../support/simulated-vendor.js';

const DAY = 86_400;
const POLL = { interval: 500 };
const home = newHome();

let vendor: GarminSimulator;
let daemon: Daemon;
let account: string;
let user: string;
beforeAll(async () => {
  vendor = await startGarminSimulator({ autoConsent: true });
  account = (await vendor.control.addAccount({ id: 'ada' })).userId;
  await start();
  user = (await daemon.client.call(createUser, {})).id;
  const provider = 'garmin' as const;
  const authorized = await daemon.client.call(authorizeProvider, { params: { provider }, query: { user_id: user } });
  const page = await fetch(authorized.authorization_url, { redirect: 'manual' });
  const back = new URL(page.headers.get('location') ?? '');
  expect((await fetch(`${daemon.url}${back.pathname}${back.search}`, { redirect: 'manual' })).status).toBe(303);
});
afterAll(async () => {
  await daemon?.stop();
  await vendor?.close();
});

/** Starts the service. Each start has a different port, so the vendor's portal gets the new URL. */
async function start(): Promise<void> {
  daemon = await startDaemon({ home, env: { ...garminSettings(vendor), HISTORICAL_SYNC_ON_CONNECT: 'false' } });
  await vendor.control.setPushTarget({ url: `${daemon.url}/api/v1/providers/garmin/webhooks` });
}

const deliveries = () =>
  inDatabase(home, async (pool) => (await pool.query('select state, attempts from webhook_delivery')).rows);
/** Returns the number of days with stored steps. */
const storedDays = () =>
  inDatabase(home, async (pool) => {
    const { rows } = await pool.query('select distinct start_at from sample where type_id = $1', [
      seriesTypeByCode('steps').id,
    ]);
    return rows.length;
  });

test('stores an acknowledged delivery after a kill', async () => {
  const today = Math.floor(Date.now() / 1_000 / DAY) * DAY;
  const day = { startTimeInSeconds: today - DAY, startTimeOffsetInSeconds: 0, durationInSeconds: DAY, steps: 8_123 };
  await inDatabase(home, async (pool) => {
    const holder = await pool.connect();
    try {
      // While the user is locked, the delivery is started but cannot be stored.
      await holder.query('begin');
      await holder.query(
        'select 1 from user_state where user_key = (select user_key from health_user where id = $1) for no key update',
        [user],
      );
      expect(await vendor.control.sendBody(JSON.stringify({ dailies: [{ userId: account, ...day }] }))).toBe(200);
      await expect.poll(deliveries, POLL).toEqual([{ state: 'received', attempts: 1 }]);
      await daemon.kill9();
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });
  expect(await deliveries()).toEqual([{ state: 'received', attempts: 1 }]);
  expect(await storedDays()).toBe(0);
  await start();
  await expect.poll(deliveries, POLL).toEqual([{ state: 'done', attempts: 2 }]);
  expect(await storedDays()).toBe(1);
});

test('continues to await requested history after a kill', async () => {
  const rows = (sql: string) => inDatabase(home, async (pool) => (await pool.query(sql)).rows);
  await vendor.control.seedHistory('ada', { seed: 3, days: 10 });
  await vendor.control.setExportDelay(DAY);
  const params = { provider: 'garmin' as const, user_id: user };
  await daemon.client.call(requestHistoricalSync, { params, query: {} });
  const open = `select 1 from vendor_export where state <> 'requested'`;
  await expect.poll(() => rows('select 1 from vendor_export'), POLL).not.toEqual([]);
  await expect.poll(() => rows(open), POLL).toEqual([]);
  await daemon.kill9();
  await start();
  const before = await storedDays();
  await vendor.control.runExports({ all: true });
  await vendor.control.pushes();
  await expect.poll(storedDays, POLL).toBeGreaterThan(before + 8);
  await expect
    .poll(deliveries, POLL)
    .toSatisfy((all: { state: string }[]) => all.every(({ state }) => state === 'done'));
  // Moves the export's times two days back, as if the run had waited for two days.
  await rows(`update vendor_export set requested_at = requested_at - interval '2 days',
                last_item_at = last_item_at - interval '2 days', next_look_at = now()`);
  const run = `select r.status, bool_or(e.state = 'done') as arrived from sync_run r join vendor_export e using (run_id) group by 1`;
  await expect.poll(() => rows(run), POLL).toEqual([{ status: 'success', arrived: true }]);
});

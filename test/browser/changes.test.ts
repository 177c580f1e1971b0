import { createUser, deleteWorkout, listWorkouts } from '@healthd/contract';
import { describe, expect, it } from 'vitest';
import { payload, reading, WATCH } from '../api/push-payloads.js';
import { startDaemon } from '../support/daemon.js';
import { rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { expectAccessible, VARIANTS } from './looks.js';
import { push } from './push.js';

const TABLE = 'Changes of stored data';

/** Days with one heart rate each. Days that are not consecutive form separate ranges. */
const DAYS = ['2026-11-01', '2026-11-02', '2026-11-04', '2026-11-06', '2026-11-08'];
const HEART_RATES = DAYS.map((day) =>
  reading('HKQuantityTypeIdentifierHeartRate', `${day}T06:00:00Z`, 60, 'count/min', { source: WATCH }),
);
const RUN = {
  id: 'run',
  type: 'running',
  startDate: '2026-11-02T10:00:00Z',
  endDate: '2026-11-02T11:00:00Z',
  zoneOffset: '+01:00',
  source: WATCH,
  values: [],
};

describe("a user's changes in the console", () => {
  let user: string;
  const tests = consoleTests(async () => {
    const daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    ({ id: user } = await daemon.client.call(createUser, { body: { first_name: 'Wanda', last_name: 'Nowak' } }));
    await push(daemon, user, payload('apple', { records: HEART_RATES, workouts: [RUN] }));
    const params = { user_id: user };
    const period = { start_date: '2026-11-01', end_date: '2026-11-30' };
    const { data } = await daemon.client.call(listWorkouts, { params, query: period });
    await daemon.client.call(deleteWorkout, { params: { ...params, workout_id: data[0]?.id ?? '' } });
    return daemon;
  });

  it('lists action, data, days and cause, newest first', async () => {
    const page = await tests.open(`/users/${user}/changes`);
    const rows = (await rowsOf(page, TABLE)).map(([, ...cells]) => cells);
    expect(rows.map(([action, data]) => `${action} ${data}`)).toEqual([
      'changed Activity summary',
      'deleted Workout',
      'changed Recovery summary',
      'changed Sleep summary',
      'changed Body summary',
      'changed Activity summary',
      'created Workout',
      'created Heart rate',
    ]);
    expect(rows[1]?.slice(2)).toEqual(['2026-11-02', 'Deleted by a person']);
    expect(rows.at(-1)?.slice(2)).toEqual(['2026-11-01 – 2026-11-02, 2026-11-04 and 2 more', 'Device push']);
  });

  it('keeps the kind filter in the URL', async () => {
    const page = await tests.open(`/users/${user}/changes`);
    await page.getByLabel('Kind').selectOption('Workout');
    await expect
      .poll(async () => (await rowsOf(page, TABLE)).map(([, action]) => action))
      .toEqual(['deleted', 'created']);
    expect(new URL(page.url()).search).toBe('?kind=workout');
    await page.reload();
    expect(await rowsOf(page, TABLE)).toHaveLength(2);
    await page.getByText(`healthctl changes --user ${user} --kinds workout`).waitFor();
  });

  it('links a change to its run', async () => {
    const page = await tests.open(`/users/${user}/changes?kind=samples`);
    await page.getByRole('link', { name: 'Device push' }).click();
    await page.waitForURL(/\/runs\/.+/);
    const runId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByRole('heading', { name: runId }).waitFor();
  });

  it.for(VARIANTS)('fits the screen and is accessible: $width $colorScheme', async (look) => {
    const page = await tests.open(`/users/${user}/changes`, look);
    await rowsOf(page, TABLE);
    await expectAccessible(page, look);
  });
});

describe('the changes in the console of a service without a feed', () => {
  let user: string;
  const tests = consoleTests(async () => {
    const daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery', FEED: 'off' } });
    ({ id: user } = await daemon.client.call(createUser, { body: { first_name: 'Wanda' } }));
    return daemon;
  });

  it('names the setting that turns the feed on', async () => {
    const page = await tests.open(`/users/${user}/changes`);
    await page.getByText('The service records no changes. Set FEED=on and restart it.').waitFor();
  });
});

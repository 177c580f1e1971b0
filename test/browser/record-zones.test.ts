import { createUser, getSleepSummary, listSleepSessions } from '@healthd/contract';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { payload, WATCH } from '../api/push-payloads.js';
import { startDaemon } from '../support/daemon.js';
import { complaints } from './accessibility.js';
import { overflow, rowsOf } from './console-page.js';
import { consoleTests } from './console-tests.js';
import { push } from './push.js';

const ZONE = 'Pacific/Auckland';
/** 12:00 UTC the day before yesterday, which is 00:00 or 01:00 in Auckland. */
const NIGHT = Math.floor(Date.now() / MS_PER_DAY - 2) * MS_PER_DAY + 12 * MS_PER_HOUR;
const at = (hours: number) => new Date(NIGHT + hours * MS_PER_HOUR).toISOString();
/** `UTC+13:00`, or `UTC+12:00` in Auckland's winter. */
const OFFSET = `UTC${new Intl.DateTimeFormat('en', { timeZone: ZONE, timeZoneName: 'longOffset' }).format(NIGHT).slice(-6)}`;
/** Formats `YYYY-MM-DD HH:MM` in Auckland. */
const inAuckland = (instant: string) => new Date(instant).toLocaleString('sv-SE', { timeZone: ZONE }).slice(0, 16);

/**
 * A push of the iPhone client. Its nights have no offset. Workouts of apps without a time zone have no offset either.
 */
const PUSHED = payload('apple', {
  sleep: [
    { id: 'a', stage: 'light', startDate: at(0), endDate: at(4), zoneOffset: null, source: WATCH },
    { id: 'b', stage: 'deep', startDate: at(4), endDate: at(8), zoneOffset: null, source: WATCH },
  ],
  workouts: [
    { id: 'run', type: 'running', startDate: at(10), endDate: at(11), zoneOffset: null, source: WATCH, values: [] },
  ],
});

describe('records without an offset in the console', () => {
  const period = {
    start_date: new Date(NIGHT - 3 * MS_PER_DAY).toISOString().slice(0, 10),
    end_date: new Date(NIGHT + 3 * MS_PER_DAY).toISOString().slice(0, 10),
  };
  let id = '';
  const tests = consoleTests(async () => {
    const daemon = await startDaemon({ env: { ADMIN_PASSWORD: 'correct horse battery' } });
    ({ id } = await daemon.client.call(createUser, { body: { first_name: 'Aroha', time_zone: ZONE } }));
    await push(daemon, id, PUSHED);
    return daemon;
  });

  it("lists a night by the service's date in the user's time zone", async () => {
    const params = { user_id: id };
    const { data } = await tests.daemon.client.call(getSleepSummary, { params, query: { ...period, limit: 100 } });
    expect(data.map(({ zone_offset }) => zone_offset)).toEqual([null]);
    const page = await tests.open(`/users/${id}/sleep`);
    const [[date, hours] = [], ...others] = await rowsOf(page, 'Nights');
    expect(others).toEqual([]);
    expect([date, hours]).toEqual([data[0]?.date, `${inAuckland(at(0)).slice(11)} – ${inAuckland(at(8)).slice(11)}`]);
    await page.getByText(`times without a recorded offset at ${OFFSET}, you are in Asia/Tokyo`).waitFor();
    await page.getByRole('button', { name: `Sleeps recorded for ${date}: 1` }).click();
    await page
      .getByRole('list', { name: `Recorded for ${date}` })
      .getByText('counts', { exact: true })
      .waitFor();
    expect([await complaints(page), await overflow(page)]).toEqual([[], 0]);
  });

  it("shows a night's stages in the user's time zone", async () => {
    const params = { user_id: id };
    const { data } = await tests.daemon.client.call(listSleepSessions, { params, query: period });
    const page = await tests.open(`/users/${id}/sleep/${data[0]?.id}`);
    const waking = inAuckland(at(8));
    await page.getByRole('heading', { name: `Night that ended on ${waking.slice(0, 10)}` }).waitFor();
    await page.getByText(`times without a recorded offset at ${OFFSET}`).waitFor();
    expect(await page.locator('dl.facts').textContent()).toContain(`To${waking}`);
    await page.getByText('As a table').click();
    const stages = await rowsOf(page, 'Stages in order');
    expect(stages.map(([from, to]) => [from, to])).toEqual([
      [inAuckland(at(0)).slice(11), inAuckland(at(4)).slice(11)],
      [inAuckland(at(4)).slice(11), inAuckland(at(8)).slice(11)],
    ]);
  });

  it("shows a workout in the user's time zone", async () => {
    const page = await tests.open(`/users/${id}/workouts`, { width: 390 });
    const start = inAuckland(at(10));
    await page.getByText(`times without a recorded offset at ${OFFSET}`).waitFor();
    expect([await complaints(page), await overflow(page)]).toEqual([[], 0]);
    await page.getByRole('link', { name: start }).click();
    await page.getByRole('heading', { name: `Running on ${start}` }).waitFor();
    await page.getByText(`times without a recorded offset at ${OFFSET}`).waitFor();
  });
});

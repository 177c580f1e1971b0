import { repairJob } from '@healthd/daemon/repairs';
import { archiveOldData } from '@healthd/daemon/retention';
import { MS_PER_HOUR, type SleepSessionRecord } from '@healthd/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordedUser, recordWriter } from '../../support/recorded-user.js';
import { GARMIN, sample, samplesEvery } from '../../support/records.js';
import { type Call, startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let developer: Call;
beforeAll(async () => {
  service = await startTestService();
  developer = (await service.logIn()).call;
});
afterAll(() => service.stop());

const START = '2026-03-06T00:00:00Z';
const SOURCE = { source: GARMIN };
const RANGE = 'start_date=2026-03-01&end_date=2026-04-01';

/** Returns a night without an offset, and its heart rate. */
function night(start: string, bpm: number) {
  const startMs = Date.parse(start);
  const session: SleepSessionRecord = {
    kind: 'sleep_session',
    source: GARMIN,
    isNap: false,
    startMs,
    endMs: startMs + 8 * MS_PER_HOUR,
    asleepSeconds: 25_200,
  };
  return [session, sample('heart_rate', new Date(startMs + MS_PER_HOUR).toISOString(), bpm, SOURCE)];
}

async function shown(id: string) {
  const rows = async (name: string) =>
    (await service.call('GET', `/api/v1/users/${id}/summaries/${name}?${RANGE}`)).body.data;
  const days = await rows('activity');
  const nights = await rows('sleep');
  return {
    steps: days.flatMap(({ date, steps }: { date: string; steps: number | null }) => (steps ? [[date, steps]] : [])),
    nights: nights.map((row: Record<string, unknown>) => [row.date, row.duration_minutes, row.avg_heart_rate_bpm]),
  };
}

/** Redates the user's items, as after a change of the time zone. */
async function redate(): Promise<void> {
  const { pool } = service;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const signal = new AbortController().signal;
  const job = repairJob({ pool, writer: recordWriter({ pool }) });
  await job.run({}, { signal, attempt: 1, touch: async () => undefined, again: async () => true, log });
  expect((await pool.query('select from pending_repair')).rowCount).toBe(0);
}

// Four days in UTC, of which the first two are archived. Each hour has ten steps.
test.each([
  {
    zone: 'Asia/Tokyo',
    steps: { '2026-03-06': 240, '2026-03-07': 240, '2026-03-08': 150, '2026-03-09': 240, '2026-03-10': 90 },
    recentNight: '2026-03-09',
  },
  {
    // The new zone moves eight hours of the first unarchived day to the date of an archived day.
    zone: 'America/Los_Angeles',
    steps: { '2026-03-06': 240, '2026-03-07': 320, '2026-03-08': 230, '2026-03-09': 170 },
    recentNight: '2026-03-08',
  },
])('moves only unarchived samples and nights to the zone $zone', async ({ zone, steps, recentNight }) => {
  const { id } = await recordedUser(
    service,
    ...samplesEvery('steps', START, 60, new Array<number>(96).fill(10), SOURCE),
    ...night('2026-03-06T22:00:00Z', 50),
    ...night('2026-03-08T22:00:00Z', 60),
  );
  await archiveOldData({
    ...service.parts,
    settings: { archiveAfterDays: 1, deleteAfterDays: null },
    nowMs: Date.parse('2026-03-09T00:00:00Z'),
    log: { error: (fields: object) => expect(fields).toBeUndefined() },
  });
  const before = await shown(id);
  expect(before.steps).toEqual(['06', '07', '08', '09'].map((day) => [`2026-03-${day}`, 240]));
  const moved = {
    steps: Object.entries(steps),
    nights: [
      ['2026-03-07', 420, 50],
      [recentNight, 420, 60],
    ],
  };
  await developer('PATCH', `/api/v1/users/${id}`, { time_zone: zone });
  await redate();
  expect(await shown(id)).toEqual(moved);
  await developer('PATCH', `/api/v1/users/${id}`, { time_zone: 'UTC' });
  await redate();
  expect(await shown(id)).toEqual(before);
});

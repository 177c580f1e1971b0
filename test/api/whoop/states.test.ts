import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectedUser, openWhoopFixture, type WhoopFixture } from './whoop-fixture.js';

let fixture: WhoopFixture;
let users = 0;
beforeAll(async () => {
  fixture = await openWhoopFixture({ historicalSyncOnConnect: true });
});
afterAll(() => fixture.close());

type Row = Record<string, unknown>;
const hours = (n: number) => new Date(Date.now() - n * MS_PER_HOUR).toISOString();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const WIDE = `start_date=${dayOf(Date.now() - 60 * MS_PER_DAY)}&end_date=${dayOf(Date.now() + 2 * MS_PER_DAY)}&limit=100`;
const read = async ({ userId }: ConnectedUser, path: string): Promise<Row[]> =>
  (await fixture.call('GET', `/api/v1/users/${userId}${path}?${WIDE}`)).body.data;

async function connected(records: Parameters<WhoopFixture['control']['put']>[1]) {
  const account = `person ${++users}`;
  await fixture.control.addAccount({ id: account });
  await fixture.control.put(account, records);
  const user = await fixture.connect(account);
  await fixture.reading.settle();
  return {
    user,
    async change(changed: typeof records) {
      await fixture.control.put(account, changed);
      expect(await fixture.pull(user)).toMatchObject({ status: 'success' });
    },
  };
}

describe('a score', () => {
  const scored = { score_state: 'SCORED' } as const;
  const stages = {
    total_in_bed_time_milli: 28_800_000,
    total_awake_time_milli: 1_800_000,
    total_no_data_time_milli: 0,
    total_light_sleep_time_milli: 14_400_000,
    total_slow_wave_sleep_time_milli: 5_400_000,
    total_rem_sleep_time_milli: 7_200_000,
    sleep_cycle_count: 4,
    disturbance_count: 9,
  };
  const sleepNeed = {
    baseline_milli: 27_600_000,
    need_from_sleep_debt_milli: 0,
    need_from_recent_strain_milli: 0,
    need_from_recent_nap_milli: 0,
  };
  const sleep = { id: 'sleep', cycle_id: 1, start: hours(30), end: hours(22) };
  const kinds = {
    sleep: (state: object, value: number) => ({
      sleeps: [
        {
          ...sleep,
          ...state,
          score: { stage_summary: stages, sleep_needed: sleepNeed, sleep_performance_percentage: value },
        },
      ],
    }),
    workout: (state: object, value: number) => ({
      workouts: [
        {
          id: 'workout',
          start: hours(20),
          end: hours(19),
          sport_name: 'running',
          ...state,
          score: { strain: value, average_heart_rate: 141, max_heart_rate: 172, kilojoule: 2_140 },
        },
      ],
    }),
    cycle: (state: object, value: number) => ({
      cycles: [
        {
          id: 1,
          start: hours(30),
          end: hours(6),
          ...state,
          score: { strain: value, kilojoule: 9_120, average_heart_rate: 64, max_heart_rate: 158 },
        },
      ],
    }),
  };

  it.each(['sleep', 'workout', 'cycle'] as const)('of a %s has a value only in the state SCORED', async (kind) => {
    type Input = Parameters<WhoopFixture['control']['put']>[1];
    const of = (state: object, value: number) => kinds[kind](state, value) as Input;
    const { user, change } = await connected(of({ score_state: 'PENDING_SCORE' }, 1));
    const found = async () =>
      (await read(user, '/health-scores')).map(({ id, value, components }) => ({
        id,
        value,
        state: (components as Record<string, { qualifier: string }>).score_state?.qualifier,
      }));
    const [{ id, ...pending } = { id: undefined }] = await found();
    expect(pending).toEqual({ value: null, state: 'PENDING_SCORE' });
    await change(of(scored, 12));
    expect(await found()).toEqual([{ id, value: 12, state: 'SCORED' }]);
    await change(of(scored, 14));
    expect(await found()).toEqual([{ id, value: 14, state: 'SCORED' }]);
    await change(of({ score_state: 'UNSCORABLE' }, 14));
    const [last, ...more] = await found();
    expect(more).toEqual([]);
    expect(last).toMatchObject({ value: null, state: 'UNSCORABLE' });
  });

  it('that is pending leaves its night without sleep time until scored', async () => {
    const { user, change } = await connected(kinds.sleep({ score_state: 'PENDING_SCORE' }, 80));
    const [pending] = await fixture.nights(user.userKey);
    expect(pending).toMatchObject({ asleep_seconds: null });
    await change(kinds.sleep(scored, 80));
    expect(await fixture.nights(user.userKey)).toMatchObject([{ id: pending.id, asleep_seconds: 27_000 }]);
  });
});

it('shows a recovery score only after WHOOP supplies the score', async () => {
  const sleep = { id: 'n', cycle_id: 1, start: hours(30), end: hours(22) };
  const score = { user_calibrating: false, recovery_score: 71, resting_heart_rate: 52, hrv_rmssd_milli: 63.4 };
  const { user, change } = await connected({ sleeps: [sleep] });
  expect((await fixture.scores(user.userKey)).map(({ id }) => id)).toEqual(['sleep/n']);
  expect((await read(user, '/summaries/recovery')).filter((row) => row.recovery_score !== null)).toEqual([]);
  await change({ recoveries: [{ sleep_id: 'n', cycle_id: 1, score, score_state: 'SCORED' }] });
  expect(await read(user, '/summaries/recovery')).toMatchObject([
    { recovery_score: 71, avg_hrv_rmssd_ms: 63.4, avg_hrv_sdnn_ms: null, resting_heart_rate_bpm: 52 },
  ]);
  expect((await read(user, '/health-scores')).map(({ provider }) => provider)).toEqual(['whoop', 'whoop']);
});

it("keeps the zone offsets of a traveler's nights, naps and workouts", async () => {
  const midnight = (back: number) => (Math.floor(Date.now() / MS_PER_DAY) - back) * MS_PER_DAY;
  const at = (back: number, hour: number, offset: number) =>
    new Date(midnight(back) + (hour - offset) * MS_PER_HOUR).toISOString();
  const score = { user_calibrating: false, recovery_score: 60, resting_heart_rate: 50, hrv_rmssd_milli: 50 };
  const tokyo = { timezone_offset: '+09:00' };
  const losAngeles = { timezone_offset: '-08:00' };
  const { user } = await connected({
    sleeps: [
      { id: 'tokyo', cycle_id: 1, start: at(6, 0, 9), end: at(6, 7, 9), ...tokyo },
      { id: 'nap', cycle_id: 1, start: at(6, 14, 9), end: at(6, 15, 9), nap: true, ...tokyo },
      { id: 'los angeles', cycle_id: 2, start: at(5, 0, -8), end: at(5, 7, -8), ...losAngeles },
    ],
    recoveries: [
      { sleep_id: 'tokyo', cycle_id: 1, score },
      { sleep_id: 'los angeles', cycle_id: 2, score },
    ],
    workouts: [{ id: 'run', start: at(5, 20, -8), end: at(5, 21, -8), sport_name: 'running', ...losAngeles }],
  });
  const sessions = await read(user, '/events/sleep');
  expect(
    sessions
      .toSorted((a, b) => String(a.start_time).localeCompare(String(b.start_time)))
      .map(({ is_nap, zone_offset }) => [is_nap, zone_offset]),
  ).toEqual([
    [false, '+09:00'],
    [true, '+09:00'],
    [false, '-08:00'],
  ]);
  expect(await read(user, '/events/workouts')).toMatchObject([{ zone_offset: '-08:00' }]);
  expect((await read(user, '/summaries/recovery')).map(({ date, recovery_score: value }) => [date, value])).toEqual([
    [dayOf(midnight(6)), 60],
    [dayOf(midnight(5)), 60],
  ]);
});

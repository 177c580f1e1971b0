import { MS_PER_DAY, MS_PER_HOUR, type SampleRecord, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VendorApi } from '../../cloud/index.js';
import { consent } from './testing/consent.js';
import type { Held } from './testing/held.js';
import { MODES } from './testing/modes.js';
import { pull } from './testing/pull.js';

const NOW = '2026-11-02T10:20:00Z';
/** Includes the last Sunday of October, when clocks in Berlin go back. */
const RANGE = { startMs: Date.parse(NOW) - 20 * MS_PER_DAY, endMs: Date.parse(NOW) };

/** Series by data type, with the number of vendor units per unit of the series. */
const SERIES: readonly (readonly [type: string, series: SeriesCode, per: number])[] = [
  ['steps', 'steps', 1],
  ['distance', 'distance_walking_running', 1000],
  ['active-energy-burned', 'energy', 1],
  ['heart-rate', 'heart_rate', 1],
  ['weight', 'weight', 1000],
  ['body-fat', 'body_fat_percentage', 1],
  ['blood-glucose', 'blood_glucose', 1],
  ['core-body-temperature', 'body_temperature', 1],
];
const READ_AS_POINTS: typeof SERIES = [
  ['height', 'height', 10],
  ['oxygen-saturation', 'oxygen_saturation', 1],
  ['heart-rate-variability', 'heart_rate_variability_rmssd', 1],
];
const DATED: typeof SERIES = [
  ['daily-resting-heart-rate', 'resting_heart_rate', 1],
  ['daily-respiratory-rate', 'respiratory_rate', 1],
  ['daily-sleep-temperature-derivations', 'skin_temperature', 1],
];

let simulator: GoogleSimulator;
let api: VendorApi;
let scopes: ReadonlySet<string>;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true, now: NOW, quota: { perUser: 100_000 } });
  await simulator.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
  await simulator.control.seedHistory('anna', { seed: 7, days: 25 });
  ({ api, scopes } = await consent(simulator, 'anna'));
});
afterAll(() => simulator.close());

const rounded = (value: number) => Number(value.toFixed(6));
const inRange = ({ startMs }: { startMs: number }) => startMs >= RANGE.startMs && startMs < RANGE.endMs;
const inOrder = (rows: (string | number | undefined)[][]) => rows.map((row) => row.join(' ')).sort();

function heldOf(held: Held, series: SeriesCode): SampleRecord[] {
  const { id } = seriesTypeByCode(series);
  return held.samples.filter(({ typeId }) => typeId === id);
}

async function expectPoints(held: Held, mode: 'reconcile' | 'list', rows: typeof SERIES): Promise<void> {
  for (const [type, series, per] of rows) {
    const truth = (await simulator.control.truePoints('anna', type, mode)).filter(inRange);
    expect(truth.length, type).toBeGreaterThan(0);
    const wanted = truth.map(({ startMs, endMs, utcOffsetSeconds, value }) => [
      startMs,
      endMs,
      utcOffsetSeconds,
      rounded((value ?? Number.NaN) / per),
    ]);
    const found = heldOf(held, series)
      .filter((sample) => inRange(sample) && sample.sampleKind === 'sample')
      .map(({ startMs, durationMs = 0, offsetMinutes, value }) => [
        startMs,
        startMs + durationMs,
        offsetMinutes && offsetMinutes * 60,
        rounded(value),
      ]);
    expect(inOrder(found), type).toEqual(inOrder(wanted));
  }
}

async function expectDates(held: Held, mode: 'reconcile' | 'list'): Promise<void> {
  for (const [type, series, per] of DATED) {
    const truth = (await simulator.control.truePoints('anna', type, mode)).filter(inRange);
    expect(truth.length, type).toBeGreaterThan(0);
    const wanted = truth.map(({ startMs, endMs, value }) => [startMs, endMs, rounded((value ?? Number.NaN) / per)]);
    const found = heldOf(held, series).filter(inRange);
    expect(found.every(({ sampleKind }) => sampleKind === 'daily_total')).toBe(true);
    const rows = found.map(({ startMs, durationMs = 0, value }) => [startMs, startMs + durationMs, rounded(value)]);
    expect(inOrder(rows), type).toEqual(inOrder(wanted));
  }
}

async function expectSessions(held: Held): Promise<void> {
  const overlaps = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
    startMs < RANGE.endMs && endMs > RANGE.startMs;
  const sleeps = (await simulator.control.trueSleeps('anna')).filter(overlaps);
  const nights = held.sessions.filter((session) => session.kind === 'sleep_session');
  expect(nights.length).toBeGreaterThan(15);
  const night = (session: (typeof nights)[number]) => [
    session.externalId,
    session.startMs,
    session.endMs,
    (session.offsetMinutes ?? Number.NaN) * 60,
    String(session.isNap),
    session.inBedSeconds,
    session.asleepSeconds,
    session.awakeSeconds,
    session.deepSeconds,
    session.stages?.length,
  ];
  const trueNight = (sleep: (typeof sleeps)[number]) => [
    sleep.name,
    sleep.startMs,
    sleep.endMs,
    sleep.endOffsetSeconds,
    String(sleep.nap),
    sleep.minutesInBed * 60,
    sleep.minutesAsleep * 60,
    sleep.minutesAwake * 60,
    (sleep.stageMinutes.DEEP ?? Number.NaN) * 60,
    sleep.stages.length,
  ];
  expect(inOrder(nights.filter(({ deepSeconds }) => deepSeconds !== undefined).map(night))).toEqual(
    inOrder(sleeps.filter(({ stageMinutes }) => stageMinutes.DEEP !== undefined).map(trueNight)),
  );
  expect(nights.length).toBe(sleeps.length);
  const exercises = (await simulator.control.trueExercises('anna')).filter(overlaps);
  expect(exercises.length).toBeGreaterThan(3);
  const workouts = held.sessions.filter((session) => session.kind === 'workout');
  expect(
    inOrder(
      workouts.map((workout) => [
        workout.externalId,
        workout.startMs,
        workout.endMs,
        String(workout.metadata?.vendor_type),
        workout.movingSeconds,
        workout.totalCaloriesKcal,
        workout.distanceMeters,
        workout.stepsCount,
        workout.heartRateAvg,
        workout.elevationGainMeters,
      ]),
    ),
  ).toEqual(
    inOrder(
      // The vendor omits zero counts, so a count of zero is unknown.
      exercises.map((one) => [
        one.name,
        one.startMs,
        one.endMs,
        one.type,
        one.activeSeconds,
        one.energyKcal,
        one.distanceMillimeters && one.distanceMillimeters / 1000,
        one.steps || undefined,
        one.averageHeartRate,
        one.elevationGainMillimeters && one.elevationGainMillimeters / 1000,
      ]),
    ),
  );
}

async function expectBasal(held: Held, mode: 'hourly' | 'daily', from: number): Promise<void> {
  const active = new Map(
    (await simulator.control.trueWindows('anna', 'active-energy-burned', mode)).map(({ startMs, sum }) => [
      startMs,
      sum,
    ]),
  );
  const totals = await simulator.control.trueWindows('anna', 'total-calories', mode);
  const wanted = totals
    .filter(({ startMs }) => startMs >= from)
    .map(({ startMs, sum = 0 }) => [startMs, rounded(sum - (active.get(startMs) ?? 0)).toFixed(3)]);
  expect(wanted.length).toBeGreaterThan(10);
  const found = heldOf(held, 'basal_energy').map(({ startMs, value }) => [startMs, value.toFixed(3)]);
  expect(inOrder(found)).toEqual(inOrder(wanted));
}

describe('history of 20 days', () => {
  it('contains the merged stream without devices in reconcile mode', async () => {
    const held = await pull(api, scopes, RANGE, MODES.reconcile);
    await expectPoints(held, 'reconcile', [...SERIES, ...READ_AS_POINTS, ['floors', 'flights_climbed', 1]]);
    await expectDates(held, 'reconcile');
    await expectSessions(held);
    await expectBasal(held, 'hourly', Math.floor(RANGE.startMs / MS_PER_HOUR) * MS_PER_HOUR);
    const sources = [...held.samples, ...held.sessions].map(({ source }) => JSON.stringify(source));
    expect([...new Set(sources)]).toEqual(['{"provider":"google","writer":"google_health_api"}']);
  });

  it('contains every source with its device in list mode', async () => {
    const held = await pull(api, scopes, RANGE, MODES.list);
    await expectPoints(held, 'list', [...SERIES, ...READ_AS_POINTS]);
    await expectDates(held, 'list');
    const steps = heldOf(held, 'steps').map(({ source }) => [source.writer, source.deviceModel, source.deviceType]);
    expect([...new Set(steps.map((source) => source.join(' ')))].sort()).toEqual([
      'google_health_api Tracker Nova unknown',
      'google_health_api/com.example.pedometer acme phone phone',
    ]);
    // Counts each night and workout once, although two sources report some of them.
    const starts = held.sessions.map(({ kind, startMs }) => `${kind} ${Math.round(startMs / MS_PER_HOUR)}`);
    expect(new Set(starts).size).toBe(held.sessions.length);
    expect(held.sessions.length).toBeGreaterThan(20);
  });

  it('contains whole hours at hourly granularity', async () => {
    const held = await pull(api, scopes, RANGE, MODES.hourly);
    const from = Math.floor(RANGE.startMs / MS_PER_HOUR) * MS_PER_HOUR;
    for (const [type, series, per] of [...SERIES, ['floors', 'flights_climbed', 1] as const]) {
      const windows = (await simulator.control.trueWindows('anna', type, 'hourly')).filter(
        (one) => one.startMs >= from,
      );
      expect(windows.length, type).toBeGreaterThan(0);
      const wanted = windows.map(({ startMs, sum, avg }) => [startMs, MS_PER_HOUR, rounded((sum ?? avg ?? 0) / per)]);
      const found = heldOf(held, series);
      expect(found.every(({ sampleKind }) => sampleKind === 'sample')).toBe(true);
      const rows = found.map(({ startMs, durationMs, value }) => [startMs, durationMs, rounded(value)]);
      expect(inOrder(rows), type).toEqual(inOrder(wanted));
    }
    await expectPoints(held, 'reconcile', READ_AS_POINTS);
    await expectDates(held, 'reconcile');
    await expectSessions(held);
    await expectBasal(held, 'hourly', from);
  });

  it.each(['exclusive', 'inclusive'] as const)(
    'contains whole local days at daily granularity with %s ends',
    async (end) => {
      await simulator.control.setBehaviour({ dailyRollUpEnd: end });
      const held = await pull(api, scopes, RANGE, MODES.daily);
      await simulator.control.setBehaviour({ dailyRollUpEnd: 'exclusive' });
      const from = Date.parse('2026-10-12T22:00:00Z');
      for (const [type, series, per] of [...SERIES, ['floors', 'flights_climbed', 1] as const]) {
        const windows = (await simulator.control.trueWindows('anna', type, 'daily')).filter(
          (one) => one.startMs >= from,
        );
        expect(windows.length, type).toBeGreaterThan(0);
        const wanted = windows.map(({ startMs, endMs, sum, avg }) => [
          startMs,
          endMs - startMs,
          rounded((sum ?? avg ?? 0) / per),
        ]);
        const found = heldOf(held, series);
        expect(found.every(({ sampleKind }) => sampleKind === 'daily_total')).toBe(true);
        const rows = found.map(({ startMs, durationMs, value }) => [startMs, durationMs, rounded(value)]);
        expect(inOrder(rows), type).toEqual(inOrder(wanted));
      }
      const lengths = new Set(heldOf(held, 'steps').map(({ durationMs = 0 }) => durationMs / MS_PER_HOUR));
      expect(lengths).toEqual(new Set([24, 25]));
      await expectDates(held, 'reconcile');
      await expectSessions(held);
      await expectBasal(held, 'daily', from);
    },
  );
});

import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

let fixture: GoogleFixture;
afterEach(() => fixture.close());

const STEPS = 'steps';
const add = (...points: Parameters<GoogleFixture['control']['addPoints']>[1]) =>
  fixture.control.addPoints('anna', points, { notify: false });

describe('a night from 23:10 to 06:40, synced at 06:55', () => {
  const night = (processed: boolean) => ({
    dataType: 'sleep',
    id: 'night',
    startTime: '2026-11-09T22:10:00Z',
    endTime: '2026-11-10T05:40:00Z',
    value: {
      type: processed ? 'STAGES' : 'CLASSIC',
      metadata: processed ? { processed: true } : {},
      summary: { minutesInSleepPeriod: '450', minutesAsleep: processed ? '412' : '440' },
    },
  });

  it('is replaced in place after processing', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-09T20:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.sleep });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    for (const hour of ['21', '22', '23']) {
      await fixture.at(`2026-11-09T${hour}:00:00Z`);
      expect((await fixture.pull(anna))?.status).toBe('success');
    }
    await fixture.at('2026-11-10T05:55:00Z');
    await add(night(false));
    await fixture.at('2026-11-10T06:00:00Z');
    await fixture.pull(anna);
    const first = await fixture.nights(anna.userKey);
    expect(first).toMatchObject([{ wake_date: '2026-11-10', asleep_seconds: 440 * 60 }]);
    await fixture.at('2026-11-10T07:00:00Z');
    await add(night(true));
    await fixture.pull(anna);
    const after = await fixture.nights(anna.userKey);
    expect(after).toMatchObject([{ id: first[0].id, wake_date: '2026-11-10', asleep_seconds: 412 * 60 }]);
    const { body } = await fixture.call(
      'GET',
      `/api/v1/users/${anna.userId}/summaries/sleep?start_date=2026-11-09&end_date=2026-11-12`,
    );
    expect(body.data).toHaveLength(1);
  });
});

describe("today's resting heart rate, published at 09:00", () => {
  it.each([
    ['America/Los_Angeles', '2026-11-10T17:00:00Z'],
    ['Asia/Tokyo', '2026-11-10T00:00:00Z'],
  ])('has the local date of a user in %s in pull mode', async (timeZone, published) => {
    fixture = await openGoogleFixture({ now: '2026-11-08T12:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone, grants: GRANTS.health });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    await fixture.at(new Date(Date.parse(published) - MS_PER_HOUR).toISOString());
    await fixture.pull(anna);
    await fixture.at(published);
    await add({ dataType: 'daily-resting-heart-rate', date: '2026-11-10', value: 57 });
    await fixture.wait(60);
    await fixture.pull(anna);
    expect(await fixture.days(anna.userKey, 'resting_heart_rate')).toEqual({
      '2026-11-10': { sum: null, total: 57 },
    });
  });
});

describe('overlapping steps of phone and tracker', () => {
  it('match a fresh read after the tracker syncs late', async () => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:00:00Z' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    const walk = (source: 'phone' | 'tracker', from: string, to: string, value: number) => ({
      dataType: STEPS,
      startTime: `2026-11-10T${from}Z`,
      endTime: `2026-11-10T${to}Z`,
      value,
      source,
    });
    await add(walk('phone', '08:59:40', '09:20:10', 2000), walk('phone', '09:40:10', '10:00:20', 1500));
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    expect((await fixture.days(anna.userKey, STEPS))['2026-11-10']).toEqual({ sum: 3500, total: null });
    await fixture.at('2026-11-10T15:00:00Z');
    await add(walk('tracker', '09:00:00', '09:45:00', 4200));
    const run = await fixture.pull(anna);
    expect(run?.metadata.data_types.steps.deleted).toBeGreaterThan(0);
    const truth = await fixture.control.truePoints('anna', STEPS, 'reconcile');
    const stored = await fixture.samples(anna.userKey, STEPS);
    expect(stored.map(({ start, value }) => [Date.parse(start), value])).toEqual(
      truth.map(({ startMs, value }) => [startMs, value]),
    );
    const total = truth.reduce((sum, { value = 0 }) => sum + value, 0);
    expect((await fixture.days(anna.userKey, STEPS))['2026-11-10']).toEqual({ sum: total, total: null });
  });
});

describe('daily mode polled every quarter of an hour', () => {
  it('keeps one growing row per local day across a clock change', async () => {
    // Berlin puts its clocks back on 25 October 2026: that day has 25 hours.
    fixture = await openGoogleFixture({ now: '2026-10-24T20:00:00Z', granularity: 'daily' });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    const seen: Record<string, number> = {};
    // Quarter hours before the clock change, during it, and around the following midnight.
    const quarters = [...Array(20).keys(), ...Array.from({ length: 8 }, (_, index) => index + 100)];
    for (const quarter of quarters) {
      const atMs = Date.parse('2026-10-24T21:00:00Z') + quarter * 900_000;
      const at = new Date(atMs).toISOString();
      await fixture.at(at);
      const startTime = new Date(atMs - 600_000).toISOString();
      await add({ dataType: STEPS, startTime, endTime: at, value: 10 + quarter });
      await fixture.pull(anna);
      const rows = (await fixture.samples(anna.userKey, STEPS)).filter(({ kind }) => kind === 1);
      const days = await fixture.days(anna.userKey, STEPS);
      expect(rows).toHaveLength(Object.keys(days).length);
      for (const [date, { total }] of Object.entries(days)) {
        expect(total ?? 0, `${date} at ${at}`).toBeGreaterThanOrEqual(seen[date] ?? 0);
        seen[date] = total ?? 0;
      }
    }
    expect(Object.keys(seen)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
    const truth = await fixture.control.trueWindows('anna', STEPS, 'daily');
    expect(Object.entries(seen)).toEqual(truth.map(({ date, sum }) => [date, sum]));
  });
});

describe('hourly mode with a lookback of two days', () => {
  it('keeps rows and sums when hours are reread', async () => {
    fixture = await openGoogleFixture({
      now: '2026-11-10T12:00:00Z',
      granularity: 'hourly',
      settings: { pullSyncLookbackMs: 2 * MS_PER_DAY },
    });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin', grants: GRANTS.activity });
    await fixture.control.seedHistory('anna', { seed: 3, days: 6, dataTypes: [STEPS] });
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    await fixture.pull(anna);
    const fromMs = Date.parse('2026-11-09T00:00:00Z');
    const rows = async () =>
      (await fixture.samples(anna.userKey, STEPS)).filter(({ start }) => Date.parse(start) >= fromMs);
    const first = await rows();
    expect(first.length).toBeGreaterThan(5);
    for (const minutes of [17, 34, 51]) {
      await fixture.at(`2026-11-10T12:${minutes}:00Z`);
      await fixture.pull(anna);
      expect(await rows()).toEqual(first);
    }
    const points = await fixture.control.truePoints('anna', STEPS, 'reconcile');
    const raw = points.filter(({ startMs }) => startMs >= fromMs).reduce((sum, { value = 0 }) => sum + value, 0);
    expect(first.reduce((sum, { value }) => sum + value, 0)).toBe(raw);
    expect(first.every(({ start, minutes }) => Date.parse(start) % MS_PER_HOUR === 0 && minutes === 60)).toBe(true);
  });
});

describe('core temperature, glucose and hydration', () => {
  it.each(['raw', 'hourly', 'daily'] as const)("have the service's units at %s granularity", async (granularity) => {
    fixture = await openGoogleFixture({ now: '2026-11-10T12:30:00Z', granularity });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'UTC' });
    const startTime = '2026-11-10T08:15:00Z';
    await add(
      { dataType: 'core-body-temperature', startTime, value: 36.8 },
      { dataType: 'blood-glucose', startTime, value: 99 },
      {
        dataType: 'hydration-log',
        startTime,
        endTime: '2026-11-10T08:16:00Z',
        value: { amountConsumed: { milliliters: 250 } },
      },
    );
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    for (const [code, value] of [
      ['body_temperature', 36.8],
      ['blood_glucose', 99],
      ['hydration', 250],
    ] as const) {
      const stored = await fixture.samples(anna.userKey, code);
      expect(
        stored.map((sample) => sample.value),
        code,
      ).toEqual([value]);
    }
  });
});

import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ConsentedClient } from '../consented-client.js';
import { rollUpSchema, stepsPointSchema } from '../response-schemas.js';
import type { GoogleSimulator } from '../simulator.js';
import { startGoogleSimulator } from '../start.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator({ autoConsent: true, quota: { perUser: 100_000 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  // Berlin changed to daylight saving time on March 29.
  await simulator.control.setClock('2026-04-10T12:00:00Z');
  await simulator.control.addAccount({ id: 'anna', timeZone: 'Europe/Berlin' });
});

const TYPES = [
  'steps',
  'distance',
  'active-energy-burned',
  'heart-rate',
  'weight',
  'hydration-log',
  'daily-resting-heart-rate',
  'heart-rate-variability',
  'oxygen-saturation',
  'exercise',
  'sleep',
];

test.each(['reconcile', 'list'] as const)('returns the expected points over all pages of %s', async (mode) => {
  await simulator.control.seedHistory('anna', { seed: 3, days: 30, density: 'full' });
  const client = await ConsentedClient.connect(simulator, 'anna');
  for (const dataType of TYPES) {
    const path = `dataTypes/${dataType}/dataPoints${mode === 'reconcile' ? ':reconcile' : ''}`;
    const read = (await client.pages(path, { pageSize: '10000' })).flat().reverse();
    const truth = await simulator.control.truePoints('anna', dataType, mode);
    expect(truth.length, dataType).toBeGreaterThan(2);
    expect(read.map(startOf), dataType).toEqual(
      truth.map(({ startMs, date }) => (dataType.startsWith('daily') ? date : startMs)),
    );
    if (dataType === 'steps') {
      expect(read.map((point) => Number(stepsPointSchema.parse(point).steps.count ?? 0))).toEqual(
        truth.map(({ value }) => value),
      );
    }
  }
});

const timedSchema = z.looseObject({
  interval: z.looseObject({ startTime: z.string() }).optional(),
  sampleTime: z.looseObject({ physicalTime: z.string() }).optional(),
  date: z.looseObject({ year: z.number(), month: z.number(), day: z.number() }).optional(),
});

function startOf(point: Record<string, unknown>): string | number {
  const payload = Object.entries(point).find(([name]) => !/^(name|dataPointName|dataSource)$/.test(name))![1];
  const { interval, sampleTime, date } = timedSchema.parse(payload);
  if (date) return [date.year, date.month, date.day].map((part) => String(part).padStart(2, '0')).join('-');
  return Date.parse(String(interval?.startTime ?? sampleTime?.physicalTime));
}

/** Returns a member's sum in a window. Responses contain integers as strings. */
function sumIn(window: unknown, member: string): number | undefined {
  return z.record(z.string(), z.coerce.number()).parse(window)[member];
}

test('rolls up hours and days to the expected values', async () => {
  await simulator.control.seedHistory('anna', { seed: 3, days: 30 });
  const client = await ConsentedClient.connect(simulator, 'anna');
  const from = Date.parse('2026-03-27T00:00:00Z');
  for (const [dataType, member, sum] of [
    ['steps', 'steps', 'countSum'],
    ['total-calories', 'totalCalories', 'kcalSum'],
  ] as const) {
    const hours = await client.post(`dataTypes/${dataType}/dataPoints:rollUp`, {
      range: { startTime: new Date(from).toISOString(), endTime: new Date(from + 7 * MS_PER_DAY).toISOString() },
      windowSize: '3600s',
      pageSize: 168,
    });
    const trueHours = (await simulator.control.trueWindows('anna', dataType, 'hourly')).filter(
      ({ startMs }) => startMs >= from && startMs < from + 7 * MS_PER_DAY,
    );
    const read = hours.as(rollUpSchema).rollupDataPoints.reverse();
    expect(read.map(({ startTime }) => Date.parse(startTime!))).toEqual(trueHours.map(({ startMs }) => startMs));
    for (const [n, hour] of read.entries()) expect(sumIn(hour[member], sum) ?? 0).toBeCloseTo(trueHours[n]!.sum!, 6);

    const range = {
      start: { date: { year: 2026, month: 3, day: 27 } },
      end: { date: { year: 2026, month: 4, day: 3 } },
    };
    const days = await client.post(`dataTypes/${dataType}/dataPoints:dailyRollUp`, { range });
    const trueDays = (await simulator.control.trueWindows('anna', dataType, 'daily')).filter(
      ({ date }) => date! >= '2026-03-27' && date! < '2026-04-03',
    );
    const daySums = days
      .as(rollUpSchema)
      .rollupDataPoints.reverse()
      .map((day) => sumIn(day[member], sum));
    for (const [n, value] of daySums.entries()) expect(value).toBeCloseTo(trueDays[n]!.sum!, 6);
    expect(daySums).toHaveLength(7);
    const short = trueDays.find(({ date }) => date === '2026-03-29')!;
    expect(short.endMs - short.startMs).toBe(23 * MS_PER_HOUR);
  }
});

test('keeps merged steps between the tracker’s steps and the total', async () => {
  await simulator.control.seedHistory('anna', { days: 10, density: 'full' });
  const total = (points: { value?: number }[]) => points.reduce((sum, { value = 0 }) => sum + value, 0);
  const listed = await simulator.control.truePoints('anna', 'steps', 'list');
  const merged = total(await simulator.control.truePoints('anna', 'steps', 'reconcile'));
  expect(merged).toBeLessThan(total(listed));
  expect(merged).toBeGreaterThan(total(listed.filter(({ source }) => source === 'tracker')));
});

test('generates the same history only for the same seed', async () => {
  const steps = async (account: string, seed: number) => {
    await simulator.control.seedHistory(account, { seed, days: 5 });
    return simulator.control.truePoints(account, 'steps', 'list');
  };
  await simulator.control.setBehaviour({});
  await simulator.control.addAccount({ id: 'ben' });
  await simulator.control.addAccount({ id: 'cleo' });
  const anna = await steps('anna', 4);
  expect(await steps('ben', 4)).toEqual(anna);
  expect(await steps('cleo', 5)).not.toEqual(anna);
});

test('contains one consistent night per date', async () => {
  await simulator.control.seedHistory('anna', { days: 20 });
  const nights = (await simulator.control.trueSleeps('anna')).filter(({ nap }) => !nap);
  expect(nights.map(({ date }) => date)).toEqual([...new Set(nights.map(({ date }) => date))]);
  expect(nights).toHaveLength(20);
  for (const night of nights.filter(({ processed }) => processed)) {
    expect(night.minutesInBed).toBe((night.endMs - night.startMs) / MS_PER_MINUTE);
    const { LIGHT = 0, DEEP = 0, REM = 0 } = night.stageMinutes;
    expect(night.minutesAsleep).toBe(LIGHT + DEEP + REM);
    expect(night.stages.at(-1)!.endMs).toBe(night.endMs);
  }
});

test('reports a new night first as unprocessed, then as processed', async () => {
  await simulator.control.setClock('2026-04-10T03:00:00Z');
  await simulator.control.seedHistory('anna', { days: 3 });
  const before = (await simulator.control.trueSleeps('anna')).length;
  const seen: { name: string; processed: boolean }[] = [];
  for (let n = 0; n < 36; n++) {
    await simulator.control.advanceClock(600);
    await simulator.control.growHistory('anna');
    const sleeps = await simulator.control.trueSleeps('anna');
    const { name, processed } = sleeps[before] ?? { name: '', processed: false };
    if (name !== '') seen.push({ name, processed });
  }
  expect(new Set(seen.map(({ name }) => name)).size).toBe(1);
  expect(seen[0]!.processed).toBe(false);
  expect(seen.at(-1)!.processed).toBe(true);
});

test('generates the same history in small steps and in one step', async () => {
  await simulator.control.addAccount({ id: 'ben', timeZone: 'Europe/Berlin' });
  await simulator.control.setClock('2026-04-09T00:00:00Z');
  await simulator.control.seedHistory('anna', { days: 4 });
  for (let n = 0; n < 24; n++) {
    await simulator.control.advanceClock(3600);
    await simulator.control.growHistory('anna');
  }
  await simulator.control.seedHistory('ben', { days: 5 });
  for (const dataType of TYPES) {
    const [anna, ben] = await Promise.all(
      ['anna', 'ben'].map(async (account) => {
        const points = await simulator.control.truePoints(account, dataType, 'list');
        return points.map(({ startMs, members }) => ({ startMs, members }));
      }),
    );
    expect(anna, dataType).toEqual(ben);
  }
});

test('generates 5,000 to 20,000 points for 90 days of light density', async () => {
  const { points } = await simulator.control.seedHistory('anna', { days: 90 });
  expect(points).toBeGreaterThan(5000);
  expect(points).toBeLessThan(20_000);
});

import { localDate, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import { type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MODES } from './testing/modes.js';
import { connectUser, SIMULATED, sum, valuesOf } from './testing/user.js';

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator(SIMULATED);
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

describe('rolled-up modes', () => {
  const walk = (startTime: string, minutes: number, value: number) => ({
    dataType: 'steps',
    startTime,
    endTime: new Date(Date.parse(startTime) + minutes * MS_PER_MINUTE).toISOString(),
    value,
  });

  it('keep one growing row per local day across a clock change', async () => {
    const anna = await connectUser(simulator, '2026-10-25T20:00:00Z');
    const seen: number[] = [];
    for (let quarter = 0; quarter < 24; quarter++) {
      await anna.add(walk(await simulator.control.now(), 5, 100));
      await simulator.control.advanceClock(900);
      await anna.poll('steps', MODES.daily);
      seen.push(valuesOf(anna.held, 'steps')[0] ?? 0);
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const hours = anna.held.samples.map(({ durationMs = 0 }) => durationMs / MS_PER_HOUR).sort();
    expect(hours).toEqual([24, 25]);
    expect(sum(valuesOf(anna.held, 'steps'))).toBe(2400);
  });

  it('keep hourly rows whose sum equals the raw sum', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:37:00Z');
    await anna.add(...[8, 9, 10, 11].map((hour) => walk(`2026-11-10T0${hour}:50:00Z`.replace('T01', 'T1'), 5, 250)));
    await anna.poll('steps', MODES.hourly);
    const rows = anna.held.samples.length;
    await simulator.control.advanceClock(600);
    await anna.poll('steps', MODES.hourly);
    expect(anna.held.samples.length).toBe(rows);
    expect(sum(valuesOf(anna.held, 'steps'))).toBe(1000);
  });

  it.each([
    ['Asia/Tokyo', 'Europe/London'],
    ['Asia/Tokyo', 'America/Los_Angeles'],
    ['Pacific/Auckland', 'Pacific/Honolulu'],
    ['America/Los_Angeles', 'Asia/Tokyo'],
    ['Pacific/Honolulu', 'Pacific/Auckland'],
  ])('keep each day once after a flight from %s to %s', async (from, to) => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z', from);
    await anna.add(walk('2026-11-08T03:00:00Z', 10, 500), walk('2026-11-09T03:00:00Z', 10, 900));
    await anna.add(walk('2026-11-10T03:00:00Z', 10, 700));
    await anna.poll('steps', MODES.daily, 72);
    const dates = () => anna.held.samples.map(({ startMs, offsetMinutes }) => localDate(startMs, offsetMinutes ?? 0));
    const before = dates();
    expect(before).toHaveLength(3);
    await simulator.control.updateAccount('anna', { timeZone: to });
    await anna.poll('steps', MODES.daily, 24);
    const [unread] = before.sort();
    expect(dates()).toContain(unread);
    expect(new Set(dates()).size).toBe(dates().length);
  });

  it('replace raw readings on days with roll-ups', async () => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    await anna.add(walk('2026-11-08T15:00:00Z', 10, 500), walk('2026-11-10T08:00:00Z', 10, 700));
    await anna.poll('steps', MODES.reconcile, 72);
    await anna.poll('steps', MODES.daily, 24);
    expect(valuesOf(anna.held, 'steps')).toEqual([500, 700]);
    expect(anna.held.samples.map(({ sampleKind }) => sampleKind).sort()).toEqual(['daily_total', 'sample']);
  });

  it.each([
    ['by the hour', MODES.reconcile],
    ['by the day', MODES.daily],
  ])('store no resting energy %s if only active energy exists', async (_, mode) => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    const active = (startTime: string, endTime: string) => ({
      dataType: 'active-energy-burned',
      startTime,
      endTime,
      value: 50,
    });
    await anna.add(
      active('2026-11-09T08:10:00Z', '2026-11-09T08:20:00Z'),
      active('2026-11-10T08:10:00Z', '2026-11-10T08:20:00Z'),
      {
        dataType: 'basal-energy-burned',
        startTime: '2026-11-10T08:00:00Z',
        endTime: '2026-11-10T09:00:00Z',
        value: 70,
      },
    );
    await anna.poll('total-calories', mode);
    expect(valuesOf(anna.held, 'basal_energy')).toEqual([70]);
  });

  it.each(Object.entries(MODES))('convert temperature, glucose and drinks in mode %s', async (_, mode) => {
    const anna = await connectUser(simulator, '2026-11-10T12:00:00Z');
    const startTime = '2026-11-10T08:00:00Z';
    const endTime = '2026-11-10T08:01:00Z';
    await anna.add(
      { dataType: 'core-body-temperature', startTime, value: { temperatureCelsius: 36.8 } },
      { dataType: 'blood-glucose', startTime, value: { bloodGlucoseMilligramsPerDeciliter: 96 } },
      { dataType: 'hydration-log', id: 'a', startTime, endTime, value: { amountConsumed: { milliliters: 330 } } },
      { dataType: 'hydration-log', id: 'b', startTime, endTime, value: { amountConsumed: { milliliters: 200 } } },
    );
    for (const type of ['core-body-temperature', 'blood-glucose', 'hydration-log']) await anna.poll(type, mode);
    expect(valuesOf(anna.held, 'body_temperature')).toEqual([36.8]);
    expect(valuesOf(anna.held, 'blood_glucose')).toEqual([96]);
    expect(valuesOf(anna.held, 'hydration')).toEqual([530]);
  });
});

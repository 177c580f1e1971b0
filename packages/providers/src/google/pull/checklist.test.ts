import { localDate, type SeriesCode, seriesTypeByCode } from '@healthd/model';
import { type GoogleFault, type GoogleSimulator, startGoogleSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PullMode, type TimeRange, VendorError } from '../../cloud/index.js';
import { SCOPES } from '../scopes.js';
import { GOOGLE_PULL } from './adapter.js';
import { consent } from './testing/consent.js';
import { Held } from './testing/held.js';
import { MODES } from './testing/modes.js';
import { pull } from './testing/pull.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let simulator: GoogleSimulator;
beforeAll(async () => {
  simulator = await startGoogleSimulator({
    autoConsent: true,
    accessTokenSeconds: 7 * 86_400,
    quota: { perUser: 100_000 },
  });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

interface Person {
  /** Reads `only` as a live pull does: from so long ago until now. */
  poll(only: string, mode?: PullMode, hoursBack?: number): Promise<Held>;
  /** Reads `only` in a range that a notification named. */
  read(only: string, from: string, to: string): Promise<Held>;
  held: Held;
}

async function person(now: string, timeZone = 'Europe/Berlin', scope?: string): Promise<Person> {
  const { control } = simulator;
  await control.setClock(now);
  await control.addAccount({ id: 'anna', timeZone });
  const { api, scopes } = await consent(simulator, 'anna', scope);
  const held = new Held();
  return {
    held,
    read: (only, from, to) =>
      pull(api, scopes, { startMs: Date.parse(from), endMs: Date.parse(to) }, MODES.reconcile, {
        into: held,
        only: [only],
      }),
    poll: async (only, mode = MODES.reconcile, hoursBack = 48) => {
      const endMs = Date.parse(await control.now());
      const range: TimeRange = { startMs: endMs - hoursBack * HOUR_MS, endMs };
      return pull(api, scopes, range, mode, { into: held, only: [only] });
    },
  };
}

const add = (...points: Parameters<GoogleSimulator['control']['addPoints']>[1]) =>
  simulator.control.addPoints('anna', points, { notify: false });

function values(held: Held, series: SeriesCode): number[] {
  const { id } = seriesTypeByCode(series);
  const own = held.samples.filter(({ typeId }) => typeId === id).sort((a, b) => a.startMs - b.startMs);
  return own.map(({ value }) => value);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);

describe('late and changing data', () => {
  it('a night from 23:10 to 06:40, synced at 06:55 and polled at 07:00, is held once and replaced when processed', async () => {
    const anna = await person('2026-11-10T06:00:00Z');
    const night = (processed: boolean) => ({
      ...{ dataType: 'sleep', id: 'night', startTime: '2026-11-09T22:10:00Z', endTime: '2026-11-10T05:40:00Z' },
      value: {
        type: processed ? 'STAGES' : 'CLASSIC',
        metadata: processed ? { processed: true } : {},
        summary: { minutesInSleepPeriod: '450', minutesAsleep: processed ? '412' : '440' },
      },
    });
    await add(night(false));
    // An hourly poll, whose window begins after the night did.
    await anna.poll('sleep', MODES.reconcile, 1);
    expect(anna.held.sessions).toMatchObject([{ asleepSeconds: 440 * 60, isNap: false, offsetMinutes: 60 }]);
    await add(night(true));
    await anna.poll('sleep', MODES.reconcile, 1);
    expect(anna.held.sessions).toMatchObject([{ asleepSeconds: 412 * 60 }]);
  });

  it('a workout that began before the window is read, and what the vendor deletes goes with its own window', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    const times = { startTime: '2026-11-10T09:00:00Z', endTime: '2026-11-10T11:30:00Z' };
    await add({ dataType: 'exercise', id: 'ride', ...times, value: { exerciseType: 'BIKING' } });
    await anna.poll('exercise', MODES.reconcile, 1);
    expect(anna.held.sessions).toHaveLength(1);
    await simulator.control.deletePoints('anna', { dataType: 'exercise', ids: ['ride'] });
    await anna.poll('exercise', MODES.reconcile, 1);
    expect(anna.held.sessions).toHaveLength(1);
    await anna.poll('exercise', MODES.reconcile, 4);
    expect(anna.held.sessions).toEqual([]);
  });

  it('steps of phone and tracker, the tracker synced three hours later, end as a fresh reading would', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    const walk = (source: 'phone' | 'tracker', from: string, to: string, value: number) => ({
      ...{ dataType: 'steps', startTime: `2026-11-10T${from}Z`, endTime: `2026-11-10T${to}Z`, value, source },
    });
    await add(walk('phone', '08:59:40', '09:20:10', 2000), walk('phone', '09:40:10', '10:00:20', 1500));
    await anna.poll('steps');
    expect(sum(values(anna.held, 'steps'))).toBe(3500);
    await simulator.control.advanceClock(3 * 3600);
    await add(walk('tracker', '09:00:00', '09:45:00', 4200));
    await anna.poll('steps');
    const truth = await simulator.control.truePoints('anna', 'steps', 'reconcile');
    expect(values(anna.held, 'steps')).toEqual(truth.map(({ value }) => value));
    expect(sum(values(anna.held, 'steps'))).toBeLessThan(3500 + 4200);
  });

  it('a window of a notification settles merged intervals that reach over its edges', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    const phone = { dataType: 'steps', source: 'phone', value: 600 } as const;
    await add({ ...phone, startTime: '2026-11-10T08:58:00Z', endTime: '2026-11-10T09:03:00Z' });
    await anna.poll('steps');
    const tracker = { dataType: 'steps', source: 'tracker', value: 100 } as const;
    const changed = ['2026-11-10T09:00:00Z', '2026-11-10T09:01:00Z'] as const;
    await add({ ...tracker, startTime: changed[0], endTime: changed[1] });
    await anna.read('steps', ...changed);
    const truth = await simulator.control.truePoints('anna', 'steps', 'reconcile');
    expect(values(anna.held, 'steps')).toEqual(truth.map(({ value }) => value));
  });
});

describe('values of a date', () => {
  it.each(['America/Los_Angeles', 'Asia/Tokyo'])(
    'of today, published at 09:00, stand on that date in %s',
    async (zone) => {
      const anna = await person('2026-11-10T20:00:00Z', zone);
      await add({ dataType: 'daily-resting-heart-rate', date: '2026-11-10', value: 57 });
      await anna.poll('daily-resting-heart-rate', MODES.reconcile, 1 + 7 * 24);
      const [resting] = anna.held.samples;
      expect(resting).toMatchObject({ value: 57, sampleKind: 'daily_total' });
      expect(localDate(resting?.startMs ?? 0, resting?.offsetMinutes ?? 0)).toBe('2026-11-10');
    },
  );

  it('stand in for readings only on dates without any', async () => {
    const anna = await person('2026-11-10T20:00:00Z');
    for (const date of ['2026-11-08', '2026-11-09']) {
      const value = { averageHeartRateVariabilityMilliseconds: 31.5 };
      await add({ dataType: 'daily-heart-rate-variability', date, value });
    }
    const reading = { dataType: 'heart-rate-variability', startTime: '2026-11-09T02:00:00Z' };
    await anna.poll('heart-rate-variability', MODES.reconcile, 72);
    expect(values(anna.held, 'heart_rate_variability_rmssd')).toEqual([31.5, 31.5]);
    await add({ ...reading, value: { rootMeanSquareOfSuccessiveDifferencesMilliseconds: 40.25 } });
    await anna.poll('heart-rate-variability', MODES.reconcile, 72);
    expect(values(anna.held, 'heart_rate_variability_rmssd')).toEqual([31.5, 40.25]);
  });

  it('of VO2 max come from a run, else from the day, else from a single measurement', async () => {
    const anna = await person('2026-11-10T20:00:00Z');
    await add(
      { dataType: 'run-vo2-max', startTime: '2026-11-07T10:00:00Z', value: 43 },
      ...['07', '08'].map((day) => ({ dataType: 'daily-vo2-max', date: `2026-11-${day}`, value: { vo2Max: 42 } })),
      ...['07', '08', '09'].map((day) => ({
        ...{ dataType: 'vo2-max', startTime: `2026-11-${day}T08:00:00Z`, value: { vo2Max: 41 } },
      })),
    );
    await anna.poll('run-vo2-max', MODES.reconcile, 7 * 24);
    expect(values(anna.held, 'vo2_max')).toEqual([43, 42, 41]);
  });
});

describe('rolled-up modes', () => {
  const walk = (startTime: string, minutes: number, value: number) => ({
    ...{
      dataType: 'steps',
      startTime,
      endTime: new Date(Date.parse(startTime) + minutes * 60_000).toISOString(),
      value,
    },
  });

  it('by day, polled every 15 minutes over clocks put back and midnight, hold one growing row a local day', async () => {
    const anna = await person('2026-10-25T20:00:00Z');
    const seen: number[] = [];
    for (let quarter = 0; quarter < 24; quarter++) {
      await add(walk(await simulator.control.now(), 5, 100));
      await simulator.control.advanceClock(900);
      await anna.poll('steps', MODES.daily);
      seen.push(values(anna.held, 'steps')[0] ?? 0);
    }
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const hours = anna.held.samples.map(({ durationMs = 0 }) => durationMs / HOUR_MS).sort();
    expect(hours).toEqual([24, 25]);
    expect(sum(values(anna.held, 'steps'))).toBe(2400);
  });

  it('by hour, polled with two days of lookback, keep their rows and sum to the raw sum', async () => {
    const anna = await person('2026-11-10T12:37:00Z');
    await add(...[8, 9, 10, 11].map((hour) => walk(`2026-11-10T0${hour}:50:00Z`.replace('T01', 'T1'), 5, 250)));
    await anna.poll('steps', MODES.hourly);
    const rows = anna.held.samples.length;
    await simulator.control.advanceClock(600);
    await anna.poll('steps', MODES.hourly);
    expect(anna.held.samples.length).toBe(rows);
    expect(sum(values(anna.held, 'steps'))).toBe(1000);
  });

  it('by day, of someone who has flown west since, hold no day twice', async () => {
    const anna = await person('2026-11-10T12:00:00Z', 'Asia/Tokyo');
    await add(walk('2026-11-09T03:00:00Z', 10, 900), walk('2026-11-10T03:00:00Z', 10, 700));
    await anna.poll('steps', MODES.daily, 24);
    expect(values(anna.held, 'steps')).toEqual([900, 700]);
    await simulator.control.updateAccount('anna', { timeZone: 'Europe/London' });
    await anna.poll('steps', MODES.daily, 24);
    expect(sum(values(anna.held, 'steps'))).toBe(1600);
  });

  it('switched to from raw, leave no readings beside the totals of the days they cover', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    await add(walk('2026-11-08T15:00:00Z', 10, 500), walk('2026-11-10T08:00:00Z', 10, 700));
    await anna.poll('steps', MODES.reconcile, 72);
    await anna.poll('steps', MODES.daily, 24);
    expect(values(anna.held, 'steps')).toEqual([500, 700]);
    expect(anna.held.samples.map(({ sampleKind }) => sampleKind).sort()).toEqual(['daily_total', 'sample']);
  });

  it.each(Object.entries(MODES))('temperature, glucose and drinks have the right units in mode %s', async (_, mode) => {
    const anna = await person('2026-11-10T12:00:00Z');
    const startTime = '2026-11-10T08:00:00Z';
    const endTime = '2026-11-10T08:01:00Z';
    await add(
      { dataType: 'core-body-temperature', startTime, value: { temperatureCelsius: 36.8 } },
      { dataType: 'blood-glucose', startTime, value: { bloodGlucoseMilligramsPerDeciliter: 96 } },
      { dataType: 'hydration-log', id: 'a', startTime, endTime, value: { amountConsumed: { milliliters: 330 } } },
      { dataType: 'hydration-log', id: 'b', startTime, endTime, value: { amountConsumed: { milliliters: 200 } } },
    );
    for (const type of ['core-body-temperature', 'blood-glucose', 'hydration-log']) await anna.poll(type, mode);
    expect(values(anna.held, 'body_temperature')).toEqual([36.8]);
    expect(values(anna.held, 'blood_glucose')).toEqual([96]);
    expect(values(anna.held, 'hydration')).toEqual([530]);
  });
});

describe('what the vendor does otherwise than it says', () => {
  const walks = Array.from({ length: 30 }, (_, minute) => ({
    dataType: 'steps',
    startTime: new Date(Date.parse('2026-11-10T08:00:00Z') + minute * 60_000).toISOString(),
    endTime: new Date(Date.parse('2026-11-10T08:01:00Z') + minute * 60_000).toISOString(),
    value: 50,
  }));
  const nights = ['08', '09', '10'].map((day) => ({
    ...{ dataType: 'sleep', id: `n${day}`, startTime: `2026-11-${day}T00:10:00Z`, endTime: `2026-11-${day}T06:10:00Z` },
    value: {
      type: 'STAGES',
      metadata: { processed: true, nap: true },
      summary: {
        ...{ minutesInSleepPeriod: '360', minutesAsleep: '300', minutesAwake: '60' },
        stagesSummary: [
          { type: 'DEEP', minutes: '100' },
          { type: 'LIGHT', minutes: '200' },
        ],
      },
    },
  }));

  it.each<GoogleFault['kind']>(['empty_page', 'unknown_members', 'missing_civil_times'])(
    '%s changes nothing',
    async (kind) => {
      const anna = await person('2026-11-10T12:00:00Z');
      await add(...walks);
      await simulator.control.addFault({
        kind,
        times: null,
        match: { dataType: 'steps' },
        ...(kind === 'empty_page' && { times: 1 }),
      } as GoogleFault);
      await anna.poll('steps');
      expect(sum(values(anna.held, 'steps'))).toBe(1500);
    },
  );

  it('offsets that are missing stay unknown', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    await add(...walks);
    await simulator.control.addFault({ kind: 'missing_offsets', times: null });
    await anna.poll('steps');
    expect(anna.held.samples.map(({ offsetMinutes }) => offsetMinutes)).toEqual(walks.map(() => undefined));
  });

  it('a page that leads to itself ends the reading with an error instead of never', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    await add(...walks);
    await simulator.control.addFault({ kind: 'repeated_token', times: null });
    await expect(anna.poll('steps')).rejects.toMatchObject({ code: 'invalid_answer' });
  });

  it('stages that are summed up twice count once', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    await add(...nights);
    await simulator.control.addFault({ kind: 'duplicate_stages_summary', times: null });
    await anna.poll('sleep', MODES.reconcile, 72);
    expect(anna.held.sessions).toHaveLength(3);
    for (const night of anna.held.sessions)
      expect(night).toMatchObject({ deepSeconds: 6000, remSeconds: 0, isNap: true });
  });

  it('sleep is read without a filter where that is refused, and no further back than needed', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    await add(...nights);
    await simulator.control.setBehaviour({ sleepEndFilter: 'refused' });
    await anna.poll('sleep', MODES.reconcile, 24);
    expect(anna.held.sessions.map(({ startMs }) => new Date(startMs).getUTCDate())).toEqual([10]);
  });

  it('a misspelt distance is read', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    const times = { startTime: '2026-11-10T09:00:00Z', endTime: '2026-11-10T09:30:00Z' };
    const metricsSummary = { distanceMillimeters: 5_400_000 };
    await add({ dataType: 'exercise', ...times, value: { exerciseType: 'RUNNING', metricsSummary } });
    await simulator.control.addFault({ kind: 'misspelt_distance', times: null });
    await anna.poll('exercise');
    expect(anna.held.sessions).toMatchObject([{ distanceMeters: 5400, type: 'running' }]);
  });

  it('a page for people instead of an answer is an error, never "no data"', async () => {
    const anna = await person('2026-11-10T12:00:00Z');
    await simulator.control.addFault({ kind: 'bad_gateway', times: null });
    await expect(anna.poll('steps')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('the account', () => {
  it('without a health profile is not linked', async () => {
    await simulator.control.addAccount({ id: 'ben', state: 'not_linked' });
    const { api, scopes } = await consent(simulator, 'ben');
    const failure = await GOOGLE_PULL.account(api, scopes).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(VendorError);
    expect(failure).toMatchObject({ code: 'account_not_linked', reason: 'ACCOUNT_NOT_LINKED' });
  });

  it.each([
    ['legacy', 'account_not_linked'],
    ['no_profile', 'account_not_ready'],
  ] as const)('in state %s is %s', async (state, code) => {
    await simulator.control.addAccount({ id: 'ben', state });
    const { api, scopes } = await consent(simulator, 'ben');
    await expect(GOOGLE_PULL.account(api, scopes)).rejects.toMatchObject({ code });
  });

  it('tells its zone, or without consent to its settings the offset of its newest point', async () => {
    await simulator.control.setClock('2026-11-10T12:00:00Z');
    for (const id of ['anna', 'ben']) await simulator.control.addAccount({ id, timeZone: 'Asia/Kolkata' });
    await simulator.control.seedHistory('ben', { days: 3, dataTypes: ['heart-rate'] });
    const all = await consent(simulator, 'anna');
    expect(await GOOGLE_PULL.account(all.api, all.scopes)).toMatchObject({ timeZone: 'Asia/Kolkata' });
    const some = await consent(simulator, 'ben', `openid ${SCOPES.health}`);
    expect(await GOOGLE_PULL.account(some.api, some.scopes)).toEqual({ offsetMinutes: 330, scopes: some.scopes });
  });

  it('that did not consent to a kind of data is told so', async () => {
    await simulator.control.addAccount({ id: 'anna' });
    const { api, scopes } = await consent(simulator, 'anna', `openid ${SCOPES.sleep}`);
    const window = { startMs: 0, endMs: DAY_MS };
    const reading = GOOGLE_PULL.read(api, 'steps', window, MODES.reconcile, { scopes });
    await expect(reading).rejects.toMatchObject({ code: 'scope_missing' });
  });
});

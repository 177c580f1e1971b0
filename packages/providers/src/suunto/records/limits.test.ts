import { createHmac } from 'node:crypto';
import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { type ProviderConfiguration, Tally } from '../../cloud/index.js';
import { SUUNTO_DELIVERIES } from '../deliveries.js';
import { SUUNTO } from '../provider.js';
import { configuredQuotas, DEVELOPER_TIER, readsFitFiles, requestHeaders } from '../settings.js';
import { activityRecords, deliveredActivity } from './activity.js';
import { dailyRecords } from './daily-statistics.js';
import { deliveredRecovery, recoveryRecords } from './recovery.js';
import { bestSleeps, deliveredSleep, placedSleep, sleepRecords } from './sleep.js';

const START = '2026-05-10T20:00:00.000+00:00';
const startMs = Date.parse(START);

describe('values at the limits', () => {
  const activity = (entryData: object) => activityRecords({ timestamp: START, entryData }, new Tally('activity'));

  it.each([
    [{ SpO2: 1 }, 100],
    [{ SpO2: 1.5 }, 1.5],
    [{ SpO2: 0 }, undefined],
    [{ HR: -1 }, undefined],
    [{ HR: 0.5 }, 0.5],
    [{ StepCount: 0 }, 0],
    [{ EnergyConsumption: 0 }, 0],
  ])('reads %j as %s', (data, value) => {
    expect(activity(data)[0]?.value).toBe(value);
  });

  it.each([
    [
      { Min: 60, Max: 60 },
      { minimum: 60, maximum: 60 },
    ],
    [{ Min: 61, Max: 60 }, undefined],
    [{ Min: 0, Max: 60 }, undefined],
    [{ Min: 60 }, undefined],
  ])('reads the heart rates %j as the extremes %j', (HRExt, extremes) => {
    expect(activity({ HR: 60, HRExt })[0]?.extremes).toEqual(extremes);
  });

  it.each([
    [0, 0],
    [1, 100],
    [0.12345, 12.35],
    [-0.01, undefined],
    [1.01, undefined],
    [undefined, undefined],
  ])('reads the balance %s as the score %s', (Balance, value) => {
    const tally = new Tally('recovery');
    const scores = recoveryRecords({ timestamp: START, entryData: { Balance } }, tally);
    expect(scores[0]?.value).toBe(value);
    expect([tally.noValue, tally.rejections.first.length]).toEqual([
      Balance === undefined ? 1 : 0,
      value === undefined && Balance !== undefined ? 1 : 0,
    ]);
  });

  it.each([
    [1, 'Relaxing', 0],
    [4, 'Stressful', 0],
    [0, undefined, 0],
    [5, undefined, 1],
    [undefined, undefined, 0],
  ])('reads the state %s as the text %s', (StressState, qualifier, faults) => {
    const tally = new Tally('recovery');
    const [score] = recoveryRecords({ timestamp: START, entryData: { Balance: 0.5, StressState } }, tally);
    expect(score?.qualifier).toBe(qualifier);
    expect(tally.rejections.first).toHaveLength(faults);
  });
});

describe('a night', () => {
  const night = (data: object) => ({
    timestamp: START,
    entryData: { SleepId: 7, BedtimeStart: START, BedtimeEnd: '2026-05-11T04:00:00+00:00', Duration: 28_800, ...data },
  });
  const read = (data: object) => {
    const tally = new Tally('sleep');
    const records = bestSleeps([placedSleep(night(data), tally) ?? []].flat(), tally).flatMap(sleepRecords);
    return { tally, records, session: records.find((one) => one.kind === 'sleep_session') };
  };

  it.each([
    [100, [100], 0],
    [101, [], 1],
    [0, [], 0],
    [-1, [], 1],
    [1, [1], 0],
  ])('with the reported score %s stores %j', (SleepQualityScore, values, faults) => {
    const { records, tally } = read({ SleepQualityScore });
    expect(records.flatMap((one) => (one.kind === 'health_score' ? [one.value] : []))).toEqual(values);
    expect(tally.rejections.first).toHaveLength(faults);
  });

  it('with any stage replaces earlier versions within its time span', () => {
    const { records, session } = read({ DeepSleepDuration: 1 });
    const replaced = records.filter((one) => one.kind === 'replacement');
    expect(session).not.toHaveProperty('isInterim');
    expect(replaced.map((one) => [one.of, one.startMs, one.endMs])).toEqual([
      ['sleep_sessions', startMs, startMs + 8 * MS_PER_HOUR],
      ['samples', startMs, startMs + 36 * MS_PER_HOUR + 1],
      ['health_scores', startMs, startMs + 8 * MS_PER_HOUR],
    ]);
    expect(replaced[1]).toMatchObject({
      externalIds: ['7', 'start/2026-05-10T20:00:00.000Z'],
      sampleKinds: ['aggregate'],
    });
  });

  it('without stages is only an interim version', () => {
    const { records, session } = read({ DeepSleepDuration: 0, LightSleepDuration: null });
    expect(records.filter((one) => one.kind === 'replacement')).toEqual([]);
    expect(session).toMatchObject({ isInterim: true, inBedSeconds: 28_800 });
    expect(session).not.toHaveProperty('efficiencyPercent');
  });

  it('lasts at least as long as its stages', () => {
    const stages = { DeepSleepDuration: 10_000, LightSleepDuration: 20_000, REMSleepDuration: 0 };
    expect(read(stages).session).toMatchObject({ inBedSeconds: 30_000, efficiencyPercent: 100 });
    expect(read({ ...stages, Duration: 60_000 }).session).toMatchObject({
      inBedSeconds: 60_000,
      efficiencyPercent: 50,
    });
    expect(read({ Duration: 0 }).session).toMatchObject({ inBedSeconds: 28_800 });
  });

  it('yields samples unless it is a nap', () => {
    const samples = (data: object) =>
      read({ HRMin: 46, AvgHRV: 0, ...data }).records.filter((one) => one.kind === 'sample');
    expect(samples({})).toMatchObject([{ value: 46, startMs: startMs + 8 * MS_PER_HOUR }]);
    expect(samples({ IsNap: true })).toEqual([]);
  });

  it('delivers its time span and version', () => {
    const delivered = (data: object) => deliveredSleep(night(data), new Tally('sleep'));
    expect(delivered({})).toMatchObject({ span: { startMs, endMs: startMs + 8 * MS_PER_HOUR }, version: 28_800 });
    expect(delivered({ Duration: 0 })?.version).toBe(28_800);
    expect(delivered({ REMSleepDuration: 1 })?.version).toBe(1_028_800);
    const later = { BedtimeStart: '2026-05-10T21:00:00+00:00' };
    expect(delivered(later)?.span.startMs).toBe(startMs);
  });
});

describe('a notification', () => {
  const configuration = (values: Record<string, string>) => ({ values }) as unknown as ProviderConfiguration;
  const secret = configuration({ WEBHOOK_SECRET: 's' });
  const hmac = createHmac('sha256', 's').update('body').digest('hex');
  const head = (signature: string) => ({
    headers: { 'x-hmac-sha256-signature': signature },
    query: new URLSearchParams(),
  });

  it('is rejected without a secret or a well-formed signature', () => {
    const { authenticate } = SUUNTO_DELIVERIES;
    expect(authenticate(head(hmac), secret)).toBe('proven');
    expect(authenticate(head(hmac.toUpperCase()), secret)).toBe('refused');
    expect(authenticate(head(`${hmac}0`), secret)).toBe('refused');
    expect(authenticate(head(hmac), configuration({}))).toBe('refused');
  });

  it.each([
    [secret, 'body', true],
    [secret, 'other', false],
    [configuration({}), 'body', false],
  ])('is accepted only if its signature matches', (settings, body, isGood) => {
    const signature = SUUNTO_DELIVERIES.signature?.(head(hmac), settings);
    signature?.update(Buffer.from(body));
    expect(signature?.isGood()).toBe(isGood);
  });

  it.each<[unknown, unknown[]]>([
    [
      { type: 'SUUNTO_247_SLEEP_CREATED', username: 'u', samples: [1] },
      [{ dataType: 'sleep', item: { username: 'u', data: 1 } }],
    ],
    [{ type: 'SUUNTO_247_SLEEP_CREATED', samples: 'odd' }, []],
    [{ type: 'ROUTE_CREATED', samples: [1] }, []],
    [{ type: 'toString', samples: [1] }, []],
    [{ type: 7 }, []],
    ['odd', []],
    [
      { type: 'WORKOUT_CREATED', username: 'u', workout: { a: 1 }, gear: { name: 'x' } },
      [{ dataType: 'workouts', item: { username: 'u', data: { a: 1, gear: { name: 'x' } } } }],
    ],
    [
      { type: 'WORKOUT_CREATED', username: 'u', workout: { a: 1 }, gear: 'odd' },
      [{ dataType: 'workouts', item: { username: 'u', data: { a: 1 } } }],
    ],
    [{ type: 'WORKOUT_CREATED', workout: 3 }, [{ dataType: 'workouts', item: { data: 3 } }]],
  ])('is split from %j into %j', (message, items) => {
    expect(SUUNTO_DELIVERIES.itemsOf?.(message)).toEqual(items);
  });

  it('belongs to an account only with a username and a known type', () => {
    const { classify } = SUUNTO_DELIVERIES;
    expect(classify('sleep', { username: 'u' })).toEqual({ kind: 'data', account: 'u' });
    expect(classify('sleep', {})).toEqual({ kind: 'unusable' });
    expect(classify('sleep', 'odd')).toEqual({ kind: 'unusable' });
    expect(classify('routes', { username: 'u' })).toEqual({ kind: 'ignored' });
  });

  it('counts an item that is not an object', () => {
    const tally = new Tally('sleep');
    expect(SUUNTO_DELIVERIES.records('sleep', 'odd', tally)).toBeUndefined();
    expect(SUUNTO_DELIVERIES.records('routes', {}, tally)).toBeUndefined();
    expect(tally.rejections.first).toMatchObject([{ code: 'not_an_object' }, { code: 'not_an_object' }]);
  });

  it('about ten minutes of activity uses the step count as version', () => {
    const read = (entryData: object) => deliveredActivity({ timestamp: START, entryData }, new Tally('activity'));
    expect(read({ StepCount: 9 })).toMatchObject({ version: 9, span: { startMs, endMs: startMs + 600_000 } });
    expect(read({ HR: 60 })).not.toHaveProperty('version');
    const recovery = deliveredRecovery({ timestamp: START, entryData: { Balance: 1 } }, new Tally('recovery'));
    expect(recovery?.span).toEqual({ startMs, endMs: startMs });
    expect(deliveredRecovery('odd', new Tally('recovery'))).toBeUndefined();
  });
});

describe('daily totals', () => {
  const DAY = Date.UTC(2026, 4, 10) / MS_PER_DAY;
  const days = { firstDay: DAY, endDay: DAY + 1 };
  const read = (...samples: object[]) => {
    const tally = new Tally('daily');
    const Sources = [{ Samples: samples }, 'odd', { Samples: 'odd' }];
    const records = dailyRecords(
      [
        { Name: ' StepCount', Sources },
        { Name: 7, Sources },
      ],
      days,
      tally,
    );
    return records.flatMap((one) => (one.kind === 'sample' ? [one] : []));
  };

  it('count only on the requested days', () => {
    const on = (date: string) => read({ TimeISO8601: `${date}T00:00:00+03:00`, Value: 5 }).length;
    expect(['2026-05-09', '2026-05-10', '2026-05-11'].map(on)).toEqual([0, 1, 0]);
  });

  it("use the day's largest value, or the first of equal values", () => {
    const at = (time: string, Value: number) => ({ TimeISO8601: `2026-05-10T00:00:00${time}`, Value });
    expect(read(at('+03:00', 5), at('+02:00', 5), at('+01:00', 4))).toMatchObject([{ value: 5, offsetMinutes: 180 }]);
    expect(read(at('', 5))).toMatchObject([{ offsetMinutes: undefined }]);
  });
});

describe('the settings', () => {
  const values = (of: Record<string, string>) => ({ values: of }) as unknown as ProviderConfiguration;

  it.each([
    [{}, 9, 190],
    [{ APPLICATION_REQUESTS_PER_MINUTE: '0' }, 1, 190],
    [{ APPLICATION_REQUESTS_PER_MINUTE: '50', APPLICATION_REQUESTS_PER_WEEK: '0' }, 50, undefined],
    [{ APPLICATION_REQUESTS_PER_WEEK: '1' }, 9, 1],
  ])('%j allow %i requests per minute and %s per week', (of, perMinute, perWeek) => {
    const quotas = configuredQuotas(DEVELOPER_TIER, values(of));
    expect([quotas.perApplicationAndMinute, quotas.perApplicationAndWeek]).toEqual([perMinute, perWeek]);
  });

  it('add a request for files to each poll if enabled', () => {
    const planned = (of: Record<string, string>) => {
      const pull = SUUNTO.cloud?.pull;
      const configured = pull && SUUNTO.cloud?.configuredPull?.(pull, values(of));
      return configured?.dataTypes.map(({ id, requestsPerPoll = 1 }) => `${id} ${requestsPerPoll}`);
    };
    expect(readsFitFiles(values({ READ_FIT_FILES: 'TRUE' }))).toBe(true);
    expect(readsFitFiles(values({}))).toBe(false);
    const types = ['workouts 1', 'sleep 1', 'recovery 1', 'activity 1', 'daily_statistics 2'];
    expect(planned({})).toEqual([...types, 'changed_workouts 1']);
    expect(planned({ READ_FIT_FILES: 'true' })).toEqual([...types, 'changed_workouts 2']);
  });

  it('send the subscription key', () => {
    expect(requestHeaders(values({ SUBSCRIPTION_KEY: 'k' }))).toEqual({ 'ocp-apim-subscription-key': 'k' });
    expect(requestHeaders(values({}))).toEqual({});
  });
});

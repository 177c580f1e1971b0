import { type HealthRecord, seriesTypeById } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { activityRecords } from './activity.js';
import { dailyRecords } from './daily-statistics.js';
import { recoveryRecords } from './recovery.js';
import { bestSleeps, deliveredSleep, placedSleep, sleepRecords } from './sleep.js';

const START = '2025-05-03T22:59:00.000+03:00';
const END = '2025-05-04T06:12:00.000+03:00';

const night = (data: object = {}, timestamp = START) => ({
  timestamp,
  entryData: {
    SleepId: 1_746_302_340,
    BedtimeStart: START,
    BedtimeEnd: END,
    Duration: 25_980,
    DeepSleepDuration: 4_980,
    LightSleepDuration: 13_020,
    REMSleepDuration: 5_880,
    IsNap: false,
    SleepQualityScore: 79,
    HRAvg: 54,
    HRMin: 46,
    AvgHRV: 58,
    MaxSpo2: 0.97,
    ...data,
  },
});
function sleep(...versions: object[]) {
  const tally = new Tally('sleep');
  const best = bestSleeps(
    versions.flatMap((version) => placedSleep(version, tally) ?? []),
    tally,
  );
  const all = best.flatMap(sleepRecords);
  const records = all.filter(({ kind }) => kind !== 'replacement');
  return { best, tally, records, replaced: all.filter(({ kind }) => kind === 'replacement') };
}
const inWords = (records: readonly HealthRecord[]) =>
  records.flatMap((record) =>
    record.kind === 'sample' ? [`${seriesTypeById(record.typeId)?.code} ${record.value} ${record.sampleKind}`] : [],
  );

describe('a night', () => {
  it("stores a night's values at its end", () => {
    const { records } = sleep(night());
    expect(records[0]).toMatchObject({
      externalId: '1746302340',
      startMs: Date.parse(START),
      endMs: Date.parse(END),
      offsetMinutes: 180,
      isNap: false,
    });
    expect(inWords(records)).toEqual(['resting_heart_rate 46 aggregate', 'heart_rate_variability_rmssd 58 aggregate']);
    expect(records.filter(({ kind }) => kind === 'sample')).toMatchObject(
      Array.from({ length: 2 }, () => ({ startMs: Date.parse(END), offsetMinutes: 180, externalId: '1746302340' })),
    );
    expect(records.at(-1)).toMatchObject({
      kind: 'health_score',
      category: 'sleep',
      externalId: 'sleep/1746302340',
      value: 79,
      components: { HRAvg: { value: 54, qualifier: null } },
    });
  });

  it('merges versions with the same end into one night', () => {
    const interim = { SleepId: 0, DeepSleepDuration: null, LightSleepDuration: null, REMSleepDuration: null };
    const { best } = sleep(night({ ...interim, BedtimeStart: '2025-05-03T23:20:00.000+03:00' }), night());
    expect(best).toMatchObject([{ id: '1746302340', startMs: Date.parse(START) }]);
  });

  it('derives a missing end or start from length or record time', () => {
    const { records } = sleep(night({ BedtimeStart: null, BedtimeEnd: undefined }));
    expect(records[0]).toMatchObject({
      startMs: Date.parse(START),
      endMs: Date.parse(START) + 25_980_000,
      offsetMinutes: 180,
    });
  });

  it('uses the offset of its end across a clock change', () => {
    const { records } = sleep(
      night({ BedtimeStart: '2025-03-29T23:00:00.000+02:00', BedtimeEnd: '2025-03-30T07:00:00.000+03:00' }),
    );
    expect(records[0]).toMatchObject({ offsetMinutes: 180, endMs: Date.parse('2025-03-30T04:00:00Z') });
  });

  it.each([
    [0, 'start/2025-05-03T19:59:00.000Z'],
    ['0', 'start/2025-05-03T19:59:00.000Z'],
    [null, 'start/2025-05-03T19:59:00.000Z'],
    ['a-text', 'a-text'],
    [17, '17'],
  ])('maps the ID %j to the key %s', (SleepId, id) => {
    expect(sleep(night({ SleepId })).best).toMatchObject([{ id }]);
  });

  it('stores the longest version with stages, including its nap flag', () => {
    const interim = { SleepId: 0, IsNap: true, DeepSleepDuration: null, LightSleepDuration: 0, REMSleepDuration: null };
    const longest = night({ ...interim, Duration: 99_000, BedtimeEnd: null });
    const { best, records, tally } = sleep(longest, night({ Duration: 20_000 }), night(), night({ ...interim }));
    expect(best).toHaveLength(1);
    expect(records[0]).toMatchObject({ isNap: false, inBedSeconds: 25_980 });
    expect(tally.superseded).toBe(3);
  });

  it('merges two starts of one id into one night', () => {
    const later = night({ BedtimeStart: '2025-05-03T23:05:00.000+03:00', Duration: 25_620 });
    expect(sleep(later, night()).best).toMatchObject([{ startMs: Date.parse(START) }]);
  });

  it.each([
    [{ BedtimeEnd: 'soon' }, 'BedtimeEnd', 'invalid_date'],
    [{ BedtimeStart: 'then' }, 'BedtimeStart', 'invalid_date'],
    [{ BedtimeStart: '2025-05-03T22:59:00.000' }, 'BedtimeStart', 'invalid_date'],
    [{ BedtimeEnd: '2025-05-03T22:00:00.000+03:00' }, 'BedtimeEnd', 'end_before_start'],
    [{ BedtimeEnd: '2025-05-06T22:00:00.000+03:00' }, 'BedtimeEnd', 'implausible'],
    [{ BedtimeEnd: null, Duration: null }, 'BedtimeEnd', 'invalid_date'],
  ])("with %j is rejected with the field's name", (data, field, code) => {
    const { best, tally } = sleep(night(data));
    expect(best).toEqual([]);
    expect(tally.rejections.first).toMatchObject([{ field, code }]);
  });

  it('numbers pushed versions of one key by their length', () => {
    const delivered = (data: object) => deliveredSleep(night(data), new Tally('sleep'));
    const [shorter, longer] = [delivered({ Duration: 21_000 }), delivered({ BedtimeStart: null })];
    expect(shorter?.key).toBe('start/2025-05-03T19:59:00.000Z');
    expect(longer?.key).toBe(shorter?.key);
    expect(longer?.version).toBeGreaterThan(shorter?.version ?? Number.NaN);
  });
});

describe('a ten-minute record', () => {
  const read = (entryData: unknown, timestamp: unknown = START) => {
    const tally = new Tally('activity');
    return { records: activityRecords({ timestamp, entryData }, tally), tally };
  };

  it("stores amounts and instant readings under the record's id", () => {
    const { records } = read({
      HR: 71,
      HRExt: { Min: 64, Max: 88 },
      StepCount: 0,
      EnergyConsumption: 41_840,
      SpO2: 0.955,
      HRV: 47,
    });
    expect(inWords(records)).toEqual([
      'heart_rate 71 sample',
      'heart_rate_variability_rmssd 47 sample',
      'oxygen_saturation 95.5 sample',
      'steps 0 sample',
      'energy 10 sample',
    ]);
    expect(records[0]).toMatchObject({ extremes: { minimum: 64, maximum: 88 }, offsetMinutes: 180 });
    expect(records[0]?.durationMs).toBeUndefined();
    expect(records[3]).toMatchObject({ durationMs: 600_000 });
    expect(new Set(records.map(({ externalId }) => externalId))).toEqual(
      new Set(['activity/2025-05-03T19:59:00.000Z']),
    );
  });

  it('gives the same ID to records of one instant in two zones', () => {
    const utc = read({ HR: 71 }, '2025-05-03T19:59:00Z').records[0];
    expect(utc).toMatchObject({ externalId: read({ HR: 71 }).records[0]?.externalId, offsetMinutes: 0 });
  });

  it('counts a record with only nulls and zeros as empty', () => {
    const { records, tally } = read({ HR: 0, HRV: 0, SpO2: null, StepCount: null });
    expect(records).toEqual([]);
    expect(tally.noValue).toBe(1);
  });

  it.each([
    [undefined, {}, 'timestamp', 'invalid_date'],
    ['2025-05-03T22:59:00', {}, 'timestamp', 'invalid_date'],
    [1_746_302_340, {}, 'timestamp', 'invalid_date'],
    [START, null, 'entryData', 'not_an_object'],
  ])('at %j with the entry data %j is rejected', (timestamp, entryData, field, code) => {
    const { records, tally } = read(entryData, timestamp ?? null);
    expect(records).toEqual([]);
    expect(tally.rejections.first).toMatchObject([{ field, code }]);
  });
});

it.each([
  [{ Balance: 0.71, StressState: 3 }, 71, 'Passive'],
  [{ Balance: 0.29, StressState: 0 }, 29, undefined],
  [{ Balance: 0 }, 0, undefined],
])('reads a recovery of %j as %s percent with the state %s', (entryData, value, qualifier) => {
  const [score] = recoveryRecords({ timestamp: START, entryData }, new Tally('recovery'));
  expect(score).toMatchObject({ value, category: 'recovery' });
  expect(score?.qualifier).toBe(qualifier);
  expect(score?.components === undefined).toBe(qualifier === undefined);
});

describe('daily totals', () => {
  const day = 20_211;
  const sample = (date: string, Value: unknown) => ({ TimeISO8601: `${date}T00:00:00+03:00`, Value });
  const read = (...statistics: unknown[]) => {
    const tally = new Tally('daily_statistics');
    const records = dailyRecords(statistics, { firstDay: day, endDay: day + 2 }, tally);
    const replaced = records.flatMap((record) =>
      record.kind === 'replacement' && record.of === 'samples'
        ? [[record.typeIds.map((id) => seriesTypeById(id)?.code), record.localDays]]
        : [],
    );
    return { totals: records.flatMap((record) => (record.kind === 'sample' ? [record] : [])), replaced, tally };
  };
  const steps = (...Samples: object[]) => ({ Name: 'stepcount', Sources: [{ Name: 'Suunto Race S', Samples }] });

  it.each<[string, unknown[]]>([
    ['an empty list', []],
    ['statistics without devices', [{ Name: 'stepcount', Sources: [] }]],
    ['a device without days', [steps()]],
    ['days without a value', [steps(sample('2025-05-03', null), sample('2025-05-04', 'many'))]],
  ])('are not removed by %s', (_, statistics) => {
    expect(read(...statistics).replaced).toEqual([]);
  });

  it('replace only totals of the received days and series', () => {
    expect(read(steps(sample('2025-05-04', 4))).replaced).toEqual([
      [['steps'], { firstDay: day + 1, endDay: day + 2 }],
    ]);
  });

  it('include the larger total of two devices, in any order', () => {
    const source = (Name: string, ...Samples: object[]) => ({ Name, Samples });
    const { totals, tally } = read(
      {
        Name: 'stepcount',
        Sources: [
          source('Suunto Race S', sample('2025-05-03', 10_844), sample('2025-05-04', null)),
          source('Suunto 9', sample('2025-05-03', '4300')),
          source('Suunto 7', sample('2025-05-03', 0)),
        ],
      },
      { Name: 'energyconsumption', Sources: [source('Suunto Race S', sample('2025-05-03', 9_832_400))] },
      { Name: 'floors', Sources: [source('Suunto Race S', sample('2025-05-03', 4))] },
      null,
    );
    expect(
      totals.map(({ source: { deviceModel }, value, startMs }) => [
        deviceModel,
        value,
        new Date(startMs).toISOString(),
      ]),
    ).toEqual([
      [undefined, 10_844, '2025-05-02T21:00:00.000Z'],
      [undefined, 2_350, '2025-05-02T21:00:00.000Z'],
    ]);
    expect(totals.every(({ sampleKind, offsetMinutes }) => sampleKind === 'daily_total' && offsetMinutes === 180)).toBe(
      true,
    );
    expect(tally).toMatchObject({ received: 5, noValue: 1, superseded: 2 });
  });

  it('yield only totals of requested days', () => {
    const Samples = [sample('2025-05-02', 1), sample('2025-05-05', 2), { Value: 3 }, sample('2025-05-04', 4)];
    const { totals, tally } = read({ Name: 'stepcount', Sources: [{ Name: 'x', Samples }] });
    expect(totals.map(({ value }) => value)).toEqual([4]);
    expect(tally.rejections.first).toMatchObject([{ field: 'TimeISO8601', code: 'invalid_date' }]);
  });
});

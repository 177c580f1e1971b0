import { MS_PER_DAY, MS_PER_HOUR, type SeriesCode, seriesTypeById } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { readWritten } from './testing/responses.js';
import { MODES } from './testing/modes.js';

const OFFSET = '7200s';
const START = '2026-04-02T16:41:00Z';
const INTERVAL = { startTime: START, startUtcOffset: OFFSET, endTime: '2026-04-02T16:46:00Z', endUtcOffset: OFFSET };
const SAMPLE_TIME = { physicalTime: START, utcOffset: OFFSET };
const DATE = { year: 2026, month: 4, day: 2 };
const TIMES = { interval: { interval: INTERVAL }, sample: { sampleTime: SAMPLE_TIME }, daily: { date: DATE } };

/** One point per type: ID, form of time, payload, stored samples. */
const POINTS: readonly (readonly [string, keyof typeof TIMES, object, Partial<Record<SeriesCode, number>>])[] = [
  ['steps', 'interval', { count: '97' }, { steps: 97 }],
  ['steps', 'interval', {}, { steps: 0 }],
  ['distance', 'interval', { millimeters: '81234' }, { distance_walking_running: 81.234 }],
  ['distance', 'interval', {}, { distance_walking_running: 0 }],
  ['floors', 'interval', { count: '3' }, { flights_climbed: 3 }],
  ['active-energy-burned', 'interval', { kcal: 12.75 }, { energy: 12.75 }],
  [
    'active-minutes',
    'interval',
    {
      activeMinutesByActivityLevel: [
        { activityLevel: 'LIGHT', activeMinutes: '2' },
        { activityLevel: 'VIGOROUS', activeMinutes: '1' },
        { activityLevel: 'OF_THE_FUTURE' },
      ],
    },
    { active_time: 3 },
  ],
  ['hydration-log', 'interval', { amountConsumed: { milliliters: 330 } }, { hydration: 330 }],
  ['heart-rate', 'sample', { beatsPerMinute: '71', metadata: { motionContext: 'ACTIVE' } }, { heart_rate: 71 }],
  ['weight', 'sample', { weightGrams: 81240.5 }, { weight: 81.2405 }],
  ['height', 'sample', { heightMillimeters: '1785' }, { height: 178.5 }],
  ['body-fat', 'sample', { percentage: 21.4 }, { body_fat_percentage: 21.4 }],
  ['core-body-temperature', 'sample', { temperatureCelsius: 36.8 }, { body_temperature: 36.8 }],
  ['blood-glucose', 'sample', { bloodGlucoseMilligramsPerDeciliter: 96 }, { blood_glucose: 96 }],
  ['oxygen-saturation', 'sample', { percentage: 96.5 }, { oxygen_saturation: 96.5 }],
  ['run-vo2-max', 'sample', { runVo2Max: 43.2 }, { vo2_max: 43.2 }],
  [
    'heart-rate-variability',
    'sample',
    { rootMeanSquareOfSuccessiveDifferencesMilliseconds: 38.7, standardDeviationMilliseconds: 44.1 },
    { heart_rate_variability_rmssd: 38.7, heart_rate_variability_sdnn: 44.1 },
  ],
  ['heart-rate-variability', 'sample', { standardDeviationMilliseconds: 44.1 }, { heart_rate_variability_sdnn: 44.1 }],
  ['daily-resting-heart-rate', 'daily', { beatsPerMinute: '57' }, { resting_heart_rate: 57 }],
  ['daily-respiratory-rate', 'daily', { breathsPerMinute: 14.2 }, { respiratory_rate: 14.2 }],
  [
    'daily-sleep-temperature-derivations',
    'daily',
    { nightlyTemperatureCelsius: 34.15, baselineTemperatureCelsius: 33.9 },
    { skin_temperature: 34.15, skin_temperature_deviation: 0.25 },
  ],
  ['daily-sleep-temperature-derivations', 'daily', { nightlyTemperatureCelsius: 34.15 }, { skin_temperature: 34.15 }],
];

const camel = (id: string) => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('vendor point', () => {
  it.each(POINTS)('stores %s (%s) with %j as %j', async (id, form, payload, stored) => {
    const { samples, rejections, received } = await readWritten(id, [{ [camel(id)]: { ...TIMES[form], ...payload } }]);
    expect(rejections.total).toBe(0);
    expect(received).toBe(1);
    expect(Object.fromEntries(samples.map(({ typeId, value }) => [seriesTypeById(typeId)?.code, value]))).toEqual(
      stored,
    );
    const placed =
      form === 'daily'
        ? { startMs: Date.parse('2026-04-01T22:00:00Z'), durationMs: MS_PER_DAY, sampleKind: 'daily_total' }
        : { startMs: Date.parse(START), durationMs: form === 'interval' ? 300_000 : undefined, sampleKind: 'sample' };
    for (const sample of samples) expect(sample).toMatchObject({ ...placed, offsetMinutes: 120 });
  });

  it('keeps the offset of its start, if any', async () => {
    const interval = { ...INTERVAL, startUtcOffset: '-12600s', endUtcOffset: '-9000s' };
    const { startUtcOffset, ...without } = interval;
    const points = [interval, without, { ...interval, startUtcOffset: 'soon' }];
    const { samples } = await readWritten(
      'steps',
      points.map((one) => ({ steps: { interval: one, count: '1' } })),
    );
    expect(samples.map(({ offsetMinutes }) => offsetMinutes)).toEqual([-210, undefined, undefined]);
    expect(startUtcOffset).toBe('-12600s');
  });

  it('rejects only the unreadable point, without reporting its value', async () => {
    const good = { steps: { interval: INTERVAL, count: '5' } };
    const { samples, rejections, received } = await readWritten('steps', [
      'text',
      null,
      {},
      { steps: 7 },
      { steps: { count: '5' } },
      { steps: { interval: { ...INTERVAL, startTime: 'yesterday' }, count: '5' } },
      { steps: { interval: { ...INTERVAL, endTime: '2026-04-02T16:40:00Z' }, count: '5' } },
      { steps: { interval: INTERVAL, count: 'many' } },
      good,
    ]);
    expect(samples.map(({ value }) => value)).toEqual([5]);
    expect(received).toBe(9);
    expect(rejections.first.map(({ collection, index, field, code }) => [collection, index, field, code])).toEqual([
      ['steps', 0, undefined, 'not_an_object'],
      ['steps', 1, undefined, 'not_an_object'],
      ['steps', 2, 'steps', 'missing'],
      ['steps', 3, 'steps', 'not_an_object'],
      ['steps', 4, 'interval', 'missing'],
      ['steps', 5, 'startTime', 'invalid_date'],
      ['steps', 6, 'endTime', 'end_before_start'],
      ['steps', 7, 'steps', 'invalid_value'],
    ]);
    expect(JSON.stringify(rejections)).not.toContain('many');
  });

  it('rejects an implausible value with the series’ bound', async () => {
    const pulse = (beatsPerMinute: string) => ({ heartRate: { ...TIMES.sample, beatsPerMinute } });
    const { samples, rejections } = await readWritten('heart-rate', ['14', '15', '350', '351'].map(pulse));
    expect(samples.map(({ value }) => value)).toEqual([15, 350]);
    const bound = 'heart_rate 15..350 bpm';
    expect(rejections.byReason).toEqual({ [`implausible:${bound}`]: 2 });
    expect(rejections.first).toMatchObject([0, 3].map((index) => ({ index, field: 'heartRate', detail: bound })));
  });

  it('rejects an impossible date', async () => {
    const payload = { date: { year: 2026, month: 2, day: 30 }, beatsPerMinute: '57' };
    const { rejections } = await readWritten('daily-resting-heart-rate', [{ dailyRestingHeartRate: payload }]);
    expect(rejections.byReason).toEqual({ invalid_date: 1 });
  });
});

/** One roll-up window per type: payload and stored value. */
const WINDOWS: readonly (readonly [string, object, number])[] = [
  ['steps', { countSum: '1180' }, 1180],
  ['steps', {}, 0],
  ['distance', { millimetersSum: '812340' }, 812.34],
  ['floors', { countSum: '4' }, 4],
  ['active-energy-burned', { kcalSum: 98.5 }, 98.5],
  [
    'active-minutes',
    { activeMinutesRollupByActivityLevel: [{ activityLevel: 'MODERATE', activeMinutesSum: '12' }] },
    12,
  ],
  ['hydration-log', { amountConsumed: { millilitersSum: 580, userProvidedUnitLast: 'MILLILITER' } }, 580],
  ['heart-rate', { beatsPerMinuteMin: 55, beatsPerMinuteAvg: 61.25, beatsPerMinuteMax: 84 }, 61.25],
  ['run-vo2-max', { rateMin: 41, rateAvg: 42.5, rateMax: 44 }, 42.5],
  ['core-body-temperature', { temperatureCelsiusAvg: 36.7 }, 36.7],
  ['blood-glucose', { bloodGlucoseMilligramsPerDeciliterAvg: 101.5 }, 101.5],
  ['weight', { weightGramsAvg: 81200 }, 81.2],
  ['body-fat', { bodyFatPercentageAvg: 21.5 }, 21.5],
];

describe('roll-up window', () => {
  it.each(WINDOWS)('stores %s with %j as %d for its hour', async (id, payload, value) => {
    const point = { startTime: '2026-04-02T16:00:00Z', endTime: '2026-04-02T17:00:00Z', [camel(id)]: payload };
    const { samples, rejections } = await readWritten(id, [point], MODES.hourly);
    expect(rejections.total).toBe(0);
    const startMs = Date.parse('2026-04-02T16:00:00Z');
    const hour = { startMs, durationMs: MS_PER_HOUR, offsetMinutes: 120, sampleKind: 'sample' };
    expect(samples).toMatchObject([{ ...hour, value, source: { provider: 'google', writer: 'google_health_api' } }]);
  });

  it.each([
    ['heart-rate', { beatsPerMinuteMin: 52, beatsPerMinuteAvg: 61.25, beatsPerMinuteMax: 125 }, 52, 125],
    ['run-vo2-max', { rateMin: 41, rateAvg: 42.5, rateMax: 44 }, 41, 44],
    [
      'core-body-temperature',
      { temperatureCelsiusMin: 36.1, temperatureCelsiusAvg: 36.7, temperatureCelsiusMax: 37.9 },
      36.1,
      37.9,
    ],
  ])('keeps the extremes of %s with %j: %d and %d', async (id, payload, minimum, maximum) => {
    const point = { startTime: '2026-04-02T16:00:00Z', endTime: '2026-04-02T17:00:00Z', [camel(id)]: payload };
    expect((await readWritten(id, [point], MODES.hourly)).samples).toMatchObject([{ extremes: { minimum, maximum } }]);
    const civilStartTime = { date: { year: 2026, month: 4, day: 2 } };
    const day = await readWritten(id, [{ civilStartTime, [camel(id)]: payload }], MODES.daily);
    expect(day.samples).toMatchObject([{ sampleKind: 'daily_total', extremes: { minimum, maximum } }]);
  });

  it.each([
    ['a mean alone', { beatsPerMinuteAvg: 61 }],
    ['a mean with a maximum only', { beatsPerMinuteAvg: 61, beatsPerMinuteMax: 84 }],
    ['a mean outside of its extremes', { beatsPerMinuteMin: 62, beatsPerMinuteAvg: 61, beatsPerMinuteMax: 84 }],
  ])('has no extremes for %s', async (_, heartRate) => {
    const point = { startTime: '2026-04-02T16:00:00Z', endTime: '2026-04-02T17:00:00Z', heartRate };
    const { samples } = await readWritten('heart-rate', [point], MODES.hourly);
    expect(samples.map(({ value, extremes }) => [value, extremes])).toEqual([[61, undefined]]);
  });

  it.each(WINDOWS)('stores %s with %j as %d for its local day', async (id, payload, value) => {
    const civil = (day: number) => ({ date: { year: 2026, month: 4, day }, time: {} });
    const windows = [2, 9].map((day) => ({
      civilStartTime: civil(day),
      civilEndTime: civil(day + 1),
      [camel(id)]: payload,
    }));
    const { samples } = await readWritten(id, windows, MODES.daily, 'America/Denver');
    const startMs = Date.parse('2026-04-02T06:00:00Z');
    expect(samples).toMatchObject([
      { startMs, durationMs: MS_PER_DAY, offsetMinutes: -360, sampleKind: 'daily_total', value },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { brokenBound, brokenLength } from './plausibility.js';
import { SLEEP_LENGTH, WORKOUT_LENGTH } from './plausible.js';
import { SAMPLE_KIND_CODE } from './record.js';
import { SERIES_TYPES, type SeriesCode, seriesTypeByCode } from './series.js';
import { MS_PER_DAY, MS_PER_HOUR } from './time/units.js';

const bound = (code: SeriesCode, value: number, durationMs?: number, kindCode?: number) =>
  brokenBound(seriesTypeByCode(code).id, value, durationMs, kindCode);

describe('the plausibility check', () => {
  it.each<[SeriesCode, least: number, most: number]>([
    ['heart_rate', 15, 350],
    ['resting_heart_rate', 15, 250],
    ['heart_rate_variability_sdnn', 0, 1000],
    ['oxygen_saturation', 30, 100],
    ['respiratory_rate', 1, 120],
    ['skin_temperature', -20, 60],
    ['body_temperature', 20, 46],
    ['skin_temperature_deviation', -20, 20],
    ['weight', 0.2, 700],
    ['height', 20, 280],
    ['body_mass_index', 3, 250],
    ['body_fat_percentage', 1, 85],
    ['blood_pressure_systolic', 20, 350],
    ['blood_glucose', 5, 2000],
    ['vo2_max', 3, 120],
    ['power', 0, 3500],
    ['speed', 0, 120],
    ['cadence', 0, 400],
    ['hydration', 0, 10_000],
    ['blood_alcohol_content', 0, 1000],
    ['weather_temperature', -90, 60],
    ['water_temperature', -5, 60],
    ['environmental_audio_exposure', 0, 200],
    ['flights_climbed', 0, 1000],
    ['elevation', -1e9, 1e9],
    ['heart_rate_recovery_one_minute', -1e9, 1e9],
    ['underwater_depth', -1e9, 1e9],
  ])('accepts %s from %d to %d only', (code, least, most) => {
    expect([bound(code, least), bound(code, most)]).toEqual([undefined, undefined]);
    const text = `${code} ${least}..${most} ${seriesTypeByCode(code).unit}`;
    expect([bound(code, least - 1e-3), bound(code, most + 1e-3)]).toEqual([text, text]);
  });

  it.each<[SeriesCode, short: number, long: number]>([
    ['steps', 50_000, 300_000],
    ['distance_walking_running', 500_000, 1_500_000],
    ['energy', 10_000, 30_000],
  ])('has a higher bound of %s for long intervals', (code, short, long) => {
    expect(bound(code, short, MS_PER_HOUR)).toBeUndefined();
    expect(bound(code, short + 1, 6 * MS_PER_HOUR - 1)).toBeDefined();
    for (const [durationMs, kind] of [
      [6 * MS_PER_HOUR, SAMPLE_KIND_CODE.sample],
      [undefined, SAMPLE_KIND_CODE.daily_total],
    ] as const) {
      expect(bound(code, long, durationMs, kind)).toBeUndefined();
      expect(bound(code, long + 1, durationMs, kind)).toBeDefined();
    }
  });

  it('allows negative values only for coordinates, temperatures, differences and heights', () => {
    const negative = SERIES_TYPES.filter(({ id }) => brokenBound(id, -1) === undefined).map(({ code }) => code);
    expect(negative.toSorted()).toEqual([
      'air_temperature',
      'elevation',
      'garmin_skin_temperature',
      'heart_rate_recovery_one_minute',
      'latitude',
      'longitude',
      'skin_temperature',
      'skin_temperature_deviation',
      'skin_temperature_trend_deviation',
      'underwater_depth',
      'water_temperature',
      'weather_temperature',
    ]);
  });

  it('has bounds with a reason for every series', () => {
    for (const { plausible } of SERIES_TYPES) {
      expect(plausible.min).toBeLessThan(plausible.max);
      expect(plausible.reason).not.toBe('');
    }
  });

  it('rejects NaN for every series', () => {
    for (const { id } of SERIES_TYPES) expect(brokenBound(id, Number.NaN)).toBeDefined();
  });
});

it.each([
  ['a sleep session', SLEEP_LENGTH, 60_000, 36 * MS_PER_HOUR, 'sleep session 1 min..36 h'],
  ['a workout', WORKOUT_LENGTH, 1000, 14 * MS_PER_DAY, 'workout 1 s..14 days'],
])('limits the length of %s', (_, length, least, most, text) => {
  const broken = (endMs: number) => brokenLength({ startMs: 0, endMs }, length);
  expect([broken(least), broken(most)]).toEqual([undefined, undefined]);
  expect([broken(least - 1), broken(most + 1), broken(Number.NaN)]).toEqual([text, text, text]);
});

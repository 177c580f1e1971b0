import { type HealthRecord, seriesTypeById } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { activityRecords } from './activity.js';
import { recoveryRecords } from './recovery.js';
import { bestSleeps, deliveredSleep, placedSleep, sleepRecords } from './sleep.js';
import { workoutOf } from './workout.js';

const START = '2026-05-09T23:00:00.000+03:00';
const END = '2026-05-10T07:00:00.000+03:00';
const NIGHT = {
  SleepId: 1_746_302_340,
  BedtimeStart: START,
  BedtimeEnd: END,
  Duration: 28_800,
  DeepSleepDuration: 5_400,
  LightSleepDuration: 14_400,
  REMSleepDuration: 5_400,
  WakeAfterSleepOnsetDuration: 1_800,
  IsNap: false,
  SleepQualityScore: 79,
  HRMin: 46,
  AvgHRV: 58,
  MaxSpo2: 0.97,
};
const DURATION_ONLY = {
  SleepId: 0,
  BedtimeStart: START,
  BedtimeEnd: null,
  Duration: 28_800,
  DeepSleepDuration: null,
  LightSleepDuration: null,
  REMSleepDuration: null,
};

function pulled(...versions: object[]) {
  const tally = new Tally('sleep');
  const placed = versions.flatMap((entryData) => placedSleep({ timestamp: START, entryData }, tally) ?? []);
  return { records: bestSleeps(placed, tally).flatMap(sleepRecords), counted: tally.rejections.byReason };
}
const nightIn = (records: readonly HealthRecord[]) => records.find((one) => one.kind === 'sleep_session');
const valuesIn = (records: readonly HealthRecord[]) =>
  records.flatMap((one) => (one.kind === 'sample' ? [`${seriesTypeById(one.typeId)?.code} ${one.value}`] : []));
/** Hours and minutes, as in the vendor's app. */
const clock = (seconds: number | undefined) =>
  seconds === undefined
    ? '?'
    : `${Math.floor(seconds / 3_600)}h${String(Math.round((seconds % 3_600) / 60)).padStart(2, '0')}`;

describe('the figures of a night in the vendor format', () => {
  it.each<[string, object, string]>([
    ['all figures', NIGHT, 'in bed 8h00, asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake 0h30'],
    [
      'a missing stage',
      { ...NIGHT, REMSleepDuration: null },
      'in bed 8h00, asleep ?, deep 1h30, light 4h00, rem ?, awake 0h30',
    ],
    [
      'an older watch without REM sleep',
      { ...NIGHT, REMSleepDuration: undefined },
      'in bed 8h00, asleep ?, deep 1h30, light 4h00, rem ?, awake 0h30',
    ],
    [
      'no time awake',
      { ...NIGHT, WakeAfterSleepOnsetDuration: undefined },
      'in bed 8h00, asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake ?',
    ],
    [
      'a stage of 0 s next to others',
      { ...NIGHT, REMSleepDuration: 0 },
      'in bed 8h00, asleep 5h30, deep 1h30, light 4h00, rem 0h00, awake 0h30',
    ],
    ['Duration only', DURATION_ONLY, 'in bed 8h00, asleep ?, deep ?, light ?, rem ?, awake ?'],
    [
      'Duration and stages of 0 s',
      { ...DURATION_ONLY, DeepSleepDuration: 0, LightSleepDuration: 0, REMSleepDuration: 0 },
      'in bed 8h00, asleep ?, deep ?, light ?, rem ?, awake ?',
    ],
    [
      'a Duration of 0 s',
      { ...NIGHT, Duration: 0 },
      'in bed 8h00, asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake 0h30',
    ],
    [
      'a Duration shorter than the stages',
      { ...NIGHT, Duration: 3_600 },
      'in bed 7h00, asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake 0h30',
    ],
  ])('have the expected durations with %s', (_, data, expected) => {
    const { records, counted } = pulled(data);
    const night = nightIn(records);
    const figures = {
      'in bed': night?.inBedSeconds,
      asleep: night?.asleepSeconds,
      deep: night?.deepSeconds,
      light: night?.lightSeconds,
      rem: night?.remSeconds,
      awake: night?.awakeSeconds,
    };
    expect(
      Object.entries(figures)
        .map(([name, seconds]) => `${name} ${clock(seconds)}`)
        .join(', '),
    ).toBe(expected);
    expect(counted).toEqual({});
  });

  it('include an efficiency only with a known time asleep', () => {
    expect(nightIn(pulled(NIGHT).records)?.efficiencyPercent).toBe(87.5);
    expect(nightIn(pulled({ ...NIGHT, REMSleepDuration: null }).records)?.efficiencyPercent).toBeUndefined();
  });

  it("never include the highest saturation as the night's saturation", () => {
    const { records } = pulled(NIGHT);
    expect(valuesIn(records)).toEqual(['resting_heart_rate 46', 'heart_rate_variability_rmssd 58']);
    expect(records.find((one) => one.kind === 'health_score')?.components).toMatchObject({
      MaxSpo2: { value: 0.97, qualifier: null },
    });
  });
});

describe('replacements of a night', () => {
  const removed = (records: readonly HealthRecord[]) =>
    records.flatMap((one) => (one.kind === 'replacement' ? [[one.of, one.startMs, one.endMs] as const] : []));

  it('delete nothing for an empty list', () => {
    expect(pulled().records).toEqual([]);
  });

  it('delete only other versions of the same night', () => {
    const [startMs, endMs] = [Date.parse(START), Date.parse(END)];
    expect(removed(pulled(NIGHT).records)).toEqual([
      ['sleep_sessions', startMs, endMs],
      ['samples', startMs, startMs + 36 * 3_600_000 + 1],
      ['health_scores', startMs, endMs],
    ]);
  });

  it('delete nothing if a version has no stages', () => {
    expect(removed(pulled(DURATION_ONLY).records)).toEqual([]);
  });
});

describe('a pushed night', () => {
  const delivered = (entryData: object) => deliveredSleep({ timestamp: START, entryData }, new Tally('sleep'));

  it('leaves the time asleep unknown for a night with only a Duration', () => {
    expect(nightIn(delivered(DURATION_ONLY)?.records ?? [])).toMatchObject({
      externalId: 'start/2026-05-09T20:00:00.000Z',
      inBedSeconds: 28_800,
      endMs: Date.parse(END),
      asleepSeconds: undefined,
    });
  });

  it('has a lower version if it contains only a Duration', () => {
    const [interim, final] = [delivered({ ...DURATION_ONLY, Duration: 90_000 }), delivered(NIGHT)];
    expect(interim?.key).toBe(final?.key);
    expect(interim?.version).toBeLessThan(final?.version ?? Number.NaN);
  });
});

describe('unreadable values', () => {
  it.each<[string, object]>([
    ['DeepSleepDuration', { DeepSleepDuration: 'PT1H' }],
    ['SleepQualityScore', { SleepQualityScore: 'good' }],
    ['HRMin', { HRMin: {} }],
  ])('counts %s of a night', (field, change) => {
    expect(pulled({ ...NIGHT, ...change }).counted).toEqual({ [`not_understood:${field}`]: 1 });
  });

  it('counts an unknown recovery state', () => {
    const tally = new Tally('recovery');
    const entryData = { Balance: 0.7, StressState: 9 };
    expect(recoveryRecords({ timestamp: START, entryData }, tally)).toMatchObject([{ value: 70 }]);
    expect(tally.rejections.byReason).toEqual({ 'not_understood:StressState': 1 });
  });

  it('counts an unreadable ten-minute value', () => {
    const tally = new Tally('activity');
    activityRecords({ timestamp: START, entryData: { HR: 60, StepCount: 'many' } }, tally);
    expect(tally.rejections.byReason).toEqual({ 'not_understood:StepCount': 1 });
  });

  it('counts an unreadable value of a workout', () => {
    const tally = new Tally('workouts');
    const record = { workoutKey: 'a', startTime: 1_746_338_400_000, totalTime: 60, hrdata: { hrmax: 'high' } };
    expect(workoutOf(record, tally)).toMatchObject({ externalId: 'a', heartRateMax: undefined });
    expect(tally.rejections.byReason).toEqual({ 'not_understood:hrdata.hrmax': 1 });
  });
});

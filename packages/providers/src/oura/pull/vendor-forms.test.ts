import { dayNumber, dayStartMs, fromDayNumber, type HealthRecord, seriesTypeById } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { dailyRecords } from './daily.js';
import { DAILY_TYPES, type DailyType } from './daily-types.js';
import { sleepRecords } from './sleep.js';
import { workoutRecords } from './workout.js';

const DAY = '2026-05-10';
const WINDOW = { startMs: Date.parse('2026-05-01T00:00:00Z'), endMs: Date.parse('2026-05-20T00:00:00Z') };
/** Ten minutes of each stage: deep, light, REM, awake. */
const PHASES = '11223344';
const NIGHT = {
  id: 'night',
  day: DAY,
  type: 'long_sleep',
  bedtime_start: '2026-05-09T23:00:00+02:00',
  bedtime_end: '2026-05-10T07:00:00+02:00',
  time_in_bed: 28_800,
  total_sleep_duration: 25_200,
  deep_sleep_duration: 5_400,
  light_sleep_duration: 14_400,
  rem_sleep_duration: 5_400,
  awake_time: 3_600,
  efficiency: 88,
  average_breath: 14.6,
  lowest_heart_rate: 50,
  heart_rate: { interval: 300, items: [null, 60, 58], timestamp: '2026-05-09T23:00:00+02:00' },
};
const NAP = {
  ...NIGHT,
  id: 'nap',
  type: 'sleep',
  bedtime_start: '2026-05-10T14:00:00+02:00',
  bedtime_end: '2026-05-10T15:00:00+02:00',
  lowest_heart_rate: 55,
};
const RUN = {
  id: 'run',
  day: DAY,
  start_datetime: '2026-05-10T17:00:00+02:00',
  end_datetime: '2026-05-10T18:00:00+02:00',
};

function stored(...documents: object[]) {
  const tally = new Tally('sleep');
  const records = sleepRecords(documents, WINDOW, true, tally);
  return { records, nights: nightsIn(records), values: valuesIn(records), counted: tally.rejections.byReason };
}
const nightsIn = (records: readonly HealthRecord[]) =>
  records.flatMap((one) => (one.kind === 'sleep_session' ? [one] : []));
const valuesIn = (records: readonly HealthRecord[]) =>
  records.flatMap((one) => (one.kind === 'sample' ? [`${seriesTypeById(one.typeId)?.code} ${one.value}`] : []));
/** Hours and minutes, as in the vendor's app. */
const clock = (seconds: number | undefined) =>
  seconds === undefined
    ? '?'
    : `${Math.floor(seconds / 3_600)}h${String(Math.round((seconds % 3_600) / 60)).padStart(2, '0')}`;

describe('the figures of a night in the vendor format', () => {
  it.each<[string, object, string]>([
    ['all figures', {}, 'asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake 1h00, in bed 8h00'],
    [
      'no total',
      { total_sleep_duration: null },
      'asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake 1h00, in bed 8h00',
    ],
    [
      'a missing stage next to the total',
      { rem_sleep_duration: null },
      'asleep 7h00, deep 1h30, light 4h00, rem ?, awake 1h00, in bed 8h00',
    ],
    [
      'a missing stage without a total',
      { rem_sleep_duration: null, total_sleep_duration: null },
      'asleep ?, deep 1h30, light 4h00, rem ?, awake 1h00, in bed 8h00',
    ],
    [
      'stages only in the string',
      {
        total_sleep_duration: null,
        deep_sleep_duration: null,
        light_sleep_duration: null,
        rem_sleep_duration: null,
        awake_time: null,
        sleep_phase_5_min: PHASES,
      },
      'asleep 0h30, deep 0h10, light 0h10, rem 0h10, awake 0h10, in bed 8h00',
    ],
    [
      'an unknown character in the string',
      { total_sleep_duration: null, deep_sleep_duration: null, sleep_phase_5_min: '11523344' },
      'asleep ?, deep 0h10, light 4h00, rem 1h30, awake 1h00, in bed 8h00',
    ],
    [
      'a total that differs from its stages',
      { total_sleep_duration: 24_000 },
      'asleep 6h40, deep 1h30, light 4h00, rem 1h30, awake 1h00, in bed 8h00',
    ],
    ['no time in bed', { time_in_bed: 0 }, 'asleep 7h00, deep 1h30, light 4h00, rem 1h30, awake 1h00, in bed 8h00'],
  ])('have the expected durations with %s', (_, change, expected) => {
    const { nights, counted } = stored({ ...NIGHT, ...change });
    const figures = {
      asleep: nights[0]?.asleepSeconds,
      deep: nights[0]?.deepSeconds,
      light: nights[0]?.lightSeconds,
      rem: nights[0]?.remSeconds,
      awake: nights[0]?.awakeSeconds,
      'in bed': nights[0]?.inBedSeconds,
    };
    expect(
      Object.entries(figures)
        .map(([name, seconds]) => `${name} ${clock(seconds)}`)
        .join(', '),
    ).toBe(expected);
    const isOdd = 'sleep_phase_5_min' in change && change.sleep_phase_5_min !== PHASES;
    expect(counted).toEqual(isOdd ? { 'not_understood:sleep_phase_5_min': 1 } : {});
  });
});

describe('the type and heart rates of a sleep', () => {
  const VALUES = ['heart_rate 60', 'heart_rate 58', 'respiratory_rate 14.6', 'resting_heart_rate 50'];
  it.each(['long_sleep', null, undefined])('keeps the heart rates of a night of type %s', (type) => {
    const { nights, values } = stored({ ...NIGHT, type });
    expect(nights).toMatchObject([{ isNap: false }]);
    expect(values).toEqual(VALUES);
  });

  it("uses the day's longest sleep as main sleep if types are null", () => {
    const { nights, values } = stored({ ...NAP, type: null }, { ...NIGHT, type: null });
    expect(nights.map(({ externalId, isNap }) => [externalId, isNap])).toEqual([
      ['nap', undefined],
      ['night', false],
    ]);
    expect(values.filter((one) => one.startsWith('resting'))).toEqual(['resting_heart_rate 50']);
  });

  it.each(['rest', 'deleted'])('finds the main sleep next to a longer sleep of type %s', (type) => {
    const longer = { ...NIGHT, id: 'longer', type, bedtime_start: '2026-05-09T21:00:00+02:00' };
    const { nights, values } = stored(longer, { ...NIGHT, type: null });
    expect(nights.map(({ externalId, isNap }) => [externalId, isNap])).toEqual([['night', false]]);
    expect(values.filter((one) => one.startsWith('resting'))).toEqual(['resting_heart_rate 50']);
  });

  it.each(['sleep', 'late_nap'])('never uses a sleep of type %s as the main sleep', (type) => {
    const { nights, values } = stored({ ...NAP, type });
    expect(nights).toMatchObject([{ isNap: true }]);
    expect(values.filter((one) => one.startsWith('resting'))).toEqual([]);
  });

  it.each([0, 255])('ignores %i as a heart rate of the night', (lowest_heart_rate) => {
    const heart_rate = { ...NIGHT.heart_rate, items: [0, null] };
    expect(stored({ ...NIGHT, lowest_heart_rate, heart_rate, average_breath: 0 }).values).toEqual([]);
  });
});

describe('reading a day in the vendor format', () => {
  const offsetOn = () => 120;
  const day = (id: string, document: object) => {
    const type: DailyType | undefined = DAILY_TYPES.find((one) => one.id === id);
    if (!type) throw new Error(`no type ${id}`);
    const tally = new Tally(id);
    const firstDay = dayNumber(DAY) ?? 0;
    const found = dailyRecords(type, [{ day: DAY, ...document }], offsetOn, { firstDay, endDay: firstDay + 1 }, tally);
    return {
      scores: found.flatMap((one) => (one.kind === 'health_score' ? [one] : [])),
      values: valuesIn(found),
      replaced: found.flatMap((one) => (one.kind === 'replacement' ? [one.of] : [])),
      counted: tally.rejections.byReason,
    };
  };

  it.each<[string, object, object[]]>([
    ['zeros and a null summary do not form a score', { stress_high: 0, recovery_high: 0, day_summary: null }, []],
    [
      'zeros with a summary form a score',
      { stress_high: 0, recovery_high: 0, day_summary: 'restored' },
      [{ category: 'stress', qualifier: 'restored' }],
    ],
    [
      'seconds without a summary form a score',
      { stress_high: 5_400, recovery_high: 0, day_summary: null },
      [{ category: 'stress', components: { stress_high: { value: 5_400, qualifier: null } } }],
    ],
  ])('daily_stress: %s', (_, document, scores) => {
    expect(day('daily_stress', document).scores).toMatchObject(scores);
  });

  it.each([-720, -60, 0, 60, 840])('stores every score within the replaced range, at offset %i', (offset) => {
    const firstDay = dayNumber(DAY) ?? 0;
    const type = DAILY_TYPES.find(({ id }) => id === 'daily_readiness') as DailyType;
    const around = [-1, 0, 1].map((days) => firstDay + days);
    const found = dailyRecords(
      type,
      around.map((day) => ({ day: fromDayNumber(day), score: 80 })),
      () => offset,
      { firstDay, endDay: firstDay + 1 },
      new Tally('daily_readiness'),
    );
    const replaced = found.find((one) => one.kind === 'replacement' && one.of === 'health_scores');
    if (replaced?.kind !== 'replacement') throw new Error('no replaced scores');
    const instants = around.map((day) => dayStartMs(day, offset));
    const scores = found.flatMap((one) => (one.kind === 'health_score' ? [one.atMs] : []));
    expect(scores).toEqual(
      expect.arrayContaining(instants.filter((ms) => ms >= replaced.startMs && ms < replaced.endMs)),
    );
  });

  it('replaces no samples for a type without series', () => {
    expect(day('daily_stress', {}).replaced).toEqual(['health_scores']);
    expect(day('daily_activity', {}).replaced).toContain('samples');
  });

  it.each([null, 'text', {}, { day: 20_260_510 }, { day: '2026-02-30' }])(
    'rejects %j without a readable date',
    (document) => {
      const tally = new Tally('daily_stress');
      const type = DAILY_TYPES.find((one) => one.id === 'daily_stress') as DailyType;
      dailyRecords(type, [document], offsetOn, { firstDay: 0, endDay: 1 }, tally);
      expect(tally.rejections.byReason).toEqual({ invalid_date: 1 });
    },
  );

  it('sums active minutes only if all parts are known', () => {
    const parts = { high_activity_time: 600, medium_activity_time: 2_400, low_activity_time: 11_100 };
    expect(day('daily_activity', parts).values).toEqual(['active_time 235']);
    expect(day('daily_activity', { ...parts, medium_activity_time: null }).values).toEqual([]);
  });

  it('counts an unreadable value', () => {
    expect(day('daily_activity', { steps: 'many', score: 80 })).toMatchObject({
      values: [],
      counted: { 'not_understood:steps': 1 },
    });
  });
});

describe('unreadable values', () => {
  it.each<[string, object]>([
    ['deep_sleep_duration', { deep_sleep_duration: 'PT1H' }],
    ['type', { type: 'siesta' }],
    ['heart_rate.interval', { heart_rate: { ...NIGHT.heart_rate, interval: 0 } }],
    ['sleep_phase_5_min', { sleep_phase_5_min: '1125' }],
  ])('counts %s of a night', (field, change) => {
    const { nights, counted } = stored({ ...NIGHT, ...change });
    expect(nights).toHaveLength(1);
    expect(counted).toEqual({ [`not_understood:${field}`]: 1 });
  });

  it('counts an unreadable value of a workout', () => {
    const tally = new Tally('workout');
    expect(workoutRecords([{ ...RUN, calories: 'some' }], () => 120, WINDOW, tally)).toHaveLength(2);
    expect(tally.rejections.byReason).toEqual({ 'not_understood:calories': 1 });
  });
});

it.each([
  ['manual', true],
  ['confirmed', undefined],
])('marks a workout of source %s as manually entered: %s', (source, userEntered) => {
  const records = workoutRecords([{ ...RUN, source }], () => 120, WINDOW, new Tally('workout'));
  const workouts = records.flatMap((one) => (one.kind === 'workout' ? [one] : []));
  expect(workouts.map((workout) => workout.userEntered)).toEqual([userEntered]);
});

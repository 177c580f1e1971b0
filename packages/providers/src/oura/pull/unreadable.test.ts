import { dayNumber } from '@healthd/model';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../cloud/index.js';
import { silentMembers } from '../../testing/odd-versions.js';
import { bodySamples } from './body.js';
import { dailyRecords } from './daily.js';
import { DAILY_TYPES } from './daily-types.js';
import { heartRateRecords } from './heart-rate.js';
import { sleepRecords } from './sleep.js';
import { workoutRecords } from './workout.js';

const DAY = '2026-05-10';
const WINDOW = { startMs: Date.parse('2026-05-01T00:00:00Z'), endMs: Date.parse('2026-05-20T00:00:00Z') };
const SERIES = { interval: 300, items: [60, 58], timestamp: '2026-05-09T23:00:00+02:00' };
const NIGHT = {
  id: 'night',
  day: DAY,
  type: 'long_sleep',
  bedtime_start: '2026-05-09T23:00:00+02:00',
  bedtime_end: '2026-05-10T07:00:00+02:00',
  time_in_bed: 28_700,
  total_sleep_duration: 25_200,
  deep_sleep_duration: 5_400,
  light_sleep_duration: 14_400,
  rem_sleep_duration: 5_400,
  awake_time: 3_600,
  efficiency: 88,
  average_breath: 14.6,
  lowest_heart_rate: 50,
  sleep_phase_5_min: '11223344',
  heart_rate: SERIES,
  hrv: SERIES,
};
const WORKOUT = {
  id: 'run',
  day: DAY,
  start_datetime: '2026-05-10T17:00:00+02:00',
  end_datetime: '2026-05-10T18:00:00+02:00',
  activity: 'running',
  intensity: 'hard',
  label: 'Evening run',
  source: 'manual',
  calories: 530,
  distance: 8_050,
};
const CONTRIBUTORS = { score: 80, contributors: { balance: 90 } };
const DAYS: Readonly<Record<(typeof DAILY_TYPES)[number]['id'], object>> = {
  daily_activity: {
    ...CONTRIBUTORS,
    steps: 8_123,
    active_calories: 412,
    total_calories: 2_100,
    equivalent_walking_distance: 6_110,
    high_activity_time: 600,
    medium_activity_time: 2_400,
    low_activity_time: 11_100,
  },
  daily_sleep: CONTRIBUTORS,
  daily_readiness: { ...CONTRIBUTORS, temperature_deviation: -0.1, temperature_trend_deviation: 0.2 },
  daily_spo2: { spo2_percentage: { average: 97 }, breathing_disturbance_index: 4 },
  daily_stress: { stress_high: 5_400, recovery_high: 1_800, day_summary: 'normal' },
  daily_resilience: { level: 'solid', contributors: { sleep_recovery: 70 } },
  daily_cardiovascular_age: { vascular_age: 34 },
  vo2_max: { vo2_max: 44 },
};

describe('unreadable members', () => {
  const counted = (read: (version: unknown, tally: Tally) => unknown) => (version: unknown) => {
    const tally = new Tally('kind');
    return { stored: read(version, tally), rejected: tally.rejections.total };
  };

  it('of a sleep are counted', () => {
    const read = counted((version, tally) => sleepRecords([version], WINDOW, true, tally));
    expect(silentMembers(NIGHT, ['id', 'day'], read)).toEqual([]);
  });

  it('of a workout are counted', () => {
    const read = counted((version, tally) => workoutRecords([version], () => 120, WINDOW, tally));
    expect(silentMembers(WORKOUT, ['id', 'activity', 'intensity', 'label', 'source'], read)).toEqual([]);
  });

  it('of a heart rate are counted', () => {
    const read = counted((version, tally) => heartRateRecords([version], WINDOW, tally));
    expect(silentMembers({ timestamp: '2026-05-10T01:00:00Z', bpm: 61 }, [], read)).toEqual([]);
  });

  it('of the personal data are counted', () => {
    const read = counted((version, tally) => bodySamples(version, 0, tally));
    expect(silentMembers({ height: 1.79, weight: 74.2 }, [], read)).toEqual([]);
  });

  it.each(DAILY_TYPES)('of $id are counted', (type) => {
    const firstDay = dayNumber(DAY) ?? 0;
    const days = { firstDay, endDay: firstDay + 1 };
    const read = counted((version, tally) => dailyRecords(type, [version], () => 120, days, tally));
    expect(silentMembers({ day: DAY, ...DAYS[type.id] }, ['day_summary', 'level'], read)).toEqual([]);
  });
});

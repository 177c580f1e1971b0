import { localDate, MS_PER_DAY, type SleepSessionRecord } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { POLAR } from '../provider.js';

const NOW_MS = Date.now();
const RANGE = { startMs: NOW_MS - 20 * MS_PER_DAY, endMs: NOW_MS };
const DATE = localDate(NOW_MS - 2 * MS_PER_DAY, 0);
const BEFORE = localDate(NOW_MS - 3 * MS_PER_DAY, 0);
let simulator: PolarSimulator;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.addAccount({ id: 'ada', timeZone: 'UTC' });
  await simulator.control.setMember('ada', 'registered before');
});

async function read(dataType: string) {
  const { api, scopes } = await consent(POLAR.cloud, simulator, 'ada');
  return readRange(POLAR.cloud, api, scopes, dataType, RANGE);
}

/** Seven hours in bed: 10 minutes awake, 4 h light, 1 h deep, 1 h 30 REM, 20 minutes unrecognized. */
const HYPNOGRAM = { '23:00': 0, '23:10': 2, '03:10': 4, '04:10': 1, '05:40': 5 };
const SUMS = {
  light_sleep: 14_400,
  deep_sleep: 3_600,
  rem_sleep: 5_400,
  unrecognized_sleep_stage: 1_200,
  total_interruption_duration: 600,
};
const night = (change: object) => ({
  date: DATE,
  sleep_start_time: `${BEFORE}T23:00:00+00:00`,
  sleep_end_time: `${DATE}T06:00:00+00:00`,
  ...SUMS,
  hypnogram: HYPNOGRAM,
  ...change,
});
const figuresOf = (one: SleepSessionRecord | undefined) => [
  one?.asleepSeconds,
  one?.lightSeconds,
  one?.deepSeconds,
  one?.remSeconds,
  one?.awakeSeconds,
];
const UNRECOGNIZED = { light_sleep: 0, deep_sleep: 0, rem_sleep: 0, unrecognized_sleep_stage: 24_600 };
const none = undefined;

describe('a night', () => {
  it.each<[string, object, (number | undefined)[]]>([
    ['with sums of stages', { hypnogram: null }, [24_600, 14_400, 3_600, 5_400, 600]],
    ['without a sum that the hypnogram has', { rem_sleep: null }, [24_600, 14_400, 3_600, 5_400, 600]],
    ['without a sum and without a hypnogram', { rem_sleep: null, hypnogram: null }, [none, 14_400, 3_600, none, 600]],
    [
      'with a hypnogram only',
      { light_sleep: null, deep_sleep: null, rem_sleep: null, total_interruption_duration: null },
      [24_600, 14_400, 3_600, 5_400, 600],
    ],
    [
      'with a hypnogram only, whose unrecognized part has no sum',
      { light_sleep: null, deep_sleep: null, rem_sleep: null, unrecognized_sleep_stage: null },
      [24_600, 14_400, 3_600, 5_400, 600],
    ],
    ['without recognized stages', { ...UNRECOGNIZED, hypnogram: null }, [24_600, none, none, none, 600]],
    [
      'without recognized stages and with a hypnogram',
      { ...UNRECOGNIZED, hypnogram: { '23:00': 5 } },
      [24_600, none, none, none, 600],
    ],
  ])('has the expected figures %s', async (_, change, expected) => {
    await simulator.control.put('ada', { sleep: [night(change)] });
    const { nights, rejections } = await read('sleep');
    expect(figuresOf(nights[0])).toEqual(expected);
    expect(rejections.total).toBe(0);
  });

  it('returns no stages if the vendor recognized no stages', async () => {
    await simulator.control.put('ada', { sleep: [night({ ...UNRECOGNIZED, hypnogram: { '23:00': 5 } })] });
    expect((await read('sleep')).nights[0]?.stages).toBeUndefined();
  });

  it('counts an unknown stage code', async () => {
    await simulator.control.put('ada', { sleep: [night({ hypnogram: { ...HYPNOGRAM, '05:50': 9 } })] });
    const { rejections } = await read('sleep');
    expect(rejections.first).toMatchObject([{ field: 'hypnogram', code: 'not_understood' }]);
  });
});

describe('a recharge', () => {
  const recharge = {
    date: DATE,
    heart_rate_avg: 52,
    heart_rate_variability_avg: 28,
    breathing_rate_avg: 13.2,
    nightly_recharge_status: 4,
    hrv_samples: { '23:30': 10, '23:35': 18 },
  };

  it('stores the vendor’s mean variability but no resting heart rate', async () => {
    await simulator.control.put('ada', { sleep: [night({})], recharges: [recharge] });
    const { samples } = await read('nightly-recharge');
    expect(samples.map(({ series, at, value }) => [series, at.slice(11, 16), value])).toEqual([
      ['heart_rate_variability_rmssd', '23:30', 10],
      ['heart_rate_variability_rmssd', '23:35', 18],
      ['heart_rate_variability_rmssd', '06:00', 28],
      ['respiratory_rate', '06:00', 13.2],
    ]);
  });
});

describe('a circadian bedtime', () => {
  it.each([
    ['WEAK', 1],
    ['COMPROMISED', 2],
    ['CLEARLY_RECOGNIZABLE', 3],
  ])('scores the quality %s as %d', async (quality, value) => {
    const times = { period_start_time: `${BEFORE}T19:00:00`, preferred_sleep_period_end_time: `${DATE}T06:00:00` };
    await simulator.control.put('ada', {
      bedtimes: [
        {
          ...times,
          sleep_timezone_offset_minutes: 0,
          validity: 'VALIDITY_VALID',
          quality: `CIRCADIAN_BEDTIME_QUALITY_${quality}`,
          result_type: 'CIRCADIAN_BEDTIME_TYPE_HISTORY',
        },
      ],
    });
    expect((await read('circadian-bedtime')).scores).toMatchObject([{ category: 'sleep_timing', value }]);
  });
});

describe('continuous heart rates', () => {
  it('reads no heart rates if the vendor returns 404', async () => {
    await simulator.control.put('ada', { sleep: [night({ heart_rate_samples: { '23:30': 55 } })] });
    await simulator.control.addFault({ kind: 'error', status: 404, path: '/continuous-heart-rate', times: null });
    expect(await read('continuous-heart-rate')).toMatchObject({ samples: [], rejections: { total: 0 } });
    expect((await read('sleep')).samples.map(({ value }) => value)).toEqual([55]);
  });
});

describe('an exercise', () => {
  it.each([
    ['Polar Vantage V3', 'watch'],
    ['Polar Model Of Tomorrow', 'watch'],
    ['Polar H9', 'other'],
    ['Polar H10', 'other'],
    ['Polar Verity Sense', 'other'],
    ['Polar OH1', 'other'],
  ])('classifies the device %s as %s', async (device, deviceType) => {
    const times = { start_time: `${DATE}T08:00:00`, start_time_utc_offset: 0, duration: 'PT1H' };
    await simulator.control.put('ada', {
      exercises: [{ id: 'q7RtYw', upload_time: `${DATE}T20:00:00Z`, ...times, sport: 'RUNNING', device }],
    });
    expect((await read('exercises')).workouts).toMatchObject([{ source: { deviceModel: device, deviceType } }]);
  });
});

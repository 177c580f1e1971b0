import { localDate, MS_PER_DAY } from '@healthd/model';
import { type PolarSimulator, startPolarSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { POLAR } from '../provider.js';
import { POLAR_WITH_SAMPLES } from '../testing/with-samples.js';

const NOW_MS = Date.now();
const RANGE = { startMs: NOW_MS - 40 * MS_PER_DAY, endMs: NOW_MS };
let simulator: PolarSimulator;
beforeAll(async () => {
  simulator = await startPolarSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(() => simulator.control.reset());

async function read(dataType: string, range = RANGE, cloud = POLAR.cloud) {
  const { api, scopes } = await consent(cloud, simulator, 'ada');
  return readRange(cloud, api, scopes, dataType, range);
}

describe('single items', () => {
  beforeEach(async () => {
    await simulator.control.addAccount({ id: 'ada', timeZone: 'UTC' });
    await simulator.control.setMember('ada', 'registered before');
  });
  const date = localDate(NOW_MS - 2 * MS_PER_DAY, 0);
  const before = localDate(NOW_MS - 3 * MS_PER_DAY, 0);
  const night = (change: object = {}) => ({
    date,
    sleep_start_time: `${before}T22:51:10+03:00`,
    sleep_end_time: `${date}T06:47:40+03:00`,
    light_sleep: 14_100,
    deep_sleep: 5_400,
    rem_sleep: 6_300,
    total_interruption_duration: 1_790,
    sleep_score: 83,
    ...change,
  });
  const exercise = (change: object = {}) => ({
    id: 'q7RtYw',
    upload_time: `${date}T20:00:00.000Z`,
    start_time: `${date}T08:02:30`,
    start_time_utc_offset: 180,
    duration: 'PT41M12.5S',
    sport: 'OTHER',
    ...change,
  });

  it('reads a hypnogram past midnight and until waking', async () => {
    const hypnogram = { '00:12': 1, '22:51': 0, '23:04': 2, '23:31': 4, '00:40': 5, '01:00': 3 };
    await simulator.control.put('ada', { sleep: [night({ hypnogram })] });
    const [{ startMs = 0, stages = [] } = {}] = (await read('sleep')).nights;
    expect(startMs).toBe(Date.parse(`${before}T19:51:10Z`));
    expect(stages.map(({ stage, startMs: from, endMs }) => [stage, iso(from), iso(endMs)])).toEqual([
      ['awake', `${before}T19:51:10.000Z`, `${before}T20:04:00.000Z`],
      ['light', `${before}T20:04:00.000Z`, `${before}T20:31:00.000Z`],
      ['deep', `${before}T20:31:00.000Z`, `${before}T21:12:00.000Z`],
      ['rem', `${before}T21:12:00.000Z`, `${before}T21:40:00.000Z`],
      ['unknown', `${before}T21:40:00.000Z`, `${before}T22:00:00.000Z`],
      ['light', `${before}T22:00:00.000Z`, `${date}T03:47:40.000Z`],
    ]);
  });

  it('uses a night’s start and end offsets around a clock change', async () => {
    const samples = { '23:00': 55, '06:00': 50 };
    await simulator.control.put('ada', {
      sleep: [night({ sleep_end_time: `${date}T06:47:40+02:00`, heart_rate_samples: samples })],
    });
    expect((await read('sleep')).samples.map(({ at, value }) => [at, value])).toEqual([
      [`${before}T20:00:00.000Z`, 55],
      [`${date}T04:00:00.000Z`, 50],
    ]);
  });

  it('requests continuous heart rates only for nights with mean heart rates', async () => {
    await simulator.control.put('ada', { sleep: [night()] });
    await read('sleep');
    expect(await simulator.control.requests('/continuous-heart-rate')).toEqual([]);
  });

  it('stores a night that has only its start and end', async () => {
    const unknown = { light_sleep: null, deep_sleep: null, rem_sleep: null, sleep_score: 0, hypnogram: null };
    await simulator.control.put('ada', { sleep: [night({ ...unknown, total_interruption_duration: null })] });
    const { nights, scores, samples } = await read('sleep');
    expect(nights).toMatchObject([{ asleepSeconds: undefined, awakeSeconds: undefined, inBedSeconds: 28_590 }]);
    expect(nights[0]?.stages).toBeUndefined();
    expect([scores, samples]).toEqual([[], []]);
  });

  it.each([
    ['an evening behind UTC', `${before}T22:51:10-07:00`, `${date}T06:47:40-07:00`, `${date}T07:00:00.000Z`],
    [
      'a night that starts after midnight',
      `${date}T01:10:00+03:00`,
      `${date}T06:47:40+03:00`,
      `${before}T21:00:00.000Z`,
    ],
    ['a night dated by its evening', `${date}T20:10:00+00:00`, `${date}T23:47:40+00:00`, `${date}T00:00:00.000Z`],
  ])('stores the score of %s on the vendor’s date', async (_, start, end, at) => {
    await simulator.control.put('ada', { sleep: [night({ sleep_start_time: start, sleep_end_time: end })] });
    expect((await read('sleep')).scores.map(({ atMs }) => iso(atMs))).toEqual([at]);
  });

  it('ignores a rating of 0', async () => {
    await simulator.control.put('ada', { sleep: [night({ sleep_rating: 0, sleep_charge: 4 })] });
    const [score] = (await read('sleep')).scores;
    expect(score?.components).toEqual({ sleep_charge: { value: 4, qualifier: null } });
  });

  it('rejects only invalid nights and exercises, with field and reason', async () => {
    const turned = night({ date: before, sleep_end_time: `${before}T20:00:00+03:00` });
    await simulator.control.put('ada', {
      sleep: [night(), turned, night({ date: `${date.slice(0, 7)}-xx` })],
      exercises: [
        exercise(),
        exercise({ id: 'no-clock', start_time_utc_offset: null }),
        exercise({ id: 'no-end', duration: 'long' }),
      ],
    });
    const sleep = await read('sleep');
    expect(sleep.nights.map(({ externalId }) => externalId)).toEqual([date]);
    expect(sleep.rejections.first.map(({ field, code }) => [field, code]).toSorted()).toEqual([
      ['date', 'invalid_date'],
      ['sleep_end_time', 'end_before_start'],
    ]);
    const { workouts, rejections } = await read('exercises');
    expect(workouts.map(({ externalId }) => externalId)).toEqual(['q7RtYw']);
    expect(rejections.first).toMatchObject([
      { field: 'start_time', code: 'invalid_date' },
      { field: 'duration', code: 'invalid_date' },
    ]);
  });

  it.each([
    [180, `${date}T05:02:30.000Z`],
    [-210, `${date}T11:32:30.000Z`],
    [330, `${date}T02:32:30.000Z`],
  ])('starts an exercise with an offset of %i minutes at %s', async (start_time_utc_offset, at) => {
    await simulator.control.put('ada', { exercises: [exercise({ start_time_utc_offset })] });
    const [workout] = (await read('exercises')).workouts;
    expect(iso(workout?.startMs ?? 0)).toBe(at);
    expect(workout).toMatchObject({ offsetMinutes: start_time_utc_offset, durationSeconds: 2_472.5, type: 'generic' });
    expect((workout?.endMs ?? 0) - (workout?.startMs ?? 0)).toBe(2_472_500);
  });

  it('converts an exercise with hyphenated member names', async () => {
    await simulator.control.put('ada', {
      exercises: [
        exercise({
          device: 'Polar Vantage V3',
          calories: 402,
          distance: 6_412.4,
          heart_rate: { average: 141, maximum: 168 },
          'running-index': 54,
          heart_rate_zones: [{ index: 1, 'lower-limit': 92, 'upper-limit': 110, 'in-zone': 'PT2M4S' }],
          training_load_pro: { 'cardio-load': 71.3, 'muscle-load': -1 },
        }),
      ],
    });
    const [workout] = (await read('exercises')).workouts;
    expect(workout).toMatchObject({
      source: { deviceModel: 'Polar Vantage V3', deviceType: 'watch' },
      totalCaloriesKcal: 402,
      distanceMeters: 6_412.4,
      averageSpeed: 6_412.4 / 2_472.5,
      heartRateAvg: 141,
      heartRateMax: 168,
      metadata: { vendor_type: 'OTHER', running_index: 54, heart_rate_zone_1_seconds: 124, cardio_load: 71.3 },
    });
    expect(workout?.caloriesKcal).toBeUndefined();
    expect(workout?.metadata).not.toHaveProperty('muscle_load');
  });

  it('stores exercise samples by second', async () => {
    const samples = [
      { 'recording-rate': 5, 'sample-type': '0', data: '96,101,null,0,118' },
      { recording_rate: 1, sample_type: 1, data: '10.8,,3.6' },
      { 'recording-rate': 1, 'sample-type': '3', data: '112.5,98,130' },
      { 'sample-type': '11', data: '600,610' },
    ];
    await simulator.control.put('ada', { exercises: [exercise({ samples })] });
    const startMs = Date.parse(`${date}T05:02:30Z`);
    const found = await read('exercises', RANGE, POLAR_WITH_SAMPLES);
    expect(found.samples.map(({ series, at, value }) => `${series} ${Date.parse(at) - startMs} ${value}`)).toEqual([
      'heart_rate 0 96',
      'heart_rate 5000 101',
      'heart_rate 20000 118',
      'speed 0 3',
      'speed 2000 1',
      'elevation 0 112.5',
      'elevation 1000 98',
      'elevation 2000 130',
    ]);
    expect(found.workouts).toMatchObject([{ elevationLowMeters: 98, elevationHighMeters: 130 }]);
    expect(found.replaced).toMatchObject([{ of: 'samples', externalIds: ['exercise/q7RtYw'] }]);
    expect((await read('exercises')).samples).toEqual([]);
  });

  it('reads a route’s valid points only if samples are enabled', async () => {
    const route = [
      { latitude: 61.49, longitude: 23.76, time: 'PT0.4S', satellites: 9, fix: 2 },
      { latitude: 61.5, longitude: 23.77, time: 'PT1M12S' },
      { latitude: 61.5, time: 'PT2M' },
      { latitude: 991, longitude: 23.77, time: 'PT3M' },
      { latitude: 61.5, longitude: 23.77, time: '12' },
      { latitude: 61.5, longitude: 23.77, time: 'PT50M' },
    ];
    await simulator.control.put('ada', { exercises: [exercise({ route })] });
    const startMs = Date.parse(`${date}T05:02:30Z`);
    const { samples } = await read('exercises', RANGE, POLAR_WITH_SAMPLES);
    expect(samples.map(({ series, at, value }) => `${series} ${Date.parse(at) - startMs} ${value}`).toSorted()).toEqual(
      ['latitude 400 61.49', 'latitude 72000 61.5', 'longitude 400 23.76', 'longitude 72000 23.77'],
    );
    expect((await read('exercises')).samples).toEqual([]);
  });

  it('stores an old exercise that was uploaded today', async () => {
    const start_time = iso(NOW_MS - 50 * MS_PER_DAY).slice(0, 19);
    await simulator.control.put('ada', { exercises: [exercise({ start_time, start_time_utc_offset: 0 })] });
    const lately = { startMs: NOW_MS - MS_PER_DAY, endMs: NOW_MS };
    expect((await read('exercises', lately)).workouts.map(({ externalId }) => externalId)).toEqual(['q7RtYw']);
  });

  it('reads a 204 response as an empty exercise list', async () => {
    await simulator.control.addFault({ kind: 'error', status: 204, path: '/v3/exercises', times: null });
    expect((await read('exercises')).workouts).toEqual([]);
    const { api } = await consent(POLAR.cloud, simulator, 'ada');
    expect(await POLAR.cloud.workouts?.list(api, { since: undefined, limit: 10, pageToken: undefined })).toEqual([]);
  });

  it('stores an exercise without its missing samples', async () => {
    await simulator.control.put('ada', { exercises: [exercise()] });
    await simulator.control.addFault({ kind: 'error', status: 404, path: '/exercises/q7RtYw', times: null });
    const { workouts, rejections } = await read('exercises', RANGE, POLAR_WITH_SAMPLES);
    expect(workouts).toHaveLength(1);
    expect(rejections.first).toMatchObject([{ field: 'samples', code: 'not_given' }]);
  });

  it('does not delete items that are missing from a list', async () => {
    for (const { id } of POLAR.cloud.pull.dataTypes) expect((await read(id)).replaced, id).toEqual([]);
  });

  const steps = (total_steps: number) => ({
    start_time: `${date}T08:15:30`,
    steps: 640,
    samples: {
      date,
      steps: {
        interval_ms: 60_000,
        total_steps,
        samples: [
          { steps: 84, timestamp: `${date}T07:41` },
          { steps: 0, timestamp: `${date}T07:44` },
          { steps: 100, timestamp: `${date}T09:00:00` },
        ],
      },
    },
  });

  it('applies steps per minute until the next sample', async () => {
    await simulator.control.put('ada', { sleep: [night()], activities: [steps(352)] });
    const { samples } = await read('activities');
    expect(samples.map(({ series, at, value }) => [series, at, value])).toEqual([
      ['steps', `${before}T21:00:00.000Z`, 640],
      ['steps', `${date}T04:41:00.000Z`, 252],
      ['steps', `${date}T06:00:00.000Z`, 100],
    ]);
  });

  it('reads steps in any order', async () => {
    const day = steps(352);
    await simulator.control.put('ada', { sleep: [night()], activities: [day] });
    const inOrder = (await read('activities')).samples;
    day.samples.steps.samples.reverse();
    await simulator.control.put('ada', { sleep: [night()], activities: [day] });
    expect((await read('activities')).samples).toEqual(inOrder);
  });

  it('drops step samples whose sum differs from the daily total', async () => {
    await simulator.control.put('ada', { sleep: [night()], activities: [steps(640)] });
    expect((await read('activities')).samples).toMatchObject([{ series: 'steps', value: 640 }]);
  });

  it('keeps only daily values if the offset is unknown', async () => {
    const heart_rate_samples = [{ heart_rate: 61, sample_time: '00:03:00' }];
    await simulator.control.put('ada', { activities: [steps(352)], heartRates: [{ date, heart_rate_samples }] });
    const days = await read('activities');
    expect(days.samples).toEqual([{ series: 'steps', at: `${date}T00:00:00.000Z`, value: 640 }]);
    expect(days.rejections.byReason).toEqual({ unknown_offset: 2 });
    const waiting = await read('continuous-heart-rate');
    expect([waiting.samples, waiting.replaced]).toEqual([[], []]);
    expect(waiting.rejections.first).toMatchObject([{ field: 'date', code: 'unknown_offset' }]);
    const recharge = { date, nightly_recharge_status: 5, hrv_samples: { '00:10': 58 }, breathing_samples: null };
    await simulator.control.put('ada', { recharges: [recharge] });
    const night = await read('nightly-recharge');
    expect([night.samples, night.scores.length]).toEqual([[], 1]);
    expect(night.rejections.first).toMatchObject([{ field: 'hrv_samples', code: 'unknown_offset' }]);
    // Without nights, the offset comes from an exercise.
    await simulator.control.put('ada', { exercises: [exercise({ start_time_utc_offset: -210 })] });
    expect((await read('continuous-heart-rate')).samples).toMatchObject([{ at: `${date}T03:33:00.000Z`, value: 61 }]);
  });

  it('stores a recharge whose date has no night', async () => {
    const hrv_samples = { '23:55': 50, '00:10': 58 };
    await simulator.control.put('ada', {
      exercises: [exercise({ start_time_utc_offset: 60 })],
      recharges: [{ date, nightly_recharge_status: 5, heart_rate_variability_avg: 61, hrv_samples, ans_charge: -2.4 }],
    });
    const { samples, scores } = await read('nightly-recharge');
    expect(samples.map(({ at, value }) => [at, value]).toSorted()).toEqual([
      [`${before}T22:55:00.000Z`, 50],
      [`${before}T23:00:00.000Z`, 61],
      [`${before}T23:10:00.000Z`, 58],
    ]);
    expect(scores).toMatchObject([
      { category: 'recovery', value: 5, qualifier: 'good', components: { ans_charge: { value: -2.4 } } },
    ]);
  });

  it('deletes the stored score of a removed load', async () => {
    const cardio_load_status = 'LOAD_STATUS_NOT_AVAILABLE';
    await simulator.control.put('ada', { cardioLoads: [{ date, cardio_load_status, cardio_load: 12 }] });
    const { scores, replaced } = await read('cardio-load');
    expect(scores).toEqual([]);
    expect(replaced).toMatchObject([{ of: 'health_scores', idPrefix: `cardio-load/${date}` }]);
  });

  it.each([
    ['TM_SKIN_TEMPERATURE', ['skin_temperature']],
    ['TM_CORE_TEMPERATURE', ['body_temperature']],
    ['TM_UNKNOWN', []],
  ])('stores a temperature of type %s as %j', async (measurement_type, series) => {
    await simulator.control.put('ada', {
      bodyTemperatures: [
        {
          source_device_id: 'B0',
          measurement_type,
          start_time: `${date}T00:00:00`,
          samples: [{ temperature_celsius: 34.1, recording_time_delta_milliseconds: '60000' }],
        },
      ],
    });
    const { samples } = await read('bodytemperature');
    expect(samples).toEqual(series.map((code) => ({ series: code, at: `${date}T00:01:00.000Z`, value: 34.1 })));
  });

  it('stores physical info at its change time, except the default weight', async () => {
    const modified = `${date}T05:00:00Z`;
    const physical = { weight: 63.5, height: 171, vo2_max: 47, resting_heart_rate: 0, modified };
    await simulator.control.setPhysical('ada', physical);
    expect((await read('physical-info')).samples).toEqual([
      { series: 'weight', at: `${date}T05:00:00.000Z`, value: 63.5 },
      { series: 'height', at: `${date}T05:00:00.000Z`, value: 171 },
      { series: 'vo2_max', at: `${date}T05:00:00.000Z`, value: 47 },
    ]);
    await simulator.control.setPhysical('ada', { ...physical, weight_source: 'SOURCE_DEFAULT' });
    expect((await read('physical-info')).samples.map(({ series }) => series)).toEqual(['height', 'vo2_max']);
    await simulator.control.setPhysical('ada', null);
    expect((await read('physical-info')).samples).toEqual([]);
  });

  it.each([
    ['nights', 'sleep', '/users/sleep'],
    ['the clock', 'cardio-load', '/sleep/available'],
    ['heart rates', 'continuous-heart-rate', '/continuous-heart-rate'],
  ])('rejects an unknown response shape for %s', async (_, type, path) => {
    await simulator.control.put('ada', { cardioLoads: [{ date, cardio_load: 12 }] });
    const body = { unexpected: true };
    await simulator.control.addFault({ kind: 'error', status: 200, body, path, times: null });
    await expect(read(type)).rejects.toMatchObject({ code: 'invalid_answer' });
  });
});

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

import { localDate, MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import { startUltrahumanSimulator, type UltrahumanDay, type UltrahumanSimulator } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent, modeOf } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { ULTRAHUMAN_CLOUD } from '../cloud.js';
import { ULTRAHUMAN_OAUTH } from '../oauth.js';
import { ULTRAHUMAN_PULL } from './adapter.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 12 * MS_PER_DAY, endMs: Date.parse(NOW) };
let simulator: UltrahumanSimulator;
beforeAll(async () => {
  simulator = await startUltrahumanSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setForm('map');
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
});

async function read(scope?: string) {
  const { api, scopes } = await consent(ULTRAHUMAN_CLOUD, simulator, 'ada', scope);
  return readRange(ULTRAHUMAN_CLOUD, api, scopes, 'metrics', RANGE);
}

const measured = (readings: UltrahumanDay['heartRate']) =>
  readings.flatMap(({ timestamp, value }) => (value ? [`${timestamp * MS_PER_SECOND} ${value}`] : []));
const emptyDay = (date: string, dayStart: number): UltrahumanDay => ({
  date,
  dayStart,
  heartRate: [],
  variability: [],
  temperature: [],
  saturation: [],
  steps: [],
  glucose: [],
  activeMinutes: 10,
  vo2Max: 0,
  movement: 50,
});

describe.each(['list', 'map', 'flat'] as const)('of a made-up life that comes as %s', (form) => {
  beforeEach(async () => {
    await simulator.control.setForm(form);
    await simulator.control.seedHistory('ada', { seed: 7, days: 10 });
  });

  it('nights are read as the simulator knows them', async () => {
    const nights = (await simulator.control.truth('ada')).flatMap(({ sleep, date }) =>
      sleep ? [{ ...sleep, date }] : [],
    );
    const found = await read();
    expect(found.rejections.total).toBe(0);
    const seconds = (night: (typeof nights)[number], type: string) =>
      night.stages.filter((stage) => stage.type === type).reduce((sum, { start, end }) => sum + end - start, 0);
    expect(found.nights.toSorted((a, b) => a.startMs - b.startMs)).toMatchObject(
      nights.map((night) => ({
        externalId: `sleep-${night.date}`,
        startMs: night.start * MS_PER_SECOND,
        endMs: night.end * MS_PER_SECOND,
        offsetMinutes: -420,
        deepSeconds: seconds(night, 'deep'),
        awakeSeconds: seconds(night, 'awake'),
        asleepSeconds: seconds(night, 'deep') + seconds(night, 'light') + seconds(night, 'rem'),
        inBedSeconds: night.end - night.start,
        efficiencyPercent: night.efficiency,
        stages: night.stages.map(({ start, end, type }) => ({
          stage: type,
          startMs: start * MS_PER_SECOND,
          endMs: end * MS_PER_SECOND,
        })),
      })),
    );
  });

  it('readings are all there, without those that the ring lost', async () => {
    const days = await simulator.control.truth('ada');
    const { samples } = await read();
    const of = (series: string) =>
      samples
        .filter((one) => one.series === series)
        .map(({ at, value }) => `${Date.parse(at)} ${value}`)
        .toSorted();
    const all = (pick: (day: UltrahumanDay) => UltrahumanDay['heartRate']) =>
      days.flatMap((day) => measured(pick(day)));
    expect(of('heart_rate')).toEqual(all((day) => day.heartRate).toSorted());
    expect(of('heart_rate_variability_rmssd')).toEqual(all((day) => day.variability).toSorted());
    expect(of('skin_temperature')).toEqual(all((day) => day.temperature).toSorted());
    expect(of('oxygen_saturation')).toEqual(all((day) => day.saturation).toSorted());
    expect(of('blood_glucose')).toEqual(all((day) => day.glucose).toSorted());
    const resting = samples.filter(({ series }) => series === 'resting_heart_rate').map(({ value }) => value);
    expect(resting.toReversed()).toEqual(days.flatMap(({ restingHeartRate }) => restingHeartRate ?? []));
  });

  it('values and scores of days stand on their dates far west of Greenwich', async () => {
    const days = await simulator.control.truth('ada');
    const { samples, scores } = await read();
    const minutes = samples.filter(({ series }) => series === 'active_time');
    expect(Object.fromEntries(minutes.map(({ at, value }) => [localDate(Date.parse(at), -420), value]))).toEqual(
      Object.fromEntries(days.map(({ date, activeMinutes }) => [date, activeMinutes])),
    );
    const deviations = samples
      .filter(({ series }) => series === 'skin_temperature_deviation')
      .map(({ value }) => value);
    expect(deviations.toReversed()).toEqual(days.flatMap(({ sleep }) => sleep?.temperatureDeviation ?? []));
    const of = (category: string) =>
      Object.fromEntries(
        scores
          .filter((score) => score.category === category)
          .map(({ atMs, offsetMinutes = 0, value }) => [localDate(atMs, offsetMinutes), value]),
      );
    const known = (pick: (day: UltrahumanDay) => number | undefined) =>
      Object.fromEntries(days.flatMap((day) => (pick(day) === undefined ? [] : [[day.date, pick(day)]])));
    expect(of('recovery')).toEqual(known(({ recovery }) => recovery));
    expect(of('activity')).toEqual(known(({ movement }) => movement));
    expect(of('sleep')).toEqual(known(({ sleep }) => sleep?.score));
  });
});

it('the account is known in either form, and without the profile it is a gap of scope', async () => {
  const userId = (await simulator.control.accounts())[0]?.userId;
  for (const form of ['list', 'map'] as const) {
    await simulator.control.setForm(form);
    const { api } = await consent(ULTRAHUMAN_CLOUD, simulator, 'ada');
    expect(await ULTRAHUMAN_OAUTH.identify(api)).toEqual({ userId, username: 'ada@example.com' });
  }
  const { api } = await consent(ULTRAHUMAN_CLOUD, simulator, 'ada', 'ring_data');
  await expect(ULTRAHUMAN_OAUTH.identify(api)).rejects.toMatchObject({ code: 'scope_missing' });
});

it('someone who consented to the ring alone has no glucose', async () => {
  await simulator.control.seedHistory('ada', { days: 3 });
  const { samples } = await read('ring_data profile');
  expect(samples.some(({ series }) => series === 'heart_rate')).toBe(true);
  expect(samples.some(({ series }) => series === 'blood_glucose')).toBe(false);
});

it('a consent to neither ring nor sensor is a gap of scope', async () => {
  await expect(read('profile')).rejects.toMatchObject({ code: 'scope_missing' });
});

it('a failure that comes with a good status is a failure', async () => {
  const body = { data: null, error: 'Something went wrong', status: 503 };
  await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/metrics', times: null });
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
});

it('a day that came with a night, and comes without it, replaces what began around its midnight', async () => {
  const dayStart = Date.parse('2026-05-08T00:00:00-07:00') / MS_PER_SECOND;
  await simulator.control.putDays('ada', [emptyDay('2026-05-08', dayStart)]);
  const { nights, replaced, samples } = await read();
  expect(nights).toEqual([]);
  expect(replaced.filter((one) => one.of === 'sleep_sessions')).toMatchObject([
    { startMs: Date.parse('2026-05-07T18:00:00-07:00'), endMs: Date.parse('2026-05-08T06:00:00-07:00') },
  ]);
  expect(samples.some(({ series }) => series === 'vo2_max')).toBe(false);
});

it('days of which the vendor says nothing, or that are to come, replace nothing', async () => {
  const { replaced, rejections } = await read();
  expect([replaced, rejections.total]).toEqual([[], 0]);
});

it('someone who has travelled since lived by the clock of that midnight', async () => {
  const dayStart = Date.parse('2026-05-08T00:00:00+09:00') / MS_PER_SECOND;
  const heartRate = [{ timestamp: dayStart + 60, value: 60 }];
  await simulator.control.putDays('ada', [{ ...emptyDay('2026-05-08', dayStart), heartRate }]);
  const { samples, scores } = await read();
  expect(samples.find(({ series }) => series === 'heart_rate')?.value).toBe(60);
  expect(scores).toMatchObject([{ offsetMinutes: 540, atMs: dayStart * MS_PER_SECOND }]);
});

it('readings without a time are rejected alone', async () => {
  const dayStart = Date.parse('2026-05-08T00:00:00-07:00') / MS_PER_SECOND;
  const heartRate = [
    { timestamp: Number.NaN, value: 60 },
    { timestamp: dayStart + 60, value: 61 },
  ];
  await simulator.control.putDays('ada', [{ ...emptyDay('2026-05-08', dayStart), heartRate }]);
  const { samples, rejections } = await read();
  expect(samples.filter(({ series }) => series === 'heart_rate').map(({ value }) => value)).toEqual([61]);
  expect(rejections.first).toMatchObject([{ collection: 'metrics', field: 'hr.timestamp', code: 'invalid_date' }]);
});

it('windows go on where the one before began, up to the latest date of any clock', () => {
  const account = { scopes: new Set<string>() };
  const windows = ({ startMs, endMs }: typeof RANGE) =>
    ULTRAHUMAN_PULL.windows('metrics', { startMs, endMs }, modeOf(ULTRAHUMAN_CLOUD), account);
  const dates: string[] = [];
  for (let endMs = RANGE.endMs; endMs > RANGE.startMs; ) {
    const [newest] = windows({ startMs: RANGE.startMs, endMs });
    if (!newest || newest.startMs >= endMs) throw new Error('no window leads on');
    dates.push(localDate(newest.startMs, 840));
    endMs = newest.startMs;
  }
  expect(dates[0]).toBe('2026-05-11');
  expect(dates).toHaveLength(windows(RANGE).length);
  expect(new Set(dates).size).toBe(dates.length);
  expect(windows({ startMs: 5, endMs: 5 })).toEqual([]);
});

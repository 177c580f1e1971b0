import { localDate, MS_PER_DAY, MS_PER_SECOND } from '@healthd/model';
import {
  startUltrahumanSimulator,
  type UltrahumanDay,
  type UltrahumanForms,
  type UltrahumanSimulator,
  writtenUltrahumanNight,
} from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consent, modeOf } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { ULTRAHUMAN } from '../provider.js';
import { ULTRAHUMAN_OAUTH } from '../oauth.js';

const NOW = '2026-05-10T20:00:00Z';
const RANGE = { startMs: Date.parse(NOW) - 12 * MS_PER_DAY, endMs: Date.parse(NOW) };
let simulator: UltrahumanSimulator;
beforeAll(async () => {
  simulator = await startUltrahumanSimulator({ autoConsent: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
});

async function read(scope?: string) {
  const { api, scopes } = await consent(ULTRAHUMAN.cloud, simulator, 'ada', scope);
  return readRange(ULTRAHUMAN.cloud, api, scopes, 'metrics', RANGE);
}

const measured = (readings: UltrahumanDay['heartRate']) =>
  readings.flatMap(({ timestamp, value }) => (value ? [`${timestamp * MS_PER_SECOND} ${value}`] : []));
const meanOf = (readings: UltrahumanDay['heartRate']) => {
  const values = readings.flatMap(({ value }) => value || []);
  const sum = values.reduce((total, value) => total + value, 0);
  return values.length === 0 ? undefined : Math.round((10 * sum) / values.length) / 10;
};
const meanSaturation = ({ saturation }: UltrahumanDay) => meanOf(saturation);
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

const LIVES: readonly (readonly [string, Partial<UltrahumanForms>])[] = [
  ['a list of metrics', { day: 'list', night: 'stages' }],
  ['a map of days', { day: 'map', night: 'stages' }],
  ['values next to the metrics', { day: 'flat', night: 'stages' }],
  ['flat members in minutes', { night: 'members' }],
  ['a graph next to an empty list of stages', { night: 'graph' }],
  ['quick metrics alone', { night: 'quick' }],
  ['a null stage', { night: 'partial' }],
  ['responses without a midnight', { day: 'map', hasMidnight: false, isAway: false }],
  ['responses without midnight and zone', { day: 'list', hasMidnight: false, isAway: false }],
  ['a map of days after a journey', { day: 'map', isAway: true }],
  ['a list of metrics after a journey', { day: 'list', isAway: true }],
];
// The seed and the account determine the formats that a case does not set.
describe.each(LIVES.map(([name, forms], seed) => ({ name, forms, seed })))('simulated data with $name', (life) => {
  let own: UltrahumanSimulator;
  let forms: UltrahumanForms;
  let days: UltrahumanDay[];
  beforeAll(async () => {
    own = await startUltrahumanSimulator({ autoConsent: true, formSeed: life.seed });
    await own.control.setClock(NOW);
    await own.control.addAccount({ id: 'ada', timeZone: 'America/Los_Angeles' });
    await own.control.setForms(life.forms);
    await own.control.seedHistory('ada', { seed: 7, days: 10 });
    forms = await own.control.forms('ada');
    days = await own.control.truth('ada');
  });
  afterAll(() => own.close());
  const readLife = async () => {
    const { api, scopes } = await consent(ULTRAHUMAN.cloud, own, 'ada');
    return readRange(ULTRAHUMAN.cloud, api, scopes, 'metrics', RANGE);
  };

  it("reads the simulator's nights", async () => {
    const nights = days.flatMap(({ sleep, date }) => (sleep ? [{ ...sleep, date }] : []));
    const found = await readLife();
    expect(Object.keys(found.rejections.byReason).toSorted(), JSON.stringify(forms)).toEqual([
      'not_understood:a_metric_of_tomorrow',
      'unsupported:glucose_variability',
      'unsupported:hba1c',
      'unsupported:time_in_target',
    ]);
    expect(
      found.nights.toSorted((a, b) => a.startMs - b.startMs),
      JSON.stringify(forms),
    ).toEqual(
      nights.map((night) => {
        const { asleep, deep, light, rem, awake, hasIntervals } = writtenUltrahumanNight(night, forms.night);
        return expect.objectContaining({
          externalId: `sleep-${night.date}`,
          startMs: night.start * MS_PER_SECOND,
          endMs: night.end * MS_PER_SECOND,
          offsetMinutes: -420,
          deepSeconds: deep,
          lightSeconds: light,
          remSeconds: rem,
          awakeSeconds: awake,
          asleepSeconds: asleep,
          inBedSeconds: night.end - night.start,
          efficiencyPercent: night.efficiency,
          ...(hasIntervals && {
            stages: night.stages.map(({ start, end, type }) => ({
              stage: type,
              startMs: start * MS_PER_SECOND,
              endMs: end * MS_PER_SECOND,
            })),
          }),
        });
      }),
    );
  });

  it('reads all readings that the ring did not lose', async () => {
    const { samples } = await readLife();
    const of = (series: string) =>
      samples
        .filter((one) => one.series === series)
        .map(({ at, value }) => `${Date.parse(at)} ${value}`)
        .toSorted();
    const all = (pick: (day: UltrahumanDay) => UltrahumanDay['heartRate']) =>
      days.flatMap((day) => measured(pick(day)));
    const atWaking = (pick: (day: UltrahumanDay) => number | undefined) =>
      days.flatMap((day) => {
        const value = pick(day);
        return day.sleep && value !== undefined ? [`${day.sleep.end * MS_PER_SECOND} ${value}`] : [];
      });
    expect(of('heart_rate')).toEqual(all((day) => day.heartRate).toSorted());
    expect(of('heart_rate_variability_rmssd')).toEqual(
      [...all((day) => day.variability), ...atWaking(({ sleep }) => sleep?.variability)].toSorted(),
    );
    expect(of('skin_temperature')).toEqual(
      [...all((day) => day.temperature), ...atWaking(({ sleep }) => sleep?.temperature)].toSorted(),
    );
    const saturations = forms.saturation === 'readings' ? all((day) => day.saturation) : atWaking(meanSaturation);
    expect(of('oxygen_saturation')).toEqual(saturations.toSorted());
    expect(of('resting_heart_rate')).toEqual(atWaking(({ restingHeartRate }) => restingHeartRate).toSorted());
    const glucose = days.flatMap(({ dayStart, glucose }) => {
      const mean = meanOf(glucose);
      return mean === undefined ? [] : [`${dayStart * MS_PER_SECOND} ${mean}`];
    });
    expect(of('blood_glucose')).toEqual([...all((day) => day.glucose), ...glucose].toSorted());
  });

  it('dates values and scores of days far west of Greenwich', async () => {
    const { samples, scores } = await readLife();
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

it('identifies the account in both formats if the scope allows', async () => {
  const userId = (await simulator.control.accounts())[0]?.userId;
  for (const day of ['list', 'map'] as const) {
    await simulator.control.setForms({ day });
    const { api } = await consent(ULTRAHUMAN.cloud, simulator, 'ada');
    expect(await ULTRAHUMAN_OAUTH.identify(api)).toEqual({ userId, username: 'ada@example.com' });
  }
  const { api } = await consent(ULTRAHUMAN.cloud, simulator, 'ada', 'ring_data');
  await expect(ULTRAHUMAN_OAUTH.identify(api)).rejects.toMatchObject({ code: 'scope_missing' });
});

it('reads no glucose if the user consented only to the ring', async () => {
  await simulator.control.seedHistory('ada', { days: 3 });
  const { samples } = await read('ring_data profile');
  expect(samples.some(({ series }) => series === 'heart_rate')).toBe(true);
  expect(samples.some(({ series }) => series === 'blood_glucose')).toBe(false);
});

it('reports a missing scope without ring and sensor consent', async () => {
  await expect(read('profile')).rejects.toMatchObject({ code: 'scope_missing' });
});

it('treats an error inside a 200 response as a failure', async () => {
  const body = { data: null, error: 'Something went wrong', status: 503 };
  await simulator.control.addFault({ kind: 'error', status: 200, body, path: '/metrics', times: null });
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
});

it('deletes no night if the response contains no night', async () => {
  const dayStart = Date.parse('2026-05-08T00:00:00-07:00') / MS_PER_SECOND;
  await simulator.control.putDays('ada', [emptyDay('2026-05-08', dayStart)]);
  const { nights, replaced, samples } = await read();
  expect(nights).toEqual([]);
  expect(replaced.filter((one) => one.of === 'sleep_sessions')).toEqual([]);
  expect(samples.some(({ series }) => series === 'vo2_max')).toBe(false);
});

it('deletes nothing for empty or future days', async () => {
  const { replaced, rejections } = await read();
  expect([replaced, rejections.total]).toEqual([[], 0]);
});

it('keeps a day in its own time zone after later travel', async () => {
  await simulator.control.setForms({ hasMidnight: true });
  const dayStart = Date.parse('2026-05-08T00:00:00+09:00') / MS_PER_SECOND;
  const heartRate = [{ timestamp: dayStart + 60, value: 60 }];
  await simulator.control.putDays('ada', [{ ...emptyDay('2026-05-08', dayStart), heartRate }]);
  const { samples, scores } = await read();
  expect(samples.find(({ series }) => series === 'heart_rate')?.value).toBe(60);
  expect(scores).toMatchObject([{ offsetMinutes: 540, atMs: dayStart * MS_PER_SECOND }]);
});

it('rejects only readings without a time', async () => {
  const dayStart = Date.parse('2026-05-08T00:00:00-07:00') / MS_PER_SECOND;
  const heartRate = [
    { timestamp: Number.NaN, value: 60 },
    { timestamp: dayStart + 60, value: 61 },
  ];
  await simulator.control.putDays('ada', [{ ...emptyDay('2026-05-08', dayStart), heartRate }]);
  const { samples, rejections } = await read();
  expect(samples.filter(({ series }) => series === 'heart_rate').map(({ value }) => value)).toEqual([61]);
  expect(rejections.first).toMatchObject([
    { field: 'a_metric_of_tomorrow', code: 'not_understood' },
    { collection: 'metrics', field: 'hr.timestamp', code: 'invalid_date' },
  ]);
});

it('plans one window per date, from the latest date in any zone', () => {
  const account = { scopes: new Set<string>() };
  const windows = ({ startMs, endMs }: typeof RANGE) =>
    ULTRAHUMAN.cloud.pull.windows('metrics', { startMs, endMs }, modeOf(ULTRAHUMAN.cloud), account);
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

import { MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import { type SuuntoSimulator, type SuuntoWorkout, startSuuntoSimulator, type WorkoutFile } from '@healthd/simulators';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReadWindow } from '../../cloud/index.js';
import { consent } from '../../testing/consent.js';
import { read as readRange } from '../../testing/read.js';
import { SUUNTO } from '../provider.js';
import { SUUNTO_WITH_FIT_FILES } from '../testing/with-fit-files.js';

const NOW = '2026-05-10T20:00:00Z';
const NOW_MS = Date.parse(NOW);
const RANGE = { startMs: NOW_MS - 5 * MS_PER_DAY, endMs: NOW_MS + MS_PER_DAY };

let simulator: SuuntoSimulator;
beforeAll(async () => {
  simulator = await startSuuntoSimulator({ autoConsent: true, limits: { perMinute: 100_000, perWeek: 100_000 } });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  await simulator.control.reset();
  await simulator.control.setClock(NOW);
  await simulator.control.addAccount({ id: 'ada', timeZone: 'Asia/Kolkata' });
});

const key = (n: number) => n.toString(16).padStart(24, '0');
const workout = (n: number, change: Partial<SuuntoWorkout> = {}): SuuntoWorkout => ({
  workoutKey: key(n),
  activityId: 1,
  startTime: NOW_MS - n * MS_PER_HOUR,
  totalTime: 600,
  ...change,
});
const file = (change: Partial<WorkoutFile> = {}): WorkoutFile => ({
  readings: [
    { second: 0, heartRate: 100, cadence: 80, speed: 2.5 },
    { second: 10, cadence: 81, elevation: 20.4, power: 210 },
  ],
  ...change,
});
/** Stores each workout a second after the previous workout, so that their change times differ. */
async function put(one: SuuntoWorkout, recorded: WorkoutFile | null = file()) {
  await simulator.control.advanceClock(1);
  const files = { [one.workoutKey]: recorded };
  await simulator.control.put('ada', { workouts: [one], files }, { notify: false });
}
async function read(cloud = SUUNTO_WITH_FIT_FILES, range: ReadWindow = RANGE) {
  const { api, scopes } = await consent(cloud, simulator, 'ada');
  await simulator.control.clearRequests();
  return readRange(cloud, api, scopes, 'changed_workouts', range);
}
const asked = async (path: string) => (await simulator.control.requests(path)).map((one) => one.path);
const heartRates = ({ samples }: Awaited<ReturnType<typeof read>>) =>
  samples.filter(({ series }) => series === 'heart_rate').length;

it('timestamps the readings of a file to the second', async () => {
  await put(workout(1));
  const { samples, workouts } = await read();
  expect(samples.map(({ series, at, value }) => [series, Date.parse(at) - (NOW_MS - MS_PER_HOUR), value])).toEqual([
    ['heart_rate', 0, 100],
    ['speed', 0, 2.5],
    ['cadence', 0, 160],
    ['cadence', 10_000, 162],
    ['power', 10_000, 210],
    ['elevation', 10_000, 20.4],
  ]);
  expect(workouts).toMatchObject([{ externalId: key(1), events: [] }]);
  await put(workout(2, { activityId: 2 }));
  const rides = (await read()).samples.filter(({ at }) => Date.parse(at) < NOW_MS - MS_PER_HOUR);
  expect(rides.find(({ series }) => series === 'cadence')?.value).toBe(80);
});

it.each([
  ['orienteering', 60, [160, 162]],
  ['snowshoeing', 65, [160, 162]],
  ['multisport', 68, []],
  ['triathlon', 74, []],
])('reads the per-leg cadences of %s (activity %i) as %j', async (_, activityId, expected) => {
  await put(workout(1, { activityId, cadence: { avg: 80 } }));
  const { samples, workouts } = await read();
  expect(samples.filter(({ series }) => series === 'cadence').map(({ value }) => value)).toEqual(expected);
  expect(workouts[0]?.averageCadence).toBe(expected[0]);
});

it('stores laps and pauses as events, except a single lap', async () => {
  const laps = [
    { second: 0, seconds: 300, meters: 800 },
    { second: 300, seconds: 300, meters: 700 },
  ];
  await put(workout(1), file({ laps, pauses: [{ second: 4, seconds: 5 }] }));
  await put(workout(2), file({ laps: laps.slice(0, 1) }));
  const startMs = NOW_MS - MS_PER_HOUR;
  expect((await read()).workouts.map(({ externalId, events }) => [externalId, events])).toEqual([
    [key(2), []],
    [
      key(1),
      [
        { type: 'lap', startMs, durationSeconds: 300, distanceMeters: 800 },
        { type: 'pause', startMs: startMs + 4_000, durationSeconds: 5 },
        { type: 'lap', startMs: startMs + 300_000, durationSeconds: 300, distanceMeters: 700 },
      ],
    ],
  ]);
});

it('ignores laps, pauses and files from another time', async () => {
  const laps = [
    { second: 0, seconds: 300, meters: 800 },
    { second: 200_000, seconds: 300, meters: 700 },
  ];
  await put(workout(1), file({ laps, pauses: [{ second: 200_000, seconds: 5 }] }));
  const elsewhere = file({
    readings: [{ second: 200_000, heartRate: 99 }],
    laps: laps.map((lap) => ({ ...lap, second: 200_000 })),
  });
  await put(workout(2), elsewhere);
  const { workouts, replaced, rejections } = await read();
  expect(workouts.map(({ externalId, events }) => [externalId, events?.map(({ type }) => type)])).toEqual([
    [key(2), undefined],
    [key(1), ['lap']],
  ]);
  expect(replaced).toMatchObject([{ of: 'samples', externalIds: [`workout/${key(1)}`] }]);
  expect(rejections).toMatchObject({ total: 2, byReason: { outside_workout: 2 } });
});

it('takes figures that the list lacks from the file', async () => {
  const summary = { heartRateMin: 88, heartRateAvg: 131, heartRateMax: 172, elevationGain: 140 };
  await put(workout(1, { minAltitude: 0, maxAltitude: 0 }), file({ summary }));
  await put(
    workout(2, { hrdata: { avg: 120, hrmax: 150, min: 80 }, totalAscent: 0, minAltitude: 100, maxAltitude: 300 }),
    file({ summary }),
  );
  expect((await read()).workouts).toMatchObject([
    {
      externalId: key(2),
      heartRateMin: 80,
      heartRateAvg: 120,
      heartRateMax: 150,
      elevationGainMeters: 0,
      elevationLowMeters: 10,
      elevationHighMeters: 30,
    },
    {
      externalId: key(1),
      heartRateMin: 88,
      heartRateAvg: 131,
      heartRateMax: 172,
      elevationGainMeters: 140,
      elevationLowMeters: 20.4,
      elevationHighMeters: 20.4,
    },
  ]);
});

it('requests no files without the setting', async () => {
  await put(workout(1));
  expect(heartRates(await read(SUUNTO.cloud))).toBe(0);
  expect(await asked('/fit')).toEqual([]);
});

it("requests each file once, within one minute's quota per read", async () => {
  for (let n = 1; n <= 15; n++) await put(workout(n));
  const found = await read();
  expect(found.workouts).toHaveLength(15);
  expect(heartRates(found)).toBe(15);
  expect(new Set(await asked('/fit')).size).toBe(15);
  expect(await asked('/v3/workouts')).toHaveLength(15 + 3);
});

/** Uploads all workouts at one instant. */
async function putTogether(...workouts: readonly SuuntoWorkout[]) {
  await simulator.control.advanceClock(1);
  const files = Object.fromEntries(workouts.map(({ workoutKey }) => [workoutKey, file()]));
  await simulator.control.put('ada', { workouts: [...workouts], files }, { notify: false });
}
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

it('requests each file once for many workouts of one instant', async () => {
  await put(workout(30));
  await putTogether(...range(1, 15).map((n) => workout(n)));
  await put(workout(31));
  const found = await read();
  expect(found.workouts.map(({ externalId }) => externalId)).toEqual([31, ...range(1, 15), 30].map(key));
  expect(heartRates(found)).toBe(17);
  expect(found.rejections.total).toBe(0);
  const requested = await asked('/fit');
  expect(requested).toHaveLength(17);
  expect(new Set(requested).size).toBe(17);
});

it('resumes a read between workouts with equal change times', async () => {
  const workouts = range(1, 8).map((n) => workout(n));
  await simulator.control.put('ada', { workouts }, { notify: false });
  const [awaited] = (await read()).awaited;
  const found = await read(SUUNTO_WITH_FIT_FILES, { ...RANGE, endMs: (awaited?.atMs ?? 0) + 1, doneItem: key(5) });
  expect(found.workouts.map(({ externalId }) => externalId)).toEqual([6, 7, 8].map(key));
});

it('reads all workouts without a change time, but only some files', async () => {
  for (let n = 1; n <= 8; n++) await put(workout(n, { lastModified: null }));
  await put(workout(9));
  const found = await read();
  expect(found.workouts.map(({ externalId }) => externalId).at(-1)).toBe(key(9));
  expect(found.workouts).toHaveLength(9);
  expect(heartRates(found)).toBe(6);
  expect(found.rejections.byReason).toEqual({ 'not_given:the list has no change time': 3 });
});

describe('a workout without a readable file', () => {
  it('requests no file if the list reports a manual entry', async () => {
    await put(workout(1), null);
    await put(workout(2, { isManuallyAdded: true }), null);
    const { workouts, samples, rejections } = await read();
    expect(workouts).toMatchObject([{ userEntered: true }, { externalId: key(1) }]);
    expect([samples.length, rejections.total]).toEqual([0, 0]);
    expect(await asked('/fit')).toEqual([`/v3/workouts/${key(1)}/fit`]);
  });

  it('awaits the missing file of a workout with a change time', async () => {
    await put(workout(1), null);
    const { awaited, workouts, rejections } = await read();
    expect([workouts.length, rejections.total, awaited.length]).toEqual([1, 0, 1]);
    expect(awaited[0]?.itemId).toBe(key(1));
    expect(Math.abs((awaited[0]?.atMs ?? 0) - NOW_MS)).toBeLessThan(MS_PER_HOUR);
    await put(workout(2, { lastModified: null }), null);
    expect(await read()).toMatchObject({
      awaited: [{ itemId: key(1) }],
      rejections: { total: 1, first: [{ field: `${key(2)}/fit`, code: 'not_given', detail: 'not_found' }] },
    });
  });

  it('requests the list only if an awaited file exists', async () => {
    await simulator.control.put('ada', { workouts: range(1, 9).map((n) => workout(n)) }, { notify: false });
    const [{ atMs: startMs } = { atMs: 0 }] = (await read()).awaited;
    const awaited = { startMs, endMs: startMs + 1, items: range(2, 9).map(key) };
    const none = await read(SUUNTO_WITH_FIT_FILES, awaited);
    expect(none.awaited.map(({ itemId }) => itemId)).toEqual(awaited.items);
    expect([none.workouts, none.received]).toEqual([[], 0]);
    expect((await asked('/v3/workouts')).filter((path) => !path.endsWith('/fit'))).toEqual([]);
    await simulator.control.put('ada', { files: { [key(3)]: file(), [key(9)]: file() } }, { notify: false });
    const some = await read(SUUNTO_WITH_FIT_FILES, awaited);
    expect(some.workouts.map(({ externalId }) => externalId)).toEqual([key(3), key(9)]);
    expect(heartRates(some)).toBe(2);
    expect(some.awaited).toHaveLength(6);
  });

  it('skips an awaited workout that changed again and is in the list', async () => {
    await put(workout(1), null);
    const [{ atMs: startMs } = { atMs: 0 }] = (await read()).awaited;
    await put(workout(1));
    const awaited = { startMs, endMs: startMs + 1, items: [key(1)] };
    expect(await read(SUUNTO_WITH_FIT_FILES, awaited)).toMatchObject({ workouts: [], samples: [], awaited: [] });
    expect(heartRates(await read())).toBe(1);
  });

  it("counts a file from another time under the workout's key", async () => {
    await put(workout(1), file({ readings: [{ second: 200_000, heartRate: 100 }] }));
    await put(workout(2));
    const found = await read();
    expect(found.workouts).toHaveLength(2);
    expect(heartRates(found)).toBe(1);
    expect(found.rejections).toMatchObject({ byReason: { outside_workout: 1 }, first: [{ field: `${key(1)}/fit` }] });
  });

  it.each([
    ['wrong_checksum', 'damaged:checksum', 40],
    ['unfinished', 'damaged:truncated', 40],
    ['truncated', 'damaged:truncated', 18],
  ] as const)('stores the readable seconds of a file that is %s', async (damage, reason, kept) => {
    const readings = Array.from({ length: 40 }, (_, second) => ({ second, heartRate: 100 + second }));
    await put(workout(1), file({ readings, damage }));
    const found = await read();
    expect(found.workouts).toMatchObject([{ externalId: key(1), heartRateMax: undefined }]);
    expect(heartRates(found)).toBe(kept);
    // A partial file deletes no data of the complete file.
    expect(found.replaced).toEqual([]);
    expect(found.rejections).toMatchObject({
      total: 1,
      byReason: { [reason]: 1 },
      first: [{ field: `${key(1)}/fit`, code: 'damaged' }],
    });
  });

  it.each([400, 401, 403])('reads the other files if a file request is rejected with %i', async (status) => {
    await put(workout(1));
    await put(workout(2));
    await simulator.control.addFault({ kind: 'error', status, path: `${key(1)}/fit`, times: null });
    const found = await read();
    expect(found.workouts).toHaveLength(2);
    expect(heartRates(found)).toBe(1);
    expect(found.rejections).toMatchObject({ total: 1, first: [{ field: `${key(1)}/fit`, code: 'not_given' }] });
    expect(found.replaced.map((one) => (one.of === 'samples' ? one.externalIds : one.of))).toEqual([
      [`workout/${key(2)}`],
    ]);
  });

  it('counts an HTML page as a rejected file', async () => {
    await put(workout(1));
    const response = { kind: 'error', status: 200, body: { page: '<html>' }, path: '/fit' } as const;
    await simulator.control.addFault(response);
    expect(await read()).toMatchObject({
      workouts: [{ externalId: key(1) }],
      rejections: { byReason: { 'not_given:invalid_answer not_fit': 1 } },
    });
  });
});

describe('a transient failure of one file', () => {
  const failing = async (fault: { status: number; times: number | null }) =>
    simulator.control.addFault({ kind: 'error', path: `${key(1)}/fit`, ...fault });

  it("starts the next read at the file's workout", async () => {
    await put(workout(1));
    await put(workout(2));
    // Each reading retries the request twice.
    await failing({ status: 503, times: 6 });
    // Newer workouts were read; this workout is the first of the next reading.
    await expect(read()).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    const found = await read();
    expect(found.workouts.map(({ externalId }) => externalId)).toEqual([key(2), key(1)]);
    expect(heartRates(found)).toBe(2);
    expect(found.rejections.total).toBe(0);
  });

  it.each([
    ['is rejected with 500', file(), 'not_given:unavailable 500'],
    ['is cut off', file({ damage: 'truncated' }), 'not_given:unavailable truncated'],
  ])('stores a workout without its file that %s three times', async (_, one, reason) => {
    await put(workout(1), one);
    await put(workout(2));
    if (one.damage === undefined) await failing({ status: 500, times: null });
    await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
    const found = await read();
    expect(found.workouts).toHaveLength(2);
    expect(heartRates(found)).toBe(1);
    expect(found.rejections).toMatchObject({
      total: 1,
      byReason: { [reason]: 1 },
      first: [{ field: `${key(1)}/fit` }],
    });
    expect(found.replaced.map((replaced) => (replaced.of === 'samples' ? replaced.externalIds : replaced.of))).toEqual([
      [`workout/${key(2)}`],
    ]);
  });
});

it('discards the read if the vendor becomes unavailable', async () => {
  await put(workout(1));
  await simulator.control.addFault({ kind: 'error', status: 503, path: '/v3/workouts/', after: 1, times: null });
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' });
});

it('loses no workout to a quota error', async () => {
  for (let n = 1; n <= 4; n++) await put(workout(n));
  const body = { statusCode: 403, message: 'Out of call volume quota. Quota will be replenished in 02:00:00.' };
  await simulator.control.addFault({ kind: 'error', status: 403, body, path: '/fit', after: 2, times: 1 });
  const found = await read();
  expect(found.workouts.map(({ externalId }) => externalId)).toEqual([key(4), key(3), key(2), key(1)]);
  expect(heartRates(found)).toBe(4);
  expect(found.rejections.total).toBe(0);
  await simulator.control.addFault({ kind: 'error', status: 403, body, path: '/fit', times: 1 });
  await expect(read()).rejects.toMatchObject({ code: 'rate_limited' });
});

it('counts workouts of one instant once if a read is interrupted', async () => {
  await put(workout(5));
  const workouts = [workout(1), workout(2), workout(3, { startTime: null as unknown as number })];
  const files = { [key(1)]: file({ damage: 'wrong_checksum' }), [key(2)]: file() };
  await simulator.control.advanceClock(1);
  await simulator.control.put('ada', { workouts, files }, { notify: false });
  await put(workout(4));
  await simulator.control.addFault({ kind: 'error', status: 429, path: `${key(2)}/fit`, times: 1 });
  const found = await read();
  expect(found.workouts).toHaveLength(4);
  expect(found.received).toBe(5);
  expect(found.rejections.byReason).toMatchObject({ 'damaged:checksum': 1 });
  expect(found.rejections.total).toBe(2);
});

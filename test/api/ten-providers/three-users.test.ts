import { formatOffset, MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payload } from '../push-payloads.js';
import { dateOf, HOME, iso, midnight, utc } from './days.js';
import { openTenProviders, type TenProviders } from './ten-fixture.js';

// Three users with several devices. Phones and watches push, the service syncs the vendors, and the tests read one
// day's summaries through the API. The priorities are those of a new installation. Times are local. Times from 20:00 on
// are on the previous day.

interface Slept {
  from: string;
  to: string;
  /** Minutes awake at the end. */
  awake?: number;
}
const NIGHT: Slept = { from: '23:00', to: '06:00' };

interface Wearable {
  steps?: number;
  meters?: number;
  slept?: Slept;
}
interface UserData {
  who: string;
  iphone?: { steps?: { at: string; count: number }[]; meters?: number; inBed?: Slept };
  appleWatch?: { slept: Slept; sdnn: number };
  oura?: Wearable & { rmssd?: number; restingHeartRate?: number };
  polar?: Wearable;
  suunto?: Wearable;
  ultrahuman?: Wearable;
  shows: { activity?: object; sleep?: object; recovery?: object };
}

const of = (provider: string) => expect.objectContaining({ provider });

const USERS: UserData[] = [
  {
    who: 'a: four vendors recorded the night; phone 4,200 steps, Polar 9,000, Suunto 9,900',
    iphone: {
      steps: ['08:00', '12:30', '17:00', '17:30'].map((at) => ({ at, count: 1050 })),
      meters: 2900,
    },
    oura: { slept: NIGHT },
    polar: { slept: NIGHT, steps: 9000, meters: 6300 },
    suunto: { slept: NIGHT, steps: 9900 },
    ultrahuman: { slept: NIGHT },
    shows: {
      activity: { steps: 9000, distance_meters: 6300, sources: expect.objectContaining({ movement: of('polar') }) },
      sleep: { duration_minutes: 420, nap_count: 0, source: of('polar') },
    },
  },
  {
    who: 'b: the Apple Watch died at 02:00 after 3 h of sleep, Oura 7 h; Suunto 5,400 steps, phone 150',
    iphone: { steps: [{ at: '09:00', count: 150 }] },
    appleWatch: { slept: { from: '23:00', to: '02:00' }, sdnn: 61 },
    oura: { slept: NIGHT, rmssd: 44, restingHeartRate: 51 },
    suunto: { steps: 5400 },
    shows: {
      activity: { steps: 5400, source: of('suunto') },
      sleep: { duration_minutes: 420, nap_count: 0, avg_hrv_rmssd_ms: 44, avg_hrv_sdnn_ms: null, source: of('oura') },
      recovery: {
        sleep_duration_seconds: 420 * 60,
        resting_heart_rate_bpm: 51,
        avg_hrv_rmssd_ms: 44,
        avg_hrv_sdnn_ms: null,
        sources: expect.objectContaining({ sleep: of('oura'), hrv: of('oura'), resting_heart_rate: of('oura') }),
      },
    },
  },
  {
    who: 'c: the phone reports 9 h in bed, the ring 415 min asleep',
    iphone: { inBed: { from: '22:30', to: '07:30' } },
    oura: { slept: { from: '23:00', to: '06:10', awake: 15 } },
    shows: {
      sleep: { duration_minutes: 415, time_in_bed_minutes: 430, source: of('oura') },
    },
  },
];

let fixture: TenProviders;
beforeAll(async () => {
  fixture = await openTenProviders();
  await fixture.prefer([
    'apple',
    'garmin',
    'polar',
    'suunto',
    'whoop',
    'oura',
    'ultrahuman',
    'google',
    'samsung',
    'strava',
  ]);
});
afterAll(() => fixture.close());

const DATE = dateOf(1);
const OFFSET = formatOffset(HOME.offsetMinutes);
const local = (ms: number) =>
  `${new Date(ms + HOME.offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 19)}${OFFSET}`;
const at = (clock: string) => utc(1, clock) - HOME.offsetMinutes * MS_PER_MINUTE - (clock >= '20:00' ? MS_PER_DAY : 0);

function spanOf({ from, to, awake = 0 }: Slept) {
  const [startMs, endMs] = [at(from), at(to)];
  const asleepEndMs = endMs - awake * MS_PER_MINUTE;
  return { startMs, endMs, asleepEndMs, asleep: (asleepEndMs - startMs) / MS_PER_SECOND, awake: awake * 60 };
}

const PHONE = { appId: 'com.apple.health.5F2B', deviceName: 'iPhone', deviceModel: 'iPhone15,2', deviceType: 'phone' };
const WATCH = { appId: 'com.apple.health.7A1C', deviceName: 'Watch', deviceModel: 'Watch7,3', deviceType: 'watch' };

function pushed({ iphone, appleWatch }: UserData): object {
  const stage = (source: object, name: string, slept: Slept) => {
    const { startMs, endMs } = spanOf(slept);
    const item = { id: name, parentId: null, stage: name, startDate: iso(startMs), endDate: iso(endMs) };
    return { ...item, zoneOffset: OFFSET, source };
  };
  const record = (source: object, type: string, unit: string, clock: string, value: number, minutes: number) => {
    const endDate = iso(at(clock) + minutes * MS_PER_MINUTE);
    const item = { id: `${type} ${clock}`, type: `HKQuantityTypeIdentifier${type}`, unit, value };
    return { ...item, startDate: iso(at(clock)), endDate, zoneOffset: OFFSET, source };
  };
  const { steps = [], meters, inBed } = iphone ?? {};
  return payload('apple', {
    records: [
      ...steps.map(({ at: clock, count }) => record(PHONE, 'StepCount', 'count', clock, count, 30)),
      ...(meters === undefined ? [] : [record(PHONE, 'DistanceWalkingRunning', 'm', '08:00', meters, 30)]),
      ...(appleWatch ? [record(WATCH, 'HeartRateVariabilitySDNN', 'ms', '01:00', appleWatch.sdnn, 0)] : []),
    ],
    sleep: [
      ...(inBed ? [stage(PHONE, 'in_bed', inBed)] : []),
      ...(appleWatch ? [stage(WATCH, 'light', appleWatch.slept)] : []),
    ],
  });
}

async function putOura(user: string, { slept, rmssd, restingHeartRate }: NonNullable<UserData['oura']>) {
  const { control } = fixture.vendors.oura;
  await control.addAccount({ id: user, timeZone: HOME.zone });
  await control.setInfo(user, { weight: null, height: null });
  if (!slept) return;
  const { startMs, endMs, asleep, awake } = spanOf(slept);
  const inBed = (endMs - startMs) / MS_PER_SECOND;
  const night = {
    id: `night-${user}`,
    day: DATE,
    type: 'long_sleep' as const,
    period: 0,
    bedtime_start: local(startMs),
    bedtime_end: local(endMs),
    time_in_bed: inBed,
    total_sleep_duration: asleep,
    awake_time: awake,
    deep_sleep_duration: 0,
    light_sleep_duration: asleep,
    rem_sleep_duration: 0,
    efficiency: Math.round((100 * asleep) / inBed),
    lowest_heart_rate: restingHeartRate ?? null,
    hrv: { interval: 300, items: rmssd === undefined ? [] : [null, rmssd, rmssd], timestamp: local(startMs) },
    sleep_phase_5_min: '2'.repeat(asleep / 300) + '4'.repeat(awake / 300),
  };
  await control.put(user, { sleep: [night] }, { notify: false });
}

async function putPolar(user: string, { slept, steps, meters }: Wearable) {
  const { control } = fixture.vendors.polar;
  await control.addAccount({ id: user, timeZone: HOME.zone });
  const { startMs, endMs, asleep } = spanOf(slept ?? NIGHT);
  const night = {
    date: DATE,
    sleep_start_time: local(startMs),
    sleep_end_time: local(endMs),
    light_sleep: asleep,
    deep_sleep: 0,
    rem_sleep: 0,
    total_interruption_duration: 0,
    hypnogram: { [local(startMs).slice(11, 16)]: 2 },
  };
  const day = {
    start_time: `${DATE}T00:00:00`,
    end_time: `${DATE}T23:59:59`,
    active_duration: 'PT1H',
    calories: 2000,
    active_calories: 400,
    steps,
    distance_from_steps: meters,
  };
  await control.put(user, { ...(slept && { sleep: [night] }), activities: [day] }, { notify: false });
}

async function putSuunto(user: string, { slept, steps }: Wearable) {
  const { control } = fixture.vendors.suunto;
  await control.addAccount({ id: user, timeZone: HOME.zone });
  const { startMs, endMs, asleep } = spanOf(slept ?? NIGHT);
  const night = {
    timestamp: local(startMs),
    entryData: {
      SleepId: 1,
      BedtimeStart: local(startMs),
      BedtimeEnd: local(endMs),
      Duration: (endMs - startMs) / MS_PER_SECOND,
      WakeAfterSleepOnsetDuration: 0,
      DeepSleepDuration: 0,
      LightSleepDuration: asleep,
      REMSleepDuration: 0,
      IsNap: false,
    },
  };
  const day = {
    date: DATE,
    offsetMinutes: HOME.offsetMinutes,
    device: 'Suunto Race',
    steps: steps ?? null,
    joules: null,
  };
  await control.put(user, { ...(slept && { sleep: [night] }), days: [day] }, { notify: false });
}

async function putUltrahuman(user: string, { slept }: Wearable) {
  const { control } = fixture.vendors.ultrahuman;
  await control.addAccount({ id: user, timeZone: HOME.zone });
  const { startMs, endMs } = spanOf(slept ?? NIGHT);
  const [start, end] = [startMs / MS_PER_SECOND, endMs / MS_PER_SECOND];
  await control.putDays(user, [
    {
      date: DATE,
      dayStart: midnight(1) / MS_PER_SECOND,
      heartRate: [],
      variability: [],
      temperature: [],
      saturation: [],
      steps: [],
      glucose: [],
      activeMinutes: 0,
      vo2Max: 0,
      movement: 0,
      sleep: {
        start,
        end,
        stages: [{ start, end, type: 'light' }],
        efficiency: 100,
        score: 80,
        temperatureDeviation: 0,
      },
    },
  ]);
}

/** Returns one function per data channel of the user. Each function delivers the data of the channel's devices. */
function arrivalsOf(user: string, data: UserData): (() => Promise<void>)[] {
  const { iphone, appleWatch, oura, polar, suunto, ultrahuman } = data;
  const pulled = (id: 'oura' | 'polar' | 'suunto' | 'ultrahuman', put: Promise<void>) => async () => {
    await put;
    await fixture.arrive(user, id);
  };
  return [
    ...(iphone || appleWatch ? [() => fixture.push(user, pushed(data))] : []),
    ...(oura ? [pulled('oura', putOura(user, oura))] : []),
    ...(polar ? [pulled('polar', putPolar(user, polar))] : []),
    ...(suunto ? [pulled('suunto', putSuunto(user, suunto))] : []),
    ...(ultrahuman ? [pulled('ultrahuman', putUltrahuman(user, ultrahuman))] : []),
  ];
}

describe.each(USERS.map((one) => [one.who, one] as const))('%s', (_, data) => {
  test.each(['phone first', 'phone last'])('shows the expected sources with the %s', async (order) => {
    const user: string = (await fixture.call('POST', '/api/v1/users', {})).body.id;
    const arrivals = arrivalsOf(user, data);
    for (const arrive of order === 'phone first' ? arrivals : arrivals.toReversed()) await arrive();
    for (const [summary, expected] of Object.entries(data.shows)) {
      const rows = await fixture.rows(user, `/summaries/${summary}`);
      expect(
        rows.find(({ date }) => date === DATE),
        summary,
      ).toMatchObject(expected);
    }
  });
});

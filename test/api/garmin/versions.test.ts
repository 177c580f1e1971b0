import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConnectedUser, type GarminFixture, openGarminFixture } from './garmin-fixture.js';

const DAY = 86_400;
const HOUR = 3_600;

type Item = Record<string, unknown>;
const hourly = (hours: number, value: number) =>
  Object.fromEntries(Array.from({ length: hours }, (_, hour) => [String(hour * HOUR), value]));

/** Builds a user's summaries of one UTC day. Hours count from its midnight. */
function dayBefore(daysAgo: number) {
  const midnight = (Math.floor(Date.now() / 1_000 / DAY) - daysAgo) * DAY;
  const date = new Date(midnight * 1_000).toISOString().slice(0, 10);
  const placed = (startHours: number, hours: number) => ({
    calendarDate: date,
    startTimeInSeconds: midnight + startHours * HOUR,
    startTimeOffsetInSeconds: 0,
    durationInSeconds: hours * HOUR,
  });
  return {
    midnight,
    date,
    atHour: (hours: number) => (midnight + hours * HOUR) * 1_000,
    placed,
    /** Builds a sleep with stages, a score, and hourly saturation and breathing rates. */
    sleep(name: string, startHours: number, hours: number, validation: string, score: number): Item {
      const at = placed(startHours, hours);
      const { startTimeInSeconds } = at;
      return {
        summaryId: `${name} of ${date}`,
        ...at,
        lightSleepDurationInSeconds: hours * HOUR,
        sleepLevelsMap: { light: [{ startTimeInSeconds, endTimeInSeconds: startTimeInSeconds + hours * HOUR }] },
        validation,
        overallSleepScore: { value: score, qualifierKey: 'GOOD' },
        timeOffsetSleepSpo2: hourly(hours, 96),
        timeOffsetSleepRespiration: hourly(hours, 14),
      };
    },
    variability: (startHours: number, hours: number, average: number): Item => ({
      ...placed(startHours, hours),
      lastNightAvg: average,
      hrvValues: hourly(hours, average),
    }),
    stress: (startHours: number, hours: number, timeOffsetBodyBatteryValues: Record<number, number>): Item => ({
      ...placed(startHours, hours),
      timeOffsetBodyBatteryValues,
    }),
  };
}

const yesterday = dayBefore(1);

let fixture: GarminFixture;
let users = 0;
beforeAll(async () => {
  fixture = await openGarminFixture();
  await fixture.control.setPushTarget({ url: fixture.address, deliveries: 'held' });
});
afterAll(() => fixture.close());

/** Connects a new user. Returns a function that delivers and reads bodies one after another. */
async function newUser(): Promise<ConnectedUser & { deliver(...bodies: Record<string, Item[]>[]): Promise<void> }> {
  const name = `person ${++users}`;
  const { userId: account } = await fixture.control.addAccount({ id: name });
  const user = await fixture.connect(name);
  return {
    ...user,
    async deliver(...bodies) {
      for (const body of bodies) {
        const ofAccount = Object.entries(body).map(([key, items]) => [
          key,
          items.map((item) => ({ userId: account, ...item })),
        ]);
        expect(await fixture.control.sendBody(JSON.stringify(Object.fromEntries(ofAccount)))).toBe(200);
        await fixture.reading.settle();
      }
    },
  };
}

const hoursOf = async (code: 'oxygen_saturation' | 'respiratory_rate' | 'heart_rate_variability_rmssd', key: number) =>
  (await fixture.samples(key, code, 0)).map(({ atMs }) => (atMs / 1_000 - yesterday.midnight) / HOUR);

const averagesOf = (key: number) => fixture.samples(key, 'heart_rate_variability_rmssd', 2);

/** Returns all permutations. */
function orders<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

describe('the sleeps of one date', () => {
  it('are stored with their scores in any order of arrival', async () => {
    const { userKey, deliver } = await newUser();
    const expectedNights: unknown[] = [];
    const expectedScores: number[] = [];
    for (const [index, order] of orders(['tentative', 'final', 'second'] as const).entries()) {
      const { sleep, midnight, atHour, date } = dayBefore(1 + 2 * (5 - index));
      const nap = { napStartTimeInSeconds: midnight + 15 * HOUR, napDurationInSeconds: 1_800, napOffsetInSeconds: 0 };
      const versions = {
        tentative: sleep('tentative', 0, 5, 'AUTO_TENTATIVE', 60),
        final: sleep('final', -1, 7, 'ENHANCED_FINAL', 80),
        second: { ...sleep('second', 9, 2, 'AUTO_FINAL', 40), naps: [nap] },
      };
      const items = [...order, 'tentative' as const].map((name) => versions[name]);
      const cut = index % 4;
      await deliver({ sleeps: items.slice(0, cut) }, { sleeps: items.slice(cut) });
      expectedNights.push(
        [`final of ${date}`, atHour(-1), atHour(6), false],
        [`second of ${date}`, atHour(9), atHour(11), false],
        [`nap/${midnight + 15 * HOUR}`, atHour(15), atHour(15.5), true],
      );
      expectedScores.push(80, 40);
    }
    const nights = await fixture.nights(userKey);
    expect(
      nights.map(({ external_id, start_at, end_at, is_nap }) => [external_id, +start_at, +end_at, is_nap]),
    ).toEqual(expectedNights);
    expect((await fixture.scores(userKey)).map(({ value }) => value)).toEqual(expectedScores);
    expect(await fixture.samples(userKey, 'oxygen_saturation')).toHaveLength(6 * 9);
  });

  it('keep their IDs and values when all versions are redelivered', async () => {
    const { userKey, deliver } = await newUser();
    const { sleep } = yesterday;
    const sleeps = [
      sleep('f', -1, 7, 'ENHANCED_FINAL', 80),
      sleep('t', 0, 5, 'AUTO_TENTATIVE', 60),
      sleep('second', 9, 2, 'AUTO_FINAL', 40),
    ];
    await deliver({ sleeps });
    const first = await fixture.everything(userKey);
    await deliver({ sleeps }, { sleeps: sleeps.toReversed() });
    expect(await fixture.everything(userKey)).toEqual(first);
  });

  it('are replaced by a later final version', async () => {
    const { userKey, deliver } = await newUser();
    const { sleep } = yesterday;
    await deliver(
      { sleeps: [sleep('f', -1, 7, 'AUTO_FINAL', 80)] },
      { sleeps: [sleep('edited', 1, 4, 'AUTO_MANUAL', 55)] },
    );
    expect(await fixture.nights(userKey)).toMatchObject([{ external_id: `edited of ${yesterday.date}` }]);
    expect((await fixture.scores(userKey)).map(({ value }) => value)).toEqual([55]);
  });
});

describe('measurements during a tentative sleep', () => {
  const { sleep, variability, placed, atHour } = yesterday;
  const wakingAt = (hours: number) => atHour(hours) - 1_000;
  const tentative = sleep('t', -3, 11, 'ENHANCED_TENTATIVE', 60);
  const final = sleep('f', -1, 7, 'ENHANCED_FINAL', 80);
  const finalHours = [-1, 0, 1, 2, 3, 4, 5];

  it.each([
    ['saturation', 'oxygen_saturation'],
    ['breathing', 'respiratory_rate'],
  ] as const)('deletes the %s of a tentative sleep that moves', async (_, code) => {
    const { userKey, deliver } = await newUser();
    await deliver({ sleeps: [tentative] });
    expect(await hoursOf(code, userKey)).toHaveLength(11);
    await deliver({ sleeps: [final] });
    expect(await hoursOf(code, userKey)).toEqual(finalHours);
    const days = await fixture.pool.query('select 1 from sleep_session where user_key = $1 and stages is not null', [
      userKey,
    ]);
    expect(days.rowCount).toBe(1);
  });

  it('keeps daytime measurements near a tentative sleep', async () => {
    const { userKey, deliver } = await newUser();
    const breaths = { ...placed(-3, 11), timeOffsetEpochToBreaths: { 600: 15, [10.5 * HOUR]: 16 } };
    await deliver({ allDayRespiration: [breaths] }, { sleeps: [tentative] }, { sleeps: [final] });
    expect((await fixture.samples(userKey, 'respiratory_rate', 0)).map(({ value }) => value)).toEqual([
      15,
      ...finalHours.map(() => 14),
      16,
    ]);
  });

  it.each([
    ['after the sleeps', ['sleeps', 'hrv']],
    ['before the sleeps', ['hrv', 'sleeps']],
  ] as const)('replaces tentative variability and its average with restated values, %s', async (_, keys) => {
    const { userKey, deliver } = await newUser();
    const bodies = { sleeps: [tentative], hrv: [variability(-3, 11, 40)] };
    const restated = { sleeps: [final], hrv: [variability(-1, 7, 52)] };
    for (const version of [bodies, restated]) await deliver(...keys.map((key) => ({ [key]: version[key] })));
    expect(await hoursOf('heart_rate_variability_rmssd', userKey)).toEqual(finalHours);
    expect(await averagesOf(userKey)).toEqual([{ atMs: wakingAt(6), value: 52 }]);
  });

  it('keeps old variability only within the final sleep if no restatement arrives', async () => {
    const { userKey, deliver } = await newUser();
    await deliver({ sleeps: [tentative], hrv: [variability(-3, 11, 40)] }, { sleeps: [final] });
    expect(await hoursOf('heart_rate_variability_rmssd', userKey)).toEqual(finalHours);
    expect(await averagesOf(userKey)).toEqual([{ atMs: wakingAt(8), value: 40 }]);
  });

  it.each([
    ['in one delivery', (nights: Item[]) => [{ sleeps: nights }]],
    ['in two deliveries', (nights: Item[]) => nights.map((night) => ({ sleeps: [night] }))],
  ])("keeps each part's variability after a split of the sleep, %s", async (_, deliveriesOf) => {
    const { userKey, deliver } = await newUser();
    const nights = [sleep('a', -3, 4, 'ENHANCED_FINAL', 80), sleep('b', 4, 4, 'ENHANCED_FINAL', 70)];
    await deliver({ sleeps: [tentative], hrv: [variability(-3, 11, 40)] });
    await deliver({ hrv: [variability(-2, 3, 52), variability(4, 4, 61)] }, ...deliveriesOf(nights));
    expect(await hoursOf('heart_rate_variability_rmssd', userKey)).toEqual([-2, -1, 0, 4, 5, 6, 7]);
    expect(await averagesOf(userKey)).toEqual([
      { atMs: wakingAt(1), value: 52 },
      { atMs: wakingAt(8), value: 61 },
    ]);
  });

  it('keeps the variability within each part after a split in one delivery', async () => {
    const { userKey, deliver } = await newUser();
    await deliver({ sleeps: [tentative], hrv: [variability(-3, 11, 40)] });
    await deliver({ sleeps: [sleep('a', -2, 3, 'ENHANCED_FINAL', 80), sleep('b', 4, 4, 'ENHANCED_FINAL', 70)] });
    expect(await hoursOf('heart_rate_variability_rmssd', userKey)).toEqual([-2, -1, 0, 4, 5, 6, 7]);
  });

  it.each<[string, Record<string, Item[]>[]]>([
    ['before its sleep', [{ hrv: [variability(-3, 11, 40)] }, { hrv: [variability(-1, 7, 52)] }]],
    ['after its sleep', [{ hrv: [variability(-3, 11, 40)] }, { sleeps: [final] }, { hrv: [variability(-1, 7, 52)] }]],
    ['alone, after its sleep', [{ sleeps: [final] }, { hrv: [variability(-1, 7, 52)] }]],
  ])('never replaces variability that arrived %s with older variability', async (_, bodies) => {
    const { userKey, deliver } = await newUser();
    await deliver(...bodies, { hrv: [variability(-3, 11, 40)] });
    expect(await hoursOf('heart_rate_variability_rmssd', userKey)).toEqual(finalHours);
    expect(await averagesOf(userKey)).toEqual([{ atMs: wakingAt(6), value: 52 }]);
  });

  it('keeps a complete night of variability when a part is redelivered', async () => {
    const { userKey, deliver } = await newUser();
    const [part, whole] = [variability(-1, 3, 40), variability(-1, 7, 52)];
    await deliver({ hrv: [part] }, { hrv: [whole] }, { hrv: [part] });
    expect(await hoursOf('heart_rate_variability_rmssd', userKey)).toEqual(finalHours);
    expect(await averagesOf(userKey)).toMatchObject([{ value: 52 }]);
  });
});

describe('body battery', () => {
  const partsOf = ({ stress }: ReturnType<typeof dayBefore>) => [
    stress(0, 6, { 0: 50 }),
    stress(6, 6, { [HOUR]: 91 }),
    stress(18, 6, { 0: 20 }),
  ];
  const wholeOf = ({ stress }: ReturnType<typeof dayBefore>, highest: number) =>
    stress(0, 24, { 0: 50, [7 * HOUR]: highest, [18 * HOUR]: 20 });

  it('scores a day by its maximum in any order of arrival', async () => {
    const { userKey, deliver } = await newUser();
    const expected: unknown[] = [];
    for (const [index, order] of orders([0, 1, 2]).entries()) {
      const day = dayBefore(6 - index);
      const items = [wholeOf(day, 91), ...partsOf(day).slice(1)];
      for (const at of order) await deliver({ stressDetails: [items[at]!] });
      expected.push({ id: `body_battery/${day.date}`, value: 91 });
    }
    expect(await fixture.scores(userKey)).toEqual(expected);
  });

  it("computes a day's score if only its parts arrive", async () => {
    const { userKey, deliver } = await newUser();
    for (const piece of partsOf(yesterday)) await deliver({ stressDetails: [piece] });
    expect(await fixture.scores(userKey)).toEqual([{ id: `body_battery/${yesterday.date}`, value: 91 }]);
  });

  it("excludes the next day's first hour from a 23-hour day's score", async () => {
    const { userKey, deliver } = await newUser();
    const [day, next] = [dayBefore(4), dayBefore(3)];
    const first = { ...next.stress(-1, 24, { 0: 99 }), startTimeOffsetInSeconds: HOUR };
    await deliver({ stressDetails: [first] }, { stressDetails: [day.stress(0, 23, { [7 * HOUR]: 91 })] });
    expect(await fixture.scores(userKey)).toEqual([
      { id: `body_battery/${day.date}`, value: 91 },
      { id: `body_battery/${next.date}`, value: 99 },
    ]);
  });

  it('includes the last hour in the score of a 25-hour day', async () => {
    const { userKey, deliver } = await newUser();
    const day = dayBefore(4);
    const whole = day.stress(0, 25, { [7 * HOUR]: 91, [24.5 * HOUR]: 95 });
    await deliver({ stressDetails: [whole] }, { stressDetails: [day.stress(6, 6, { [HOUR]: 91 })] });
    expect(await fixture.scores(userKey)).toEqual([{ id: `body_battery/${day.date}`, value: 95 }]);
  });

  it("lowers a full day's score after a vendor correction", async () => {
    const { userKey, deliver } = await newUser();
    await deliver({ stressDetails: [wholeOf(yesterday, 91)] }, { stressDetails: [wholeOf(yesterday, 70)] });
    expect(await fixture.scores(userKey)).toEqual([{ id: `body_battery/${yesterday.date}`, value: 70 }]);
  });
});

describe('a cycle', () => {
  const cycle = (dayInCycle: number, lastUpdatedTimeInSeconds: number | null): Item => ({
    summaryId: 'mct-1',
    periodStartDate: yesterday.date,
    dayInCycle,
    lastUpdatedTimeInSeconds,
  });
  const [early, late] = [cycle(1, 1_000), cycle(5, 5_000)];
  const unknown = cycle(6, null);

  it.each([
    ['after a timestamped update', [[late], [unknown]], 6],
    ['with a timestamped update in one delivery', [[late, unknown]], 6],
    ['before a timestamped update', [[unknown], [early]], 1],
    ['before an older update', [[late], [unknown], [early]], 6],
    ['before an older update in one delivery', [[late, unknown], [early]], 6],
  ])('orders an update without a timestamp by its arrival %s', async (_, deliveries, day) => {
    const { userKey, deliver } = await newUser();
    await deliver(...deliveries.map((mct) => ({ mct })));
    const { rows } = await fixture.pool.query('select details from menstrual_cycle where user_key = $1', [userKey]);
    expect(rows).toMatchObject([{ details: { day_in_cycle: day } }]);
  });
});

describe('an activity', () => {
  const run = {
    activityId: 78,
    startTimeInSeconds: yesterday.midnight + 8 * HOUR,
    startTimeOffsetInSeconds: 0,
    durationInSeconds: 600,
    activityType: 'RUNNING',
  };
  const recorded = {
    activityDetails: [
      {
        activityId: 78,
        summary: { ...run, deviceName: 'Fenix' },
        laps: [{ startTimeInSeconds: run.startTimeInSeconds }],
      },
    ],
  };
  const edited = {
    manuallyUpdatedActivities: [
      { ...run, startTimeInSeconds: yesterday.midnight + 6 * HOUR, activityName: 'Early', deviceName: 'unknown' },
    ],
  };
  const workoutsOf = async ({ userId }: ConnectedUser) => {
    const day = `start_date=${yesterday.date}&end_date=${dayBefore(0).date}`;
    return (await fixture.call('GET', `/api/v1/users/${userId}/events/workouts?${day}`)).body.data;
  };

  it("keeps the activity's device after an edit without a device name", async () => {
    const { deliver, ...user } = await newUser();
    await deliver(recorded);
    const [before] = await workoutsOf(user);
    await deliver(edited);
    expect(await workoutsOf(user)).toMatchObject([
      { id: before.id, name: 'Early', source: { device: 'Fenix' }, start_time: expect.stringContaining('T06:00') },
    ]);
    expect(await fixture.workouts(user.userKey)).toMatchObject([{ external_id: '78', events: [{ type: 'lap' }] }]);
  });

  it.each([
    ['in one body', [{ ...edited, ...recorded }]],
    ['in two deliveries', [edited, recorded]],
  ])('creates one workout if the edit arrives first, %s', async (_, bodies) => {
    const { deliver, ...user } = await newUser();
    await deliver(...(bodies as Record<string, Item[]>[]));
    expect(await workoutsOf(user)).toMatchObject([{ source: { device: 'Fenix' } }]);
    expect(await fixture.workouts(user.userKey)).toHaveLength(1);
    await deliver(edited, edited);
    expect(await fixture.workouts(user.userKey)).toHaveLength(1);
  });
});

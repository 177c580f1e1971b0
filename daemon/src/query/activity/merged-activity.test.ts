import { createHash } from 'node:crypto';
import { type HealthRecord, MS_PER_MINUTE, type SampleRecord, type SourceIdentity } from '@healthd/model';
import { type ActivityMerge, parseMoment } from '@healthd/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser, writeRecords } from '../../../../test/support/recorded-user.js';
import { GARMIN, PHONE, sample, WATCH } from '../../../../test/support/records.js';
import { readActivity } from './activity.js';
import { explainActivity } from './explain-activity.js';

const RING: SourceIdentity = {
  provider: 'apple',
  deviceModel: 'Ring1,1',
  writer: 'com.example.ring',
  deviceType: 'ring',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

async function userWith(...records: HealthRecord[]): Promise<number> {
  return (await recordedUser(database, ...records)).userKey;
}

function moment(text: string) {
  const parsed = parseMoment(text);
  if (!parsed) throw new Error('unreadable test bound');
  return parsed;
}

async function days(userKey: number, from = '2026-03-10', before = '2026-03-11', merge: ActivityMerge = 'interval') {
  const range = { start: moment(from), end: moment(before), limit: 400, sortOrder: 'asc' as const };
  return (await readActivity(database, userKey, { ...range, merge })).data;
}

/** Returns the steps of each day in a range. */
async function steps(userKey: number, from = '2026-03-10', before = '2026-03-11', merge: ActivityMerge = 'interval') {
  return Object.fromEntries((await days(userKey, from, before, merge)).map((day) => [day.date, day.steps]));
}

const explain = (userKey: number, date = '2026-03-10', merge: ActivityMerge = 'interval') =>
  explainActivity(database, userKey, { date: moment(date), merge, withheld: new Set() });

const at = (time: string) => `2026-03-10T${time}Z`;
const hour = (start: string, value: number, source: SourceIdentity = WATCH) => ({
  ...sample('steps', start, value, { source, minutes: 60 }),
  externalId: start,
});

describe('merging the sources of one provider', () => {
  it('counts each instant of a watch and a phone once', async () => {
    const user = await userWith(hour(at('08:00'), 1000), hour(at('08:30'), 1200, PHONE));
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
    expect(await steps(user, undefined, undefined, 'source')).toEqual({ '2026-03-10': 1000 });
    const [metric] = (await explain(user)).metrics;
    expect(metric).toMatchObject({ type: 'steps', unit: 'count', value: 1600, provider: 'apple' });
    expect(metric?.candidates).toMatchObject([
      { source: { device_type: 'watch' }, best: true, amount: 1000, sample_sum: 1000 },
      {
        source: { device_type: 'phone' },
        best: false,
        lost_by: 'lower_class',
        amount: 600,
        sample_sum: 1200,
      },
    ]);
    const [watch, phone] = metric?.candidates.map((candidate) => candidate.source_id) ?? [];
    expect(metric?.ranges).toEqual([
      { source_id: watch, start: at('08:00:00'), end: at('09:00:00'), amount: 1000 },
      { source_id: phone, start: at('09:00:00'), end: at('09:30:00'), amount: 600 },
    ]);
  });

  it('ranks an account with too few steps last for steps and energy', async () => {
    const google: SourceIdentity = { provider: 'google', deviceModel: 'Pixel 9', deviceType: 'phone', writer: 'fit' };
    const user = await userWith(
      hour(at('08:00'), 57),
      sample('energy', at('08:00'), 12, { source: RING }),
      hour(at('09:00'), 8000, google),
      sample('energy', at('09:00'), 250, { source: google }),
    );
    expect(await days(user)).toMatchObject([{ steps: 8000, active_calories_kcal: 250 }]);
    // Without merging, the ring has no steps, so it cannot have too few.
    const [alone] = await days(user, undefined, undefined, 'source');
    expect(alone).toMatchObject({ steps: 8000, active_calories_kcal: 12 });
  });

  it('merges steps, distance, floors and energy, but not active time', async () => {
    const both = (code: Parameters<typeof sample>[0], value: number) => [
      sample(code, at('08:00'), value, { minutes: 60 }),
      sample(code, at('08:30'), value, { minutes: 60, source: PHONE }),
    ];
    const user = await userWith(
      ...both('steps', 1000),
      ...both('distance_walking_running', 800),
      ...both('energy', 40),
      ...both('basal_energy', 80),
      ...both('active_time', 10),
      sample('flights_climbed', at('10:00'), 3, { source: PHONE }),
    );
    expect(await days(user)).toMatchObject([
      {
        steps: 1500,
        distance_meters: 1200,
        floors_climbed: 3,
        active_minutes: 10,
        active_calories_kcal: 60,
        total_calories_kcal: 180,
      },
    ]);
    const { metrics } = await explain(user);
    expect(metrics.map(({ type, value }) => [type, value])).toEqual([
      ['steps', 1500],
      ['distance_walking_running', 1200],
      ['flights_climbed', 3],
      ['energy', 60],
      ['basal_energy', 120],
    ]);
  });

  it('never merges another provider', async () => {
    const user = await userWith(hour(at('08:00'), 1000), hour(at('12:00'), 500, GARMIN));
    expect(await steps(user)).toEqual({ '2026-03-10': 1000 });
    expect((await explain(user)).metrics[0]?.candidates).toMatchObject([
      { source: { provider: 'apple' }, best: true, amount: 1000 },
      { source: { provider: 'garmin' }, best: false, lost_by: 'lower_provider_priority', amount: 0 },
    ]);
  });

  it('prefers a daily total to samples', async () => {
    const user = await userWith(
      hour(at('08:00'), 1000),
      sample('steps', at('00:00'), 4000, { source: PHONE, kind: 'daily_total' }),
    );
    expect(await steps(user)).toEqual({ '2026-03-10': 4000 });
    expect((await explain(user)).metrics[0]).toMatchObject({ value: 4000, from_daily_total: true, ranges: [] });
  });

  it("prefers the day's larger amount if devices of one type overlap", async () => {
    const second = { ...WATCH, deviceModel: 'Watch7,1' };
    const user = await userWith(
      hour(at('08:00'), 100),
      hour(at('10:00'), 20),
      hour(at('11:00'), 20),
      hour(at('08:00'), 200, second),
    );
    expect(await steps(user)).toEqual({ '2026-03-10': 240 });
    expect((await explain(user)).metrics[0]?.candidates[0]).toMatchObject({ amount: 200 });
  });

  it('prefers a device of unknown type to a phone', async () => {
    const unknown = { ...RING, deviceType: undefined };
    const user = await userWith(hour(at('08:00'), 1000, unknown), hour(at('08:30'), 1200, PHONE));
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
  });

  it("counts the phone's steps if the watch recorded only zero", async () => {
    const user = await userWith(hour(at('08:00'), 0), hour(at('08:00'), 500, PHONE));
    expect(await steps(user)).toEqual({ '2026-03-10': 500 });
  });

  it('ignores a daily total of zero if another source has steps', async () => {
    const zero = sample('steps', at('00:00'), 0, { source: PHONE, kind: 'daily_total' });
    expect(await steps(await userWith(hour(at('08:00'), 1000), zero))).toEqual({ '2026-03-10': 1000 });
  });

  it('counts a walk once if three sources record overlapping parts', async () => {
    // 100 steps a minute while worn. Each source records in pieces of a different length.
    const worn = [
      { source: WATCH, from: 480, to: 700, piece: 7 },
      { source: PHONE, from: 600, to: 900, piece: 10 },
      { source: RING, from: 100, to: 650, piece: 13 },
    ];
    const records = worn.flatMap(({ source, from, to, piece }) => {
      const pieces: SampleRecord[] = [];
      for (let minute = from; minute < to; minute += piece) {
        const minutes = Math.min(piece, to - minute);
        const start = new Date(Date.parse(at('00:00')) + minute * MS_PER_MINUTE).toISOString();
        pieces.push(sample('steps', start, minutes * 100, { source, minutes }));
      }
      return pieces;
    });
    const user = await userWith(...records);
    expect(await steps(user)).toEqual({ '2026-03-10': (900 - 100) * 100 });
  });
});

describe('merging around midnight', () => {
  const late = (value: number, source = WATCH) =>
    sample('steps', '2026-03-10T23:30:00Z', value, { source, minutes: 60, offsetMinutes: 0 });

  it('splits an interval across midnight', async () => {
    const user = await userWith(late(600), hour('2026-03-11T08:00:00Z', 100));
    expect(await steps(user, '2026-03-10', '2026-03-12')).toEqual({ '2026-03-10': 300, '2026-03-11': 400 });
    expect((await explain(user, '2026-03-11')).metrics[0]?.ranges[0]).toMatchObject({
      start: '2026-03-11T00:00:00Z',
      end: '2026-03-11T00:30:00Z',
      amount: 300,
    });
  });

  it('splits an interval once the next day has data', async () => {
    const user = await userWith(late(600));
    expect(await steps(user, '2026-03-10', '2026-03-12')).toEqual({ '2026-03-10': 600 });
    await writeRecords(database, user, [hour('2026-03-11T08:00:00Z', 100)]);
    expect(await steps(user, '2026-03-10', '2026-03-12')).toEqual({ '2026-03-10': 300, '2026-03-11': 400 });
  });

  it('uses local midnight on both sides of a clock change', async () => {
    // 29 March 2026: Central Europe goes from +01:00 to +02:00 at 01:00Z.
    const user = await userWith(
      sample('steps', '2026-03-28T22:30:00Z', 600, { minutes: 60, offsetMinutes: 60 }),
      sample('steps', '2026-03-29T00:30:00Z', 600, { minutes: 60, offsetMinutes: 60 }),
      sample('steps', '2026-03-29T01:00:00Z', 1200, { minutes: 60, offsetMinutes: 120, source: PHONE }),
      sample('steps', '2026-03-29T21:30:00Z', 600, { minutes: 60, offsetMinutes: 120 }),
      sample('steps', '2026-03-30T10:00:00Z', 50, { offsetMinutes: 120 }),
    );
    expect(await steps(user, '2026-03-28', '2026-03-31')).toEqual({
      '2026-03-28': 300,
      '2026-03-29': 300 + 600 + 600 + 300,
      '2026-03-30': 350,
    });
  });

  it('counts an interval of more than a day at its start', async () => {
    const user = await userWith(
      sample('steps', at('10:00'), 900, { source: PHONE, minutes: 1441 }),
      hour(at('11:00'), 100),
      hour('2026-03-11T08:00:00Z', 100),
    );
    expect(await steps(user, '2026-03-10', '2026-03-12')).toEqual({ '2026-03-10': 1000, '2026-03-11': 100 });
  });
});

describe('stored totals', () => {
  const poison = (user: number) => database.pool.query('update day_merged set total = 77 where user_key = $1', [user]);
  const twoSources = () => userWith(hour(at('08:00'), 1000), hour(at('08:30'), 1200, PHONE));

  it('shows cached totals without reading samples', async () => {
    const user = await twoSources();
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
    await poison(user);
    expect(await steps(user)).toEqual({ '2026-03-10': 77 });
  });

  it('recomputes cached totals after new, changed and deleted samples', async () => {
    const user = await twoSources();
    await steps(user);
    await writeRecords(database, user, [hour(at('20:00'), 50, PHONE)]);
    expect(await steps(user)).toEqual({ '2026-03-10': 1650 });
    await writeRecords(database, user, [hour(at('08:30'), 600, PHONE)]);
    expect(await steps(user)).toEqual({ '2026-03-10': 1350 });
    const gone = { startMs: Date.parse(at('20:00')), endMs: Date.parse(at('21:00')) };
    const { typeId } = hour(at('08:00'), 1);
    await writeRecords(database, user, [{ kind: 'deletion', of: 'samples', provider: 'apple', typeId, ...gone }]);
    expect(await steps(user)).toEqual({ '2026-03-10': 1300 });
  });

  it('applies changed device type priorities to cached totals immediately', async () => {
    const user = await twoSources();
    const { deviceTypes } = database.priorities;
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
    try {
      await deviceTypes.setOne({ name: 'phone', priority: 1 });
      await deviceTypes.setOne({ name: 'watch', priority: 4 });
      expect(await steps(user)).toEqual({ '2026-03-10': 1700 });
    } finally {
      await deviceTypes.setOne({ name: 'phone', priority: 4 });
      await deviceTypes.setOne({ name: 'watch', priority: 1 });
    }
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
  });

  it("recomputes cached totals when a source's device type is detected", async () => {
    const scale: SourceIdentity = { ...RING, deviceModel: 'Model1,1', deviceType: 'scale' };
    const unknown = { ...scale, deviceType: undefined };
    const user = await userWith(hour(at('08:00'), 1000, unknown), hour(at('08:30'), 1200, PHONE));
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
    await writeRecords(database, user, [sample('heart_rate', at('08:00'), 60, { source: scale })]);
    expect(await steps(user)).toEqual({ '2026-03-10': 1700 });
  });

  it('recomputes totals that an earlier version cached under another key', async () => {
    const user = await twoSources();
    await steps(user);
    await poison(user);
    const ranks = (await database.priorities.deviceTypes.ranks()).entries();
    const text = [...ranks]
      .map(([name, priority]) => `${name}=${priority}`)
      .sort()
      .join();
    const earlier = createHash('sha256').update(text).digest().readUIntBE(0, 6);
    await database.pool.query('update day_merged set device_order = $2 where user_key = $1', [user, earlier]);
    expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
    const { rows } = await database.pool.query('select total from day_merged where user_key = $1', [user]);
    expect(rows).toEqual([{ total: 1600 }]);
  });

  it('computes totals without caching or waiting during a write', async () => {
    const user = await twoSources();
    const writer = await database.pool.connect();
    try {
      await writer.query('begin');
      await writer.query('select from user_state where user_key = $1 for no key update', [user]);
      expect(await steps(user)).toEqual({ '2026-03-10': 1600 });
    } finally {
      await writer.query('rollback');
      writer.release();
    }
    const { rows } = await database.pool.query('select from day_merged where user_key = $1', [user]);
    expect(rows).toHaveLength(0);
  });
});

it('lists a source whose only data started the day before', async () => {
  const evening = sample('steps', '2026-03-09T23:30:00Z', 600, { minutes: 60, offsetMinutes: 0 });
  const morning = sample('steps', at('08:00'), 70, { source: PHONE, minutes: 5, offsetMinutes: 0 });
  const user = await userWith(evening, morning);
  const [metric] = (await explain(user)).metrics;
  expect(metric).toMatchObject({
    value: 370,
    candidates: [
      { source: { device_type: 'phone' }, best: true, amount: 70, sample_count: 1 },
      { source: { device_type: 'watch' }, best: false, amount: 300, sample_count: 0, sample_sum: null },
    ],
  });
  const named = new Set(metric?.candidates.map((candidate) => candidate.source_id));
  expect(metric?.ranges.every((range) => named.has(range.source_id))).toBe(true);
});

it('stores totals that equal recomputed and explained totals', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const sources = [WATCH, PHONE, RING, { ...PHONE, writer: 'com.example.other' }];
  const offsets = [undefined, 0, 60, -480, 720];
  const batch = () =>
    Array.from({ length: 1 + random(5) }, () =>
      sample(
        'steps',
        new Date(Date.parse('2026-03-05') + random(10 * 1440) * MS_PER_MINUTE).toISOString(),
        random(500),
        {
          source: sources[random(4)] ?? WATCH,
          minutes: [undefined, 0, 5, 60, 600, 1440, 2000][random(7)],
          offsetMinutes: offsets[random(5)],
        },
      ),
    );
  const user = await userWith(...batch());
  let written = 0;
  for (let round = 0; round < 25; round++) {
    await writeRecords(database, user, batch());
    const kept = await steps(user, '2026-03-01', '2026-03-20');
    await database.pool.query('delete from day_merged where user_key = $1', [user]);
    expect(await steps(user, '2026-03-01', '2026-03-20')).toEqual(kept);
    const date = Object.keys(kept)[random(Object.keys(kept).length)] ?? '';
    expect((await explain(user, date)).metrics[0]?.value).toBe(kept[date]);
    const [metric] = (await explain(user, date)).metrics;
    const given = metric?.ranges.reduce((sum, { amount }) => sum + amount, 0) ?? 0;
    expect(Math.round(given)).toBe(kept[date]);
    const amounts = metric?.candidates.reduce((sum, { amount }) => sum + (amount ?? 0), 0) ?? 0;
    expect(Math.round(amounts)).toBe(kept[date]);
    written++;
  }
  expect(written).toBe(25);
});

describe('explaining one day', () => {
  it('counts only the selected source if merging is off', async () => {
    const user = await userWith(hour(at('08:00'), 1000), hour(at('09:00'), 300), hour(at('08:30'), 1200, PHONE));
    const { metrics } = await explain(user, '2026-03-10', 'source');
    expect(metrics[0]).toMatchObject({
      value: 1300,
      candidates: [{ amount: 1300 }, { amount: 0 }],
      ranges: [{ start: at('08:00:00'), end: at('10:00:00'), amount: 1300 }],
    });
  });

  it('reports a null metric if its only source lacks the lead figure', async () => {
    const user = await userWith(
      sample('steps', at('08:00'), 100),
      sample('distance_walking_running', at('08:00'), 70, { source: PHONE }),
    );
    const { metrics } = await explain(user, '2026-03-10', 'source');
    expect(metrics[1]).toMatchObject({
      type: 'distance_walking_running',
      value: null,
      ranges: [],
      candidates: [{ lost_by: 'no_lead_figure', best: false }],
    });
  });

  it('ranks a single source first', async () => {
    const user = await userWith(sample('steps', at('08:00'), 100));
    expect((await explain(user)).metrics[0]?.candidates).toMatchObject([{ lost_by: null, best: true }]);
    expect(await explain(user, '2026-03-09')).toMatchObject({ date: '2026-03-09', merge: 'interval', metrics: [] });
  });
});

describe('sources of one provider by account', () => {
  const ADA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring 4', deviceType: 'ring', account: 'ada' };
  const BEN: SourceIdentity = { ...ADA, account: 'ben' };

  it('merges the sources of each account separately', async () => {
    const user = await userWith(
      hour(at('08:00'), 1000, ADA),
      hour(at('10:00'), 500, { ...ADA, deviceModel: 'Oura Ring 3' }),
      hour(at('12:00'), 1200, BEN),
    );
    expect(await steps(user)).toEqual({ '2026-03-10': 1500 });
    const [metric] = (await explain(user)).metrics;
    expect(metric?.value).toBe(1500);
    expect(metric?.candidates.map(({ amount }) => amount)).toEqual([1000, 500, 0]);
  });

  it('merges sources without an account', async () => {
    const user = await userWith(hour(at('08:00'), 1000), hour(at('10:00'), 500, PHONE));
    expect(await steps(user)).toEqual({ '2026-03-10': 1500 });
  });
});

it('merges equal sources the same way in any order of arrival', async () => {
  // Types and amounts are equal, so the source's identity decides, not the order of database ids.
  const twin = (id: string): SourceIdentity => ({ ...WATCH, deviceId: id });
  const records = [
    hour(at('08:00'), 1000, twin('a')),
    sample('steps', at('08:00'), 1000, { source: twin('b'), minutes: 30 }),
  ];
  for (const order of [records, records.toReversed()]) {
    const user = (await recordedUser(database)).userKey;
    for (const record of order) await writeRecords(database, user, [record]);
    expect(await steps(user)).toEqual({ '2026-03-10': 1000 });
  }
});

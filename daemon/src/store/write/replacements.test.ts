import { dayNumber, type HealthRecord, MS_PER_HOUR, type ReplacementRecord, type SourceIdentity } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';

const CLOUD: SourceIdentity = { provider: 'google', writer: 'cloud' };
const CLOUD_WATCH: SourceIdentity = { provider: 'google', writer: 'cloud/com.example', deviceModel: 'Lyra' };
const PHONE: SourceIdentity = { provider: 'google', writer: 'cloudy', deviceModel: 'Pixel' };
const STEPS = 80;
const HEART_RATE = 1;

let fixture: RecordFixture;
let user: number;

beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

function write(...records: HealthRecord[]) {
  return fixture.write(user, ...records);
}

function sample(at: string, value: number, source = CLOUD, typeId = STEPS): HealthRecord {
  return { kind: 'sample', source, typeId, startMs: Date.parse(at), value, sampleKind: 'sample', offsetMinutes: 0 };
}

/** Returns a heart rate; with an id, a reading of the workout with that id. */
function reading(at: string, value: number, externalId?: string): HealthRecord {
  return { ...sample(at, value, CLOUD, HEART_RATE), ...(externalId !== undefined && { externalId }) };
}

function sleep(from: string, to: string, externalId?: string, source = CLOUD): HealthRecord {
  const span = { startMs: Date.parse(from), endMs: Date.parse(to) };
  return { kind: 'sleep_session', source, externalId, ...span, offsetMinutes: 0, asleepSeconds: 20_000 };
}

function workout(from: string, to: string, externalId?: string): HealthRecord {
  const span = { startMs: Date.parse(from), endMs: Date.parse(to) };
  return { kind: 'workout', source: CLOUD, externalId, type: 'running', ...span, offsetMinutes: 0 };
}

const replaceSamples = (
  from: string,
  to: string,
  typeIds = [STEPS],
): Extract<ReplacementRecord, { of: 'samples' }> => ({
  ...window(from, to),
  of: 'samples',
  typeIds,
});
function window(from: string, to: string) {
  const span = { startMs: Date.parse(from), endMs: Date.parse(to) };
  return { kind: 'replacement', provider: 'google', writer: 'cloud', ...span } as const;
}

async function stored() {
  const { rows } = await fixture.pool.query(
    `select to_char(start_at, 'HH24:MI') || ' ' || value || ' ' || type_id as row from sample
      where user_key = $1 order by start_at, type_id, value`,
    [user],
  );
  return rows.map(({ row }) => row);
}

async function stepsOfDays() {
  const { rows } = await fixture.pool.query(
    `select local_date, sum(sample_sum) as steps from day_value where user_key = $1 and type_id = ${STEPS}
      group by 1 order by 1`,
    [user],
  );
  return Object.fromEntries(rows.map(({ local_date, steps }) => [local_date, steps]));
}

describe('a replaced window', () => {
  it('deletes missing samples from their days', async () => {
    await write(
      sample('2026-03-10T08:00:00Z', 100),
      sample('2026-03-10T08:05:00Z', 30),
      sample('2026-03-11T08:00:00Z', 7),
    );
    const result = await write(
      replaceSamples('2026-03-10T00:00:00Z', '2026-03-12T00:00:00Z'),
      sample('2026-03-10T08:00:00Z', 100),
      sample('2026-03-10T08:02:00Z', 20),
    );
    expect(result.deleted.samples).toBe(2);
    expect(result.samples).toEqual({ inserted: 1, updated: 0, unchanged: 1 });
    expect(result.dates).toEqual({ from: '2026-03-10', to: '2026-03-11' });
    expect(await stored()).toEqual([`08:00 100 ${STEPS}`, `08:02 20 ${STEPS}`]);
    expect(await stepsOfDays()).toEqual({ '2026-03-10': 120 });
  });

  it('replaces daily totals without touching readings', async () => {
    const midnight = '2026-03-10T00:00:00Z';
    const totalOfDay = { ...sample(midnight, 900), sampleKind: 'daily_total' as const };
    await write(sample(midnight, 100), totalOfDay);
    await write({ ...replaceSamples(midnight, '2026-03-11T00:00:00Z'), sampleKinds: ['daily_total'] });
    expect(await stored()).toEqual([`00:00 100 ${STEPS}`]);
  });

  it('covers local days in any stored offset', async () => {
    const total = (at: string, value: number, offsetMinutes: number): HealthRecord => ({
      kind: 'sample',
      source: CLOUD,
      typeId: STEPS,
      startMs: Date.parse(at),
      value,
      offsetMinutes,
      sampleKind: 'daily_total',
    });
    await write(
      total('2026-03-09T10:00:00Z', 8, -600),
      total('2026-03-09T11:00:00Z', 9, 780),
      total('2026-03-10T08:00:00Z', 10, -480),
      total('2026-03-10T11:00:00Z', 11, 780),
    );
    const localDays = { firstDay: dayNumber('2026-03-10')!, endDay: dayNumber('2026-03-11')! };
    await write({ ...replaceSamples('2026-03-09T06:00:00Z', '2026-03-11T18:00:00Z'), localDays });
    expect(await stored()).toEqual([`10:00 8 ${STEPS}`, `11:00 11 ${STEPS}`]);
  });

  it('writes nothing when reread without changes', async () => {
    const all = () => [
      replaceSamples('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'),
      sample('2026-03-10T08:00:00Z', 100),
      { ...window('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), of: 'sleep_sessions' } as const,
      sleep('2026-03-10T01:00:00Z', '2026-03-10T07:00:00Z', 'night'),
    ];
    await write(...all());
    const versions = async () =>
      (
        await fixture.pool.query(
          'select xmin from sample where user_key = $1 union all select xmin from day_value where user_key = $1 union all select xmin from sleep_session where user_key = $1',
          [user],
        )
      ).rows;
    const before = await versions();
    const result = await write(...all());
    expect(result.deleted).toEqual({ samples: 0, sessions: 0, healthScores: 0 });
    expect(result.samples).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
    expect(result.dates).toBeUndefined();
    expect(await versions()).toEqual(before);
  });

  it('affects only its own types, hours and writer', async () => {
    await write(
      sample('2026-03-10T07:59:00Z', 1),
      sample('2026-03-10T08:00:00Z', 2),
      sample('2026-03-10T08:30:00Z', 3, CLOUD_WATCH),
      sample('2026-03-10T08:40:00Z', 4, PHONE),
      sample('2026-03-10T08:45:00Z', 70, CLOUD, HEART_RATE),
      sample('2026-03-10T09:00:00Z', 5),
    );
    const result = await write(replaceSamples('2026-03-10T08:00:00Z', '2026-03-10T09:00:00Z'));
    expect(result.deleted.samples).toBe(2);
    expect(await stored()).toEqual([
      `07:59 1 ${STEPS}`,
      `08:40 4 ${STEPS}`,
      `08:45 70 ${HEART_RATE}`,
      `09:00 5 ${STEPS}`,
    ]);
  });

  it('distinguishes a daily total from a sample at the same instant', async () => {
    const total = { ...sample('2026-03-10T00:00:00Z', 900), sampleKind: 'daily_total' } as HealthRecord;
    await write(total, sample('2026-03-10T00:00:00Z', 12));
    await write(replaceSamples('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), total);
    expect(await stored()).toEqual([`00:00 900 ${STEPS}`]);
  });

  it('deletes only the missing nights', async () => {
    await write(
      sleep('2026-03-10T01:00:00Z', '2026-03-10T07:00:00Z', 'kept'),
      sleep('2026-03-10T23:00:00Z', '2026-03-11T06:00:00Z', 'gone'),
      sleep('2026-03-10T13:00:00Z', '2026-03-10T13:40:00Z'),
      sleep('2026-03-10T14:00:00Z', '2026-03-10T14:30:00Z', 'phone', PHONE),
    );
    const { rows: before } = await fixture.pool.query(`select id from sleep_session where external_id = 'kept'`);
    const result = await write(
      { ...window('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), of: 'sleep_sessions' },
      sleep('2026-03-10T00:55:00Z', '2026-03-10T07:05:00Z', 'kept'),
    );
    expect(result.deleted.sessions).toBe(2);
    expect(result.dates).toEqual({ from: '2026-03-10', to: '2026-03-11' });
    const { rows } = await fixture.pool.query(
      'select id, external_id from sleep_session where user_key = $1 order by start_at',
      [user],
    );
    expect(rows).toEqual([
      { id: before[0].id, external_id: 'kept' },
      { id: expect.any(String), external_id: 'phone' },
    ]);
  });

  it('deletes missing workouts', async () => {
    await write(
      workout('2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z'),
      workout('2026-03-10T12:00:00Z', '2026-03-10T13:00:00Z'),
      workout('2026-03-11T12:00:00Z', '2026-03-11T13:00:00Z', 'later'),
    );
    const result = await write(
      { ...window('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), of: 'workouts' },
      workout('2026-03-10T10:00:00Z', '2026-03-10T11:05:00Z'),
    );
    expect(result.deleted.sessions).toBe(1);
    expect(result.workouts).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    const { rows } = await fixture.pool.query(
      `select to_char(end_at, 'DD HH24:MI') as ends from workout where user_key = $1 order by start_at`,
      [user],
    );
    expect(rows.map(({ ends }) => ends)).toEqual(['10 11:05', '11 13:00']);
  });

  it('deletes only the readings of missing workouts', async () => {
    await write(
      workout('2026-03-10T08:00:00Z', '2026-03-10T09:00:00Z', 'gone'),
      workout('2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z', 'kept'),
      reading('2026-03-10T08:30:00Z', 120, 'gone'),
      reading('2026-03-10T08:31:00Z', 60),
      reading('2026-03-10T09:05:00Z', 121, 'gone'),
      reading('2026-03-10T10:30:00Z', 130, 'kept'),
    );
    const replaced = { ...window('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), of: 'workouts' } as const;
    const kept = workout('2026-03-10T10:00:00Z', '2026-03-10T11:00:00Z', 'kept');
    const result = await write(replaced, kept);
    expect(result.deleted).toMatchObject({ sessions: 1, samples: 2 });
    expect(await stored()).toEqual([`08:31 60 ${HEART_RATE}`, `10:30 130 ${HEART_RATE}`]);
  });

  it('deletes a moved workout’s readings at its former time', async () => {
    const run = (day: string, source = CLOUD, from = '08:00') => ({
      ...workout(`${day}T${from}:00Z`, `${day}T09:00:00Z`, 'run'),
      source,
      idScope: 'writer' as const,
    });
    await write(
      run('2026-03-10'),
      reading('2026-03-10T08:30:00Z', 120, 'run'),
      reading('2026-03-10T08:31:00Z', 121, 'other'),
      reading('2026-03-10T08:32:00Z', 60),
    );
    // The run starts a little later on the same day. Its old readings are still within reach, so the next readings
    // replace them.
    await write(run('2026-03-10', CLOUD, '08:10'));
    expect(await stored()).toHaveLength(3);
    const result = await write(
      run('2026-03-14', { ...CLOUD, deviceModel: 'Lyra' }),
      reading('2026-03-14T08:30:00Z', 130, 'run'),
    );
    expect(result.deleted).toMatchObject({ sessions: 0, samples: 1 });
    expect(await stored()).toEqual([`08:31 121 ${HEART_RATE}`, `08:32 60 ${HEART_RATE}`, `08:30 130 ${HEART_RATE}`]);
  });

  it('keeps the id of a sample that is redelivered without an id', async () => {
    const at = '2026-03-10T08:00:00Z';
    const slots = async () =>
      (await fixture.pool.query('select slot, value from sample where user_key = $1', [user])).rows;
    await write(reading(at, 100, 'run'));
    const [before] = await slots();
    await write(replaceSamples('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z', [HEART_RATE]), reading(at, 110));
    expect(await slots()).toEqual([{ slot: before.slot, value: 110 }]);
  });

  it('keeps a night assembled from stages', async () => {
    const span = { startMs: Date.parse('2026-03-10T01:00:00Z'), endMs: Date.parse('2026-03-10T07:00:00Z') };
    await write({ kind: 'sleep_stage', source: CLOUD, stage: 'light', ...span, offsetMinutes: 0 });
    const result = await write({ ...window('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), of: 'sleep_sessions' });
    expect(result.deleted.sessions).toBe(0);
  });

  it('deletes missing scores and values', async () => {
    const score = (externalId: string, hour: string, value?: number): HealthRecord => ({
      kind: 'health_score',
      source: CLOUD,
      externalId,
      category: 'strain',
      value,
      atMs: Date.parse(`2026-03-10T${hour}:00:00Z`),
    });
    const scores = async () =>
      (
        await fixture.pool.query(
          `select external_id || ' ' || coalesce(value::text, 'none') as row from health_score where user_key = $1
            order by external_id`,
          [user],
        )
      ).rows.map(({ row }) => row);
    await write(score('day/1', '07', 12), score('workout/1', '08', 5), score('workout/2', '09', 6));
    await write(score('workout/3', '23', 4));
    const day = window('2026-03-10T00:00:00Z', '2026-03-10T20:00:00Z');
    const result = await write({ ...day, of: 'health_scores', idPrefix: 'workout/' }, score('workout/2', '09'));
    expect(result.deleted.healthScores).toBe(2);
    expect(await scores()).toEqual(['day/1 12', 'workout/2 none', 'workout/3 4']);
    const again = await write({ ...day, of: 'health_scores', idPrefix: 'workout/' }, score('workout/2', '09'));
    expect(again.deleted.healthScores).toBe(0);
  });

  it('accepts an empty window without stored data', async () => {
    const result = await write(replaceSamples('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'));
    expect(result.deleted.samples).toBe(0);
  });

  it('deletes samples without offsets from the day that includes them', async () => {
    const unplaced = { ...sample('2026-03-10T23:30:00Z', 40), offsetMinutes: undefined } as HealthRecord;
    const placed = { ...sample('2026-03-10T20:00:00Z', 5), offsetMinutes: 60 } as HealthRecord;
    await write(unplaced, placed);
    expect(await stepsOfDays()).toEqual({ '2026-03-10': 5, '2026-03-11': 40 });
    await write(replaceSamples('2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'), placed);
    expect(await stepsOfDays()).toEqual({ '2026-03-10': 5 });
  });
});

describe('a batch with deletions only', () => {
  const morning = { startMs: Date.parse('2026-03-09T07:00:00Z'), endMs: Date.parse('2026-03-09T08:00:00Z') };
  it.each<[string, HealthRecord]>([
    ['a window', { ...replaceSamples('2026-03-09T07:00:00Z', '2026-03-09T08:00:00Z') }],
    ['an interval', { kind: 'deletion', provider: 'google', of: 'samples', typeId: STEPS, ...morning }],
  ])('keeps the remaining samples on their day after deleting %s', async (_, removal) => {
    const unplaced = (at: string, value: number) =>
      ({ ...sample(at, value), offsetMinutes: undefined }) as HealthRecord;
    const west = { ...sample('2026-03-09T12:00:00Z', 60, CLOUD, HEART_RATE), offsetMinutes: -420 } as HealthRecord;
    await write(west, unplaced('2026-03-09T07:30:00Z', 40), unplaced('2026-03-10T01:00:00Z', 5));
    expect(await stepsOfDays()).toEqual({ '2026-03-09': 45 });
    expect((await write(removal)).deleted.samples).toBe(1);
    expect(await stepsOfDays()).toEqual({ '2026-03-09': 5 });
  });
});

describe('a session with an id', () => {
  it.each([
    { what: 'workout', of: 'workouts', table: 'workout', item: workout },
    { what: 'night', of: 'nights', table: 'sleep_session', item: sleep },
  ] as const)('moves to its new date if a window contains it: $what', async ({ of, table, item }) => {
    await write(item('2026-03-01T21:00Z', '2026-03-02T02:00Z', 'x'));
    const { displacedSessions } = await write(
      { ...window('2026-03-20T00:00Z', '2026-03-22T00:00Z'), of },
      item('2026-03-20T21:00Z', '2026-03-21T02:00Z', 'x'),
    );
    const { rows } = await fixture.pool.query(`select start_at from ${table} where user_key = $1`, [user]);
    expect(rows).toEqual([{ start_at: new Date('2026-03-20T21:00Z') }]);
    const [startMs, endMs] = [Date.parse('2026-03-01T21:00Z'), Date.parse('2026-03-02T02:00Z')];
    expect(displacedSessions).toEqual([{ externalId: 'x', startMs, endMs, isGone: false }]);
  });

  it('is reported as deleted with its time if a window omits it', async () => {
    await write(
      workout('2026-03-01T21:00Z', '2026-03-01T22:00Z', 'x'),
      workout('2026-03-01T23:00Z', '2026-03-01T23:10Z'),
    );
    const { displacedSessions } = await write({ ...window('2026-03-01T00:00Z', '2026-03-02T00:00Z'), of: 'workouts' });
    const [startMs, endMs] = [Date.parse('2026-03-01T21:00Z'), Date.parse('2026-03-01T22:00Z')];
    expect(displacedSessions).toEqual([{ externalId: 'x', startMs, endMs, isGone: true }]);
  });

  it('keeps its row when a window names another device', async () => {
    const first = { ...workout('2026-03-01T21:00Z', '2026-03-01T22:00Z', 'x'), idScope: 'writer' } as const;
    const { workoutIds } = await write(first as HealthRecord);
    const renamed = { ...first, source: { ...CLOUD, deviceModel: 'Lyra' } } as HealthRecord;
    const again = await write({ ...window('2026-03-01T00:00Z', '2026-03-02T00:00Z'), of: 'workouts' }, renamed);
    expect(again).toMatchObject({ workoutIds: { inserted: [], updated: [] }, displacedSessions: [] });
    const { rows } = await fixture.pool.query('select id from workout where user_key = $1', [user]);
    expect(rows.map(({ id }) => id)).toEqual(workoutIds.inserted);
  });
});

it.each(['isCreation', 'isCompletion'])("keeps a workout's readings if a shorter version is an %s", async (flag) => {
  const run = (to: string) => workout('2026-03-10T08:00:00Z', to, 'run');
  await write(run('2026-03-10T12:00:00Z'), reading('2026-03-10T11:00:00Z', 150, 'run'));
  await write({ ...run('2026-03-10T08:30:00Z'), [flag]: true } as HealthRecord);
  expect(await stored()).toEqual([`11:00 150 ${HEART_RATE}`]);
});

it('counts a deleted reading once if two replacements remove it', async () => {
  await write(workout('2026-03-10T10:00Z', '2026-03-10T11:00Z', 'run'), reading('2026-03-10T10:30Z', 150, 'run'));
  const [from, to] = ['2026-03-10T00:00Z', '2026-03-11T00:00Z'] as const;
  const { deleted } = await write(replaceSamples(from, to, [HEART_RATE]), { ...window(from, to), of: 'workouts' });
  expect(deleted).toEqual({ samples: 1, sessions: 1, healthScores: 0 });
});

describe('replaced windows of sessions and scores', () => {
  const START = Date.UTC(2026, 2, 10);
  /** Another vendor's source with the same writer name. */
  const OTHER: SourceIdentity = { provider: 'oura', writer: 'cloud' };
  // Few hours, so that many items begin or end exactly at an end of a window.
  const hour = fc.nat({ max: 8 });
  const item = fc.record({
    kind: fc.constantFrom('workout', 'night', 'night', 'nap', 'day/', 'workout/'),
    source: fc.constantFrom(CLOUD, CLOUD, CLOUD_WATCH, PHONE, OTHER),
    startHour: hour,
    hours: fc.integer({ min: 1, max: 3 }),
    again: fc.constantFrom('missing' as const, 'missing' as const, 'equal' as const, 'renamed' as const),
  });
  const OF = ['workouts', 'nights', 'sleep_sessions', 'day/', 'workout/'] as const;
  const windows = fc.uniqueArray(
    fc.record({ of: fc.constantFrom(...OF), fromHour: hour, hours: fc.integer({ min: 1, max: 3 }) }),
    { minLength: 3, maxLength: 5, size: 'max', selector: ({ of }) => of },
  );
  type Item = { kind: string; source: SourceIdentity; startHour: number; hours: number; again: string };
  type Window = { of: (typeof OF)[number]; fromHour: number; hours: number };

  const isSleep = ({ kind }: Item) => kind === 'night' || kind === 'nap';
  const nameOf = ({ kind, source, startHour }: Item) =>
    `${kind}${source.provider} ${source.writer} ${source.deviceModel} ${startHour}`;

  function recordOf(item: Item): HealthRecord {
    const { kind, source, startHour, hours } = item;
    const startMs = START + startHour * MS_PER_HOUR;
    const more = { source, externalId: nameOf(item) };
    const span = { startMs, endMs: startMs + hours * MS_PER_HOUR, offsetMinutes: 0 };
    if (isSleep(item)) return { kind: 'sleep_session', ...more, ...span, isNap: kind === 'nap' };
    if (kind === 'workout') return { kind, type: 'running', ...more, ...span };
    return { kind: 'health_score', category: 'strain', value: 5, atMs: startMs, ...more };
  }

  function isIn(item: Item, { of, fromHour, hours }: Window): boolean {
    if (item.source !== CLOUD && item.source !== CLOUD_WATCH) return false;
    const [from, to] = [fromHour, fromHour + hours];
    const startsIn = item.startHour >= from && item.startHour < to;
    if (of === 'workouts') return item.kind === 'workout' && startsIn;
    if (of === 'sleep_sessions') return isSleep(item) && startsIn;
    if (of === 'nights') return item.kind === 'night' && item.startHour < to && item.startHour + item.hours > from;
    return item.kind === of && startsIn;
  }

  it('delete exactly the missing items of their writer and data type', async () => {
    const items = fc.uniqueArray(item, {
      minLength: 20,
      maxLength: 40,
      size: 'max',
      // Excludes sessions with the same source and start, which would be one session. Other tests cover such sessions.
      selector: (one) => nameOf(isSleep(one) ? { ...one, kind: 'sleep' } : one),
    });
    const property = fc.asyncProperty(items, windows, async (all, replaced) => {
      const userKey = await fixture.newUser();
      await fixture.write(userKey, ...all.map(recordOf));
      const replacements = replaced.map(({ of, fromHour, hours }): ReplacementRecord => {
        const startMs = START + fromHour * MS_PER_HOUR;
        const base = { kind: 'replacement' as const, provider: 'google' as const, writer: 'cloud', startMs };
        const endMs = startMs + hours * MS_PER_HOUR;
        if (of === 'day/' || of === 'workout/') return { ...base, endMs, of: 'health_scores', idPrefix: of };
        return { ...base, endMs, of };
      });
      // A session that arrives with another id and end is a new session, and the stored session is missing.
      const isNew = ({ kind, again }: Item) => again === 'renamed' && !kind.endsWith('/');
      const restated = all.flatMap((one): HealthRecord[] => {
        if (isNew(one))
          return [{ ...recordOf({ ...one, hours: one.hours + 1 }), externalId: `${nameOf(one)} new` } as HealthRecord];
        return one.again === 'missing' ? [] : [recordOf(one)];
      });
      const { deleted } = await fixture.write(userKey, ...replacements, ...restated);
      const gone = all.filter(
        (one) => (one.again === 'missing' || isNew(one)) && replaced.some((window) => isIn(one, window)),
      );
      const { rows } = await fixture.pool.query(
        `select external_id as id from workout where user_key = $1
         union all select external_id from sleep_session where user_key = $1
         union all select external_id from health_score where user_key = $1`,
        [userKey],
      );
      const left = all.filter((one) => !gone.includes(one)).map(nameOf);
      const added = all.filter(isNew).map((one) => `${nameOf(one)} new`);
      expect(rows.map(({ id }) => id).sort()).toEqual([...left, ...added].sort());
      const scores = gone.filter(({ kind }) => kind.endsWith('/')).length;
      expect(deleted).toMatchObject({ sessions: gone.length - scores, healthScores: scores });
    });
    await fc.assert(property, { numRuns: propertyRuns(30, 200) });
  });
});

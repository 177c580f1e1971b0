import { type HealthRecord, SECONDS_PER_HOUR, type SleepSessionRecord } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { run, sleepStage } from '../../../../test/support/records.js';

let fixture: RecordFixture;
let user: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

const write = (...records: HealthRecord[]) => fixture.write(user, ...records);
const stored = async (table: 'workout' | 'sleep_session' | 'sleep_stage', of = user) =>
  (await fixture.pool.query(`select * from ${table} where user_key = $1 order by start_at, end_at`, [of])).rows;

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);

const deletionOf = (externalId: string): HealthRecord => ({
  kind: 'deletion',
  provider: 'oura',
  of: 'session',
  externalId,
});

function vendorNight(facts: Partial<SleepSessionRecord> = {}): SleepSessionRecord {
  return {
    kind: 'sleep_session',
    source: { provider: 'oura' },
    offsetMinutes: 0,
    isNap: false,
    startMs: at('00:00'),
    endMs: at('06:00'),
    asleepSeconds: 5 * SECONDS_PER_HOUR,
    ...facts,
  };
}

describe('workouts', () => {
  it('are separate if types or ends differ in the same second', async () => {
    const both = [run(), run({ type: 'yoga' }), run({ endMs: at('18:30') })];
    expect((await write(...both)).workouts).toEqual({ inserted: 3, updated: 0, unchanged: 0 });
    expect((await write(...both)).workouts).toEqual({ inserted: 0, updated: 0, unchanged: 3 });
    expect((await stored('workout')).map(({ type }) => type).sort()).toEqual(['running', 'running', 'yoga']);
  });

  it('match between file and phone, in any order of arrival', async () => {
    const filed = run({ distanceMeters: 10_000, caloriesKcal: undefined });
    const pushed = run({ externalId: 'w1', startMs: at('17:00') + 250, caloriesKcal: 700, distanceMeters: undefined });
    await write(filed);
    expect((await write(pushed)).workouts).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    await write(filed);
    const reversed = await fixture.newUser();
    await fixture.write(reversed, pushed);
    await fixture.write(reversed, filed);
    for (const one of [user, reversed]) {
      expect(await stored('workout', one)).toMatchObject([
        { external_id: 'w1', calories_kcal: 700, distance_meters: 10_000 },
      ]);
    }
    expect((await write({ ...pushed, endMs: at('18:10') })).workouts.updated).toBe(1);
    expect(await stored('workout')).toMatchObject([{ end_at: new Date(at('18:10')) }]);
  });

  it('are merged if equal, whatever their ids', async () => {
    await write(run({ externalId: 'before the phone was restored' }), run({ externalId: 'after' }));
    expect(await stored('workout')).toHaveLength(1);
  });

  it('keep offset, date, name and metadata when redelivered without them', async () => {
    const late = { startMs: at('22:30'), endMs: at('23:30') };
    await write(run({ ...late, name: 'Home', metadata: { weather: 'rain', lap_length_meters: 400 } }));
    const again = await write(run({ ...late, offsetMinutes: undefined, metadata: { weather: 'snow' } }));
    expect(again.workouts).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    expect(await stored('workout')).toMatchObject([
      {
        offset_minutes: 60,
        local_date: '2026-03-11',
        name: 'Home',
        metadata: { weather: 'snow', lap_length_meters: 400 },
      },
    ]);
    expect((await write(run({ ...late, offsetMinutes: undefined }))).workouts.unchanged).toBe(1);
  });

  it('combine the fields of two items in a batch', async () => {
    await write(run({ name: 'Home', offsetMinutes: 60 }), run({ offsetMinutes: undefined, caloriesKcal: 5 }));
    expect(await stored('workout')).toMatchObject([{ name: 'Home', offset_minutes: 60, calories_kcal: 5 }]);
  });

  it('do not depend on the order of items with and without ids', async () => {
    const item = fc.record({
      type: fc.constantFrom('running' as const, 'yoga' as const),
      endMs: fc.constantFrom(at('18:00'), at('18:30')),
      hasId: fc.boolean(),
    });
    const deliveries = fc
      .array(item, { minLength: 1, maxLength: 8 })
      .chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })));
    const records = (items: { type: 'running' | 'yoga'; endMs: number; hasId: boolean }[]) =>
      items.map(({ type, endMs, hasId }) => run({ type, endMs, externalId: hasId ? `${type} ${endMs}` : undefined }));
    const reported = async (of: number) =>
      (await stored('workout', of)).map(
        ({ type, end_at, external_id }) => `${type} ${end_at.getTime()} ${external_id}`,
      );
    await fc.assert(
      fc.asyncProperty(deliveries, async ([items, shuffled]) => {
        const once = await fixture.newUser();
        await fixture.write(once, ...records(items));
        const oneByOne = await fixture.newUser();
        for (const record of records(shuffled)) await fixture.write(oneByOne, record);
        expect((await reported(oneByOne)).sort()).toEqual((await reported(once)).sort());
        expect(await reported(once)).toHaveLength(new Set(items.map(({ type, endMs }) => `${type} ${endMs}`)).size);
      }),
      { numRuns: propertyRuns(8, 30) },
    );
  });
});

describe("a vendor's sleep without an id", () => {
  it('updates the stored session with the same start', async () => {
    await write(vendorNight());
    await write(vendorNight({ endMs: at('07:00'), asleepSeconds: 6 * SECONDS_PER_HOUR }));
    expect(await stored('sleep_session')).toMatchObject([
      { end_at: new Date(at('07:00')), asleep_seconds: 6 * SECONDS_PER_HOUR },
    ]);
  });

  it('is a separate session if it is a nap', async () => {
    await write(vendorNight(), vendorNight({ isNap: true, endMs: at('00:30') }));
    expect((await stored('sleep_session')).map(({ is_nap }) => is_nap)).toEqual([true, false]);
  });

  it('adopts an id that arrives later', async () => {
    await write(vendorNight());
    await write(vendorNight({ externalId: 'n1', endMs: at('06:30') }));
    expect(await stored('sleep_session')).toMatchObject([{ external_id: 'n1', end_at: new Date(at('06:30')) }]);
  });
});

it('keeps the offset of a redelivered stage and its night’s date', async () => {
  const last = sleepStage('light', '2026-03-09T18:00Z', '2026-03-09T23:30Z', { offsetMinutes: 60 });
  await write(last);
  const again = await write({ ...last, offsetMinutes: undefined });
  expect(again.sleepStages).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
  expect(await stored('sleep_session')).toMatchObject([{ offset_minutes: 60, wake_date: '2026-03-10' }]);
});

it('keeps only the workouts that a reread window contains', async () => {
  const source = { provider: 'google', writer: 'cloud' } as const;
  const window = { startMs: at('00:00'), endMs: at('23:00') };
  const replacement: HealthRecord = {
    kind: 'replacement',
    provider: 'google',
    writer: 'cloud',
    of: 'workouts',
    ...window,
  };
  await write(run({ source }), run({ source, type: 'yoga' }));
  const again = await write(replacement, run({ source, externalId: 'w1' }));
  expect(again.deleted.sessions).toBe(1);
  expect(again.workouts.updated).toBe(1);
  expect((await stored('workout')).map(({ type, external_id }) => [type, external_id])).toEqual([['running', 'w1']]);
});

describe('a vendor\u2019s night redelivered under a second id', () => {
  beforeEach(async () => {
    await write(vendorNight({ externalId: 'a' }));
    await write(vendorNight({ externalId: 'b' }));
  });

  it('is deleted only with its second id', async () => {
    expect(await stored('sleep_session')).toMatchObject([{ external_id: 'b' }]);
    expect((await write(deletionOf('a'))).deleted.sessions).toBe(0);
    expect(await stored('sleep_session')).toHaveLength(1);
    expect((await write(deletionOf('b'))).deleted.sessions).toBe(1);
    expect(await stored('sleep_session')).toEqual([]);
  });

  it('keeps its own id when corrected under the second id', async () => {
    const [before] = await stored('sleep_session');
    const endMs = at('07:00');
    const result = await write(vendorNight({ externalId: 'b', endMs }));
    expect(result.sleepSessions).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    expect(await stored('sleep_session')).toMatchObject([{ id: before.id, end_at: new Date(endMs) }]);
  });

  it('gets the last id of a batch, even after redelivery', async () => {
    const both = [vendorNight({ externalId: 'b' }), vendorNight({ externalId: 'a' })];
    expect((await write(...both)).sleepSessions.updated).toBe(1);
    expect((await write(...both)).sleepSessions).toEqual({ inserted: 0, updated: 0, unchanged: 1 });
    expect(await stored('sleep_session')).toMatchObject([{ external_id: 'a' }]);
  });
});

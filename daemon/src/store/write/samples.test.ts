import type { SampleRecord } from '@healthd/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { WATCH } from '../../../../test/support/records.js';
import { UserMissingError } from '../../platform/database/index.js';

const STEPS = 80;

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

function steps(at: string, value: number, more: Partial<SampleRecord> = {}): SampleRecord {
  return {
    kind: 'sample',
    source: WATCH,
    typeId: STEPS,
    startMs: Date.parse(at),
    value,
    sampleKind: 'sample',
    offsetMinutes: 0,
    ...more,
  };
}

async function dayValues(userKey: number) {
  const { rows } = await fixture.pool.query(
    `select local_date as date, sample_sum as sum, sample_count as count, total_sum as total
       from day_value where user_key = $1 order by local_date`,
    [userKey],
  );
  return rows;
}

describe('samples', () => {
  it('keep the last value of repeated ids and starts', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, steps('2026-03-10T08:00:00Z', 120, { externalId: 'a' }));
    const result = await fixture.write(
      user,
      steps('2026-03-10T08:00:00Z', 130, { externalId: 'a' }),
      steps('2026-03-10T08:00:00Z', 135, { externalId: 'a' }),
      steps('2026-03-10T08:01:00Z', 20, { externalId: 'b' }),
    );
    expect(result.samples).toEqual({ inserted: 1, updated: 1, unchanged: 0 });
    expect(result.items).toMatchObject({ read: 3, duplicates: 1 });
    expect(result.dates).toEqual({ from: '2026-03-10', to: '2026-03-10' });
    expect(await dayValues(user)).toEqual([{ date: '2026-03-10', sum: 155, count: 2, total: null }]);
  });

  it('change nothing when redelivered', async () => {
    const user = await fixture.newUser();
    const batch = () => [steps('2026-03-10T08:00:00Z', 120), steps('2026-03-11T08:00:00Z', 5)];
    await fixture.write(user, ...batch());
    const before = await fixture.pool.query('select xmin, * from day_value where user_key = $1', [user]);
    const again = await fixture.write(user, ...batch());
    expect(again.samples).toEqual({ inserted: 0, updated: 0, unchanged: 2 });
    expect(again.dates).toBeUndefined();
    const after = await fixture.pool.query('select xmin, * from day_value where user_key = $1', [user]);
    expect(after.rows).toEqual(before.rows);
  });

  it('keep a daily total and a sample at the same instant', async () => {
    const user = await fixture.newUser();
    await fixture.write(
      user,
      steps('2026-03-10T00:00:00Z', 9000, { sampleKind: 'daily_total' }),
      steps('2026-03-10T00:00:00Z', 20),
    );
    expect(await dayValues(user)).toEqual([{ date: '2026-03-10', sum: 20, count: 1, total: 9000 }]);
  });

  it('are rejected with their position for invalid values, durations and dates', async () => {
    const user = await fixture.newUser();
    const result = await fixture.write(
      user,
      steps('2026-03-10T08:00:00Z', Number.NaN),
      steps('2026-03-10T08:01:00Z', 7),
      steps('2026-03-10T08:02:00Z', 7, { durationMs: 2 ** 31 }),
      steps('not a date', 7),
    );
    expect(result.samples.inserted).toBe(1);
    expect(result.rejected).toEqual([
      { kind: 'rejected', collection: 'samples', index: 0, field: 'value', code: 'value_not_finite' },
      { kind: 'rejected', collection: 'samples', index: 2, field: 'duration', code: 'invalid_duration' },
      { kind: 'rejected', collection: 'samples', index: 3, field: 'start', code: 'invalid_date' },
    ]);
  });

  it("are rejected if their values exceed the series' bounds", async () => {
    const user = await fixture.newUser();
    const rate = (value: number) => steps('2026-03-10T08:00:00Z', value, { typeId: 1 });
    const result = await fixture.write(
      user,
      rate(351),
      rate(350),
      rate(15),
      rate(-60),
      steps('2026-03-10T08:00:00Z', -1),
    );
    expect(result.items).toMatchObject({ read: 5, inserted: 2, rejected: 3 });
    expect(result.rejected.map(({ index, field, code, detail }) => [index, field, code, detail])).toEqual([
      [0, 'value', 'implausible', 'heart_rate 15..350 bpm'],
      [3, 'value', 'implausible', 'heart_rate 15..350 bpm'],
      [4, 'value', 'implausible', 'steps 0..50000 count'],
    ]);
  });

  it('are rejected if the user does not exist', async () => {
    const write = fixture.write(987_654, steps('2026-03-10T08:00:00Z', 1));
    await expect(write).rejects.toThrow(UserMissingError);
    await expect(write).rejects.toMatchObject({ code: 'user_missing' });
  });
});

describe('local dates', () => {
  it("come from the sample's own offset", async () => {
    const user = await fixture.newUser();
    await fixture.write(user, steps('2026-03-10T22:30:00Z', 40, { offsetMinutes: 120 }));
    expect(await dayValues(user)).toEqual([{ date: '2026-03-11', sum: 40, count: 1, total: null }]);
  });

  it('move when a nearby offset becomes known', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, steps('2026-03-10T22:30:00Z', 40, { offsetMinutes: undefined }));
    expect(await dayValues(user)).toMatchObject([{ date: '2026-03-10' }]);
    const result = await fixture.write(user, steps('2026-03-12T10:00:00Z', 1, { offsetMinutes: 120 }));
    expect(result.dates).toEqual({ from: '2026-03-10', to: '2026-03-12' });
    expect(await dayValues(user)).toMatchObject([
      { date: '2026-03-11', sum: 40 },
      { date: '2026-03-12', sum: 1 },
    ]);
  });

  it.each([
    [undefined, '2026-03-11'],
    ['America/New_York', '2026-03-10'],
  ])('with zone %s and no offset within 36 hours are %s', async (zone, date) => {
    const user = await fixture.newUser();
    await fixture.pool.query('update health_user set time_zone = $2 where user_key = $1', [user, zone]);
    await fixture.write(
      user,
      steps('2026-03-10T22:30:00Z', 40, { offsetMinutes: undefined }),
      steps('2026-03-12T10:30:00.001Z', 1, { offsetMinutes: 120 }),
    );
    expect(await dayValues(user)).toMatchObject([{ date }, { date: '2026-03-12' }]);
  });

  it('use the nearest known offset at any distance, or UTC without offsets', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, steps('2026-03-10T22:30:00Z', 40, { offsetMinutes: undefined }));
    expect(await dayValues(user)).toMatchObject([{ date: '2026-03-10' }]);
    await fixture.write(user, steps('2026-09-01T10:00:00Z', 1, { offsetMinutes: 120 }));
    expect(await dayValues(user)).toMatchObject([{ date: '2026-03-11' }, { date: '2026-09-01' }]);
    await fixture.write(user, steps('2026-02-01T10:00:00Z', 1, { offsetMinutes: -300 }));
    expect(await dayValues(user)).toMatchObject([
      { date: '2026-02-01' },
      { date: '2026-03-10', sum: 40 },
      { date: '2026-09-01' },
    ]);
  });

  it('keep the UTC date of a daily total at midnight UTC', async () => {
    const user = await fixture.newUser();
    await fixture.write(
      user,
      steps('2026-03-10T12:00:00Z', 40, { offsetMinutes: -480 }),
      steps('2026-03-10T00:00:00Z', 8000, { offsetMinutes: undefined, sampleKind: 'daily_total' }),
    );
    expect(await dayValues(user)).toEqual([{ date: '2026-03-10', sum: 40, count: 1, total: 8000 }]);
  });

  it('move when a correction changes the offset', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, steps('2026-03-10T22:30:00Z', 40));
    const result = await fixture.write(user, steps('2026-03-10T22:30:00Z', 40, { offsetMinutes: 120 }));
    expect(result.samples).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    expect(await dayValues(user)).toMatchObject([{ date: '2026-03-11', sum: 40 }]);
  });
});

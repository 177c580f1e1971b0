import { type HealthRecord, MS_PER_DAY, MS_PER_MINUTE, type SampleRecord, type SeriesCode } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { isConsistent } from '../../../../test/support/item-counts.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { type SampleFacts, sample } from '../../../../test/support/records.js';
import { archiveUser } from '../archive/archive-user.js';

const AT = '2026-03-10T08:00:00Z';

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

function item(code: SeriesCode, value: number, more: SampleFacts & { id?: string; at?: string } = {}): SampleRecord {
  const { id: externalId, at = AT, ...facts } = more;
  return { ...sample(code, at, value, { offsetMinutes: 0, ...facts }), externalId };
}

/** Writes the reports one after the other and returns the item outcomes of the last report. */
async function written(user: number, ...reports: HealthRecord[][]) {
  let items: Record<string, number> = {};
  for (const report of reports) {
    const result = await fixture.write(user, ...report);
    expect(result.items).toSatisfy(isConsistent);
    items = Object.fromEntries(Object.entries(result.items).filter(([name, count]) => count > 0 && name !== 'read'));
  }
  return items;
}

/** Returns a user's stored values in order of start, end and value, and the sums of the roll-up, which must agree. */
async function stored(user: number) {
  const { rows } = await fixture.pool.query(
    `select value, offset_minutes as offset, duration_ms / 1000.0 as seconds, slot >> 28 & 1 as has_id from sample
      where user_key = $1 order by start_at, duration_ms nulls first, value`,
    [user],
  );
  const { rows: days } = await fixture.pool.query(
    `select coalesce(sum(sample_sum), 0) + coalesce(sum(total_sum), 0) as sum,
            coalesce(sum(sample_count + total_count), 0)::int as n from day_value where user_key = $1`,
    [user],
  );
  const sum = rows.reduce((total, { value }) => total + value, 0);
  expect(days[0].sum).toBeCloseTo(sum, 6);
  expect(days[0].n).toBe(rows.length);
  return rows;
}

const valuesOf = async (user: number) => (await stored(user)).map(({ value }) => value);

describe('samples of one source that start in the same second', () => {
  it.each<[SeriesCode, number, number]>([
    ['insulin_delivery', 5, 20],
    ['hydration', 250, 300],
    ['distance_walking_running', 4, 99],
  ])('of %s both count if they differ, in any order', async (code, a, b) => {
    for (const ids of [
      [undefined, undefined],
      ['x', 'y'],
    ]) {
      const user = await fixture.newUser();
      const [first, second] = [item(code, a, { id: ids[0] }), item(code, b, { id: ids[1] })];
      expect(await written(user, [first, second])).toEqual({ inserted: 2 });
      expect(await written(user, [second, first], [second], [first])).toEqual({ unchanged: 1 });
      expect(await valuesOf(user)).toEqual([a, b]);
    }
  });

  it('both count if they arrive in separate reports', async () => {
    const values = [];
    for (const [first, second] of [
      [5, 20],
      [20, 5],
    ] as const) {
      const user = await fixture.newUser();
      expect(await written(user, [item('insulin_delivery', first)], [item('insulin_delivery', second)])).toEqual({
        inserted: 1,
      });
      values.push(await valuesOf(user));
    }
    expect(values).toEqual([
      [5, 20],
      [5, 20],
    ]);
  });

  it('are merged if equal, whatever their ids', async () => {
    const user = await fixture.newUser();
    const same = [item('hydration', 250), item('hydration', 250, { id: 'a' }), item('hydration', 250, { id: 'b' })];
    expect(await written(user, same)).toEqual({ inserted: 1, duplicates: 2 });
    expect(await written(user, [item('hydration', 250, { id: 'c' })])).toEqual({ unchanged: 1 });
    expect(await stored(user)).toMatchObject([{ value: 250, has_id: 1 }]);
  });

  it('are compared at the precision of exports: seconds and six digits', async () => {
    const user = await fixture.newUser();
    const printed = item('distance_walking_running', 12.3457, { minutes: 1 });
    const exact = item('distance_walking_running', 12.345_67, {
      minutes: 1.01,
      at: '2026-03-10T08:00:00.250Z',
      id: 'a',
    });
    expect(await written(user, [printed], [exact])).toEqual({ unchanged: 1 });
    expect(await written(user, [printed])).toEqual({ unchanged: 1 });
    expect(await stored(user)).toMatchObject([{ value: 12.345_67, has_id: 1 }]);
    expect(await written(user, [item('distance_walking_running', 12.3458, { minutes: 1 })])).toEqual({ inserted: 1 });
  });

  it("set the day's last weight to the greatest value", async () => {
    const user = await fixture.newUser();
    await fixture.write(user, item('weight', 70.5), item('weight', 71), item('weight', 70));
    const { rows } = await fixture.pool.query('select last_value from day_value where user_key = $1', [user]);
    expect(rows).toEqual([{ last_value: 71 }]);
  });
});

describe('a sample with an id', () => {
  it('replaces its earlier version when it grows', async () => {
    const user = await fixture.newUser();
    const grown = (minutes: number, value: number) => [item('steps', value, { id: 'hc-1', minutes })];
    expect(await written(user, grown(5, 100), grown(10, 220), grown(15, 300))).toEqual({ updated: 1 });
    expect(await written(user, grown(15, 300))).toEqual({ unchanged: 1 });
    expect(await stored(user)).toMatchObject([{ value: 300, has_id: 1 }]);
  });

  it('keeps its end if a later version lacks it', async () => {
    const user = await fixture.newUser();
    const version = (value: number, minutes?: number) => [item('steps', value, { id: 'hc-1', minutes })];
    expect(await written(user, version(500, 10), version(500))).toEqual({ unchanged: 1 });
    expect(await written(user, version(700))).toEqual({ updated: 1 });
    const lengths = async () => (await stored(user)).map(({ value, seconds }) => [value, Number(seconds)]);
    expect(await lengths()).toEqual([[700, 600]]);
    expect(await written(user, [...version(800, 12), ...version(900)])).toEqual({ updated: 1, duplicates: 1 });
    expect(await lengths()).toEqual([[900, 720]]);
  });

  it.each([
    ['in a later report', (first: HealthRecord, second: HealthRecord) => [[first], [second]], { updated: 1 }],
    [
      'in the same report',
      (first: HealthRecord, second: HealthRecord) => [[first, second]],
      { inserted: 1, duplicates: 1 },
    ],
  ] as const)('replaces its earlier version if either version lacks milliseconds, %s', async (_, reports, items) => {
    const exact = (value: number, minutes: number) =>
      item('steps', value, { id: 'hc-1', at: '2026-03-10T08:00:00.400Z', minutes });
    const whole = (value: number, minutes: number) => item('steps', value, { id: 'hc-1', minutes });
    for (const [first, second] of [
      [exact(500, 10), whole(700, 15)],
      [whole(500, 10), exact(700, 15)],
    ] as const) {
      const user = await fixture.newUser();
      expect(await written(user, ...reports(first, second))).toEqual(items);
      expect(await valuesOf(user)).toEqual([700]);
      expect(await written(user, [second])).toEqual({ unchanged: 1 });
    }
  });

  it('stays when another part starts in the same second', async () => {
    const user = await fixture.newUser();
    const part = (value: number, at: string, seconds?: number) =>
      item('energy', value, { id: 'w', at: `2026-03-10T08:00:0${at}Z`, minutes: seconds && seconds / 60 });
    const parts = [part(1, '0.000', 0.4), part(2, '0.400', 0.5), part(3, '0.900', 0.6), part(4, '0.950')];
    expect(await written(user, ...parts.map((one) => [one]))).toEqual({ inserted: 1 });
    expect(await valuesOf(user)).toEqual([1, 2, 3, 4]);
  });

  it('differs from a part that starts later in the same second', async () => {
    const user = await fixture.newUser();
    const parts = [72, 75].map((value, n) => item('heart_rate', value, { id: 'w', at: `2026-03-10T08:00:00.${n}00Z` }));
    expect(await written(user, parts, parts.toReversed())).toEqual({ unchanged: 2 });
    expect(await valuesOf(user)).toEqual([72, 75]);
  });

  it('replaces its earlier version that was stored without an id', async () => {
    const user = await fixture.newUser();
    await fixture.write(user, item('steps', 100, { minutes: 5 }), item('insulin_delivery', 5));
    await fixture.pool.query('update sample set slot = slot | (1 << 27) where user_key = $1', [user]);
    expect(await written(user, [item('steps', 220, { minutes: 10, id: 'a' })])).toEqual({ updated: 1 });
    expect(await written(user, [item('steps', 7, { minutes: 2, id: 'b' })])).toEqual({ inserted: 1 });
    // The stored dose is identified by its content, so the other dose counts as new.
    expect(
      await written(user, [item('insulin_delivery', 20, { id: 'q' }), item('insulin_delivery', 5, { id: 'p' })]),
    ).toEqual({ inserted: 1, unchanged: 1 });
    expect((await valuesOf(user)).sort((a, b) => a - b)).toEqual([5, 7, 20, 220]);
  });
});

describe('a file and phone pushes', () => {
  const life = (ids: boolean, offsets = true): SampleRecord[] =>
    Array.from({ length: 300 }, (_, n) => {
      const at = new Date(Date.parse(AT) + Math.floor(n / 2) * MS_PER_MINUTE).toISOString();
      const facts = { at, minutes: n % 3 === 0 ? 1 : undefined, offsetMinutes: offsets ? 120 : undefined };
      return item(n % 2 === 0 ? 'steps' : 'hydration', 10 + n, { ...facts, id: ids ? `id-${n}` : undefined });
    });

  it('store each sample once, with the pushed ids', async () => {
    const [fileFirst, pushFirst] = [await fixture.newUser(), await fixture.newUser()];
    expect(await written(fileFirst, life(false), life(true))).toEqual({ unchanged: 300 });
    expect(await written(pushFirst, life(true), life(false))).toEqual({ unchanged: 300 });
    expect(await stored(fileFirst)).toEqual(await stored(pushFirst));
    expect((await stored(fileFirst)).every(({ has_id }) => has_id === 1)).toBe(true);
  });

  it('keep offsets that only the file contains', async () => {
    const user = await fixture.newUser();
    expect(await written(user, life(false), life(true, false))).toEqual({ unchanged: 300 });
    expect((await stored(user)).every(({ offset }) => offset === 120)).toBe(true);
    const grown = life(true, false).map((one) => ({ ...one, value: one.value + 1 }));
    expect(await written(user, grown)).toEqual({ updated: 300 });
    expect((await stored(user)).every(({ offset }) => offset === 120)).toBe(true);
  });

  it('produce the same samples in any order and batch split', async () => {
    const both = [...life(false), ...life(true)].filter((_, n) => n % 5 !== 0);
    const whole = await fixture.newUser();
    await fixture.write(whole, ...both);
    const expected = (await stored(whole)).map(({ value, seconds }) => [value, seconds]);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(both, { minLength: both.length }),
        fc.integer({ min: 40, max: 300 }),
        async (shuffled, size) => {
          const user = await fixture.newUser();
          for (let from = 0; from < shuffled.length; from += size) {
            await written(user, shuffled.slice(from, from + size));
          }
          expect((await stored(user)).map(({ value, seconds }) => [value, seconds])).toEqual(expected);
        },
      ),
      { numRuns: propertyRuns(4, 8) },
    );
  });
});

describe('daily totals', () => {
  const total = (value: number, at: string, offsetMinutes?: number) => ({
    ...item('steps', value, { at, kind: 'daily_total' }),
    offsetMinutes,
  });

  it('are replaced by a later total of the same date', async () => {
    const user = await fixture.newUser();
    const dated = total(8000, '2026-03-10T00:00:00Z');
    const midnight = total(8100, '2026-03-09T23:00:00Z', 60);
    expect(await written(user, [dated], [midnight])).toEqual({ updated: 1 });
    expect(await valuesOf(user)).toEqual([8100]);
    expect(await written(user, [midnight])).toEqual({ unchanged: 1 });
    expect(await written(user, [total(1, '2026-03-10T00:00:00Z'), total(8200, '2026-03-09T23:00:00Z', 60)])).toEqual({
      updated: 1,
      duplicates: 1,
    });
    expect(await valuesOf(user)).toEqual([8200]);
  });

  it('are stored separately for two dates at the same instant', async () => {
    const user = await fixture.newUser();
    const both = [total(1000, '2026-03-10T00:00:00Z'), total(2000, '2026-03-10T00:00:00Z', -480)];
    expect(await written(user, [both[0]!], [both[1]!], both)).toEqual({ unchanged: 2 });
    expect(await valuesOf(user)).toEqual([1000, 2000]);
  });
});

describe('a condensed item', () => {
  const fine = Array.from({ length: 20 }, (_, n) =>
    item('energy', 1.5, { at: new Date(Date.parse(AT) + n * 3000).toISOString(), minutes: 0.05 }),
  );
  const whole = item('energy', 30, { minutes: 1 });

  it('is superseded by stored pieces that sum to within one percent', async () => {
    const user = await fixture.newUser();
    expect(await written(user, fine, [whole])).toEqual({ superseded: 1 });
    expect(await written(user, [item('energy', 30.2, { minutes: 1 })])).toEqual({ superseded: 1 });
    expect(await written(user, [item('energy', 31, { minutes: 1 })])).toEqual({ inserted: 1 });
  });

  it('is superseded in the same report as its pieces', async () => {
    expect(await written(await fixture.newUser(), [whole, ...fine])).toEqual({ inserted: 20, superseded: 1 });
    const user = await fixture.newUser();
    expect(await written(user, fine, [...fine, whole])).toEqual({ unchanged: 20, superseded: 1 });
  });

  it('is deleted when its pieces arrive later', async () => {
    const user = await fixture.newUser();
    expect(await written(user, [whole], fine)).toEqual({ inserted: 20 });
    expect(await valuesOf(user)).toEqual(fine.map(({ value }) => value));
    expect(await written(user, [whole])).toEqual({ superseded: 1 });
    const pushed = await fixture.newUser();
    await fixture.write(pushed, whole);
    for (const [n, piece] of fine.entries()) await fixture.write(pushed, { ...piece, externalId: `id-${n}` });
    expect(await valuesOf(pushed)).toEqual(fine.map(({ value }) => value));
  });

  it('is deleted from its start day when pieces start the next day', async () => {
    const user = await fixture.newUser();
    const late = item('energy', 30, { at: '2026-03-10T23:59:50Z', minutes: 10 });
    const pieces = [1, 4].map((minute) => item('energy', 15, { at: `2026-03-11T00:0${minute}:00Z`, minutes: 3 }));
    expect(await written(user, [late], pieces)).toEqual({ inserted: 2 });
    expect(await valuesOf(user)).toEqual([15, 15]);
  });

  it('is deleted when its pieces and daily total arrive together', async () => {
    const user = await fixture.newUser();
    const total = item('energy', 2000, { at: '2026-03-10T00:00:00Z', kind: 'daily_total' });
    expect(await written(user, [whole], [total, ...fine])).toEqual({ inserted: 21 });
    expect(await valuesOf(user)).toEqual([2000, ...fine.map(({ value }) => value)]);
  });

  it('stays stored if it has an id or a different sum', async () => {
    for (const one of [{ ...whole, externalId: 'a' }, item('energy', 31, { minutes: 1 })]) {
      const user = await fixture.newUser();
      expect(await written(user, [one], fine)).toEqual({ inserted: 20 });
      expect(await stored(user)).toHaveLength(21);
    }
  });

  it('is superseded by its smallest pieces in any order', async () => {
    const minutes = Array.from({ length: 12 }, (_, n) =>
      item('energy', 2, { at: new Date(Date.parse(AT) + n * MS_PER_MINUTE).toISOString(), minutes: 1 }),
    );
    const quarters = [0, 3, 6, 9].map((n) =>
      item('energy', 6, { at: new Date(Date.parse(AT) + n * MS_PER_MINUTE).toISOString(), minutes: 3 }),
    );
    const all = [...minutes, ...quarters, item('energy', 24, { minutes: 12 })];
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.integer({ min: 1, max: all.length }),
        async (shuffled, size) => {
          const user = await fixture.newUser();
          for (let from = 0; from < shuffled.length; from += size)
            await written(user, shuffled.slice(from, from + size));
          expect(await valuesOf(user)).toEqual(minutes.map(({ value }) => value));
        },
      ),
      { numRuns: propertyRuns(10, 30) },
    );
  });

  it('is stored if it has an id, one piece, or another sum', async () => {
    for (const [pieces, one] of [
      [fine, { ...whole, externalId: 'a' }],
      [fine.slice(0, 1), item('energy', 1.5, { minutes: 1 })],
      [fine.slice(0, 10), whole],
    ] as const) {
      expect(await written(await fixture.newUser(), [...pieces], [one])).toEqual({ inserted: 1 });
    }
  });
});

describe('single-event series', () => {
  it('store late items because the series are never archived', async () => {
    const user = await fixture.newUser();
    const series = ['insulin_delivery', 'hydration', 'number_of_alcoholic_beverages', 'inhaler_usage'] as const;
    await fixture.write(user, ...series.map((code) => item(code, 5)), item('number_of_times_fallen', 1));
    const archived = await archiveUser(fixture.pool, user, {
      beforeDay: Date.UTC(2026, 2, 20) / MS_PER_DAY,
      compare: () => 0,
      deviceOrder: 0,
    });
    expect(archived).toBe(0);
    expect(
      await written(
        user,
        series.map((code) => item(code, 20)),
      ),
    ).toEqual({ inserted: 4 });
  });
});

import { type HealthRecord, ITEM_LIMITS } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { GARMIN, run, sample, sleepStage, WATCH } from '../../../../test/support/records.js';

let fixture: RecordFixture;
let user: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

const write = (records: HealthRecord[]) => fixture.write(user, ...records);
const many = (count: number, item: (index: number) => HealthRecord, from = 0) =>
  Array.from({ length: count }, (_, index) => item(from + index));
const session = (index: number) =>
  sleepStage('light', `2026-03-10T01:${String(index % 60).padStart(2, '0')}Z`, '2026-03-10T06:00Z', {
    sessionId: `night-${index}`,
    source: { ...WATCH, deviceId: undefined },
  });
/** Returns one of several consecutive stages of a few seconds. */
const stage = (index: number) => {
  const startMs = Date.UTC(2026, 2, 9, 22) + index * 5_000;
  return sleepStage('light', new Date(startMs).toISOString(), new Date(startMs + 5_000).toISOString());
};
const beat = (index: number) => sample('heart_rate', '2026-03-10T08:00Z', 50 + index / 100);
const workout = (index: number) =>
  run({
    externalId: undefined,
    startMs: Date.UTC(2026, 2, 10, 9),
    endMs: Date.UTC(2026, 2, 10, 10) + index * 1_000,
  });
/** Returns one of several sleep sessions of a few minutes that a vendor assembled. */
const vendorSleep = (index: number): HealthRecord => ({
  kind: 'sleep_session',
  source: GARMIN,
  externalId: `sleep-${index}`,
  startMs: Date.UTC(2026, 2, 9, 22) + index * 180_000,
  endMs: Date.UTC(2026, 2, 9, 22) + (index + 1) * 180_000,
});
const ofApp = (index: number) =>
  sample('heart_rate', '2026-03-10T08:00Z', 60, { source: { provider: 'apple', writer: `App ${index}` } });

describe('item limits', () => {
  it.each([
    [
      'sessions of a night',
      ITEM_LIMITS.sessionsOfNight,
      (index: number) => ({ ...session(index), startMs: Date.UTC(2026, 2, 10, 1) + index * 1_000 }),
    ],
    ['vendor sleep sessions of a night', ITEM_LIMITS.sessionsOfNight, vendorSleep],
    ['stages of a night', ITEM_LIMITS.stagesOfNight, stage],
    ['readings of an instant', ITEM_LIMITS.readingsOfInstant, beat],
    ['workouts of a second', ITEM_LIMITS.sessionsOfSecond, workout],
    ['sources of a provider', ITEM_LIMITS.sourcesOfProvider, ofApp],
  ])('reject %s beyond the limit', async (_, limit, item) => {
    const first = await write(many(limit + 3, item));
    expect(first.items).toMatchObject({ read: limit + 3, inserted: limit, rejected: 3 });
    expect(first.rejected.map(({ code, index }) => [code, index])).toEqual([
      ['too_many', limit],
      ['too_many', limit + 1],
      ['too_many', limit + 2],
    ]);
    const again = await write(many(limit, item));
    expect(again.items).toMatchObject({ unchanged: limit, rejected: 0 });
    const more = await write(many(1, item, limit));
    expect(more.items).toMatchObject({ inserted: 0, rejected: 1 });
  });

  it('truncate workout events at the limit', async () => {
    const limit = ITEM_LIMITS.partsOfWorkout;
    const events = Array.from({ length: limit + 1 }, () => ({ type: 'lap' as const, startMs: workout(0).startMs }));
    const { items, rejected } = await write([{ ...workout(0), events }]);
    expect(items).toMatchObject({ inserted: 1, rejected: 0 });
    expect(rejected).toMatchObject([
      { collection: 'workouts', index: 0, field: 'events', code: 'too_many', detail: `${limit} events of a workout` },
    ]);
    const { rows } = await fixture.pool.query<{ count: number }>(
      'select jsonb_array_length(events) as count from workout where user_key = $1',
      [user],
    );
    expect(rows).toEqual([{ count: limit }]);
  });

  it('do not affect items of other nights and instants', async () => {
    await write(many(ITEM_LIMITS.readingsOfInstant, beat));
    const { items } = await write([sample('heart_rate', '2026-03-10T08:00:01Z', 60), stage(0)]);
    expect(items).toMatchObject({ inserted: 2, rejected: 0 });
  });
});

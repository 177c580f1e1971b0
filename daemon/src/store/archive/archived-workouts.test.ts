import { type HealthRecord, MS_PER_DAY, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { archiveUser } from './index.js';

const HEART_RATE = 1;
const STEPS = 80;
const FIRST_DAY = Date.UTC(2026, 2, 10) / MS_PER_DAY;
const SOURCES: SourceIdentity[] = ['fenix 7', 'Edge 530'].map((deviceModel) => ({ provider: 'garmin', deviceModel }));

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** Workouts and readings start on a grid, so readings often lie exactly on a workout's start or end. */
const atMs = fc
  .tuple(fc.nat({ max: 2 }), fc.nat({ max: 12 }))
  .map(([day, step]) => (FIRST_DAY + day) * MS_PER_DAY + 10 * 60 * MS_PER_MINUTE + step * 5 * MS_PER_MINUTE);
const workout = fc.record({
  source: fc.constantFrom(...SOURCES),
  startMs: atMs,
  steps: fc.integer({ min: 1, max: 6 }),
});
const reading = fc.record({
  source: fc.constantFrom(...SOURCES),
  typeId: fc.constantFrom(HEART_RATE, HEART_RATE, STEPS),
  startMs: atMs,
  value: fc.integer({ min: 50, max: 180 }),
});

it('keeps the maximum of a workout whose days are archived separately', async () => {
  const user = await fixture.newUser();
  const [source] = SOURCES as [SourceIdentity];
  const midnightMs = (FIRST_DAY + 1) * MS_PER_DAY;
  const beat = (startMs: number, value: number): HealthRecord => ({
    kind: 'sample',
    source,
    typeId: HEART_RATE,
    startMs,
    value,
    offsetMinutes: 0,
    sampleKind: 'sample',
  });
  const hourMs = 60 * MS_PER_MINUTE;
  await fixture.write(
    user,
    {
      kind: 'workout',
      source,
      type: 'running',
      startMs: midnightMs - hourMs,
      endMs: midnightMs + hourMs,
      offsetMinutes: 0,
    },
    beat(midnightMs - MS_PER_MINUTE, 180),
    beat(midnightMs + MS_PER_MINUTE, 120),
  );
  for (const beforeDay of [FIRST_DAY + 1, FIRST_DAY + 2]) {
    await archiveUser(fixture.pool, user, { beforeDay, compare: () => 0, deviceOrder: 0 });
  }
  const { rows } = await fixture.pool.query(
    `select archived_heart_rate_count::int as count, archived_heart_rate_max as max from workout where user_key = $1`,
    [user],
  );
  expect(rows).toEqual([{ count: 2, max: 180 }]);
});

it.each([
  ['counts', 'start', 0, 1],
  ['ignores', 'end', 30, 0],
] as const)('%s an archived heart rate exactly at the %s of a workout', async (_verb, _edge, minutes, count) => {
  const user = await fixture.newUser();
  const [source] = SOURCES as [SourceIdentity];
  const startMs = FIRST_DAY * MS_PER_DAY + 10 * 60 * MS_PER_MINUTE;
  const endMs = startMs + 30 * MS_PER_MINUTE;
  const atMs = startMs + minutes * MS_PER_MINUTE;
  await fixture.write(
    user,
    { kind: 'workout', source, type: 'running', startMs, endMs, offsetMinutes: 0 },
    { kind: 'sample', source, typeId: HEART_RATE, startMs: atMs, value: 150, offsetMinutes: 0, sampleKind: 'sample' },
  );
  await archiveUser(fixture.pool, user, { beforeDay: FIRST_DAY + 1, compare: () => 0, deviceOrder: 0 });
  const { rows } = await fixture.pool.query(
    'select archived_heart_rate_count::int as count from workout where user_key = $1',
    [user],
  );
  expect(rows).toEqual([{ count }]);
});

it("keeps the count, sum and maximum of each workout's archived heart rates", async () => {
  const property = fc.asyncProperty(
    fc.uniqueArray(workout, { maxLength: 4, selector: ({ source, startMs }) => `${source.deviceModel} ${startMs}` }),
    // Many readings, so that some of them lie on the edges of workouts.
    fc.uniqueArray(reading, {
      maxLength: 40,
      size: 'max',
      selector: ({ source, typeId, startMs }) => `${source.deviceModel} ${typeId} ${startMs}`,
    }),
    fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2 }),
    async (workouts, readings, archivedDays) => {
      const user = await fixture.newUser();
      await fixture.write(
        user,
        ...readings.map((one): HealthRecord => ({ kind: 'sample', ...one, offsetMinutes: 0, sampleKind: 'sample' })),
        ...workouts.map(
          ({ source, startMs, steps }, index): HealthRecord => ({
            kind: 'workout',
            source,
            externalId: `${index}`,
            type: 'running',
            startMs,
            endMs: startMs + steps * 5 * MS_PER_MINUTE,
            offsetMinutes: 0,
          }),
        ),
      );
      for (const days of archivedDays.toSorted()) {
        await archiveUser(fixture.pool, user, { beforeDay: FIRST_DAY + days, compare: () => 0, deviceOrder: 0 });
      }
      const beforeMs = (FIRST_DAY + Math.max(...archivedDays)) * MS_PER_DAY;
      const { rows } = await fixture.pool.query(
        `select external_id as id, archived_heart_rate_count::int as count, archived_heart_rate_sum as sum,
                archived_heart_rate_max as max
           from workout where user_key = $1 order by external_id`,
        [user],
      );
      const expected = workouts.map(({ source, startMs, steps }, index) => {
        const own = readings.filter(
          (one) =>
            one.typeId === HEART_RATE &&
            one.source === source &&
            one.startMs < beforeMs &&
            one.startMs >= startMs &&
            one.startMs < startMs + steps * 5 * MS_PER_MINUTE,
        );
        const values = own.map(({ value }) => value);
        const sum = values.reduce((total, value) => total + value, 0);
        return { id: `${index}`, count: values.length, sum, max: values.length === 0 ? null : Math.max(...values) };
      });
      expect(rows).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: propertyRuns(20, 400), endOnFailure: true });
});

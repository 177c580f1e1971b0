import { type HealthRecord, MS_PER_HOUR, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { recordedUser, writeRecords } from '../../../../test/support/recorded-user.js';
import { sample } from '../../../../test/support/records.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => database.drop());

it('counts a sample once when its date moves across the date line', async () => {
  const { userKey } = await recordedUser(
    database,
    sample('steps', '2026-03-08T10:00:00Z', 100),
    sample('heart_rate', '2026-03-08T22:00:00Z', 60, { offsetMinutes: 840 }),
  );
  await writeRecords(database, userKey, [sample('heart_rate', '2026-03-07T22:30:00Z', 60, { offsetMinutes: -660 })]);
  const { rows } = await database.pool.query(
    'select local_date, sample_sum, sample_count from day_value where user_key = $1 and type_id = 80',
    [userKey],
  );
  expect(rows).toEqual([{ local_date: '2026-03-07', sample_sum: 100, sample_count: 1 }]);
});

describe('a session without an offset', () => {
  const START = Date.UTC(2026, 2, 1);
  const REACH_HOURS = 36;
  /** Always 10 hours behind UTC. */
  const ZONE = { name: 'Pacific/Honolulu', offsetMinutes: -600 };
  const hour = fc.nat({ max: 8 * 24 });
  const session = fc.record({
    kind: fc.constantFrom('sleep_session' as const, 'workout' as const),
    startHour: hour,
    hours: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 24, max: 36 })),
  });
  const reading = fc.record({ hour, offsetMinutes: fc.constantFrom(-660, 0, 840) });

  /** Sorts all observations by distance, then by the later end, then by the larger offset, as the rule says. */
  function dateOf(endHour: number, readings: readonly { hour: number; offsetMinutes: number }[], inZone: boolean) {
    const spans = new Map<string, { offsetMinutes: number; first: number; last: number }>();
    for (const { hour, offsetMinutes } of readings) {
      const key = `${Math.floor(hour / 24)} ${offsetMinutes}`;
      const { first, last } = spans.get(key) ?? { first: hour, last: hour };
      spans.set(key, { offsetMinutes, first: Math.min(first, hour), last: Math.max(last, hour) });
    }
    const [best] = [...spans.values()]
      .map((span) => ({ ...span, distance: Math.max(0, span.first - endHour, endHour - span.last) }))
      .sort((a, b) => a.distance - b.distance || b.last - a.last || b.offsetMinutes - a.offsetMinutes);
    const isNear = best !== undefined && (!inZone || best.distance <= REACH_HOURS);
    const offsetMinutes = isNear ? best.offsetMinutes : inZone ? ZONE.offsetMinutes : 0;
    return new Date(START + endHour * MS_PER_HOUR + offsetMinutes * MS_PER_MINUTE).toISOString().slice(0, 10);
  }

  it('has the date that all known offsets imply, in any order', async () => {
    const property = fc.asyncProperty(
      fc.uniqueArray(session, { minLength: 12, maxLength: 24, selector: ({ startHour }) => startHour }),
      fc.uniqueArray(reading, { minLength: 1, maxLength: 5, selector: ({ hour }) => hour }),
      fc.boolean(),
      // Most sessions arrive before most readings.
      fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 2)),
      async (sessions, readings, inZone, firstOf) => {
        const { userKey } = await recordedUser(database);
        if (inZone) {
          await database.pool.query('update health_user set time_zone = $2 where user_key = $1', [userKey, ZONE.name]);
        }
        const stored = sessions.map(({ kind, startHour, hours }): HealthRecord => {
          const startMs = START + startHour * MS_PER_HOUR;
          const more = { source: { provider: 'oura' as const }, startMs, endMs: startMs + hours * MS_PER_HOUR };
          const externalId = `${startHour}`;
          return kind === 'workout' ? { kind, externalId, type: 'running', ...more } : { kind, externalId, ...more };
        });
        const steps = readings.map(({ hour, offsetMinutes }) =>
          sample('steps', new Date(START + hour * MS_PER_HOUR).toISOString(), 1, { offsetMinutes }),
        );
        const batches: HealthRecord[][] = [[], [], []];
        for (const item of stored) batches[firstOf.next().value as number]?.push(item);
        for (const item of steps) batches[2 - (firstOf.next().value as number)]?.push(item);
        for (const batch of batches) if (batch.length > 0) await writeRecords(database, userKey, batch);
        const { rows } = await database.pool.query(
          `select external_id, wake_date as date from sleep_session where user_key = $1
           union all select external_id, local_date from workout where user_key = $1`,
          [userKey],
        );
        const expected = sessions.map(({ startHour, hours }) => [
          `${startHour}`,
          dateOf(startHour + hours, readings, inZone),
        ]);
        expect(Object.fromEntries(rows.map(({ external_id, date }) => [external_id, date]))).toEqual(
          Object.fromEntries(expected),
        );
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(40, 300) });
  });
});

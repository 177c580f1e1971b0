import { fromDayNumber, type HealthRecord, MS_PER_DAY, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { PriorityStore } from '../../priorities/index.js';
import { compareInAccount, readNightSources } from '../../query/index.js';
import { refreshNights } from '../derived/nights/night-value.js';
import { archiveUser } from './index.js';

const HEART_RATE = 1;
const FIRST_DAY = Date.UTC(2026, 2, 10) / MS_PER_DAY;
const NIGHTS = 3;
const SOURCE: SourceIdentity = { provider: 'garmin', deviceModel: 'fenix 7', deviceType: 'watch' };

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** Quarter hours after local midnight of the wake date. Readings on this grid often lie exactly on a night's edge. */
const night = fc.record({
  from: fc.integer({ min: -16, max: -1 }),
  to: fc.integer({ min: 12, max: 32 }),
  deep: fc.integer({ min: 0, max: 8 }),
});
const life = fc.record({
  offsetMinutes: fc.constantFrom(0, -720, -300, 345, 840),
  nights: fc.array(night, { minLength: NIGHTS, maxLength: NIGHTS }),
  /** Distances of extra readings from both edges of each night, in quarter hours. */
  beside: fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 2 * NIGHTS, maxLength: 2 * NIGHTS }),
  archivedBefore: fc.array(fc.nat({ max: NIGHTS + 1 }), { minLength: 1, maxLength: 3 }),
});

function recordsOf({ offsetMinutes, nights, beside }: typeof life extends fc.Arbitrary<infer Life> ? Life : never) {
  const placed = { source: SOURCE, offsetMinutes };
  return nights.flatMap(({ from, to, deep }, index): HealthRecord[] => {
    const midnightMs = (FIRST_DAY + index) * MS_PER_DAY - offsetMinutes * MS_PER_MINUTE;
    const at = (quarter: number) => midnightMs + quarter * 15 * MS_PER_MINUTE;
    const span = { startMs: at(from), endMs: at(to) };
    const stages = [{ stage: 'deep' as const, startMs: at(deep), endMs: at(deep + 2) }];
    const readings = [
      from,
      from + 1,
      deep,
      deep + 2,
      to - 1,
      to,
      from + (beside[2 * index] as number),
      to + (beside[2 * index + 1] as number),
    ];
    return [
      { kind: 'sleep_session', ...placed, ...span, isNap: false, stages },
      ...[...new Set(readings)].map(
        (quarter): HealthRecord => ({
          kind: 'sample',
          ...placed,
          typeId: HEART_RATE,
          startMs: at(quarter),
          value: 60 + quarter,
          sampleKind: 'sample',
        }),
      ),
    ];
  });
}

async function nightValues(user: number): Promise<unknown[]> {
  const { rows } = await fixture.pool.query(
    `select wake_date::text, night_source_id, source_id, asleep_count, asleep_sum, window_count, window_sum
       from night_value where user_key = $1 order by 1, 2, 3`,
    [user],
  );
  return rows;
}

it("keeps each night's sums and source when its readings are archived", async () => {
  const priorities = new PriorityStore(fixture.pool);
  const property = fc.asyncProperty(life, async (lived) => {
    const user = await fixture.newUser();
    await fixture.write(user, ...recordsOf(lived));
    const before = await nightValues(user);
    expect(before).toHaveLength(NIGHTS);
    for (const days of lived.archivedBefore.toSorted()) {
      const current = await priorities.current();
      await archiveUser(fixture.pool, user, {
        beforeDay: FIRST_DAY + days,
        compare: compareInAccount(current),
        deviceOrder: current.deviceOrder,
        readNightSources: (first, last) => readNightSources({ pool: fixture.pool, priorities }, user, first, last),
      });
      // Recomputing combines the archived sums with the remaining readings.
      const dates = Array.from({ length: NIGHTS }, (_, index) => fromDayNumber(FIRST_DAY + index));
      await inTransaction(fixture.pool, (client) => refreshNights(client, user, dates));
      expect(await nightValues(user)).toEqual(before);
      const { rows } = await fixture.pool.query<{ date: string }>(
        `select wake_date::text as date from night_source where user_key = $1 and figure_group = 'sleep' order by 1`,
        [user],
      );
      const sourced = new Set(rows.map(({ date }) => date));
      const { rows: lost } = await fixture.pool.query<{ date: string }>(
        'select distinct wake_date::text as date from night_archive where user_key = $1',
        [user],
      );
      for (const { date } of lost) expect(sourced).toContain(date);
    }
  });
  await fc.assert(property, { numRuns: propertyRuns(25, 500), endOnFailure: true });
});

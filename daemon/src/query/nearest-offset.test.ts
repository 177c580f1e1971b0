import { batchOf, localDate, MS_PER_HOUR, ZoneObservations } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { samplesEvery } from '../../../test/support/records.js';
import { nearestOffset } from './nearest-offset.js';

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const START = Date.parse('2026-10-20T00:00:00Z');
const hour = fc.integer({ min: 0, max: 40 * 24 });
const zone = fc.constantFrom('America/New_York', 'Europe/Warsaw', 'Australia/Lord_Howe');

test('finds offsets that reproduce the stored dates', async () => {
  const life = fc.record({
    unplaced: fc.uniqueArray(hour, { minLength: 1, maxLength: 12 }),
    offsets: fc.array(fc.record({ hour, offsetMinutes: fc.constantFrom(-300, 0, 60, 630) }), { maxLength: 3 }),
    zones: fc.array(fc.record({ hour, zone }), { maxLength: 3 }),
    userZone: fc.option(zone, { nil: null }),
  });
  await fc.assert(
    fc.asyncProperty(life, async ({ unplaced, offsets, zones, userZone }) => {
      const user = await fixture.newUser();
      await fixture.pool.query('update health_user set time_zone = $2 where user_key = $1', [user, userZone]);
      const observations = new ZoneObservations('apple');
      for (const one of zones) observations.see(one.zone, START + one.hour * MS_PER_HOUR);
      const at = (hours: number) => new Date(START + hours * MS_PER_HOUR).toISOString();
      const items = [
        ...unplaced.flatMap((hours) => samplesEvery('heart_rate', at(hours), 0, [60])),
        ...offsets.flatMap((one) => samplesEvery('steps', at(one.hour), 0, [1], one)),
      ];
      // Writes two batches. The first batch's observations date all of its items only after a second write redates them.
      for (const records of [items, unplaced.flatMap((hours) => samplesEvery('heart_rate', at(hours), 0, [61]))]) {
        await fixture.writer.write(user, { ...batchOf(records), zones: observations.take() });
      }
      const read = await fixture.pool.query<{ start_ms: number; offset_minutes: number | null }>(
        `select extract(epoch from s.start_at)::float8 * 1000 as start_ms, near.offset_minutes from sample s
         left join lateral (${nearestOffset('s.start_at', 's.offset_minutes is null')}) near on true
         where s.user_key = $1 and s.offset_minutes is null`,
        [user],
      );
      const stored = await fixture.pool.query<{ date: string }>(
        `select distinct local_date::text as date from day_value v join data_source using (user_key, source_id)
          where user_key = $1 and type_id = 1 order by 1`,
        [user],
      );
      const dates = read.rows.map((row) => localDate(row.start_ms, row.offset_minutes ?? 0));
      expect(stored.rows.map(({ date }) => date)).toEqual([...new Set(dates)].sort());
    }),
    { numRuns: propertyRuns(15, 60) },
  );
});

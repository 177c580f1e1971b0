import { batchOf, type HealthRecord, MS_PER_DAY, MS_PER_HOUR, ZoneObservations } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../test/support/record-fixture.js';
import { sample, samplesEvery } from '../../../test/support/records.js';
import { localOffsets } from './local-offsets.js';

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const NOON = '2026-07-10T12:00:00Z';
const seen = (hours: number, offsetMinutes: number) =>
  sample('steps', new Date(Date.parse(NOON) + hours * MS_PER_HOUR).toISOString(), 1, { offsetMinutes });

async function offsetAtNoon(own: number | null, facts: { records?: HealthRecord[]; userZone?: string } = {}) {
  const user = await fixture.newUser();
  if (facts.userZone) {
    await fixture.pool.query('update health_user set time_zone = $2 where user_key = $1', [user, facts.userZone]);
  }
  if (facts.records) await fixture.writer.write(user, batchOf(facts.records));
  const row = { offset_minutes: own };
  const offsetOf = await localOffsets(fixture.pool, user, [row], () => Date.parse(NOON));
  return offsetOf(row);
}

describe('choosing the offset that dates a record', () => {
  test('prefers the record’s own offset', async () => {
    expect(await offsetAtNoon(-150, { records: [seen(1, 120)], userZone: 'Europe/Warsaw' })).toBe('-02:30');
  });

  test('prefers offsets observed within 36 hours to the user’s zone', async () => {
    expect(await offsetAtNoon(null, { records: [seen(36, 540)], userZone: 'Pacific/Auckland' })).toBe('+09:00');
    expect(await offsetAtNoon(null, { records: [seen(37, 540)], userZone: 'Pacific/Auckland' })).toBe('+12:00');
  });

  test('uses the nearest observed offset, otherwise UTC', async () => {
    expect(await offsetAtNoon(null, { records: [seen(-2000, 330), seen(2100, 60)] })).toBe('+05:30');
    expect(await offsetAtNoon(null)).toBe('+00:00');
  });
});

test('returns offsets that reproduce the stored dates', async () => {
  const hour = fc.integer({ min: 0, max: 40 * 24 });
  const zone = fc.constantFrom('America/New_York', 'Europe/Warsaw', 'Australia/Lord_Howe');
  const life = fc.record({
    unplaced: fc.uniqueArray(hour, { minLength: 1, maxLength: 12 }),
    offsets: fc.array(fc.record({ hour, offsetMinutes: fc.constantFrom(-300, 0, 60, 630) }), { maxLength: 3 }),
    zones: fc.array(fc.record({ hour, zone }), { maxLength: 3 }),
    userZone: fc.option(zone, { nil: null }),
  });
  const start = Date.parse('2026-10-20T00:00:00Z');
  await fc.assert(
    fc.asyncProperty(life, async ({ unplaced, offsets, zones, userZone }) => {
      const user = await fixture.newUser();
      await fixture.pool.query('update health_user set time_zone = $2 where user_key = $1', [user, userZone]);
      const at = (hours: number) => new Date(start + hours * MS_PER_HOUR).toISOString();
      const observations = new ZoneObservations('apple');
      for (const one of zones) observations.see(one.zone, start + one.hour * MS_PER_HOUR);
      // Stores the observations first, so that all of them date the later items.
      const known = offsets.flatMap((one) => samplesEvery('steps', at(one.hour), 0, [1], one));
      await fixture.writer.write(user, { ...batchOf(known), zones: observations.take() });
      await fixture.writer.write(
        user,
        batchOf(unplaced.flatMap((one) => samplesEvery('heart_rate', at(one), 0, [60]))),
      );
      const stored = await fixture.pool.query<{ date: string }>(
        `select distinct local_date::text as date from day_value where user_key = $1 and type_id = 1 order by 1`,
        [user],
      );
      const rows = unplaced.map((hours) => ({ offset_minutes: null, ms: start + hours * MS_PER_HOUR }));
      const offsetOf = await localOffsets(fixture.pool, user, rows, ({ ms }) => ms);
      const dates = rows.map((row) => {
        const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offsetOf(row)) ?? [];
        const offset = (Number(hours) * MS_PER_HOUR + (Number(minutes) * MS_PER_HOUR) / 60) * (sign === '-' ? -1 : 1);
        return new Date(Math.floor((row.ms + offset) / MS_PER_DAY) * MS_PER_DAY).toISOString().slice(0, 10);
      });
      expect(stored.rows.map(({ date }) => date)).toEqual([...new Set(dates)].sort());
    }),
    { numRuns: propertyRuns(15, 60) },
  );
});

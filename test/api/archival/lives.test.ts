import { archiveOldData } from '@healthd/daemon/retention';
import {
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  type SampleRecord,
  seriesTypeByCode,
} from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArchivalFixture, openArchival } from '../../support/archival-fixture.js';
import { propertyRuns } from '../../support/extent.js';
import { RANDOM_START, randomRecord } from '../../support/random-records.js';
import { newUser, writeRecords } from '../../support/recorded-user.js';
import { GARMIN, PHONE, WATCH } from '../../support/records.js';

let fixture: ArchivalFixture;
beforeAll(async () => {
  fixture = await openArchival();
});
afterAll(() => fixture.stop());

/** A day of archiving: days after the first record, and the hour at which the job runs. */
const archiving = fc.record({ day: fc.integer({ min: 1, max: 6 }), hour: fc.integer({ min: 0, max: 23 }) });
/** A sample near midnight. Midnight divides intervals, and sources compete for each day. */
const nearMidnight = fc
  .record({
    source: fc.constantFrom(WATCH, PHONE, GARMIN),
    typeId: fc.constantFrom(...(['steps', 'energy', 'heart_rate'] as const).map((code) => seriesTypeByCode(code).id)),
    day: fc.integer({ min: 0, max: 3 }),
    minute: fc.integer({ min: -60, max: 60 }),
    minutes: fc.integer({ min: 1, max: 90 }),
    value: fc.integer({ min: 40, max: 120 }),
    kind: fc.constantFrom('sample' as const, 'sample' as const, 'sample' as const, 'daily_total' as const),
  })
  .map(
    ({ source, typeId, day, minute, minutes, value, kind }): SampleRecord => ({
      kind: 'sample',
      source,
      typeId,
      sampleKind: kind,
      startMs: RANDOM_START + day * MS_PER_DAY + (kind === 'sample' ? minute : 0) * MS_PER_MINUTE,
      value,
      offsetMinutes: 0,
      ...(kind === 'sample' && { durationMs: minutes * MS_PER_MINUTE }),
    }),
  );
const life = fc.record({
  records: fc.array(fc.oneof(randomRecord, { arbitrary: nearMidnight, weight: 2 }), { minLength: 20, maxLength: 60 }),
  /** Offset from UTC in quarter hours. */
  offset: fc.integer({ min: -12 * 4, max: 14 * 4 }),
  archivings: fc.array(archiving, { minLength: 1, maxLength: 4 }),
});

function placed(records: readonly HealthRecord[], offsetMinutes: number): HealthRecord[] {
  return records.map((record) => {
    if (!('offsetMinutes' in record) || record.offsetMinutes === undefined) return record;
    // Moves samples near midnight in UTC to local midnight.
    const isLocal = record.kind === 'sample' && record.offsetMinutes === 0;
    return { ...record, offsetMinutes, ...(isLocal && { startMs: record.startMs - offsetMinutes * MS_PER_MINUTE }) };
  });
}

async function archive({ day, hour }: { day: number; hour: number }): Promise<void> {
  const settings = { archiveAfterDays: 1, deleteAfterDays: null };
  const nowMs = RANDOM_START + day * MS_PER_DAY + hour * MS_PER_HOUR;
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() };
  await archiveOldData({ ...fixture.service.parts, settings, nowMs, log });
}

it('returns the same summaries with and without archiving, even after repeated imports', async () => {
  let removed = 0;
  const property = fc.asyncProperty(life, async ({ records, offset, archivings }) => {
    const user = await newUser(fixture.service);
    const all = placed(records, offset * 15);
    await writeRecords(fixture.service, user.userKey, all);
    const summaries = () => fixture.summaries('2026-03-08', user);
    const samples = async () => {
      const { rows } = await fixture.pool.query<{ n: number }>(
        'select count(*)::int as n from sample where user_key = $1',
        [user.userKey],
      );
      return rows[0]?.n ?? 0;
    };
    const [before, count] = [await summaries(), await samples()];
    for (const one of archivings.toSorted((a, b) => a.day - b.day)) {
      await archive(one);
      expect(await summaries()).toEqual(before);
    }
    const left = await samples();
    removed += count - left;
    await writeRecords(fixture.service, user.userKey, all);
    expect(await samples()).toBe(left);
    expect(await summaries()).toEqual(before);
  });
  await fc.assert(property, { numRuns: propertyRuns(8, 300), endOnFailure: true });
  expect(removed).toBeGreaterThan(0);
});

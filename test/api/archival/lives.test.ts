import { archiveOldData } from '@healthd/daemon/retention';
import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArchivalFixture, openArchival } from '../../support/archival-fixture.js';
import { propertyRuns } from '../../support/extent.js';
import { RANDOM_START, randomRecord } from '../../support/random-records.js';
import { newUser, writeRecords } from '../../support/recorded-user.js';

let fixture: ArchivalFixture;
beforeAll(async () => {
  fixture = await openArchival();
});
afterAll(() => fixture.stop());

/** A day of archiving: days after the first record, and the hour at which the job runs. */
const archiving = fc.record({ day: fc.integer({ min: 1, max: 6 }), hour: fc.integer({ min: 0, max: 23 }) });
const life = fc.record({
  records: fc.array(randomRecord, { minLength: 1, maxLength: 60 }),
  /** Quarters of an hour ahead of UTC. */
  offset: fc.integer({ min: -12 * 4, max: 14 * 4 }),
  archivings: fc.array(archiving, { minLength: 1, maxLength: 4 }),
});

function placed(records: readonly HealthRecord[], offsetMinutes: number): HealthRecord[] {
  return records.map((record) =>
    'offsetMinutes' in record && record.offsetMinutes !== undefined ? { ...record, offsetMinutes } : record,
  );
}

async function archive({ day, hour }: { day: number; hour: number }): Promise<void> {
  const settings = { archiveAfterDays: 1, deleteAfterDays: null };
  const nowMs = RANDOM_START + day * MS_PER_DAY + hour * MS_PER_HOUR;
  const log = { error: (fields: unknown) => expect(fields).toBeUndefined() };
  await archiveOldData({ ...fixture.service.parts, settings, nowMs, log });
}

it('an archived life answers like an unarchived one, also if it is imported again', async () => {
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
  await fc.assert(property, { numRuns: propertyRuns(10, 300), endOnFailure: true });
  expect(removed).toBeGreaterThan(0);
});

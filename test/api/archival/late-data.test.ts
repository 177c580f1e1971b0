import {
  fromDayNumber,
  type HealthRecord,
  MS_PER_DAY,
  MS_PER_MINUTE,
  type SourceIdentity,
  seriesTypeByCode,
} from '@healthd/model';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ArchivalFixture,
  DAYS,
  FIRST_DAY,
  HEART_RATE,
  LIVED,
  type LivedDatabase,
  openArchival,
  openLivedDatabase,
} from '../../support/archival-fixture.js';
import { healthChecksums } from '../../support/health-tables.js';
import { deletionOf, offsetOn } from '../../support/lived-days.js';
import { PHONE, sample, samplesEvery, WATCH } from '../../support/records.js';

const STEPS = seriesTypeByCode('steps').id;
const OURA: SourceIdentity = { provider: 'oura', deviceModel: 'Oura Ring Gen3', deviceType: 'ring' };

let lived: LivedDatabase;
let fixture: ArchivalFixture;
beforeAll(async () => {
  lived = await openLivedDatabase({ isArchived: true });
});
afterAll(() => lived.drop());
beforeEach(async () => {
  fixture = await openArchival(lived);
});
afterEach(() => fixture.stop());

/**
 * Returns the first minute from 23:30 that ends six minutes without a heart rate of the watch. Minutes count from
 * midnight.
 */
function freeMinute(midnight: number): number {
  const taken = new Set(
    LIVED.flatMap((record) =>
      record.kind === 'sample' && record.typeId === HEART_RATE && record.source === WATCH
        ? Math.floor((record.startMs - midnight) / MS_PER_MINUTE)
        : [],
    ),
  );
  let minute = -30;
  while ([0, 1, 2, 3, 4, 5].some((before) => taken.has(minute - before))) minute++;
  return minute;
}

const takenMinutes = new Set(LIVED.map(minuteOf));

/** Returns the series, source and minute of a sample. */
function minuteOf(record: HealthRecord): string | undefined {
  return record.kind === 'sample'
    ? `${record.source.deviceModel} ${record.typeId} ${record.sampleKind} ${Math.floor(record.startMs / MS_PER_MINUTE)}`
    : undefined;
}

/**
 * True if no recorded sample of the same series and source starts in the same minute. Always true if `late` is not a
 * sample.
 */
function isOfFreeMinute(late: HealthRecord): boolean {
  const minute = minuteOf(late);
  return minute === undefined || !takenMinutes.has(minute);
}

test('does not change archived days when the export is imported again', async () => {
  const before = await healthChecksums(fixture);
  for (const size of [5000, 777]) {
    const results = await fixture.write(LIVED, size);
    expect(results.map(({ samples }) => samples.inserted + samples.updated)).toEqual(results.map(() => 0));
    expect(await healthChecksums(fixture)).toEqual(before);
  }
  expect((await fixture.archive()).archivedSamples).toBe(0);
  expect(await healthChecksums(fixture)).toEqual(before);
});

test('adds late samples in uncovered minutes to archived days', async () => {
  const oracle = await openArchival();
  await oracle.write(LIVED);
  let late: HealthRecord[] = [];
  for (let at = 3; at < DAYS; at += 4) {
    const day = FIRST_DAY + at;
    const offsetMinutes = offsetOn(day, FIRST_DAY);
    const midnight = day * MS_PER_DAY - offsetMinutes * MS_PER_MINUTE;
    const time = (minute: number) => new Date(midnight + minute * MS_PER_MINUTE).toISOString();
    late.push(
      ...samplesEvery('steps', time(1350), 1, [40, 12, 33], { minutes: 1, offsetMinutes }),
      ...samplesEvery('steps', time(1362), 2, [9, 60], { source: PHONE, minutes: 2, offsetMinutes }),
      ...samplesEvery('heart_rate', time(1370), 1, [71, 72, 90], { minutes: 1, offsetMinutes }),
      // A new source with samples on archived days and on live days.
      ...samplesEvery('heart_rate', time(60), 15, [50, 51, 49], { source: OURA, offsetMinutes }),
      ...samplesEvery('steps', time(500), 1, [50, 51, 49], { source: OURA, minutes: 1, offsetMinutes }),
      sample('weight', time(1300), 79.5 + at / 100, { source: PHONE, offsetMinutes }),
      sample('heart_rate', time(freeMinute(midnight)), 44, { source: WATCH, offsetMinutes }),
    );
  }
  late = late.filter(isOfFreeMinute);
  await fixture.write(late);
  await oracle.write(late);
  const expected = await oracle.summaries();
  await oracle.stop();
  expect(await fixture.summaries()).toEqual(expected);
  // Archives the days in order, then delivers the late data again.
  expect((await fixture.archive()).archivedSamples).toBeGreaterThan(0);
  expect(await fixture.summaries()).toEqual(expected);
  const before = await healthChecksums(fixture);
  await fixture.write(late);
  await fixture.write(LIVED);
  expect(await healthChecksums(fixture)).toEqual(before);
});

test('ignores a correction to an archived minute', async () => {
  const before = await healthChecksums(fixture);
  const corrected = LIVED.slice(0, 300).flatMap((record) =>
    record.kind === 'sample' && record.typeId === STEPS && record.sampleKind === 'sample'
      ? { ...record, value: 1 }
      : [],
  );
  expect(corrected.length).toBeGreaterThan(20);
  await fixture.write(corrected);
  expect(await healthChecksums(fixture)).toEqual(before);
});

test('deletes archived heart rates only if the whole day is deleted', async () => {
  const midnight = (at: number) => (FIRST_DAY + at) * MS_PER_DAY - offsetOn(FIRST_DAY + at, FIRST_DAY) * MS_PER_MINUTE;
  const noon = midnight(5) + MS_PER_DAY / 2;
  await fixture.write([deletionOf('heart_rate', noon, midnight(7))]);
  const sources = async (at: number) =>
    (
      await fixture.pool.query<{ provider: string }>(
        `select s.provider from day_value v join data_source s using (user_key, source_id)
          where v.user_key = $1 and v.local_date = $2 and v.type_id = $3 order by 1`,
        [fixture.user.userKey, fromDayNumber(FIRST_DAY + at), HEART_RATE],
      )
    ).rows.map(({ provider }) => provider);
  expect(await sources(5)).toContain('apple');
  expect(await sources(6)).not.toContain('apple');
  expect(await sources(7)).toContain('apple');
  // Deleted data may arrive again.
  const again = sample('heart_rate', new Date(midnight(6) + 43_200_000).toISOString(), 61, { offsetMinutes: 60 });
  expect((await fixture.write([again]))[0]?.samples.inserted).toBe(1);
});

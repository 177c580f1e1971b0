import { fromDayNumber, MS_PER_DAY, type SourceIdentity } from '@healthd/model';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchivalFixture, openArchival, TODAY } from '../../support/archival-fixture.js';
import { PHONE, sample, samplesEvery, WATCH } from '../../support/records.js';

let fixture: ArchivalFixture;
beforeEach(async () => {
  fixture = await openArchival();
});
afterEach(() => fixture.stop());

test('keeps the dates of archived days when the offset becomes known later', async () => {
  const day = fromDayNumber(TODAY - 30);
  const unplaced = samplesEvery('steps', `${day}T20:00:00Z`, 10, [100, 200, 300, 400], { minutes: 5 });
  await fixture.write(unplaced);
  await fixture.archive();
  const before = await fixture.summaries();
  // At +05:00, 20:00Z is on the next day.
  const placing = sample('weight', `${day}T20:30:00Z`, 80, { offsetMinutes: 300 });
  await fixture.write([placing]);
  await fixture.write(unplaced);
  const after = await fixture.summaries();
  expect(after.activity).toEqual(before.activity);
  expect(after.merged).toEqual(before.merged);
});

test('counts an interval across midnight for both days after archival', async () => {
  const midnight = (live: number) => new Date((TODAY - live) * MS_PER_DAY).toISOString();
  const across = (live: number, source: SourceIdentity, value: number) =>
    sample('steps', new Date(Date.parse(midnight(live)) - 600_000).toISOString(), value, {
      source,
      minutes: 20,
      offsetMinutes: 0,
    });
  await fixture.write([
    ...[8, 7, 6, 5].flatMap((live) => [across(live, WATCH, 100), across(live, PHONE, 60)]),
    sample('steps', midnight(5), 10, { source: PHONE, minutes: 5, offsetMinutes: 0 }),
  ]);
  const merged = async () =>
    ((await fixture.summaries()).merged as { data: { steps: number }[] }).data.map(({ steps }) => steps);
  const before = await merged();
  expect(before).toEqual([50, 100, 100, 100, 50]);
  for (const live of [8, 7, 7, 6, 5, 4]) {
    await fixture.archive(live);
    // Compares the cached totals first, then the totals that are recomputed after the cache is deleted.
    for (const mergesAgain of [false, true]) {
      if (mergesAgain) await fixture.pool.query('delete from day_merged');
      expect(await merged(), `${live} days live`).toEqual(before);
    }
  }
});

test.each([
  [0, '02:00', 1],
  [840, '11:00', 2],
])("keeps a date's total after another date's sample is archived (offset %i)", async (watchOffset, time, days) => {
  const start = `${fromDayNumber(TODAY - 5)}T${time}:00Z`;
  // The phone's clock still shows the last archived day.
  await fixture.write([
    sample('steps', start, 60, { source: PHONE, minutes: 20, offsetMinutes: -720 }),
    sample('steps', start, 100, { source: WATCH, minutes: 20, offsetMinutes: watchOffset }),
  ]);
  const merged = async () => {
    const { data } = (await fixture.summaries()).merged as { data: { date: string; steps: number | null }[] };
    return Object.fromEntries(data.map(({ date, steps }) => [date, steps]));
  };
  const before = await merged();
  expect(before).toMatchObject({ [fromDayNumber(TODAY - 6 + days)]: 100 });
  // Simulates days that were never read before they were archived.
  await fixture.pool.query('delete from day_merged');
  expect(await fixture.archive(5)).toMatchObject({ archivedSamples: 1 });
  expect(await merged()).toEqual(before);
});

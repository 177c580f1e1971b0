import { MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extent, propertyRuns } from '../../support/extent.js';
import { asItems, IOS_FACTS, type PushedItem } from './as-push.js';
import { type Channels, openChannels } from './doors.js';
import { type Life, liveDays } from './life.js';
import { truthOf } from './truth.js';

/*
 * One life with a known truth arrives through every channel: in pieces, twice, and in any order. The summaries must
 * always equal that truth. Add more life in life.ts and in the writers of each channel (as-*.ts). cloud-life.test.ts
 * covers a vendor's cloud.
 */

const LIFE = liveDays(extent(11, 15));
const TRUTH = truthOf(LIFE);
const { days } = LIFE;
const ZONES = ['Europe/Warsaw', 'America/New_York'] as const;
const runInsteadOfWalk = ({ readings }: Life['days'][number]) =>
  readings
    .filter(({ series }) => series === 'steps')
    .map(({ startMs, endMs }) => ({ type: 'running' as const, startMs, endMs, activeKcal: 200 }));

// The tests run concurrently, because each test mostly waits until the service has dated items and joined sources. Each
// test has its own users.
let doors: Channels;
beforeAll(async () => {
  doors = await openChannels();
});
afterAll(() => doors.stop());

test.concurrent('summaries equal the generated life after one file import', async () => {
  const user = await doors.newUser();
  await doors.importDays(user, days);
  expect(await doors.answers(user)).toEqual(TRUTH);
});

test.concurrent('summaries equal the generated life after one push', async () => {
  const user = await doors.newUser();
  await doors.pushDays(user, days);
  expect(await doors.answers(user)).toEqual(TRUTH);
});

test.concurrent('counts data from phone and file once in any order', async () => {
  const [filed, pushed] = [await doors.newUser(), await doors.newUser()];
  await doors.importDays(filed, days);
  await doors.pushDays(filed, days);
  await doors.pushDays(pushed, days);
  await doors.importDays(pushed, days);
  expect(await doors.answers(filed)).toEqual(TRUTH);
  expect(await doors.answers(pushed)).toEqual(TRUTH);
});

test.concurrent('summaries equal the generated life when files grow daily', async () => {
  const user = await doors.newUser();
  for (let count = 1; count <= days.length; count++) await doors.importDays(user, days.slice(0, count));
  expect(await doors.answers(user)).toEqual(TRUTH);
});

/** Returns a day as the phone first exported it, before later deletions and condensing. */
function asFirstExported(day: Life['days'][number]): Life['days'][number] {
  const noonMs = (day.readings.find(({ series }) => series === 'hydration') ?? day.readings[0])!.startMs;
  const minute = (at: number) => noonMs + at * MS_PER_MINUTE;
  const inPieces = day.readings.flatMap((one) =>
    one.series === 'energy'
      ? [0, 5, 10, 15, 20].map((at) => ({
          series: one.series,
          startMs: one.startMs + at * MS_PER_MINUTE,
          endMs: one.startMs + (at + 5) * MS_PER_MINUTE,
          value: (one.value / 5) * 1.05,
        }))
      : [one],
  );
  return {
    ...day,
    sleeps: [...day.sleeps, { isNap: true, stages: [{ stage: 'light', startMs: minute(-120), endMs: minute(-100) }] }],
    workouts: [...day.workouts, { type: 'yoga', startMs: minute(-60), endMs: minute(-40), activeKcal: 50 }],
    readings: [...inPieces, { series: 'heart_rate', startMs: minute(-30), endMs: minute(-30), value: 180 }],
  };
}

test.concurrent('stores repeated, partly condensed replacements like one import of the last file', async () => {
  const [user, alone] = [await doors.newUser(), await doors.newUser()];
  for (let count = 1; count <= days.length; count++) {
    const [last] = days.slice(count - 1, count) as [Life['days'][number]];
    const newest = count < days.length ? asFirstExported(last) : last;
    await doors.importDays(user, [...days.slice(0, count - 1), newest], '?mode=replace');
  }
  await doors.importDays(alone, days);
  expect(await doors.answers(user)).toEqual(TRUTH);
  // The checksum of `sample` may differ, because two items that start in one second have no fixed order. The
  // `samples` of the responses include their values.
  const { sample, ...tables } = await doors.storedRows(user);
  expect(await doors.storedRows(alone)).toMatchObject({ ...tables, sample: { rows: sample?.rows } });
  const { metadata } = await doors.importDays(user, days, '?mode=replace');
  expect(metadata).toMatchObject({ items: { inserted: 0, updated: 0 }, report: { gone: 0, changes: {} } });
});

test.concurrent('keeps pushed data when files replace some days', async () => {
  const user = await doors.newUser();
  await doors.pushDays(user, days.slice(0, 8));
  for (const count of [3, 10]) await doors.importDays(user, days.slice(0, count), '?mode=replace');
  await doors.pushDays(user, days.slice(8));
  await doors.importDays(user, days, '?mode=replace');
  expect(await doors.answers(user)).toEqual(TRUTH);
});

test.concurrent('summaries equal the generated life after daily pushes, last day first', async () => {
  const user = await doors.newUser();
  for (const day of [...days].reverse()) await doors.pushDays(user, [day]);
  expect(await doors.answers(user)).toEqual(TRUTH);
});

test.concurrent.each([
  ['in New York while the clocks go back', liveDays(extent(10, 14), '2026-10-26', () => 'America/New_York')],
  ['in Kiritimati, where the day starts first', liveDays(8, '2026-11-01', () => 'Pacific/Kiritimati')],
  ['that moves from Warsaw to New York', liveDays(extent(10, 14), '2026-11-02', (day) => ZONES[day < 6 ? 0 : 1])],
])('stores data %s equally from a file and a push without offsets', async (_, lived) => {
  const truth = truthOf(lived);
  const [filed, pushed, both, reversed] = [
    await doors.newUser(),
    await doors.newUser(),
    await doors.newUser(),
    await doors.newUser(),
  ] as [string, string, string, string];
  const ios = asItems(lived.days, () => IOS_FACTS);
  await doors.importDays(filed, lived.days);
  await doors.pushItems(pushed, ios);
  await doors.pushItems(both, ios);
  await doors.importDays(both, lived.days);
  for (const day of [...lived.days].reverse())
    await doors.pushItems(
      reversed,
      asItems([day], () => IOS_FACTS),
    );
  expect(await doors.answers(filed)).toEqual(truth);
  expect(await doors.answers(pushed)).toEqual(truth);
  expect(await doors.answers(both)).toEqual(truth);
  expect(await doors.answers(reversed)).toEqual(truth);
});

test.concurrent("dates items without a time zone by the workout's zone", async () => {
  const lived = liveDays(extent(10, 14), '2026-10-26', () => 'America/New_York');
  for (const dayIndex of [0, lived.days.length - 1]) {
    const days = lived.days.map((day, at) => ({ ...day, workouts: at === dayIndex ? runInsteadOfWalk(day) : [] }));
    const user = await doors.newUser();
    for (const day of days)
      await doors.pushItems(
        user,
        asItems([day], () => IOS_FACTS),
      );
    expect(await doors.answers(user)).toEqual(truthOf({ days }));
  }
});

test.concurrent('summaries equal the generated life after incomplete, repeated and reordered batches', async () => {
  const facts = fc.record({ offsets: fc.boolean(), ids: fc.boolean(), zones: fc.boolean() });
  const delivery = fc.array(facts, { minLength: 7, maxLength: 7 }).chain((pattern) => {
    const items = asItems(days, (position) => pattern[position % pattern.length] ?? pattern[0]!);
    const again = fc.subarray(items, { maxLength: 60 });
    return fc.record({
      items: again.chain((twice): fc.Arbitrary<PushedItem[]> => {
        const all = [...items, ...twice.map((one) => ({ ...one }))];
        return fc.shuffledSubarray(all, { minLength: all.length });
      }),
      size: fc.integer({ min: 40, max: 200 }),
      /** Position of the batch before which the whole file also arrives; undefined if the file never arrives. */
      fileBefore: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    });
  });
  await fc.assert(
    fc.asyncProperty(delivery, async ({ items, size, fileBefore }) => {
      const user = await doors.newUser();
      for (let from = 0; from < items.length; from += size) {
        if (from === (fileBefore ?? -1) * size) await doors.importDays(user, days);
        await doors.pushItems(user, items.slice(from, from + size));
      }
      expect(await doors.answers(user)).toEqual(TRUTH);
    }),
    { numRuns: propertyRuns(2, 8) },
  );
});

import { batchOf, type HealthRecord, MS_PER_DAY, MS_PER_HOUR, type SleepStageRecord } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { sleepStage } from '../../../../test/support/records.js';

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const MIDNIGHT = Date.parse('2026-11-01T00:00Z');

function sleep(day: number, fromHour: number, toHour: number): SleepStageRecord {
  const at = (hour: number) => new Date(MIDNIGHT + day * MS_PER_DAY + hour * MS_PER_HOUR).toISOString();
  return sleepStage('light', at(fromHour), at(toHour));
}

// Bedtimes vary by half an hour, as in real life.
const nightInto = (day: number) => sleep(day, -1 + (day % 3) / 2, 6);
const napOn = (day: number) => sleep(day, 14, 14.5);

async function storedSleep(user: number) {
  const { rows } = await fixture.pool.query<{ wake_date: string; is_nap: boolean }>(
    'select wake_date, is_nap from sleep_session where user_key = $1 order by start_at',
    [user],
  );
  return rows;
}

async function napsOf(user: number): Promise<string[]> {
  return (await storedSleep(user)).filter(({ is_nap }) => is_nap).map(({ wake_date }) => wake_date);
}

test('keeps a nap when a night three days later arrives', async () => {
  const user = await fixture.newUser();
  await fixture.write(user, sleep(1, -1, 6), sleep(1, 14, 14.5));
  await fixture.write(user, sleep(4, 23.5, 31));
  expect(await storedSleep(user)).toEqual([
    { wake_date: '2026-11-02', is_nap: false },
    { wake_date: '2026-11-02', is_nap: true },
    { wake_date: '2026-11-06', is_nap: false },
  ]);
});

test('keeps a nap when its night is deleted', async () => {
  const user = await fixture.newUser();
  const nap = sleep(1, 14, 14.5);
  await fixture.write(user, sleep(1, -1, 6), nap);
  const { rows } = await fixture.pool.query('select id from sleep_session where user_key = $1 and not is_nap', [user]);
  await fixture.writer.deleteSession(user, 'sleep_session', rows[0].id);
  expect(await storedSleep(user)).toEqual([{ wake_date: '2026-11-02', is_nap: true }]);
  await fixture.write(user, sleep(1, 14.5, 15));
  expect(await storedSleep(user)).toEqual([{ wake_date: '2026-11-02', is_nap: true }]);
});

test.each([
  ['keeps a nap', 6, true],
  ['creates no nap', 1, false],
])('%s when a phone deletes the sleep that ended at %i:00', async (_, untilHour, isNap) => {
  const user = await fixture.newUser();
  const push = (...records: HealthRecord[]) =>
    fixture.writer.write(user, { ...batchOf(records), pushedBy: { provider: 'apple', device: 'phone' } });
  await push({ ...sleep(1, -1, untilHour), pushedId: 'deleted' }, sleep(1, 14, 14.5));
  const day = { wake_date: '2026-11-02', is_nap: isNap };
  expect((await storedSleep(user))[1]).toEqual(day);
  await push({ kind: 'deletion', provider: 'apple', of: 'pushed', items: [{ id: 'deleted' }] });
  await push(sleep(1, 14.5, 15));
  expect(await storedSleep(user)).toEqual([day]);
});

test('keeps a nap when a phone deletes the night in two batches', async () => {
  const user = await fixture.newUser();
  const push = (...records: HealthRecord[]) =>
    fixture.writer.write(user, { ...batchOf(records), pushedBy: { provider: 'apple', device: 'phone' } });
  await push({ ...sleep(1, -1, 4), pushedId: 'first' }, { ...sleep(1, 4, 6), pushedId: 'second' }, sleep(1, 14, 14.5));
  for (const id of ['first', 'second']) {
    await push({ kind: 'deletion', provider: 'apple', of: 'pushed', items: [{ id }] });
  }
  expect(await storedSleep(user)).toEqual([{ wake_date: '2026-11-02', is_nap: true }]);
});

test('creates no nap after deleting a long session with little sleep', async () => {
  const user = await fixture.newUser();
  await fixture.write(user, sleep(1, 2, 4), { ...sleep(1, 2, 5.5), stage: 'in_bed' }, sleep(1, 14, 14.5));
  const { rows } = await fixture.pool.query('select id from sleep_session where user_key = $1 order by start_at', [
    user,
  ]);
  await fixture.writer.deleteSession(user, 'sleep_session', rows[0].id);
  expect(await storedSleep(user)).toEqual([{ wake_date: '2026-11-02', is_nap: false }]);
});

test('keeps the naps of fifteen days across daily imports', async () => {
  const user = await fixture.newUser();
  const days = Array.from({ length: 15 }, (_, day) => day);
  for (const today of days) {
    await fixture.write(user, ...days.slice(0, today + 1).flatMap((day) => [nightInto(day), napOn(day)]));
  }
  expect(await napsOf(user)).toHaveLength(15);
});

test('detects the same naps for any order and batch split', async () => {
  const sleeps = fc.uniqueArray(
    fc.record({
      day: fc.integer({ min: 0, max: 14 }),
      fromHour: fc.constantFrom(-1, 4, 9, 14, 18),
      hours: fc.constantFrom(0.5, 2, 3, 7),
    }),
    { minLength: 5, maxLength: 20, selector: ({ day, fromHour }) => `${day} ${fromHour}` },
  );
  const deliveries = sleeps.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.integer({ min: 1, max: 4 })),
  );
  await fc.assert(
    fc.asyncProperty(deliveries, async ([all, shuffled, size]) => {
      const records = (list: typeof all) =>
        list.map(({ day, fromHour, hours }) => sleep(day, fromHour, fromHour + hours));
      const once = await fixture.newUser();
      await fixture.write(once, ...records(all));
      const inPieces = await fixture.newUser();
      for (let from = 0; from < shuffled.length; from += size) {
        await fixture.write(inPieces, ...records(shuffled.slice(from, from + size)));
      }
      expect(await storedSleep(inPieces)).toEqual(await storedSleep(once));
    }),
    { numRuns: propertyRuns(10, 40) },
  );
});

import { batchOf, type HealthRecord, type SleepSessionRecord } from '@healthd/model';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { PHONE, run, sleepStage } from '../../../../test/support/records.js';
import type { SessionTable } from '../facts/tombstones.js';

let fixture: RecordFixture;
let user: number;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
beforeEach(async () => {
  user = await fixture.newUser();
});
afterAll(() => fixture.close());

const write = (...records: HealthRecord[]) => fixture.write(user, ...records);
const stored = async (table: string) =>
  (await fixture.pool.query(`select * from ${table} where user_key = $1 order by start_at`, [user])).rows;
const NIGHT = [
  sleepStage('in_bed', '2026-03-09T22:00Z', '2026-03-09T22:30Z'),
  sleepStage('light', '2026-03-09T22:30Z', '2026-03-10T05:30Z'),
  sleepStage('awake', '2026-03-10T05:30Z', '2026-03-10T06:00Z'),
];

/** Deletes the only session of a table, as the API does. */
async function deleteOnly(table: SessionTable): Promise<string> {
  const [session] = await stored(table);
  expect(await fixture.writer.deleteSession(user, table, session.id)).toBe(true);
  return session.id;
}

test('keeps a deleted night deleted when its stages are redelivered', async () => {
  await write(...NIGHT);
  await deleteOnly('sleep_session');
  expect([await stored('sleep_session'), await stored('sleep_stage')]).toEqual([[], []]);
  const again = await write(...NIGHT);
  expect(again.items).toMatchObject({ read: 3, suppressed: 3, inserted: 0 });
  expect([await stored('sleep_session'), await stored('sleep_stage')]).toEqual([[], []]);
});

test('accepts later sleep and other devices’ nights after a deletion', async () => {
  await write(...NIGHT);
  await deleteOnly('sleep_session');
  const others = [
    sleepStage('light', '2026-03-10T13:00Z', '2026-03-10T13:30Z'),
    sleepStage('light', '2026-03-10T23:00Z', '2026-03-11T06:00Z'),
    sleepStage('in_bed', '2026-03-09T22:00Z', '2026-03-10T06:00Z', { source: PHONE }),
  ];
  expect((await write(...NIGHT, ...others)).items).toMatchObject({ suppressed: 3, inserted: 3 });
  expect(await stored('sleep_session')).toHaveLength(3);
});

test('suppresses only stages of the deleted session id', async () => {
  const named = (sessionId: string, from: string, to: string) => sleepStage('light', from, to, { sessionId });
  await write(named('s1', '2026-03-09T22:30Z', '2026-03-10T01:00Z'));
  await deleteOnly('sleep_session');
  const rest = named('s1', '2026-03-10T01:00Z', '2026-03-10T05:00Z');
  expect((await write(rest, named('s2', '2026-03-10T00:30Z', '2026-03-10T05:00Z'))).items).toMatchObject({
    suppressed: 1,
    inserted: 1,
  });
  expect(await stored('sleep_session')).toMatchObject([{ external_id: 's2' }]);
});

test("keeps a vendor's night deleted when a longer version is redelivered", async () => {
  const night: SleepSessionRecord = {
    kind: 'sleep_session',
    source: { provider: 'oura' },
    offsetMinutes: 0,
    startMs: Date.parse('2026-03-09T23:00Z'),
    endMs: Date.parse('2026-03-10T02:00Z'),
  };
  await write(night);
  await deleteOnly('sleep_session');
  expect((await write({ ...night, endMs: Date.parse('2026-03-10T07:00Z') })).items.suppressed).toBe(1);
  expect((await write({ ...night, externalId: 'n1' })).items.suppressed).toBe(1);
  expect(await stored('sleep_session')).toEqual([]);
});

test.each([
  ['without an id, then by a phone with an id', undefined, 'w1'],
  ['with an id, then by a file without an id', 'w1', undefined],
  ['with an id, then with another id', 'w1', 'w2'],
])('keeps a deleted workout deleted when delivered %s', async (_, first, then) => {
  await write(run({ externalId: first }));
  await deleteOnly('workout');
  const again = await write(run({ externalId: then, startMs: Date.parse('2026-03-10T17:00:00.400Z') }));
  expect(again.items).toMatchObject({ read: 1, suppressed: 1 });
  expect(await stored('workout')).toEqual([]);
});

test('accepts workouts with another type, end or device after a deletion', async () => {
  await write(run({ externalId: 'w1' }));
  await deleteOnly('workout');
  const others = [run({ type: 'yoga' }), run({ endMs: Date.parse('2026-03-10T18:30Z') }), run({ source: PHONE })];
  expect((await write(run({ externalId: 'w1', endMs: 0 }), ...others)).items).toMatchObject({ inserted: 3 });
});

test('accepts a deleted workout from another vendor account', async () => {
  const ride = run({ source: { provider: 'polar', writer: 'cloud' } });
  const read = async (account: string) => (await fixture.writer.write(user, batchOf([ride]), { account })).items;
  await read('ada');
  await deleteOnly('workout');
  expect(await read('ada')).toMatchObject({ suppressed: 1, inserted: 0 });
  expect(await read('bob')).toMatchObject({ suppressed: 0, inserted: 1 });
});

test('stores a restored session again on the next delivery', async () => {
  await write(run());
  const id = await deleteOnly('workout');
  expect(await fixture.writer.restoreSession(user, 'sleep_session', id)).toBe(false);
  expect(await fixture.writer.restoreSession(user, 'workout', id)).toBe(true);
  expect(await fixture.writer.restoreSession(user, 'workout', id)).toBe(false);
  expect(await stored('workout')).toEqual([]);
  expect((await write(run())).workouts.inserted).toBe(1);
});

test('keeps local deletions, but not vendor deletions, after provider deletion', async () => {
  await write(run({ externalId: 'w1' }));
  await write({ kind: 'deletion', provider: 'apple', of: 'session', externalId: 'w1' });
  expect((await write(run({ externalId: 'w1' }))).workouts.inserted).toBe(1);
  await deleteOnly('workout');
  await fixture.writer.deleteProvider(user, 'apple');
  expect((await write(run({ externalId: 'w1' }))).items.suppressed).toBe(1);
});

test("deletes a phone's range deletions when the provider is deleted", async () => {
  const { source, startMs, endMs } = run();
  const range = { kinds: 'workouts', startMs, endMs, source } as const;
  await fixture.writer.write(user, {
    ...batchOf([run(), { kind: 'deletion', provider: 'apple', of: 'pushed', items: [range] }]),
    pushedBy: { provider: 'apple', device: 'phone', receivedAtMs: Date.now() },
  });
  expect(await stored('pushed_range')).toHaveLength(1);
  await fixture.writer.deleteProvider(user, 'apple');
  expect(await stored('pushed_range')).toEqual([]);
});

test('keeps a workout deleted when its vendor names another device', async () => {
  const ride = (deviceModel: string | undefined, idScope: 'writer' | undefined, writer?: string) => ({
    ...run({ externalId: 'w1' }),
    source: { provider: 'suunto' as const, deviceModel, writer },
    idScope,
  });
  await write(ride('Race S', 'writer'));
  await deleteOnly('workout');
  expect((await write(ride(undefined, 'writer'), ride('Vertical', 'writer'))).items.suppressed).toBe(2);
  expect(await stored('workout')).toEqual([]);
  const others = [ride('Vertical', undefined), ride('Race S', 'writer', 'another app')];
  expect((await write(...others)).items).toMatchObject({ suppressed: 0, inserted: 2 });
});

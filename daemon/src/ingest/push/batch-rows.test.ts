import { randomUUID } from 'node:crypto';
import { MS_PER_SECOND } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { inTransaction } from '../../platform/database/index.js';
import { bodyStateOf, deleteEndedBatches, reassignBatch, usersWithoutJob, waitingBytes } from './device-batches.js';
import { countAttempt, endBatch } from './end-batch.js';
import { startedBatches, waitingBatches } from './waiting-batches.js';

const KEEP_DAYS = 3;
const KEEP_SECONDS = KEEP_DAYS * 86_400;

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const batch = fc.record({
  user: fc.nat({ max: 2 }),
  provider: fc.constantFrom('apple', 'samsung'),
  state: fc.constantFrom('received', 'received', 'done', 'failed'),
  hasBody: fc.boolean(),
  bytes: fc.integer({ min: 1, max: 9 }),
  attempts: fc.nat({ max: 2 }),
  receivedSeconds: fc.constantFrom(0, 1, 60, 4_000),
  retriedSeconds: fc.option(fc.constantFrom(0, 30)),
  endedSeconds: fc.constantFrom(0, KEEP_SECONDS - 60, KEEP_SECONDS + 60),
});
type Batch = typeof batch extends fc.Arbitrary<infer Value> ? Value & { id: string; userKey: number } : never;
const life = fc.record({
  batches: fc.array(batch, { minLength: 4, maxLength: 14, size: 'max' }),
  /** Users and providers whose connection the user ended. */
  ended: fc.subarray(['0 apple', '1 samsung', '2 apple']),
});
type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never;

async function store({ batches, ended }: Life): Promise<Batch[]> {
  await fixture.pool.query('delete from device_batch');
  const users = [await fixture.newUser(), await fixture.newUser(), await fixture.newUser()];
  for (const one of ['0 apple', '1 samsung', '2 apple', '1 apple']) {
    const [user, provider] = one.split(' ') as [string, string];
    // A connection that ended for another reason does not reject batches.
    const reason = ended.includes(one) ? 'user_disconnected' : 'refresh_failed';
    await fixture.pool.query(
      `insert into connection (user_key, provider, status, status_reason) values ($1, $2, 'revoked', $3)`,
      [users[Number(user)], provider, reason],
    );
  }
  const nowMs = Date.now();
  const ago = (seconds: number | null) => (seconds === null ? null : new Date(nowMs - seconds * MS_PER_SECOND));
  const stored: Batch[] = [];
  for (const one of batches) {
    const [id, userKey] = [randomUUID(), users[one.user] as number];
    await fixture.pool.query(
      `insert into device_batch (batch_id, user_key, provider, state, encoding, byte_size, sha256, attempts, queued_told,
                                 received_at, ended_at, body, retried_at)
       values ($1, $2, $3, $4, 'identity', $5, '\\x00', $6, true, $7, $8, $9, $10)`,
      [
        id,
        userKey,
        one.provider,
        one.state,
        one.bytes,
        one.attempts,
        ago(one.receivedSeconds),
        one.state === 'received' ? null : ago(one.endedSeconds),
        one.hasBody ? Buffer.from('{}') : null,
        ago(one.retriedSeconds),
      ],
    );
    stored.push({ ...one, id, userKey });
  }
  return stored;
}

const isWaiting = ({ state }: Batch) => state === 'received';

it('reads waiting batches with their ages like a naive model', async () => {
  const property = fc.asyncProperty(life, async (drawn) => {
    const all = await store(drawn);
    const isRefused = ({ user, provider }: Batch) => drawn.ended.includes(`${user} ${provider}`);
    for (const userKey of new Set(all.map((one) => one.userKey))) {
      const own = all.filter((one) => one.userKey === userKey && isWaiting(one));
      const found = await waitingBatches(fixture.pool, userKey, 100);
      expect(found.map((one) => [one.batchId, one.attempts, one.isRefused, one.retriedSince !== null])).toEqual(
        own.map((one) => [one.id, one.attempts, isRefused(one), one.retriedSeconds !== null]),
      );
      for (const [index, { waitingSeconds, ageSeconds }] of found.entries()) {
        const { receivedSeconds, retriedSeconds } = own[index] as Batch;
        expect(Math.abs(ageSeconds - receivedSeconds)).toBeLessThan(20);
        expect(Math.abs(waitingSeconds - (retriedSeconds ?? receivedSeconds))).toBeLessThan(20);
      }
      expect((await waitingBatches(fixture.pool, userKey, 2)).map(({ batchId }) => batchId)).toEqual(
        own.slice(0, 2).map(({ id }) => id),
      );
      const started = await startedBatches(fixture.pool, userKey);
      expect(started.map(({ batchId }) => batchId)).toEqual(
        own.filter(({ attempts }) => attempts > 0).map(({ id }) => id),
      );
    }
    expect(await waitingBytes(fixture.pool)).toBe(all.filter(isWaiting).reduce((sum, { bytes }) => sum + bytes, 0));
    // Excludes batches that were received or retried a moment ago, because they still have a job.
    const isLate = (one: Batch) => isWaiting(one) && (one.retriedSeconds ?? one.receivedSeconds) > 2;
    const late = [...new Set(all.filter(isLate).map(({ userKey }) => userKey))];
    const oldest = (userKey: number) =>
      Math.max(...all.filter((one) => one.userKey === userKey && isLate(one)).map((one) => one.receivedSeconds));
    const users = await usersWithoutJob(fixture.pool, 'push', 10);
    expect(users.toSorted()).toEqual(late.toSorted());
    expect(users.map(oldest)).toEqual(users.map(oldest).toSorted((a, b) => b - a));
  });
  await fc.assert(property, { numRuns: 20, endOnFailure: true });
});

it('reads, reassigns and deletes bodies of batches like a naive model', async () => {
  const property = fc.asyncProperty(life, async (drawn) => {
    const all = await store(drawn);
    for (const [index, one] of all.entries()) {
      const isRefused = drawn.ended.includes(`${one.user} ${one.provider}`);
      const expected = isWaiting(one) || !one.hasBody ? 'gone' : isRefused ? 'refused' : 'kept';
      expect(await bodyStateOf(fixture.pool, one.id)).toBe(expected);
      if (expected !== 'kept' || index % 2 === 0) continue;
      const id = randomUUID();
      await inTransaction(fixture.pool, (client) => reassignBatch(client, one.id, id));
      const { rows } = await fixture.pool.query(
        `select state, attempts, ended_at, retried_at > now() - interval '1 minute' as is_retried, body is not null as has_body
           from device_batch where batch_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ state: 'received', attempts: 0, ended_at: null, is_retried: true, has_body: true }]);
      one.id = id;
      one.state = 'received';
    }
    const deleted = all.filter((one) => !isWaiting(one) && one.endedSeconds > KEEP_SECONDS);
    expect(await deleteEndedBatches(fixture.pool, KEEP_DAYS)).toBe(deleted.length);
    const { rows } = await fixture.pool.query<{ id: string }>('select batch_id as id from device_batch order by seq');
    expect(rows.map(({ id }) => id)).toEqual(all.filter((one) => !deleted.includes(one)).map(({ id }) => id));
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

it.each([
  ['stored', 'done', false],
  ['partial', 'done', true],
  ['refused', 'done', false],
  ['failed', 'failed', true],
] as const)('ends only the selected batch as %s', async (end, state, keepsBody) => {
  const [one, other] = await store({
    batches: Array.from({ length: 2 }, () => ({
      user: 1,
      provider: 'apple',
      state: 'received',
      hasBody: true,
      bytes: 2,
      attempts: 0,
      receivedSeconds: 0,
      retriedSeconds: null,
      endedSeconds: 0,
    })),
    ended: [],
  });
  const stateOf = async (id = '') => {
    const { rows } = await fixture.pool.query(
      `select state, attempts, ended_at is not null as is_ended, body is not null as has_body from device_batch where batch_id = $1`,
      [id],
    );
    return rows[0];
  };
  await inTransaction(fixture.pool, async (client) => {
    await countAttempt(client, [one?.id ?? '']);
    await endBatch(client, one?.id ?? '', end);
  });
  expect(await stateOf(one?.id)).toEqual({ state, attempts: 1, is_ended: true, has_body: keepsBody });
  expect(await stateOf(other?.id)).toEqual({ state: 'received', attempts: 0, is_ended: false, has_body: true });
});

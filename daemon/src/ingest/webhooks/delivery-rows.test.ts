import { randomUUID } from 'node:crypto';
import { MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import {
  deleteStoredDelivery,
  deliveryFiles,
  endDelivery,
  isExhausted,
  isFileReplaced,
  isTriedAgain,
  nextTryAt,
  postponeDelivery,
  providersWithoutJob,
  releaseLater,
  removeDelivery,
  replacedFile,
  replaceDeliveryFile,
  returnDelivery,
  reviveUnmatched,
  startDelivery,
  type WaitingDelivery,
  waitingBytes,
} from './deliveries.js';

const NOW_MS = Date.UTC(2026, 2, 10, 12);
const NOW = new Date(NOW_MS);

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

const delivery = fc.record({
  provider: fc.constantFrom('garmin', 'garmin', 'suunto'),
  state: fc.constantFrom('received', 'received', 'done', 'failed'),
  sender: fc.constantFrom('192.0.2.1', '192.0.2.2'),
  bytes: fc.integer({ min: 1, max: 9 }),
  attempts: fc.nat({ max: 2 }),
  failures: fc.nat({ max: 2 }),
  dueMinutes: fc.constantFrom(-10, 0, 1, 60),
  unmatched: fc.subarray(['a1', 'a2']),
  endedMinutes: fc.nat({ max: 90 }),
  isRetried: fc.boolean(),
  isFileDeleted: fc.constantFrom(false, false, true),
});
type Delivery = typeof delivery extends fc.Arbitrary<infer Value> ? Value & { id: string; seq: number } : never;
const deliveries = fc.array(delivery, { minLength: 4, maxLength: 12, size: 'max' });

async function store(drawn: readonly Omit<Delivery, 'id' | 'seq'>[]): Promise<Delivery[]> {
  await fixture.pool.query('delete from webhook_delivery');
  const all = drawn.map((one, seq): Delivery => ({ ...one, seq, id: randomUUID() }));
  for (const one of all) {
    const isEnded = one.state !== 'received';
    await fixture.pool.query(
      `insert into webhook_delivery (id, provider, spool_name, byte_size, sha256, state, sender, attempts, failures, next_try_at,
                                     unmatched, received_at, ended_at, retried, file_deleted_at)
       values ($1::uuid, $2, $1::text, $3, '', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        one.id,
        one.provider,
        one.bytes,
        one.state,
        one.sender,
        one.attempts,
        one.failures,
        new Date(NOW_MS + one.dueMinutes * MS_PER_MINUTE),
        one.unmatched,
        NOW,
        isEnded ? new Date(NOW_MS - one.endedMinutes * MS_PER_MINUTE) : null,
        one.isRetried,
        isEnded && one.isFileDeleted ? NOW : null,
      ],
    );
  }
  return all;
}

const isWaiting = ({ state }: Delivery) => state === 'received';
const isDue = (one: Delivery) => isWaiting(one) && one.dueMinutes <= 0;
const hasFile = (one: Delivery) => isWaiting(one) || !one.isFileDeleted;
const idsOf = (all: readonly Delivery[]) => all.map(({ id }) => id);

/** Returns rows as texts: state, attempts, failures, and milliseconds until the next attempt. */
async function states(): Promise<Map<string, string>> {
  const { rows } = await fixture.pool.query<{ id: string; text: string }>(
    `select id, concat_ws(' ', state, attempts, failures, round(extract(epoch from next_try_at - $1) * 1000)) as text
       from webhook_delivery`,
    [NOW],
  );
  return new Map(rows.map(({ id, text }) => [id, text]));
}
const stateOf = (
  { state, attempts, failures, dueMinutes }: Delivery,
  change: Partial<Delivery> & { dueMs?: number } = {},
) => {
  const next = { state, attempts, failures, ...change };
  return `${next.state} ${next.attempts} ${next.failures} ${change.dueMs ?? dueMinutes * MS_PER_MINUTE}`;
};
const waitMs = (attempts: number) => MS_PER_SECOND * Math.min(1_800, 10 * 2 ** attempts);

it('claims and reschedules due deliveries like a naive model', async () => {
  const property = fc.asyncProperty(
    deliveries,
    fc.constantFrom('postpone', 'return', 'release'),
    async (drawn, then) => {
      const all = await store(drawn);
      const due = all.filter((one) => one.provider === 'garmin' && isDue(one));
      const first = due.toSorted((a, b) => a.attempts + a.failures - b.attempts - b.failures || a.seq - b.seq)[0];
      const claimed = await startDelivery(fixture.pool, 'garmin', NOW);
      expect(claimed?.id).toBe(first?.id);
      const expected = new Map(all.map((one) => [one.id, stateOf(one)]));
      if (first && claimed) {
        const { attempts, failures } = first;
        expect(claimed).toMatchObject({
          attempts: attempts + 1,
          failures,
          isRetried: first.isRetried,
          isCounted: first.isRetried || first.unmatched.length > 0,
        });
        expected.set(first.id, stateOf(first, { attempts: attempts + 1, dueMs: waitMs(attempts + failures + 1) }));
        expect(await states()).toEqual(expected);
        if (then === 'postpone') {
          await postponeDelivery(fixture.pool, claimed, NOW);
          expected.set(first.id, stateOf(first, { failures: failures + 1, dueMs: waitMs(attempts + 1 + failures) }));
        } else if (then === 'return') {
          await returnDelivery(fixture.pool, claimed, NOW);
          expected.set(first.id, stateOf(first, { dueMs: 0 }));
        } else {
          await releaseLater(fixture.pool, claimed, NOW);
          for (const one of all) {
            const isLater = one.provider === 'garmin' && one.seq > first.seq && isWaiting(one) && one.failures > 0;
            if (isLater && one.dueMinutes > 0) expected.set(one.id, stateOf(one, { dueMs: 0 }));
          }
        }
      }
      expect(await states()).toEqual(expected);
    },
  );
  await fc.assert(property, { numRuns: 25, endOnFailure: true });
});

it('reads deliveries like a naive model', async () => {
  const property = fc.asyncProperty(deliveries, async (drawn) => {
    const all = await store(drawn);
    const waiting = all.filter((one) => one.provider === 'garmin' && isWaiting(one));
    const bytes = (some: readonly Delivery[]) => some.reduce((sum, one) => sum + one.bytes, 0);
    expect(await waitingBytes(fixture.pool, 'garmin', '192.0.2.1')).toEqual({
      all: bytes(waiting),
      ofSender: bytes(waiting.filter(({ sender }) => sender === '192.0.2.1')),
    });
    const files = await deliveryFiles(fixture.pool, 'garmin');
    expect(files).toEqual(
      all.filter((one) => one.provider === 'garmin' && hasFile(one)).map(({ id }) => ({ id, spoolName: id })),
    );
    const providers = [...new Set(all.filter(isDue).map(({ provider }) => provider))];
    expect(await providersWithoutJob(fixture.pool, 'deliver', NOW, 10)).toEqual(providers);
    expect(await providersWithoutJob(fixture.pool, 'deliver', NOW, 1)).toEqual(providers.slice(0, 1));
  });
  await fc.assert(property, { numRuns: 15, endOnFailure: true });
});

it('changes stored files like a naive model', async () => {
  const property = fc.asyncProperty(deliveries, fc.integer({ min: 0, max: 30 }), async (drawn, maxBytes) => {
    const all = await store(drawn);
    // Newest first: the files beyond the limit are deleted.
    const kept = all
      .filter(
        (one) => one.provider === 'garmin' && one.state === 'done' && !one.isFileDeleted && one.unmatched.length > 0,
      )
      .toSorted((a, b) => a.endedMinutes - b.endedMinutes || b.seq - a.seq);
    let total = 0;
    const dropped = kept.filter(({ bytes }) => {
      total += bytes;
      return total > maxBytes;
    });
    expect((await deleteStoredDelivery(fixture.pool, 'garmin', maxBytes, NOW)).toSorted()).toEqual(
      idsOf(dropped).toSorted(),
    );
    const revived = all.filter(
      (one) =>
        one.provider === 'garmin' &&
        !isWaiting(one) &&
        one.unmatched.includes('a1') &&
        !one.isFileDeleted &&
        !dropped.includes(one),
    );
    expect(await reviveUnmatched(fixture.pool, 'garmin', 'a1', NOW)).toBe(revived.length);
    const expected = new Map(
      all.map((one) => [
        one.id,
        revived.includes(one) ? stateOf(one, { state: 'received', attempts: 0, failures: 0, dueMs: 0 }) : stateOf(one),
      ]),
    );
    expect(await states()).toEqual(expected);

    const file = { spoolName: 'other', byteSize: 1, sha256: Buffer.from('') };
    for (const one of all) {
      const stored = { id: one.id, spoolName: one.id };
      const waiting = stored as WaitingDelivery;
      const has = hasFile(one) && !dropped.includes(one);
      expect(await isFileReplaced(fixture.pool, waiting)).toBe(!has);
      expect(await replaceDeliveryFile(fixture.pool, { ...stored, spoolName: 'former' }, file)).toBe(false);
      expect(await replacedFile(fixture.pool, stored)).toBeUndefined();
      expect(await replaceDeliveryFile(fixture.pool, stored, file)).toBe(has);
      expect(await replacedFile(fixture.pool, stored)).toEqual(has ? { id: one.id, spoolName: 'other' } : undefined);
      expect(await isFileReplaced(fixture.pool, waiting)).toBe(true);
      expect(await removeDelivery(fixture.pool, one.id, NOW)).toEqual(has ? ['other'] : []);
    }
    expect(await deliveryFiles(fixture.pool, 'garmin')).toEqual([]);
  });
  await fc.assert(property, { numRuns: 12, endOnFailure: true });
});

it.each([
  [undefined, 'done'],
  ['unreadable', 'failed'],
])('ends one delivery with problem %s as %s', async (problem, state) => {
  const one = {
    provider: 'garmin',
    state: 'received',
    sender: '192.0.2.1',
    bytes: 1,
    attempts: 1,
    failures: 0,
    dueMinutes: 0,
  } as const;
  const more = { unmatched: [], endedMinutes: 0, isRetried: false, isFileDeleted: false };
  const [first, second] = await store([
    { ...one, ...more },
    { ...one, ...more },
  ]);
  await endDelivery(fixture.pool, first?.id ?? '', {
    ...(problem !== undefined && { problem }),
    unmatched: ['a9'],
    at: NOW,
  });
  const { rows } = await fixture.pool.query(
    'select id, state, problem, unmatched, ended_at from webhook_delivery order by seq',
  );
  expect(rows).toEqual([
    { id: first?.id, state, problem: problem ?? null, unmatched: ['a9'], ended_at: NOW },
    { id: second?.id, state: 'received', problem: null, unmatched: [], ended_at: null },
  ]);
});

it('doubles waits up to 30 minutes, for ten attempts or a week', () => {
  const of = (attempts: number, failures = 0) => ({ attempts, failures, receivedAt: NOW }) as WaitingDelivery;
  for (const attempts of [0, 1, 3, 7, 8, 20]) {
    expect(nextTryAt(of(attempts, 1), NOW).getTime() - NOW_MS).toBe(waitMs(attempts + 1));
    expect(isExhausted(of(attempts))).toBe(attempts > 10);
  }
  expect([10, 11].map((attempts) => isExhausted(of(attempts)))).toEqual([false, true]);
  for (const ms of [0, 7 * MS_PER_DAY - 1, 7 * MS_PER_DAY]) {
    expect(isTriedAgain(of(1), new Date(NOW_MS + ms))).toBe(ms < 7 * MS_PER_DAY);
  }
});

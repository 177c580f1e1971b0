import { type HealthRecord, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import type { PullDataType, StoredAs, TimeRange } from '@healthd/providers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { type NotifiedChange, rangesToRead } from './notified-ranges.js';

const NOW_MS = Date.UTC(2026, 5, 10, 12);
const REACHED_FROM_MS = NOW_MS - 10 * MS_PER_DAY;
const STEPS = 80;
const HEART_RATE = 1;
const CLOUD: SourceIdentity = { provider: 'google', writer: 'cloud' };
const OTHER: SourceIdentity = { provider: 'whoop', writer: 'cloud' };

let fixture: RecordFixture;
beforeAll(async () => {
  fixture = await openRecordFixture();
});
afterAll(() => fixture.close());

/** An instant within two days of the start of the backfill, so that changes and data often meet at their edges. */
const instant = fc
  .integer({ min: -2 * 96, max: 2 * 96 })
  .map((quarter) => REACHED_FROM_MS + quarter * 15 * MS_PER_MINUTE);
const sample = fc.record({
  source: fc.constantFrom(CLOUD, CLOUD, OTHER),
  typeId: fc.constantFrom(STEPS, STEPS, HEART_RATE),
  startMs: instant,
  offsetMinutes: fc.constantFrom(undefined, 0, -720, -480, 330, 840),
});
const session = fc.record({
  source: fc.constantFrom(CLOUD, CLOUD, OTHER),
  startMs: instant,
  hours: fc.integer({ min: 1, max: 30 }),
});
const change = fc
  .tuple(
    fc.constantFrom('upsert' as const, 'delete' as const),
    instant,
    fc.oneof(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 15 * 24 })),
  )
  .map(([operation, startMs, hours]): NotifiedChange => ({ operation, startMs, endMs: startMs + hours * MS_PER_HOUR }));
const changes = fc.array(change, { minLength: 1, maxLength: 3 });

async function rangesOf(
  user: number,
  stored: StoredAs,
  notified: readonly NotifiedChange[],
  itemsIn?: PullDataType['itemsIn'],
): Promise<TimeRange[]> {
  const account = { provider: 'google', userKeys: [user], reachedFromMs: REACHED_FROM_MS, nowMs: NOW_MS } as const;
  return rangesToRead(fixture.pool, account, { stored, itemsIn }, notified);
}

/** Checks the invariants: ranges cover all readable changes and all stored data that a change affects. */
function expectCovered(
  ranges: readonly TimeRange[],
  notified: readonly NotifiedChange[],
  stored: readonly TimeRange[],
) {
  const isRead = (ms: number) => ranges.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  for (const { operation, startMs, endMs } of notified) {
    for (let ms = startMs; ms < Math.min(endMs, NOW_MS); ms += MS_PER_HOUR) {
      if (operation === 'upsert' && ms >= REACHED_FROM_MS) expect(isRead(ms), new Date(ms).toISOString()).toBe(true);
    }
    for (const item of stored) {
      const [from, to] = [Math.max(item.startMs, startMs), Math.min(item.endMs, endMs, NOW_MS)];
      if (from < to) expect(isRead(from), `stored at ${new Date(from).toISOString()}`).toBe(true);
    }
  }
  for (const { startMs, endMs } of ranges) {
    expect(startMs).toBeLessThan(endMs);
    // No instant outside the changes may be read again.
    for (const ms of [startMs, endMs - 1]) {
      expect(notified.some((one) => ms >= one.startMs && ms < one.endMs)).toBe(true);
    }
  }
}

describe('ranges to reread after notified changes', () => {
  it('cover each readable change and each affected stored sample', async () => {
    const property = fc.asyncProperty(fc.array(sample, { maxLength: 8 }), changes, async (samples, notified) => {
      const user = await fixture.newUser();
      await fixture.write(
        user,
        ...samples.map((one): HealthRecord => ({ kind: 'sample', ...one, value: 60, sampleKind: 'sample' })),
      );
      const own = samples.filter(({ source, typeId }) => source === CLOUD && typeId === STEPS);
      const ranges = await rangesOf(user, { of: 'samples', typeIds: [STEPS] }, notified);
      expectCovered(
        ranges,
        notified,
        own.map(({ startMs }) => ({ startMs, endMs: startMs + 1 })),
      );
      if (own.length === 0 && notified.every(({ operation }) => operation === 'delete')) expect(ranges).toEqual([]);
    });
    await fc.assert(property, { numRuns: propertyRuns(40, 500) });
  });

  it('are exactly the affected ranges of changes with and without session ids', async () => {
    const itemChange = fc
      .tuple(change, fc.constantFrom(undefined, undefined, 'workout-0', 'workout-1', 'never stored'))
      .map(([one, itemId]): NotifiedChange => ({ ...one, itemId }));
    const property = fc.asyncProperty(
      fc.array(session, { maxLength: 5 }),
      fc.array(itemChange, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('workouts' as const, 'workouts' as const, 'sleep_sessions' as const, undefined),
      async (sessions, notified, itemsIn) => {
        const user = await fixture.newUser();
        const records = sessions.map(({ source, startMs, hours }, index) => ({
          kind: 'workout' as const,
          source,
          externalId: `workout-${index}`,
          type: 'running' as const,
          startMs,
          endMs: startMs + hours * MS_PER_HOUR,
        }));
        await fixture.write(user, ...records);
        const own = records.filter(({ source }) => source === CLOUD);
        const latestMs = NOW_MS + MS_PER_HOUR;
        const isAffected = (ms: number, { operation, startMs, endMs, itemId }: NotifiedChange) => {
          const item = itemsIn === 'workouts' ? own.find(({ externalId }) => externalId === itemId) : undefined;
          if (item) return ms >= item.startMs - MS_PER_DAY && ms < Math.min(item.endMs + MS_PER_DAY, latestMs);
          if (operation === 'delete' && itemId !== undefined && itemsIn === 'workouts') return false;
          if (ms < startMs || ms >= Math.min(endMs, latestMs)) return false;
          if (operation === 'upsert' && ms >= REACHED_FROM_MS) return true;
          return own.some((one) => ms >= one.startMs && ms <= one.endMs);
        };
        const ranges = await rangesOf(user, { of: 'workouts' }, notified, itemsIn);
        const edges = [...own, ...notified, ...ranges].flatMap(({ startMs, endMs }) => [startMs, endMs]);
        const borders = [...edges, REACHED_FROM_MS, latestMs];
        for (const at of borders.flatMap((ms) => [-MS_PER_DAY, 0, MS_PER_DAY].map((days) => ms + days))) {
          for (const ms of [at - 1, at]) {
            const isRead = ranges.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
            const isExpected = notified.some((one) => isAffected(ms, one));
            expect(isRead, new Date(ms).toISOString()).toBe(isExpected);
          }
        }
      },
    );
    await fc.assert(property, { numRuns: propertyRuns(60, 500) });
  });

  it.each([
    ['the local day before', '2026-05-28T02:00Z', -480],
    ['the local day after', '2026-05-28T22:00Z', 840],
  ])('cover a deleted sample that counts toward %s', async (_, start, offsetMinutes) => {
    const user = await fixture.newUser();
    const startMs = Date.parse(start);
    await fixture.write(user, {
      kind: 'sample',
      source: CLOUD,
      typeId: STEPS,
      startMs,
      offsetMinutes,
      value: 60,
      sampleKind: 'sample',
    });
    const hour = { startMs, endMs: startMs + MS_PER_HOUR };
    const ranges = await rangesOf(user, { of: 'samples', typeIds: [STEPS] }, [{ operation: 'delete', ...hour }]);
    expect(ranges).toEqual([hour]);
  });
});

import { type HealthRecord, MS_PER_DAY, MS_PER_MINUTE, type SourceIdentity } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../test/support/extent.js';
import { endedItems } from '../../../../test/support/item-counts.js';
import { openRecordFixture, type RecordFixture } from '../../../../test/support/record-fixture.js';
import { sample } from '../../../../test/support/records.js';
import { archiveUser } from '../archive/archive-user.js';

const START = Date.UTC(2026, 2, 10);

let fixture: RecordFixture;

beforeAll(async () => {
  fixture = await openRecordFixture();
});

afterAll(() => fixture.close());

const source = fc.constantFrom<SourceIdentity>(
  { provider: 'apple', deviceModel: 'Watch6,2' },
  { provider: 'apple', deviceModel: 'iPhone15,2' },
);
const startMs = fc.integer({ min: 0, max: 24 }).map((slot) => START + slot * 5 * MS_PER_MINUTE);
const placed = { source, startMs, offsetMinutes: fc.constantFrom(undefined, 60) };
const length = fc.constantFrom(-MS_PER_MINUTE, 0, MS_PER_MINUTE, 15 * MS_PER_MINUTE);
const externalId = fc.constantFrom(undefined, undefined, 'a', 'b');

/** Items of five types: many at the same instant, some of them invalid. */
const item: fc.Arbitrary<HealthRecord> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...placed,
      kind: fc.constant('sample' as const),
      typeId: fc.constantFrom(1, 80, 503),
      durationMs: fc.constantFrom(undefined, MS_PER_MINUTE, 10 * MS_PER_MINUTE, -1),
      value: fc.constantFrom(5, 20, 60, Number.NaN),
      sampleKind: fc.constantFrom('sample' as const, 'sample' as const, 'daily_total' as const, 'aggregate' as const),
    }),
  },
  fc
    .record({ ...placed, length, stage: fc.constantFrom('light' as const, 'deep' as const) })
    .map(({ length: ms, ...rest }) => ({ kind: 'sleep_stage' as const, ...rest, endMs: rest.startMs + ms })),
  fc
    .record({ ...placed, length, externalId, type: fc.constantFrom('running' as const, 'yoga' as const) })
    .map(({ length: ms, ...rest }) => ({ kind: 'workout' as const, ...rest, endMs: rest.startMs + ms })),
  fc
    .record({ ...placed, length, externalId })
    .map(({ length: ms, ...rest }) => ({ kind: 'sleep_session' as const, ...rest, endMs: rest.startMs + ms })),
  fc
    .record({ source, externalId, atMs: startMs, value: fc.constantFrom(70, 80) })
    .map((rest) => ({ kind: 'health_score' as const, category: 'sleep', ...rest })),
);

describe('write counts', () => {
  it('add up to the number of input items', async () => {
    const lives = fc.array(fc.array(item, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(lives, async (batches) => {
        const user = await fixture.newUser();
        for (const batch of [...batches, ...batches.toReversed()]) {
          const { items } = await fixture.write(user, ...batch);
          expect(items.read).toBe(batch.length);
          expect(endedItems(items), JSON.stringify(items)).toBe(items.read);
        }
      }),
      { numRuns: propertyRuns(10, 40) },
    );
  });

  it('distinguish samples of archived days from stored samples', async () => {
    const user = await fixture.newUser();
    const day = [
      sample('steps', '2026-03-10T08:00:00Z', 100, { minutes: 5 }),
      sample('steps', '2026-03-10T09:00:00Z', 50, { minutes: 5 }),
    ];
    await fixture.write(user, ...day);
    const beforeDay = Date.UTC(2026, 2, 12) / MS_PER_DAY;
    await archiveUser(fixture.pool, user, { beforeDay, compare: () => 0, deviceOrder: 0 });
    const again = await fixture.write(user, ...day, sample('steps', '2026-03-12T08:00:00Z', 7));
    expect(again.items).toMatchObject({ read: 3, archived: 2, inserted: 1, unchanged: 0 });
    expect(again.samples).toEqual({ inserted: 1, updated: 0, unchanged: 0 });
  });
});

import type { ItemCounts } from '@healthd/model';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { propertyRuns } from '../../support/extent.js';
import { endedItems } from '../../support/item-counts.js';
import { type GoogleFixture, GRANTS, openGoogleFixture } from './google-fixture.js';

type Point = Parameters<GoogleFixture['control']['addPoints']>[1][number];

/** A vendor's data point and its expected outcome after a sync. */
interface Written {
  point: Point;
  outcome?: 'rejected' | 'no_value' | 'superseded';
}

const NOW = '2026-11-10T12:00:00Z';
const START = Date.UTC(2026, 10, 10, 2);
const iso = (ms: number) => new Date(ms).toISOString();

/** Data points of one twenty-minute slot. Every later sync rereads this range. */
const written: fc.Arbitrary<Omit<Written, 'point'> & { of(slot: number): Point }> = fc.constantFrom(
  { of: (slot) => ({ ...interval('steps', slot), value: 100 }) },
  { of: (slot) => ({ ...interval('steps', slot), value: 7, source: 'phone' as const }) },
  { of: (slot) => ({ ...interval('steps', slot), value: 60_000 }), outcome: 'rejected' },
  { of: (slot) => ({ ...instant('heart-rate', slot), value: 70 }) },
  { of: (slot) => ({ ...instant('heart-rate', slot), value: 351 }), outcome: 'rejected' },
  { of: (slot) => ({ ...instant('heart-rate-variability', slot), value: {} }), outcome: 'no_value' },
  { of: (slot) => ({ ...instant('heart-rate-variability', slot), value: 41 }) },
  { of: (slot) => ({ ...interval('exercise', slot), value: { exerciseType: 'RUNNING' } }) },
);

function instant(dataType: string, slot: number) {
  return { dataType, startTime: iso(START + slot * 1_200_000) };
}

function interval(dataType: string, slot: number) {
  return { ...instant(dataType, slot), endTime: iso(START + slot * 1_200_000 + 900_000) };
}

let fixture: GoogleFixture;
afterEach(() => fixture.close());

/** Syncs new data. Returns the item counts of the run and the results of each data type. */
async function pulled(user: Parameters<GoogleFixture['pull']>[0]) {
  const run = await fixture.pull(user);
  expect(run?.status).toBe('success');
  const { body } = await fixture.call('GET', `/api/v1/sync/runs/${run?.run_id}`);
  const { items, data_types: kinds } = body.metadata as {
    items: ItemCounts;
    data_types: Record<string, { items: ItemCounts; received: number }>;
  };
  for (const one of [items, ...Object.values(kinds).map((kind) => kind.items)]) {
    expect(endedItems(one), JSON.stringify(one)).toBe(one.read);
  }
  return { items, kinds };
}

const count = (points: readonly Written[], outcome: Written['outcome']) =>
  points.filter((one) => one.outcome === outcome).length;

describe('the item counts of a sync', () => {
  it('match the points of any account for any split', async () => {
    fixture = await openGoogleFixture({ now: NOW, values: { USE_RECONCILE: 'false' } });
    const lives = fc.array(written, { minLength: 1, maxLength: 24 }).chain((all) => {
      const points = all.map(({ of, outcome }, slot): Written => ({ point: of(slot), outcome }));
      return fc.tuple(fc.shuffledSubarray(points, { minLength: points.length }), fc.nat(points.length));
    });
    let accounts = 0;
    await fc.assert(
      fc.asyncProperty(lives, async ([points, part]) => {
        const account = `person-${accounts++}`;
        await fixture.control.addAccount({
          id: account,
          timeZone: 'UTC',
          grants: [...GRANTS.activity, ...GRANTS.health],
        });
        const user = await fixture.connect(account);
        await fixture.reading.settle();
        const seen: Written[] = [];
        for (const next of [points.slice(0, part), points.slice(part), []]) {
          await fixture.control.addPoints(
            account,
            next.map(({ point }) => point),
            { notify: false },
          );
          seen.push(...next);
          const { items } = await pulled(user);
          expect(items).toMatchObject({
            read: seen.length,
            rejected: count(seen, 'rejected'),
            no_value: count(seen, 'no_value'),
            inserted: count(next, undefined),
            updated: 0,
          });
        }
      }),
      { numRuns: propertyRuns(3, 20) },
    );
  }, 300_000);

  it('report an item as superseded if a preferred item replaces it', async () => {
    fixture = await openGoogleFixture({ now: NOW, values: { USE_RECONCILE: 'false' } });
    await fixture.control.addAccount({ id: 'anna', timeZone: 'UTC', grants: [...GRANTS.activity, ...GRANTS.health] });
    const run = { dataType: 'exercise', startTime: '2026-11-10T07:00:00Z', endTime: '2026-11-10T08:00:00Z' };
    await fixture.control.addPoints(
      'anna',
      [
        { ...run, id: 'written-by-watch', value: { exerciseType: 'RUNNING', metricsSummary: { steps: 9000 } } },
        { ...run, id: 'written-by-phone', value: { exerciseType: 'RUNNING' }, source: 'phone' },
        { ...instant('heart-rate-variability', 3), value: 41 },
        { dataType: 'daily-heart-rate-variability', date: '2026-11-10', value: 44 },
      ],
      { notify: false },
    );
    const anna = await fixture.connect('anna');
    await fixture.reading.settle();
    const { items, kinds } = await pulled(anna);
    expect(kinds.exercise?.items).toMatchObject({ read: 2, superseded: 1 });
    expect(kinds['heart-rate-variability']?.items).toMatchObject({ read: 2, superseded: 1 });
    expect(items).toMatchObject({ read: 4, unchanged: 2, superseded: 2 });
  }, 60_000);
});

import { type ItemCounts, MS_PER_MINUTE } from '@healthd/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { propertyRuns } from '../support/extent.js';
import { endedItems } from '../support/item-counts.js';
import { openPushFixture, type PushFixture } from './push-fixture.js';
import { payload, WATCH } from './push-payloads.js';

/** One item of a payload, and its expected outcome. */
interface Pushed {
  list: 'records' | 'sleep' | 'workouts';
  item: unknown;
  /** Number of items that the service reads from `item`. Workout figures stored as samples count too. */
  items: number;
  rejected?: number;
  unsupported?: number;
  /** ID of the session that contains the item's score. The service reads each score once. */
  scoreOf?: string;
}

const START = Date.UTC(2026, 10, 1, 22, 30);
const PULSE = 'HKQuantityTypeIdentifierHeartRate';
const STEPS = 'HKQuantityTypeIdentifierStepCount';

const id = fc.constantFrom('a', 'b', 'c', null, undefined);
/** Uses few instants, so that many items start at the same time. Phones send unknown values as null. */
const placed = fc
  .record({
    slot: fc.nat(12),
    minutes: fc.constantFrom(0, 1, 10),
    id,
    parentId: fc.constantFrom(null, undefined),
    zoneOffset: fc.constantFrom(null, undefined, '+01:00'),
    source: fc.constantFrom(WATCH, null, { ...WATCH, deviceId: null, deviceType: null, deviceSoftwareVersion: null }),
    metadata: fc.constantFrom(null, undefined, { HKTimeZone: 'Europe/Warsaw' }),
  })
  .map(({ slot, minutes, ...rest }) => {
    const startMs = START + slot * 600_000;
    return { ...rest, startDate: iso(startMs), endDate: iso(startMs + minutes * MS_PER_MINUTE) };
  });

const record = fc
  .tuple(placed, fc.constantFrom([STEPS, 10, 'count'], [STEPS, 20, null], [PULSE, 70, 'bpm'], [PULSE, '71', null]))
  .map(([at, [type, value, unit]]): Pushed => ({ list: 'records', item: { ...at, type, value, unit }, items: 1 }));
const faultyRecord = fc
  .tuple(
    placed,
    fc.constantFrom<['rejected' | 'unsupported', object]>(
      ['rejected', { type: PULSE, value: 351, unit: 'bpm' }],
      ['rejected', { type: PULSE, value: null, unit: 'bpm' }],
      ['rejected', { type: PULSE, value: 'fast', unit: 'bpm' }],
      ['rejected', { type: PULSE, value: 70, unit: 'furlong' }],
      ['rejected', { type: STEPS, value: 10, unit: 'count', startDate: null }],
      ['rejected', { type: STEPS, value: 10, unit: 'count', endDate: 'never' }],
      ['rejected', { type: STEPS, value: 10, unit: 'count', source: 'a watch' }],
      ['unsupported', { type: 'HKQuantityTypeIdentifierOfTomorrow', value: 1, unit: null }],
      ['unsupported', { type: null, value: 1, unit: null }],
    ),
  )
  .map(([at, [outcome, facts]]): Pushed => ({ list: 'records', item: { ...at, ...facts }, items: 1, [outcome]: 1 }));
const noObject = fc
  .tuple(fc.constantFrom('records', 'sleep', 'workouts'), fc.constantFrom(null, 5, 'text', []))
  .map(([list, item]): Pushed => ({ list, item, items: 1, rejected: 1 }));

const asleep = placed.map((at) => ({ ...at, endDate: iso(Date.parse(at.startDate) + 1_800_000) }));
const stage = fc
  .tuple(asleep, fc.constantFrom('light', 'deep', 'in_bed'), fc.constantFrom(null, 'night'))
  .map(([at, name, parentId]): Pushed => ({ list: 'sleep', item: { ...at, parentId, stage: name }, items: 1 }));
const score = { values: [{ type: 'sleepScore', value: 81, unit: null }] };
const scoredStage = fc.tuple(asleep, fc.constantFrom('night', 'nap')).map(
  ([at, parentId]): Pushed => ({
    list: 'sleep',
    item: { ...at, parentId, stage: 'rem', ...score },
    items: 1,
    scoreOf: parentId,
  }),
);
const faultyStage = fc
  .tuple(
    asleep,
    fc.constantFrom<['rejected' | 'unsupported', object]>(
      ['rejected', { stage: null }],
      ['rejected', { stage: 'light', endDate: '2026-11-09T00:00:00Z' }],
      ['unsupported', { stage: 'dreaming' }],
    ),
  )
  .map(([at, [outcome, facts]]): Pushed => ({ list: 'sleep', item: { ...at, ...facts }, items: 1, [outcome]: 1 }));

const workout = fc
  .tuple(
    asleep,
    fc.constantFrom('running', 'yoga', null),
    fc.constantFrom<[values: unknown, also: Partial<Pushed> & { items: number }]>(
      [null, { items: 1 }],
      [undefined, { items: 1 }],
      [[{ type: 'calories', value: 120, unit: 'kcal' }], { items: 1 }],
      [[{ type: 'averageMETs', value: 6, unit: null }], { items: 2 }],
      [[{ type: 'ofTomorrow', value: 6, unit: null }], { items: 2, unsupported: 1 }],
      [[{ type: 'calories', value: null, unit: 'kcal' }], { items: 2, rejected: 1 }],
    ),
  )
  .map(([at, type, [values, also]]): Pushed => ({ list: 'workouts', item: { ...at, type, values }, ...also }));
const faultyWorkout = fc
  .tuple(asleep, fc.constantFrom('2026-12-09T00:00:00Z', undefined))
  .map(
    ([at, endDate]): Pushed => ({ list: 'workouts', item: { ...at, type: 'running', endDate }, items: 1, rejected: 1 }),
  );

const item: fc.Arbitrary<Pushed> = fc.oneof(
  { weight: 6, arbitrary: record },
  { weight: 2, arbitrary: faultyRecord },
  { weight: 3, arbitrary: stage },
  ...[noObject, scoredStage, faultyStage, workout, faultyWorkout].map((arbitrary) => ({ weight: 1, arbitrary })),
);

function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

let fixture: PushFixture;

beforeAll(async () => {
  fixture = await openPushFixture();
});

afterAll(() => fixture.close());

/** Pushes items and returns the item counts of the run. */
async function pushed(user: string, items: readonly Pushed[]): Promise<ItemCounts> {
  const of = (list: Pushed['list']) => items.filter((one) => one.list === list).map((one) => one.item);
  const data = { records: of('records'), sleep: of('sleep'), workouts: of('workouts') };
  const { metadata } = await fixture.pushed(user, payload('apple', data));
  const counts = metadata.items as ItemCounts;
  const sum = (name: 'items' | 'rejected' | 'unsupported') => items.reduce((all, one) => all + (one[name] ?? 0), 0);
  const scores = new Set(items.flatMap(({ scoreOf }) => scoreOf ?? [])).size;
  const expected = { read: sum('items') + scores, rejected: sum('rejected'), unsupported: sum('unsupported') };
  expect(counts).toMatchObject(expected);
  expect(endedItems(counts), JSON.stringify(counts)).toBe(counts.read);
  return counts;
}

describe('the items of a push', () => {
  it('are counted by outcome for any split, order or repetition', async () => {
    const pushes = fc
      .array(item, { minLength: 1, maxLength: 40 })
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.nat(all.length), fc.shuffledSubarray(all, { minLength: all.length })),
      );
    await fc.assert(
      fc.asyncProperty(pushes, async ([all, part, shuffled]) => {
        const user = await fixture.createUser();
        await pushed(user, all.slice(part));
        await pushed(user, all.slice(0, part));
        await pushed(user, all);
        expect(await pushed(user, all)).toMatchObject({ inserted: 0 });
        expect(await pushed(user, shuffled)).toMatchObject({ inserted: 0 });
      }),
      { numRuns: propertyRuns(4, 40) },
    );
  }, 300_000);

  it('above the limit of one instant are counted in the message', async () => {
    const user = await fixture.createUser();
    const at = '2026-11-01T08:00:00Z';
    const records = Array.from({ length: 1_003 }, (_, index) => ({
      id: `pulse-${index}`,
      type: PULSE,
      startDate: at,
      endDate: at,
      value: 60 + index / 10,
      unit: 'bpm',
      source: WATCH,
    }));
    const { message, metadata } = await fixture.pushed(user, payload('apple', { records }));
    expect(message).toBe('1000 items stored, 3 items rejected.');
    expect(metadata).toMatchObject({ records_saved: 1_000, dropped_count: 3, items: { read: 1_003, rejected: 3 } });
  });
});

import type { DeliveredRecords } from '@healthd/providers';
import { describe, expect, it } from 'vitest';
import { type ChosenItems, chooseItems } from './item-versions.js';

const REPLACES: NonNullable<DeliveredRecords['exclusive']>['replaces'] = [
  { where: 'everywhere', of: { kind: 'replacement', provider: 'garmin', writer: 'w', of: 'nights' } },
  {
    where: 'outside',
    dataType: 'measured',
    of: { kind: 'replacement', provider: 'garmin', writer: 'w', of: 'samples', typeIds: [1], externalIds: ['v'] },
  },
];

function night(key: string, startMs: number, endMs: number, rank: number): DeliveredRecords {
  return { key, version: rank, exclusive: { rank, replaces: REPLACES }, span: { startMs, endMs }, records: [] };
}

const known = (key: string, startMs: number, endMs: number, rank: number) => ({
  key,
  version: rank,
  exclusive: { rank, span: { startMs, endMs } },
});
const windowsOf = (items: readonly DeliveredRecords[]) =>
  items.flatMap(({ records }) =>
    records.flatMap((record) => (record.kind === 'replacement' ? [[record.of, record.startMs, record.endMs]] : [])),
  );
const keys = (items: readonly DeliveredRecords[]) => items.map(({ key }) => key);

function choose(...args: Parameters<typeof chooseItems>): ChosenItems {
  const work = chooseItems(...args);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

it('prefers the higher version of a key, then the later item', () => {
  const item = (version: number, name: string): DeliveredRecords => ({
    key: 'day',
    version,
    span: { startMs: 0, endMs: 1 },
    records: [{ kind: 'personal', birthDate: name }],
  });
  const { items } = choose([], [item(2, 'first'), item(1, 'shorter'), item(2, 'last')]);
  expect(items.map(({ records }) => records)).toEqual([[{ kind: 'personal', birthDate: 'last' }]]);
  expect(choose([{ key: 'day', version: 3 }], [item(2, 'late')]).items).toEqual([]);
});

it("lets a later unversioned item inherit the replaced item's version", () => {
  const item = (version?: number): DeliveredRecords => ({
    key: 'cycle',
    ...(version !== undefined && { version }),
    span: { startMs: 0, endMs: 1 },
    records: [],
  });
  expect(choose([{ key: 'cycle', version: 9 }], [item()]).items).toMatchObject([{ version: 9 }]);
  expect(choose([], [item(9), item(), item(8)]).items).toMatchObject([{ version: 9 }]);
  expect(choose([], [item(), item(8)]).items).toMatchObject([{ version: 8 }]);
  expect(choose([], [item()]).items).toEqual([item()]);
});

it('stores all items without a key', () => {
  const item = { span: { startMs: 0, endMs: 1 }, records: [] };
  expect(choose([], [item, item]).items).toHaveLength(2);
});

it('does not treat adjacent or separate items as versions of each other', () => {
  const { items, replacedKeys } = choose([known('a', 0, 10, 1)], [night('b', 10, 20, 0), night('c', 30, 40, 1)]);
  expect(keys(items)).toEqual(['b', 'c']);
  expect(replacedKeys).toEqual([]);
});

it('replaces every item that overlaps the new item', () => {
  const { items, replacedKeys } = choose(
    [known('early', 0, 12, 0), known('late', 18, 30, 0)],
    [night('final', 10, 20, 1)],
  );
  expect(replacedKeys).toEqual(['early', 'late']);
  expect(windowsOf(items)).toEqual([
    ['nights', 0, 30],
    ['samples', 0, 10],
    ['samples', 20, 30],
  ]);
});

it('drops an item with a lower rank than a stored item', () => {
  expect(choose([known('final', 0, 20, 1)], [night('tentative', 10, 30, 0)])).toEqual({
    items: [],
    replacedKeys: [],
    replaced: [],
  });
});

it('does not delete data that another item covers', () => {
  const otherTypeItems = [
    { dataType: 'measured', rank: 0, span: { startMs: 25, endMs: 28 } },
    { dataType: 'measured', rank: 0, span: { startMs: 5, endMs: 14 } },
    { dataType: 'else', rank: 0, span: { startMs: 0, endMs: 9 } },
  ];
  const arriving = [night('a', 10, 15, 1), night('b', 18, 22, 1)];
  const { items } = choose([known('tentative', 0, 30, 0)], arriving, otherTypeItems);
  expect(windowsOf(items).filter(([of]) => of === 'samples')).toEqual([
    ['samples', 0, 10],
    ['samples', 15, 18],
    ['samples', 22, 25],
    ['samples', 28, 30],
  ]);
});

describe('choosing between items that depend on another data type', () => {
  const sleep = { dataType: 'sleep', rank: 1, span: { startMs: 10, endMs: 18 } };
  const part = (key: string, startMs: number, endMs: number): DeliveredRecords => ({
    key,
    version: endMs - startMs,
    exclusive: { rank: 0, follows: { dataType: 'sleep', rank: 1 }, replaces: [] },
    span: { startMs, endMs },
    records: [],
  });
  const [old, fresh] = [part('old', 0, 20), part('fresh', 10, 20)];

  it("prefers the item that starts together with the other type's item", () => {
    expect(keys(choose([], [old, fresh], [sleep]).items)).toEqual(['fresh']);
    expect(keys(choose([], [fresh, old], [sleep]).items)).toEqual(['fresh']);
    expect(choose([known('fresh', 10, 20, 0)], [old], [sleep]).items).toEqual([]);
    expect(keys(choose([known('old', 0, 20, 0)], [fresh], [sleep]).items)).toEqual(['fresh']);
  });

  it('prefers the later item if the other type has a lower rank', () => {
    expect(keys(choose([], [fresh, old], [{ ...sleep, rank: 0 }]).items)).toEqual(['old']);
  });

  it('does not restore a replaced item that is redelivered unchanged', () => {
    const { items, replaced } = choose([], [old, fresh, old]);
    expect(keys(items)).toEqual(['fresh']);
    expect(replaced).toEqual([{ key: 'old', version: 20 }]);
    const stored = [known('fresh', 10, 20, 0), { key: 'old', version: 20, isReplaced: true }];
    expect(choose(stored, [old])).toMatchObject({ items: [], replacedKeys: [] });
    expect(keys(choose(stored, [part('old', 0, 21)]).items)).toEqual(['old']);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PortionedValue, portionsOf } from './portions.js';

const item = fc.oneof(
  fc.integer(),
  fc.record({ id: fc.string(), parts: fc.array(fc.integer(), { maxLength: 40 }), path: fc.constantFrom([], [0]) }),
  fc.array(fc.integer(), { maxLength: 40 }),
);
const value = fc.record({
  rows: fc.record({ value: fc.float64Array(), length: fc.nat() }),
  few: fc.array(item, { maxLength: 5 }),
  many: fc.array(item, { maxLength: 60 }),
  ids: fc.uniqueArray(fc.string()).map((ids) => new Set(ids)),
  nested: fc.record({ lists: fc.array(fc.array(fc.integer(), { maxLength: 80 }), { maxLength: 30 }) }),
});

/** Repeats the members of lists, because only lists of many members are split. */
const times = (list: unknown[], count: number) => Array.from({ length: count }, () => list).flat();

test('reassembles a value from the messages of its portions', () => {
  fc.assert(
    fc.property(value, fc.nat(100), fc.nat(60), (small, ofMany, ofLists) => {
      const large = {
        ...small,
        many: times(small.many, ofMany),
        nested: { lists: small.nested.lists.map((list) => times(list, ofLists)) },
      };
      const restored = new PortionedValue();
      for (const portion of portionsOf(large)) restored.add(structuredClone(portion));
      expect(restored.take()).toEqual(large);
    }),
  );
});

test('limits the members of each portion', () => {
  const long = Array.from({ length: 5_000 }, (_, index) => index);
  const sizes = [
    { rows: long.map((index) => ({ index })) },
    { rows: long.map((index) => ({ stages: long.slice(0, index % 50) })) },
    { groups: Array.from({ length: 50 }, () => long.slice(0, 900)) },
    { night: { stages: long }, rows: [{ stages: long }, { stages: long }] },
  ].map((large) => Array.from(portionsOf(large), (portion) => JSON.stringify(portion.items).split(/[,[{]/).length));
  expect(Math.max(...sizes.flat())).toBeLessThan(4_000);
});
